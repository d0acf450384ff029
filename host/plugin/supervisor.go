// Package plugin supervises the plugins of a run: one process per configured block, restarted when it dies, within a
// budget, and ended in the right order.
//
//	s := plugin.NewSupervisor(plugin.Config{…})
//	desk, err := s.Start(ctx, plugin.Block{Address: "environment.calculator.desk", Entry: entry, …})
//	out, err := desk.Environment().Step(ctx, request) // sdk.ErrUnavailable while the process is down
//	err = desk.Await(ctx)                             // until it serves again, or its budget is spent
//	s.StopAll(ctx, 30*time.Second, "the run has finished")
//
// A plugin that does not start the first time is an error for whoever started it: nothing is retried, because a person
// is looking and a wrong configuration stays wrong. From then on a death is followed by a restart, after a pause that
// doubles, until Config.MaxRestarts of that plugin are spent.
//
// It must not know specs, episodes or what a plugin does. What a lost process means for an episode is decided by the
// rollout engine; what it means for the run, by the run.
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

// Config is what all plugins of a run have in common.
type Config struct {
	Authority   *mtls.Authority
	SocketDir   string
	HostSocket  string // where HostService listens; empty: no plugin calls it
	RunID       string
	Incarnation int
	MaxRestarts int // of each plugin over the run
	// Dir makes an instance's own directory and names it. Required.
	Dir func(instance string) (string, error)
	// SpecDir is the directory of the spec. Its .awhost/killed keeps the kills that sdk.BlameKill records in all runs;
	// empty: each instance keeps them in its own directory.
	SpecDir string
	// LogFile names an instance's log; nil, or an empty name: none.
	LogFile func(instance string) string
	// Redact takes secrets out of what goes to a log; nil leaves it as it is.
	Redact func(line string) string
	// Log receives what an instance writes; nil discards it.
	Log func(instance string) *slog.Logger
	// Notify hears of every change of state. The calls for one instance come one after the other and in order; it must
	// not call back into the supervisor.
	Notify func(State)
	// Patience says when a plugin is hung, and Silent hears of plugins that give no answer, once when they have not for
	// Patience.Warn, and once when they do again. It must not call back into the supervisor; nil: nobody hears.
	Patience Patience
	Silent   func(Silence)
	// HostAbsence is how long what outlives its host waits for another one; 0: as long as it likes.
	HostAbsence time.Duration
	// Debugged are the plugins that a debugger is to be attached to, by the addresses of their blocks.
	Debugged map[string]Debugged
	// PassEnv are variables that plugins get beside the allow-list.
	PassEnv []string
	// Inherit are open files that every process keeps for as long as it lives: the lock of the run.
	Inherit []*os.File
	// Guard starts the processes; nil: this process does.
	Guard *process.Guard
	// Clock is for tests; nil is the machine's.
	Clock Clock
}

// Clock is what pauses are measured with.
type Clock interface {
	After(d time.Duration) <-chan time.Time
}

// Block is what a process is started for.
type Block struct {
	Address   string // "environment.calculator.desk"
	Kind      sdk.ComponentKind
	Type      string
	Entry     *catalog.Entry
	Config    json.RawMessage
	Sensitive [][]string
}

// Phase is where a process is in its life.
type Phase string

// The phases. A life is Starting, Ready, any number of (Restarting, Ready), and then Stopped or Crashed. Each attempt
// to restart is a Restarting of its own.
const (
	Starting   Phase = "starting"
	Ready      Phase = "ready"
	Restarting Phase = "restarting" // Detail says what the last process died of
	Stopped    Phase = "stopped"
	Crashed    Phase = "crashed" // dead for good: it did not start, or the budget is spent
)

// State is a change in the life of a process.
type State struct {
	Block    Block
	Phase    Phase
	PID      int // of the process that is Ready; otherwise 0
	Restarts int // so far, with the one under way
	Detail   string
}

// Supervisor runs the plugins of one run.
type Supervisor struct {
	config    Config
	mu        sync.Mutex
	stopped   bool
	instances []*Instance // in start order
}

// NewSupervisor starts nothing yet.
func NewSupervisor(config Config) *Supervisor {
	if config.Clock == nil {
		config.Clock = machineClock{}
	}
	config.Patience = config.Patience.withDefaults()
	config.MaxRestarts = max(config.MaxRestarts, 0)
	return &Supervisor{config: config}
}

// Start runs a block's plugin and configures it. Problems of the configuration come as *sdk.ConfigError.
func (s *Supervisor) Start(ctx context.Context, block Block) (*Instance, error) {
	i := newInstance(s, block)
	i.notify(Starting, "")
	p, err := i.launch(ctx)
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

// add takes an instance into care. It is too late for that after StopAll.
func (s *Supervisor) add(i *Instance) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.instances = append(s.instances, i)
	return true
}

// StopAll ends all plugins, the last started first, and waits until nothing of them is left. Each may take grace to
// finish what it has begun, and then a few seconds to end; the end of ctx ends the patience with all. What did not
// finish is in the error; it is ended all the same. Nothing can be started afterwards.
func (s *Supervisor) StopAll(ctx context.Context, grace time.Duration, reason string) error {
	s.mu.Lock()
	instances := s.instances
	s.instances, s.stopped = nil, true
	s.mu.Unlock()
	for _, i := range instances {
		i.retire() // none is restarted while the others are being ended
	}
	var failures []error
	for _, i := range slices.Backward(instances) {
		failures = append(failures, i.end(ctx, grace, reason))
	}
	return errors.Join(failures...)
}

// Fail ends the plugin of an address for good: what it needs is gone. Whoever waits for it gets the error.
func (s *Supervisor) Fail(address string, err error) {
	i, ok := s.Find(address)
	if !ok {
		return
	}
	i.retire()
	<-i.watched // soon: nothing is started any more
	p, _, fatal := i.status()
	if fatal != nil {
		return
	}
	i.crashed(err)
	if p != nil {
		p.Kill()
	}
}

// Reconfigure gives the plugin of an address another configuration: its process is started again, which costs none of
// its restarts. It does nothing where the plugin has that configuration, or where there is none.
func (s *Supervisor) Reconfigure(address string, config json.RawMessage) {
	if i, ok := s.Find(address); ok {
		i.reconfigure(config)
	}
}

// Find returns the instance of an address.
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
