// Package telemetry shows a run to programs that watch: it serves metrics for Prometheus, and sends traces to a
// collector of OpenTelemetry.
//
// It owns the names that they see, and what becomes of records in them. It must not know how episodes come about: a run
// hands it what is over, and what a bus publishes. Nothing depends on it. It neither blocks an episode nor fails a run;
// what it cannot do is a warning.
//
//	t := telemetry.New(telemetry.Config{Settings: settings.Of(block, getenv), Run: writer.Ref(), Version: sdk.Version})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, t)
//	t.Start(ctx, bus.Publish)
//	result := run.Apply(ctx, run.Config{Bus: bus, Telemetry: t, …})
//	t.Close(ctx)
//
// A nil *Telemetry is one that does nothing: that of a spec without the block.
//
// The way of a record, each line a file:
//
//	metrics.go   which metrics there are; episodes.go, events.go and glances.go what they count
//	traces.go    the queue, and the goroutine that makes spans and sends them; collector.go where to, encode.go how
//	spans.go     the spans of an attempt; waits.go and tools.go those below it; content.go what was said
//	names.go     the names of everything in a trace; ids.go the ids, which are told to plugins before there are spans
package telemetry

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/telemetry/settings"
)

// Config is what a Telemetry works with.
type Config struct {
	Settings    settings.Settings
	Version     string              // of awhost
	Run         string              // the run, as users name it
	Incarnation int                 // which start of the run this is
	Redact      func(string) string // takes secrets out of a text; nil: there are none
}

// Telemetry watches one run.
type Telemetry struct {
	config  Config
	metrics *metrics // nil: none are served
	traces  *traces  // nil: none are sent
	server  *server  // nil until metrics are served
}

// New makes a Telemetry; nil where the settings name nothing. Start it, and Close it.
func New(config Config) *Telemetry {
	if config.Settings.Metrics == nil && config.Settings.Traces == nil {
		return nil
	}
	if config.Redact == nil {
		config.Redact = func(text string) string { return text }
	}
	t := &Telemetry{config: config}
	if config.Settings.Metrics != nil {
		t.metrics = newMetrics(config.Version)
	}
	return t
}

// Start begins to serve and to send. What cannot be done is published as a warning. It comes before the run.
func (t *Telemetry) Start(ctx context.Context, publish func(event.Payload)) {
	if t == nil {
		return
	}
	if wrong := t.config.Settings.Problems; len(wrong) > 0 {
		publish(event.Warning{
			Code: codeTelemetry, Summary: "the environment is not as telemetry needs it", Detail: strings.Join(wrong, " "),
		})
	}
	if t.config.Settings.Traces != nil {
		t.send(ctx, publish)
	}
	if t.metrics != nil {
		t.serve(ctx, publish)
	}
}

// codeTelemetry is the code of all warnings of this package.
const codeTelemetry = "telemetry"

func (t *Telemetry) serve(ctx context.Context, publish func(event.Payload)) {
	served, err := serve(ctx, t.config.Settings.Metrics.Listen, t.metrics.registry)
	if err != nil {
		publish(event.Warning{
			Code: codeTelemetry, Summary: "there are no metrics for Prometheus in this run", Detail: fmt.Sprintf(
				"%v. Name another address in telemetry { metrics { listen = … } }; port 0 is any that is free.", err),
		})
		return
	}
	t.server = served
	publish(event.Log{Level: event.LevelInfo, Source: "host", Message: "metrics for Prometheus are at " + served.url()})
}

func (t *Telemetry) send(ctx context.Context, publish func(event.Payload)) {
	sending, err := startTraces(ctx, t.config, publish)
	if err != nil {
		publish(event.Warning{Code: codeTelemetry, Summary: "there are no traces of this run", Detail: err.Error()})
		return
	}
	t.traces = sending
	if t.metrics != nil {
		t.metrics.follow(sending)
	}
}

// Close ends what Start began. Traces that are left are sent while ctx lasts.
func (t *Telemetry) Close(ctx context.Context) {
	if t == nil {
		return
	}
	if t.traces != nil {
		t.traces.close(ctx)
	}
	if t.server != nil {
		t.server.close(ctx)
	}
}

// Tracer implements run.Telemetry.
func (t *Telemetry) Tracer() rollout.Tracer {
	if t == nil || t.traces == nil {
		return nil
	}
	return t.traces
}

// Watch implements run.Telemetry.
func (t *Telemetry) Watch(look func() (rollout.Glance, bool)) {
	if t != nil && t.metrics != nil {
		t.metrics.watch(look)
	}
}

// AttemptOver implements run.Telemetry.
func (t *Telemetry) AttemptOver(a *rollout.AttemptRecord) {
	if t == nil {
		return
	}
	if t.metrics != nil {
		t.metrics.attempt(a)
	}
	if t.traces != nil {
		t.traces.take(record{attempt: a})
	}
}

// EpisodeOver implements run.Telemetry.
func (t *Telemetry) EpisodeOver(e *rollout.EpisodeRecord) {
	if t == nil {
		return
	}
	if t.metrics != nil {
		t.metrics.episode(e)
	}
	if t.traces != nil {
		t.traces.take(record{attempt: &e.AttemptRecord, episode: e})
	}
}

// Handle implements event.Handler.
func (t *Telemetry) Handle(e event.Event) {
	if t != nil && t.metrics != nil {
		t.metrics.handle(e)
	}
}

// resource describes the run to a collector.
func (c Config) resource() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("service.name", "awhost"), attribute.String("service.version", c.Version),
		attribute.String("service.instance.id", fmt.Sprintf("%s.i%d", c.Run, c.Incarnation)),
		attribute.String(string(keyRun), c.Run), attribute.Int(string(keyIncarnation), c.Incarnation),
	}
}

var _ event.Handler = (*Telemetry)(nil)
