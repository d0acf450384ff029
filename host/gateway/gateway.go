// Package gateway serves the policy to programs that speak OpenAI's protocol or Anthropic's, and the tools of their
// environment by MCP: an agent that exists plays an episode when its base URL and its key are changed.
//
//	g, err := gateway.Listen(gateway.Options{})
//	defer g.Close()
//	endpoint, end := g.Grant(ctx, gateway.Lease{Model: model})
//	// endpoint.BaseURL and endpoint.APIKey are good for one attempt at one episode, until end
//
// One file for each part:
//
//	gateway.go   the listener, and the leases by their keys
//	elsewhere.go a gateway for programs on other machines
//	lease.go     an attempt at an episode: which calls were made, which answer goes to whom
//	http.go      routes, errors
//	bounds.go    what a program can take: bytes, requests, time
//	body.go      the one pass over a request
//	key.go       what makes two requests equal
//	toolsets.go  lists of tools, in memory once
//	auxiliary.go which calls are no part of the task
//	members.go   which member of a program asks, by what stands behind the key
//	callers.go   who is calling, as programs say, and which calls compact a conversation
//	fields.go    the decision on each field of a request: honored, the spec's, without effect, or refused
//	dialect.go   what a protocol has to say
//	chat.go      POST /v1/chat/completions: requests and errors
//	stream.go    its answers, and the way of any answer to a program
//	responses.go POST /v1/responses
//	messages.go  POST /v1/messages
//	count.go     POST /v1/messages/count_tokens
//	tools.go     /mcp, the tools: the server of a lease, its sessions and streams
//	toolcall.go  calls of tools: which of them were made, in which order, and which answer goes to whom
//
// Which conversation a call goes on from is sdk/chat's to find. The package must not know tokens, episodes, or what a
// program is for.
package gateway

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Options are what all leases have in common.
type Options struct {
	Log *slog.Logger // what programs do that they should not; nil: nobody hears
	// KeepAlive is the time after which somebody who waits for a stream hears that the answer is under way; 0: 10 s.
	KeepAlive time.Duration
	// Elsewhere serves programs on other machines, with TLS alone. Nil: the gateway listens on loopback.
	Elsewhere *Elsewhere
}

// Elsewhere is where and as whom a gateway serves that is not on loopback.
type Elsewhere struct {
	Listen      string // address and port; 0: any port
	Certificate string // file in PEM: what programs verify, with the names by which they reach the gateway
	Key         string // its key, in PEM
	Host        string // by which programs reach it; empty: the first name of the certificate
}

// Gateway serves until it is closed.
type Gateway struct {
	options  Options
	bounds   bounds
	left     atomic.Int64 // of bounds.bodies
	listener net.Listener
	url      string
	// certificate says what the gateway is called, elsewhere than on loopback.
	certificate *x509.Certificate
	toolsets    *toolsets // of the calls under way
	server      *http.Server
	serving     sync.WaitGroup

	mu     sync.Mutex
	leases map[string]*lease // by key; nil: the lease is over
	ended  []string          // keys of leases that are over, the oldest first
	closed bool
}

const (
	mostHeaderBytes = 64 << 10
	idleTimeout     = 2 * time.Minute
	// mostEnded is how many keys of leases that are over are known as such.
	mostEnded = 1 << 16
)

// Listen begins to serve.
func Listen(options Options) (*Gateway, error) { return listen(options, defaultBounds) }

func listen(options Options, bounds bounds) (*Gateway, error) {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.KeepAlive == 0 {
		options.KeepAlive = 10 * time.Second
	}
	g := &Gateway{options: options, bounds: bounds, toolsets: newToolsets(), leases: map[string]*lease{}}
	g.left.Store(bounds.bodies)
	if err := g.open(); err != nil {
		return nil, fmt.Errorf("listen for agents: %w", err)
	}
	g.server = &http.Server{
		Handler: g.routes(), ReadHeaderTimeout: bounds.header, ReadTimeout: bounds.read, IdleTimeout: idleTimeout,
		MaxHeaderBytes: mostHeaderBytes, ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelDebug),
	}
	g.serving.Go(func() { _ = g.server.Serve(g.listener) }) // it ends with Close
	return g, nil
}

