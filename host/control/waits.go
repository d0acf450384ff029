package control

import (
	"time"

	"github.com/awhost/awhost/host/event"
)

// Waiter is the part of a run that is waiting.
type Waiter string

// The waiting parts.
const (
	WaiterEpisodes Waiter = "episodes" // episodes in progress that wait for the same
	WaiterTrainer  Waiter = "trainer"
	WaiterRun      Waiter = "run" // the whole run
)

// Wait is one current wait of a run.
type Wait struct {
	Who Waiter `json:"who" jsonschema:"enum=episodes,enum=trainer,enum=run"`
	// For is the awaited event. For episodes: slot, session, generate, paused, environment, agent, reward, repeat,
	// restart, trial, siblings, record or host; see host/rollout. For the trainer: episodes or commit. For the run:
	// start, restart or answer for a plugin, or the trainer. Later versions may add more.
	For      string `json:"for"`
	Address  string `json:"address,omitempty"` // of the plugin
	Call     string `json:"call,omitempty"`    // of the plugin: "Step"
	Episodes int    `json:"episodes,omitempty" jsonschema:"minimum=1"`
	// Seconds is the duration of the wait; for episodes, the longest one.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	Episode string  `json:"episode,omitempty"` // the one that has waited longest
	Task    string  `json:"task,omitempty"`    // task of that episode
	Detail  string  `json:"detail,omitempty"`  // for users
}

// Activity is the trainer's current activity.
type Activity struct {
	Stage string `json:"stage,omitempty"`
	Phase string `json:"phase,omitempty"` // phase of the trainer

	PhaseDone    int     `json:"phase_done,omitempty"`    // finished episodes, updates, or steps of the warm start
	PhaseTotal   int     `json:"phase_total,omitempty"`   // expected number; absent: unknown
	PhaseSeconds float64 `json:"phase_seconds,omitempty"` // since the phase began
}

// Waits lists the current waits of a run.
type Waits struct {
	Type string `json:"type"` // "waits"
	Activity
	Step  int    `json:"step"` // finished steps
	Waits []Wait `json:"waits"`
}

// SecondsSince returns the time since t in seconds, rounded to a tenth and never less than 0.
func SecondsSince(t, now time.Time) float64 {
	return max(0, now.Sub(t).Round(100*time.Millisecond).Seconds())
}

// waits returns the run's current waits.
func (s *Server) waits() (Waits, error) {
	s.mu.Lock()
	out, look := Waits{Type: typeWaits, Activity: s.progress.activity(s.config.Now()), Step: s.status.Step}, s.look
	s.mu.Unlock()
	if look == nil {
		return out, &badRequest{"this run does not report its waits"}
	}
	out.Waits = look() // without the lock: the run may be publishing an event
	if out.Waits == nil {
		out.Waits = []Wait{}
	}
	return out, nil
}

// progress is the latest news of the trainer's activity.
type progress struct {
	stage string
	phase event.Phase // its zero value: the trainer is between phases
	since time.Time   // when the phase began
}

// learn updates the progress with the next event.
func (p *progress) learn(e event.Event) {
	switch now := e.Payload.(type) {
	case event.StageStarted:
		*p = progress{stage: now.Name}
	case event.Phase:
		switch was := p.phase; {
		case now.Ended:
			*p = progress{stage: p.stage}
		case now.Name != was.Name || now.Step != was.Step || now.Done < was.Done:
			p.phase, p.since = now, e.Time
		default:
			p.phase = now
		}
	}
}

// activity returns the trainer's activity at a time.
func (p *progress) activity(now time.Time) Activity {
	a := Activity{Stage: p.stage, Phase: string(p.phase.Name), PhaseDone: p.phase.Done, PhaseTotal: p.phase.Total}
	if a.Phase != "" {
		a.PhaseSeconds = SecondsSince(p.since, now)
	}
	return a
}
