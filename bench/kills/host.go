package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// line is the part of an event that is looked at; docs/json-events.md has them all.
type line struct {
	Type      string `json:"type"`
	Outcome   string `json:"outcome"`
	Reason    string `json:"reason"`
	Step      int    `json:"step"`
	Digest    string `json:"digest"`
	Exact     bool   `json:"exact"`
	Resumable bool   `json:"resumable"`
}

// progress are the events that say that training goes on.
var progress = map[string]bool{"phase": true, "step_finished": true, "validation_finished": true, "checkpoint_committed": true, "run_finished": true}

// host is one `awhost apply`.
type host struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	moved  chan struct{} // a sign of progress; has room for one
	ended  chan struct{} // closed: all that follows is set
	last   line          // run_finished, where it came to that
	text   string        // the last line of all
	struck bool          // a process of it was killed
	err    error
}

// environment is what the host gets. The directory for temporary files is the run's own: by it all its processes are known.
func (r *tortured) environment() []string {
	return append(os.Environ(), "TMPDIR="+r.temp(), "XDG_RUNTIME_DIR="+r.temp(), "GOMAXPROCS="+strconv.Itoa(r.procs))
}

func (r *tortured) start(ctx context.Context) (*host, error) {
	h := &host{moved: make(chan struct{}, 1), ended: make(chan struct{})}
	h.cmd = exec.CommandContext(ctx, r.awhost, "apply", "--json", "--pass-env=GOMAXPROCS", "--var=concurrency="+strconv.Itoa(r.concurrency))
	h.cmd.Cancel = func() error { return h.cmd.Process.Signal(os.Interrupt) }
	h.cmd.Dir, h.cmd.Env, h.cmd.Stderr = r.dir, r.environment(), &h.stderr
	stdout, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	go h.follow(stdout)
	return h, nil
}

// follow reads to the end of the host.
func (h *host) follow(in io.Reader) {
	defer close(h.ended)
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue // the last line of a killed host may be half a line
		}
		h.text = lines.Text()
		if l.Type == "run_finished" {
			h.last = l
		}
		if progress[l.Type] {
			select {
			case h.moved <- struct{}{}:
			default:
			}
		}
	}
	h.err = h.cmd.Wait()
}

// over says whether the host has ended.
func (h *host) over() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

// stoppedByKill says whether the death of another process ended the host. That happens where a plugin had not started
// yet: the run goes on from its last commit; and where the plan was being made: nothing had begun.
func (h *host) stoppedByKill() bool {
	planning := h.last.Outcome == "" && h.err != nil && h.cmd.ProcessState.ExitCode() > 0
	return planning || h.last.Outcome == "failed" && h.last.Resumable
}

// failure says how a host ended that should not have.
func (h *host) failure() error {
	if h.last.Reason != "" {
		return fmt.Errorf("the host ended as %s: %s", h.last.Outcome, h.last.Reason)
	}
	return fmt.Errorf("the host ended: %w\n%s%s", h.err, h.stderr.Bytes(), h.text)
}

// exitLocked is the exit code of a host that finds its run held.
const exitLocked = 16
