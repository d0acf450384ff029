package fakeplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk"
)

// outsideRole is the argument that makes a test binary run as the trainer's process.
const outsideRole = "scripted-trainer"

// outside is the trainer in a detached process: the scripted trainer, connected to a host by a link that may break.
type outside struct {
	*trainer
	dir    string
	events *os.File
	lines  atomic.Int64
	peer   atomic.Pointer[hello]

	mu      sync.Mutex
	link    *link // nil while no plugin listens
	changed chan struct{}
}

// trainOutside runs the process.
func trainOutside(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, requestFile))
	if err != nil {
		return err
	}
	var req outsideRequest
	if err := json.Unmarshal(text, &req); err != nil {
		return err
	}
	var config outlivingConfig
	if err := json.Unmarshal(req.Config, &config); err != nil {
		return err
	}
	events, err := os.OpenFile(filepath.Join(dir, eventsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	o := &outside{dir: dir, events: events, changed: make(chan struct{})}
	o.trainer = &trainer{
		config: config.trainerConfig, samples: map[string]*sample{},
		setup: sdk.Setup{Config: req.Config, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))},
	}
	o.config.killAdapter = func() { _ = syscall.Kill(o.awaitPeer().Adapter, syscall.SIGKILL) }
	o.config.killHost = func() { _ = syscall.Kill(o.awaitPeer().Host, syscall.SIGKILL) }
	mark, err := os.Create(filepath.Join(config.Control, TrainerMark+strconv.Itoa(os.Getpid())))
	if err != nil {
		return err
	}
	_ = mark.Close() // empty
	absence, err := time.ParseDuration(os.Getenv(sdk.EnvHostAbsence))
	if err != nil {
		return fmt.Errorf("%s: %w", sdk.EnvHostAbsence, err)
	}
	go o.keepLink(absence)
	if err := o.Train(context.Background(), req.Train, o, o.emit); err != nil {
		return o.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: err.Error()}})
	}
	return nil
}

// keepLink repeatedly connects to the plugin. The process exits if it has been without a connection for too long.
func (o *outside) keepLink(absence time.Duration) {
	last := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if address, err := os.ReadFile(filepath.Join(o.dir, endpointFile)); err == nil {
			if conn, err := net.Dial("tcp", string(address)); err == nil {
				if o.converse(newLink(conn)) {
					last = time.Now()
				}
			}
		}
		if time.Since(last) > absence {
			fmt.Fprintln(os.Stderr, "no host came back")
			os.Exit(3)
		}
	}
}

// converse responds to the plugin until the link breaks. It reports whether the plugin belonged to this launch.
func (o *outside) converse(l *link) (ours bool) {
	if l.send(frame{Call: &call{Dir: o.dir}}) != nil {
		l.close()
		return false
	}
	var greeted atomic.Bool
	l.serve(func(f frame) {
		switch {
		case f.Hello != nil:
			greeted.Store(true)
			o.peer.Store(f.Hello)
			o.setLink(l)
		case f.Control != nil && f.Control.Action == sdk.ControlAbort:
			_ = o.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: f.Control.Reason}})
			os.Exit(0)
		case f.Control != nil:
			_ = o.trainer.Control(context.Background(), *f.Control)
		case f.Generate != nil:
			o.sample(l, f)
		}
	})
	l.handled.Wait() // otherwise a late sample could be confused with a repeated one
	o.setLink(nil)
	return greeted.Load()
}

func (o *outside) sample(l *link, f frame) {
	out := frame{Number: f.Number}
	var err error
	if out.Sampled, err = o.Generate(context.Background(), *f.Generate); err != nil && !errors.As(err, &out.Failed) {
		out.Failed = &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: err.Error()}
	}
	_ = l.send(out)
}

func (o *outside) setLink(l *link) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.link = l
	close(o.changed)
	o.changed = make(chan struct{})
}

// awaitLink waits for a link other than the one that broke.
func (o *outside) awaitLink(broken *link) *link {
	for {
		o.mu.Lock()
		l, changed := o.link, o.changed
		o.mu.Unlock()
		if l != nil && l != broken {
			return l
		}
		<-changed
	}
}

func (o *outside) awaitPeer() *hello {
	o.awaitLink(nil)
	return o.peer.Load()
}

// ask repeats a request until any plugin responds to it.
func (o *outside) ask(ctx context.Context, f frame, again func()) (frame, error) {
	l := o.awaitLink(nil)
	for {
		out, err := l.ask(ctx, f)
		if !errors.Is(err, errBroken) {
			if err == nil && out.Error != "" {
				err = errors.New(out.Error)
			}
			return out, err
		}
		l = o.awaitLink(l)
		again()
	}
}

// RunEpisode implements sdk.Host. It drops messages that were sampled before a link broke.
func (o *outside) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	out, err := o.ask(ctx, frame{Episode: &req}, func() { o.open(req, o.find(req.EpisodeID).weights) })
	return out.Result, err
}

// CancelEpisode implements sdk.Host.
func (o *outside) CancelEpisode(context.Context, string, string) error { return nil }

// Tasks implements sdk.Host.
func (o *outside) Tasks(context.Context, sdk.TasksRequest, func(sdk.Task) bool) error {
	return errors.New("this trainer does not support a warm start")
}

// StepBoundary implements sdk.Host.
func (o *outside) StepBoundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	out, err := o.ask(ctx, frame{Boundary: &boundaryFrame{req, int(o.lines.Load())}}, func() {})
	return out.Answer, err
}

// emit appends an event to the file for this plugin and the next one.
func (o *outside) emit(e sdk.TrainEvent) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := o.events.Write(append(line, '\n')); err != nil {
		return err
	}
	o.lines.Add(1)
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }

var _ sdk.Host = (*outside)(nil)
