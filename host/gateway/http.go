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
	foreign []string // the types of tools that a provider would run: the policy is not offered them
	// namespaces are those of tools, and their names in them, by the names that the policy knows.
	namespaces map[string][2]string
}

func (g *Gateway) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", g.serve(completions{}))
	mux.HandleFunc("POST /v1/responses", g.serve(responses{}))
	mux.HandleFunc("POST /v1/messages", g.serve(messages{}))
	mux.HandleFunc("GET /v1/models", g.models)
	mux.HandleFunc(toolsPath, g.tools)
	mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, completions{}, &problem{status: http.StatusNotFound, kind: kindInvalid,
			text: fmt.Sprintf("%s %s is not served: POST /v1/chat/completions, /v1/responses and "+
				"/v1/messages, GET /v1/models and %s are", r.Method, r.URL.Path, toolsPath)})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := foreign(r); p != nil {
			fail(w, completions{}, p)
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
		fail(w, completions{}, p)
		return
	}
	reply(w, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": modelName, "object": "model", "created": 0, "owned_by": "awhost"},
	}})
}

// modelName is what the policy is called.
const modelName = "policy"

// serve answers requests of a dialect.
func (g *Gateway) serve(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l, p := g.of(r)
		if p != nil {
			fail(w, d, p)
			return
		}
		if !l.enter() {
			fail(w, d, errOver)
			return
		}
		defer l.leave()
		body, p := read(w, r, mostBodyBytes)
		if p != nil {
			fail(w, d, p)
			return
		}
		a, key, p := l.decode(d, body, r.Header)
		if p != nil {
			g.options.Log.Warn("a request was refused", "problem", p.text)
			fail(w, d, p)
			return
		}
		l.note(a)
		c := l.ask(key, a)
		arrived := false
		defer func() { l.release(c, arrived) }()
		out := &answer{w: w, ctx: r.Context(), ask: a, dialect: d, keepAlive: g.options.KeepAlive}
		if !out.await(c.done, l.ctx.Done()) {
			return // nobody listens any more: whoever asks again gets the answer
		}
		if c.err != nil {
			arrived = out.fail(problemOf(d, c.err))
			return
		}
		arrived = out.write(c.replies)
	}
}

// read takes a body, up to a size.
func read(w http.ResponseWriter, r *http.Request, most int64) ([]byte, *problem) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, kind: kindInvalid,
			text: fmt.Sprintf("a request has at most %d MiB", most>>20)}
	}
	if err != nil {
		return nil, refused("", "the request ended too early: %v", err)
	}
	return body, nil
}

// keyOf is what makes two requests equal.
func keyOf(d dialect, members map[string]json.RawMessage) bodyKey {
	h := sha256.New()
	fmt.Fprintf(h, "%T:", d)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name == "stream" || name == "stream_options" {
			continue
		}
		fmt.Fprintf(h, "%q:%d:", name, len(members[name]))
		h.Write(members[name])
	}
	return bodyKey(h.Sum(nil))
}

// problemOf is an error of the policy as a program gets it.
func problemOf(d dialect, err error) *problem {
	var full *sdk.GenerateError
	var failure *sdk.Failure
	switch {
	case errors.As(err, &full) && full.Kind == sdk.GenerateContextFull:
		return d.tooLong(full.Detail)
	case errors.Is(err, context.Canceled), errors.Is(err, sdk.ErrLease):
		return errOver
	case errors.As(err, &failure) && failure.Class == sdk.FailureAgent:
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: failure.Detail}
	}
	return &problem{status: http.StatusInternalServerError, kind: kindServer, code: "episode_failed",
		text: "the episode has failed: " + err.Error()}
}

func reply(w http.ResponseWriter, value any) bool {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		fail(w, completions{}, &problem{status: http.StatusInternalServerError, kind: kindServer, text: err.Error()})
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(b.Bytes())
	return err == nil
}

// stamp is the time that an answer bears: none, so that equal answers are equal.
var stamp = time.Unix(0, 0).Unix()

func joined(parts []string) string { return strings.Join(parts, "") }
