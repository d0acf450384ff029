// Package plugin supervises the plugins of a run: one process per configured block, restarted when it dies, within a
// budget, and ended in the right order.
//
//	s := plugin.NewSupervisor(plugin.Config{…})
//	desk, err := s.Start(ctx, plugin.Block{Address: "environment.calculator.desk", Entry: entry, …})
//	out, err := desk.Environment().Step(ctx, request) // sdk.ErrUnavailable while the process is down
//	err = desk.Await(ctx)                              // until it serves again, or its budget is spent
//	s.StopAll(ctx, 30*time.Second, "the run has finished")
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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Config is what all plugins of a run have in common.
type Config struct {
	Authority   *mtls.Authority
	SocketDir   string
	HostSocket  string // where HostService listens; empty: no plugin calls it
	RunID       string
	Incarnation int
	MaxRestarts int // of each plugin
	// LogFile and Dir name an instance's log and its own directory; the directory exists afterwards.
	LogFile func(instance string) string
	Dir     func(instance string) (string, error)
	// Log receives what an instance writes; Notify hears of every change of state.
	Log    func(instance string) *slog.Logger
	Notify func(State)
	// PassEnv are variables that plugins get beside the allow-list.
	PassEnv []string
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

// The phases.
const (
	Starting   Phase = "starting"
	Ready      Phase = "ready"
	Restarting Phase = "restarting"
	Stopped    Phase = "stopped"
	Crashed    Phase = "crashed" // dead for good: the budget is spent
)

// State is a change in the life of a process.
type State struct {
	Block    Block
	Phase    Phase
	PID      int
	Restarts int
	Detail   string
}

// Supervisor runs the plugins of one run.
type Supervisor struct {
	config    Config
	mu        sync.Mutex
	instances []*Instance // in start order
}

// NewSupervisor starts nothing yet.
func NewSupervisor(config Config) *Supervisor { return &Supervisor{config: config} }

// Start runs a block's plugin and configures it. Problems of the configuration come as *sdk.ConfigError.
func (s *Supervisor) Start(ctx context.Context, block Block) (*Instance, error) {
	i := &Instance{supervisor: s, block: block, changed: make(chan struct{}), stop: make(chan struct{}), watched: make(chan struct{})}
	s.notify(i, Starting, "")
	p, err := i.launch(ctx)
	if err != nil {
		s.notify(i, Crashed, err.Error())
		return nil, err
	}
	i.current = p
	s.mu.Lock()
	s.instances = append(s.instances, i)
	s.mu.Unlock()
	s.notify(i, Ready, "")
	go i.watch()
	return i, nil
}

// StopAll ends all plugins, the last started first. Each may take grace to finish.
func (s *Supervisor) StopAll(ctx context.Context, grace time.Duration, reason string) error {
	s.mu.Lock()
	instances := slices.Clone(s.instances)
	s.instances = nil
	s.mu.Unlock()
	var failures []error
	for _, i := range slices.Backward(instances) {
		if err := i.end(ctx, grace, reason); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
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

func (s *Supervisor) notify(i *Instance, phase Phase, detail string) {
	if s.config.Notify == nil {
		return
	}
	state := State{Block: i.block, Phase: phase, Restarts: i.restarts, Detail: detail}
	if i.current != nil && phase == Ready {
		state.PID = i.current.PID()
	}
	s.config.Notify(state)
}

// Instance is the plugin of one block through all its processes.
type Instance struct {
	supervisor *Supervisor
	block      Block

	mu       sync.Mutex
	current  *client.Plugin // nil while there is none
	restarts int
	fatal    error         // it will not come back
	changed  chan struct{} // closed and replaced when current or fatal changes

	stopOnce sync.Once
	stop     chan struct{} // closed: an exit is on purpose
	watched  chan struct{} // closed: watch has returned
}

// launch starts and configures one process.
func (i *Instance) launch(ctx context.Context) (*client.Plugin, error) {
	c := i.supervisor.config
	dir, err := c.Dir(i.block.Address)
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", i.block.Address, err)
	}
	p, err := client.Start(ctx, client.Config{
		Name: i.block.Address, Command: i.block.Entry.Command, Authority: c.Authority, SocketDir: c.SocketDir, PassEnv: c.PassEnv,
		LogFile: c.LogFile(i.block.Address), Log: c.Log(i.block.Address), Run: c.RunID,
	})
	if err != nil {
		return nil, err
	}
	configureCtx, cancel := context.WithTimeout(ctx, configureTimeout)
	defer cancel()
	problems, err := p.Configure(configureCtx, sdk.ConfigureRequest{
		Kind: i.block.Kind, Type: i.block.Type, Config: i.block.Config, Sensitive: i.block.Sensitive,
		RunID: c.RunID, Incarnation: c.Incarnation, Dir: dir, HostSocket: c.HostSocket,
	})
	if err == nil && len(problems) > 0 {
		err = &sdk.ConfigError{Diagnostics: problems}
	}
	if err != nil {
		err = fmt.Errorf("configure plugin %s: %w", i.block.Address, p.Explain(err))
		p.Kill()
		return nil, err
	}
	return p, nil
}

const configureTimeout = 60 * time.Second

// Back-off between restarts of one plugin.
const (
	firstBackOff = 100 * time.Millisecond
	maxBackOff   = 10 * time.Second
)

// watch restarts the process when it dies, until it is stopped or the budget is spent.
func (i *Instance) watch() {
	defer close(i.watched)
	for {
		p := i.plugin()
		select {
		case <-p.Done():
		case <-i.stop:
			return
		}
		select {
		case <-i.stop:
			return
		default:
		}
		p.Kill() // releases what the dead process held
		if !i.restart(p) {
			return
		}
	}
}

// restart reports whether the plugin serves again.
func (i *Instance) restart(dead *client.Plugin) bool {
	var cause error = dead.Exit()
	for {
		i.mu.Lock()
		i.current = nil
		spent := i.restarts >= i.supervisor.config.MaxRestarts
		if !spent {
			i.restarts++
		}
		i.mu.Unlock()
		if spent {
			err := fmt.Errorf("plugin %s died and was restarted %d times already (max_restarts): %w", i.block.Address, i.restarts, cause)
			i.set(nil, err)
			i.supervisor.notify(i, Crashed, err.Error())
			return false
		}
		i.supervisor.notify(i, Restarting, cause.Error())
		if !i.pause() {
			return false
		}
		ctx, cancel := i.untilStopped()
		p, err := i.launch(ctx)
		cancel()
		if err == nil {
			i.set(p, nil)
			i.supervisor.notify(i, Ready, "")
			return true
		}
		select {
		case <-i.stop:
			return false
		default:
		}
		cause = err
	}
}

func (i *Instance) pause() bool {
	wait := min(firstBackOff<<min(i.restarts-1, 10), maxBackOff)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-i.stop:
		return false
	}
}

func (i *Instance) untilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-i.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (i *Instance) set(p *client.Plugin, fatal error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.current, i.fatal = p, fatal
	close(i.changed)
	i.changed = make(chan struct{})
}

func (i *Instance) plugin() *client.Plugin {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.current
}

// Await waits until the plugin serves. An error says that it will not, or is ctx's.
func (i *Instance) Await(ctx context.Context) error {
	for {
		i.mu.Lock()
		p, fatal, changed := i.current, i.fatal, i.changed
		i.mu.Unlock()
		if fatal != nil {
			return fatal
		}
		if p != nil && alive(p) {
			return nil
		}
		select {
		case <-changed:
		case <-i.stop:
			return fmt.Errorf("plugin %s is being stopped", i.block.Address)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func alive(p *client.Plugin) bool {
	select {
	case <-p.Done():
		return false
	default:
		return true
	}
}

// end finishes the component and ends the process.
func (i *Instance) end(ctx context.Context, grace time.Duration, reason string) error {
	i.stopOnce.Do(func() { close(i.stop) })
	<-i.watched
	p := i.plugin()
	if p == nil {
		return nil
	}
	var err error
	if alive(p) {
		err = p.Stop(ctx, grace, reason, func(string) {})
	}
	p.Kill()
	i.supervisor.notify(i, Stopped, reason)
	return err
}

// use runs a call on the process that serves now. Errors of a dead process are sdk.ErrUnavailable with its last words.
func use[T any](i *Instance, call func(*client.Plugin) (T, error)) (T, error) {
	p := i.plugin()
	if p == nil {
		var zero T
		return zero, fmt.Errorf("%w: plugin %s is being restarted", sdk.ErrUnavailable, i.block.Address)
	}
	out, err := call(p)
	if err != nil {
		return out, p.Explain(err)
	}
	return out, nil
}

// LogName is an address as the name of a log.
func LogName(address string) string { return strings.ReplaceAll(address, "/", "_") }
