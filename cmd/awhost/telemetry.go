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

// telemetryTimeout bounds the wait for telemetry receivers at the end of the run.
const telemetryTimeout = 5 * time.Second

// telemetryOf returns the telemetry of a run according to its spec, or nil without one.
func telemetryOf(p *plan.Plan, writer *runstore.Writer) *telemetry.Telemetry {
	if p.Smoke != nil {
		return nil
	}
	return telemetry.New(telemetry.Config{
		Settings: telemetrysettings.Of(p.Spec.Telemetry, p.Spec.Getenv), Version: sdk.Version,
		Run: writer.Ref(), Incarnation: writer.Incarnation(), Redact: p.Spec.Redactor().Text,
	})
}

// endTelemetry closes the telemetry within telemetryTimeout.
func endTelemetry(t *telemetry.Telemetry) {
	ctx, cancel := context.WithTimeout(context.Background(), telemetryTimeout)
	defer cancel()
	t.Close(ctx)
}
