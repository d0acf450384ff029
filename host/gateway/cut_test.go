package gateway

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// asking has a question in each dialect. A text, a call and a thought produce all kinds of events.
var asking = []struct {
	path, body, last string
	samples          int // requested by one request
}{
	{"/v1/chat/completions", question, "data: [DONE]\n\n", 1},
	{"/v1/chat/completions", strings.TrimSuffix(question, "}") + `,"n":3,"stream_options":{"include_usage":true}}`,
		"data: [DONE]\n\n", 3},
	{"/v1/responses", `{"input":"1+2"}`, "", 1},
	{"/v1/messages", `{"max_tokens":9,"messages":[{"role":"user","content":"1+2"}]}`, "", 1},
}

// thoughtful answers with a thought, a text and a call.
func thoughtful(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
	return &sdk.ModelReply{Message: sdk.Message{
		Reasoning: "hm", Content: fmt.Sprint("answer ", n),
		ToolCalls: []sdk.ToolCall{{ID: fmt.Sprint("t", n), Name: "add", Arguments: `{"a":1}`}},
	}}, nil
}

// send sends a request whose connection ends after the given number of writes, and returns what arrives. retry is the
// client's count of retries; without one the header is missing.
func send(t *testing.T, g *Gateway, key, path, body, retry string, writes int) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
	r.Header.Set("X-Api-Key", key)
	if retry != "" {
		r.Header.Set("X-Stainless-Retry-Count", retry)
	}
	w := &cutWriter{httptest.NewRecorder(), writes}
	g.routes().ServeHTTP(w, r)
	return w.Body.String()
}

// streamed sends a request for a stream, or for a whole response.
func streamed(t *testing.T, g *Gateway, e sdk.ModelEndpoint, path, body string, writes int, stream bool) string {
	t.Helper()
	if stream {
		body = strings.TrimSuffix(body, "}") + `,"stream":true}`
	}
	return send(t, g, e.APIKey, path, body, "", writes)
}

// TestCut_AtEveryEventOfEveryDialect checks that the policy is asked once wherever a stream is cut, and that a
// repeated request gets the sampled messages, streamed or in one piece. The same applies to n samples of one request.
func TestCut_AtEveryEventOfEveryDialect(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for _, repeats := range []Repeats{RepeatsCount, RepeatsReplay} {
		for _, c := range asking {
			p := &policy{answer: thoughtful}
			e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: repeats})
			whole := streamed(t, g, e, c.path, c.body, 1000, true)
			end()
			events := strings.Count(whole, "data: ")
			if events < 5 || !strings.HasSuffix(whole, c.last) {
				t.Fatalf("%s: %s", c.path, whole)
			}
			for left := range events {
				for _, again := range []bool{true, false} {
					p := &policy{answer: thoughtful}
					e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: repeats})
					cut := streamed(t, g, e, c.path, c.body, left, true)
					if !strings.HasPrefix(whole, cut) && c.samples == 1 || len(cut) == len(whole) {
						t.Fatalf("%s: %q is not a prefix of %q", c.path, cut, whole)
					}
					got := streamed(t, g, e, c.path, c.body, 1000, again)
					if len(p.asked()) != c.samples || !strings.Contains(got, "answer 1") || again && len(got) != len(whole) ||
						again && c.samples == 1 && got != whole {
						t.Errorf("%s %s, cut at event %d: %d samples, then %s", repeats, c.path, left, len(p.asked()), got)
					}
					next := streamed(t, g, e, c.path, c.body, 1000, false) // the answer has arrived
					if another := !strings.Contains(next, "answer 1"); another != (repeats == RepeatsCount) {
						t.Errorf("%s %s: then %s", repeats, c.path, next)
					}
					calls := c.samples
					if repeats == RepeatsCount {
						calls *= 2
					}
					if stats := end(); stats[metricCalls] != float64(calls) || stats[metricJoined] != 1 {
						t.Errorf("%s %s, cut at event %d: %+v", repeats, c.path, left, stats)
					}
				}
			}
		}
	}
}

