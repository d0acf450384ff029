package run

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

func (r *runner) publishStart() {
	mode, step := event.ModeNew, 0
	if tip := r.Writer.Tip(); tip != nil || r.Writer.Incarnation() > 1 {
		mode = event.ModeResume
		if tip != nil {
			step = tip.Step
		}
	}
	start := event.RunStarted{
		Dir: relative(r.Writer.Dir), Spec: r.Plan.Spec.Path, Mode: mode, Step: step, Plan: r.Plan.Summary(),
		Plugins: r.Plan.Plugins(),
	}
	if tip := r.Writer.Tip(); tip != nil {
		start.Earlier = r.earlier(tip.Step)
		start.Earlier.Checkpoint = relative(tip.Path)
	}
	r.Bus.Publish(start)
	for _, w := range r.Writer.Warnings() { // already in the journal
		r.Bus.Publish(event.Warning{Code: w.Kind, Summary: w.Message})
	}
}

// earlier returns the lineage's curve up to a step. Records of later steps belong to a branch that was discarded.
func (r *runner) earlier(step int) event.History {
	out := event.History{Metrics: map[string][]event.Point{}, Log: r.earlierLog(), Findings: r.findings.Findings()}
	if index := r.position(); index < len(r.Plan.Stages) {
		if best, ok := r.state.bestStep(index); ok {
			out.Best = event.Known(float64(best))
		}
	}
	for row, err := range r.Writer.Metrics() {
		if err != nil {
			return out // only the curve is incomplete; the journal itself was checked when it was opened
		}
		if row.Step > step {
			continue
		}
		for name, v := range row.Values {
			if !strings.HasPrefix(name, metric.Validation) {
				out.Metrics[name] = append(out.Metrics[name], event.Point{Step: row.Step, Value: v})
			}
		}
		if v, ok := row.Values[metric.Reward]; ok {
			out.Rewards = append(out.Rewards, event.Point{Step: row.Step, Value: v})
		}
		if v, ok := row.Values[metric.ValidationSuccessRate]; ok {
			out.Successes = append(out.Successes, event.Point{Step: row.Step, Value: v})
		}
	}
	return out
}

// maxEarlierLines is the number of log lines from earlier starts that are published.
const maxEarlierLines = 200

// earlierLog returns the recorded events from earlier starts: warnings, restarts, and stops.
func (r *runner) earlierLog() []event.PastLine {
	var out []event.PastLine
	for record, err := range r.Writer.Records(journal.Position{}, runstore.TypeEvent) {
		if err != nil {
			return out // only the log is incomplete; the journal itself was checked when it was opened
		}
		var e runstore.EventRecord
		if record.Incarnation >= r.Writer.Incarnation() || json.Unmarshal(record.Data, &e) != nil {
			continue
		}
		source := e.Fields["plugin"]
		if source == "" {
			source = "host"
		}
		out = append(out, event.PastLine{Time: record.At, Level: event.Level(e.Level), Source: source, Message: e.Message})
		if len(out) > 2*maxEarlierLines {
			out = slices.Delete(out, 0, maxEarlierLines)
		}
	}
	return out[max(0, len(out)-maxEarlierLines):]
}

// warn publishes and records a warning. If the record cannot be written, neither can the next record that counts, which
// then reports the error.
func (r *runner) warn(w event.Warning) {
	w.Summary, w.Detail = r.secrets.Text(w.Summary), r.secrets.Text(w.Detail)
	r.Bus.Publish(w)
	message := w.Summary
	if w.Detail != "" {
		message += ": " + w.Detail
	}
	_ = r.Writer.AppendEvent(context.Background(), runstore.EventRecord{Kind: w.Code, Level: "warn", Message: message})
}

// publishPlugin publishes a plugin's state. The causes of plugin deaths are also recorded.
func (r *runner) publishPlugin(s plugin.State) {
	r.watch.plugin(s)
	detail := r.secrets.Text(s.Detail)
	r.Bus.Publish(event.PluginState{
		Instance: s.Block.Address, Component: s.Block.Type, Plugin: s.Block.Entry.Name,
		Version: s.Block.Entry.Description.Version,
		PID:     s.PID, State: event.PluginPhase(s.Phase), Restarts: s.Restarts, Detail: detail,
	})
	if s.Phase != plugin.Restarting && s.Phase != plugin.Crashed {
		return
	}
	_ = r.Writer.AppendEvent(context.Background(), runstore.EventRecord{
		Kind: "plugin_" + string(s.Phase), Level: "warn", Message: detail,
		Fields: map[string]string{"plugin": s.Block.Address},
	}) // see warn
}

// publishSilence reports that a plugin is not responding or is responding again. It does not determine the
// consequences.
func (r *runner) publishSilence(s plugin.Silence) {
	r.watch.silence(s)
	if s.Recovered {
		r.warn(event.Warning{Code: "plugin_answers", Summary: fmt.Sprintf("%s is responding again after %s without "+
			"a response", s.Block.Address, s.For)})
		return
	}
	state := ""
	if s.State != "" {
		state = " is " + s.State
	}
	w := event.Warning{
		Code:    "plugin_silent",
		Summary: fmt.Sprintf("%s has not responded for %s (process %d%s)", s.Block.Address, s.For, s.PID, state),
		Detail:  "if it remains unresponsive, it will be ended and restarted",
	}
	if len(s.Calls) > 0 {
		w.Detail = "waiting for it: " + strings.Join(s.Calls, ", ") + "; " + w.Detail
	}
	r.warn(w)
}

