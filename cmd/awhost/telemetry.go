package main

import (
	"context"
	"time"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/telemetry"
	telemetrysettings "github.com/awhost/awhost/host/telemetry/settings"
	"github.com/awhost/awhost/sdk"
)

// telemetryTimeout bounds the wait for those that the run is shown to, at its end.
const telemetryTimeout = 5 * time.Second

// telemetryOf is what shows a run to other programs, as its spec says; nil: nothing does.
func telemetryOf(p *plan.Plan, writer *runstore.Writer) *telemetry.Telemetry {
	if p.Smoke != nil {
		return nil
	}
	return telemetry.New(telemetry.Config{
		Settings: telemetrysettings.Of(p.Spec.Telemetry, p.Spec.Getenv), Version: sdk.Version,
		Run: writer.Ref(), Incarnation: writer.Incarnation(), Redact: p.Spec.Redactor().Text,
	})
}

// endTelemetry gives it a little time.
func endTelemetry(t *telemetry.Telemetry) {
	ctx, cancel := context.WithTimeout(context.Background(), telemetryTimeout)
	defer cancel()
	t.Close(ctx)
}
