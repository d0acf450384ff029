package process

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"time"
)

// What a process may write to whoever looks on. The log file has more.
const (
	shownPerSecond = 200
	shownAtOnce    = 2000
	// minLogShare is the part of the log's bound that each process gets, however much those before it have used up: the
	// log of a plugin that was restarted says why.
	minLogShare = 16
)

// valve lets lines pass at a bounded rate: a process that writes for ever must not drown what others say.
type valve struct {
	perSecond, atOnce float64
	left              float64   // lines that may pass at once
	last              time.Time // when left was computed; zero: never
}

// open says whether a line may pass.
func (v *valve) open(now time.Time) bool {
	if v.last.IsZero() {
		v.left, v.last = v.atOnce, now
	}
	v.left = min(v.atOnce, v.left+now.Sub(v.last).Seconds()*v.perSecond)
	v.last = now
	return v.left >= 1
}

// mayShow says whether a line may be shown, as far as can be told without parsing it. One that may not is not worth it.
func (o *output) mayShow(line []byte) bool {
	level := glanceLevel(line)
	if o.crash.open() || o.crash.begins(line) {
		level = slog.LevelError
	}
	if !o.logger.Enabled(context.Background(), level) {
		return false
	}
	if o.valve.open(o.now()) {
		o.valve.left--
		return true
	}
	if o.unseen++; o.unseen == 1 {
		o.logger.Warn(fmt.Sprintf("it writes more than %d lines per second: most of them are left out here", shownPerSecond), o.whereAll()...)
	}
	return false
}

// What stands in a JSON line of hclog's.
var levelKey, messageKey = []byte(`"@level"`), []byte(`"@message"`)

// glanceLevel is the level of the line as parseLine would find it. Where only parsing tells it is as high as it may be.
func glanceLevel(line []byte) slog.Level {
	if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] != '{' {
		return levelOfPrefix(string(line[:min(len(line), longestPrefix)]))
	}
	at := bytes.Index(line, levelKey)
	if at < 0 {
		if bytes.Contains(line, messageKey) {
			return slog.LevelInfo
		}
		return slog.LevelDebug // somebody else's
	}
	word := bytes.TrimLeft(line[at+len(levelKey):], ": \t\"")
	if end := bytes.IndexAny(word, `"\`); end > 0 && word[end] == '"' {
		return levelNamed(string(word[:end]))
	}
	return slog.LevelError
}

// drop counts a piece that is not kept, and says so the first time.
func (o *output) drop(p piece) {
	o.droppedBytes += int64(len(p.raw))
	if !p.continues {
		o.dropped++
	}
	if !o.toldFull {
		o.toldFull = true
		o.logger.Warn("its log is full: what it writes from now on is dropped, but for the last lines", append([]any{"limit_bytes", o.limit}, o.whereAll()...)...)
	}
}

func (o *output) whereAll() []any {
	if o.file == nil {
		return nil
	}
	return []any{"file", o.file.Name()}
}

// tellLosses says in the end how much was left out.
func (o *output) tellLosses() {
	if o.dropped > 0 || o.unseen > 0 {
		o.logger.Warn("what it wrote was too much to keep", slog.Int64("lines_not_shown", o.unseen), slog.Int64("lines_not_logged", o.dropped), slog.Int64("bytes_not_logged", o.droppedBytes))
	}
}

// useUp counts what is in the log file already.
func (o *output) useUp(size int64) {
	if o.limit >= 0 {
		o.kept = min(size, o.limit-o.limit/minLogShare)
	}
}

// Lines that are shown are parsed when they come. Of the others only the last are wanted, so that most are never parsed.

// line is a remembered line of standard error.
type line struct {
	text string
	raw  bool // as it came: to be parsed
}

func (l line) String() string {
	if !l.raw {
		return l.text
	}
	return shorten(parseLine([]byte(l.text)).text(), maxLastLineBytes)
}

// glance remembers a line that is not shown, at little cost.
func (o *output) glance(stream string, p piece) {
	text := p.text()
	// Of a JSON line the beginning alone says nothing.
	if o.crash.open() || o.crash.begins(text) || stream == Stdout && len(o.first) < maxFirstLines || len(text) > maxLastLineBytes && text[0] == '{' {
		o.remember(stream, p)
		return
	}
	if stream != Stdout {
		o.push(line{text: string(text[:min(len(text), maxLastLineBytes)]), raw: true})
	}
}
