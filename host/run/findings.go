package run

import (
	"context"
	"sync"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// facts holds what rules read of training episodes, until the step that counts them.
type facts struct {
	mu       sync.Mutex
	episodes map[string]findings.Episode
}

func (f *facts) add(e *runstore.EpisodeRecord) {
	if e.Slot.Split != sdk.SplitTrain {
		return
	}
	facts := record.Facts(e)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.episodes == nil {
		f.episodes = map[string]findings.Episode{}
	}
	f.episodes[e.EpisodeID] = facts
}

// take removes the facts of episodes and returns them in the same order.
func (f *facts) take(ids []string) (out []findings.Episode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		if e, ok := f.episodes[id]; ok {
			out = append(out, e)
			delete(f.episodes, id)
		}
	}
	return out
}

// find evaluates a step, and publishes and records its findings.
func (l *trainCall) find(ctx context.Context, step findings.Step) error {
	if l.run.Plan.Smoke != nil {
		return nil // its report has its own checks
	}
	for _, f := range l.run.findings.Step(step) {
		if err := l.run.publishFinding(ctx, l.id, f); err != nil {
			return err
		}
	}
	return nil
}

// publishFinding publishes and records a finding.
func (r *runner) publishFinding(ctx context.Context, launch string, f findings.Finding) error {
	f.Summary = r.secrets.Text(f.Summary)
	r.Bus.Publish(f)
	return r.Writer.AppendFinding(ctx, runstore.FindingRecord{LaunchID: launch, Finding: f})
}

// recallFindings restores the engine from the lineage's record, for a launch that continues it.
func (r *runner) recallFindings() error {
	r.findings = findings.NewEngine()
	for row, err := range r.Writer.Metrics() {
		if err != nil {
			return err
		}
		r.findings.Step(findings.Step{Stage: row.Stage, Step: row.Step, Values: row.Values})
	}
	known, err := r.Writer.Findings()
	if err != nil {
		return err
	}
	for _, f := range known {
		r.findings.Recall(f)
	}
	return nil
}
