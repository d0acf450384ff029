package process

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"time"
)

// The limits for displayed output. The log file contains more.
const (
	shownPerSecond = 200
	shownBurst     = 2000
	// minLogShare is the part of the log's limit that each process receives, regardless of how much earlier processes
	// used, so that the log of a restarted plugin shows the reason.
	minLogShare = 16
)

// lineLimiter lets lines pass at a limited rate, because a process that writes endlessly must not hide the output of
// others.
type lineLimiter struct {
	perSecond, burst float64
	tokens           float64   // lines that may pass at once
	updated          time.Time // time of the last computation of left; zero: never
}

// allow reports whether a line may pass.
func (v *lineLimiter) allow(now time.Time) bool {
	if v.updated.IsZero() {
		v.tokens, v.updated = v.burst, now
	}
	v.tokens = min(v.burst, v.tokens+now.Sub(v.updated).Seconds()*v.perSecond)
	v.updated = now
	return v.tokens >= 1
}

// allowDisplay reports whether a line may be shown, to the extent that this can be determined without parsing it.
func (o *output) allowDisplay(line []byte) bool {
	level := guessLevel(line)
	if o.crash.inReport() || o.crash.startsReport(line) {
		level = slog.LevelError
	}
	if !o.logger.Enabled(context.Background(), level) {
		return false
	}
	if o.limiter.allow(o.now()) {
		o.limiter.tokens--
		return true
	}
	if o.notShown++; o.notShown == 1 {
		o.logger.Warn(fmt.Sprintf("more than %d lines per second: most of them are omitted here", shownPerSecond),
			o.fileAttr()...)
	}
	return false
}

// Keys in an hclog JSON line.
var levelKey, messageKey = []byte(`"@level"`), []byte(`"@message"`)

// guessLevel returns the level that parseLine would return for the line. If this can be determined only by parsing, it
// returns the highest possible level.
func guessLevel(line []byte) slog.Level {
	if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] != '{' {
		return levelOfPrefix(string(line[:min(len(line), longestPrefix)]))
	}
	at := bytes.Index(line, levelKey)
	if at < 0 {
		if bytes.Contains(line, messageKey) {
			return slog.LevelInfo
		}
		return slog.LevelDebug // JSON of another program
	}
	word := bytes.TrimLeft(line[at+len(levelKey):], ": \t\"")
	if end := bytes.IndexAny(word, `"\`); end > 0 && word[end] == '"' {
		return levelNamed(string(word[:end]))
	}
	return slog.LevelError
}

// drop counts a piece of output that is not kept, and logs a warning the first time.
func (o *output) drop(p piece) {
	o.droppedBytes += int64(len(p.raw))
	if !p.continues {
		o.dropped++
	}
	if !o.fullWarned {
		o.fullWarned = true
		o.logger.Warn("its log is full: later output is dropped, except for the last lines",
			append([]any{"limit_bytes", o.limit}, o.fileAttr()...)...)
	}
}

func (o *output) fileAttr() []any {
	if o.file == nil {
		return nil
	}
	return []any{"file", o.file.Name()}
}

// logOmitted logs at the end how much was omitted.
func (o *output) logOmitted() {
	if o.dropped > 0 || o.notShown > 0 {
		o.logger.Warn("its output exceeded the limits", slog.Int64("lines_not_shown", o.notShown),
			slog.Int64("lines_not_logged", o.dropped), slog.Int64("bytes_not_logged", o.droppedBytes))
	}
}

// addExistingSize counts the existing content of the log file toward the limit.
func (o *output) addExistingSize(size int64) {
	if o.limit >= 0 {
		o.kept = min(size, o.limit-o.limit/minLogShare)
	}
}

// Lines that are shown are parsed on arrival. Of the other lines, only the last ones are needed, so most are never
// parsed.

// line is a remembered line of standard error.
type line struct {
	text string
	raw  bool // unparsed
}

func (l line) String() string {
	if !l.raw {
		return l.text
	}
	return shorten(parseLine([]byte(l.text)).text(), maxLastLineBytes)
}

// rememberUnparsed cheaply remembers a line that is not shown.
func (o *output) rememberUnparsed(stream string, p piece) {
	text := p.text()
	// The beginning of a JSON line is not informative on its own.
	if o.crash.inReport() || o.crash.startsReport(text) || stream == Stdout && len(o.first) < maxFirstLines ||
		len(text) > maxLastLineBytes && text[0] == '{' {
		o.remember(stream, p)
		return
	}
	if stream != Stdout {
		o.push(line{text: string(text[:min(len(text), maxLastLineBytes)]), raw: true})
	}
}
