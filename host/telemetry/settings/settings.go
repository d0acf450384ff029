// Package settings determines the telemetry of runs: a spec's telemetry block, with missing values taken from
// OpenTelemetry's environment variables.
//
//	s := settings.Of(plan.Spec.Telemetry, plan.Spec.Getenv)
//	fmt.Println(s.Traces.Endpoint) // http://localhost:4318/v1/traces
//
// The package must not depend on how anything is sent.
package settings

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/spec"
)

// Settings combines the settings of a spec and the environment.
type Settings struct {
	Metrics  *Metrics // nil: metrics are not served
	Traces   *Traces  // nil: traces are not sent
	Problems []string // sentences about invalid environment variables
}

// Metrics holds the settings for Prometheus metrics.
type Metrics struct {
	Listen string // address and port; port 0: any free port
}

// Traces holds the settings for traces sent to a collector.
type Traces struct {
	Endpoint string            // URL of the requests
	Headers  map[string]string // headers of the requests; may contain secrets
	Content  bool              // the contents of messages are sent too
	Sample   float64           // fraction of the attempts at episodes whose traces are sent
	Batches  Batches           // zero fields have defaults
}

// Batches defines how spans are batched and sent.
type Batches struct {
	Waiting int           // maximum number of queued spans
	Spans   int           // minimum number per request; the spans of an attempt are sent together
	Delay   time.Duration // maximum delay before fewer spans are sent
	Timeout time.Duration // timeout of a request including its retries
}

// Filled sets the defaults, which are OpenTelemetry's except for the queue.
func (b Batches) Filled() Batches {
	return Batches{
		Waiting: cmp.Or(b.Waiting, 16384), Spans: cmp.Or(b.Spans, 512),
		Delay: cmp.Or(b.Delay, 5*time.Second), Timeout: cmp.Or(b.Timeout, 30*time.Second),
	}
}

// Of returns a spec's settings, with missing values taken from OpenTelemetry's environment variables. The environment
// alone does not enable anything: the spec defines what is sent and where. OpenTelemetry's SDK itself reads the
// variables for certificates, the timeout of one request, compression and the resource attributes.
func Of(block *spec.Telemetry, getenv func(string) (string, bool)) Settings {
	if block == nil {
		return Settings{}
	}
	e := &environment{get: func(name string) string { value, _ := getenv(name); return value }}
	out := Settings{}
	if m := block.Metrics; m != nil {
		host := cmp.Or(e.get("OTEL_EXPORTER_PROMETHEUS_HOST"), "127.0.0.1")
		port := cmp.Or(e.get("OTEL_EXPORTER_PROMETHEUS_PORT"), "9464")
		out.Metrics = &Metrics{Listen: cmp.Or(m.Listen, net.JoinHostPort(host, port))}
	}
	if t := block.Traces; t != nil && !e.disabled() {
		out.Traces = e.traces(t)
	}
	out.Problems = e.problems
	return out
}

// environment reads variables and collects their problems.
type environment struct {
	get      func(name string) string
	problems []string
}

func (e *environment) wrong(format string, arguments ...any) {
	e.problems = append(e.problems, fmt.Sprintf(format, arguments...))
}

// disabled reports whether the environment disables traces for all programs.
func (e *environment) disabled() bool {
	if strings.EqualFold(e.get("OTEL_SDK_DISABLED"), "true") {
		e.wrong("OTEL_SDK_DISABLED is true: no traces are sent.")
		return true
	}
	return false
}

func (e *environment) traces(t *spec.TelemetryTraces) *Traces {
	out := &Traces{Endpoint: e.endpoint(t.Endpoint), Headers: e.headers(), Content: t.Content}
	maps.Copy(out.Headers, t.Headers)
	out.Batches = Batches{
		Waiting: e.count("OTEL_BSP_MAX_QUEUE_SIZE"), Spans: e.count("OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
		Delay:   time.Duration(e.count("OTEL_BSP_SCHEDULE_DELAY")) * time.Millisecond,
		Timeout: time.Duration(e.count("OTEL_BSP_EXPORT_TIMEOUT")) * time.Millisecond,
	}
	protocol := cmp.Or(e.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), e.get("OTEL_EXPORTER_OTLP_PROTOCOL"))
	if protocol != "" && protocol != t.Protocol {
		e.wrong("The environment selects the OTLP protocol %q, which awhost does not support: traces are sent by %s. "+
			"Unset OTEL_EXPORTER_OTLP_PROTOCOL, and use the collector's HTTP port, usually 4318.", protocol, t.Protocol)
	}
	if out.Sample = e.sample(); t.Sample != nil {
		out.Sample = *t.Sample
	}
	return out
}

// tracesPath is the path of a collector's traces endpoint.
const tracesPath = "/v1/traces"

// endpoint returns the URL for requests, from the spec or the environment. The general variable contains a base URL.
func (e *environment) endpoint(own string) string {
	exact := e.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	general := cmp.Or(e.get("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://localhost:4318")
	switch {
	case own == "" && exact != "":
		return exact
	case own == "":
		return strings.TrimSuffix(general, "/") + tracesPath
	}
	if parsed, err := url.Parse(own); err == nil && strings.Trim(parsed.Path, "/") == "" {
		return parsed.JoinPath(tracesPath).String()
	}
	return own
}

// headers returns the headers set in the environment, in the form NAME=VALUE,NAME=VALUE with percent-encoded values.
func (e *environment) headers() map[string]string {
	out := map[string]string{}
	text := cmp.Or(e.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS"), e.get("OTEL_EXPORTER_OTLP_HEADERS"))
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || err != nil || strings.TrimSpace(name) == "" {
			e.wrong("A header in OTEL_EXPORTER_OTLP_HEADERS is not in the form NAME=VALUE and is ignored.")
			continue
		}
		out[strings.TrimSpace(name)] = decoded
	}
	return out
}

// count returns a number above zero, or zero if the variable is not set or invalid.
func (e *environment) count(name string) int {
	text := e.get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		e.wrong("%s is not a whole number above zero and is ignored.", name)
		return 0
	}
	return int(n)
}

// sample returns the fraction of traces that the environment requests.
func (e *environment) sample() float64 {
	name := e.get("OTEL_TRACES_SAMPLER")
	switch name {
	case "", "always_on", "parentbased_always_on":
		return 1
	case "always_off", "parentbased_always_off":
		return 0
	case "traceidratio", "parentbased_traceidratio":
		text := cmp.Or(e.get("OTEL_TRACES_SAMPLER_ARG"), "1")
		if fraction, err := strconv.ParseFloat(text, 64); err == nil && fraction >= 0 && fraction <= 1 {
			return fraction
		}
		e.wrong("OTEL_TRACES_SAMPLER_ARG is not a number between 0 and 1: all traces are sent.")
		return 1
	}
	e.wrong("OTEL_TRACES_SAMPLER is %q, which awhost does not support: all traces are sent. Set sample in the spec.",
		name)
	return 1
}
