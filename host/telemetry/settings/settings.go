// Package settings is what is shown of runs, and to whom: the telemetry block of a spec, filled from the variables of
// the environment that OpenTelemetry names.
//
//	s := settings.Of(plan.Spec.Telemetry, plan.Spec.Getenv)
//	fmt.Println(s.Traces.Endpoint) // http://localhost:4318/v1/traces
//
// It must not know how anything is sent.
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

// Settings are what a spec and the environment say together.
type Settings struct {
	Metrics  *Metrics // nil: none are served
	Traces   *Traces  // nil: none are sent
	Problems []string // with what the environment says, sentences
}

// Metrics are about metrics for Prometheus.
type Metrics struct {
	Listen string // address and port; port 0: any
}

// Traces are about traces for a collector.
type Traces struct {
	Endpoint string            // URL to which requests are sent
	Headers  map[string]string // of requests; may hold secrets
	Content  bool              // what was said is sent, too
	Sample   float64           // fraction of the attempts at episodes, of which traces are sent
	Batches  Batches           // what is zero has a default
}

// Batches are how spans are gathered and sent.
type Batches struct {
	Waiting int           // most spans that wait
	Spans   int           // of one request, at least; the spans of an attempt are sent together
	Delay   time.Duration // after which spans are sent that are fewer
	Timeout time.Duration // of a request and its repetitions
}

// Filled has the defaults, which are those of OpenTelemetry but for the queue.
func (b Batches) Filled() Batches {
	return Batches{
		Waiting: cmp.Or(b.Waiting, 16384), Spans: cmp.Or(b.Spans, 512),
		Delay: cmp.Or(b.Delay, 5*time.Second), Timeout: cmp.Or(b.Timeout, 30*time.Second),
	}
}

// Of fills what a spec leaves open from the environment, by the variables that OpenTelemetry names. The
// environment alone turns nothing on: what is sent, and to whom, stands in the spec. Certificates, the timeout of one
// request, compression and the attributes of the resource are read from it by the SDK of OpenTelemetry itself.
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

// environment reads variables, and collects what is wrong with them.
type environment struct {
	get      func(name string) string
	problems []string
}

func (e *environment) wrong(format string, arguments ...any) {
	e.problems = append(e.problems, fmt.Sprintf(format, arguments...))
}

// disabled reports whether the environment turns the traces of all programs off.
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
		e.wrong("The environment asks for OTLP by %q, which awhost does not speak: traces are sent by %s. "+
			"Unset OTEL_EXPORTER_OTLP_PROTOCOL, and name the collector's port for HTTP, mostly 4318.", protocol, t.Protocol)
	}
	if out.Sample = e.sample(); t.Sample != nil {
		out.Sample = *t.Sample
	}
	return out
}

// tracesPath is where a collector takes traces.
const tracesPath = "/v1/traces"

// endpoint is the URL of requests: of the spec, or of the environment, whose general variable names what is above it.
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

// headers are those that the environment names, as NAME=VALUE,NAME=VALUE with values as in URLs.
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
			e.wrong("A header in OTEL_EXPORTER_OTLP_HEADERS is not NAME=VALUE, and left out.")
			continue
		}
		out[strings.TrimSpace(name)] = decoded
	}
	return out
}

// count is a number above zero; zero: there is none.
func (e *environment) count(name string) int {
	text := e.get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		e.wrong("%s is no whole number above zero, and is left out.", name)
		return 0
	}
	return int(n)
}

// sample is the fraction of traces that the environment asks for.
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
		e.wrong("OTEL_TRACES_SAMPLER_ARG is no number between 0 and 1: all traces are sent.")
		return 1
	}
	e.wrong("OTEL_TRACES_SAMPLER is %q, which awhost does not know: all traces are sent. Set sample in the spec.", name)
	return 1
}
