package verl

import (
	"cmp"
	"encoding/json"

	"github.com/awhost/awhost/plugins/verl/internal/launch"
	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk/schema"
)

// Devices that verl trains on.
const (
	deviceGPU = "gpu"
	deviceCPU = "cpu"
)

var configSchema = schema.Block{
	Description: "awhost starts verl's main_ppo and supplies its samples through an agent loop. verl's files are " +
		"not modified.",
	Attributes: []schema.Attribute{
		schema.Path("python", "Python interpreter with verl. Default: the active environment's Python "+
			"(VIRTUAL_ENV), then python3 on PATH.").Example(".venv/bin/python"),
		schema.Path("config", "A verl YAML configuration, such as grpo_trainer.yaml. Its values are kept, and "+
			"awhost sets missing ones. A value that would break the run is an error.").Exist(),
		{Name: "overrides", Type: schema.TypeAny, Description: "Values of verl keys, checked against the installed " +
			"verl.", ExampleJSON: json.RawMessage(`{"actor_rollout_ref.rollout.tensor_model_parallel_size":2}`)},
		schema.String("engine", "The rollout engine. Default: vllm, unless `config` or `overrides` specifies "+
			"another engine.").Enum("vllm", "sglang", "trtllm"),
		schema.Integer("nodes", "Number of machines for the job. Default: 1.").AtLeast(1),
		schema.Integer("gpus_per_node", "GPUs per machine. Default: 8.").AtLeast(1),
		schema.String("device", "`gpu`, or `cpu` for trial runs with a tiny model: awhost then provides verl with a "+
			"CPU platform and sampler.").
			Default(deviceGPU).Enum(deviceGPU, deviceCPU),
		schema.String("launch", "Where verl runs: `process`, on this machine; `ray`, as a job on a Ray cluster; "+
			"`slurm`, as a Slurm job. Smoke runs always use this machine.").
			Default(launch.KindProcess).Enum(launch.KindProcess, launch.KindRay, launch.KindSlurm),
		schema.String("tool_format", "The model's tool-call format. `auto`: the first codec that reads what the "+
			"model's chat template renders: `awhost docs reference/tool-formats`.").Default("auto"),
		schema.String("reasoning_format", "`auto`: the codec reads reasoning. `think`: text between `<think>` and "+
			"`</think>` is also reasoning. `none`: it stays in the content.").
			Default("auto").Enum("auto", "think", "none"),
		schema.Integer("tokens_every",
			"Interval in steps at which `awhost ui` can show the tokens of some groups, with their "+
				"log-probabilities at sampling. 0: never.").
			In("steps").Default(0).Range(0, 100000),
		schema.Duration("start_timeout", "Maximum time from verl's start until its workers report, which includes "+
			"the time to load the model and the engines.").Default("30m").CanResume(),
		schema.Duration("absence_timeout", "How long verl waits for awhost before its episodes fail, after awhost "+
			"or this adapter is killed.").Default("10m").CanResume(),
		schema.Duration("unreachable_timeout", "How long the cluster may be unreachable before the run stops; the "+
			"run can then be resumed.").
			Default("15m").CanResume(),
		schema.Duration("stop_timeout", "Grace period before verl is killed.").Default("30s").CanResume(),
	},
	Blocks: []schema.NestedBlock{
		{Name: "bridge", Nesting: schema.Single, Block: schema.Block{
			Description: "The address at which verl's workers reach awhost. Addresses other than loopback use TLS.",
			Attributes: []schema.Attribute{
				schema.String("listen", "Address to listen on.").Default("127.0.0.1:0").CanResume(),
				schema.Strings("advertise", "Addresses for workers, if they differ from the listen address. "+
					"Required if it is 0.0.0.0, which means every address of the machine.").CanResume(),
			},
		}},
		{Name: "ray", Nesting: schema.Single, Block: raySchema},
		{Name: "slurm", Nesting: schema.Single, Block: slurmSchema},
	},
}

var raySchema = schema.Block{
	Description: "The Ray cluster for launch = \"ray\". Its machines need the run directory and the Python with verl.",
	Attributes: []schema.Attribute{
		schema.String("address", "URL of the cluster's dashboard. Default: RAY_ADDRESS if it is a URL, then "+
			"http://127.0.0.1:8265.").Example("http://head:8265"),
		schema.Path("token_file", "File with the token for a cluster that requires one."),
		schema.String("working_dir", "URI of a zip file that Ray unpacks as verl's working directory. Default: the launch "+
			"folder.").Example("s3://bucket/project.zip"),
		{Name: "runtime_env", Type: schema.TypeAny, Description: "Additional settings for the job's Ray runtime " +
			"environment.", ExampleJSON: json.RawMessage(`{"py_executable":"/opt/verl/bin/python"}`)},
	},
}

