package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// line is the part of an event that is looked at; docs/json-events.md has them all.
type line struct {
	Type      string              `json:"type"`
	Time      time.Time           `json:"time"`
	Instance  string              `json:"instance"`
	PID       int                 `json:"pid"`
	Name      string              `json:"name"`
	Done      int                 `json:"done"`
	Ended     bool                `json:"ended"`
	Metrics   map[string]*float64 `json:"metrics"`
	Outcome   string              `json:"outcome"`
	Reason    string              `json:"reason"`
	Digest    string              `json:"digest"`
	Before    *float64            `json:"success_before"`
	After     *float64            `json:"success_after"`
	Unchanged bool                `json:"unchanged"`
}

// story is what the events of one run tell.
type story struct {
	before, after float64
	digest        string
	firstEpisode  time.Time // when it ended
	times         times
	durability    durability
	instances     map[int]string // addresses by process id
}

// readEvents reads `apply --json` to its end.
func readEvents(in io.Reader) (*story, error) {
	r := eventReader{story: story{instances: map[int]string{}}}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("read an event: %w", err)
		}
		if err := r.take(l); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if !r.finished {
		return nil, errors.New("the run ended without the event run_finished")
	}
	return &r.story, nil
}

type eventReader struct {
	story
	finished bool
	phase    string    // the one under way
	since    time.Time // its first event
}

func (r *eventReader) take(l line) error {
	switch l.Type {
	case "plugin_state":
		if l.PID > 0 {
			r.instances[l.PID] = l.Instance
		}
	case "stage_started":
		r.since = l.Time // the warm start begins with it
	case "phase":
		r.takePhase(l)
	case "step_finished":
		r.times.Rollout += value(l.Metrics["train/rollout_seconds"])
		r.times.Update += value(l.Metrics["train/update_seconds"])
		r.durability.Journal += value(l.Metrics["timing/journal_seconds"])
		r.durability.Commits += value(l.Metrics["timing/commit_seconds"])
	case "run_finished":
		if l.Outcome != "completed" {
			return fmt.Errorf("the run ended as %s: %s", l.Outcome, l.Reason)
		}
		r.finished, r.digest, r.before, r.after = true, l.Digest, value(l.Before), value(l.After)
	}
	return nil
}

// takePhase times the warm start and validations, for which there are no metrics. A validation counts from the end of
// its first episode, which is a little less than all of it.
func (r *eventReader) takePhase(l line) {
	if l.Name != "warm_start" && l.Done > 0 && r.firstEpisode.IsZero() && (l.Name == "validation" || l.Name == "rollout") {
		r.firstEpisode = l.Time
	}
	if l.Name != r.phase {
		if l.Name != "warm_start" {
			r.since = l.Time
		}
		r.phase = l.Name
	}
	if !l.Ended {
		return
	}
	took := l.Time.Sub(r.since).Seconds()
	switch l.Name {
	case "warm_start":
		r.times.WarmStart += took
	case "validation":
		r.times.Validation += took
	}
	r.phase = ""
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
