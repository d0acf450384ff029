package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// facts holds what rules read of training episodes, until the step that counts them.
type facts struct {
	mu       sync.Mutex
	episodes map[string]fact
	failures map[sdk.FailureClass]string // the last line of the newest failure
}

type fact struct {
	findings.Episode
	step int // for which it was requested
}

func (f *facts) add(e *runstore.EpisodeRecord) {
	if e.Slot.Split != sdk.SplitTrain || e.Outcome == sdk.OutcomeCancelled {
		return
	}
	known := fact{record.Facts(e), e.Slot.Step}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.episodes == nil {
		f.episodes, f.failures = map[string]fact{}, map[sdk.FailureClass]string{}
	}
	if e.Failure != nil {
		detail := strings.TrimSpace(e.Failure.Detail)
		f.failures[e.Failure.Class] = detail[strings.LastIndexByte(detail, '\n')+1:]
	}
	f.episodes[e.EpisodeID] = known
}

// newest returns the last line of the newest failure of a class, or an empty string.
func (f *facts) newest(class sdk.FailureClass) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failures[class]
}

// take removes the facts of the episodes that count in a step and returns them in the same order. Facts that no later
// step can count are dropped.
func (f *facts) take(step int, ids []string) (out []findings.Episode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		if e, ok := f.episodes[id]; ok {
			e.Age = max(0, step-e.step)
			out = append(out, e.Episode)
			delete(f.episodes, id)
		}
	}
	maps.DeleteFunc(f.episodes, func(_ string, e fact) bool { return e.step < step-runstore.OpenWindow })
	return out
}

// find evaluates a step, and publishes and records its findings.
func (l *trainCall) find(ctx context.Context, step findings.Step) error {
	if l.run.Plan.Smoke != nil {
		return nil // its report has its own checks
	}
	step.Stage, step.Launch = l.stage.Name, l.id
	for _, f := range append(l.run.findings.Step(step), l.run.scan.report(step.Stage, step.Step)...) {
		if err := l.run.publishFinding(ctx, l.id, f); err != nil {
			return err
		}
	}
	return nil
}

// guarded returns the error of a finding that stops the run after this step, or nil.
func (l *trainCall) guarded() *GuardError {
	for _, id := range slices.Sorted(maps.Keys(l.stage.Findings)) {
		policy := l.stage.Findings[id]
		steps, summary := l.run.findings.Streak(l.stage.Name, id)
		if policy.Action == spec.FindingStops && steps >= policy.After {
			return &GuardError{Reason: fmt.Sprintf("%s, found in %d steps in a row: %s. For causes: awhost "+
				"docs %s#%[1]s", id, steps, summary, findings.Page)}
		}
	}
	return nil
}

// findTasks publishes and records the faults in the tasks that the plan found, unless an earlier launch did. It follows
// the record of the launch, which supersedes earlier records if it starts at the beginning.
func (l *trainCall) findTasks(ctx context.Context) error {
	if l.run.Plan.Smoke != nil {
		return nil
	}
	for _, f := range l.run.Plan.Findings {
		if !l.run.findings.Add(f.Finding) {
			continue
		}
		if err := l.run.publishFinding(ctx, l.id, f.Finding); err != nil {
			return err
		}
	}
	return nil
}

// reportGuard adds the finding of a check that ended the run. It returns the error, with the error of recording the
// finding.
func (r *runner) reportGuard(ctx context.Context, err error) error {
	var guard *GuardError
	if !errors.As(err, &guard) || r.Plan.Smoke != nil {
		return err
	}
	index, step := 0, 0
	if tip := r.Writer.Tip(); tip != nil {
		index, step = tip.StageIndex, tip.Step
	}
	found := r.findings.Report(findings.Stopped, findings.Step{Stage: r.Plan.Stages[index].Name, Step: step}, guard.Reason)
	return errors.Join(err, r.publishFinding(ctx, "", found))
}

// publishFinding publishes and records a finding.
func (r *runner) publishFinding(ctx context.Context, launch string, f findings.Finding) error {
	f.Summary = r.secrets.Text(f.Summary)
	r.Bus.Publish(f)
	return r.Writer.AppendFinding(ctx, runstore.FindingRecord{LaunchID: launch, Finding: f})
}

// recallFindings restores the engine from the lineage's record, for a launch that continues it. Steps after the last
// commit count only if their trainer is taken up.
func (r *runner) recallFindings() error {
	end := r.nextStep()
	if r.trainer != nil {
		end = math.MaxInt
	}
	r.findings = findings.NewEngine()
	for row, err := range r.Writer.Metrics() {
		if err != nil {
			return err
		}
		if row.Step < end {
			r.findings.Step(findings.Step{Stage: row.Stage, Launch: row.LaunchID, Step: row.Step, Values: row.Values})
		}
	}
	known, err := r.Writer.Findings(end)
	if err != nil {
		return err
	}
	for _, f := range known {
		r.findings.Recall(f)
	}
	return nil
}
