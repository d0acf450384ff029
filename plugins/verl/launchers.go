package verl

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/verl/internal/launch"
	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

// localDashboard is where Ray's dashboard is by itself.
const localDashboard = "http://127.0.0.1:8265"

// launcher is the one that the spec names. Smoke runs are for this machine.
func (a *adapter) launcher(smoke bool) (launcher, error) {
	switch {
	case smoke || a.config.Launch == launch.KindProcess:
		return launch.NewProcess(), nil
	case a.config.Launch == launch.KindSlurm:
		return launch.NewSlurm(a.config.slurm()), nil
	}
	options, err := a.config.ray()
	if err != nil {
		return nil, err
	}
	return launch.NewRay(options), nil
}

// job is what a launch is found by.
func (a *adapter) job(launchID string, dir folder) launch.Job {
	return launch.Job{LaunchID: launchID, Dir: string(dir), LogFile: dir.log(), Patience: a.stopTimeout()}
}

// ray is the cluster that the spec or the environment names.
func (c config) ray() (launch.RayOptions, error) {
	var out launch.RayOptions
	if r := c.Ray; r != nil {
		out = launch.RayOptions{Address: r.Address, TokenFile: r.TokenFile, WorkingDir: r.WorkingDir, RuntimeEnv: r.RuntimeEnv}
	}
	where := "address of the ray block"
	if out.Address == "" {
		where, out.Address = "RAY_ADDRESS", os.Getenv("RAY_ADDRESS")
	}
	if out.Address == "" || out.Address == "auto" || out.Address == "local" {
		out.Address = localDashboard
	}
	parsed, err := url.Parse(out.Address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return out, fmt.Errorf("%s is %q: jobs need the URL of the cluster's dashboard, like http://head:8265", where, out.Address)
	}
	if parsed.User != nil {
		return out, fmt.Errorf("%s holds a password, which plans and records would show: use token_file", where)
	}
	return out, nil
}

func (c config) slurm() launch.SlurmOptions {
	out := launch.SlurmOptions{Nodes: c.nodes(), GPUsPerNode: c.gpusPerNode()}
	if c.cpu() {
		out.GPUsPerNode = 0
	}
	if s := c.Slurm; s != nil {
		out.Conf, out.Options, out.Partition, out.Time = s.Conf, s.Options, s.Partition, s.Time
		out.Setup, out.Script, out.RayStart = s.Setup, s.Script, s.RayStart
	}
	return out
}

// joins says whether verl joins a Ray cluster instead of starting one on its own machine.
func (c config) joins() bool {
	return c.Launch == launch.KindRay || c.Launch == launch.KindSlurm && c.nodes() > 1
}

// planLaunch says where verl would run, and what speaks against that.
func (a *adapter) planLaunch(out *sdk.PlanResponse, smoke bool) {
	c := a.config
	if c.Ray != nil && c.Launch != launch.KindRay {
		out.Diagnostics = append(out.Diagnostics, *about("Block without effect", fmt.Sprintf("launch is %q, so verl does not run on Ray's cluster: remove the block, or set launch = \"ray\".", c.Launch), "ray"))
	}
	if c.Slurm != nil && c.Launch != launch.KindSlurm {
		out.Diagnostics = append(out.Diagnostics, *about("Block without effect", fmt.Sprintf("launch is %q, so verl does not run in Slurm: remove the block, or set launch = \"slurm\".", c.Launch), "slurm"))
	}
	if b := c.Bridge; b != nil && everywhere(b.Listen) && len(b.Advertise) == 0 {
		out.Diagnostics = append(out.Diagnostics, *about("No address for verl's workers", fmt.Sprintf(
			"listen is %q, every address of this machine, and workers have to try one: set advertise = [\"NAME_OF_THIS_MACHINE\"].", b.Listen), "bridge", "listen"))
		return
	}
	if smoke || c.Launch == launch.KindProcess {
		return
	}
	distant := c.nodes() > 1
	switch c.Launch {
	case launch.KindRay:
		options, err := c.ray()
		if err != nil {
			out.Diagnostics = append(out.Diagnostics, *about("No Ray cluster", err.Error()+".", "ray", "address"))
			return
		}
		distant = distant || !here(options.Address)
		if w := options.WorkingDir; w != "" && !strings.Contains(w, "://") {
			out.Diagnostics = append(out.Diagnostics, *about("No URI", fmt.Sprintf("working_dir is %q: Ray's cluster fetches it, so it must be a URI like s3://bucket/project.zip.", w), "ray", "working_dir"))
		}
	case launch.KindSlurm:
		for _, name := range []string{"sbatch", "squeue", "scancel"} {
			if _, err := exec.LookPath(name); err != nil {
				out.Diagnostics = append(out.Diagnostics, *about("No Slurm", name+" is not on PATH: load the module that brings Slurm's commands, or run awhost on a machine that has them.", "launch"))
				break
			}
		}
	}
	a.planReach(out, distant)
	out.Notes = append(out.Notes, fmt.Sprintf("launch = %q: the machines of the job need the folder of the run and the Python of verl at the same paths", c.Launch))
}

