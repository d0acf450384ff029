package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// Problem kinds, with the names that OpenAI uses.
const (
	kindInvalid        = "invalid_request_error"
	kindAuthentication = "authentication_error"
	kindBusy           = "rate_limit_error"
	kindServer         = "server_error"
)

// problem is an error for the client, in the format of OpenAI's protocol.
type problem struct {
	status int
	kind   string
	code   string
	param  string
	text   string
	cause  error // external cause of the end of an episode; nil: text is complete
	// final marks that no further request with this key will be answered. The dialect then replies with the status at
	// which programs exit instead of retrying.
	final bool
}

// Error implements error.
func (p *problem) Error() string {
	if p.cause != nil {
		return p.text + ": " + p.cause.Error()
	}
	return p.text
}

func refused(param, format string, args ...any) *problem {
	return &problem{status: http.StatusBadRequest, kind: kindInvalid, param: param, text: fmt.Sprintf(format, args...)}
}

// ask is a decoded request, independent of the dialect.
type ask struct {
	key         bodyKey
	model       string // model requested by the program; empty: none
	by          string // served model that answers; empty: the policy
	retry       int    // retry mark: how often the client has already sent the request; 0 if it does not report that
	bytes       int    // size of the body
	counted     func() // ends the turn of the request, see Gateway.admit
	request     chat.Request
	samples     int
	stream      bool
	stop        []string // stop sequences, which a response names
	usage       bool     // include usage in the stream
	owned       []string // parameters decided by the spec
	constraints []string // members that restrict the sampled message; after decides, the ignored ones
	deferred    bool     // tools are not offered before a result refers to them
	foreign     []string // types of tools that a provider would run; they are not offered to the policy
	// namespaces maps each tool name seen by the policy to its namespace and the name within it.
	namespaces map[string][2]string
	tools      *toolset          // tools of the request, possibly shared with other requests
	claims     map[string]string // identifying headers
	draft      *storedResponse   // what is stored once the response exists; nil: nothing
	compacts   bool              // asks for a summary of its conversation
}

// newAsk returns a request for one sample.
func newAsk(route string, members []member, stream bool, spec []string) *ask {
	a := &ask{key: keyOf(route, members), samples: 1, stream: stream, owned: spec}
	for _, m := range members {
		if m.name == "model" && jsonv2.Unmarshal(m.value, &a.model, jsonOptions) != nil {
			a.model = string(m.value)
		}
	}
	return a
}

// limitTokens uses the last of the limits that a program sent under different names.
func (a *ask) limitTokens(name string, limits ...*int) *problem {
	for _, most := range limits {
		if most == nil {
			continue
		}
		if *most < 1 {
			return refused(name, "%s is %d: a message has at least one token", name, *most)
		}
		a.request.MaxTokens = *most
	}
	return nil
}

func (g *Gateway) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", g.serve(completions{}))
	mux.HandleFunc("POST /v1/responses", g.serve(responses{}))
	mux.HandleFunc("POST /v1/messages", g.serve(messages{}))
	mux.HandleFunc("POST /v1/messages/count_tokens", g.countTokens)
	mux.HandleFunc("GET /v1/models", g.models)
	mux.HandleFunc("GET /v1/models/{model...}", g.model)
	mux.HandleFunc(toolsPath, g.tools)
	mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, dialectOf(r), &problem{status: http.StatusNotFound, kind: kindInvalid,
			text: fmt.Sprintf("%s %s is not served: POST /v1/chat/completions, /v1/responses, /v1/messages and "+
				"/v1/messages/count_tokens, GET /v1/models and %s are", r.Method, r.URL.Path, toolsPath)})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // clear the previous request's deadline
		if p := g.foreign(r); p != nil {
			fail(w, dialectOf(r), p)
			return
		}
		r.URL.Path = canonicalPath(r.URL.Path)
		mux.ServeHTTP(w, r)
	})
}

// versioned lists the routes that belong to a protocol version.
var versioned = []string{"/chat/completions", "/responses", "/messages", "/messages/count_tokens", "/models"}

// canonicalPath returns the path with the protocol version exactly once. Clients may be configured with a base URL
// without /v1, with /v1 although they add it themselves, or with a trailing slash.
func canonicalPath(from string) string {
	cleaned := path.Clean("/" + from)
	rest := cleaned
	for strings.HasPrefix(rest, "/v1/") {
		rest = rest[len("/v1"):]
	}
	if slices.Contains(versioned, rest) || strings.HasPrefix(rest, "/models/") {
		return "/v1" + rest
	}
	return cleaned
}

// dialectOf returns the dialect for the errors of a request if the request's path does not determine it.
func dialectOf(r *http.Request) dialect {
	if r.Header.Get("Anthropic-Version") != "" {
		return messages{}
	}
	return completions{}
}

// foreign rejects requests from web pages: those with a different host name or an Origin header. If the gateway does
// not listen on loopback, the valid host names are those in the certificate.
func (g *Gateway) foreign(r *http.Request) *problem {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !g.named(strings.Trim(host, "[]")) {
		return &problem{status: http.StatusForbidden, kind: kindInvalid, text: "this host is not served"}
	}
	if r.Header.Get("Origin") != "" {
		return &problem{status: http.StatusForbidden, kind: kindInvalid, text: "pages in browsers are not served"}
	}
	return nil
}

