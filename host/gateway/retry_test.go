package gateway

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestRetry_AMarkedRequestJoins: all of a response was written, and a proxy lost it. The client's retry gets the same
// message, whole or as a stream, whatever repeats is.
func TestRetry_AMarkedRequestJoins(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for _, repeats := range []Repeats{RepeatsCount, RepeatsReplay} {
		for _, c := range asking {
			p := &policy{answer: thoughtful}
			e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: repeats})
			stream := strings.TrimSuffix(c.body, "}") + `,"stream":true}`
			first := send(t, g, e.APIKey, c.path, c.body, "0", whole)
			for mark, body := range []string{c.body, stream, c.body} {
				got := send(t, g, e.APIKey, c.path, body, fmt.Sprint(mark+1), whole)
				if !strings.Contains(got, "answer 1") || body == c.body && c.samples == 1 && got != first {
					t.Errorf("%s %s, retry %d: %s", repeats, c.path, mark+1, got)
				}
			}
			if n, stats := len(p.asked()), end(); n != c.samples || stats[metricJoined] != 3 || stats[metricSiblings] != 0 {
				t.Errorf("%s %s: %d samples: %+v", repeats, c.path, n, stats)
			}
		}
	}
}

// TestRetry_OfEqualRequests checks retries after the responses to best of three are lost. Each retry gets another of
// the three answers, the newest first, and no fourth is sampled.
func TestRetry_OfEqualRequests(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	p := &policy{}
	e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsCount})
	const path = "/v1/chat/completions"
	for i, step := range []struct {
		mark int
		want string
	}{
		{0, "answer 1"}, {0, "answer 2"}, {0, "answer 3"},
		{1, "answer 3"}, {1, "answer 2"}, {1, "answer 1"}, {1, "answer 3"},
	} {
		if got := send(t, g, e.APIKey, path, question, fmt.Sprint(step.mark), whole); !strings.Contains(got, step.want) {
			t.Errorf("request %d: %s, want %s", i, got, step.want)
		}
	}
	other := strings.Replace(question, "1+2", "another", 1)
	if got := send(t, g, e.APIKey, path, other, "1", whole); !strings.Contains(got, "answer 4") {
		t.Errorf("a retry whose first request never arrived: %s", got)
	}
	if stats := end(); stats[metricCalls] != 4 || stats[metricJoined] != 4 {
		t.Errorf("%+v", stats)
	}
}

// TestRetry_SiblingLeavesAreCounted checks the count of equal calls that no later request continues, except for one
// that the program has used. Without a mark, a lost answer cannot be distinguished from best of n.
func TestRetry_SiblingLeavesAreCounted(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	const next = `{"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"answer %d"},` +
		`{"role":"user","content":"more"}]}`
	untrained := func(key string) string { return key + ".untrained.judge" }
	for name, test := range map[string]struct {
		asked     int
		continued []int
		key       func(string) string
		want      float64
	}{
		"one":                              {asked: 1},
		"one, which is continued":          {asked: 1, continued: []int{1}},
		"two, and none is continued":       {asked: 2, want: 1},
		"two, and the second is continued": {asked: 2, continued: []int{2}, want: 1},
		"three, and two are continued":     {asked: 3, continued: []int{1, 3}, want: 1},
		"all are continued":                {asked: 2, continued: []int{1, 2}},
		"nothing of it is trained":         {asked: 3, key: untrained},
	} {
		t.Run(name, func(t *testing.T) {
			e, end := g.Grant(t.Context(), Lease{Model: &policy{}})
			key := e.APIKey
			if test.key != nil {
				key = test.key(key)
			}
			for range test.asked {
				send(t, g, key, "/v1/chat/completions", question, "0", whole)
			}
			for _, n := range test.continued {
				send(t, g, key, "/v1/chat/completions", fmt.Sprintf(next, n), "0", whole)
			}
			if got := end(); got[metricSiblings] != test.want || got[metricJoined] != 0 {
				t.Errorf("%+v, want %v sibling leaves", got, test.want)
			}
		})
	}
}

// cutter starts a proxy that loses the second half of its first response to each request.
func cutter(t *testing.T, g *Gateway) string {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]bool{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		cut := !seen[string(body)]
		seen[string(body)] = true
		mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		g.routes().ServeHTTP(answer, r)
		text := answer.Body.Bytes()
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		if !cut {
			_, _ = w.Write(text)
			return
		}
		_, _ = w.Write(text[:len(text)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// TestClients_RetriesCostNoSample runs the PyPI clients behind a proxy that cuts each response once. Each message is
// sampled once.
func TestClients_RetriesCostNoSample(t *testing.T) {
	folder := os.Getenv("AWHOST_GATEWAY_CLIENTS")
	if folder == "" {
		t.Skip("SKIPPED: AWHOST_GATEWAY_CLIENTS does not name the folder that .ci/gateway-clients makes")
	}
	for _, client := range []string{"openai_chat", "openai_async", "openai_responses", "anthropic_messages"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			g, err := Listen(Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			p := &policy{}
			e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsCount})
			cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "venv/bin/python"),
				"testdata/clients/retries.py", cutter(t, g), e.APIKey, client)
			cmd.Env = append(os.Environ(), "NO_PROXY=127.0.0.1", "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if n, stats := len(p.asked()), end(); n != 3 || stats[metricJoined] != 3 || stats[metricSiblings] != 0 {
				t.Errorf("%d samples for 3 messages: %+v", n, stats)
			}
		})
	}
}
