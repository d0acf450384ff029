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

// Instance is the plugin of one block through all its processes.
type Instance struct {
	supervisor *Supervisor
	block      Block

	mu       sync.Mutex
	wanted   json.RawMessage // the configuration that a process should have
	given    json.RawMessage // that the newest process has
	current  *client.Plugin  // nil while none serves
	life     int             // number of the process that serves, or served last
	restarts int
	spent    int           // restarts that the budget knows of
	spared   int           // deaths to come that cost it nothing
	fatal    error         // it will not come back
	changed  chan struct{} // closed and replaced when current or fatal changes

	condemned *client.Plugin // the process that the host itself ended last
	verdict   error          // and why

	held *catalog.Held // what the newest process is executed from

	calls calls // under way

	retired    chan struct{} // closed: an exit is on purpose, and no process is started any more
	retireOnce sync.Once
	watched    chan struct{} // closed: watch has returned
}

func newInstance(s *Supervisor, block Block) *Instance {
	return &Instance{
		supervisor: s, block: block, wanted: block.Config,
		changed: make(chan struct{}), retired: make(chan struct{}), watched: make(chan struct{}),
	}
}

// serve takes the first process into care. The goroutine ends with end, at the latest.
func (i *Instance) serve(p *client.Plugin) {
	i.ready(p)
	go i.watch(p)
}

// What happens is told before anybody can act on it, so that those who listen hear causes before consequences.

func (i *Instance) ready(p *client.Plugin) {
	i.tell(State{Phase: Ready, PID: p.PID()})
	i.set(p, nil)
	i.replaceOutdated()
}

// errReconfigured is the end of a process whose configuration has changed.
var errReconfigured = errors.New("it is started again with another configuration")

// reconfigure gives the plugin another configuration.
func (i *Instance) reconfigure(config json.RawMessage) {
	i.mu.Lock()
	i.wanted = config
	i.mu.Unlock()
	i.replaceOutdated()
}

// replaceOutdated ends a process that has not the configuration that is wanted, at no cost to the budget of restarts.
func (i *Instance) replaceOutdated() {
	i.mu.Lock()
	p := i.current
	outdated := p != nil && !bytes.Equal(i.given, i.wanted)
	if outdated {
		i.given = i.wanted // once
		i.spared++
	}
	i.mu.Unlock()
	if outdated {
		i.condemn(p, errReconfigured)
	}
}

// configuration is what a process that is being started gets.
func (i *Instance) configuration() json.RawMessage {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.given = i.wanted
	return i.given
}

func (i *Instance) crashed(err error) {
	i.notify(Crashed, err.Error())
	i.set(nil, err)
}

func (i *Instance) notify(phase Phase, detail string) { i.tell(State{Phase: phase, Detail: detail}) }

func (i *Instance) tell(state State) {
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
		i.life++
	}
	i.current, i.fatal = p, fatal
	close(i.changed)
	i.changed = make(chan struct{})
}

// status is a consistent look at the instance.
func (i *Instance) status() (p *client.Plugin, changed <-chan struct{}, fatal error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.current, i.changed, i.fatal
}

// Life numbers the processes of the plugin, from 1, and says whether the newest serves.
func (i *Instance) Life() (number int, serving bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.life, i.current != nil && alive(i.current)
}

// Spare lets the next death cost no restart out of the budget, until done is called.
func (i *Instance) Spare() (done func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.spared++
	life := i.life
	var once sync.Once
	return func() {
		once.Do(func() {
			i.mu.Lock()
			defer i.mu.Unlock()
			if i.life == life && i.spared > 0 {
				i.spared--
			}
		})
	}
}

// Forgive gives restarts back to the budget: the plugin was not to blame for them.
func (i *Instance) Forgive(restarts int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.spent = max(0, i.spent-restarts)
}

// Await waits until the plugin serves. An error says that it will not, or is ctx's.
func (i *Instance) Await(ctx context.Context) error {
	for {
		p, changed, fatal := i.status()
		switch {
		case fatal != nil:
			return fatal
		case p != nil && alive(p):
			return nil
		case i.isRetired():
			return i.goneError()
		}
		select {
		case <-changed:
		case <-i.retired:
		case <-ctx.Done():
			return fmt.Errorf("wait for plugin %s to serve again: %w", i.block.Address, ctx.Err())
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

func (i *Instance) goneError() error {
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

// serving is the process that serves now. Where there is none, the error is sdk.ErrUnavailable and says why.
func (i *Instance) serving() (*client.Plugin, error) {
	p, _, fatal := i.status()
	switch {
	case p != nil:
		return p, nil
	case fatal != nil:
		return nil, fmt.Errorf("%w: %w", sdk.ErrUnavailable, fatal)
	case i.isRetired():
		return nil, i.goneError()
	}
	return nil, fmt.Errorf("%w: plugin %s is being restarted", sdk.ErrUnavailable, i.block.Address)
}

// unreached is the error of a call that did not reach a process, in the last words of the process where it is dead.
func (i *Instance) unreached(p *client.Plugin, err error) error {
	err = i.explain(p, err)
	i.examine(p)
	return err
}

// explain turns the error of a call into the end of the process: in the host's own words, if it was the host that ended it.
func (i *Instance) explain(p *client.Plugin, err error) error {
	explained := p.Explain(err)
	if verdict := i.verdictOf(p); verdict != nil {
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, verdict)
	}
	return explained
}

// examineTimeout bounds the question whether a process can be reached.
const examineTimeout = 5 * time.Second

// examine ends a process that lives and cannot be reached: nobody else would, and each call would fail at once for
// ever. A component may also answer sdk.ErrUnavailable of its own, and a busy one may be slow: both are left alone.
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
	i.condemn(p, fmt.Errorf("its process %d lived on, but could not be reached and was ended: %w", p.PID(), err))
}

// condemn ends a process of which nothing is to be expected any more. Only the first verdict counts.
func (i *Instance) condemn(p *client.Plugin, verdict error) {
	i.mu.Lock()
	if i.condemned != p {
		i.condemned, i.verdict = p, verdict
	}
	i.mu.Unlock()
	p.Kill()
}

// verdictOf is why the host ended a process; nil if it did not.
func (i *Instance) verdictOf(p *client.Plugin) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.condemned != p {
		return nil
	}
	return i.verdict
}
