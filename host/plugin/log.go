package plugin

import (
	"context"
	"log/slog"
)

// NewLog returns a logger that publishes a plugin's log messages at level info and above. The plugin's log file
// contains all levels. The level is "info", "warn", or "error".
func NewLog(source string, publish func(level, source, message string, fields map[string]string)) *slog.Logger {
	return slog.New(&logHandler{publish: publish, source: source})
}

// logHandler publishes a plugin's log records.
type logHandler struct {
	publish func(level, source, message string, fields map[string]string)
	source  string
	prefix  string // names of the open groups, each with a dot
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
		fields[h.prefix+a.Key] = a.Value.String()
		return true
	})
	h.publish(levelName(record.Level), h.source, record.Message, fields)
	return nil
}

func levelName(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "error"
	case level >= slog.LevelWarn:
		return "warn"
	}
	return "info"
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.attrs = out.attrs[:len(out.attrs):len(out.attrs)]
	for _, a := range attrs {
		out.attrs = append(out.attrs, slog.Attr{Key: h.prefix + a.Key, Value: a.Value})
	}
	return &out
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	out := *h
	out.prefix += name + "."
	return &out
}

var _ slog.Handler = (*logHandler)(nil)
