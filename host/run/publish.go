package run

import (
	"context"
	"log/slog"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
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
		Dir: relative(r.Writer.Dir), Spec: r.Plan.Spec.Path, Mode: mode, Step: step, Plan: r.Plan.Summary(), Plugins: r.Plan.Plugins(),
	}
	if mode == event.ModeResume {
		start.Earlier = r.earlier()
	}
	r.Bus.Publish(start)
	for _, w := range r.Writer.Warnings() {
		r.warn(w.Kind, w.Message, "")
	}
}

// earlier is the curve of the lineage so far.
func (r *runner) earlier() event.History {
	var out event.History
	for row, err := range r.Writer.Metrics() {
		if err != nil {
			return out // only the drawing is poorer; the journal itself was checked when it was opened
		}
		if v, ok := row.Values["train/reward"]; ok {
			out.Rewards = append(out.Rewards, event.Point{Step: row.Step, Value: v})
		}
		if v, ok := row.Values["validation/success_rate"]; ok {
			out.Successes = append(out.Successes, event.Point{Step: row.Step, Value: v})
		}
	}
	return out
}

func (r *runner) publishPlugin(s plugin.State) {
	r.Bus.Publish(event.PluginState{
		Instance: s.Block.Address, Component: s.Block.Type, Plugin: s.Block.Entry.Name, Version: s.Block.Entry.Description.Version,
		PID: s.PID, State: event.PluginPhase(s.Phase), Restarts: s.Restarts, Detail: s.Detail,
	})
}

func (l *launch) publishPhase(p *sdk.PhaseEvent) {
	l.Bus.Publish(event.Phase{Stage: l.stage.Name, Name: event.PhaseName(p.Name), Step: p.Step, Done: p.Done, Total: p.Total, Ended: p.Ended})
}

func (r *runner) publishLog(level, source, message string, fields map[string]string) {
	r.Bus.Publish(event.Log{Level: event.Level(level), Source: source, Message: message, Fields: fields})
}

func (r *runner) warn(code, summary, detail string) {
	r.Bus.Publish(event.Warning{Code: code, Summary: summary, Detail: detail})
}

// logHandler publishes what a plugin logs, from info on; its log file has everything.
type logHandler struct {
	publish func(level, source, message string, fields map[string]string)
	source  string
	attrs   []slog.Attr
}

// Enabled implements slog.Handler.
func (h *logHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo
}

// Handle implements slog.Handler.
func (h *logHandler) Handle(_ context.Context, record slog.Record) error {
	fields := map[string]string{}
	for _, a := range h.attrs {
		fields[a.Key] = a.Value.String()
	}
	record.Attrs(func(a slog.Attr) bool {
		fields[a.Key] = a.Value.String()
		return true
	})
	level := "info"
	switch {
	case record.Level >= slog.LevelError:
		level = "error"
	case record.Level >= slog.LevelWarn:
		level = "warn"
	}
	h.publish(level, h.source, record.Message, fields)
	return nil
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.attrs = append(out.attrs[:len(out.attrs):len(out.attrs)], attrs...)
	return &out
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(string) slog.Handler { return h }

var _ slog.Handler = (*logHandler)(nil)
