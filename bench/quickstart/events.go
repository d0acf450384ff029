package main

import (
	"math"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// story collects what is observed of one run through its events and its processes.
type story struct {
	began         time.Time
	watched       *tree // nil: not started
	before, after float64
	digest        string
	firstEpisode  time.Time // when it ended
	times         times
	durability    durability
	instances     map[int]string // addresses by process id

	phase event.PhaseName // the current phase
	since time.Time       // its first event
}

func newStory() *story {
	return &story{began: time.Now(), instances: map[int]string{}}
}

// Started implements awhost.Observer.
func (s *story) Started(pid int) { s.watched = watchTree(pid) }

// Take implements awhost.Observer.
func (s *story) Take(e event.Event) {
	switch p := e.Payload.(type) {
	case event.PluginState:
		if p.PID > 0 {
			s.instances[p.PID] = p.Instance
		}
	case event.StageStarted:
		s.since = e.Time // the warm start begins here
	case event.Phase:
		s.takePhase(e.Time, p)
	case event.StepFinished:
		s.times.Rollout += number(p.Metrics[metric.RolloutSeconds])
		s.times.Update += number(p.Metrics[metric.UpdateSeconds])
		s.durability.Journal += number(p.Metrics["timing/journal_seconds"])
		s.durability.Commits += number(p.Metrics["timing/commit_seconds"])
	case event.RunFinished:
		s.digest = p.Digest
		s.before, _ = p.Before.Get()
		s.after, _ = p.After.Get()
	}
}

// takePhase times the warm start and validations, which have no metrics. The measured time of a validation starts at
// the end of its first episode, so it is slightly too short.
func (s *story) takePhase(at time.Time, p event.Phase) {
	if p.Done > 0 && s.firstEpisode.IsZero() && (p.Name == event.PhaseValidation || p.Name == event.PhaseRollout) {
		s.firstEpisode = at
	}
	if p.Name != s.phase {
		if p.Name != event.PhaseWarmStart {
			s.since = at
		}
		s.phase = p.Name
	}
	if !p.Ended {
		return
	}
	took := at.Sub(s.since).Seconds()
	switch p.Name {
	case event.PhaseWarmStart:
		s.times.WarmStart += took
	case event.PhaseValidation:
		s.times.Validation += took
	}
	s.phase = ""
}

// number returns v, or 0 for NaN.
func number(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
