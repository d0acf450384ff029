package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/runstore"
)

// tortured is a run whose processes are killed.
type tortured struct {
	*bench
	name, dir          string
	concurrency, procs int
	kills              []kill
	digest             string
}

// temp returns the directory for the run's sockets. The path is short because socket paths must be short.
func (r *tortured) temp() string { return filepath.Join(r.scratch, "t-"+r.name) }

func (r *tortured) roles() string {
	var names []string
	for _, k := range r.kills {
		names = append(names, k.role)
	}
	return strings.Join(names, " ")
}

// Timeouts. They are far above normal durations, so exceeding one is an error.
const (
	patience = 10 * time.Minute // for a run, or for progress
	clearing = 20 * time.Second // for all parts of a run to end

	mostKills = 25 // in one run
)

// undisturbed runs to completion without kills.
func (r *tortured) undisturbed(ctx context.Context) error {
	h, err := r.start(ctx)
	if err != nil {
		return err
	}
	<-h.ended
	return r.finish(ctx, h)
}

// disturbed runs and has its processes killed until it has ended.
func (r *tortured) disturbed(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	h, err := r.start(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = h.cmd.Process.Kill(); <-h.ended }()
	for {
		if err := r.pause(ctx, h); err != nil {
			return err
		}
		if h.over() && h.struck && h.stoppedByKill() {
			r.stopped++
			if h, err = r.again(ctx, h); err != nil {
				return err
			}
		}
		if h.over() {
			return r.finish(ctx, h)
		}
		if len(r.kills) >= mostKills || len(r.done)+len(r.kills) >= r.bench.kills { // no more kills: wait for its end
			<-h.ended
			continue
		}
		killed, died := r.strike(h)
		if !killed {
			continue
		}
		if died {
			if h, err = r.again(ctx, h); err != nil {
				return err
			}
		}
	}
}

// pause waits for a random time: usually up to a third of a run's duration, sometimes hardly at all, so that kills also
// hit starts and recoveries. Progress during the wait ends the recovery from the last kill.
func (r *tortured) pause(ctx context.Context, h *host) error {
	longest := r.whole.Seconds() / 3
	if r.random.IntN(3) == 0 {
		longest = 0.3
	}
	timer := time.NewTimer(time.Duration(r.random.Float64() * longest * float64(time.Second)))
	defer timer.Stop()
	for {
		select {
		case <-h.moved:
			r.recovered()
		case <-timer.C:
			return nil
		case <-h.ended:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("it did not finish within %s", patience)
		}
	}
}

// recovered records the first progress after the last kill.
func (r *tortured) recovered() {
	if n := len(r.kills); n > 0 && r.kills[n-1].recovery == 0 {
		r.kills[n-1].recovery = time.Since(r.kills[n-1].at)
	}
}

// strike kills a process. died reports whether the killed process was the host.
func (r *tortured) strike(h *host) (killed, died bool) {
	victim, ok := r.victim(h)
	if !ok {
		return false, false
	}
	select { // earlier progress does not indicate recovery
	case <-h.moved:
	default:
	}
	if err := syscall.Kill(victim.pid, syscall.SIGKILL); err != nil {
		return false, false // it has just ended
	}
	h.struck = true
	r.kills = append(r.kills, kill{role: victim.role, at: time.Now()})
	return true, victim.role == "host"
}

// again restarts the host. The run stays locked while the killed host's processes are being ended, so a refused start
// is retried.
func (r *tortured) again(ctx context.Context, dead *host) (*host, error) {
	<-dead.ended
	for began := time.Now(); ; {
		h, err := r.start(ctx)
		if err != nil {
			return dead, err
		}
		select {
		case <-h.moved:
			r.recovered()
			return h, nil
		case <-h.ended:
		case <-time.After(time.Second):
			return h, nil
		}
		if h.cmd.ProcessState.ExitCode() != exitLocked {
			return h, nil // the caller handles it
		}
		if time.Since(began) > clearing {
			return h, fmt.Errorf("the run was still held %s after its host was killed: %s", clearing, h.stderr.Bytes())
		}
		r.refused++
	}
}

// finish checks a run after it has ended.
func (r *tortured) finish(ctx context.Context, h *host) error {
	if h.last.Outcome != "completed" {
		return h.failure()
	}
	r.bench.done = append(r.bench.done, r.kills...)
	r.digest = fmt.Sprintf("%s at step %d", h.last.Digest, h.last.Step)
	if want := r.bench.digest; want != "" && r.digest != want {
		return fmt.Errorf("its digest is %s, but the undisturbed run has %s", r.digest, want)
	}
	if !h.last.Exact {
		return errors.New("it is not exact: " + h.last.Reason)
	}
	return errors.Join(r.audit(ctx), r.nothingLeft())
}

// audit checks that the lineage counts every slot once.
func (r *tortured) audit(ctx context.Context) error {
	run, err := runstore.In(r.dir, runstore.Options{}).Open("")
	if err != nil {
		return err
	}
	audit, err := run.Audit(ctx)
	if err != nil {
		return err
	}
	if len(audit.Problems) > 0 {
		return errors.New(strings.Join(audit.Problems, "; "))
	}
	return nil
}
