package stage

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/outliving"
	"github.com/awhost/awhost/sdk/python"
)

// Relay is a Trainer whose process requests episodes and reports its steps over the bridge. An adapter embeds it to add
// values that its workers do not know. The notes for a later life are in the directory of the launch.
type Relay struct {
	Request sdk.TrainRequest
	Host    sdk.Host
	Stop    func(Ending)     // ends the stage
	Keeper  outliving.Keeper // writes notes and events
	Signs   []python.Sign    // causes of failures in the trainer's log
	// Again reports whether another start may succeed after an end that the trainer has not reported.
	Again func(status launch.Status) bool

	framework, dir, log string
	reports             reports
	joined, finishing   chan struct{}
	join, fin           func()

	mu      sync.Mutex
	last    int // the last finished step, counted over all stages
	drained string
	end     *sdk.FinishedEvent
}

// NewRelay returns a relay for a stage of a framework. Its files are in dir, and the trainer's output is in log.
func NewRelay(framework, dir, log string, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) *Relay {
	r := &Relay{
		Request: req, Host: host, framework: framework, dir: dir, log: log, last: req.FirstStep - 1,
		joined: make(chan struct{}), finishing: make(chan struct{}),
	}
	r.reports = reports{path: filepath.Join(dir, "events.jsonl"), keeper: &r.Keeper, emit: emit}
	r.join = sync.OnceFunc(func() { close(r.joined) })
	r.fin = sync.OnceFunc(func() { close(r.finishing) })
	return r
}

// Note is a fact that the trainer does not report again. Adapters embed it in a struct with other facts; one member
// is set.
type Note struct {
	Boundary *int               `json:"boundary,omitempty"` // the last finished step, after the host's decision
	Finished *sdk.FinishedEvent `json:"finished,omitempty"` // the trainer's last report
}

// Notes returns the file with the notes, one in each line.
func (r *Relay) Notes() string { return filepath.Join(r.dir, "notes.jsonl") }

// Recall implements Trainer.
func (r *Relay) Recall(_ context.Context, after uint64) error {
	_, err := r.Restore(after)
	return err
}

// Restore does the same as Recall, and returns the episodes whose use has been reported.
func (r *Relay) Restore(after uint64) (reported map[string]bool, err error) {
	if reported, err = r.reports.recall(after); err != nil {
		return nil, err
	}
	notes, err := outliving.Lines[Note](r.Notes())
	for _, n := range notes {
		switch {
		case n.Boundary != nil:
			r.last = *n.Boundary
			r.join()
		case n.Finished != nil:
			r.end = n.Finished
			r.fin()
		}
	}
	return reported, err
}

// RunEpisode implements bridge.Handler.
func (r *Relay) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	r.join()
	req.Stage = r.Request.Stage
	result, err := r.Host.RunEpisode(ctx, req)
	if err != nil {
		return nil, errors.Join(err, bridge.Abandon(ctx, r.Host, req.EpisodeID))
	}
	return result, nil
}

// Boundary implements bridge.Handler.
func (r *Relay) Boundary(ctx context.Context, _ bridge.Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse,
	error) {
	r.join()
	req.LaunchID, req.Stage = r.Request.LaunchID, r.Request.Stage
	answer, err := r.Host.StepBoundary(ctx, req)
	if err == nil {
		err = r.Keeper.Append(r.Notes(), Note{Boundary: &req.Step})
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = req.Step
	if answer.Directive == sdk.DirectiveContinue && r.drained != "" {
		return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveStop, Reason: r.drained}, nil
	}
	return answer, nil
}

// Event implements bridge.Handler.
func (r *Relay) Event(_ context.Context, _ bridge.Worker, e sdk.TrainEvent) error {
	return r.Once(e, func(*sdk.TrainEvent) (func(), error) { return func() {}, nil })
}

// Once sends an event of the trainer to the host, unless it was sent before. complete adds values that the trainer does
// not know. The function that it returns is called when the event is on disk.
func (r *Relay) Once(e sdk.TrainEvent, complete func(e *sdk.TrainEvent) (kept func(), err error)) error {
	if e.Finished == nil {
		return r.reports.once(e.Seq, func() (sdk.TrainEvent, func(), error) {
			kept, err := complete(&e)
			return e, kept, err
		})
	}
	if err := r.Keeper.Append(r.Notes(), Note{Finished: e.Finished}); err != nil {
		return err
	}
	r.mu.Lock()
	r.end = e.Finished
	r.mu.Unlock()
	r.fin()
	return nil // sent when the process has exited
}

// Report implements Trainer.
func (r *Relay) Report(e sdk.TrainEvent) error { return r.reports.report(e) }

// Count implements Trainer: the versions are the host's.
func (r *Relay) Count(string, []sdk.VersionSpan) {}

// Milestones implements Trainer.
func (r *Relay) Milestones() []Milestone {
	return []Milestone{{r.joined, r.framework + " did not report"}}
}

// Look implements Trainer.
func (r *Relay) Look(context.Context) (stuck, err error) { return nil, r.Keeper.Trouble() }

// Drain implements Trainer: the next boundary is the last one.
func (r *Relay) Drain(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.drained = reason; reason == "" {
		r.drained = "drained"
	}
}

// Finished implements Trainer.
func (r *Relay) Finished() *sdk.FinishedEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// Finishing implements Trainer.
func (r *Relay) Finishing() <-chan struct{} { return r.finishing }

// Told implements Trainer.
func (r *Relay) Told() bool { return r.Finished() != nil }

// Ended implements Trainer.
func (r *Relay) Ended(status launch.Status) (*sdk.FinishedEvent, bool) { return nil, r.Again(status) }

// LastStep implements Trainer.
func (r *Relay) LastStep() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// Diagnose implements Trainer.
func (r *Relay) Diagnose() string { return python.Diagnose(r.log, r.Signs) }

var _ Trainer = (*Relay)(nil)
