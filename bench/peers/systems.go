package main

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
)

// system is a system that is measured.
type system struct {
	name    string // as in -systems
	title   string // for the report
	lock    string // directory with its driver and lock file; empty: none
	product string // the package in the lock file whose version is printed; empty: none
	// episodes multiplies the number of episodes, so that the systems run for a similar time.
	episodes float64
	args     []string // more arguments for the driver
	env      []string
	// kills is part of the command line of its environment's process; empty: it has no such process.
	kills  string
	raises bool   // it has a reward that can raise an exception
	spec   string // of awhost: the file in bench/peers/awhost with the variant

	command func(job) ([]string, error)
	read    func(j job, stdout []byte) (outcome, error)
}

// bareTitle is the title of the system that the ratios refer to.
const bareTitle = "bare client"

// systems returns all systems, in the order of the report.
func systems() []*system {
	return []*system{
		{name: "client", title: bareTitle, lock: "client", product: "openai", episodes: 1},
		{name: "uvloop", title: "bare client, uvloop", lock: "client", product: "openai", episodes: 1,
			args: []string{"--uvloop"}},
		{name: "awhost", title: "awhost, parts in Go", spec: "go", episodes: 6, kills: "plugin serve calculator"},
		{name: "awhost-python", title: "awhost, environment and reward in Python", spec: "python", episodes: 2,
			kills: "desk", raises: true},
		{name: "awhost-gateway", title: "awhost, agent with OpenAI's client", spec: "gateway", episodes: 1,
			kills: "plugin serve calculator"},
		{name: "openenv", title: "OpenEnv", lock: "openenv", product: "openenv", episodes: 1, kills: "server.py"},
		{name: "rllm", title: "rllm's gateway", lock: "rllm", product: "rllm-model-gateway", episodes: 1},
		{name: "agentlightning", title: "Agent Lightning", lock: "agentlightning", product: "agentlightning", episodes: 1},
		{name: "verifiers", title: "verifiers", lock: "verifiers", product: "verifiers", episodes: 0.4, kills: "-m desk",
			raises: true},
		{name: "nemogym", title: "NeMo Gym", lock: "nemogym", product: "nemo-gym", episodes: 0.5,
			kills: "resources_servers/adding", raises: true},
	}
}

// prepare installs a system, and sets its functions.
func (s *system) prepare(ctx context.Context, o options) error {
	if s.spec != "" {
		return s.prepareAwhost(ctx, o)
	}
	interpreter, err := python(ctx, o, s.lock)
	if err != nil {
		return err
	}
	peers := filepath.Join(o.root, "bench", "peers")
	// The scripts of the environment are on PATH, and task.py can be imported.
	s.env = append(s.env, "PYTHONPATH="+peers, "PATH="+filepath.Dir(interpreter[len(interpreter)-1])+":"+o.path)
	s.command = func(j job) ([]string, error) {
		args := append(slices.Clone(interpreter), filepath.Join(peers, s.lock, "driver.py"), j.engine,
			strconv.Itoa(j.concurrency), strconv.Itoa(j.episodes))
		if j.raising {
			args = append(args, "--raise")
		}
		return slices.Concat(args, s.args), nil
	}
	s.read = func(_ job, stdout []byte) (outcome, error) { return readOutcome(stdout) }
	return nil
}

// version returns the version of a system, or nothing for this checkout.
func (s *system) version(o options) string {
	if s.product == "" {
		return ""
	}
	return version(o, s.lock, s.product)
}
