// Package control lets other processes of the same user look at a run and end it: `awhost attach`, `awhost stuck`,
// `awhost stop`.
//
// The host of a run is a Server, which listens on a unix socket in the run's private folder of sockets and remembers
// enough of the events that whoever comes late sees the whole picture:
//
//	server := control.NewServer(control.Config{Hello: hello, Stop: stop, Record: writer.RecordControl})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, server)
//	result := run.Apply(ctx, run.Config{Control: server, …}) // opens and shuts it
//	bus.Publish(result.RunFinished)
//	bus.Close(ctx)
//	server.Close(ctx) // who is attached has seen the end
//
// A Client asks it:
//
//	client, err := control.Dial(ctx, socket)
//	status, err := client.Status(ctx)
//	waits, err := client.Waits(ctx)
//	err = client.Events(ctx, func(e event.Event) { … })
//
// Both speak JSON, one object per line; docs/control.md describes it. The server waits for no client: one that does not
// keep up is told so and dropped, one that talks nonsense is told so and dropped, and the run does not notice either.
//
// The package must not know how a run is carried out, nor how events are shown.
package control

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/event"
)

// version is the version of the protocol. It changes when a client of the old form would break.
const version = 1

// Hello is the server's first line on every connection.
type Hello struct {
	Type        string `json:"type"`    // "hello"
	Control     int    `json:"control"` // Version
	Awhost      string `json:"awhost"`  // version of the host
	Run         string `json:"run"`     // "quickstart-3"
	ID          string `json:"id"`      // of the run
	Dir         string `json:"dir"`     // of the run
	Incarnation int    `json:"incarnation"`
	PID         int    `json:"pid"`
}

// The requests of a client.
const (
	requestStatus = "status"
	requestEvents = "events"
	requestWaits  = "waits"
	requestStop   = "stop"
)

// request is a client's line.
type request struct {
	Request string `json:"request"`
	// Now ends the run at once, for stop: the last commit is what counts.
	Now bool `json:"now,omitempty"`
	// Source says who asks, for stop: "awhost stop".
	Source string `json:"source,omitempty"`
}

// Status is how far a run is.
type Status struct {
	Type       string      `json:"type"` // "status"
	Run        string      `json:"run"`
	Dir        string      `json:"dir"`
	PID        int         `json:"pid"`
	Since      time.Time   `json:"since"` // when this incarnation began
	Stage      string      `json:"stage,omitempty"`
	Phase      string      `json:"phase,omitempty"`
	Step       int         `json:"step"` // finished
	TotalSteps int         `json:"total_steps"`
	Reward     event.Value `json:"reward"`             // of the last step
	Success    event.Value `json:"success_rate"`       // held out, last
	Checkpoint string      `json:"checkpoint"`         // last committed; empty: none yet
	Stopping   event.Stop  `json:"stopping,omitempty"` // whether it was asked to end
	Finished   bool        `json:"finished"`
	Attached   int         `json:"attached"` // connections that follow the events
	Plugins    []Plugin    `json:"plugins"`  // by address
}

// Plugin is the state of a plugin's process.
type Plugin struct {
	Address  string            `json:"address"` // of the block
	PID      int               `json:"pid"`     // 0: there is none
	State    event.PluginPhase `json:"state"`
	Restarts int               `json:"restarts"`
}

// The types of a server's other lines.
const (
	typeHello    = "hello"
	typeStatus   = "status"
	typeWaits    = "waits"
	typeEvent    = "event"    // event, and of a resumed run's start also earlier
	typeReplayed = "replayed" // what happened before is told; what follows happens now
	typeAlive    = "alive"    // nothing has happened for a while
	typeAnswer   = "answer"   // a stop was taken
	typeEnd      = "end"      // the last event has been told
	typeDropped  = "dropped"  // the client does not keep up
	typeError    = "error"    // the request cannot be answered
)

// frame is any line of a server but hello, status and waits.
type frame struct {
	Type    string          `json:"type"`
	Event   json.RawMessage `json:"event,omitempty"`
	Earlier *earlier        `json:"earlier,omitempty"`
	Message string          `json:"message,omitempty"`
}

// earlier is the curve of a resumed run before this incarnation.
type earlier struct {
	Rewards   []point `json:"rewards"`
	Successes []point `json:"successes"`
	// Checkpoint is the folder of the last commit.
	Checkpoint string `json:"checkpoint,omitempty"`
}

// point is a step and the value there.
type point [2]float64

func earlierOf(h event.History) *earlier {
	if len(h.Rewards) == 0 && len(h.Successes) == 0 && h.Checkpoint == "" {
		return nil
	}
	return &earlier{Rewards: pointsOf(h.Rewards), Successes: pointsOf(h.Successes), Checkpoint: h.Checkpoint}
}

func pointsOf(points []event.Point) []point {
	out := make([]point, len(points))
	for i, p := range points {
		out[i] = point{float64(p.Step), p.Value}
	}
	return out
}

func (e *earlier) history() event.History {
	if e == nil {
		return event.History{}
	}
	return event.History{Rewards: historyOf(e.Rewards), Successes: historyOf(e.Successes), Checkpoint: e.Checkpoint}
}

func historyOf(points []point) []event.Point {
	var out []event.Point
	for _, p := range points {
		out = append(out, event.Point{Step: int(p[0]), Value: p[1]})
	}
	return out
}

// eventFrame is an event as it is sent.
func eventFrame(e event.Event) (frame, error) {
	encoded, err := json.Marshal(e)
	if err != nil {
		return frame{}, fmt.Errorf("encode a %s event: %w", e.Payload.Kind(), err)
	}
	out := frame{Type: typeEvent, Event: encoded}
	if p, ok := e.Payload.(event.RunStarted); ok {
		out.Earlier = earlierOf(p.Earlier)
	}
	return out, nil
}
