// Package bridge is the adapter's side of the framework bridge (docs/reference/bridge.md). The workers of a Python
// framework each request episodes over a TCP connection, and the adapter requests the messages in these episodes from
// them.
//
//	server, err := bridge.Listen(bridge.Options{Dir: dir, Run: "full-1", Epoch: 3, Handler: relay})
//	… start the framework with server.EndpointFile() …
//	response, err := server.Generate(ctx, req) // from Adapter.Generate: goes to the worker that has the episode open
//	err = server.Close(ctx)
//
// A worker's episodes survive its connection: both sides number their frames and send them again on the next one. The
// episodes end if the worker is disconnected for longer than the grace period.
//
// The package owns the workers' sessions and records which worker has which episode open. It must not depend on a
// framework or on where episodes run, and it never receives tokens. Package bridgetest is a worker written in Go, for
// tests; package ledger keeps a worker's tokens.
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

// Handler executes requests from workers. Calls come from many goroutines. If an error wraps sdk.ErrUnavailable, the
// worker receives no response, and the call is repeated with the same arguments until it returns a different result or
// the server is closed.
type Handler interface {
	// RunEpisode runs an episode and returns its result. ctx ends when the worker has permanently disconnected
	// (ErrGone) or has canceled the episode (*Cancelled), or when another worker has requested it (ErrTaken):
	// context.Cause returns the cause.
	RunEpisode(ctx context.Context, worker Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error)
	// Boundary reports a finished step. One worker's boundaries and events arrive one after another, in the order in
	// which it sent them.
	Boundary(ctx context.Context, worker Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error)
	// Event is a report from the trainer. The worker keeps the report until Event has returned. Its error is logged,
	// and the report is lost.
	Event(ctx context.Context, worker Worker, event sdk.TrainEvent) error
}

// Watcher is a Handler that is notified when workers join and leave. The calls for a worker are made one after another,
// before and after its events. Left follows each Joined. A worker joins again if the acknowledgment of its bye was
// lost.
type Watcher interface {
	Joined(worker Worker)
	Left(worker Worker, reason string)
}

// Worker describes one session of a worker process at a given moment.
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

// Options configures a server.
type Options struct {
	Dir   string // directory of the endpoint file, the token and the certificate; created if missing
	Run   string // the name of the run
	Epoch int    // grows with each start of the adapter, from 1
	// Address is the listen address. If it is empty, it is a port on 127.0.0.1: the previous epoch's port if that is
	// free. Addresses other than loopback addresses require TLS.
	Address string
	// Advertise lists the addresses at which workers can reach this server, in order. If it is empty, the listen
	// address is used. An address without a port uses the server's port.
	Advertise    []string
	TLS          bool          // with its own authority, whose certificate is next to the endpoint file
	Grace        time.Duration // how long the episodes of an absent worker are kept; 0: 2 minutes
	PingInterval time.Duration // silence after which a side sends a ping; 0: 10 s
	Credits      int           // episodes that a worker may have open; 0: 1024
	// Settings are the adapter's settings for its workers. Their content is defined only by the adapter and its
	// binding.
	Settings map[string]any
	Handler  Handler
	Logger   *slog.Logger // nil: none

	limits    link.Limits   // zero: the protocol's; tests have smaller ones
	handshake time.Duration // zero: the protocol's
}

// The possible causes for the end of an episode's context.
var (
	ErrGone   = errors.New("the worker has disconnected")
	ErrTaken  = errors.New("another worker has since requested the episode")
	ErrClosed = errors.New("the bridge is closed")
)

// Cancelled is the cause if the worker canceled an episode.
type Cancelled struct{ Reason string }

// Error implements error.
func (c *Cancelled) Error() string { return "canceled by the worker: " + c.Reason }

const (
	defaultGrace   = 2 * time.Minute
	defaultPing    = 10 * time.Second
	defaultCredits = 1024
	defaultAddress = "127.0.0.1:0"
)

// withDefaults fills in default values and rejects invalid options.
func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Dir == "":
		return o, errors.New("Options.Dir is empty: name the directory of the endpoint file")
	case o.Run == "":
		return o, errors.New("Options.Run is empty: name the run")
	case o.Epoch < 1:
		return o, fmt.Errorf("Options.Epoch is %d: count adapter starts from 1", o.Epoch)
	case o.Handler == nil:
		return o, errors.New("Options.Handler is nil: set the handler that runs the episodes")
	}
	setDefault(&o.Address, defaultAddress)
	setDefault(&o.Grace, defaultGrace)
	setDefault(&o.PingInterval, defaultPing)
	setDefault(&o.Credits, defaultCredits)
	setDefault(&o.limits, link.DefaultLimits)
	setDefault(&o.handshake, handshakeTimeout)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Settings == nil {
		o.Settings = map[string]any{} // encoded as an object, not as null
	}
	if silence := (link.Timing{Ping: o.PingInterval}).Silence(); o.PingInterval < time.Millisecond || o.Grace < silence {
		return o, fmt.Errorf("Options.Grace is %s and PingInterval is %s, but a dead connection is detected only "+
			"after %s: set a longer grace",
			o.Grace, o.PingInterval, silence)
	}
	return o, checkAddress(o)
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
