// Package event is the one stream of what happens in a run. The run publishes, views and recorders listen; nobody
// else is told anything.
//
// An Event is a header and a payload; each kind of payload is one Go struct. A handler switches on the payload:
//
//	bus := event.NewBus(event.Config{Now: time.Now}, view.NewJSON(os.Stdout, version))
//	bus.Identify("quickstart-1", 1)
//	bus.Publish(event.StepFinished{Step: 12, Total: 60, Reward: event.Known(0.41)})
//	err := bus.Close(ctx) // every handler has seen everything
//
//	func (v *printer) Handle(e event.Event) {
//		switch p := e.Payload.(type) {
//		case event.StepFinished:
//			fmt.Fprintln(v.out, p.Step, p.Reward)
//		}
//	}
//
// The payloads are also the documented JSON of `--json` (docs/json-events.md, docs/events.schema.json): their tags
// are a public format, to which fields may be added and from which none may be taken. Texts of models and plugins
// are carried as they came; whoever shows them escapes them.
//
// The package knows neither how events come about nor how they are shown.
package event

//go:generate go run ./internal/schemagen

import "time"

// FormatVersion is the version of the events as JSON. It changes when a reader of the old form would break.
const FormatVersion = "1"

// Event is one thing that happened.
type Event struct {
	Time        time.Time
	Run         string // id of the run; empty before it has one
	Incarnation int    // which start of the run this is, from 1; 0 before it has one
	Seq         uint64 // from 1, without gaps but for coalesced Phase events
	Payload     Payload
}

// Payload is one of the structs of this package.
type Payload interface {
	// Kind is the "type" of the event in JSON.
	Kind() Kind
}

// Handler is told of every event, one at a time and in order. A slow handler delays nobody but itself until its
// queue is full; see Bus.
type Handler interface {
	Handle(Event)
}

// HandlerFunc makes a function a Handler.
type HandlerFunc func(Event)

// Handle implements Handler.
func (f HandlerFunc) Handle(e Event) { f(e) }

// Kind names a kind of payload, in the words of the JSON form.
type Kind string

// The kinds of events, in the order in which a run first meets them.
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
	KindInterrupted         Kind = "interrupted"
	KindSmokeReport         Kind = "smoke_report"
	KindRunFinished         Kind = "run_finished"
)
