package control

import "time"

// Waiter is who waits.
type Waiter string

// Who may wait.
const (
	WaiterEpisodes Waiter = "episodes" // those under way that wait for the same
	WaiterTrainer  Waiter = "trainer"
	WaiterRun      Waiter = "run" // everything
)

// Wait is one thing that a run waits for at the moment.
type Wait struct {
	Who Waiter `json:"who" jsonschema:"enum=episodes,enum=trainer,enum=run"`
	// For is what it waits for. Of episodes: slot, session, generate, paused, environment, agent, reward, repeat, restart,
	// trial, siblings, record or host, see host/rollout. Of the trainer: episodes or commit. Of the run: start, restart or
	// answer of a plugin, or the trainer. Later versions may have more.
	For      string `json:"for"`
	Address  string `json:"address,omitempty"` // of the plugin
	Call     string `json:"call,omitempty"`    // of the plugin: "Step"
	Episodes int    `json:"episodes,omitempty" jsonschema:"minimum=1"`
	// Seconds is how long, of episodes the longest.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	Episode string  `json:"episode,omitempty"` // which has waited longest
	Task    string  `json:"task,omitempty"`    // of that episode
	Detail  string  `json:"detail,omitempty"`  // for people
}

// Waits is what a run waits for.
type Waits struct {
	Type  string `json:"type"` // "waits"
	Stage string `json:"stage,omitempty"`
	Phase string `json:"phase,omitempty"`
	Step  int    `json:"step"` // finished
	Waits []Wait `json:"waits"`
}

// SecondsSince is how long ago t was, in seconds to a tenth, and never less than none.
func SecondsSince(t, now time.Time) float64 {
	return max(0, now.Sub(t).Round(100*time.Millisecond).Seconds())
}

// waits is what the run says of itself now.
func (s *Server) waits() (Waits, error) {
	s.mu.Lock()
	out, look := Waits{Type: typeWaits, Stage: s.status.Stage, Phase: s.status.Phase, Step: s.status.Step}, s.look
	s.mu.Unlock()
	if look == nil {
		return out, &badRequest{"this run does not say what it waits for"}
	}
	out.Waits = look() // without the lock: the run may be publishing an event
	if out.Waits == nil {
		out.Waits = []Wait{}
	}
	return out, nil
}
