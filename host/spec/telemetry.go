package spec

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/awhost/awhost/sdk/schema"
)

// blockTelemetry configures monitoring of a run. It belongs to no train block and does not affect a run, so it is not
// part of Resolved or Identity.
const blockTelemetry = "telemetry"

// Telemetry is the telemetry block. A missing part is nil: then nothing is served or sent.
type Telemetry struct {
	Metrics *TelemetryMetrics
	Traces  *TelemetryTraces
}

// TelemetryMetrics configures the metrics endpoint for Prometheus.
type TelemetryMetrics struct {
	Listen string // empty: from the environment, or the default
}

// TelemetryTraces configures the traces sent to a collector. Nil or empty values are taken from the environment.
type TelemetryTraces struct {
	Endpoint string            // URL of the collector
	Protocol string            // "http/protobuf"
	Headers  map[string]string // may hold secrets
	Content  bool              // traces include message contents
	Sample   *float64          // fraction of the episodes
}

// protocolHTTP is the only supported protocol of OTLP.
const protocolHTTP = "http/protobuf"

var telemetrySchema = schema.Block{
	Description: "How programs for that watch runs: Prometheus, and collectors of OpenTelemetry. It changes nothing of " +
		"a run, and a run goes on without what it names. Smoke runs have none.",
	Blocks: []schema.NestedBlock{
		single("metrics", "Serves `/metrics` for Prometheus.",
			schema.String("listen", "Address and port; port 0 is any. Default: `OTEL_EXPORTER_PROMETHEUS_HOST` and "+
				"`OTEL_EXPORTER_PROMETHEUS_PORT`, or 127.0.0.1:9464.")),
		single("traces", "Sends a trace of every episode to a collector, by OTLP.",
			schema.String("endpoint", "URL of the collector; `/v1/traces` is added where it has no path. Default: "+
				"`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `OTEL_EXPORTER_OTLP_ENDPOINT`, or http://localhost:4318.").
				Example("http://localhost:4318"),
			schema.String("protocol", "How OTLP is spoken.").Default(protocolHTTP).Enum(protocolHTTP),
			schema.StringMap("headers", "Headers of the requests, such as credentials, over those of "+
				"`OTEL_EXPORTER_OTLP_TRACES_HEADERS` or `OTEL_EXPORTER_OTLP_HEADERS`.").Secret(),
			schema.Bool("content", "Also sends what was said: messages, arguments and results of tools.").Default(false),
			schema.Number("sample", "The fraction of the episodes that is traced. Default: `OTEL_TRACES_SAMPLER` and "+
				"`OTEL_TRACES_SAMPLER_ARG`, or 1.").Range(0, 1)),
	},
}

// evaluateTelemetry returns nil if the block has errors, which have been reported.
func (s *scope) evaluateTelemetry(b block) *Telemetry {
	d := newDecoder(s)
	decoded := d.decode(b.Body, telemetrySchema, b.DefRange)
	out := &Telemetry{}
	for _, own := range decoded.blocks["metrics"] {
		out.Metrics = d.telemetryMetrics(own)
	}
	for _, own := range decoded.blocks["traces"] {
		out.Traces = d.telemetryTraces(own)
	}
	if d.failed {
		return nil
	}
	return out
}

func (d *decoder) telemetryMetrics(own *body) *TelemetryMetrics {
	out := &TelemetryMetrics{Listen: text(own, "listen")}
	if out.Listen == "" {
		return out
	}
	if _, _, err := net.SplitHostPort(out.Listen); err != nil {
		d.fail(own.attrs["listen"].where, "Invalid value", fmt.Sprintf(
			"listen must be an address and a port, such as \"127.0.0.1:9464\"; it is %q.", out.Listen))
	}
	return out
}

func (d *decoder) telemetryTraces(own *body) *TelemetryTraces {
	out := &TelemetryTraces{Endpoint: text(own, "endpoint"), Protocol: text(own, "protocol"), Headers: map[string]string{}}
	if out.Endpoint != "" {
		if problem := endpointProblem(out.Endpoint); problem != "" {
			d.fail(own.attrs["endpoint"].where, "Invalid value", problem)
		}
	}
	if v := value(own, "headers"); !v.IsNull() {
		for name, header := range v.AsValueMap() {
			if header := unmarked(header); !header.IsNull() {
				out.Headers[name] = header.AsString()
			}
		}
	}
	if v := value(own, "content"); !v.IsNull() {
		out.Content = v.True()
	}
	if own.wrote("sample") {
		sample := fraction(own, "sample")
		out.Sample = &sample
	}
	return out
}

// endpointProblem describes an error in the URL of a collector. It does not quote the URL, which may contain a
// secret.
func endpointProblem(endpoint string) string {
	parsed, err := url.Parse(endpoint)
	switch {
	case err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "":
		return "endpoint must be a URL such as \"http://localhost:4318\" or \"https://collector.example/v1/traces\"."
	case parsed.User != nil:
		return "endpoint must not hold a name or a password. Put credentials into headers, where they are kept secret."
	case strings.HasSuffix(parsed.Host, ":4317"):
		return "endpoint has the port of OTLP over gRPC, 4317. " +
			"awhost speaks it over HTTP: collectors have port 4318 for that."
	}
	return ""
}
