package bridge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

// rawConn is a connection that may send arbitrary lines.
type rawConn struct {
	net.Conn
	in *bufio.Reader
}

func dial(t testing.TB, s *bridge.Server) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testTimeout)); err != nil {
		t.Fatal(err)
	}
	return &rawConn{Conn: conn, in: bufio.NewReader(conn)}
}

func (r *rawConn) send(t testing.TB, line any) {
	t.Helper()
	text, isText := line.(string)
	if !isText {
		encoded, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	if _, err := io.WriteString(r, text+"\n"); err != nil {
		t.Fatal(err)
	}
}

// receive returns the next line, or nil at the end.
func (r *rawConn) receive(t testing.TB) map[string]any {
	t.Helper()
	line, err := r.in.ReadBytes('\n')
	if err != nil {
		return nil
	}
	var out map[string]any
	if err := json.Unmarshal(line, &out); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out
}

func token(t testing.TB, s *bridge.Server) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.EndpointFile()), "bridge.token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func hello(t testing.TB, s *bridge.Server) map[string]any {
	return map[string]any{
		"type": "hello", "protocol": []int{1}, "run": "full-1", "epoch": 1, "token": token(t, s), "session": "s1",
		"received": 0,
		"role":     "both", "framework": "x", "framework_version": "1", "node": "n", "pid": 1, "capabilities": []string{},
	}
}

// greeted returns a connection after its handshake.
func greeted(t testing.TB, s *bridge.Server) *rawConn {
	t.Helper()
	r := dial(t, s)
	r.send(t, hello(t, s))
	if ack := r.receive(t); ack["type"] != "hello_ack" {
		t.Fatalf("got %v, want hello_ack", ack)
	}
	return r
}

func TestHandshake_RejectsUnauthenticated(t *testing.T) {
	var logged lockedBuffer
	s := listen(t, newHost(1), func(o *bridge.Options) { o.Logger = slog.New(slog.NewTextHandler(&logged, nil)) })
	with := func(name string, value any) map[string]any {
		h := hello(t, s)
		h[name] = value
		return h
	}
	for name, c := range map[string]struct {
		line any
		want string
	}{
		"garbage":         {"GET / HTTP/1.1", "line"},
		"an empty line":   {"", "line"},
		"an array":        {"[]", "line"},
		"null":            {"null", "line"},
		"not UTF-8":       {"{\"type\":\"hello\",\"run\":\"\xff\"}", "line"},
		"another frame":   {with("type", "ping"), "line"},
		"no session":      {with("session", ""), "line"},
		"a huge session":  {with("session", strings.Repeat("x", 129)), "line"},
		"a huge line":     {with("node", strings.Repeat("x", 5000)), "line"},
		"a wrong type":    {with("epoch", "one"), "line"},
		"an older epoch":  {with("epoch", 0), "epoch"},
		"a later epoch":   {with("epoch", 2), "epoch"},
		"a guessed token": {with("token", strings.Repeat("0", 64)), "token"},
		"no token":        {with("token", ""), "token"},
		"a later version": {with("protocol", []int{2, 3}), "protocol"},
		"another run":     {with("run", "full-2"), "run"},
		// Both are wrong after a restart: the worker retries only after the first.
		"an earlier token and epoch": {func() any { h := with("epoch", 0); h["token"] = "old"; return h }(), "epoch"},
	} {
		t.Run(name, func(t *testing.T) {
			r := dial(t, s)
			r.send(t, c.line)
			got := r.receive(t)
			if got["type"] != "refused" || got["code"] != c.want || got["detail"] == "" {
				t.Errorf("got %v, want refused with code %s and a detail", got, c.want)
			}
			if text := fmt.Sprint(got); strings.Contains(text, token(t, s)) {
				t.Errorf("the token is in %s", text)
			}
			if after := r.receive(t); after != nil {
				t.Errorf("then got %v, want the end of the connection", after)
			}
		})
	}
	if text := logged.String(); strings.Contains(text, token(t, s)) || !strings.Contains(text, "refused") {
		t.Errorf("the log is %s, want the refusals and not the token", text)
	}
}

// lockedBuffer is written by goroutines of the server.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

func TestHandshake_SecondConnectionOfASessionIsBusy(t *testing.T) {
	s := listen(t, newHost(1), nil)
	first := greeted(t, s)
	second := dial(t, s)
	second.send(t, hello(t, s))
	if got := second.receive(t); got["code"] != "busy" {
		t.Errorf("got %v, want busy", got)
	}
	first.Close()
	eventually(t, "the session is free again", func() bool {
		third := dial(t, s)
		defer third.Close()
		third.send(t, hello(t, s))
		return third.receive(t)["type"] == "hello_ack"
	})
}

