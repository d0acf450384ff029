package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// LevelTrace is the level for hclog's trace lines, below slog.LevelDebug.
const LevelTrace = slog.LevelDebug - 4

// entry is a parsed line of output. All its text is printable.
type entry struct {
	at      time.Time // zero if the line has no time
	level   slog.Level
	message string
	attrs   []slog.Attr
	plain   bool // not a JSON line
}

// parseLine reads hclog's JSON lines and plain lines. It accepts any bytes.
func parseLine(line []byte) entry {
	if e, ok := parseJSON(line); ok {
		return e
	}
	if i := bytes.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:] // a progress bar that redraws itself: keep the text that a terminal would show
	}
	text := printable(string(line))
	return entry{level: levelOfPrefix(text), message: text, plain: true}
}

func parseJSON(line []byte) (entry, bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return entry{}, false
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var fields map[string]any
	if decoder.Decode(&fields) != nil {
		return entry{}, false
	}
	if _, err := decoder.Token(); err != io.EOF {
		return entry{}, false
	}
	message, hasMessage := fields["@message"]
	level, hasLevel := fields["@level"]
	if !hasMessage && !hasLevel {
		return entry{}, false // JSON of another program: kept unchanged
	}
	e := entry{level: levelNamed(level)}
	if hasMessage {
		e.message = textOf(message)
	}
	if at, ok := fields["@timestamp"].(string); ok {
		e.at, _ = time.Parse(time.RFC3339, at) // with any number of fractional digits: hclog writes six, JavaScript three
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key != "@message" && key != "@level" && key != "@timestamp" {
			e.attrs = append(e.attrs, attrOf(key, fields[key]))
		}
	}
	return e, true
}

func levelNamed(level any) slog.Level {
	name, _ := level.(string)
	switch strings.ToLower(name) {
	case "trace":
		return LevelTrace
	case "debug":
		return slog.LevelDebug
	case "warn", "warning":
		return slog.LevelWarn
	case "error", "fatal", "critical", "panic":
		return slog.LevelError
	}
	return slog.LevelInfo
}

// levelPrefixes lists the prefixes of hclog's plain format and of Python's logging.
var levelPrefixes = []struct {
	prefix string
	level  slog.Level
}{
	{"[TRACE]", LevelTrace}, {"[DEBUG]", slog.LevelDebug}, {"[INFO]", slog.LevelInfo}, {"[WARN]", slog.LevelWarn},
	{"[ERROR]", slog.LevelError},
	{"INFO:", slog.LevelInfo}, {"WARNING:", slog.LevelWarn}, {"ERROR:", slog.LevelError}, {"CRITICAL:", slog.LevelError},
}

// longestPrefix is the length of the longest prefix.
const longestPrefix = len("CRITICAL:")

func levelOfPrefix(text string) slog.Level {
	for _, p := range levelPrefixes {
		if strings.HasPrefix(text, p.prefix) {
			return p.level
		}
	}
	return slog.LevelDebug
}

// textOf renders a JSON value as printable text.
func textOf(value any) string {
	if s, ok := value.(string); ok {
		return printable(s)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return printable(fmt.Sprint(value))
	}
	return printable(string(encoded))
}

// attrOf keeps numbers and booleans and renders all other values as text.
func attrOf(key string, value any) slog.Attr {
	switch key = printable(key); key {
	case slog.TimeKey, slog.LevelKey, slog.MessageKey, slog.SourceKey, attrPlugin, attrStream:
		key += "_" // avoids confusion with the host's own attributes
	}
	switch v := value.(type) {
	case bool:
		return slog.Bool(key, v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return slog.Int64(key, n)
		}
		if f, err := v.Float64(); err == nil && !math.IsInf(f, 0) {
			return slog.Float64(key, f)
		}
	}
	return slog.String(key, textOf(value))
}

// text returns the entry as one readable line.
func (e entry) text() string {
	var b strings.Builder
	if !e.plain {
		fmt.Fprintf(&b, "[%s] ", strings.ToLower(levelName(e.level)))
	}
	b.WriteString(e.message)
	for _, a := range e.attrs {
		fmt.Fprintf(&b, " %s=%s", a.Key, a.Value)
	}
	return b.String()
}

func levelName(level slog.Level) string {
	if level == LevelTrace {
		return "TRACE"
	}
	return level.String()
}

// The host's own attributes in a logged line.
const (
	attrPlugin = "plugin"
	attrStream = "stream"
)

// log sends the entry to a logger, using the entry's own time if it has one.
func (e entry) log(logger *slog.Logger, now time.Time, stream string) {
	ctx := context.Background()
	if !logger.Enabled(ctx, e.level) {
		return
	}
	if e.at.IsZero() {
		e.at = now
	}
	record := slog.NewRecord(e.at, e.level, e.message, 0)
	record.AddAttrs(slog.String(attrStream, stream))
	record.AddAttrs(e.attrs...)
	_ = logger.Handler().Handle(ctx, record) // an error of the logger cannot be reported anywhere
}
