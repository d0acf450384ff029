package areal

import (
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
)

// site returns the place where AReaL's driver runs. With scheduler = "local", its workers are there, too.
func (c config) site(smoke bool) launch.Site {
	out := launch.Site{Placement: c.Placement, Framework: name, Nodes: 1, Smoke: smoke}
	if !c.cpu() {
		out.GPUs, out.Reserve = c.GPUsPerNode, true
	}
	return out
}

// planReach reports why AReaL cannot run where the spec places it. Smoke runs use this machine.
func planReach(out *sdk.PlanResponse, c config) {
	wrong := func(summary, detail string, path ...string) {
		out.Diagnostics = append(out.Diagnostics, problem(summary, detail, path...))
	}
	site := c.site(false)
	if c.Scheduler == "local" {
		if site.Plan(out); c.Nodes > 1 {
			wrong("Several nodes on one machine", fmt.Sprintf("nodes is %d, and scheduler = \"local\" starts AReaL's workers "+
				"on this machine alone. Set scheduler = \"ray\" or \"slurm\" to have the others, or nodes = 1.", c.Nodes), "nodes")
		}
		return
	}
	if site.Kind() != launch.KindProcess {
		wrong("Two schedulers", fmt.Sprintf("scheduler = %q has AReaL start its workers as jobs, from a driver on this "+
			"machine, and launch = %q starts the driver with all workers as one job. Remove launch, or set scheduler = "+
			"\"local\".", c.Scheduler, c.Launch), "launch")
		return
	}
	site.Plan(out)
	if c.Scheduler == "slurm" {
		site.PlanSlurm(out, "scheduler")
	}
	out.Notes = append(out.Notes, fmt.Sprintf("scheduler = %q: the machines of the job need the folder of the run, or "+
		"shared_folder, and the Python of AReaL at the same paths", c.Scheduler))
	site.PlanReach(out, c.Nodes > 1, "Unless the scheduler starts the workers on this very machine, ")
}