func TestHandshake_Timeout(t *testing.T) {
	s := listen(t, newHost(1), func(o *bridge.Options) { *o = o.WithHandshakeTimeout(50 * time.Millisecond) })
	r := dial(t, s)
	if _, err := io.WriteString(r, `{"type":"hello",`); err != nil {
		t.Fatal(err)
	}
	if got := r.receive(t); got != nil {
		t.Errorf("got %v, want the end of the connection", got)
	}
}

func TestHandshake_UnauthenticatedDoNotBlockWorkers(t *testing.T) {
	s := listen(t, newHost(1), func(o *bridge.Options) { *o = o.WithHandshakeTimeout(300 * time.Millisecond) })
	for range bridge.MaxUnauthenticated + 20 {
		dial(t, s)
	}
	work(t, s, bridgetest.Options{}) // Start returns once it is connected
}

func TestConnection_GarbageKeepsSession(t *testing.T) {
	s := listen(t, newHost(1), nil)
	for name, line := range map[string]string{
		"no JSON": "hello?", "an array": "[1]", "a gap": `{"type":"event","seq":7,"body":{"log":{}}}`,
		"an acknowledgement without a number": `{"type":"ack","ack":9}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := greeted(t, s)
			r.send(t, line)
			if got := r.receive(t); got != nil {
				t.Errorf("got %v, want the end of the connection", got)
			}
			eventually(t, "the session waits", func() bool { return !s.Workers()[0].Connected })
		})
	}
}

func TestSession_EndsWithABodyThatCannotBeRead(t *testing.T) {
	for name, line := range map[string]string{
		"an episode":               `{"type":"run_episode","seq":1,"body":{"group_size":"many"}}`,
		"an episode without id":    `{"type":"run_episode","seq":1,"body":{}}`,
		"no body":                  `{"type":"run_episode","seq":1}`,
		"an event":                 `{"type":"event","seq":1,"body":{}}`,
		"a number that is not one": `{"type":"event","seq":1,"body":{"metrics":{"values":{"a":"NaN"}}}}`,
		"a boundary without id":    `{"type":"boundary","seq":1,"body":{"step":"1"}}`,
		"an event without a seq":   `{"type":"event","body":{"log":{"message":"x"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := listen(t, newHost(1), nil)
			r := greeted(t, s)
			r.send(t, line)
			if got := r.receive(t); got["type"] != "refused" || got["code"] != "line" {
				t.Errorf("got %v, want refused with code line", got)
			}
			eventually(t, "the session has ended", func() bool { return len(s.Workers()) == 0 })
		})
	}
}

func TestConnection_IgnoresUnknownFrames(t *testing.T) {
	h := newHost(1)
	s := listen(t, h, nil)
	r := greeted(t, s)
	r.send(t, `{"type":"moon","phase":3}`)
	r.send(t, `{"type":"weather","seq":1,"body":{"sun":true}}`)
	r.send(t, `{"type":"event","seq":2,"colour":"red","body":{"log":{"message":"known","shade":1}}}`)
	r.send(t, `{"type":"ping"}`)
	for {
		got := r.receive(t)
		if got == nil {
			t.Fatal("the connection ended")
		}
		if got["ack"] == float64(2) {
			break
		}
	}
	if len(h.events) != 1 || h.events[0].Log.Message != "known" {
		t.Errorf("got %v, want the known event", h.events)
	}
}

func TestConnection_EndsWhenThePeerIsSilent(t *testing.T) {
	s := listen(t, newHost(1), func(o *bridge.Options) { o.PingInterval = 20 * time.Millisecond })
	r := greeted(t, s)
	pings := 0
	for got := r.receive(t); got != nil; got = r.receive(t) {
		if got["type"] != "ping" {
			t.Errorf("got %v, want pings", got)
		}
		pings++
	}
	if pings == 0 {
		t.Error("the server sent nothing before it disconnected")
	}
	eventually(t, "the session waits for the worker", func() bool { return !s.Workers()[0].Connected })
}

// A worker that does not read must cost a bounded amount of memory and must not affect other workers.
func TestSlowReader_LosesOnlyItsSession(t *testing.T) {
	b, sampled := blockedHandler{newHost(0), make(chan string, 2)}, newSampler()
	s := listen(t, b.host, func(o *bridge.Options) {
		o.Handler, o.PingInterval = b, 100*time.Millisecond
		*o = o.WithKeptBytes(256 << 10)
	})
	slow := greeted(t, s)
	slow.send(t, `{"type":"run_episode","seq":1,"body":{"episode_id":"slow"}}`)
	<-b.opened
	stop := make(chan struct{})
	var chatter sync.WaitGroup
	chatter.Go(func() { // it sends, so it counts as alive
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				_, _ = io.WriteString(slow, "{\"type\":\"ping\"}\n")
			}
		}
	})
	w := work(t, s, bridgetest.Options{Sample: sampled.sample})
	ctx, cancel := context.WithCancel(within(t))
	var asking sync.WaitGroup
	asking.Go(func() { _, _ = w.RunEpisode(ctx, episode("quick")) })
	<-b.opened
	big := []sdk.Message{{Role: sdk.RoleUser, Content: strings.Repeat("x", 100_000)}}
	aborted := make(chan error, 200)
	for i := range 200 {
		asking.Go(func() {
			_, err := s.Generate(ctx, sdk.GenerateRequest{EpisodeID: "slow", CallID: fmt.Sprint("c", i), Messages: big})
			aborted <- err
		})
		if _, err := s.Generate(ctx, sdk.GenerateRequest{EpisodeID: "quick", CallID: fmt.Sprint("q", i)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 200 {
		if err := <-aborted; err == nil || !strings.Contains(err.Error(), "does not read its data") &&
			!strings.Contains(err.Error(), "no worker has opened it") {
			t.Fatalf("got %v, want an error about a worker that does not read", err)
		}
	}
	if workers := s.Workers(); len(workers) != 1 || !workers[0].Connected {
		t.Errorf("%+v are left, want the quick one", workers)
	}
	close(stop)
	chatter.Wait()
	cancel()
	asking.Wait()
}

// A worker that reports faster than the host processes must be stopped before memory runs out.
func TestFlood_EndsTheSession(t *testing.T) {
	b := stuckHandler{blockedHandler{newHost(0), make(chan string)}}
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler = b; *o = o.WithKeptBytes(256 << 10) })
	r := greeted(t, s)
	go func() {
		for seq := 1; ; seq++ {
			line := fmt.Sprintf(`{"type":"event","seq":%d,"body":{"log":{"message":%q}}}`+"\n", seq, strings.Repeat("x", 10_000))
			if _, err := io.WriteString(r, line); err != nil {
				return
			}
		}
	}()
	eventually(t, "the session has ended", func() bool { return len(s.Workers()) == 0 })
}