// open listens on loopback, or elsewhere with TLS.
func (g *Gateway) open() (err error) {
	if g.options.Elsewhere != nil {
		return g.elsewhere(*g.options.Elsewhere)
	}
	if g.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	g.url = "http://" + g.listener.Addr().String()
	return nil
}

// Close ends all leases and all connections.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.closed = true
	open := g.leases
	g.leases = map[string]*lease{}
	g.mu.Unlock()
	for _, l := range open {
		if l != nil {
			l.end()
		}
	}
	_ = g.server.Close()
	g.serving.Wait()
}

// URL is where the gateway serves, without the version of a protocol.
func (g *Gateway) URL() string { return g.url }

// Lease is what a program may do with its key.
type Lease struct {
	Model   sdk.AgentModel
	Repeats Repeats
	// DropTools leaves out tools that a provider would run (web_search); else a request with one is refused.
	DropTools bool
	// Tools are what the environment offers; nil: there is none.
	Tools Environment
	// Auxiliary tells the calls that are no part of the task: the policy answers them, and is not trained on it.
	Auxiliary Rules
	// TrainCompaction takes requests for a summary of a conversation that is too long for part of the task; else they
	// are auxiliary.
	TrainCompaction bool
	// Served has the served models that the program may ask for: by the value of `model`, the name of the model's block.
	Served map[string]string
	// TrainsAll says that the trainer leaves out nothing that was sampled: a member that is not to be trained is refused.
	TrainsAll bool
	// Called is told what a program says of itself with a call, before the answer leaves. Nil: nobody keeps it.
	Called func(callID string, claims map[string]string)
}

// Repeats says what a request is whose body was sent before.
type Repeats string

// Whether an equal body asks for another sample, or for the existing answer. With either, a request that its client
// marks as a retry gets the answer of the newest equal call.
const (
	// RepeatsCount requests another sample, unless the connection of the earlier request ended before the response was
	// written.
	RepeatsCount Repeats = "count"
	// RepeatsReplay requests the existing answer, until a later call continues it: for programs that retry without a
	// mark.
	RepeatsReplay Repeats = "replay"
)

// MemberAuxiliary is the part of an agent that asks what Lease.Auxiliary tells.
const MemberAuxiliary = "auxiliary"

// Grant gives a lease. end takes it back: calls under way end, and later ones are answered with 410. It returns what
// was asked for until then.
func (g *Gateway) Grant(
	ctx context.Context, granted Lease,
) (endpoint sdk.ModelEndpoint, end func() map[string]float64) {
	key := "aw-" + rand.Text()
	l := newLease(ctx, granted, g.bounds)
	l.total = &g.left
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		l.end()
	} else {
		g.leases[key] = l
	}
	return sdk.ModelEndpoint{BaseURL: g.URL() + "/v1", APIKey: key}, func() map[string]float64 {
		g.seal(key)
		l.end()
		return l.numbers()
	}
}

// seal forgets a lease, and keeps for a while that there was one.
func (g *Gateway) seal(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.leases[key] == nil {
		return
	}
	g.leases[key] = nil
	g.ended = append(g.ended, key)
	if len(g.ended) > mostEnded {
		delete(g.leases, g.ended[0])
		g.ended = g.ended[1:]
	}
}

// of finds the lease of a request by its key.
func (g *Gateway) of(r *http.Request) (*lease, *problem) {
	c, p := credentialOf(r)
	if p != nil {
		return nil, p
	}
	if c.key == "" {
		return nil, &problem{status: http.StatusUnauthorized, kind: kindAuthentication,
			text: "no key: send the key of the episode as Authorization: Bearer KEY, or as x-api-key"}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l, known := g.leases[c.key]
	switch {
	case !known:
		return nil, &problem{status: http.StatusUnauthorized, kind: kindAuthentication, text: "this key is of no episode"}
	case l == nil:
		return nil, errOver
	}
	return l, nil
}
