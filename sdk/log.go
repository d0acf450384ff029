package sdk

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"
)

// NewLogger writes one JSON object per line with the keys @level, @message, and @timestamp; the host parses it into its
// log and keeps the other fields.
func NewLogger(w io.Writer) *slog.Logger { return slog.New(&jsonHandler{out: &lockedWriter{w: w}}) }

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) write(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.w.Write(line)
	return err
}

type jsonHandler struct {
	out    *lockedWriter
	prefix string // of the open groups: "group.subgroup."
	attrs  []prefixed
}

// prefixed is an attribute together with the groups that were open when it was added.
type prefixed struct {
	prefix string
	attr   slog.Attr
}

// Enabled implements slog.Handler. The host filters.
func (h *jsonHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (h *jsonHandler) Handle(_ context.Context, r slog.Record) error {
	fields := map[string]any{"@level": levelName(r.Level), "@message": r.Message}
	if !r.Time.IsZero() {
		fields["@timestamp"] = r.Time.Format("2006-01-02T15:04:05.000000Z07:00")
	}
	for _, a := range h.attrs {
		addField(fields, a.prefix, a.attr)
	}
	r.Attrs(func(a slog.Attr) bool {
		addField(fields, h.prefix, a)
		return true
	})
	line, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return h.out.write(append(line, '\n'))
}

func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelInfo:
		return "debug"
	case l < slog.LevelWarn:
		return "info"
	case l < slog.LevelError:
		return "warn"
	}
	return "error"
}

func addField(fields map[string]any, prefix string, a slog.Attr) {
	v := a.Value.Resolve()
	if a.Key == "" && v.Kind() == slog.KindAny && v.Any() == nil {
		return // slog: an empty attribute is ignored
	}
	switch v.Kind() {
	case slog.KindGroup:
		if a.Key != "" { // else its members belong to the parent
			prefix += a.Key + "."
		}
		for _, inner := range v.Group() {
			addField(fields, prefix, inner)
		}
	case slog.KindFloat64:
		fields[prefix+a.Key] = numberField(v.Float64())
	case slog.KindDuration:
		fields[prefix+a.Key] = v.Duration().String()
	case slog.KindTime:
		fields[prefix+a.Key] = v.Time().Format(time.RFC3339Nano)
	case slog.KindAny:
		fields[prefix+a.Key] = anyField(v.Any())
	default:
		fields[prefix+a.Key] = v.Any()
	}
}

// numberField returns numbers that have no JSON representation as text, because a line that cannot be encoded would be
// lost.
func numberField(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return v
}

func anyField(v any) any {
	if err, ok := v.(error); ok {
		return err.Error()
	}
	if _, err := json.Marshal(v); err != nil {
		return slog.AnyValue(v).String()
	}
	return v
}

// WithAttrs implements slog.Handler.
func (h *jsonHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.attrs = slices.Clone(h.attrs)
	for _, a := range attrs {
		out.attrs = append(out.attrs, prefixed{h.prefix, a})
	}
	return &out
}

// WithGroup implements slog.Handler.
func (h *jsonHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	out := *h
	out.prefix = h.prefix + name + "."
	return &out
}

var _ slog.Handler = (*jsonHandler)(nil)
