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

// line holds the parts of an event that are used; docs/reference/json-events.md describes all parts.
type line struct {
	Type      string `json:"type"`
	Outcome   string `json:"outcome"`
	Reason    string `json:"reason"`
	Step      int    `json:"step"`
	Digest    string `json:"digest"`
	Exact     bool   `json:"exact"`
	Resumable bool   `json:"resumable"`
}

// progress lists the events that indicate training progress.
var progress = map[string]bool{"phase": true, "step_finished": true, "validation_finished": true,
	"checkpoint_committed": true, "run_finished": true}

// host is one `awhost apply` process.
type host struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	moved  chan struct{} // signals progress; capacity 1
	ended  chan struct{} // closed after the following fields are set
	last   line          // the run_finished event, if any
	text   string        // the last line of output
	struck bool          // one of its processes was killed
	err    error
}

// environment returns the host's environment variables. The run's own directory for temporary files identifies all
// its processes.
func (r *tortured) environment() []string {
	return append(os.Environ(), "TMPDIR="+r.temp(), "XDG_RUNTIME_DIR="+r.temp(), "GOMAXPROCS="+strconv.Itoa(r.procs))
}

func (r *tortured) start(ctx context.Context) (*host, error) {
	h := &host{moved: make(chan struct{}, 1), ended: make(chan struct{})}
	h.cmd = exec.CommandContext(ctx, r.awhost, "apply", "--json", "--pass-env=GOMAXPROCS", "--var=concurrency="+
		strconv.Itoa(r.concurrency))
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

// follow reads the host's output to its end.
func (h *host) follow(in io.Reader) {
	defer close(h.ended)
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue // a killed host may leave an incomplete last line
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

// over reports whether the host has ended.
func (h *host) over() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

// stoppedByKill reports whether killing another process ended the host. This happens in two cases. If a plugin had
// not started yet, the run can be resumed from its last commit. If the host was still planning, nothing had started.
func (h *host) stoppedByKill() bool {
	planning := h.last.Outcome == "" && h.err != nil && h.cmd.ProcessState.ExitCode() > 0
	return planning || h.last.Outcome == "failed" && h.last.Resumable
}

// failure returns the error for an unexpected end of the host.
func (h *host) failure() error {
	if h.last.Reason != "" {
		return fmt.Errorf("the host ended with outcome %s: %s", h.last.Outcome, h.last.Reason)
	}
	return fmt.Errorf("the host ended: %w\n%s%s", h.err, h.stderr.Bytes(), h.text)
}

// exitLocked is the exit code of a host whose run is locked.
const exitLocked = 16
