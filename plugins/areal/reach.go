package areal

import (
	"fmt"
	"net"
	"os/exec"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

// planReach says where AReaL would run, and what speaks against that. Smoke runs are for this machine.
func planReach(out *sdk.PlanResponse, c config) {
	say := func(severity sdk.Severity, summary, detail string, path ...string) {
		d := problem(summary, detail, path...)
		d.Severity = severity
		out.Diagnostics = append(out.Diagnostics, d)
	}
	listen := c.bridge().Listen
	if everywhere(listen) && len(c.bridge().Advertise) == 0 {
		say(sdk.SeverityError, "No address for AReaL's workers", fmt.Sprintf(
			"listen is %q, every address of this machine, and workers have to try one: set advertise = [\"NAME_OF_THIS_MACHINE\"].", listen), "bridge", "listen")
	}
	if c.Scheduler == "local" {
		if c.Nodes > 1 {
			say(sdk.SeverityError, "Several nodes on one machine", fmt.Sprintf(
				"nodes is %d, and scheduler = \"local\" starts AReaL's workers on this machine alone. Set scheduler = \"ray\" or \"slurm\" to have the others, or nodes = 1.", c.Nodes), "nodes")
		}
		return
	}
	if c.Scheduler == "slurm" {
		for _, name := range []string{"sbatch", "squeue", "scancel"} {
			if _, err := exec.LookPath(name); err != nil {
				say(sdk.SeverityError, "No Slurm", name+" is not on PATH: load the module that brings Slurm's commands, or run awhost on a machine that has them.", "scheduler")
				break
			}
		}
	}
	out.Notes = append(out.Notes, fmt.Sprintf("scheduler = %q: the machines of the job need the folder of the run, or shared_folder, and the Python of AReaL at the same paths", c.Scheduler))
	if !bridge.Loopback(listen) {
		return
	}
	detail := "AReaL's workers run on other machines, and awhost listens on loopback only. " +
		"Set `bridge { listen = \"0.0.0.0:0\" advertise = [\"NAME_OF_THIS_MACHINE\"] }`: it is then served with TLS."
	if c.Nodes > 1 {
		say(sdk.SeverityError, "The bridge cannot be reached", detail, "bridge", "listen")
		return
	}
	say(sdk.SeverityWarning, "The bridge may not be reached", "Unless the scheduler starts the workers on this very machine, "+detail, "bridge", "listen")
}

// everywhere says whether an address is all those of this machine.
func everywhere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}
