package run

import (
	"context"
	"errors"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
)

// ExitCode is a code with the name under which docs/cli.md explains it.
type ExitCode struct {
	Number int
	Name   string
}

// The exit codes of awhost.
var (
	ExitOK          = ExitCode{0, "ok"}
	ExitUsage       = ExitCode{1, "usage"}             // wrong spec, flags or data
	ExitChanges     = ExitCode{2, "changes"}           // plan --detailed-exitcode: there is something to do
	ExitFailed      = ExitCode{10, "run_failed"}       //
	ExitGuard       = ExitCode{11, "stopped_by_guard"} // a health check or the circuit breaker
	ExitPlugin      = ExitCode{12, "plugin_failed"}    // a plugin does not start, or died too often
	ExitStopped     = ExitCode{13, "stopped"}          // on request, after a commit
	ExitAborted     = ExitCode{14, "aborted"}          // on request, at once
	ExitConformance = ExitCode{15, "conformance_failed"}
	ExitLocked      = ExitCode{16, "locked"} // another process writes the run
)

// ExitCodes lists them all, for the documentation.
var ExitCodes = []ExitCode{
	ExitOK, ExitUsage, ExitChanges, ExitFailed, ExitGuard, ExitPlugin, ExitStopped, ExitAborted, ExitConformance, ExitLocked,
}

// result says how the run ended, for people and programs.
func (r *runner) result(err error) *Result {
	out := &Result{Code: ExitOK}
	out.Outcome, out.Dir, out.TotalSteps = event.RunCompleted, relative(r.Writer.Dir), r.Plan.TotalSteps()
	r.book.finished(&out.RunFinished)
	if out.Checkpoint != "" {
		out.Checkpoint = relative(out.Checkpoint)
	}
	if err != nil {
		out.explain(err)
	}
	if !out.Exact && out.Reason == "" {
		out.Reason = r.book.inexact()
	}
	if out.Outcome == event.RunCompleted {
		out.Outputs = outputs(r.Plan, r.Writer.Ref(), &out.RunFinished, func(err error) { r.warn("output", "an output has no value", err.Error()) })
	}
	out.Exit = out.Code.Name
	return out
}

// Unchanged is the result of a run that had finished before: the plan's Existing.
func Unchanged(p *plan.Plan) *Result {
	out := &Result{Code: ExitOK}
	out.RunFinished = event.RunFinished{
		Outcome: event.RunCompleted, Dir: relative(p.Existing.Dir), Step: p.Existing.Step, TotalSteps: p.TotalSteps(),
		Unchanged: true, Exit: ExitOK.Name, Exact: true,
	}
	if p.Existing.Checkpoint != "" {
		out.Checkpoint = relative(p.Existing.Checkpoint)
	}
	if f := p.Existing.Finish; f != nil {
		out.Digest, out.Exact, out.Metrics = f.Digest, f.Exact, event.Metrics(f.Metrics)
	}
	out.Outputs = outputs(p, p.Existing.Ref(), &out.RunFinished, func(error) {}) // said when the run ended
	return out
}

// outputs are the spec's output blocks, once there is something to put out.
func outputs(p *plan.Plan, run string, f *event.RunFinished, failed func(error)) event.Outputs {
	results := map[string]spec.Result{p.Train.Name: {
		Run: run, Checkpoint: f.Checkpoint, Digest: f.Digest, Steps: f.Step, Metrics: f.Metrics,
	}}
	out := event.Outputs{}
	for _, o := range p.Spec.Outputs {
		value, err := o.Eval(results)
		switch {
		case err != nil:
			failed(err)
		case !o.Sensitive:
			out[o.Name] = value
		}
	}
	return out
}

func (r *Result) explain(err error) {
	var guard *GuardError
	var plugin *PluginError
	var exit *process.Exit
	var stopped *runstore.StoppedError
	r.Resumable, r.Reason = true, err.Error()
	switch {
	case errors.Is(err, errAborted), errors.Is(err, context.Canceled):
		r.Outcome, r.Code, r.Reason = event.RunAborted, ExitAborted, "aborted on request; the last commit is what counts"
		return
	case errors.Is(err, errStopped):
		r.Outcome, r.Code, r.Reason = event.RunStopped, ExitStopped, "stopped on request after the step under way"
		return
	case errors.As(err, &guard):
		r.Outcome, r.Code = event.RunFailed, ExitGuard
		r.Error = failure("A check stopped the run", guard.Reason)
	case errors.As(err, &stopped):
		r.Outcome, r.Code = event.RunFailed, ExitFailed
		r.Error = failure("The run directory cannot be written", err.Error())
	case errors.As(err, &plugin), errors.As(err, &exit):
		r.Outcome, r.Code = event.RunFailed, ExitPlugin
		r.Error = failure("A plugin failed", err.Error())
	default:
		r.Outcome, r.Code = event.RunFailed, ExitFailed
		r.Error = failure("The run failed", err.Error())
	}
	var config *sdk.ConfigError
	if errors.As(err, &config) {
		r.Code = ExitUsage
	}
}

func failure(summary, detail string) *event.Diagnostic {
	return &event.Diagnostic{Severity: event.SeverityError, Summary: summary, Detail: detail}
}

func finishStatus(o event.RunOutcome) runstore.Status {
	switch o {
	case event.RunCompleted:
		return runstore.StatusFinished
	case event.RunStopped, event.RunAborted:
		return runstore.StatusStopped
	}
	return runstore.StatusFailed
}
