package run

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
)

// result describes how the run ended, for both people and programs. A nil err means that the run completed.
func (r *runner) result(err error) *Result {
	out := &Result{Code: ExitOK}
	out.Outcome, out.Dir, out.TotalSteps, out.Exact = event.RunCompleted, relative(r.Writer.Dir), r.Plan.TotalSteps(), true
	if r.state != nil {
		r.state.finished(&out.RunFinished)
	}
	out.Reason = r.state.inexact()
	out.Gateway = r.asked.sum()
	if err != nil {
		out.explain(err, r.secrets)
		out.place(err, r.Plan, r.secrets)
	}
	out.Exit = out.Code.Name
	if out.Outcome == event.RunCompleted {
		out.Outputs = outputs(r.Plan, r.Writer.Ref(), &out.RunFinished, func(err error) {
			r.warn(event.Warning{Code: "output", Summary: "an output has no value", Detail: err.Error()})
		})
		if r.Plan.Smoke == nil {
			out.expect(r.Plan.Train.Expectations)
		}
	}
	return out
}

// Unchanged returns the result of a run that had already finished: the plan's Existing.
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
		out.Digest, out.Exact, out.Reason, out.Metrics = f.Digest, f.Exact, f.Reason, event.Metrics(f.Metrics)
	}
	out.Outputs = outputs(p, p.Existing.Ref(), &out.RunFinished, func(error) {}) // errors were reported when the run ended
	out.expect(p.Train.Expectations)
	return out
}

// outputs returns the values of the output blocks in the spec.
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

// explain sets the reason why the run did not complete. The committed steps are safe, and the run can nearly always be
// resumed.
func (r *Result) explain(err error, secrets spec.Redactor) {
	message := secrets.Text(err.Error())
	r.Resumable, r.Reason = true, message
	failed := func(code ExitCode, summary string) {
		r.Outcome, r.Code = event.RunFailed, code
		r.Error = &event.Diagnostic{Severity: event.SeverityError, Summary: summary, Detail: message}
	}
	var guard *GuardError
	var nothing *NothingTrainedError
	var plugin *PluginError
	var exit *process.Exit
	var config *sdk.ConfigError
	var stopped *runstore.StoppedError
	var tools *plan.ToolsError
	switch {
	case errors.Is(err, errAborted):
		r.Outcome, r.Code, r.Reason = event.RunAborted, ExitAborted, "aborted on request: the run ends at its last commit"
	case errors.Is(err, errStopped):
		r.Outcome, r.Code, r.Reason = event.RunStopped, ExitStopped, "stopped on request after the current step"
	case errors.As(err, &guard):
		failed(ExitGuard, "A check stopped the run")
		r.Resumable = !guard.Final
	case errors.As(err, &nothing):
		failed(ExitNothingTrained, "Nothing was trained")
		r.Resumable = false
	case errors.As(err, &stopped):
		failed(ExitFailed, "The run directory cannot be written")
	case errors.As(err, &tools):
		failed(ExitUsage, "Tools that the environment does not offer")
	case errors.As(err, &config):
		failed(ExitUsage, "A plugin refused its configuration")
	case errors.As(err, &plugin), errors.As(err, &exit):
		failed(ExitPlugin, "A plugin failed")
	default:
		failed(ExitFailed, "The run failed")
	}
}

// place reports a configuration that a plugin rejected, at its location in the spec and with the plugin's own message.
func (r *Result) place(err error, p *plan.Plan, secrets spec.Redactor) {
	var plugin *PluginError
	var config *sdk.ConfigError
	if !errors.As(err, &plugin) || !errors.As(err, &config) {
		return
	}
	component := p.Component(plugin.Address)
	if component == nil {
		return
	}
	for _, d := range p.Spec.FromPlugin(component.Block.Places, component.Entry.Name, config.Diagnostics) {
		if d.Severity != diag.Error {
			continue
		}
		r.Error = &event.Diagnostic{
			Severity: event.SeverityError, Summary: secrets.Text(d.Summary), Detail: secrets.Text(d.Detail),
			Address: plugin.Address,
		}
		if d.Snippet != nil {
			r.Error.Snippet = secrets.Text(d.Snippet.Code)
		}
		if d.Range != nil {
			position := func(at diag.Position) event.Position { return event.Position{Line: at.Line, Column: at.Column} }
			r.Error.Range = &event.Range{File: d.Range.File, Start: position(d.Range.Start), End: position(d.Range.End)}
		}
		return
	}
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

// relative returns a path relative to the working directory if the path is below that directory.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}