// planReach says whether workers elsewhere can reach the bridge.
func (a *adapter) planReach(out *sdk.PlanResponse, distant bool) {
	if b := a.config.Bridge; b != nil && !bridge.Loopback(b.Listen) {
		return
	}
	detail := "verl's workers run on other machines, and awhost listens on loopback only. " +
		"Set `bridge { listen = \"0.0.0.0:0\" advertise = [\"NAME_OF_THIS_MACHINE\"] }`: it is then served with TLS."
	if distant {
		out.Diagnostics = append(out.Diagnostics, *about("The bridge cannot be reached", detail, "bridge", "listen"))
		return
	}
	if a.config.Launch == launch.KindSlurm {
		d := about("The bridge may not be reached", "Unless Slurm starts the job on this very machine, "+detail, "bridge", "listen")
		d.Severity = sdk.SeverityWarning
		out.Diagnostics = append(out.Diagnostics, *d)
	}
}

// planNodes refuses several machines where verl would start a Ray of this one alone, and wait for the others.
func (a *adapter) planNodes(out *sdk.PlanResponse, r *settings.Resolved) {
	nodes := r.Int("trainer.nnodes")
	address, _ := r.Value("ray_kwargs.ray_init.address")
	if nodes < 2 || address != nil || r.Env["RAY_ADDRESS"] != "" || os.Getenv("RAY_ADDRESS") != "" {
		return
	}
	out.Diagnostics = append(out.Diagnostics, *about("Several nodes on one machine", fmt.Sprintf(
		"trainer.nnodes is %d, and launch = %q starts verl, with a Ray of its own, on this machine alone. Set launch = \"slurm\" or \"ray\" to have the others, or nodes = 1.",
		nodes, launch.KindProcess), "launch"))
}

// planSizes refuses verl's keys for what a job is asked for by the attributes of the block. Where both are written settings has said so.
func (a *adapter) planSizes(out *sdk.PlanResponse, r *settings.Resolved) {
	c := a.config
	for _, size := range []struct {
		attribute, key string
		asked          int
		open           bool
	}{
		{"nodes", "trainer.nnodes", c.nodes(), c.Nodes == 0},
		{"gpus_per_node", "trainer.n_gpus_per_node", c.gpusPerNode(), c.GPUsPerNode == 0 && c.Launch == launch.KindSlurm},
	} {
		if got := r.Int(size.key); size.open && !c.cpu() && got != size.asked {
			out.Diagnostics = append(out.Diagnostics, *about("Job of another size", fmt.Sprintf(
				"%s is %d, and the job would be one of %s = %d, the default. Write %s = %d in the adapter's block.", size.key, got, size.attribute, size.asked, size.attribute, got), "launch"))
		}
	}
}

// planCluster refuses what Ray refuses of those who join a cluster.
func (a *adapter) planCluster(out *sdk.PlanResponse, r *settings.Resolved) {
	for _, key := range []string{"num_cpus", "num_gpus", "resources", "object_store_memory"} {
		key = "ray_kwargs.ray_init." + key
		if v, _ := r.Value(key); v != nil {
			out.Diagnostics = append(out.Diagnostics, *about("Setting of another cluster", fmt.Sprintf(
				"verl joins a Ray cluster that is there already, and Ray then takes no %s: remove it from overrides and config.", key), "launch"))
		}
	}
}

// ports are those that a run takes.
func (a *adapter) ports(smoke bool) []sdk.Requirement {
	listen := "127.0.0.1:0"
	if b := a.config.Bridge; b != nil {
		listen = b.Listen
	}
	out := []sdk.Requirement{bridge.Port(listen)}
	if smoke || !a.config.joins() {
		return append(out, sdk.Requirement{Kind: "port", Detail: "verl's own Ray, torch and engines: they draw free ones", Met: true})
	}
	return out
}

// planEnv tells of variables that Ray changes on their way: it replaces $NAME and ${NAME} in their values, and nothing escapes them.
func (a *adapter) planEnv(out *sdk.PlanResponse, env map[string]string) {
	if a.config.Launch != launch.KindRay {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if strings.Contains(env[name], "$") {
			d := about("Ray changes a variable", fmt.Sprintf(
				"The value of %s has a $. Ray replaces what looks like $NAME in it by a variable of the machine that verl runs on, or removes it, and has no way to write a plain $. "+
					"Set the variable on those machines instead, unless that is what you want.", name), "launch")
			d.Severity = sdk.SeverityWarning
			if !slices.ContainsFunc(out.Diagnostics, func(said sdk.Diagnostic) bool { return said.Detail == d.Detail }) { // of an earlier stage
				out.Diagnostics = append(out.Diagnostics, *d)
			}
		}
	}
}

// here says whether a URL is of this machine.
func here(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(parsed.Hostname())
	return parsed.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// planned is what Train would do to start verl.
func (a *adapter) planned(dir folder, command []string, smoke bool) sdk.PlannedCommand {
	l, err := a.launcher(smoke)
	described, ok := l.(interface{ Command(launch.Job) []string })
	if err != nil || !ok {
		return sdk.PlannedCommand{Argv: command}
	}
	j := a.job("LAUNCH", dir)
	j.Argv = command
	shown := described.Command(j)
	if a.config.Launch == launch.KindSlurm { // whose script, its input, holds the command
		shown = append(append(shown, "<", dir.path("slurm.sh")+":"), command...)
	}
	return sdk.PlannedCommand{Argv: shown}
}
