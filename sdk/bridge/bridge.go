// Package bridge is the adapter's side of the framework bridge (docs/bridge.md): the workers of a Python framework ask for
// episodes over one TCP connection each, and are asked for the messages of these.
//
//	server, err := bridge.Listen(bridge.Options{Dir: dir, Run: "full-1", Epoch: 3, Handler: relay})
//	… start the framework with server.EndpointFile() …
//	response, err := server.Generate(ctx, req) // from Adapter.Generate: goes to the worker that has the episode open
//	err = server.Close(ctx)
//
// A worker's episodes survive its connection: both sides number what they send and send it again on the next one. They end
// when the worker was away for longer than the grace.
//
// It owns the sessions of the workers and who has which episode open. It must not know a framework, or where episodes are
// run; tokens never reach it. Package bridgetest is a worker in Go, for tests; package ledger keeps the tokens of one.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Handler carries out what workers ask for. Calls come from many goroutines. An error that wraps sdk.ErrUnavailable is no answer: the
// worker hears nothing, and the call is made again, with the same arguments, until there is another answer or the server is closed.
type Handler interface {
	// RunEpisode runs an episode and returns its result. ctx ends when the worker is gone for good (ErrGone), has
	// cancelled the episode (*Cancelled), or another one has asked for it (ErrTaken): context.Cause tells.
	RunEpisode(ctx context.Context, worker Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error)
	// Boundary reports a finished step. Those of one worker, and its events, come one after the other, in its order.
	Boundary(ctx context.Context, worker Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error)
	// Event is a report of the trainer. The worker keeps it until Event has returned; an error of it is logged, and the report lost.
	Event(ctx context.Context, worker Worker, event sdk.TrainEvent) error
}

// Watcher is a Handler that wants to know which workers there are. The calls for one worker come one after the other, and
// around its events.
type Watcher interface {
	Joined(worker Worker)
	Left(worker Worker, reason string)
}

// Worker is one session of a worker process, at one moment.
type Worker struct {
	Session          string
	Role             string // "rollout", "trainer", "both"
	Framework        string
	FrameworkVersion string
	Node             string
	PID              int
	Capabilities     []string
	Connected        bool
	OpenEpisodes     int
}

// Options set up a server.
type Options struct {
	Dir   string // where the endpoint file goes, with the token and the certificate beside it; made if it is not there
	Run   string // the name of the run
	Epoch int    // grows with each start of the adapter, from 1
	// Address is what to listen on; empty: a port of 127.0.0.1, the one of the epoch before if it is free. Others than
	// loopback need TLS.
	Address string
	// Advertise are the addresses under which workers reach this server, in order; empty: the one it listens on. One
	// without a port has that of the server.
	Advertise    []string
	TLS          bool          // with an authority of its own, whose certificate the worker finds beside the endpoint file
	Grace        time.Duration // how long the episodes of an absent worker are kept; 0: 2 minutes
	PingInterval time.Duration // silence after which a side says something; 0: 10 s
	Credits      int           // episodes that a worker may have open; 0: 1024
	// Settings are what the adapter wants its workers to know; what is in them is the business of the adapter and its binding.
	Settings map[string]any
	Handler  Handler
	Logger   *slog.Logger // nil: none

	limits    link.Limits   // zero: the protocol's; tests have smaller ones
	handshake time.Duration // zero: the protocol's
}

// The causes for which the context of an episode ends.
var (
	ErrGone   = errors.New("the worker is gone")
	ErrTaken  = errors.New("another worker has asked for the episode since")
	ErrClosed = errors.New("the bridge is closed")
)

// Cancelled is the cause when the worker has cancelled an episode.
type Cancelled struct{ Reason string }

// Error implements error.
func (c *Cancelled) Error() string { return "cancelled by the worker: " + c.Reason }

const (
	defaultGrace   = 2 * time.Minute
	defaultPing    = 10 * time.Second
	defaultCredits = 1024
	defaultAddress = "127.0.0.1:0"
)

// complete fills in defaults and refuses what cannot work.
func (o Options) complete() (Options, error) {
	switch {
	case o.Dir == "":
		return o, errors.New("Options.Dir is empty: name the directory of the endpoint file")
	case o.Run == "":
		return o, errors.New("Options.Run is empty: name the run")
	case o.Epoch < 1:
		return o, fmt.Errorf("Options.Epoch is %d: count the starts of the adapter from 1", o.Epoch)
	case o.Handler == nil:
		return o, errors.New("Options.Handler is nil: nobody would run the episodes")
	}
	orDefault(&o.Address, defaultAddress)
	orDefault(&o.Grace, defaultGrace)
	orDefault(&o.PingInterval, defaultPing)
	orDefault(&o.Credits, defaultCredits)
	orDefault(&o.limits, link.DefaultLimits)
	orDefault(&o.handshake, handshakeTimeout)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Settings == nil {
		o.Settings = map[string]any{} // an object on the wire, not null
	}
	if silence := (link.Timing{Ping: o.PingInterval}).Silence(); o.PingInterval < time.Millisecond || o.Grace < silence {
		return o, fmt.Errorf("Options.Grace is %s and PingInterval %s: a connection is known to be dead after %s, and the grace has to be longer than that",
			o.Grace, o.PingInterval, silence)
	}
	return o, checkAddress(o)
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
