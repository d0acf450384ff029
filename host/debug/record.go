package debug

import (
	"context"
	"sync"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/host/runstore"
)

// Recorder keeps the episodes that are played in a run, where readers of runs find them as soon as each is over. It is
// the eval.Config.Record of the session that plays them.
type Recorder struct {
	writer  *runstore.Writer
	records record.Maker

	mu    sync.Mutex
	tries map[string]int // of each task, by its group
	stage string         // of the episodes; empty until there is one
}

// NewRecorder keeps episodes in the run of a writer, without what redact takes out.
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

// Episode implements rollout.Sink. A task that is played again becomes the next sample of its group: a sibling of the
// tries before. All are of step 0, whatever checkpoint answers: this run does no steps.
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

// Finish ends the run: nothing is played any more, and what was played counts.
func (r *Recorder) Finish(ctx context.Context) error {
	r.mu.Lock()
	stage := r.stage
	r.mu.Unlock()
	if stage != "" {
		if err := r.writer.AppendValidation(ctx, runstore.ValidationRecord{Stage: stage}); err != nil {
			return err
		}
	}
	return r.writer.Finish(ctx, runstore.FinishRecord{Outcome: runstore.StatusFinished, Inexact: "somebody played it"})
}

var _ rollout.CallSink = (*Recorder)(nil)