// TestCut_WhileTheCallRuns checks that a request cut while its client waits for a stream and a repeat made while the
// first call is still running are one call.
func TestCut_WhileTheCallRuns(t *testing.T) {
	for _, c := range asking {
		g, err := Listen(Options{KeepAlive: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		p := &policy{answer: thoughtful, wait: make(chan struct{})}
		e, end := g.Grant(t.Context(), Lease{Model: p})
		// The client receives two keep-alives and its connection ends: the call continues.
		if got := streamed(t, g, e, c.path, c.body, 2, true); got != ": keep-alive\n: keep-alive\n" {
			t.Errorf("%s: %q", c.path, got)
		}
		var asking sync.WaitGroup
		var again string
		asking.Go(func() { again = streamed(t, g, e, c.path, c.body, 1_000_000, true) })
		for l := g.leases[e.APIKey]; ; {
			l.mu.Lock()
			joined := l.count[metricJoined]
			l.mu.Unlock()
			if joined == 1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		close(p.wait)
		asking.Wait()
		if stats := end(); stats[metricCalls] != float64(c.samples) || stats[metricJoined] != 1 ||
			!strings.Contains(again, "answer 1") {
			t.Errorf("%s: %+v: %s", c.path, stats, again)
		}
		g.Close()
	}
}

// TestCount_ALoopThatAsksUntilItLikesTheAnswer checks that such a loop ends, because each request gets another sample.
func TestCount_ALoopThatAsksUntilItLikesTheAnswer(t *testing.T) {
	for _, c := range asking[:1] {
		p := &policy{answer: func(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
			return &sdk.ModelReply{Message: sdk.Message{Content: []string{"", "{", "{}", "{}"}[n]}}, nil
		}}
		e, end := serve(t, p)
		asked := 0
		for asked < 5 {
			asked++
			if _, text := post(t, e, c.body, nil); strings.Contains(text, `"content":"{}"`) {
				break
			}
		}
		if stats := end(); asked != 2 || stats[metricCalls] != 2 {
			t.Errorf("asked %d times: %+v", asked, stats)
		}
	}
}

// proxy forwards bytes, and ends each connection after the given number of bytes of an answer.
func proxy(t *testing.T, target string, after int64) string {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Scheme, r.URL.Host, r.RequestURI = "http", target, ""
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
		w.WriteHeader(response.StatusCode)
		if n, _ := io.CopyN(w, response.Body, after); n == after {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(front.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	return front.URL
}

// TestReplay_ThroughAProxyThatCuts checks an answer that the gateway has written completely and of which its client
// has received half. With replay the repeated request is the same call.
func TestReplay_ThroughAProxyThatCuts(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for _, c := range asking {
		p := &policy{answer: thoughtful}
		e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsReplay})
		through := sdk.ModelEndpoint{APIKey: e.APIKey, BaseURL: proxy(t, g.listener.Addr().String(), 300)}
		body := strings.TrimSuffix(c.body, "}") + `,"stream":true}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, through.BaseURL+c.path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", e.APIKey)
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		half, err := io.ReadAll(response.Body)
		if response.Body.Close(); err == nil || len(half) > 300 {
			t.Errorf("%s: the proxy cut nothing: %v, %d bytes", c.path, err, len(half))
		}
		again := streamed(t, g, e, c.path, c.body, 1000, false)
		if stats := end(); stats[metricCalls] != float64(c.samples) || !strings.Contains(again, "answer 1") {
			t.Errorf("%s: %+v: %s", c.path, stats, again)
		}
	}
}

// ordered records the operations of an answer in order.
type ordered struct {
	completions
	*httptest.ResponseRecorder
	did []string
}

func (o *ordered) whole([]*sdk.ModelReply, *ask) any { return o }

func (o *ordered) MarshalJSON() ([]byte, error) {
	o.did = append(o.did, "encode")
	return []byte(`"whole"`), nil
}

func (o *ordered) SetWriteDeadline(time.Time) error {
	o.did = append(o.did, "deadline")
	return nil
}

func (o *ordered) Write(text []byte) (int, error) {
	o.did = append(o.did, "write")
	return o.ResponseRecorder.Write(text)
}

// TestAnswer_AProgramHasItsTimeFromTheFirstByteOn checks that the time to encode a large answer does not count against
// the program's write deadline.
func TestAnswer_AProgramHasItsTimeFromTheFirstByteOn(t *testing.T) {
	o := &ordered{ResponseRecorder: httptest.NewRecorder()}
	l := newLease(t.Context(), Lease{Model: &policy{}}, defaultBounds)
	defer l.end()
	a := &answer{w: o, control: http.NewResponseController(o), ctx: t.Context(), lease: l, ask: &ask{}, dialect: o}
	if !a.write(nil) || o.Body.String() != "\"whole\"\n" {
		t.Errorf("answered %q", o.Body)
	}
	if diff := cmp.Diff([]string{"encode", "deadline", "write"}, o.did); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
