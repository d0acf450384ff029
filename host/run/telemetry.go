package run

import "github.com/awhost/awhost/host/rollout"

// Telemetry receives recorded episodes for programs that monitor the run. It neither blocks nor fails, and no result
// depends on it.
type Telemetry interface {
	// Watch receives a function that returns a snapshot of the run and can be called until the run ends. look returns
	// false while nothing is running.
	Watch(look func() (now rollout.Snapshot, ok bool))
	// Tracer propagates episode traces to other processes. Nil means that they are not traced.
	Tracer() rollout.Tracer
	// AttemptEnded receives an attempt that was abandoned in favor of another one.
	AttemptEnded(record *rollout.AttemptRecord)
	// EpisodeEnded receives an episode. The record is read-only.
	EpisodeEnded(record *rollout.EpisodeRecord)
}

// watched passes a snapshot function to telemetry.
func (r *runner) watched() {
	if r.Telemetry == nil {
		return
	}
	r.Telemetry.Watch(func() (rollout.Snapshot, bool) {
		if l := r.service.current.Load(); l != nil {
			return l.engine.Snapshot()
		}
		return rollout.Snapshot{}, false
	})
}

// tracer returns the tracer of the run's episodes, or nil.
func (r *runner) tracer() rollout.Tracer {
	if r.Telemetry == nil {
		return nil
	}
	return r.Telemetry.Tracer()
}
