package fakeplugin

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// frame is one message on the link between plugin and trainer. The response to a request is a frame with the same
// number.
type frame struct {
	Number   uint64
	Call     *call                     `json:",omitempty"` // the trainer's first frame
	Hello    *hello                    `json:",omitempty"` // the plugin's answer
	Episode  *sdk.EpisodeRequest       `json:",omitempty"` // from the trainer
	Result   *sdk.EpisodeResult        `json:",omitempty"`
	Boundary *boundaryFrame            `json:",omitempty"` // from the trainer
	Answer   *sdk.StepBoundaryResponse `json:",omitempty"`
	Generate *sdk.GenerateRequest      `json:",omitempty"` // from the plugin
	Sampled  *sdk.GenerateResponse     `json:",omitempty"`
	Failed   *sdk.GenerateError        `json:",omitempty"`
	Control  *sdk.ControlRequest       `json:",omitempty"` // from the plugin
	Error    string                    `json:",omitempty"`
}

// call identifies the trainer's launch, because the port of an exited plugin may already belong to another run.
type call struct{ Dir string } // of the launch

// hello identifies the processes at the plugin's end of the link.
type hello struct{ Adapter, Host int } // PIDs

// boundaryFrame is a boundary and the number of events before it.
type boundaryFrame struct {
	sdk.StepBoundaryRequest
	Lines int
}

// link is one connection.
type link struct {
	conn net.Conn

	mu      sync.Mutex
	encoder *json.Encoder
	waiting map[uint64]chan frame
	next    uint64
	broken  chan struct{}
	once    sync.Once
	handled sync.WaitGroup // frames in progress
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, encoder: json.NewEncoder(conn), waiting: map[uint64]chan frame{}, broken: make(chan struct{})}
}

var errBroken = errors.New("the link broke")

func (l *link) close() {
	l.once.Do(func() {
		close(l.broken)
		_ = l.conn.Close()
	})
}

func (l *link) send(f frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.encoder.Encode(f)
}

// ask sends a frame and waits for the response.
func (l *link) ask(ctx context.Context, f frame) (frame, error) {
	answer := make(chan frame, 1)
	l.mu.Lock()
	l.next++
	f.Number = l.next
	l.waiting[f.Number] = answer
	err := l.encoder.Encode(f)
	l.mu.Unlock()
	if err != nil {
		return frame{}, errBroken
	}
	select {
	case a := <-answer:
		return a, nil
	case <-l.broken:
		return frame{}, errBroken
	case <-ctx.Done():
		return frame{}, context.Cause(ctx)
	}
}

// serve reads until the link breaks. It handles each frame that is not a response in a separate goroutine.
func (l *link) serve(handle func(frame)) {
	defer l.close()
	decoder := json.NewDecoder(l.conn)
	for {
		var f frame
		if decoder.Decode(&f) != nil {
			return
		}
		l.mu.Lock()
		answer := l.waiting[f.Number]
		isAnswer := f.Result != nil || f.Answer != nil || f.Sampled != nil || f.Failed != nil || f.Error != ""
		if isAnswer {
			delete(l.waiting, f.Number)
		}
		l.mu.Unlock()
		switch {
		case isAnswer && answer != nil:
			answer <- f
		case !isAnswer:
			l.handled.Go(func() { handle(f) })
		}
	}
}

// supervised is a trainer that a plugin listens to.
type supervised struct {
	adapter  *detached
	handle   handle
	host     sdk.Host
	listener net.Listener
	ctx      context.Context // of the trainer's calls
	cancel   context.CancelFunc
	joined   sync.WaitGroup

	mu      sync.Mutex
	caller  *link // the last connection
	link    *link // the trainer's; nil while it is disconnected
	told    int   // lines of the events file that have been emitted
	changed chan struct{}
}

// listen waits for the trainer at an address written to a file.
func (o *detached) listen(h handle, host sdk.Host) (*supervised, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a := &supervised{adapter: o, handle: h, host: host, listener: listener, changed: make(chan struct{})}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	path := filepath.Join(h.Dir, endpointFile)
	if err := os.WriteFile(path+".new", []byte(listener.Addr().String()), 0o644); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if err := os.Rename(path+".new", path); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	a.joined.Go(a.accept)
	o.mu.Lock()
	o.attended = a
	o.mu.Unlock()
	return a, nil
}

func (a *supervised) close() {
	a.cancel()
	_ = a.listener.Close()
	a.mu.Lock()
	if a.caller != nil {
		a.caller.close()
	}
	a.mu.Unlock()
	a.joined.Wait()
}

func (a *supervised) accept() {
	for {
		conn, err := a.listener.Accept()
		if err != nil {
			return
		}
		l := newLink(conn)
		a.mu.Lock()
		a.caller = l
		a.mu.Unlock()
		if a.ctx.Err() != nil {
			l.close()
		}
		l.serve(func(f frame) {
			if f.Call != nil {
				a.greet(l, f.Call)
				return
			}
			a.relay(l, f)
		})
	}
}

// greet accepts the link from this launch's trainer and closes a link from any other trainer.
func (a *supervised) greet(l *link, c *call) {
	if c.Dir != a.handle.Dir {
		l.close()
		return
	}
	a.mu.Lock()
	a.link = l
	a.mu.Unlock()
	_ = l.send(frame{Hello: &hello{Adapter: os.Getpid(), Host: os.Getppid()}}) // if it fails, the trainer connects again
}

// relay forwards the trainer's requests to the host.
func (a *supervised) relay(l *link, f frame) {
	out := frame{Number: f.Number}
	var err error
	switch {
	case f.Episode != nil:
		out.Result, err = a.host.RunEpisode(a.ctx, *f.Episode)
		a.adapter.lose("result " + f.Episode.EpisodeID[max(0, len(f.Episode.EpisodeID)-len("t2/g0/s0")):])
	case f.Boundary != nil:
		if err = a.awaitTold(f.Boundary.Lines); err == nil {
			out.Answer, err = a.host.StepBoundary(a.ctx, f.Boundary.StepBoundaryRequest)
		}
		a.adapter.lose("boundary " + itoa(f.Boundary.Step))
	}
	if err != nil {
		if a.ctx.Err() != nil || errors.Is(err, sdk.ErrUnavailable) {
			return // the host has exited, and this process exits soon: the trainer will ask its successor
		}
		out.Error = err.Error()
	}
	_ = l.send(out) // if it fails, the trainer asks again
}

func (a *supervised) setTold(lines int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.told = lines
	close(a.changed)
	a.changed = make(chan struct{})
}

// awaitTold waits until the given number of events has been emitted.
func (a *supervised) awaitTold(lines int) error {
	for {
		a.mu.Lock()
		told, changed := a.told, a.changed
		a.mu.Unlock()
		if told >= lines {
			return nil
		}
		select {
		case <-changed:
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
	}
}

func (a *supervised) current() (*link, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.link == nil {
		return nil, errors.New("the trainer is away")
	}
	return a.link, nil
}

func (a *supervised) generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	l, err := a.current()
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	}
	out, err := l.ask(ctx, frame{Generate: &req})
	switch {
	case errors.Is(err, errBroken):
		return nil, &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}
	case err != nil:
		return nil, err
	case out.Failed != nil:
		return nil, out.Failed
	}
	return out.Sampled, nil
}

func (a *supervised) control(req sdk.ControlRequest) error {
	l, err := a.current()
	if err != nil {
		return err
	}
	return l.send(frame{Control: &req})
}
