package sweep

import (
	"cmp"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/internal/child"
	"github.com/awhost/awhost/host/runstore"
)

// Options configures how members run.
type Options struct {
	Jobs    int                        // members at a time
	Command func(m *Member) *exec.Cmd  // applies a member
	Signals <-chan os.Signal           // forwarded to all running members; after the first one, no member starts
	Report  func(m *Member, to string) // what becomes of a member, for people
}

// waitInterval is the time between two looks at a run of another process.
const waitInterval = 500 * time.Millisecond

// pipeTimeout bounds the wait for processes that hold a member's error output after its end.
const pipeTimeout = 5 * time.Second

// runner runs the members of a sweep.
type runner struct {
	Options
	store *runstore.Store

	mu      sync.Mutex
	signals int
	stop    chan struct{} // closed by the first signal
	running map[*os.Process]bool
}

// Run runs the members that have not finished, and returns the number of received signals. It returns when no member
// runs any more. If this process is killed, the members stop after their current step, on Linux only.
func (s *Sweep) Run(o Options) (signals int) {
	r := &runner{Options: o, store: s.Store, stop: make(chan struct{}), running: map[*os.Process]bool{}}
	done := make(chan struct{})
	var forwarding, workers sync.WaitGroup
	forwarding.Go(func() {
		for {
			select {
			case received := <-o.Signals:
				r.forward(received)
			case <-done:
				return
			}
		}
	})
	members := make(chan *Member, len(s.Members))
	for _, m := range s.Members {
		members <- m
	}
	close(members)
	for range min(o.Jobs, len(s.Members)) {
		workers.Go(func() {
			for m := range members {
				r.play(m)
			}
		})
	}
	workers.Wait()
	close(done)
	forwarding.Wait()
	return r.signals
}

// forward sends a signal to all running members.
func (r *runner) forward(received os.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signals++; r.signals == 1 {
		close(r.stop)
	}
	for process := range r.running {
		_ = process.Signal(received) // it may have ended
	}
}

// play runs a member to its end, after waiting for another process that runs it.
func (r *runner) play(m *Member) {
	for waiting := false; ; waiting = true {
		if m.Problem = r.find(m); m.Problem != "" {
			r.Report(m, "failed: "+m.Problem)
			return
		}
		if m.Run == nil || m.Run.Status != runstore.StatusRunning {
			break
		}
		if !waiting {
			r.Report(m, m.Run.Ref()+" is running in another process: waiting for its end")
		}
		select {
		case <-r.stop:
			return
		case <-time.After(waitInterval):
		}
	}
	switch {
	case m.HasFinished():
		r.Report(m, m.Run.Ref()+" has already finished")
		return
	case m.Run != nil && !m.Run.IsFinal():
		r.Report(m, m.Run.Ref()+" continues")
	default:
		r.Report(m, "starts")
	}
	output := &child.Head{Limit: child.MaxMessageBytes}
	started, err := r.apply(m, output)
	if !started {
		return
	}
	problem := r.find(m)
	switch {
	case problem != "":
		m.Problem = problem
	case m.HasFinished(), m.Run != nil && m.Run.Status == runstore.StatusStopped:
	case m.Run != nil && m.Run.Finish != nil && m.Run.Finish.Reason != "":
		m.Problem = m.Run.Finish.Reason
	case err != nil:
		m.Problem = cmp.Or(strings.TrimSpace(child.Said(output)), err.Error())
	case m.Run == nil:
		m.Problem = "its process has left no run"
	}
	r.Report(m, m.outcome())
}

// outcome describes the end of a member.
func (m *Member) outcome() string {
	ref := ""
	if m.Run != nil {
		ref = m.Run.Ref() + " "
	}
	if m.Problem != "" {
		return ref + "failed: " + m.Problem
	}
	return ref + "is " + string(m.Run.Status)
}

// find updates the member's run, and returns why it cannot.
func (r *runner) find(m *Member) (problem string) {
	runs, err := r.store.Find(m.Identity, m.Train)
	runs = slices.DeleteFunc(runs, grown)
	switch {
	case err != nil:
		return err.Error()
	case len(runs) > 0:
		m.Run = &runs[0]
	}
	return ""
}

// apply runs the member's process, unless a signal has been received.
func (r *runner) apply(m *Member, output *child.Head) (started bool, err error) {
	runtime.LockOSThread() // Linux signals the process when the thread that started it ends
	defer runtime.UnlockOSThread()
	cmd := r.Command(m)
	cmd.Stderr, cmd.WaitDelay, cmd.SysProcAttr = output, pipeTimeout, child.Attributes(syscall.SIGTERM)
	r.mu.Lock()
	if r.signals > 0 {
		r.mu.Unlock()
		return false, nil
	}
	err = cmd.Start()
	if err == nil {
		r.running[cmd.Process] = true
	}
	r.mu.Unlock()
	if err != nil {
		return true, err
	}
	err = cmd.Wait()
	r.mu.Lock()
	delete(r.running, cmd.Process)
	r.mu.Unlock()
	return true, err
}
