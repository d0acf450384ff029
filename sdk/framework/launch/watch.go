package launch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

// Launcher starts, finds, and ends the trainers of one kind.
type Launcher interface {
	Start(ctx context.Context, j Job) (Handle, error)
	Find(ctx context.Context, j Job) (Handle, error)
	Status(ctx context.Context, h Handle) (Status, error)
	Stop(ctx context.Context, h Handle, patience time.Duration) error
}

// launcherWithLogs is a launcher whose jobs do not write their log file themselves.
type launcherWithLogs interface {
	Launcher
	// Logs appends new output. last: the job has ended, so this is the last call.
	Logs(ctx context.Context, h Handle, last bool) error
}

// intervals between requests for a job's status. A Slurm controller serves many users.
var intervals = map[string]time.Duration{
	KindProcess: 500 * time.Millisecond, KindRay: 3 * time.Second, KindSlurm: 10 * time.Second,
}

// Watch observes a job, which continues without this process.
type Watch struct {
	Running chan struct{} // closed when the job has left its queue
	Ended   chan struct{} // closed when the job has ended or was lost

	// Once Ended is closed:
	Status Status
	Lost   error // the cluster has not answered for too long: the job may be running

	launcher Launcher
	handle   Handle
	note     func(message string) // informs the user; called by one goroutine
	left     sync.WaitGroup
	leave    context.CancelFunc
}

// Follow watches a job until it ends or LetGo is called. It gives up if the cluster is unreachable for the given time.
func Follow(ctx context.Context, l Launcher, h Handle, unreachable time.Duration, note func(string)) *Watch {
	w := &Watch{launcher: l, handle: h, note: note, Running: make(chan struct{}), Ended: make(chan struct{})}
	ctx, w.leave = context.WithCancel(ctx)
	w.left.Go(func() { w.follow(ctx, unreachable) })
	return w
}

// LetGo stops watching. The job continues.
func (w *Watch) LetGo() {
	w.leave()
	w.left.Wait()
}

func (w *Watch) follow(ctx context.Context, unreachable time.Duration) {
	interval := intervals[w.handle.Kind]
	started := sync.OnceFunc(func() { close(w.Running) })
	silence, waited := silence{bound: unreachable}, ""
	for {
		status, err := w.launcher.Status(ctx, w.handle)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if w.Lost = silence.failed(err); w.Lost != nil {
				close(w.Ended)
				return
			}
			if silence.isNew() {
				w.note(fmt.Sprintf("the %s: %v; asked again for up to %s", w.handle, err, unreachable))
			}
		case status.State == Ended:
			w.copyLogs(ctx, true)
			w.Status = status
			close(w.Ended)
			return
		case status.State == Pending && status.Reason != waited:
			waited = status.Reason
			w.note(fmt.Sprintf("the %s is %s", w.handle, status))
		case status.State == Running:
			started()
		}
		if err == nil {
			silence.end()
			w.copyLogs(ctx, false)
		}
		if retry.Pause(ctx, silence.pause(interval)) != nil {
			return
		}
	}
}

// copyLogs updates the log file. A missing log never ends a job.
func (w *Watch) copyLogs(ctx context.Context, last bool) {
	l, ok := w.launcher.(launcherWithLogs)
	if !ok {
		return
	}
	err := l.Logs(ctx, w.handle, last)
	if last && errors.Is(err, ErrUnreachable) {
		err = l.Logs(ctx, w.handle, last)
	}
	if err != nil && last && ctx.Err() == nil {
		w.note(fmt.Sprintf("the end of the log of the %s is missing: %v", w.handle, err))
	}
}

// silence measures the time since the last answer.
type silence struct {
	bound time.Duration
	since time.Time // zero: the last request was answered
	times int
}

// failed counts an error. It returns an error if another request is pointless.
func (s *silence) failed(err error) error {
	if !errors.Is(err, ErrUnreachable) {
		return err
	}
	s.times++
	if s.since.IsZero() {
		s.since = time.Now()
	}
	if d := time.Since(s.since); d >= s.bound {
		return fmt.Errorf("asked for %s: %w", d.Round(time.Second), err)
	}
	return nil
}

func (s *silence) isNew() bool { return s.times == 1 }

func (s *silence) end() { s.since, s.times = time.Time{}, 0 }

// pause returns the time until the next request.
func (s *silence) pause(interval time.Duration) time.Duration {
	d := interval
	for range s.times {
		d = nextPause(d)
	}
	return d
}

// Stop ends a job and everything that it has started. If the job has ended, it returns at once.
func Stop(ctx context.Context, l Launcher, h Handle, patience time.Duration) error {
	ctx = context.WithoutCancel(ctx)
	return Insist(ctx, patience, func(ctx context.Context) error { return l.Stop(ctx, h, patience) })
}
