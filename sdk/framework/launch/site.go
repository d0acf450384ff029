package launch

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

// localDashboard is the default address of Ray's dashboard.
const localDashboard = "http://127.0.0.1:8265"

// Site is the place where a framework's trainer runs. Its methods that start with Plan add diagnostics to a plan.
type Site struct {
	Placement
	Framework string // in messages
	Nodes     int
	GPUs      int  // of each node; 0: the job requests none
	Reserve   bool // Ray reserves the GPUs for the job's own process, which otherwise requests them itself
	Smoke     bool // smoke runs use this machine
}

// Kind returns the kind of the launcher.
func (s Site) Kind() string {
	if s.Smoke || s.Launch == "" {
		return KindProcess
	}
	return s.Launch
}

// Launcher returns the launcher that the spec names. It contacts no cluster.
func (s Site) Launcher() (Launcher, error) {
	switch s.Kind() {
	case KindProcess:
		return NewProcess(), nil
	case KindSlurm:
		return NewSlurm(s.slurm()), nil
	}
	options, err := s.ray()
	if err != nil {
		return nil, err
	}
	return NewRay(options), nil
}

// ray returns the cluster named by the spec or by the environment.
func (s Site) ray() (RayOptions, error) {
	var out RayOptions
	if r := s.Ray; r != nil {
		out = *r
	}
	if s.Reserve {
		out.GPUs = s.GPUs
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
		return out, fmt.Errorf("%s is %q: jobs need the URL of the cluster's dashboard, like http://head:8265", where,
			out.Address)
	}
	if parsed.User != nil {
		return out, fmt.Errorf("%s holds a password, which plans and records would show: use token_file", where)
	}
	return out, nil
}

func (s Site) slurm() SlurmOptions {
	var out SlurmOptions
	if s.Slurm != nil {
		out = *s.Slurm
	}
	out.Nodes, out.GPUsPerNode = s.Nodes, s.GPUs
	return out
}

// Plan reports why the trainer cannot run there, or cannot reach the bridge.
func (s Site) Plan(out *sdk.PlanResponse) {
	s.planBlocks(out)
	if b := s.Bridge; b != nil && everywhere(b.Listen) && len(b.Advertise) == 0 {
		s.wrong(out, "No address for "+s.Framework+"'s workers", fmt.Sprintf("listen is %q, every address of this machine, "+
			"and workers have to try one: set advertise = [\"NAME_OF_THIS_MACHINE\"].", b.Listen), "bridge", "listen")
		return
	}
	if s.Kind() == KindProcess {
		return
	}
	distant := s.Nodes > 1
	switch s.Launch {
	case KindRay:
		options, err := s.ray()
		if err != nil {
			s.wrong(out, "No Ray cluster", err.Error()+".", "ray", "address")
			return
		}
		distant = distant || !here(options.Address)
		if w := options.WorkingDir; w != "" && !strings.Contains(w, "://") {
			s.wrong(out, "No URI", fmt.Sprintf("working_dir is %q: Ray's cluster fetches it, so it must be a URI like "+
				"s3://bucket/project.zip.", w), "ray", "working_dir")
		}
	case KindSlurm:
		s.PlanSlurm(out, "launch")
	}
	s.PlanReach(out, distant, "Unless Slurm starts the job on this very machine, ")
	out.Notes = append(out.Notes, fmt.Sprintf("launch = %q: the machines of the job need the folder of the run and the "+
		"Python of %s at the same paths", s.Launch, s.Framework))
}

func (s Site) planBlocks(out *sdk.PlanResponse) {
	if s.Ray != nil && s.Launch != KindRay {
		s.wrong(out, "Block without effect", fmt.Sprintf("launch is %q, so %s does not run on Ray's cluster: remove the "+
			"block, or set launch = \"ray\".", s.Launch, s.Framework), "ray")
	}
	if s.Slurm != nil && s.Launch != KindSlurm {
		s.wrong(out, "Block without effect", fmt.Sprintf("launch is %q, so %s does not run in Slurm: remove the block, or "+
			"set launch = \"slurm\".", s.Launch, s.Framework), "slurm")
	}
}

// PlanSlurm reports missing commands of Slurm.
func (s Site) PlanSlurm(out *sdk.PlanResponse, attribute string) {
	for _, name := range []string{"sbatch", "squeue", "scancel"} {
		if _, err := exec.LookPath(name); err != nil {
			s.wrong(out, "No Slurm", name+" is not on PATH: load the module that brings Slurm's commands, or run awhost on a "+
				"machine that has them.", attribute)
			return
		}
	}
}

// PlanReach reports that workers on other machines cannot reach the bridge. They are there if distant is true;
// otherwise the sentence in unless tells when they are not. A local Ray runs them on this machine.
func (s Site) PlanReach(out *sdk.PlanResponse, distant bool, unless string) {
	if !bridge.Loopback(s.listen()) {
		return
	}
	detail := s.Framework + "'s workers run on other machines, and awhost listens on loopback only. " +
		"Set `bridge { listen = \"0.0.0.0:0\" advertise = [\"NAME_OF_THIS_MACHINE\"] }`: it is then served with TLS."
	if distant {
		s.wrong(out, "The bridge cannot be reached", detail, "bridge", "listen")
	} else if s.Launch != KindRay {
		s.warn(out, "The bridge may not be reached", unless+detail, "bridge", "listen")
	}
}

// PlanEnv reports variables that Ray changes: it replaces $NAME and ${NAME} in their values, and has no escape.
func (s Site) PlanEnv(out *sdk.PlanResponse, env map[string]string) {
	if s.Kind() != KindRay {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		detail := fmt.Sprintf("The value of %s has a $. Ray replaces what looks like $NAME in it by a variable of the "+
			"machine that %s runs on, or removes it, and has no way to write a plain $. Set the variable on those machines "+
			"instead, unless you want the replacement.", name, s.Framework)
		reported := func(d sdk.Diagnostic) bool { return d.Detail == detail } // for an earlier stage
		if strings.Contains(env[name], "$") && !slices.ContainsFunc(out.Diagnostics, reported) {
			s.warn(out, "Ray changes a variable", detail, "launch")
		}
	}
}

func (s Site) wrong(out *sdk.PlanResponse, summary, detail string, path ...string) {
	out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{
		Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path,
	})
}

func (s Site) warn(out *sdk.PlanResponse, summary, detail string, path ...string) {
	out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{
		Severity: sdk.SeverityWarning, Summary: summary, Detail: detail, Path: path,
	})
}

// Port returns the requirement that the bridge's port is free.
func (s Site) Port() sdk.Requirement { return bridge.Port(s.listen()) }

// Show returns the command that starts a job, for a plan.
func (s Site) Show(j Job) sdk.PlannedCommand {
	l, err := s.Launcher()
	described, ok := l.(interface{ Command(Job) []string })
	if err != nil || !ok {
		return sdk.PlannedCommand{Argv: j.Argv}
	}
	shown := described.Command(j)
	if s.Kind() == KindSlurm { // the script on standard input contains the command
		shown = append(append(shown, "<", j.Dir+"/"+scriptFile+":"), j.Argv...)
	}
	return sdk.PlannedCommand{Argv: shown}
}

// everywhere reports whether a listener accepts connections to every address of this machine.
func everywhere(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "" || ip != nil && ip.IsUnspecified())
}

// here reports whether a URL is of this machine.
func here(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(parsed.Hostname())
	return parsed.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
