// Package telemetry exposes a run to monitoring: it serves metrics for Prometheus and sends traces to an OpenTelemetry
// collector.
//
// The package owns the names of metrics and spans and the mapping from records to them. It must not depend on how
// episodes are produced: a run passes finished records, and a bus passes events. No other package depends on it. It
// neither blocks an episode nor fails a run. Its errors are warnings.
//
//	t := telemetry.New(telemetry.Config{Settings: settings.Of(block, getenv), Run: writer.Ref(), Version: sdk.Version})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, t)
//	t.Start(ctx, bus.Publish)
//	result := run.Apply(ctx, run.Config{Bus: bus, Telemetry: t, …})
//	t.Close(ctx)
//
// A nil *Telemetry does nothing. It is used for a spec that has no telemetry block.
//
// The path of a record, by file:
//
//	metrics.go   the metrics; episodes.go, events.go and gauges.go set them
//	traces.go    the queue, and the goroutine that writes and sends spans; collector.go sends, encode.go encodes
//	spans.go     the spans of an attempt; waits.go and tools.go their child spans; content.go the contents of messages
//	names.go     all names in a trace; ids.go the ids, which plugins receive before the spans are written
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

// Config configures a Telemetry.
type Config struct {
	Settings    settings.Settings
	Version     string              // version of awhost
	Run         string              // name of the run for users
	Incarnation int                 // incarnation of the run
	Redact      func(string) string // removes secrets from a text; nil: unchanged
}

// Telemetry observes one run.
type Telemetry struct {
	config  Config
	metrics *metrics // nil: metrics are not served
	traces  *traces  // nil: traces are not sent
	server  *server  // nil until metrics are served
}

// New returns a Telemetry, or nil if the settings do not enable anything. The caller must call Start and Close.
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

// Start begins serving metrics and sending traces. Failures are published as warnings. It must be called before the
// run.
func (t *Telemetry) Start(ctx context.Context, publish func(event.Payload)) {
	if t == nil {
		return
	}
	if wrong := t.config.Settings.Problems; len(wrong) > 0 {
		publish(event.Warning{
			Code: codeTelemetry, Summary: "telemetry settings in the environment are invalid",
			Detail: strings.Join(wrong, " "),
		})
	}
	if t.config.Settings.Traces != nil {
		t.send(ctx, publish)
	}
	if t.metrics != nil {
		t.serve(ctx, publish)
	}
}

// codeTelemetry is the code for all warnings from this package.
const codeTelemetry = "telemetry"

func (t *Telemetry) serve(ctx context.Context, publish func(event.Payload)) {
	served, err := serve(ctx, t.config.Settings.Metrics.Listen, t.metrics.registry)
	if err != nil {
		publish(event.Warning{
			Code: codeTelemetry, Summary: "metrics for Prometheus are not available in this run", Detail: fmt.Sprintf(
				"%v. Set another address in telemetry { metrics { listen = … } }; port 0 selects any free port.", err),
		})
		return
	}
	t.server = served
	publish(event.Log{Level: event.LevelInfo, Source: "host", Message: "metrics for Prometheus are at " + served.url()})
}

func (t *Telemetry) send(ctx context.Context, publish func(event.Payload)) {
	sending, err := startTraces(ctx, t.config, publish)
	if err != nil {
		publish(event.Warning{Code: codeTelemetry, Summary: "traces of this run are not recorded", Detail: err.Error()})
		return
	}
	t.traces = sending
	if t.metrics != nil {
		t.metrics.follow(sending)
	}
}

// Close ends the work that Start began. Remaining traces are sent until ctx is done.
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
func (t *Telemetry) Watch(look func() (rollout.Snapshot, bool)) {
	if t != nil && t.metrics != nil {
		t.metrics.watch(look)
	}
}

// AttemptEnded implements run.Telemetry.
func (t *Telemetry) AttemptEnded(a *rollout.AttemptRecord) {
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

// EpisodeEnded implements run.Telemetry.
func (t *Telemetry) EpisodeEnded(e *rollout.EpisodeRecord) {
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

// resource returns the description of the run for use by a collector.
func (c Config) resource() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("service.name", "awhost"), attribute.String("service.version", c.Version),
		attribute.String("service.instance.id", fmt.Sprintf("%s.i%d", c.Run, c.Incarnation)),
		attribute.String(string(keyRun), c.Run), attribute.Int(string(keyIncarnation), c.Incarnation),
	}
}

var _ event.Handler = (*Telemetry)(nil)
