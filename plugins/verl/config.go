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
	Description: "Trains with verl's own main_ppo, which awhost starts and feeds through an agent loop. verl's files stay as they are.",
	Attributes: []schema.Attribute{
		schema.Path("python", "The Python that has verl: of a virtual environment, for example. Without it the active environment's (VIRTUAL_ENV), then python3 on PATH.").Example(".venv/bin/python"),
		schema.Path("config", "A configuration of verl in YAML, a grpo_trainer.yaml for example. What it sets is kept; awhost fills in what it leaves open, and a value that would break the run is an error.").Exist(),
		{Name: "overrides", Type: schema.TypeAny, Description: "Values of verl's own keys, checked against the installed verl.", ExampleJSON: json.RawMessage(`{"actor_rollout_ref.rollout.tensor_model_parallel_size":2}`)},
		schema.String("engine", "What samples. Default: vllm, unless `config` or `overrides` name another.").Enum("vllm", "sglang", "trtllm"),
		schema.Integer("nodes", "Machines of the job. Default: 1.").AtLeast(1),
		schema.Integer("gpus_per_node", "GPUs of each machine that the trainer uses. Default: 8.").AtLeast(1),
		schema.String("device", "gpu, or cpu for a tiny model: then verl gets a CPU platform and a sampler from awhost, for tests and trials.").
			Default(deviceGPU).Enum(deviceGPU, deviceCPU),
		schema.String("launch", "Where verl runs: process (this machine), ray (a job of a Ray cluster) or slurm (a job of Slurm). Smoke runs always use this machine.").
			Default(launch.KindProcess).Enum(launch.KindProcess, launch.KindRay, launch.KindSlurm),
		schema.String("tool_format", "How the model writes tool calls.").Default("hermes").Enum("hermes"),
		schema.Integer("tokens_every",
			"Each so many steps `awhost ui` can show the tokens of some groups: which were trained, and their "+
				"log-probabilities at sampling. 0: never.").
			In("steps").Default(0).Range(0, 100000),
		schema.Duration("start_timeout", "How long verl may take, once it runs, until its workers have said hello: loading of the model and of the engines.").Default("30m").CanResume(),
		schema.Duration("absence_timeout", "How long verl waits for awhost to come back, where awhost or this adapter was killed, before its episodes fail.").Default("10m").CanResume(),
		schema.Duration("unreachable_timeout", "How long the cluster that runs verl may not answer before the run stops looking; the run can then be resumed.").
			Default("15m").CanResume(),
		schema.Duration("stop_timeout", "How long verl may take to end before it is killed.").Default("30s").CanResume(),
	},
	Blocks: []schema.NestedBlock{
		{Name: "bridge", Nesting: schema.Single, Block: schema.Block{
			Description: "Where verl's workers find awhost. Another address than loopback is served with TLS.",
			Attributes: []schema.Attribute{
				schema.String("listen", "Address to listen on.").Default("127.0.0.1:0").CanResume(),
				schema.Strings("advertise", "Addresses that workers try, where they are not the one listened on. Needed where that is 0.0.0.0, every address of the machine.").CanResume(),
			},
		}},
		{Name: "ray", Nesting: schema.Single, Block: raySchema},
		{Name: "slurm", Nesting: schema.Single, Block: slurmSchema},
	},
}

var raySchema = schema.Block{
	Description: "The Ray cluster of launch = \"ray\". Its machines need the folder of the run, and the Python with verl.",
	Attributes: []schema.Attribute{
		schema.String("address", "URL of the cluster's dashboard. Default: RAY_ADDRESS where that is a URL, then http://127.0.0.1:8265.").Example("http://head:8265"),
		schema.Path("token_file", "File with the token of a cluster that wants one."),
		schema.String("working_dir", "URI of a zip that Ray unpacks and starts verl in. Default: the folder of the launch.").Example("s3://bucket/project.zip"),
		{Name: "runtime_env", Type: schema.TypeAny, Description: "More for Ray's runtime environment of the job.", ExampleJSON: json.RawMessage(`{"py_executable":"/opt/verl/bin/python"}`)},
	},
}

var slurmSchema = schema.Block{
	Description: "The job of launch = \"slurm\". All its nodes need the folder of the run, and the Python with verl. On several nodes it starts a Ray cluster of its own.",
	Attributes: []schema.Attribute{
		schema.String("partition", "Partition of the job. Default: the cluster's.").Example("gpu"),
		schema.String("time", "Limit of the job's time, as sbatch takes it. A run whose job has met it goes on in another one, from the last commit.").Example("1-00:00:00"),
		schema.Strings("options", "More options for sbatch; they win over awhost's. Default: --gpus-per-node with gpus_per_node.").Example([]string{"--gres=gpu:8", "--account=lab"}),
		schema.Strings("setup", "Lines of the job's script before verl, in bash.").Example([]string{"module load cuda"}),
		schema.Path("script", "A program of yours that gets verl's command as arguments and starts it: in a container, for example. On several nodes it brings the Ray cluster, too."),
		schema.Strings("ray_start", "More arguments for every `ray start` of a job on several nodes.").Example([]string{"--num-cpus=64"}),
		schema.Path("conf", "slurm.conf, where Slurm's commands do not find it by themselves."),
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