// publishLog publishes a line from a plugin's log. Unknown levels become info.
func (r *runner) publishLog(level, source, message string, fields map[string]string) {
	known := event.Level(level)
	switch known {
	case event.LevelDebug, event.LevelInfo, event.LevelWarn, event.LevelError:
	default:
		known = event.LevelInfo
	}
	r.Bus.Publish(event.Log{Level: known, Source: source, Message: r.secrets.Text(message),
		Fields: r.secrets.Fields(fields)})
}

func (r *runner) pluginLog(instance string) *slog.Logger {
	return plugin.NewLog(instance, r.publishLog)
}

func (l *trainCall) publishStage() {
	l.run.Bus.Publish(event.StageStarted{
		Name: l.stage.Name, Index: l.index, Total: len(l.run.Plan.Stages), FirstStep: l.run.nextStep(),
		Steps: l.stage.Steps - l.run.done(l.index),
	})
}

// phaseValidation is the phase name for a validation pass.
const phaseValidation = string(event.PhaseValidation)

func (l *trainCall) publishPhase(p *sdk.PhaseEvent) {
	l.run.Bus.Publish(event.Phase{Stage: l.stage.Name, Name: event.PhaseName(p.Name), Step: p.Step, Done: p.Done,
		Total: p.Total, Ended: p.Ended})
}

// stepBegins restarts the clock for a step, which ends with its boundary.
func (l *trainCall) stepBegins() { l.began = time.Now() }

func (l *trainCall) publishStep(step int, events pendingEvents, a rollout.Aggregate, numbers runstore.Numbers) {
	ended := time.Now()
	if !events.validating.IsZero() {
		ended = events.validating
	}
	seconds := max(ended.Sub(l.began).Seconds(), 1e-9)
	e := event.StepFinished{
		Stage: l.stage.Name, Step: step, Total: l.run.Plan.TotalSteps(), Episodes: a.Episodes,
		Seconds: event.Seconds(seconds),
		Rates: event.Rates{
			EpisodesPerSecond: event.Known(float64(a.Episodes) / seconds),
			TokensPerSecond:   event.Known(float64(a.OutputTokens) / seconds),
		},
		Outcomes: a.Outcomes, Failures: a.Failures, Retries: a.Retries, Metrics: event.Metrics(maps.Clone(numbers)),
	}
	if a.Scored > 0 {
		e.Reward = event.Known(a.RewardMean)
	}
	if a.Judged > 0 {
		e.Success = event.Known(a.SuccessRate)
	}
	l.run.Bus.Publish(e)
	if a.ForeignRate > 0 {
		l.run.warn(event.Warning{
			Code: "foreign_calls", Count: a.Foreign,
			Summary: fmt.Sprintf("%.0f%% of the messages in step %d contain a tool call in another model family's format, "+
				"which is not read as a call", 100*a.ForeignRate, step),
			Detail: fmt.Sprintf("For example: %q. tool_format selects the format: awhost docs reference/tool-formats",
				a.ForeignExample),
		})
	}
	for _, address := range slices.Sorted(maps.Keys(a.ServedForeign)) {
		calls := a.ServedForeign[address]
		if calls.Calls == 0 {
			continue
		}
		l.run.warn(event.Warning{
			Code: "served_calls", Count: calls.Calls,
			Summary: fmt.Sprintf("%d of %d messages of %s in step %d contain a tool call as text, which is not read as a "+
				"call", calls.Calls, calls.Messages, address, step),
			Detail: fmt.Sprintf("For example: %q. %s", calls.Example, rollout.ServedRemedy),
		})
	}
	if a.DriftEvents > 0 {
		l.run.warn(event.Warning{
			Code: "token_drift", Count: a.DriftEvents,
			Summary: fmt.Sprintf("%d conversations in step %d modified their chain instead of only extending "+
				"it", a.DriftEvents, step),
		})
	}
}

func (l *trainCall) publishValidation(step int, events pendingEvents, a rollout.Aggregate, isBest bool) {
	began := l.began
	if !events.validating.IsZero() {
		began = events.validating
	}
	e := event.ValidationFinished{
		Stage: l.stage.Name, Step: step, SuccessRate: event.Known(a.SuccessRate), Episodes: a.Episodes - a.Withdrawn,
		Failed: failed(a), Failures: a.Failures,
		Seconds: event.SecondsOf(time.Since(began)), Metrics: event.Metrics(validationNumbers(a)), IsBest: isBest,
	}
	if a.Scored > 0 {
		e.Reward = event.Known(a.RewardMean)
	}
	l.run.Bus.Publish(e)
}

func drainWarning(err error) event.Warning {
	return event.Warning{Code: "drain", Summary: "the request to finish the step did not reach the trainer; " +
		"interrupt again to end it immediately", Detail: err.Error()}
}

func lateCallsWarning(address string, n int) event.Warning {
	return event.Warning{
		Code: "agent_late_calls", Count: n, Summary: fmt.Sprintf("%s called the model or the environment %d times after "+
			"its episode had ended", address, n),
		Detail: "The calls were rejected and are not counted. An agent must end its processes when its episode ends.",
	}
}

func episodesWarning(err error) event.Warning {
	return event.Warning{Code: "episodes_left", Summary: "episodes were still running when their stage " +
		"ended", Detail: err.Error()}
}
