// Package debug runs tasks one at a time while the user watches: every call in an episode is shown as it is made, and
// the user may pause after each call, repeat the task, or run it with another seed.
//
//	d := debug.New(view, nil)
//	session, err := eval.Open(ctx, eval.Config{Plan: p, Watcher: d, …})
//	tasks, err := debug.First(data, 2)
//	err = d.Run(ctx, session, tasks)
//
// Reading order, one file per line:
//
//	the episodes   debug.go
//	which tasks    choose.go
//	their records  record.go    in a run, for readers of runs
//	the messages   script.go    from a file instead of a policy
//	debuggers      target.go    which plugin, which debugger; start.go: how the plugin is started for it
//	pdb            bridge.go    a terminal for a debugger that has none
//	editors        debugconfig.go: launch.json of VS Code
//
// The package must not depend on terminals, flags or how episodes run.
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

// Player runs episodes, as an *eval.Session does.
type Player interface {
	Play(ctx context.Context, p eval.Play) (*rollout.EpisodeRecord, error)
	Loaded() eval.Loaded
	Seed() int64
}

// View displays the events. Its methods are never called concurrently.
type View interface {
	Began(e Episode)
	Called(c Call)
	Ended(e End)
}

// Episode is the start of an episode.
type Episode struct {
	Task   string `json:"task"`
	Index  int    `json:"index" jsonschema:"minimum=0"` // of the task in its dataset
	Number int    `json:"number" jsonschema:"minimum=1"`
	Of     int    `json:"of" jsonschema:"minimum=1"` // number of chosen tasks
	Why    string `json:"why,omitempty"`             // the reason for the choice by --failed
	Seed   int64  `json:"seed"`
	Model  string `json:"model"` // name of the model
}

// Call is a call made in an episode.
type Call struct {
	Turn int `json:"turn" jsonschema:"minimum=0"` // messages of the model so far, including this one
	eval.Call
	New      []sdk.Message `json:"-"` // messages that no earlier call has shown
	NewTools []sdk.Tool    `json:"-"` // Tools if they differ from those last shown
}

// End is the result of an episode.
type End struct {
	eval.Episode
	Seed    int64   `json:"seed"`
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
}

// Command is the user's command when an episode stops.
type Command int

// The commands.
const (
	Step     Command = iota // to the next call, or to the next task after an episode
	Continue                // to the end of the episode
	Again                   // repeat the task
	Another                 // repeat it with another seed
	Skip                    // to the next task
	Quit
)

// Stops handles the points at which episodes stop.
type Stops interface {
	// Stop returns the user's command after a call, or after an episode if over is set.
	Stop(ctx context.Context, over bool) (Command, error)
}

// Debugger runs tasks and shows them.
type Debugger struct {
	view  View
	stops Stops // may be nil

	mu       sync.Mutex
	shown    map[string]bool // messages of this episode that were shown
	tools    string          // the tools last shown
	turns    int
	free     bool // no stops until the end of the episode
	wanted   Command
	left     bool // the episode was ended by the command in wanted
	leave    context.CancelCauseFunc
	stopping error
}

// New returns a debugger. It must be the eval.Watcher of the session that it runs. stops may be nil.
func New(view View, stops Stops) *Debugger { return &Debugger{view: view, stops: stops} }

// errLeft ends an episode that the user has abandoned.
var errLeft = errors.New("the user left the episode")

// Run runs the tasks until the last one ends or the user quits.
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

// play runs one episode and returns the next command.
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
	d.mu.Lock() // other calls wait during a stop
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

// describe determines which parts of a call are new. The caller holds d.mu.
func (d *Debugger) describe(c eval.Call) Call {
	out := Call{Call: c}
	for _, m := range c.Received {
		if !d.shown[key(m)] {
			out.New = append(out.New, m)
		}
	}
	for _, m := range slices.Concat(c.Received, c.Messages) {
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

// key returns a key that identifies a message or a list of tools.
func key(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		return err.Error() // values that cannot be encoded count as known
	}
	return string(text)
}

var _ eval.Watcher = (*Debugger)(nil)
