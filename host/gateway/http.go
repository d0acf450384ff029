package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// mostBodyBytes bounds a request.
const mostBodyBytes = 64 << 20

// The kinds of problems, as OpenAI names them.
const (
	kindInvalid        = "invalid_request_error"
	kindAuthentication = "authentication_error"
	kindServer         = "server_error"
)

// problem is an error as a client of OpenAI's gets it.
type problem struct {
	status int
	kind   string
	code   string
	param  string
	text   string
}

// Error implements error.
func (p *problem) Error() string { return p.text }

func refused(param, format string, args ...any) *problem {
	return &problem{status: http.StatusBadRequest, kind: kindInvalid, param: param, text: fmt.Sprintf(format, args...)}
}

// ask is what a request wants, whatever the words in which it says so.
type ask struct {
	request chat.Request
	samples int
	stream  bool
	usage   bool     // in the stream
	owned   []string // parameters that are the spec's
}

func (g *Gateway) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", g.completions)
	mux.HandleFunc("GET /v1/models", g.models)
	mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, &problem{status: http.StatusNotFound, kind: kindInvalid,
			text: fmt.Sprintf("%s %s is not served: POST /v1/chat/completions and GET /v1/models are", r.Method, r.URL.Path)})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := foreign(r); p != nil {
			fail(w, p)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// foreign refuses what a page in a browser sends: another name for this machine, or another page's origin.
func foreign(r *http.Request) *problem {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return &problem{status: http.StatusForbidden, kind: kindInvalid, text: "this host is not served"}
	}
	if r.Header.Get("Origin") != "" {
		return &problem{status: http.StatusForbidden, kind: kindInvalid, text: "pages in browsers are not served"}
	}
	return nil
}

// models lists the one model that there is, whatever a program calls it.
func (g *Gateway) models(w http.ResponseWriter, r *http.Request) {
	if _, p := g.of(r); p != nil {
		fail(w, p)
		return
	}
	reply(w, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": modelName, "object": "model", "created": 0, "owned_by": "awhost"},
	}})
}

// modelName is what the policy is called.
const modelName = "policy"

func (g *Gateway) completions(w http.ResponseWriter, r *http.Request) {
	l, p := g.of(r)
	if p != nil {
		fail(w, p)
		return
	}
	if !l.enter() {
		fail(w, errOver)
		return
	}
	defer l.leave()
	body, p := read(w, r)
	if p != nil {
		fail(w, p)
		return
	}
	a, key, p := decodeChat(body, l.Tools)
	if p != nil {
		g.options.Log.Warn("a request was refused", "problem", p.text)
		fail(w, p)
		return
	}
	l.owned(a.owned)
	c := l.ask(key, a)
	arrived := false
	defer func() { l.release(key, c, arrived) }()
	out := &answer{w: w, ctx: r.Context(), ask: a, keepAlive: g.options.KeepAlive}
	if !out.await(c.done, l.ctx.Done()) {
		return // nobody listens any more: whoever asks again gets the answer
	}
	if c.err != nil {
		arrived = out.fail(problemOf(c.err))
		return
	}
	arrived = out.write(c.replies)
}

// read takes a body, up to a size.
func read(w http.ResponseWriter, r *http.Request) ([]byte, *problem) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBodyBytes))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, kind: kindInvalid,
			text: fmt.Sprintf("a request has at most %d MiB", mostBodyBytes>>20)}
	}
	if err != nil {
		return nil, refused("", "the request ended too early: %v", err)
	}
	return body, nil
}

// keyOf is what makes two requests equal.
func keyOf(members map[string]json.RawMessage) bodyKey {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name == "stream" || name == "stream_options" {
			continue
		}
		fmt.Fprintf(h, "%q:%d:", name, len(members[name]))
		h.Write(members[name])
	}
	return bodyKey(h.Sum(nil))
}

// problemOf is an error of the policy as a program gets it. The words of one that is too long make harnesses compact
// their conversation.
func problemOf(err error) *problem {
	var full *sdk.GenerateError
	var failure *sdk.Failure
	switch {
	case errors.As(err, &full) && full.Kind == sdk.GenerateContextFull:
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, code: "context_length_exceeded", param: "messages",
			text: "This model's maximum context length is reached: " + full.Detail +
				". Please reduce the length of the messages."}
	case errors.Is(err, context.Canceled), errors.Is(err, sdk.ErrLease):
		return errOver
	case errors.As(err, &failure) && failure.Class == sdk.FailureAgent:
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: failure.Detail}
	}
	return &problem{status: http.StatusInternalServerError, kind: kindServer, code: "episode_failed",
		text: "the episode has failed: " + err.Error()}
}

func (p *problem) body() []byte {
	member := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	text, _ := json.Marshal(map[string]any{"error": map[string]any{ // texts have a JSON form
		"message": p.text, "type": p.kind, "code": member(p.code), "param": member(p.param),
	}})
	return text
}

func fail(w http.ResponseWriter, p *problem) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Should-Retry", "false") // what fails here fails again
	w.WriteHeader(p.status)
	_, _ = w.Write(p.body())
}

func reply(w http.ResponseWriter, value any) bool {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		fail(w, &problem{status: http.StatusInternalServerError, kind: kindServer, text: err.Error()})
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(b.Bytes())
	return err == nil
}

// stamp is the time that an answer bears: none, so that equal answers are equal.
var stamp = time.Unix(0, 0).Unix()

func joined(parts []string) string { return strings.Join(parts, "") }
