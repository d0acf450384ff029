// Package event is the only stream of a run's events. The run publishes; views and recorders subscribe. There is no
// other channel.
//
// An [Event] is a header and a payload. Each kind of payload is a Go struct. A handler switches on the payload:
//
//	bus := event.NewBus(event.Config{Now: time.Now}, view.NewJSON(os.Stdout, version))
//	bus.Identify("quickstart-1", 1)
//	bus.Publish(event.StepFinished{Step: 12, Total: 60, Reward: event.Known(0.41)})
//	err := bus.Close(ctx) // every handler has processed all events
//
//	func (v *printer) Handle(e event.Event) {
//		switch p := e.Payload.(type) {
//		case event.StepFinished:
//			fmt.Fprintln(v.out, p.Step, p.Reward)
//		}
//	}
//
// The payloads are also the documented JSON of `--json` (docs/reference/json-events.md, docs/events.schema.json). Their
// tags are a public format: fields may be added, but not removed. Text from models and plugins is passed unchanged.
// Code that displays them must escape them.
//
// The package must not depend on how events are produced or displayed.
package event

//go:generate go run ../view/result/internal/schemagen -root ../..

import "time"

// FormatVersion is the version of the JSON event format. It changes whenever a change breaks existing readers.
const FormatVersion = "1"

// Event is an event of a run.
type Event struct {
	Time        time.Time
	Run         string // id of the run; empty before it is assigned
	Incarnation int    // incarnation of the run, from 1; 0 before it is assigned
	Seq         uint64 // from 1, without gaps except for coalesced Phase events
	Payload     Payload
}

// Payload is one of the structs in this package.
type Payload interface {
	// Kind returns the "type" of the event in its JSON form.
	Kind() Kind
}

// Handler receives every event, one at a time and in order. A slow handler does not delay other handlers until its
// queue is full; see Bus.
type Handler interface {
	Handle(Event)
}

// HandlerFunc is a function that implements Handler.
type HandlerFunc func(Event)

// Handle implements Handler.
func (f HandlerFunc) Handle(e Event) { f(e) }

// Kind is the name of a payload kind, as in the JSON form.
type Kind string

// Event kinds, in the order of their first occurrence in a run.
const (
	KindRunStarted          Kind = "run_started"
	KindDiagnostics         Kind = "diagnostics"
	KindPluginState         Kind = "plugin_state"
	KindStageStarted        Kind = "stage_started"
	KindPhase               Kind = "phase"
	KindEpisodeFinished     Kind = "episode_finished"
	KindStepFinished        Kind = "step_finished"
	KindValidationFinished  Kind = "validation_finished"
	KindCheckpointCommitted Kind = "checkpoint_committed"
	KindLog                 Kind = "log"
	KindWarning             Kind = "warning"
	KindFinding             Kind = "finding"
	KindInterrupted         Kind = "interrupted"
	KindSmokeReport         Kind = "smoke_report"
	KindRunFinished         Kind = "run_finished"
)
