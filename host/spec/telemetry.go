package spec

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/awhost/awhost/sdk/schema"
)

// blockTelemetry configures how a run is monitored. It does not belong to a train block and does not affect a run, so
// it is not part of Resolved or Identity.
const blockTelemetry = "telemetry"

// Telemetry holds the telemetry block. A missing part is nil, which means that nothing is served or sent.
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

// protocolHTTP is the only supported OTLP protocol.
const protocolHTTP = "http/protobuf"

var telemetrySchema = schema.Block{
	Description: "Exports telemetry to Prometheus and OpenTelemetry collectors. Telemetry never affects a run, even if " +
		"a target is unreachable. Smoke runs do not export telemetry.",
	Blocks: []schema.NestedBlock{
		single("metrics", "Serves `/metrics` for Prometheus.",
			schema.String("listen", "Address and port; 0 selects a free port. Default: `OTEL_EXPORTER_PROMETHEUS_HOST` and "+
				"`OTEL_EXPORTER_PROMETHEUS_PORT`, or 127.0.0.1:9464.")),
		single("traces", "Sends a trace of each episode to a collector over OTLP.",
			schema.String("endpoint", "URL of the collector; if it has no path, `/v1/traces` is added. Default: "+
				"`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `OTEL_EXPORTER_OTLP_ENDPOINT`, or http://localhost:4318.").
				Example("http://localhost:4318"),
			schema.String("protocol", "OTLP encoding.").Default(protocolHTTP).Enum(protocolHTTP),
			schema.StringMap("headers", "Request headers, such as credentials, which override "+
				"`OTEL_EXPORTER_OTLP_TRACES_HEADERS` or `OTEL_EXPORTER_OTLP_HEADERS`.").Secret(),
			schema.Bool("content", "Also sends content: messages, tool arguments, and tool results.").Default(false),
			schema.Number("sample", "The fraction of episodes to trace. Default: `OTEL_TRACES_SAMPLER` and "+
				"`OTEL_TRACES_SAMPLER_ARG`, or 1.").Range(0, 1)),
	},
}

// evaluateTelemetry returns nil if the block has errors, which have already been reported.
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
			"listen must be an address and a port, such as \"127.0.0.1:9464\", not %q.", out.Listen))
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

// endpointProblem describes an error in a collector's URL. It does not quote the URL, which may contain a secret.
func endpointProblem(endpoint string) string {
	parsed, err := url.Parse(endpoint)
	switch {
	case err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "":
		return "endpoint must be a URL such as \"http://localhost:4318\" or \"https://collector.example/v1/traces\"."
	case parsed.User != nil:
		return "endpoint must not contain a user name or a password. Put credentials into headers, which are kept secret."
	case strings.HasSuffix(parsed.Host, ":4317"):
		return "endpoint uses port 4317, which is for OTLP over gRPC. awhost uses OTLP over HTTP, for which collectors use " +
			"port 4318."
	}
	return ""
}
