package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// watch holds information about waits that is not available elsewhere. No result depends on it.
type watch struct {
	mu        sync.Mutex
	plugins   map[string]watched[plugin.State]   // plugins that do not serve, by address
	silent    map[string]watched[plugin.Silence] // plugins that do not answer
	phase     *sdk.PhaseEvent                    // current phase of the trainer; nil: none reported
	began     time.Time                          // start of the launch
	lastEvent time.Time                          // time of its trainer's last event; zero: none yet
	closing   *closing                           // running boundary, or nil
}

// watched is a value together with the time from which it applies.
type watched[T any] struct {
	value T
	since time.Time
}

// closing is a boundary in progress.
type closing struct {
	step  int
	since time.Time
}

// plugin records a change in a plugin's state.
func (w *watch) plugin(s plugin.State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.silent, s.Block.Address)
	if s.Phase == plugin.Ready || s.Phase == plugin.Stopped {
		delete(w.plugins, s.Block.Address)
		return
	}
	put(&w.plugins, s.Block.Address, s)
}

// silence records that a plugin is not responding or is responding again.
func (w *watch) silence(s plugin.Silence) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.Recovered {
		delete(w.silent, s.Block.Address)
		return
	}
	put(&w.silent, s.Block.Address, s)
}

func put[T any](m *map[string]watched[T], address string, value T) {
	if *m == nil {
		*m = map[string]watched[T]{}
	}
	(*m)[address] = watched[T]{value, time.Now()}
}

// launched records that a trainer was started and resets the data about its predecessor.
func (w *watch) launched() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase, w.began, w.lastEvent = nil, time.Now(), time.Time{}
}

// event records an event reported by the trainer.
func (w *watch) event(e sdk.TrainEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastEvent = time.Now()
	switch {
	case e.Phase != nil && !e.Phase.Ended:
		w.phase = e.Phase
	case e.Phase != nil:
		w.phase = nil
	}
}

// boundary records that a step is ending, until done is called.
func (w *watch) boundary(step int) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closing = &closing{step, time.Now()}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.closing = nil
	}
}

// waits returns the run's waits for control.Server, with causes before their consequences.
func (r *runner) waits() []control.Wait {
	now := time.Now()
	out := r.watch.pluginWaits(now)
	if l := r.service.current.Load(); l != nil {
		episodes := l.engine.Waits()
		out = append(out, r.watch.trainer(l, episodes, now)...)
		for _, w := range episodes {
			out = append(out, control.Wait{
				Who: control.WaiterEpisodes, For: string(w.For), Address: w.Address, Call: w.Call, Episodes: w.Episodes,
				Seconds: control.SecondsSince(w.Since, now), Episode: w.Episode, Task: w.Task, Detail: l.waitDetail(w),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b control.Wait) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), -cmp.Compare(a.Seconds, b.Seconds))
	})
	for i := range out {
		out[i].Detail = r.secrets.Text(out[i].Detail)
	}
	return out
}

// rank orders waits as follows: plugins that are not serving or responding, the disk, components that are working for
// an episode, and then waits for other listed waits.
func rank(w control.Wait) int {
	switch {
	case w.Who == control.WaiterRun && w.For != "trainer":
		return 0
	case w.For == "commit", w.For == string(rollout.WaitRecord):
		return 1
	case w.Who == control.WaiterTrainer:
		return 5
	case w.For == string(rollout.WaitSlot), w.For == string(rollout.WaitSession), w.For == string(rollout.WaitPlace),
		w.For == string(rollout.WaitSiblings), w.For == string(rollout.WaitTrial):
		return 4
	case w.Who == control.WaiterRun:
		return 3
	}
	return 2
}

// waitDetail describes the limit that delays episodes.
func (l *trainCall) waitDetail(w rollout.Wait) string {
	switch w.For {
	case rollout.WaitSlot:
		return fmt.Sprintf("train.concurrency allows %d episodes at a time", l.stage.Concurrency)
	case rollout.WaitSession:
		return "its plugin or its block limits the number of concurrent sessions"
	case rollout.WaitPlace:
		return "max_concurrent of its block limits the number of concurrent requests"
	}
	return ""
}

// pluginWaits returns the waits for plugins that are not serving or not responding.
func (w *watch) pluginWaits(now time.Time) []control.Wait {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []control.Wait
	for _, address := range slices.Sorted(maps.Keys(w.plugins)) {
		p := w.plugins[address]
		wait := control.Wait{
			Who: control.WaiterRun, For: "restart", Address: address, Detail: p.value.Detail,
			Seconds: control.SecondsSince(p.since, now),
		}
		if p.value.Phase == plugin.Starting {
			wait.For = "start"
		}
		out = append(out, wait)
	}
	for _, address := range slices.Sorted(maps.Keys(w.silent)) {
		s := w.silent[address]
		detail := fmt.Sprintf("process %d", s.value.PID)
		if s.value.State != "" {
			detail += " is " + s.value.State
		}
		if len(s.value.Calls) > 0 {
			detail += "; calls to it: " + strings.Join(s.value.Calls, ", ")
		}
		out = append(out, control.Wait{
			Who: control.WaiterRun, For: "answer", Address: address, Detail: detail,
			Seconds: control.SecondsSince(s.since.Add(-s.value.For), now),
		})
	}
	return out
}

// trainer returns the wait between the trainer and the run: the trainer waits for a commit or for episodes, or the
// run waits for the trainer.
func (w *watch) trainer(l *trainCall, episodes []rollout.Wait, now time.Time) []control.Wait {
	w.mu.Lock()
	defer w.mu.Unlock()
	wait := control.Wait{Who: control.WaiterTrainer, Address: l.stage.Adapter, Detail: w.phaseText()}
	since := cmp.Or(w.lastEvent, w.began)
	switch {
	case w.closing != nil:
		wait.For, since = "commit", w.closing.since
		wait.Detail = fmt.Sprintf("step %d is being written to disk, and its checkpoint hashed", w.closing.step)
	case len(episodes) > 0:
		wait.For, since = "episodes", now
		for _, e := range episodes {
			wait.Episodes += e.Episodes
			if e.Since.Before(since) {
				since = e.Since
			}
		}
	default:
		wait.Who, wait.For = control.WaiterRun, "trainer"
	}
	wait.Seconds = control.SecondsSince(since, now)
	return []control.Wait{wait}
}

// phaseText describes the trainer's last reported phase. The lock is held.
func (w *watch) phaseText() string {
	switch p := w.phase; {
	case w.lastEvent.IsZero():
		return "it is starting and has not reported anything yet"
	case p == nil:
		return ""
	case p.Total > 0:
		return fmt.Sprintf("its phase is %s of step %d, %d of %d", p.Name, p.Step, p.Done, p.Total)
	default:
		return fmt.Sprintf("its phase is %s of step %d", p.Name, p.Step)
	}
}