// named reports whether host is one of the gateway's names.
func (g *Gateway) named(host string) bool {
	if g.certificate != nil {
		return g.certificate.VerifyHostname(host) == nil
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// models lists the policy and the served models.
func (g *Gateway) models(w http.ResponseWriter, r *http.Request) {
	d := dialectOf(r)
	l, p := g.of(r)
	if p != nil {
		fail(w, d, p)
		return
	}
	names, data := append([]string{modelName}, slices.Sorted(maps.Keys(l.Served))...), []any{}
	for _, name := range names {
		data = append(data, d.model(name))
	}
	list := map[string]any{"object": "list", "data": data}
	if _, anthropic := d.(messages); anthropic {
		list = map[string]any{
			"data": data, "first_id": modelName, "last_id": names[len(names)-1], "has_more": false,
		}
	}
	reply(w, list)
}

// model describes a model under the requested name, whatever it is.
func (g *Gateway) model(w http.ResponseWriter, r *http.Request) {
	d := dialectOf(r)
	if _, p := g.of(r); p != nil {
		fail(w, d, p)
		return
	}
	reply(w, d.model(r.PathValue("model")))
}

// modelName is the policy's model name.
const modelName = "policy"

// serve answers requests in a dialect.
func (g *Gateway) serve(d dialect) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l, a, p := g.take(w, r, d)
		if p != nil {
			fail(w, d, p)
			return
		}
		defer l.leave()
		c, p := l.ask(a)
		a.counted()
		a.request = chat.Request{} // a call keeps only its new messages, and may take minutes
		if p != nil {
			fail(w, d, p)
			return
		}
		arrived := false
		defer func() { l.release(c, arrived) }()
		out := &answer{
			w: w, control: http.NewResponseController(w), ctx: r.Context(), lease: l, ask: a, dialect: d,
			keepAlive: g.options.KeepAlive, patience: g.bounds.write,
		}
		defer l.atEnd(out.shortenDeadline)()
		if !out.await(c.done, l.ctx.Done()) {
			return // the client has disconnected: a repeated request gets the answer
		}
		if c.err != nil {
			arrived = out.fail(l.problemOf(d, c.err))
			return
		}
		if a.draft != nil {
			l.store(a.draft, c.replies[0], a)
		}
		arrived = out.write(c.replies)
	}
}

// take reads a request and finds its lease. The caller must call leave, as well as the request's counted. The body is
// released as soon as it has been decoded.
func (g *Gateway) take(w http.ResponseWriter, r *http.Request, d dialect) (*lease, *ask, *problem) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(g.bounds.write))
	l, p := g.of(r)
	if p != nil {
		return nil, nil, p
	}
	if p := l.enter(g.bounds.perLease); p != nil {
		return nil, nil, p
	}
	body, done, p := g.read(w, r, l, g.bounds.body)
	if p != nil {
		l.add(metricRefused)
		l.leave()
		return nil, nil, p
	}
	counted, p := g.admit(l, body.Bytes())
	var a *ask
	if p == nil {
		if a, p = l.decode(d, body.Bytes(), r.Header); p == nil {
			caller, _ := credentialOf(r) // valid: its lease was found
			if p = a.asks(l, caller.member); p == nil {
				p = l.Constraints.decides(a)
			}
		}
		if p != nil {
			counted()
		}
	}
	size := body.Len()
	done()
	if p != nil {
		g.options.Log.Warn("a request was refused", "problem", p.text)
		if l.Refused != nil {
			l.Refused(p.text)
		}
		l.add(metricRefused)
		l.leave()
		return nil, nil, p
	}
	a.bytes, a.counted, a.tools = size, counted, g.toolsets.share(a.request.Tools)
	a.request.Tools = a.tools.tools
	l.note(a)
	return l, a, nil
}

// problemOf converts a policy error to a problem for the program.
func (l *lease) problemOf(d dialect, err error) *problem {
	var full *sdk.GenerateError
	var failure *sdk.Failure
	switch {
	case errors.As(err, &full) && full.Kind == sdk.GenerateContextFull:
		return d.tooLong(full.Detail)
	case errors.As(err, &full) && full.Kind == sdk.GenerateRefused:
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: err.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, sdk.ErrLease):
		return l.ended()
	case errors.As(err, &failure) && failure.Class == sdk.FailureAgent:
		return &problem{status: http.StatusBadRequest, kind: kindInvalid, text: failure.Detail}
	}
	return failed(err)
}

func failed(err error) *problem {
	return &problem{status: http.StatusGone, kind: kindServer, code: "episode_failed", final: true, cause: err,
		text: "the episode has failed: no further messages are sampled"}
}

// reply sends a JSON response and reports whether all of it was written.
func reply(w http.ResponseWriter, value any) bool { return replyWhen(w, value, func() {}) }

// replyWhen sends a JSON response like reply, and calls ready between encoding and writing it.
func replyWhen(w http.ResponseWriter, value any, ready func()) bool {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		fail(w, completions{}, &problem{status: http.StatusInternalServerError, kind: kindServer, text: err.Error()})
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	ready()
	_, err := w.Write(b.Bytes())
	return err == nil && http.NewResponseController(w).Flush() == nil
}

// stamp is the constant creation time of responses, so that equal responses consist of the same bytes.
var stamp = time.Unix(0, 0).Unix()
