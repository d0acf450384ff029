// Package bridgetest implements a framework's worker in Go: a second implementation of the worker side of
// docs/reference/bridge.md, for testing adapters and the bridge itself.
//
//	worker, err := bridgetest.Start(ctx, bridgetest.Options{EndpointFile: server.EndpointFile(), Sample: sample})
//	result, err := worker.RunEpisode(ctx, sdk.EpisodeRequest{EpisodeID: "e1", …}) // Sample is called meanwhile
//	err = worker.Close(ctx)
//
// It reconnects after a lost connection and after a restart of the adapter. It does not keep tokens, and leaves
// deadlines and pauses to Sample.
package bridgetest

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Options configures a worker.
type Options struct {
	EndpointFile string
	Session      string // empty: random
	Role         string // empty: "both"
	Framework    string
	Version      string
	Node         string
	PID          int
	// Sample answers a call. ctx ends when the adapter is no longer waiting for the message. Any error other than
	// *sdk.GenerateError is an engine error.
	Sample func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error)
	// Control is called for control frames, in order; it must not block. Nil: they are ignored.
	Control func(sdk.ControlRequest)
	// Dial establishes connections; if it is nil, a net.Dialer is used.
	Dial func(ctx context.Context, address string) (net.Conn, error)
	// Backoff is the first pause before a retry. It is doubled each time, up to 40 times its value; 0 means 50 ms.
	Backoff time.Duration
	// Patience is the time limit for the first connection; 0 means 10 s.
	Patience time.Duration
}

// Refused is the adapter's final rejection.
type Refused struct{ Code, Detail string }

// Error implements error.
func (r *Refused) Error() string {
	return "the adapter refused the worker: " + r.Code + ": " + r.Detail
}

// Failed is the error for an episode without a result, or for a boundary without a response.
type Failed struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Error implements error.
func (f *Failed) Error() string { return f.Code + ": " + f.Detail }

// ErrClosed is the error returned by calls after Close or Kill.
var ErrClosed = errors.New("the worker is closed")

// Worker is one session.
type Worker struct {
	options Options
	ctx     context.Context // ends with the worker
	cancel  context.CancelCauseFunc
	running sync.WaitGroup
	started chan struct{} // closed by the first handshake

	mu         sync.Mutex
	stream     *link.Stream
	welcome    welcome
	episodes   map[string]*episode
	requested  []*episode    // the open ones, in order, and then those waiting for a credit
	boundaries []*boundary   // without an answer, in order
	bye        chan struct{} // closed when the adapter has ended the session; nil: bye was not sent
	restarts   int
}

// welcome holds the part of a hello_ack that concerns the worker.
type welcome struct {
	Type     string          `json:"type"`
	Code     string          `json:"code"`   // of refused
	Detail   string          `json:"detail"` //
	Epoch    int             `json:"epoch"`
	Resumed  bool            `json:"resumed"`
	Received uint64          `json:"received"`
	Credits  int             `json:"credits"`
	PingMS   int64           `json:"ping_ms"`
	GraceMS  int64           `json:"grace_ms"`
	Settings json.RawMessage `json:"settings"`
}

// Start connects. It returns when the first handshake has succeeded or failed.
func Start(ctx context.Context, o Options) (*Worker, error) {
	o.Role = cmp.Or(o.Role, "both")
	o.Backoff = cmp.Or(o.Backoff, 50*time.Millisecond)
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	if o.Session == "" {
		var id [16]byte
		rand.Read(id[:])
		o.Session = hex.EncodeToString(id[:])
	}
	if o.Dial == nil {
		o.Dial = func(ctx context.Context, address string) (net.Conn, error) {
			return (&net.Dialer{Timeout: o.Patience}).DialContext(ctx, "tcp", address)
		}
	}
	w := &Worker{options: o, started: make(chan struct{}), stream: link.NewStream(link.DefaultLimits),
		episodes: map[string]*episode{}}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.running.Go(w.reconnectLoop)
	select {
	case <-w.started:
		return w, nil
	case <-w.ctx.Done():
		return nil, w.end(context.Cause(w.ctx))
	case <-ctx.Done():
		return nil, w.end(ctx.Err())
	}
}

func (w *Worker) end(why error) error {
	w.Kill()
	return why
}

// Restarts returns how many times the adapter did not know this session.
func (w *Worker) Restarts() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.restarts
}

// Unacknowledged returns the number of frames that the adapter may not have processed.
func (w *Worker) Unacknowledged() int {
	kept, err := w.current().Kept()
	if err != nil { // this package wrote them
		panic(err)
	}
	return len(kept)
}

// Kill ends the worker as if its process had died: the adapter is not notified.
func (w *Worker) Kill() { w.finish(ErrClosed) }

func (w *Worker) finish(why error) {
	w.cancel(why)
	w.mu.Lock()
	w.stream.End(why)
	w.mu.Unlock()
	w.running.Wait()
}

// Close sends bye and waits until the adapter has ended the session.
func (w *Worker) Close(ctx context.Context) error {
	w.mu.Lock()
	if w.bye == nil {
		w.bye = make(chan struct{})
		_ = w.stream.Send(link.Frame{Type: "bye"}) // if the stream has ended, so has the session
	}
	bye := w.bye
	w.mu.Unlock()
	var err error
	select {
	case <-bye:
	case <-w.ctx.Done():
		err = context.Cause(w.ctx)
	case <-ctx.Done():
		err = fmt.Errorf("say goodbye: %w", ctx.Err())
	}
	w.finish(ErrClosed)
	return err
}
