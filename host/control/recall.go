package control

import (
	"cmp"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

// Limits for the stored events. A curve with this many points has a higher resolution than any screen.
const (
	mostSteps   = 1024
	mostPasses  = 512
	mostLines   = 500 // logs, warnings and episodes
	mostNotices = 100 // diagnostics, stages, interrupts
	mostPlugins = 200
)

// recall stores a limited number of a run's events, enough to draw the run's screen. If there are too many steps, each
// is merged with its neighbor into the later of the two.
type recall struct {
	started  *event.Event
	finished *event.Event
	phase    *event.Event
	commit   *event.Event           // the newest
	plugins  map[string]event.Event // the newest state of each
	steps    []event.Event          //
	passes   []event.Event          //
	lines    []event.Event          //
	notices  []event.Event          // diagnostics, stages, interrupts
}

// processes returns the plugins' processes.
func (r *recall) processes() []Plugin {
	out := []Plugin{}
	for _, address := range slices.Sorted(maps.Keys(r.plugins)) {
		if p, ok := r.plugins[address].Payload.(event.PluginState); ok {
			out = append(out, Plugin{Address: address, PID: p.PID, State: p.State, Restarts: p.Restarts})
		}
	}
	return out
}

// keep stores the next event.
func (r *recall) keep(e event.Event) {
	switch p := e.Payload.(type) {
	case event.RunStarted:
		r.started = &e
	case event.RunFinished:
		r.finished = &e
	case event.Phase:
		r.phase = &e
	case event.CheckpointCommitted:
		r.commit = &e
	case event.PluginState:
		if r.plugins == nil {
			r.plugins = map[string]event.Event{}
		}
		if _, known := r.plugins[p.Instance]; known || len(r.plugins) < mostPlugins {
			r.plugins[p.Instance] = e
		}
	case event.StepFinished:
		r.steps = thinned(append(r.steps, e), mostSteps, sumSteps)
	case event.ValidationFinished:
		r.passes = thinned(append(r.passes, e), mostPasses, laterPass)
	case event.Log, event.Warning, event.EpisodeFinished:
		r.lines = newest(append(r.lines, e), mostLines)
	default:
		r.notices = newest(append(r.notices, e), mostNotices)
	}
}

// events returns the stored events in order.
func (r *recall) events() []event.Event {
	var out []event.Event
	for _, e := range []*event.Event{r.started, r.phase, r.commit, r.finished} {
		if e != nil {
			out = append(out, *e)
		}
	}
	out = slices.AppendSeq(out, maps.Values(r.plugins))
	out = slices.Concat(out, r.steps, r.passes, r.lines, r.notices)
	slices.SortFunc(out, func(a, b event.Event) int { return cmp.Compare(a.Seq, b.Seq) })
	return out
}

// newest drops the oldest half once there are twice as many events as wanted, so that few events are moved.
func newest(events []event.Event, most int) []event.Event {
	if len(events) < 2*most {
		return events
	}
	return append([]event.Event(nil), events[len(events)-most:]...)
}

// thinned merges pairs of older events if there are too many. The newest quarter is left unchanged.
func thinned(events []event.Event, most int, join func(a, b event.Event) event.Event) []event.Event {
	if len(events) <= most {
		return events
	}
	old := most * 3 / 4
	var out []event.Event
	for i := 0; i+1 < old; i += 2 {
		out = append(out, join(events[i], events[i+1]))
	}
	return append(out, events[old-old%2:]...)
}

// sumSteps returns the later of two steps, with the episodes of both.
func sumSteps(a, b event.Event) event.Event {
	first, second := a.Payload.(event.StepFinished), b.Payload.(event.StepFinished)
	second.Episodes += first.Episodes
	second.Retries += first.Retries
	second.Seconds += first.Seconds
	second.Outcomes = sum[sdk.Outcome](first.Outcomes, second.Outcomes)
	second.Failures = sum[sdk.FailureClass](first.Failures, second.Failures)
	b.Payload = second
	return b
}

func sum[K comparable](a, b map[K]int) map[K]int {
	out := maps.Clone(a)
	if out == nil {
		return b
	}
	for key, n := range b {
		out[key] += n
	}
	return out
}

// laterPass returns the earlier of two validations if only it is the best, or else the later one.
func laterPass(a, b event.Event) event.Event {
	if a.Payload.(event.ValidationFinished).IsBest && !b.Payload.(event.ValidationFinished).IsBest {
		return a
	}
	return b
}
