package verl

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/plugins/verl/internal/launch"
	"github.com/awhost/awhost/sdk/retry"
)

// launcher starts verl and knows how it is. See package launch for what the methods promise.
type launcher interface {
	Start(ctx context.Context, j launch.Job) (launch.Handle, error)
	Find(ctx context.Context, j launch.Job) (launch.Handle, error)
	Status(ctx context.Context, h launch.Handle) (launch.Status, error)
	Stop(ctx context.Context, h launch.Handle, patience time.Duration) error
}

// launcherWithLogs is a launcher whose jobs do not write their log file themselves.
type launcherWithLogs interface {
	launcher
	// Logs appends what is new. last: the job has ended, and this is the last chance.
	Logs(ctx context.Context, h launch.Handle, last bool) error
}

// intervals at which a job is looked at. A controller of Slurm has many who ask.
var intervals = map[string]time.Duration{
	launch.KindProcess: pollInterval, launch.KindRay: 3 * time.Second, launch.KindSlurm: 10 * time.Second,
}

// job is verl, which outlives us, seen by one life of the adapter.
type job struct {
	launcher launcher
	handle   launch.Handle
	note     func(message string) // tells the user; called by one goroutine

	running chan struct{} // closed when the job has left its queue
	ended   chan struct{} // closed when the job has ended, or nobody can say any more
	left    sync.WaitGroup
	leave   context.CancelFunc

	// Once ended is closed:
	status launch.Status
	lost   error // nobody has answered for too long: the job may go on
}

// followJob looks after a job until it ends or let go. What cannot be reached for the time of unreachable is given up.
func followJob(ctx context.Context, l launcher, h launch.Handle, unreachable time.Duration, note func(string)) *job {
	j := &job{launcher: l, handle: h, note: note, running: make(chan struct{}), ended: make(chan struct{})}
	ctx, j.leave = context.WithCancel(ctx)
	j.left.Go(func() { j.follow(ctx, unreachable) })
	return j
}

// letGo ends the looking, not the job.
func (j *job) letGo() {
	j.leave()
	j.left.Wait()
}

func (j *job) follow(ctx context.Context, unreachable time.Duration) {
	interval := intervals[j.handle.Kind]
	started := sync.OnceFunc(func() { close(j.running) })
	silence, waited := silence{bound: unreachable}, ""
	for {
		status, err := j.launcher.Status(ctx, j.handle)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if j.lost = silence.heard(err); j.lost != nil {
				close(j.ended)
				return
			}
			if silence.isNew() {
				j.note(fmt.Sprintf("the %s: %v; asked again for up to %s", j.handle, err, unreachable))
			}
		case status.State == launch.Ended:
			j.copyLogs(ctx, true)
			j.status = status
			close(j.ended)
			return
		case status.State == launch.Pending && status.Reason != waited:
			waited = status.Reason
			j.note(fmt.Sprintf("the %s is %s", j.handle, status))
		case status.State == launch.Running:
			started()
		}
		if err == nil {
			silence.over()
			j.copyLogs(ctx, false)
		}
		if retry.Pause(ctx, silence.pause(interval)) != nil {
			return
		}
	}
}

// copyLogs brings the log file up to date. A log that cannot be had is no reason to end anything.
func (j *job) copyLogs(ctx context.Context, last bool) {
	l, ok := j.launcher.(launcherWithLogs)
	if !ok {
		return
	}
	err := l.Logs(ctx, j.handle, last)
	if last && errors.Is(err, launch.ErrUnreachable) {
		err = l.Logs(ctx, j.handle, last)
	}
	if err != nil && last && ctx.Err() == nil {
		j.note(fmt.Sprintf("the end of the log of the %s is missing: %v", j.handle, err))
	}
}

// silence is the time since the last answer.
type silence struct {
	bound time.Duration
	since time.Time // zero: the last question was answered
	times int
}

// heard takes note of an error, and returns one when there is no point in asking again.
func (s *silence) heard(err error) error {
	if !errors.Is(err, launch.ErrUnreachable) {
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

func (s *silence) over() { s.since, s.times = time.Time{}, 0 }

// pause is how long to wait before the next question.
func (s *silence) pause(interval time.Duration) time.Duration {
	d := interval
	for range s.times {
		d = launch.NextPause(d)
	}
	return d
}

// stop ends verl and what it has started. An end that has happened already is none to wait for.
func (j *job) stop(ctx context.Context, patience time.Duration) error {
	ctx = context.WithoutCancel(ctx)
	return launch.Insist(ctx, patience, func(ctx context.Context) error { return j.launcher.Stop(ctx, j.handle, patience) })
}
