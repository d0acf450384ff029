package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// Instance is a block's plugin, across all of its processes.
type Instance struct {
	supervisor *Supervisor
	block      Block

	mu              sync.Mutex
	desiredConfig   json.RawMessage // the configuration that a process should have
	given           json.RawMessage // the configuration of the newest process
	current         *client.Plugin  // nil while none is ready
	processNumber   int             // number of the current or last ready process
	restarts        int
	chargedRestarts int           // restarts charged to the budget
	heldRestarts    int           // upcoming exits that are not charged
	fatal           error         // set if it will not be restarted
	changed         chan struct{} // closed and replaced when current or fatal changes

	endedProcess *client.Plugin // the last process ended by the host
	endReason    error          // the reason for ending it

	held *catalog.Held // the files that the newest process is executed from

	calls calls // calls in progress

	retired    chan struct{} // closed: an exit is intended, and no process is started any more
	retireOnce sync.Once
	watched    chan struct{} // closed: watch has returned
}

func newInstance(s *Supervisor, block Block) *Instance {
	return &Instance{
		supervisor: s, block: block, desiredConfig: block.Config,
		changed: make(chan struct{}), retired: make(chan struct{}), watched: make(chan struct{}),
	}
}

// serve starts supervising the first process. The goroutine exits when end is called, or earlier.
func (i *Instance) serve(p *client.Plugin) {
	i.ready(p)
	go i.watch(p)
}

// Events are published before their effects are visible, so that listeners receive causes before consequences.

func (i *Instance) ready(p *client.Plugin) {
	i.publish(State{Phase: Ready, PID: p.PID()})
	i.set(p, nil)
	i.replaceOutdated()
}

// errReconfigured is the reason for ending a process whose configuration changed.
var errReconfigured = errors.New("plugin restarts with another configuration")

// reconfigure sets a new configuration for the plugin.
func (i *Instance) reconfigure(config json.RawMessage) {
	i.mu.Lock()
	i.desiredConfig = config
	i.mu.Unlock()
	i.replaceOutdated()
}

// replaceOutdated ends a process with an outdated configuration without charging the restart budget.
func (i *Instance) replaceOutdated() {
	i.mu.Lock()
	p := i.current
	outdated := p != nil && !bytes.Equal(i.given, i.desiredConfig)
	if outdated {
		i.given = i.desiredConfig // once
		i.heldRestarts++
	}
	i.mu.Unlock()
	if outdated {
		i.endUnusable(p, errReconfigured)
	}
}

// configuration returns the configuration for a process that is being started.
func (i *Instance) configuration() json.RawMessage {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.given = i.desiredConfig
	return i.given
}

func (i *Instance) crashed(err error) {
	i.notify(Crashed, err.Error())
	i.set(nil, err)
}

func (i *Instance) notify(phase Phase, detail string) { i.publish(State{Phase: phase, Detail: detail}) }

func (i *Instance) publish(state State) {
	if i.supervisor.config.Notify == nil {
		return
	}
	i.mu.Lock()
	state.Block, state.Restarts = i.block, i.restarts
	i.mu.Unlock()
	i.supervisor.config.Notify(state)
}

func (i *Instance) set(p *client.Plugin, fatal error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if p != nil {
		i.processNumber++
	}
	i.current, i.fatal = p, fatal
	close(i.changed)
	i.changed = make(chan struct{})
}

// status returns a consistent view of the instance's state.
func (i *Instance) status() (p *client.Plugin, changed <-chan struct{}, fatal error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.current, i.changed, i.fatal
}

// Process returns the number of the plugin's newest process, counting from 1, and whether the process is ready.
func (i *Instance) Process() (number int, serving bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.processNumber, i.current != nil && alive(i.current)
}

// HoldRestart exempts the next exit from the restart budget until done is called.
func (i *Instance) HoldRestart() (done func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.heldRestarts++
	life := i.processNumber
	var once sync.Once
	return func() {
		once.Do(func() {
			i.mu.Lock()
			defer i.mu.Unlock()
			if i.processNumber == life && i.heldRestarts > 0 {
				i.heldRestarts--
			}
		})
	}
}

// RefundRestarts returns restarts to the budget because the plugin did not cause them.
func (i *Instance) RefundRestarts(restarts int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.chargedRestarts = max(0, i.chargedRestarts-restarts)
}

// Await waits until the plugin is ready. It returns an error if the plugin cannot become ready, or ctx's error if ctx
// is done first.
func (i *Instance) Await(ctx context.Context) error {
	for {
		p, changed, fatal := i.status()
		switch {
		case fatal != nil:
			return fatal
		case p != nil && alive(p):
			return nil
		case i.isRetired():
			return i.unavailableError()
		}
		select {
		case <-changed:
		case <-i.retired:
		case <-ctx.Done():
			return fmt.Errorf("wait for plugin %s to be ready again: %w", i.block.Address, ctx.Err())
		}
	}
}

func (i *Instance) isRetired() bool {
	select {
	case <-i.retired:
		return true
	default:
		return false
	}
}

func (i *Instance) unavailableError() error {
	return fmt.Errorf("%w: plugin %s is being stopped", sdk.ErrUnavailable, i.block.Address)
}

func alive(p *client.Plugin) bool {
	select {
	case <-p.Done():
		return false
	default:
		return true
	}
}

// serving returns the process that is currently ready. Otherwise the error wraps sdk.ErrUnavailable and contains the
// reason.
func (i *Instance) serving() (*client.Plugin, error) {
	p, _, fatal := i.status()
	switch {
	case p != nil:
		return p, nil
	case fatal != nil:
		return nil, fmt.Errorf("%w: %w", sdk.ErrUnavailable, fatal)
	case i.isRetired():
		return nil, i.unavailableError()
	}
	return nil, fmt.Errorf("%w: plugin %s is being restarted", sdk.ErrUnavailable, i.block.Address)
}

// unreached returns the error for a call that did not reach a process. It includes the last output of a process that
// exited.
func (i *Instance) unreached(p *client.Plugin, err error) error {
	err = i.explain(p, err)
	i.examine(p)
	return err
}

// explain replaces a call's error with the reason why the process ended, which is the host's reason if the host ended
// it.
func (i *Instance) explain(p *client.Plugin, err error) error {
	explained := p.Explain(err)
	if verdict := i.endReasonOf(p); verdict != nil {
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, verdict)
	}
	return explained
}

// examineTimeout limits how long it takes to check whether a process can be reached.
const examineTimeout = 5 * time.Second

// examine ends a running process that cannot be reached; otherwise every later call would fail immediately. A component
// may also return sdk.ErrUnavailable itself, and a busy component may be slow; in both cases the process is left
// running.
func (i *Instance) examine(p *client.Plugin) {
	if !alive(p) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), examineTimeout)
	defer cancel()
	err := p.Ping(ctx)
	if status.Code(err) != codes.Unavailable || !alive(p) {
		return
	}
	i.endUnusable(p, fmt.Errorf("its process %d was still running, but could not be reached and was killed: %w", p.PID(),
		err))
}

// endUnusable ends a process that is no longer usable. Only the first reason is kept.
func (i *Instance) endUnusable(p *client.Plugin, verdict error) {
	i.mu.Lock()
	if i.endedProcess != p {
		i.endedProcess, i.endReason = p, verdict
	}
	i.mu.Unlock()
	p.Kill()
}

// endReasonOf returns the reason why the host ended a process, or nil if the host did not end it.
func (i *Instance) endReasonOf(p *client.Plugin) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.endedProcess != p {
		return nil
	}
	return i.endReason
}