func TestCredits_OverdrawnIsReported(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 2)}
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler, o.Credits = b, 1 })
	r := greeted(t, s)
	r.send(t, `{"type":"run_episode","seq":1,"body":{"episode_id":"e1"}}`)
	r.send(t, `{"type":"run_episode","seq":2,"body":{"episodeId":"e1"}}`) // joins
	r.send(t, `{"type":"run_episode","seq":3,"body":{"episode_id":"e2"}}`)
	got := r.receive(t)
	failure, _ := got["error"].(map[string]any)
	if got["type"] != "result" || got["episode_id"] != "e2" || failure["code"] != "credits" {
		t.Errorf("got %v, want an error credits for e2", got)
	}
	if open := s.Workers()[0].OpenEpisodes; open != 1 {
		t.Errorf("%d episodes are open, want 1", open)
	}
}

func TestGenerate_UnreadableAnswerFailsOnlyTheCall(t *testing.T) {
	b := blockedHandler{newHost(0), make(chan string, 1)}
	s := listen(t, b.host, func(o *bridge.Options) { o.Handler = b })
	r := greeted(t, s)
	r.send(t, `{"type":"run_episode","seq":1,"body":{"episode_id":"e1"}}`)
	<-b.opened
	answers := []string{`"body":{"message":7}`, `"error":{"kind":"KIND_UNKNOWN_YET"}`, `"error":{}`}
	for i, answer := range answers {
		failure := make(chan error, 1)
		go func() {
			_, err := s.Generate(within(t), sdk.GenerateRequest{EpisodeID: "e1", CallID: fmt.Sprint("c", i)})
			failure <- err
		}()
		for got := r.receive(t); got["type"] != "generate"; got = r.receive(t) {
		}
		r.send(t, fmt.Sprintf(`{"type":"generated","seq":%d,"episode_id":"e1","call_id":"c%d",%s}`, i+2, i, answer))
		if err := <-failure; err == nil || !strings.Contains(err.Error(), "engine") ||
			!strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("%s: got %v, want an error of the engine", answer, err)
		}
	}
}
