package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// job is one run of a system.
type job struct {
	engine      string // base URL
	dir         string // empty, for the files of the run
	concurrency int
	episodes    int
	raising     bool // the reward raises an exception for each twentieth episode
}

// turnsPerEpisode counts a tool call and an answer.
const turnsPerEpisode = 2

// outcome is the result of a run's episodes, as the system recorded them.
type outcome struct {
	Scored int `json:"scored"`
	Failed int `json:"failed"` // recorded as failed
	Zero   int `json:"zero"`   // of those scored: with 0, although each answer is correct
}

// measurement is the result of one run.
type measurement struct {
	Problem     string  `json:"problem,omitempty"` // if set, the figures are not comparable
	Turns       int     `json:"turns"`             // measured
	PerTurn     float64 `json:"cpu_ms_per_turn"`
	TurnsPerSec float64 `json:"turns_per_second"`
	AddedP50    float64 `json:"added_p50_ms"`
	AddedP99    float64 `json:"added_p99_ms"`
	Peaks       peaks   `json:"peaks"`
	Split       []share `json:"split"`
	Outcome     outcome `json:"outcome"`
	Seconds     float64 `json:"seconds"` // of the whole run
	Killed      int     `json:"killed,omitempty"`
}

// The part of the turns that is measured, so that start and end do not count.
const (
	measuredFrom  = 0.2
	measuredUntil = 0.9
)

// measureRun runs a system once, until it ends or the limit is reached, and ends all its processes. After half of the
// turns, it kills the processes with the text kill in their command line, if it is not empty.
func measureRun(ctx context.Context, o options, s *system, j job, kill string) (m measurement, err error) {
	e, err := startEngine(o.latency)
	if err != nil {
		return m, err
	}
	defer e.close()
	if j.dir, err = os.MkdirTemp(o.scratch, s.name+"-"); err != nil {
		return m, err
	}
	j.engine = e.url
	defer func() { err = errors.Join(err, os.RemoveAll(j.dir)) }()
	log, err := os.Create(filepath.Join(o.logs(), fmt.Sprintf("%s-%d.log", s.name, j.concurrency)))
	if err != nil {
		return m, err
	}
	defer log.Close()
	args, err := s.command(j)
	if err != nil {
		return m, err
	}
	var stdout bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = j.dir, &stdout, log, append(os.Environ(), s.env...)
	a := openAccount()
	if err := cmd.Start(); err != nil {
		return m, fmt.Errorf("start %s: %w", args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	w := watch{account: a, engine: e, kill: kill, turns: turnsPerEpisode * j.episodes, root: cmd.Process.Pid}
	m, end := w.follow(ctx, o.limit, ended)
	if ended := a.endAll(cmd.Process.Pid, 2*time.Second); ended != nil {
		return m, ended
	}
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	_, _ = log.Write(stdout.Bytes())
	m.Outcome, err = s.read(j, stdout.Bytes())
	switch {
	case m.Problem != "":
	case end != nil:
		m.Problem = fmt.Sprintf("failed (%v), see %s", end, log.Name())
	case err != nil:
		m.Problem = fmt.Sprintf("its result cannot be read: %v, see %s", err, log.Name())
	case m.Outcome != outcome{Scored: j.episodes} && kill == "" && !j.raising:
		m.Problem = fmt.Sprintf("scored %d of %d episodes, %d of them with 0", m.Outcome.Scored, j.episodes, m.Outcome.Zero)
	case m.Turns == 0 && kill == "":
		m.Problem = "ended before the measured part"
	}
	return m, nil
}

// watch follows one run.
type watch struct {
	account *account
	engine  *engine
	kill    string
	turns   int // of the whole run
	root    int
}

// follow samples the run until it ends. It returns the process's error, or a measurement with a problem if the run did
// not end by itself.
func (w *watch) follow(ctx context.Context, limit time.Duration, ended <-chan error) (m measurement, end error) {
	var from, to *snapshot
	began := time.Now()
	looked, looks := time.Time{}, 0
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	defer func() {
		m.Peaks, m.Seconds = w.account.peaks, time.Since(began).Seconds()
		if from != nil && to != nil {
			m.fill(*from, *to)
		}
	}()
	for {
		select {
		case err := <-ended:
			return m, err
		case <-ctx.Done():
			return m, ctx.Err()
		case <-ticker.C:
		}
		n := w.engine.count()
		if time.Since(began) > limit {
			m.Problem = fmt.Sprintf("cut off after %s with %d of %d turns", limit, n, w.turns)
			return m, nil
		}
		if from == nil && float64(n) >= measuredFrom*float64(w.turns) {
			from = new(w.account.take(n))
			w.engine.takeAdded()
		}
		if to == nil && float64(n) >= measuredUntil*float64(w.turns) {
			to = new(w.account.take(n))
			added := w.engine.takeAdded()
			m.AddedP50, m.AddedP99 = quantile(added, 0.5), quantile(added, 0.99)
		}
		if w.kill != "" && n >= w.turns/2 {
			if m.Killed = w.account.kill(w.kill); m.Killed == 0 {
				m.Problem = fmt.Sprintf("no process matches %q", w.kill)
			}
			w.kill = ""
		}
		if time.Since(looked) > 400*time.Millisecond {
			w.account.watchMemory(w.root, looks%4 == 3)
			looked, looks = time.Now(), looks+1
		}
	}
}

// fill calculates the figures between two snapshots.
func (m *measurement) fill(from, to snapshot) {
	m.Turns = to.turns - from.turns
	m.PerTurn = 1000 * (to.cpu - from.cpu) / float64(m.Turns)
	m.TurnsPerSec = float64(m.Turns) / to.at.Sub(from.at).Seconds()
	m.Split = split(from, to)
}

// quantile returns a quantile of sorted durations in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := min(int(q*float64(len(sorted))), len(sorted)-1)
	return float64(sorted[at].Microseconds()) / 1000
}

// readOutcome reads the last line that a driver printed.
func readOutcome(stdout []byte) (out outcome, err error) {
	lines := strings.Split(strings.TrimSpace(string(stdout)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &out); err != nil {
		return out, fmt.Errorf("the last line of the driver is not an outcome: %w", err)
	}
	return out, nil
}