var slurmSchema = schema.Block{
	Description: "The job for launch = \"slurm\". All its nodes need the run directory and the Python with verl. On " +
		"multiple nodes, it starts its own Ray cluster.",
	Attributes: []schema.Attribute{
		schema.String("partition", "Slurm partition. Default: the cluster's.").Example("gpu"),
		schema.String("time", "Time limit for the job, in sbatch format. A run whose job reaches the limit "+
			"continues in a new job from the last commit.").Example("1-00:00:00"),
		schema.Strings("options", "Additional sbatch options, which override awhost's. Default: --gpus-per-node with "+
			"gpus_per_node.").Example([]string{"--gres=gpu:8", "--account=lab"}),
		schema.Strings("setup", "Bash lines in the job script before verl.").Example([]string{"module load cuda"}),
		schema.Path("script", "Your own program that receives verl's command as arguments and starts it, for "+
			"example in a container. On multiple nodes, it must also provide the Ray cluster."),
		schema.Strings("ray_start", "Additional arguments for every `ray start` of a multi-node "+
			"job.").Example([]string{"--num-cpus=64"}),
		schema.Path("conf", "The slurm.conf file, if the Slurm commands cannot find it themselves."),
	},
}

// config is the block of the spec. Its JSON names are those of configSchema.
type config struct {
	Python         string          `json:"python"`
	Config         string          `json:"config"`
	Overrides      json.RawMessage `json:"overrides"`
	Engine         string          `json:"engine"`
	Nodes          int             `json:"nodes"`
	GPUsPerNode    int             `json:"gpus_per_node"`
	Device         string          `json:"device"`
	ToolFormat     string          `json:"tool_format"`
	Reasoning      string          `json:"reasoning_format"`
	TokensEvery    int             `json:"tokens_every"` // steps; 0: never
	StartTimeout   string          `json:"start_timeout"`
	StopTimeout    string          `json:"stop_timeout"`
	AbsenceTimeout string          `json:"absence_timeout"`
	Bridge         *bridgeConfig   `json:"bridge"`

	Launch             string       `json:"launch"`
	UnreachableTimeout string       `json:"unreachable_timeout"`
	Ray                *rayConfig   `json:"ray"`
	Slurm              *slurmConfig `json:"slurm"`
}

type rayConfig struct {
	Address    string         `json:"address"`
	TokenFile  string         `json:"token_file"`
	WorkingDir string         `json:"working_dir"`
	RuntimeEnv map[string]any `json:"runtime_env"`
}

type slurmConfig struct {
	Partition string   `json:"partition"`
	Time      string   `json:"time"`
	Options   []string `json:"options"`
	Setup     []string `json:"setup"`
	Script    string   `json:"script"`
	RayStart  []string `json:"ray_start"`
	Conf      string   `json:"conf"`
}

type bridgeConfig struct {
	Listen    string   `json:"listen"`
	Advertise []string `json:"advertise"`
}

// What the sizes are where the spec leaves them open: the schema has no default for them, so that what it says is told from what it does not.
const (
	defaultEngine      = "vllm"
	defaultNodes       = 1
	defaultGPUsPerNode = 8
)

func (c config) nodes() int       { return cmp.Or(c.Nodes, defaultNodes) }
func (c config) gpusPerNode() int { return cmp.Or(c.GPUsPerNode, defaultGPUsPerNode) }

// layers are the attributes that stand for keys of verl. One that the spec sets contradicts another value of the key; a default gives way.
func (c config) layers() []settings.Layer {
	attribute := func(name, key string, value any, set bool) settings.Layer {
		out := settings.Layer{Origin: "awhost", Mode: settings.Fill, Values: map[string]any{key: value}}
		if set {
			out.Origin, out.Mode = name, settings.Require
		}
		return out
	}
	return []settings.Layer{
		attribute("engine", "actor_rollout_ref.rollout.name", cmp.Or(c.Engine, defaultEngine), c.Engine != ""),
		attribute("nodes", "trainer.nnodes", c.nodes(), c.Nodes > 0),
		attribute("gpus_per_node", "trainer.n_gpus_per_node", c.gpusPerNode(), c.GPUsPerNode > 0),
	}
}

func (c config) cpu() bool { return c.Device == deviceCPU }
