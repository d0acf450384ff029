package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/smoke"
)

// smokeDir returns the directory for smoke runs, next to a spec's runs. Commands that operate on runs accept it as
// --dir.
func smokeDir(specDir string) string { return filepath.Join(specDir, ".awhost", "smoke") }

// trial is a smoke run: its store, and the data for its report. It is nil for other runs, which are not scripted,
// judged or removed.
type trial struct {
	plan   *plan.Plan
	dir    string // --dir of commands that show it
	store  *runstore.Store
	script *smoke.Script
}

// check rejects flags that do not apply to a smoke run.
func (o applyOptions) check() error {
	switch {
	case o.smoke && o.fresh:
		return errors.New("a smoke run is independent of earlier runs: remove --new")
	case o.smoke && o.policy != "":
		return errors.New("a smoke run trains a tiny random policy: remove --policy")
	case o.smoke && o.detach:
		return errors.New("--smoke runs in the foreground: remove --detach")
	case o.smoke && o.ui:
		return errors.New("--smoke keeps nothing to show: remove --ui")
	}
	return o.checkPage()
}

// checkPage checks the page flags for all commands that train.
func (o applyOptions) checkPage() error {
	if o.ui && o.detach {
		return errors.New(
			"--ui works only in the foreground: remove it, and run awhost ui once the run has started")
	}
	return nil
}

// smoke runs a plan as a trial in a separate directory and keeps its data only after a failure.
func (a *app) smoke(ctx context.Context, p *plan.Plan, passEnv []string, o applyOptions) error {
	dir := smokeDir(p.Spec.Dir)
	t := &trial{plan: p, dir: dir, store: a.store(dir), script: smoke.NewScript()}
	t.clearOld()
	if !a.json {
		a.announceSmoke(p)
	}
	o.trial = t
	return a.start(ctx, p, t.store, passEnv, o)
}

// announceSmoke prints how the smoke run differs from the spec's run.
func (a *app) announceSmoke(p *plan.Plan) {
	out := a.page()
	out.Line(fmt.Sprintf("A smoke run of %s, train %q. Everything is as specified, except", p.Spec.Path, p.Train.Name))
	for _, change := range p.Smoke.Changes {
		out.Bullet(change)
	}
	out.Blank()
}

// rolloutScript returns the script that replaces the policy.
func (t *trial) rolloutScript() rollout.Script {
	if t == nil {
		return nil
	}
	return t.script
}

// judge publishes the run's findings. A run that has finished fails if it shows that the real run would not work.
func (t *trial) judge(ctx context.Context, ref string, bus *event.Bus, result *run.Result) {
	if t == nil {
		return
	}
	result.Resumable, result.Checkpoint, result.Digest, result.Outputs = false, "", "", nil // it cannot be resumed
	if result.Outcome == event.RunStopped || result.Outcome == event.RunAborted {
		result.Reason = "stopped without a report"
		return
	}
	report, err := t.report(ctx, ref, result)
	if err != nil {
		result.Code = run.ExitFailed
		result.Outcome, result.Exit, result.Reason = event.RunFailed, result.Code.Name, err.Error()
		result.Error = &event.Diagnostic{Severity: event.SeverityError, Summary: "Smoke run without a report",
			Detail: err.Error()}
		return
	}
	bus.Publish(report)
	if report.Verdict == event.SmokePass || result.Outcome != event.RunCompleted {
		return
	}
	result.Code = run.ExitFailed
	result.Outcome, result.Exit, result.Reason = event.RunFailed, result.Code.Name, report.Reasons[0]
	result.Error = &event.Diagnostic{
		Severity: event.SeverityError, Summary: "Smoke run failed", Detail: strings.Join(report.Reasons, "\n\n"),
	}
}

func (t *trial) report(ctx context.Context, ref string, result *run.Result) (event.SmokeReport, error) {
	r, err := t.store.Open(ref)
	if err != nil {
		return event.SmokeReport{}, err
	}
	ctx = context.WithoutCancel(ctx) // the run has ended, and the report is its purpose
	return smoke.Report(ctx, smoke.Inputs{Plan: t.plan, Run: r, Script: t.script, Result: result.RunFinished})
}

// clear removes the run unless it failed, because then its data shows why.
func (t *trial) clear(dir string, result *run.Result) {
	if t == nil || result.Outcome == event.RunFailed {
		return
	}
	t.remove(dir)
	t.removeEmpty()
}

// clearOld removes earlier smoke runs that failed or were killed.
func (t *trial) clearOld() {
	runs, err := t.store.List()
	if err != nil {
		return // no runs exist, or the new run reports why its directory cannot be used
	}
	for _, r := range runs {
		if r.Status != runstore.StatusRunning {
			t.remove(r.Dir)
		}
	}
}

// remove deletes a run. One that remains does no harm, and the next smoke run tries again to remove it.
func (t *trial) remove(dir string) { _ = os.RemoveAll(dir) }

// removeEmpty removes the smoke-run directories if they are empty.
func (t *trial) removeEmpty() {
	if os.Remove(t.store.Root()) != nil {
		return
	}
	inner := filepath.Dir(t.store.Root())
	_ = os.Remove(filepath.Join(inner, ".gitignore"))
	for _, dir := range []string{inner, t.dir, filepath.Dir(t.dir)} {
		_ = os.Remove(dir) // it stays if it is not empty
	}
}
