// Package plugin supervises a run's plugins: one process per configured block, which is restarted after an exit within
// a budget and ended in the right order.
//
//	s := plugin.NewSupervisor(plugin.Config{…})
//	desk, err := s.Start(ctx, plugin.Block{Address: "environment.calculator.desk", Entry: entry, …})
//	out, err := desk.Environment().Step(ctx, request) // sdk.ErrUnavailable while the process is down
//	err = desk.Await(ctx)                             // until it is ready again, or its budget is exhausted
//	s.StopAll(ctx, 30*time.Second, "the run has finished")
//
// If the first start of a plugin fails, the caller gets an error. The start is not retried, because a user is waiting
// and an incorrect configuration remains incorrect. After later exits, the process is restarted with a delay that
// doubles each time, until the plugin has used Config.MaxRestarts restarts.
//
// It must not depend on specs, episodes, or the behavior of plugins. The rollout engine handles the effects of losing a
// process on an episode, and the run handles the effects on the run.
package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Config holds the settings shared by all plugins of a run.
type Config struct {
	Authority   *mtls.Authority
	SocketDir   string
	HostSocket  string // address of HostService; empty: no plugin calls it
	RunID       string
	Incarnation int
	MaxRestarts int // of each plugin over the run
	// Dir creates an instance's directory and returns its path. Required.
	Dir func(instance string) (string, error)
	// SpecDir is the spec's directory. Its .awhost/killed directory keeps the kills that sdk.BlameKill records in all
	// runs; if SpecDir is empty, each instance keeps them in its own directory.
	SpecDir string
	// LogFile names an instance's log; nil or an empty name means no log.
	LogFile func(instance string) string
	// Redact removes secrets from log lines. May be nil.
	Redact func(line string) string
	// Log returns the logger for an instance's output; nil discards the output.
	Log func(instance string) *slog.Logger
	// Notify receives every state change. Calls for one instance are sequential and in order. It must not call back
	// into the supervisor.
	Notify func(State)
	// Health defines when a plugin is considered hung. Silent is called when a plugin has not responded for
	// Health.Warn, and again when it responds. It must not call back into the supervisor. May be nil.
	Health HealthPolicy
	Silent func(Silence)
	// HostAbsence is how long a process detached from its host waits for a new host; 0 means no limit.
	HostAbsence time.Duration
	// Debugged holds the plugins to debug by the addresses of their blocks.
	Debugged map[string]Debugged
	// PassEnv lists variables that plugins receive in addition to those on the allowlist.
	PassEnv []string
	// Inherit lists open files, such as the run's lock, that every process inherits and holds until it exits.
	Inherit []*os.File
	// Guard starts the processes. Nil means that this process starts them.
	Guard *process.Guard
	// Clock is set only in tests. Nil: the system clock.
	Clock Clock
}

// Clock measures delays.
type Clock interface {
	After(d time.Duration) <-chan time.Time
}

// Block is a block for which a process is started.
type Block struct {
	Address   string // "environment.calculator.desk"
	Kind      sdk.ComponentKind
	Type      string
	Entry     *catalog.Entry
	Config    json.RawMessage
	Sensitive [][]string
	PassEnv   []string // like Config.PassEnv, for this plugin
}

// Phase is a process's state.
type Phase string

// The phases. The sequence is Starting, Ready, any number of (Restarting, Ready), and then Stopped or Crashed. Each
// restart attempt causes a separate Restarting.
const (
	Starting   Phase = "starting"
	Ready      Phase = "ready"
	Restarting Phase = "restarting" // Detail is the reason for the last process's end
	Stopped    Phase = "stopped"
	Crashed    Phase = "crashed" // final: the first start failed, or the budget is exhausted
)

// State is a change in a process's phase.
type State struct {
	Block    Block
	Phase    Phase
	PID      int // of the process in phase Ready; otherwise 0
	Restarts int // so far, including the one in progress
	Detail   string
}

// Supervisor runs a run's plugins.
type Supervisor struct {
	config    Config
	mu        sync.Mutex
	stopped   bool
	instances []*Instance // in start order
}

// NewSupervisor returns a supervisor without starting anything.
func NewSupervisor(config Config) *Supervisor {
	if config.Clock == nil {
		config.Clock = machineClock{}
	}
	config.Health = config.Health.withDefaults()
	config.MaxRestarts = max(config.MaxRestarts, 0)
	return &Supervisor{config: config}
}

// Start starts a block's plugin and configures it. Configuration errors are returned as *sdk.ConfigError.
func (s *Supervisor) Start(ctx context.Context, block Block) (*Instance, error) {
	i := newInstance(s, block)
	i.notify(Starting, "")
	p, err := i.startProcess(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		i.notify(Stopped, err.Error())
		return nil, err
	case err != nil:
		i.notify(Crashed, err.Error())
		return nil, err
	case !s.add(i):
		discard(p)
		i.keep(nil)
		i.notify(Stopped, errStopped.Error())
		return nil, fmt.Errorf("start plugin %s: %w", block.Address, errStopped)
	}
	i.serve(p)
	return i, nil
}

var errStopped = errors.New("the plugins have been stopped")

// add adds an instance. It returns false after StopAll.
func (s *Supervisor) add(i *Instance) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.instances = append(s.instances, i)
	return true
}

// StopAll ends all plugins in reverse order of their start and waits until their processes have ended. Each plugin gets
// the grace period to finish its work and then a few seconds to exit. When ctx is done, the grace period ends for all
// plugins. Plugins that did not finish are listed in the error and are ended regardless. Nothing can be started after
// that.
func (s *Supervisor) StopAll(ctx context.Context, grace time.Duration, reason string) error {
	s.mu.Lock()
	instances := s.instances
	s.instances, s.stopped = nil, true
	s.mu.Unlock()
	for _, i := range instances {
		i.retire() // no plugin is restarted while the others are being ended
	}
	var failures []error
	for _, i := range slices.Backward(instances) {
		failures = append(failures, i.end(ctx, grace, reason))
	}
	return errors.Join(failures...)
}

// Fail permanently ends the plugin at an address because a resource that it needs has been lost. Waiting callers
// receive the error.
func (s *Supervisor) Fail(address string, err error) {
	i, ok := s.Find(address)
	if !ok {
		return
	}
	i.retire()
	<-i.watched // soon, because nothing is started any more
	p, _, fatal := i.status()
	if fatal != nil {
		return
	}
	i.crashed(err)
	if p != nil {
		p.Kill()
	}
}

// Reconfigure changes the configuration of the plugin at an address. The plugin's process is restarted without charging
// the budget. It does nothing if the plugin already has that configuration or does not exist.
func (s *Supervisor) Reconfigure(address string, config json.RawMessage) {
	if i, ok := s.Find(address); ok {
		i.reconfigure(config)
	}
}

// Find returns the instance at an address.
func (s *Supervisor) Find(address string) (*Instance, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.instances {
		if i.block.Address == address {
			return i, true
		}
	}
	return nil, false
}

type machineClock struct{}

// After implements Clock.
func (machineClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
