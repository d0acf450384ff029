package run

import "github.com/awhost/awhost/host/rollout"

// Telemetry hears of episodes when they are on record, for programs that watch the run. It neither blocks nor fails,
// and nothing depends on it.
type Telemetry interface {
	// Watch gets a way to look at what goes on, for as long as the run lasts. look says false while nothing does.
	Watch(look func() (now rollout.Glance, ok bool))
	// Tracer follows the episodes into other processes; nil: nobody does.
	Tracer() rollout.Tracer
	// AttemptOver hears of an attempt that was given up for another one.
	AttemptOver(record *rollout.AttemptRecord)
	// EpisodeOver hears of an episode. The record is read only.
	EpisodeOver(record *rollout.EpisodeRecord)
}

// watched lets telemetry look at the run.
func (r *runner) watched() {
	if r.Telemetry == nil {
		return
	}
	r.Telemetry.Watch(func() (rollout.Glance, bool) {
		if l := r.service.current.Load(); l != nil {
			return l.engine.Glance()
		}
		return rollout.Glance{}, false
	})
}

// tracer follows the run's episodes; nil: nobody does.
func (r *runner) tracer() rollout.Tracer {
	if r.Telemetry == nil {
		return nil
	}
	return r.Telemetry.Tracer()
}
