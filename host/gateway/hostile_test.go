package gateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// dialed opens a connection to a gateway and sends raw bytes on it.
func dialed(t *testing.T, g *Gateway, say string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", g.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, say); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// answerTo reads an answer.
func answerTo(t *testing.T, in *bufio.Reader) (int, string) {
	t.Helper()
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// head returns the beginning of a request.
func head(e sdk.ModelEndpoint, path string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n",
		path, e.APIKey, length)
}

const chatPath = "/v1/chat/completions"

// soon is long enough for a request on a busy machine, and short enough to wait for.
const soon = 3 * time.Second

// huge answers with more bytes than the buffers of a connection hold.
func huge(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
	return &sdk.ModelReply{Message: sdk.Message{Content: "answer 1" + strings.Repeat("x", 16<<20)}}, nil
}

// TestHostile_ChangesNothingForOthers checks that a client's actions, with one episode's key or without a key, do not
// affect another episode's conversation, and that the policy gets no additional requests.
func TestHostile_ChangesNothingForOthers(t *testing.T) {
	for name, c := range map[string]struct {
		attack func(t *testing.T, g *Gateway, e sdk.ModelEndpoint)
		bound  func(b *bounds)
		answer func(int, sdk.ModelRequest) (*sdk.ModelReply, error)
		asked  int // requests to the policy with the attacker's key
	}{
		"a reader that does not read": {answer: huge, asked: 1, bound: func(b *bounds) { b.write = soon }, attack: func(
			t *testing.T, g *Gateway, e sdk.ModelEndpoint,
		) {
			body := strings.TrimSuffix(question, "}") + `,"stream":true}`
			c, _ := dialed(t, g, head(e, chatPath, len(body))+body)
			until(t, func() bool { return g.at(e).idle() }) // the gateway has stopped waiting
			_ = c.Close()
			// A repeated request gets the sampled message.
			if status, text := post(t, e, question, nil); status != 200 || !strings.Contains(text, "answer 1x") {
				t.Errorf("%d: %.100s", status, text)
			}
		}},
		"a reader that does not read, at the end": {answer: huge, asked: 1, bound: func(b *bounds) {
			b.write = time.Hour // the end does not wait for it
		}, attack: func(
			t *testing.T, g *Gateway, e sdk.ModelEndpoint,
		) {
			dialed(t, g, head(e, chatPath, len(question))+question)
			l := g.at(e)
			until(t, func() bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return l.asked.bytes > 0 // the answer is being written
			})
		}},
		"half a header": {bound: func(b *bounds) { b.header = soon }, attack: func(
			t *testing.T, g *Gateway, _ sdk.ModelEndpoint,
		) {
			c, in := dialed(t, g, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n")
			if _, err := in.ReadByte(); !errors.Is(err, io.EOF) { // the connection is closed
				t.Errorf("%v of %v", err, c.LocalAddr())
			}
		}},
		"no word": {bound: func(b *bounds) { b.header = soon }, attack: func(t *testing.T, g *Gateway, _ sdk.ModelEndpoint) {
			if _, in := dialed(t, g, ""); !closes(in) {
				t.Error("the connection stays open")
			}
		}},
		"half a body": {bound: func(b *bounds) { b.read = soon }, attack: func(
			t *testing.T, g *Gateway, e sdk.ModelEndpoint,
		) {
			_, in := dialed(t, g, head(e, chatPath, 1000)+`{"messages":[`)
			if status, text := answerTo(t, in); status != http.StatusRequestTimeout || !closes(in) {
				t.Errorf("%d: %s", status, text)
			}
		}},
		"100 MiB": {bound: func(b *bounds) { b.body = 4 << 20 }, attack: func(
			t *testing.T, _ *Gateway, e sdk.ModelEndpoint,
		) {
			for _, chunked := range []bool{false, true} {
				var body io.Reader = &spaces{left: 100 << 20}
				if chunked {
					body = io.MultiReader(&spaces{left: 10 << 20})
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.BaseURL+"/chat/completions", body)
				if err != nil {
					t.Fatal(err)
				}
				if !chunked {
					r.ContentLength = 100 << 20
				}
				r.Header.Set("Authorization", "Bearer "+e.APIKey)
				response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
				if err == nil {
					_ = response.Body.Close()
				}
				// If the body exceeds the bytes read before the error, a client may only see the closed connection.
				if err == nil && response.StatusCode != http.StatusRequestEntityTooLarge || err != nil && chunked {
					t.Errorf("chunked %t: %v, %+v", chunked, err, response)
				}
			}
		}},
		"no key, and 100 MiB": {attack: func(t *testing.T, g *Gateway, _ sdk.ModelEndpoint) {
			_, in := dialed(t, g, head(sdk.ModelEndpoint{APIKey: "aw-none"}, chatPath, 100<<20)+"{")
			if status, text := answerTo(t, in); status != http.StatusUnauthorized {
				t.Errorf("%d: %s", status, text)
			}
		}},
		"no key, and a body that does not come": {bound: func(b *bounds) { b.read = soon }, attack: func(
			t *testing.T, g *Gateway, _ sdk.ModelEndpoint,
		) {
			for _, path := range []string{chatPath, "/v1/messages/count_tokens", "/v1/models", toolsPath, "/nothing"} {
				c, in := dialed(t, g, head(sdk.ModelEndpoint{APIKey: "aw-none"}, path, 10))
				_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // limits only a failing test
				if !closes(in) {
					t.Errorf("%s: the connection stays open", path)
				}
			}
		}},
		"another run's key": {attack: func(t *testing.T, _ *Gateway, e sdk.ModelEndpoint) {
			other, _ := serve(t, &policy{})
			e.APIKey = other.APIKey
			if status, text := post(t, e, question, nil); status != http.StatusUnauthorized {
				t.Errorf("%d: %s", status, text)
			}
		}},
		"garbage after a request": {asked: 1, attack: func(t *testing.T, g *Gateway, e sdk.ModelEndpoint) {
			_, in := dialed(t, g, head(e, chatPath, len(question))+question+"\x00\x01garbage\r\n\r\n"+question)
			if status, text := answerTo(t, in); status != http.StatusOK {
				t.Errorf("%d: %s", status, text)
			}
			if status, _ := answerTo(t, in); status != http.StatusBadRequest || !closes(in) {
				t.Errorf("garbage: %d", status)
			}
		}},
		"too many at a time": {bound: func(b *bounds) { b.perLease = 2 }, attack: func(
			t *testing.T, g *Gateway, e sdk.ModelEndpoint,
		) {
			for range g.bounds.perLease {
				dialed(t, g, head(e, chatPath, 1000)+"{")
			}
			until(t, func() bool {
				status, text := post(t, e, "{}", nil)
				return status == http.StatusTooManyRequests && strings.Contains(text, "try again later")
			})
		}},
		"too many bytes at a time": {bound: func(b *bounds) { b.body, b.ofLease = 4<<20, 8<<20 }, attack: func(
			t *testing.T, g *Gateway, e sdk.ModelEndpoint,
		) {
			part := strings.Repeat(" ", int(g.bounds.body)-1)
			for range g.bounds.ofLease / g.bounds.body {
				dialed(t, g, head(e, chatPath, len(part)+1)+part)
			}
			until(t, func() bool { return g.at(e).left.Load() < 10 })
			status, text := post(t, e, strings.Repeat(" ", 100)+question, nil)
			if status != http.StatusTooManyRequests || !strings.Contains(text, "try again later") {
				t.Errorf("%d: %s", status, text)
			}
		}},
		"a loop without an end": {asked: 8, bound: func(b *bounds) { b.calls = 8 }, attack: func(
			t *testing.T, _ *Gateway, e sdk.ModelEndpoint,
		) {
			n := 0
			for status := http.StatusOK; status == http.StatusOK; n++ {
				status, _ = post(t, e, question, nil)
			}
			if status, text := post(t, e, question, nil); n != 9 || status != 410 || !strings.Contains(text, "8 messages") {
				t.Errorf("after %d: %d: %s", n, status, text)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bounds := defaultBounds
			if c.bound != nil {
				c.bound(&bounds)
			}
			g, err := listen(Options{}, bounds)
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			mine, theirs := &policy{}, &policy{answer: c.answer}
			e, end := g.Grant(t.Context(), Lease{Model: mine})
			attacker, endAttacker := g.Grant(t.Context(), Lease{Model: theirs})
			var playing sync.WaitGroup
			playing.Go(func() { playTurns(t, e, 4) })
			c.attack(t, g, attacker)
			playing.Wait()
			playTurns(t, e, 1)
			want := map[string]float64{metricCalls: 5, metricSiblings: 1} // its last turn repeats the first one
			if diff := cmp.Diff(want, end()); diff != "" || len(mine.asked()) != 5 {
				t.Errorf("the other episode has %d calls (-want +got):\n%s", len(mine.asked()), diff)
			}
			if got := len(theirs.asked()); got != c.asked {
				t.Errorf("the policy was asked %d times with the attacker's key, want %d", got, c.asked)
			}
			endAttacker()
			until(t, func() bool { return g.left.Load() == g.bounds.bodies })
		})
	}
}

// playTurns requests the given number of messages, one after the other.
func playTurns(t *testing.T, e sdk.ModelEndpoint, turns int) {
	t.Helper()
	for n := range turns {
		body := strings.Replace(question, "1+2", fmt.Sprint("turn ", n), 1)
		if status, text := post(t, e, body, nil); status != http.StatusOK || !strings.Contains(text, "answer ") {
			t.Errorf("turn %d: %d: %s", n, status, text)
		}
	}
}

func (g *Gateway) at(e sdk.ModelEndpoint) *lease {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.leases[e.APIKey]
}

// idle reports whether no request is in progress and at least one was made.
func (l *lease) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0 && l.given > 0
}

// until waits for an expected condition.
func until(t *testing.T, happened func() bool) {
	t.Helper()
	for !happened() {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		time.Sleep(time.Millisecond)
	}
}

// closes reports whether a connection ends, possibly after further bytes.
func closes(in *bufio.Reader) bool {
	_, err := io.Copy(io.Discard, in)
	return err == nil || errors.Is(err, net.ErrClosed) || strings.Contains(err.Error(), "reset")
}

// spaces reads as the given number of spaces.
type spaces struct{ left int }

func (s *spaces) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), s.left)
	for i := range p[:n] {
		p[i] = ' '
	}
	s.left -= n
	return n, nil
}
