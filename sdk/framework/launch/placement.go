package launch

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/schema"
)

// Placement is the part of an adapter's block that decides where its trainer runs, and for how long awhost waits.
// Adapters embed it in their configuration.
type Placement struct {
	Launch             string        `json:"launch"`
	StartTimeout       string        `json:"start_timeout"`
	AbsenceTimeout     string        `json:"absence_timeout"`
	UnreachableTimeout string        `json:"unreachable_timeout"`
	StopTimeout        string        `json:"stop_timeout"`
	Bridge             *BridgeBlock  `json:"bridge"`
	Ray                *RayOptions   `json:"ray"`
	Slurm              *SlurmOptions `json:"slurm"`
}

// BridgeBlock is the block "bridge".
type BridgeBlock struct {
	Listen    string   `json:"listen"`
	Advertise []string `json:"advertise"`
}

// Attribute returns the schema of the attribute "launch".
func Attribute(framework string) schema.Attribute {
	return schema.String("launch", "Where "+framework+" runs: `process`, on this machine; `ray`, as a job on a Ray "+
		"cluster; `slurm`, as a Slurm job. Smoke runs always use this machine.").
		Default(KindProcess).Enum(KindProcess, KindRay, KindSlurm)
}

// UnreachableTimeout returns the schema of the attribute "unreachable_timeout".
func UnreachableTimeout() schema.Attribute {
	return schema.Duration("unreachable_timeout", "How long the cluster may be unreachable before the run stops; the "+
		"run can then be resumed.").Default("15m").CanResume()
}

// Blocks returns the schema of the blocks "bridge", "ray", and "slurm". ray is true if the framework runs on Ray, so
// that a Slurm job may have several nodes.
func Blocks(framework string, ray bool) []schema.NestedBlock {
	return []schema.NestedBlock{
		{Name: "bridge", Nesting: schema.Single, Block: schema.Block{
			Description: "The address at which " + framework + "'s workers reach awhost. Addresses other than loopback " +
				"use TLS.",
			Attributes: []schema.Attribute{
				schema.String("listen", "Address to listen on.").Default(loopback).CanResume(),
				schema.Strings("advertise", "Addresses for workers, if they differ from the listen address. "+
					"Required if it is 0.0.0.0, which means every address of the machine.").CanResume(),
			},
		}},
		{Name: "ray", Nesting: schema.Single, Block: raySchema(framework)},
		{Name: "slurm", Nesting: schema.Single, Block: slurmSchema(framework, ray)},
	}
}

func raySchema(framework string) schema.Block {
	return schema.Block{
		Description: "The Ray cluster for launch = \"ray\". Its machines need the run directory and the Python with " +
			framework + ".",
		Attributes: []schema.Attribute{
			schema.String("address", "URL of the cluster's dashboard. Default: RAY_ADDRESS if it is a URL, then "+
				"http://127.0.0.1:8265.").Example("http://head:8265"),
			schema.Path("token_file", "File with the token for a cluster that requires one."),
			schema.String("working_dir", "URI of a zip file that Ray unpacks as "+framework+"'s working directory. "+
				"Default: the launch folder.").Example("s3://bucket/project.zip"),
			{Name: "runtime_env", Type: schema.TypeAny, Description: "Additional settings for the job's Ray runtime " +
				"environment.", ExampleJSON: json.RawMessage(`{"py_executable":"/opt/venv/bin/python"}`)},
		},
	}
}

func slurmSchema(framework string, ray bool) schema.Block {
	description := "The job for launch = \"slurm\". Its nodes need the run directory and the Python with " +
		framework + "."
	script := "Your own program that receives " + framework + "'s command as arguments and starts it, for example in a " +
		"container."
	if ray {
		description += " On multiple nodes, it starts its own Ray cluster."
		script += " On multiple nodes, it must also provide the Ray cluster."
	}
	out := schema.Block{Description: description, Attributes: []schema.Attribute{
		schema.String("partition", "Slurm partition. Default: the cluster's.").Example("gpu"),
		schema.String("time", "Time limit for the job, in sbatch format. A run whose job reaches the limit "+
			"continues in a new job from the last commit.").Example("1-00:00:00"),
		schema.Strings("options", "Additional sbatch options, which override awhost's.").
			Example([]string{"--gres=gpu:8", "--account=lab"}),
		schema.Strings("setup", "Bash lines in the job script before "+framework+".").
			Example([]string{"module load cuda"}),
		schema.Path("script", script),
		schema.Path("conf", "The slurm.conf file, if the Slurm commands cannot find it themselves."),
	}}
	if ray {
		out.Attributes = append(out.Attributes, schema.Strings("ray_start", "Additional arguments for every `ray start` "+
			"of a multi-node job.").Example([]string{"--num-cpus=64"}))
	}
	return out
}

const loopback = "127.0.0.1:0"

// listen returns the address of the bridge.
func (p Placement) listen() string {
	if p.Bridge == nil {
		return loopback
	}
	return p.Bridge.Listen
}

// Serve adds the address of the bridge to its options, and the time for which workers wait for it.
func (p Placement) Serve(o bridge.Options) bridge.Options {
	o.Address, o.Grace, o.TLS = p.listen(), Duration(p.AbsenceTimeout), !bridge.Loopback(p.listen())
	if p.Bridge != nil {
		o.Advertise = p.Bridge.Advertise
	}
	return o
}

// Unreachable returns the value of unreachable_timeout.
func (p Placement) Unreachable() time.Duration { return Duration(p.UnreachableTimeout) }

// Patience returns the value of stop_timeout.
func (p Placement) Patience() time.Duration { return Duration(p.StopTimeout) }

// Duration parses a duration that the schema has validated.
func Duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(fmt.Sprintf("the schema let %q pass as a duration: %v", text, err))
	}
	return d
}
