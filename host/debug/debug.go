// Package debug plays tasks one at a time for somebody who looks on: every call of an episode is shown as it is made,
// and somebody may stop after each, play the task again, or with another seed.
//
//	d := debug.New(view, nil)
//	session, err := eval.Open(ctx, eval.Config{Plan: p, Watcher: d, …})
//	tasks, err := debug.First(data, 2)
//	err = d.Run(ctx, session, tasks)
//
// The way through it, each line a file:
//
//	the episodes   debug.go
//	which tasks    choose.go
//	their records  record.go    in a run, for those who read runs
//	who answers    script.go    messages of a file in the place of a policy
//	debuggers      target.go    which plugin, which debugger; start.go: how the plugin is started for it
//	pdb            bridge.go    a terminal for a debugger that has none
//	editors        launch.go    launch.json of VS Code
//
// The package must not know terminals, flags or how episodes are run.
package debug

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Player plays episodes: an *eval.Session.
type Player interface {
	Play(ctx context.Context, p eval.Play) (*rollout.EpisodeRecord, error)
	Loaded() eval.Loaded
	Seed() int64
}

// View shows what happens. Its methods are called one at a time.
type View interface {
	Began(e Episode)
	Called(c Call)
	Ended(e End)
}

// Episode is one that begins.
type Episode struct {
	Task   string `json:"task"`
	Index  int    `json:"index" jsonschema:"minimum=0"` // of the task in its dataset
	Number int    `json:"number" jsonschema:"minimum=1"`
	Of     int    `json:"of" jsonschema:"minimum=1"` // tasks that were chosen
	Why    string `json:"why,omitempty"`             // the task was chosen, of --failed
	Seed   int64  `json:"seed"`
	Model  string `json:"model"` // who answers
}

// Call is a call of an episode.
type Call struct {
	Turn int `json:"turn" jsonschema:"minimum=0"` // messages of the model so far, this one included
	eval.Call
	New      []sdk.Message `json:"-"` // of Heard, what no call has shown before
	NewTools []sdk.Tool    `json:"-"` // Tools, where they are not those that the last call with tools has shown
}

// End is an episode that is over.
type End struct {
	eval.Episode
	Seed    int64   `json:"seed"`
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
}

// Command is what somebody wants who has stopped.
type Command int

// The commands.
const (
	Step     Command = iota // to the next call; after an episode: to the next task
	Continue                // to the end of the episode
	Again                   // the task from its beginning
	Another                 // the same with another seed
	Skip                    // to the next task
	Quit
)

// Stops is where episodes stop.
type Stops interface {
	// Stop asks what is wanted, after a call, or after an episode where over is set.
	Stop(ctx context.Context, over bool) (Command, error)
}

// Debugger plays tasks and shows them.
type Debugger struct {
	view  View
	stops Stops // nil: episodes stop nowhere

	mu       sync.Mutex
	shown    map[string]bool // messages of this episode that a call has shown
	tools    string          // that a call has shown last
	turns    int
	free     bool // until the end of the episode nobody is asked
	wanted   Command
	left     bool // the episode is left, for what is wanted
	leave    context.CancelCauseFunc
	stopping error
}

// New makes a debugger; it is the eval.Watcher of the session that it plays. stops may be nil.
func New(view View, stops Stops) *Debugger { return &Debugger{view: view, stops: stops} }

// errLeft ends an episode that somebody has left.
var errLeft = errors.New("the episode was left")

// Run plays the tasks until the last is over, or somebody has enough.
func (d *Debugger) Run(ctx context.Context, p Player, tasks []Choice) error {
	seed := p.Seed()
	for i := 0; i < len(tasks); {
		command, err := d.play(ctx, p, tasks[i].Origin, Episode{
			Task: tasks[i].ID, Index: tasks[i].Index, Number: i + 1, Of: len(tasks), Why: tasks[i].Why, Seed: seed,
			Model: p.Loaded().Name,
		})
		if err != nil {
			return err
		}
		switch command {
		case Again:
		case Another:
			seed++
		case Quit:
			return nil
		default:
			i, seed = i+1, p.Seed()
		}
	}
	return nil
}

// play plays one episode, and returns what is wanted then.
func (d *Debugger) play(ctx context.Context, p Player, from *rollout.Origin, e Episode) (Command, error) {
	within, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	d.begin(leave)
	d.view.Began(e)
	began := time.Now()
	record, err := p.Play(within, eval.Play{Task: e.Index, Seed: e.Seed, Origin: from})
	if command, left, stopping := d.end(); left {
		return command, stopping
	}
	if err != nil {
		return Quit, err
	}
	d.view.Ended(End{Episode: eval.Describe(record), Seed: e.Seed, Seconds: time.Since(began).Seconds()})
	if d.stops == nil {
		return Step, nil
	}
	return d.stops.Stop(ctx, true)
}

func (d *Debugger) begin(leave context.CancelCauseFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tools = ""
	d.shown, d.turns, d.free, d.left, d.leave, d.stopping = map[string]bool{}, 0, false, false, leave, nil
}

func (d *Debugger) end() (wanted Command, left bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted, d.left, d.stopping
}

// Called implements eval.Watcher.
func (d *Debugger) Called(ctx context.Context, c eval.Call) error {
	d.mu.Lock() // also while somebody is asked: another call waits
	defer d.mu.Unlock()
	if d.left {
		return errLeft
	}
	d.view.Called(d.describe(c))
	if d.stops == nil || d.free {
		return nil
	}
	command, err := d.stops.Stop(ctx, false)
	switch {
	case err != nil:
		command, d.stopping = Quit, err
	case command == Step:
		return nil
	case command == Continue:
		d.free = true
		return nil
	}
	d.wanted, d.left = command, true
	d.leave(errLeft)
	return errLeft
}

// describe finds what is new of a call. The caller holds d.mu.
func (d *Debugger) describe(c eval.Call) Call {
	out := Call{Call: c}
	for _, m := range c.Heard {
		if !d.shown[key(m)] {
			out.New = append(out.New, m)
		}
	}
	for _, m := range slices.Concat(c.Heard, c.Messages) {
		d.shown[key(m)] = true
	}
	if now := key(c.Tools); len(c.Tools) > 0 && now != d.tools {
		out.NewTools, d.tools = c.Tools, now
	}
	if c.Call == eval.CallGenerate && c.Error == "" {
		d.turns++
	}
	out.Turn = d.turns
	return out
}

// key tells messages, or lists of tools, apart.
func key(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		return err.Error() // what cannot be written is taken for known
	}
	return string(text)
}

var _ eval.Watcher = (*Debugger)(nil)
