// Package telemetry shows a run to programs that watch: it serves metrics for Prometheus.
//
// It owns the names that they see, and what becomes of records in them. It must not know how episodes come about: a run
// hands it what is over, and what a bus publishes. Nothing depends on it. It neither blocks an episode nor fails a run;
// what it cannot do is a warning.
//
//	t := telemetry.New(telemetry.Config{Settings: settings, Version: sdk.Version})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown, t)
//	t.Start(ctx, bus.Publish)
//	result := run.Apply(ctx, run.Config{Bus: bus, Telemetry: t, …})
//	t.Close(ctx)
//
// A nil *Telemetry is one that does nothing: that of a spec without the block.
package telemetry

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
)

// Config is what a Telemetry works with.
type Config struct {
	Settings Settings
	Version  string // of awhost
}

// Telemetry watches one run.
type Telemetry struct {
	config  Config
	metrics *metrics // nil: none are served
	server  *server  // nil until they are
}

// New makes a Telemetry; nil where the settings name nothing. Start it, and Close it.
func New(config Config) *Telemetry {
	if config.Settings.Metrics == nil {
		return nil
	}
	return &Telemetry{config: config, metrics: newMetrics(config.Version)}
}

// Start begins to serve. What cannot be done is published as a warning.
func (t *Telemetry) Start(ctx context.Context, publish func(event.Payload)) {
	if t == nil {
		return
	}
	listen := t.config.Settings.Metrics.Listen
	served, err := serve(ctx, listen, t.metrics.registry)
	if err != nil {
		publish(event.Warning{
			Code: "telemetry", Summary: "there are no metrics for Prometheus in this run", Detail: fmt.Sprintf(
				"%v. Name another address in telemetry { metrics { listen = … } }; port 0 is any that is free.", err),
		})
		return
	}
	t.server = served
	publish(event.Log{Level: event.LevelInfo, Source: "host", Message: "metrics for Prometheus are at " + served.url()})
}

// Close ends what Start began.
func (t *Telemetry) Close(ctx context.Context) {
	if t == nil || t.server == nil {
		return
	}
	t.server.close(ctx)
}

// Watch implements run.Telemetry.
func (t *Telemetry) Watch(look func() (rollout.Glance, bool)) {
	if t != nil {
		t.metrics.watch(look)
	}
}

// AttemptOver implements run.Telemetry.
func (t *Telemetry) AttemptOver(a *rollout.AttemptRecord) {
	if t != nil {
		t.metrics.attempt(a)
	}
}

// EpisodeOver implements run.Telemetry.
func (t *Telemetry) EpisodeOver(e *rollout.EpisodeRecord) {
	if t != nil {
		t.metrics.episode(e)
	}
}

// Handle implements event.Handler.
func (t *Telemetry) Handle(e event.Event) {
	if t != nil {
		t.metrics.handle(e)
	}
}

var _ event.Handler = (*Telemetry)(nil)
