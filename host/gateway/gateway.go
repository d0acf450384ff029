// Package gateway serves the policy over the OpenAI and Anthropic protocols, and the environment's tools over MCP. An
// existing agent can run an episode once its base URL and key are changed.
//
//	g, err := gateway.Listen(gateway.Options{})
//	defer g.Close()
//	endpoint, end := g.Grant(ctx, gateway.Lease{Model: model})
//	// endpoint.BaseURL and endpoint.APIKey are valid for one attempt at one episode, until end
//
// One file for each part:
//
//	gateway.go   the listener, and the leases by key
//	remote.go    a gateway for programs on other machines
//	lease.go     an attempt at an episode: its calls, and the matching of answers to requests
//	http.go      routes, errors
//	bounds.go    limits of a program: bytes, requests, time
//	body.go      parsing a request in one pass
//	key.go       equality of requests
//	toolsets.go  shared lists of tools
//	auxiliary.go detection of calls that are not part of the task
//	members.go   the calling member, from the suffix of the key
//	callers.go   the caller's headers, and the detection of compaction calls
//	fields.go    the decision on each field of a request: honored, the spec's, without effect, or refused
//	dialect.go   the interface of a protocol
//	chat.go      POST /v1/chat/completions: requests and errors
//	stream.go    its answers, and the writing of any answer
//	responses.go POST /v1/responses
//	messages.go  POST /v1/messages
//	count.go     POST /v1/messages/count_tokens
//	tools.go     /mcp, the tools: the server of a lease, its sessions and streams
//	toolcall.go  tool calls: their order, repeats and answers
//
// Finding the conversation that a call continues is the task of sdk/chat. The package must not depend on tokens,
// episodes, or the purpose for which a program is used.
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

	"golang.org/x/sync/semaphore"

	"github.com/awhost/awhost/sdk"
)

// Options contains the settings shared by all leases.
type Options struct {
	Log *slog.Logger // invalid requests of programs; nil: no log
	// KeepAlive is the interval between keep-alive comments sent to a client that is waiting for a stream; 0 means 10
	// s.
	KeepAlive time.Duration
	// Remote serves programs on other machines, with TLS only. If it is nil, the gateway listens on loopback.
	Remote *RemoteListener
}

// RemoteListener configures a gateway that does not listen on loopback.
type RemoteListener struct {
	Listen      string // address and port; 0: any port
	Certificate string // PEM file that programs verify, with the names at which they reach the gateway
	Key         string // its private key, in PEM
	Host        string // at which programs reach it; empty: the first name of the certificate
}

// Gateway serves until it is closed.
type Gateway struct {
	options  Options
	bounds   bounds
	left     atomic.Int64        // bytes left of bounds.bodies
	decoding *semaphore.Weighted // of bounds.decode
	listener net.Listener
	url      string
	// certificate contains the gateway's names if it does not listen on loopback.
	certificate *x509.Certificate
	toolsets    *toolsets // of the calls in progress
	server      *http.Server
	serving     sync.WaitGroup

	mu     sync.Mutex
	leases map[string]*lease // by key; nil: the lease has ended
	ended  []string          // keys of ended leases, the oldest first
	closed bool
}

const (
	mostHeaderBytes = 64 << 10
	idleTimeout     = 2 * time.Minute
	// mostEnded is the number of ended leases whose keys are kept.
	mostEnded = 1 << 16
)

// Listen starts the gateway.
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
	g.decoding = semaphore.NewWeighted(bounds.decode)
	if err := g.open(); err != nil {
		return nil, fmt.Errorf("listen for agents: %w", err)
	}
	g.server = &http.Server{
		Handler: g.routes(), ReadHeaderTimeout: bounds.header, ReadTimeout: bounds.read, IdleTimeout: idleTimeout,
		MaxHeaderBytes: mostHeaderBytes, ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelDebug),
	}
	g.serving.Go(func() { _ = g.server.Serve(g.listener) }) // returns after Close
	return g, nil
}

// open listens on loopback, or on another address with TLS.
func (g *Gateway) open() (err error) {
	if g.options.Remote != nil {
		return g.remote(*g.options.Remote)
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

// URL returns the gateway's base URL, without a protocol version.
func (g *Gateway) URL() string { return g.url }

// Lease defines what a key permits.
type Lease struct {
	Model   sdk.AgentModel
	Repeats Repeats
	// DropTools drops tools that a provider would run (web_search); otherwise, a request that contains one is rejected.
	DropTools bool
	// Constraints selects how requests that restrict the sampled message are handled; see its values.
	Constraints Constraints
	// Tools provides the environment's tools; nil means that the lease has none.
	Tools Environment
	// Auxiliary identifies calls that are not part of the task. The policy answers them and is not trained on them.
	Auxiliary Rules
	// TrainCompaction counts requests for a summary of an overlong conversation as part of the task; otherwise, they
	// are auxiliary.
	TrainCompaction bool
	// Served maps the served models that the program may request: from the value of `model` to the name of the model's
	// block.
	Served map[string]string
	// ModelNames maps patterns of other values of `model` to ModelPolicy or to a key of Served.
	ModelNames map[string]string
	// TrainsAll states that the trainer uses everything that was sampled. In that case, a member that is not trained is
	// rejected.
	TrainsAll bool
	// Called receives a call's identifying headers before the response is sent. Nil: they are dropped.
	Called func(callID string, claims map[string]string)
	// Refused receives the text of a refusal before it is sent. Nil: it is dropped.
	Refused func(text string)
}

// Repeats selects how a request is handled if its body was sent before.
type Repeats string

// These values select whether an equal body requests another sample or the existing response. In both modes, a request
// marked as a retry receives the response of the newest identical call.
const (
	// RepeatsCount requests another sample, unless the connection of the earlier request ended before the response was
	// written.
	RepeatsCount Repeats = "count"
	// RepeatsReplay requests the existing response until a later call continues it. It suits programs that retry
	// without marking the request.
	RepeatsReplay Repeats = "replay"
)

// MemberAuxiliary is the member for calls matched by Lease.Auxiliary.
const MemberAuxiliary = "auxiliary"

// Grant creates a lease. end revokes it: calls in progress end, and later calls are answered with 410. end returns the
// lease's metrics.
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
		g.revoke(key)
		l.end()
		return l.numbers()
	}
}

// revoke drops a lease but keeps its key for a while so that it can be recognized.
func (g *Gateway) revoke(key string) {
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

// of returns the lease for a request, based on its key.
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
		return nil, &problem{status: http.StatusUnauthorized, kind: kindAuthentication, text: "this key belongs to no " +
			"episode"}
	case l == nil:
		return nil, errEpisodeEnded
	}
	return l, nil
}
