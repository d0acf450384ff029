// Package control lets other processes of the same user observe and end a run: `awhost attach`, `awhost stuck`,
// `awhost stop`.
//
// The host of a run is a Server. It listens on a Unix socket in the run's private folder of sockets, and stores
// enough events for late clients to show the whole run:
//
//	server := control.NewServer(control.Config{Hello: hello, Stop: stop, Record: writer.RecordControl})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, server)
//	result := run.Apply(ctx, run.Config{Control: server, …}) // opens and shuts it
//	bus.Publish(result.RunFinished)
//	bus.Close(ctx)
//	server.Close(ctx) // attached clients have received the end
//
// A Client sends requests to it:
//
//	client, err := control.Dial(ctx, socket)
//	status, err := client.Status(ctx)
//	waits, err := client.Waits(ctx)
//	err = client.Events(ctx, func(e event.Event) { … })
//
// Both use JSON, one object per line, as described in docs/reference/control.md. The server never waits for a client:
// if a client is too slow or sends an invalid request, the server sends it an error and disconnects it. The run is not
// affected.
//
// The package must not depend on how a run works or on how events are displayed.
package control

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/event"
)

// version is the protocol version. It is incremented for changes that would break older clients.
const version = 1

// Hello is the server's first line on every connection.
type Hello struct {
	Type        string `json:"type"`    // "hello"
	Control     int    `json:"control"` // version
	Awhost      string `json:"awhost"`  // version of the host
	Run         string `json:"run"`     // "quickstart-3"
	ID          string `json:"id"`      // of the run
	Dir         string `json:"dir"`     // of the run
	Incarnation int    `json:"incarnation"`
	PID         int    `json:"pid"`
}

// Client requests.
const (
	requestStatus = "status"
	requestEvents = "events"
	requestWaits  = "waits"
	requestStop   = "stop"
)

// request is a request line sent by a client.
type request struct {
	Request string `json:"request"`
	// Now is used by stop: it ends the run immediately, leaving the state of the last commit.
	Now bool `json:"now,omitempty"`
	// Source is used by stop: it identifies the requester, such as "awhost stop".
	Source string `json:"source,omitempty"`
}

// Status is the progress of a run.
type Status struct {
	Type  string    `json:"type"` // "status"
	Run   string    `json:"run"`
	Dir   string    `json:"dir"`
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // start of this incarnation
	Activity
	Step       int         `json:"step"` // finished steps
	TotalSteps int         `json:"total_steps"`
	Reward     event.Value `json:"reward"`             // of the last step
	Success    event.Value `json:"success_rate"`       // of the last validation
	Checkpoint string      `json:"checkpoint"`         // last committed; empty: none
	Stopping   event.Stop  `json:"stopping,omitempty"` // set after a request to end
	Finished   bool        `json:"finished"`
	Attached   int         `json:"attached"` // connections that receive the events
	Plugins    []Plugin    `json:"plugins"`  // by address
}

// Plugin is the state of a plugin's process.
type Plugin struct {
	Address  string            `json:"address"` // of the block
	PID      int               `json:"pid"`     // 0: no process
	State    event.PluginPhase `json:"state"`
	Restarts int               `json:"restarts"`
}

// The types of the other lines that a server sends.
const (
	typeHello    = "hello"
	typeStatus   = "status"
	typeWaits    = "waits"
	typeEvent    = "event"    // an event; a resumed run's start also has earlier
	typeReplayed = "replayed" // end of past events
	typeAlive    = "alive"    // keep-alive
	typeAnswer   = "answer"   // acknowledges a stop
	typeEnd      = "end"      // after the last event
	typeDropped  = "dropped"  // the client is too slow
	typeError    = "error"    // the request failed
)

// frame is any server line except hello, status and waits.
type frame struct {
	Type    string          `json:"type"`
	Event   json.RawMessage `json:"event,omitempty"`
	Earlier *earlier        `json:"earlier,omitempty"`
	Message string          `json:"message,omitempty"`
}

// earlier holds the curves of a resumed run from before this incarnation.
type earlier struct {
	Rewards   []point `json:"rewards"`
	Successes []point `json:"successes"`
	// Checkpoint is the directory of the last commit.
	Checkpoint string `json:"checkpoint,omitempty"`
}

// point is a step and the value at that step.
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

// eventFrame returns the frame for an event.
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
