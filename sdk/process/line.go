package process

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// entry is one line of a child, as far as it can be understood. Whatever a child writes, an entry comes out.
type entry struct {
	level   slog.Level
	message string
	fields  []slog.Attr
}

// parseLine understands go-plugin's JSON lines (@level, @message, @timestamp and fields) and takes everything else as
// text.
func parseLine(line []byte) entry {
	text := printable(string(line))
	if len(line) == 0 || line[0] != '{' {
		return entry{level: textLevel(text), message: text}
	}
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		return entry{level: slog.LevelDebug, message: text}
	}
	message, ok := fields["@message"]
	if !ok {
		return entry{level: slog.LevelDebug, message: text}
	}
	e := entry{level: namedLevel(fmt.Sprint(fields["@level"])), message: printable(fmt.Sprint(message))}
	names := make([]string, 0, len(fields))
	for name := range fields {
		if !strings.HasPrefix(name, "@") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		e.fields = append(e.fields, slog.String(printable(name), printable(fmt.Sprint(fields[name]))))
	}
	return e
}

func namedLevel(name string) slog.Level {
	switch strings.ToLower(name) {
	case "error", "critical", "fatal":
		return slog.LevelError
	case "warn", "warning":
		return slog.LevelWarn
	case "info":
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

func textLevel(text string) slog.Level {
	if startsCrash(text) {
		return slog.LevelError
	}
	return slog.LevelDebug
}

func (e entry) text() string {
	out := e.message
	for _, f := range e.fields {
		out += " " + f.Key + "=" + f.Value.String()
	}
	return out
}

func (e entry) log(logger *slog.Logger, stream string) {
	attrs := append([]slog.Attr{slog.String("stream", stream)}, e.fields...)
	logger.LogAttrs(context.Background(), e.level, e.message, attrs...)
}

// printable replaces what could drive a terminal or is no text.
func printable(s string) string {
	clean := func(r rune) bool { return r != utf8.RuneError && (r == '\t' || unicode.IsPrint(r)) }
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if clean(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

const (
	keptLines     = 200
	keptLineBytes = 2000
)

// tail keeps the last lines of standard error, and where a crash began.
type tail struct {
	mu    sync.Mutex
	lines []string
	crash []string
}

func startsCrash(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "Traceback (most recent call last)")
}

func (t *tail) add(line string) {
	if len(line) > keptLineBytes {
		line = line[:keptLineBytes] + "…"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
	if len(t.lines) > keptLines {
		t.lines = append(t.lines[:0], t.lines[len(t.lines)-keptLines:]...)
	}
	if startsCrash(line) || len(t.crash) > 0 && len(t.crash) < keptLines {
		t.crash = append(t.crash, line)
	}
}

func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.lines...)
}

func (t *tail) panicHead() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.crash...)
}
