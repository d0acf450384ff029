package telemetry_test

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector receives traces like a collector of OpenTelemetry, by OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	headers  []http.Header
	resource map[string]string
	spans    []*tracepb.Span
	problems []string
	answer   *collectorpb.ExportTraceServiceResponse // nil: everything was accepted
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{resource: map[string]string{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

// ServeHTTP implements http.Handler.
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	request := &collectorpb.ExportTraceServiceRequest{}
	switch {
	case err != nil:
		c.problems = append(c.problems, err.Error())
	case r.Method != http.MethodPost || r.URL.Path != "/v1/traces" ||
		r.Header.Get("Content-Type") != "application/x-protobuf":
		c.problems = append(c.problems, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type"))
	default:
		if err := proto.Unmarshal(body, request); err != nil {
			c.problems = append(c.problems, err.Error())
		}
	}
	c.headers = append(c.headers, r.Header.Clone())
	for _, of := range request.GetResourceSpans() {
		for name, value := range attributes(of.GetResource().GetAttributes()) {
			c.resource[name] = value
		}
		for _, scope := range of.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	if c.answer != nil {
		answer, _ := proto.Marshal(c.answer)
		_, _ = w.Write(answer)
	}
}

// got checks the requests and returns the received spans by name. Call it after the sender is closed.
func (c *collector) got(t *testing.T) map[string]*tracepb.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.problems {
		t.Errorf("an invalid request: %s", p)
	}
	byName, ids := map[string]*tracepb.Span{}, map[string]bool{}
	for _, s := range c.spans {
		if id := hex.EncodeToString(s.GetTraceId()) + hex.EncodeToString(s.GetSpanId()); ids[id] {
			t.Errorf("two spans have the id of %s", s.GetName())
		} else {
			ids[id] = true
		}
		byName[s.GetName()] = s
	}
	return byName
}

// attributes returns attributes as texts.
func attributes(of []*commonpb.KeyValue) map[string]string {
	out := map[string]string{}
	for _, a := range of {
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			out[a.GetKey()] = v.StringValue
		default:
			out[a.GetKey()] = strings.ReplaceAll(a.GetValue().String(), " ", "") // the number of spaces is random
		}
	}
	return out
}
