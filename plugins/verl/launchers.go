package verl

import (
	"fmt"
	"os"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
)

// site returns the place where verl runs.
func (a *adapter) site(smoke bool) launch.Site {
	out := launch.Site{
		Placement: a.config.Placement, Framework: "verl", Nodes: a.config.nodes(), GPUs: a.config.gpusPerNode(), Smoke: smoke,
	}
	if a.config.cpu() {
		out.GPUs = 0
	}
	return out
}

// joins says whether verl joins a Ray cluster instead of starting one on its own machine.
func (c config) joins() bool {
	return c.Launch == launch.KindRay || c.Launch == launch.KindSlurm && c.nodes() > 1
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

// ports returns the ports that a run uses.
func (a *adapter) ports(smoke bool) []sdk.Requirement {
	out := []sdk.Requirement{a.site(smoke).Port()}
	if smoke || !a.config.joins() {
		return append(out, sdk.Requirement{Kind: "port", Detail: "verl's own Ray, torch and engines: they draw free ones", Met: true})
	}
	return out
}

// planned returns the command with which Train starts verl.
func (a *adapter) planned(dir folder, command []string, smoke bool) sdk.PlannedCommand {
	return a.site(smoke).Show(launch.Job{LaunchID: "LAUNCH", Dir: string(dir), LogFile: dir.log(), Argv: command})
}
