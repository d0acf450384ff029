package main

import (
	"context"
	"fmt"
	"io"
)

// failure is the result of a run with a fault.
type failure struct {
	System   string  `json:"system"`
	Fault    string  `json:"fault"`
	Episodes int     `json:"episodes"`
	Killed   int     `json:"killed,omitempty"` // processes
	Problem  string  `json:"problem,omitempty"`
	Outcome  outcome `json:"outcome"`
}

// measureFailures disturbs each system that has an environment process or a reward, and counts the scored episodes.
func (r *report) measureFailures(ctx context.Context, o options, w io.Writer) error {
	concurrency := o.concurrency[len(o.concurrency)/2]
	fmt.Fprintf(w, "\nfaults, %d episodes at a time\n", concurrency)
	for _, s := range o.systems {
		if s.command == nil { // it is not here
			continue
		}
		j := job{concurrency: concurrency, episodes: o.episodes(s, concurrency)}
		if s.kills != "" {
			if err := r.measureFailure(ctx, o, w, s, j, "kill -9 of the environment", s.kills); err != nil {
				return err
			}
		}
		if j.raising = s.raises; s.raises {
			if err := r.measureFailure(ctx, o, w, s, j, "the reward raises for 5 %", ""); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *report) measureFailure(ctx context.Context, o options, w io.Writer, s *system, j job,
	fault, kill string,
) error {
	m, err := measureRun(ctx, o, s, j, kill)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", s.name, fault, err)
	}
	f := &failure{s.title, fault, j.episodes, m.Killed, m.Problem, m.Outcome}
	r.Failures = append(r.Failures, f)
	fmt.Fprintf(w, "%-40s %-28s %5d of %5d scored, %4d recorded as failed, %4d as 0", f.System, f.Fault, f.Outcome.Scored,
		f.Episodes, f.Outcome.Failed, f.Outcome.Zero)
	if f.Problem != "" {
		fmt.Fprintf(w, "; %s", f.Problem)
	}
	fmt.Fprintln(w)
	return nil
}
