package debug

import (
	"context"
	"sync"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/host/runstore"
)

// Recorder stores a session's episodes in a run, where programs that read runs find each episode as soon as it has
// ended. It is the session's eval.Config.Record.
type Recorder struct {
	writer  *runstore.Writer
	records record.Maker

	mu    sync.Mutex
	tries map[string]int // per task, by its group
	stage string         // stage of the episodes; empty before the first one
}

// NewRecorder returns a recorder for a writer's run. redact removes secrets.
func NewRecorder(w *runstore.Writer, redact func(string) string) *Recorder {
	return &Recorder{writer: w, records: record.Maker{Redact: redact}, tries: map[string]int{}}
}

// Call implements rollout.CallSink.
func (r *Recorder) Call(c *rollout.CallRecord) error {
	return r.writer.AppendCall(context.Background(), record.Call(c))
}

// Attempt implements rollout.Sink.
func (r *Recorder) Attempt(a *rollout.AttemptRecord) error {
	given := r.records.Attempt(a)
	given.Step = 0
	return r.writer.AppendEvent(context.Background(), given)
}

// Episode implements rollout.Sink. A repeated task becomes the next sample in its group, alongside earlier tries. All
// episodes have step 0, regardless of the checkpoint used: this run has no steps.
func (r *Recorder) Episode(e *rollout.EpisodeRecord) error {
	kept := r.records.Episode(e)
	r.mu.Lock()
	kept.Slot.Step, kept.Slot.Sample = 0, r.tries[kept.Slot.Group]
	r.tries[kept.Slot.Group]++
	r.stage = kept.Slot.Stage
	r.mu.Unlock()
	_, err := r.writer.AppendEpisode(context.Background(), kept)
	return err
}

// Finish ends the run. No more episodes follow, and those recorded so far are valid.
func (r *Recorder) Finish(ctx context.Context) error {
	r.mu.Lock()
	stage := r.stage
	r.mu.Unlock()
	if stage != "" {
		if err := r.writer.AppendValidation(ctx, runstore.ValidationRecord{Stage: stage}); err != nil {
			return err
		}
	}
	return r.writer.Finish(ctx, runstore.FinishRecord{Outcome: runstore.StatusFinished, Inexact: "a user played the " +
		"episodes"})
}

var _ rollout.CallSink = (*Recorder)(nil)
