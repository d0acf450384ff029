package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const collectorKey = "collector"

// spanCollector receives the traces of a script.
type spanCollector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
	wrong []string // invalid requests
}

// ServeHTTP implements http.Handler.
func (c *spanCollector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	request := &collectorpb.ExportTraceServiceRequest{}
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, request) != nil {
		c.wrong = append(c.wrong, r.Method+" "+r.URL.Path)
	}
	for _, of := range request.GetResourceSpans() {
		for _, scope := range of.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// collector implements a command of scripts: an OpenTelemetry collector at $COLLECTOR, and checks of its data.
func collector(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: collector start | has name... | whole | forget | end")
	}
	running := ts.Value(collectorKey).(**spanCollector)
	if args[0] == "start" {
		*running = &spanCollector{}
		(*running).Server = httptest.NewServer(*running)
		ts.Defer((*running).Close)
		ts.Setenv("COLLECTOR", (*running).URL)
		return
	}
	c := *running
	c.mu.Lock()
	defer c.mu.Unlock()
	switch args[0] {
	case "has":
		for _, name := range args[1:] {
			if !c.has(name) {
				ts.Fatalf("there is no span %q among %d", name, len(c.spans))
			}
		}
	case "whole":
		if problem := c.problem(); problem != "" {
			ts.Fatalf("%s", problem)
		}
	case "forget":
		c.spans = nil
	case "end":
		go c.Close() // it waits for requests, which wait for the lock
	default:
		ts.Fatalf("unknown: collector %s", args[0])
	}
}

func (c *spanCollector) has(name string) bool {
	for _, s := range c.spans {
		if s.GetName() == name {
			return true
		}
	}
	return false
}

// problem describes errors in the traces: each must have one root, and all other spans must have an existing parent.
func (c *spanCollector) problem() string {
	if len(c.wrong) > 0 {
		return "not OTLP: " + strings.Join(c.wrong, ", ")
	}
	known, roots := map[string]bool{}, map[string]int{}
	for _, s := range c.spans {
		id := string(s.GetTraceId()) + string(s.GetSpanId())
		if known[id] {
			return "two spans have the id of " + s.GetName()
		}
		known[id] = true
		if len(s.GetParentSpanId()) == 0 {
			roots[string(s.GetTraceId())]++
		}
	}
	for _, s := range c.spans {
		if above := s.GetParentSpanId(); len(above) > 0 && !known[string(s.GetTraceId())+string(above)] {
			return s.GetName() + " is below a span that is not there"
		}
		if roots[string(s.GetTraceId())] != 1 {
			return "a trace has not exactly one root: " + s.GetName()
		}
	}
	if len(known) == 0 {
		return "no spans"
	}
	return ""
}
