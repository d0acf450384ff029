package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// held returns the bytes in use on the heap.
func held() int64 {
	var m runtime.MemStats
	for range 3 { // a pool is empty after two
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestTools_WhatAWaitingCallHolds checks the memory of a waiting call, which may take minutes. Once its body has been
// decoded, it no longer counts as being read and is released. The arguments are on the heap twice, because the library
// has a copy.
func TestTools_WhatAWaitingCallHolds(t *testing.T) {
	const calls, size = 32, 256 << 10
	d := newDesk()
	g, e, end := gatewayTools(t, d)
	var waiting []*played
	before := held()
	for i := range calls {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait","arguments":{"a":%q}}}`,
			i, strings.Repeat("x", size))
		waiting = append(waiting, play(t, g, e, body, nil, whole))
	}
	<-d.begun
	s := g.leases[e.Token].tools
	for pending := 0; pending < calls; runtime.Gosched() {
		s.mu.Lock()
		pending = s.calls.pending
		s.mu.Unlock()
	}
	if left := g.left.Load(); left != g.bounds.bodies {
		t.Errorf("%d bytes are being read", g.bounds.bodies-left)
	}
	if each := (held() - before) / calls; each > size*5/2 {
		t.Errorf("a call with arguments of %d bytes holds %d", size, each)
	}
	close(d.wait)
	for _, p := range waiting {
		p.answer()
	}
	end()
}

// stalled answers the first call of each conversation, and others when wait is closed.
type stalled struct{ begun, wait chan struct{} }

func (s stalled) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	said := sdk.Message{Role: sdk.RoleAssistant, Content: "said"}
	if req.Base > 0 {
		s.begun <- struct{}{}
		select {
		case <-s.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &sdk.ModelReply{CallID: "e/1.1", Chain: "c", ChainLength: req.Base + len(req.Messages) + 1, Message: said}, nil
}

// TestToolsets_AreSharedWhileSomebodyHasThem checks that equal lists are shared, that others stay unchanged, and that
// unused ones are released.
func TestToolsets_AreSharedWhileSomebodyHasThem(t *testing.T) {
	sets := newToolsets()
	list := func(description string) []sdk.Tool {
		return []sdk.Tool{{Name: "f", Description: description, Parameters: []byte(`{"type":"object"}`)}, {Name: "g"}}
	}
	first, again, other := sets.share(list("a")), sets.share(list("a")), sets.share(list("b"))
	if first != again || first == other || other.tools[0].Description != "b" {
		t.Errorf("%+v, %+v, %+v", first, again, other)
	}
	if sets.share(nil).tools != nil || sets.share([]sdk.Tool{}).tools == nil {
		t.Error("a request without tools is another one")
	}
	runtime.KeepAlive(first)
	runtime.KeepAlive(other)
	until(t, func() bool {
		runtime.GC()
		sets.mu.Lock()
		defer sets.mu.Unlock()
		return len(sets.lists) == 0
	})
}

// TestCalls_WhatAWaitingOneHolds checks that a waiting call holds no tools that others also use, and no messages that
// were sent before.
func TestCalls_WhatAWaitingOneHolds(t *testing.T) {
	const calls, size = 32, 256 << 10
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	p := stalled{begun: make(chan struct{}, calls), wait: make(chan struct{})}
	opening := fmt.Sprintf(`{"tools":[{"type":"function","function":{"name":"f","description":%q}}],`+
		`"messages":[{"role":"user","content":%q}`, strings.Repeat("t", size), strings.Repeat("m", size))
	granted := make([]*sdk.ToolEndpoint, calls)
	for i := range granted {
		e, end := g.Grant(t.Context(), Lease{Model: p})
		t.Cleanup(func() { end() })
		granted[i] = &sdk.ToolEndpoint{URL: e.BaseURL + "/chat/completions", Token: e.APIKey}
		if got := play(t, g, granted[i], opening+"]}", nil, whole).answer(); !strings.Contains(got, "said") {
			t.Fatal(got)
		}
	}
	before := held()
	waiting := make([]*played, calls)
	for i, e := range granted {
		more := opening + `,{"role":"assistant","content":"said"},{"role":"user","content":"more"}]}`
		waiting[i] = play(t, g, e, more, nil, whole)
	}
	for range calls {
		<-p.begun
	}
	if each := (held() - before) / calls; each > size/4 {
		t.Errorf("a call with tools of %[1]d bytes, behind messages of %[1]d, holds %[2]d", size, each)
	}
	close(p.wait)
	for _, p := range waiting {
		if got := p.answer(); !strings.Contains(got, "said") {
			t.Error(got)
		}
	}
}

// TestCalls_WaitingOnesCount checks that the messages of waiting calls count as bytes being read, for the key and for
// the run, until they are answered.
func TestCalls_WaitingOnesCount(t *testing.T) {
	const size = 1 << 20
	body := func(n int) string {
		return fmt.Sprintf(`{"messages":[{"role":"user","content":"%d%s"}]}`, n, strings.Repeat("x", size))
	}
	for name, most := range map[string]bounds{
		"of a key": {ofLease: 5 * size / 2, bodies: defaultBounds.bodies},
		"of a run": {ofLease: 10 * size, bodies: 5 * size / 2},
	} {
		t.Run(name, func(t *testing.T) {
			limits := defaultBounds
			limits.ofLease, limits.bodies = most.ofLease, most.bodies
			g, err := listen(Options{}, limits)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(g.Close)
			p := &policy{wait: make(chan struct{})}
			e, _ := g.Grant(t.Context(), Lease{Model: p})
			at := &sdk.ToolEndpoint{URL: e.BaseURL + "/chat/completions", Token: e.APIKey}
			waiting := []*played{play(t, g, at, body(1), nil, whole), play(t, g, at, body(2), nil, whole)}
			until(t, func() bool { return len(p.asked()) == 2 })
			if status, text := post(t, e, body(3), nil); status != 429 || len(p.asked()) != 2 {
				t.Errorf("a third one: %d: %.200s", status, text)
			}
			close(p.wait)
			for _, w := range waiting {
				w.answer()
			}
			until(t, func() bool { return g.left.Load() == limits.bodies })
			if status, text := post(t, e, body(3), nil); status != 200 {
				t.Errorf("once they are answered: %d: %.200s", status, text)
			}
		})
	}
}

// TestRequests_AreCopiedRarely checks how many bytes are allocated for a request, in proportion to its size. The
// client's part is included.
func TestRequests_AreCopiedRarely(t *testing.T) {
	const size = 4 << 20
	many := func(part string) string { return strings.Repeat(part, size/len(part)) }
	text := strings.Repeat("x", 1000)
	for name, c := range map[string]struct{ path, body string }{
		"chat completions, a text": {"/chat/completions", `{"messages":[{"role":"user","content":"` + many("x") + `"}]}`},
		"chat completions, an image": {"/chat/completions", `{"messages":[{"role":"user","content":[{"type":"image_url",` +
			`"image_url":{"url":"data:image/png;base64,` + many("AAAA") + `"}}]}]}`},
		"Responses, a text": {"/responses", `{"input":"` + many("x") + `"}`},
		"Responses, reasoning": {"/responses", `{"input":[` +
			many(`{"type":"reasoning","content":"`+text+`"},`) + `{"role":"user","content":"q"}]}`},
		"Messages, a text": {"/messages", `{"max_tokens":9,"messages":[{"role":"user","content":"` + many("x") + `"}]}`},
		"Messages, turns of a user": {"/messages", `{"max_tokens":9,"messages":[` +
			many(`{"role":"user","content":"`+text+`"},`) + `{"role":"user","content":"q"}]}`},
		"Messages, blocks of an assistant": {"/messages", `{"max_tokens":9,"messages":[{"role":"assistant","content":[` +
			many(`{"type":"text","text":"`+text+`"},`) + `{"type":"text","text":"q"}]}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := serve(t, &policy{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			status, answer := post(t, e, c.body, func(r *http.Request) { r.URL.Path = "/v1" + c.path })
			runtime.ReadMemStats(&after)
			if status != http.StatusOK {
				t.Fatalf("%d: %.200s", status, answer)
			}
			if times := float64(after.TotalAlloc-before.TotalAlloc) / size; times > 10 {
				t.Errorf("a request of %d bytes allocates %.1f times as many", size, times)
			}
		})
	}
}

// TestRequests_OfAProgramHaveBoundedMemory checks that large requests that wait for the policy hold about as much as
// the limit of their key, whatever they consist of. The others are refused.
func TestRequests_OfAProgramHaveBoundedMemory(t *testing.T) {
	const requests, size = 24, 1 << 20
	many := func(part string, size int) string { return strings.Repeat(part, size/len(part)) }
	for name, c := range map[string]struct {
		body    string // %d: the number of the request
		chunked bool
		status  int // of refused requests
	}{
		"a text": {body: `{"messages":[{"role":"user","content":"%d` + many("x", size) + `"}]}`, status: 429},
		"a text of unknown size": {body: `{"messages":[{"role":"user","content":"%d` + many("x", size) + `"}]}`, status: 429,
			chunked: true},
		"tools": {body: `{"messages":[{"role":"user"}],"tools":[{"type":"function","function":{"name":"f%d","description":"` +
			many("x", size) + `"}}]}`, status: 429},
		"small messages": {body: `{"messages":[{"role":"user","content":"%d"}` + many(`,{"role":"user"}`, size/16) + `]}`,
			status: 429},
		"small calls": {body: `{"messages":[{"role":"assistant","content":"%d","tool_calls":[{}` + many(`,{}`, size/32) +
			`]}]}`, status: 429},
		"too many small values": {body: `{"metadata":{"a":[0` + many(",0", size/4) + `]},"messages":[{"role":"user",` +
			`"content":"%d"}]}`, status: 413},
	} {
		t.Run(name, func(t *testing.T) {
			limits := defaultBounds
			limits.ofLease, limits.decode = 8*size, 16*size
			g, err := listen(Options{}, limits)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(g.Close)
			p := &policy{wait: make(chan struct{})}
			e, _ := g.Grant(t.Context(), Lease{Model: p})
			before := held()
			var refused atomic.Int64
			var playing sync.WaitGroup
			for i := range requests {
				playing.Go(func() {
					at := strings.Index(c.body, "%d")
					body := io.MultiReader(strings.NewReader(c.body[:at]), strings.NewReader(fmt.Sprint(i)),
						strings.NewReader(c.body[at+2:]))
					status, text := post(t, e, "", func(r *http.Request) {
						r.Body, r.ContentLength = io.NopCloser(body), int64(len(c.body)-2+len(fmt.Sprint(i)))
						if c.chunked {
							r.ContentLength = -1
						}
					})
					if status != http.StatusOK {
						refused.Add(1)
					}
					if status != http.StatusOK && status != c.status {
						t.Errorf("%d: %.200s", status, text)
					}
				})
			}
			until(t, func() bool { return int(refused.Load())+len(p.asked()) == requests })
			if grown := held() - before; refused.Load() == 0 || grown > 2*limits.ofLease {
				t.Errorf("%d of %d are refused, and the others hold %d of %d bytes", refused.Load(), requests, grown,
					limits.ofLease)
			}
			close(p.wait)
			playing.Wait()
			until(t, func() bool { return g.left.Load() == limits.bodies })
		})
	}
}

func TestDecodeCost_CountsValuesOutsideOfTexts(t *testing.T) {
	for text, want := range map[string]int64{
		`{"a":[1,"x\",\\",{"b":"[{,"}]}`: 5, `{"a\\":"{","b":1}`: 2, `"\\\",,,"`: 0, `{`: 1, `{},{}`: 3, ``: 0,
	} {
		if got := (decodeCost([]byte(text)) - 2*int64(len(text))) / valueBytes; got != want {
			t.Errorf("%s has %d values, want %d", text, got, want)
		}
	}
}
