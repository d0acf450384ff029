package text

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Output sanitizes all human-readable text. Control characters, escape sequences, invalid UTF-8, and characters that
// hide text or change the text direction are written as escapes. Line breaks, tabs and awhost's own styles are kept.
//
// The styles of this package contain a random number that is generated at program start. Therefore, a color written by
// a plugin, a model, or a file is not mistaken for one of awhost's, and concatenating lines is safe.
//
// A Write must contain complete characters: a character that is split between two writes is escaped.
type Output struct {
	// Commands rewrites the commands in a text as the user can type them. Nil: unchanged.
	Commands func(string) string

	to io.Writer
}

// NewOutput returns an Output that writes to a stream. If the stream is already an Output, NewOutput returns it.
func NewOutput(to io.Writer) *Output {
	if o, ok := to.(*Output); ok {
		return o
	}
	return &Output{to: to}
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	if _, err := io.WriteString(o.to, o.Safe(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Safe returns the text in the form in which the output writes it.
func (o *Output) Safe(s string) string { return Safe(o.named(s)) }

func (o *Output) named(s string) string {
	if o.Commands == nil {
		return s
	}
	return o.Commands(s)
}

// Data returns the underlying stream, for data read by programs.
func (o *Output) Data() io.Writer { return o.to }

// Line writes a line. Line breaks within it are shown in the same way as in Clean.
func (o *Output) Line(line string) error {
	_, err := io.WriteString(o, oneLine(line)+"\n")
	return err
}

// Quote writes a line of untrusted text, in which commands are left unchanged.
func (o *Output) Quote(line string) error {
	_, err := io.WriteString(o.to, Safe(oneLine(line))+"\n")
	return err
}

// oneLine replaces line breaks, so that untrusted text cannot start a new line.
func oneLine(line string) string {
	return strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\n", lineBreak)
}

// Status is a terminal line that shows the current activity and is overwritten by each update. It shows nothing if the
// output is not a terminal. It is safe for concurrent use. Use only one Status per line, because two would overwrite
// each other.
type Status struct {
	out      *Output
	terminal Terminal

	mu    sync.Mutex
	shown string // empty: nothing is shown
}

// NewStatus returns an empty status line.
func NewStatus(out *Output, terminal Terminal) *Status { return &Status{out: out, terminal: terminal} }

// leastStatus is the assumed width of a terminal that does not report its width.
const leastStatus = 40

// toLineStart moves to the start of the line and clears it.
const toLineStart = "\r\x1b[K"

// Show replaces the status line.
func (s *Status) Show(line string) {
	if !s.terminal.IsTerminal {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	width := max(s.terminal.Width, leastStatus) - 1 // one less than the width, at which terminals wrap
	s.shown = toLineStart + Truncate(Safe(oneLine(line)), width)
	s.write(s.shown)
}

// Clear removes the line.
func (s *Status) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown != "" {
		s.shown = ""
		s.write(toLineStart)
	}
}

// Above writes a permanent line of untrusted text above the status line, which is redrawn below it.
func (s *Status) Above(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown != "" {
		s.write(toLineStart)
	}
	_ = s.out.Quote(line) // the caller's results report write errors
	s.write(s.shown)
}

func (s *Status) write(text string) {
	if text != "" {
		_, _ = io.WriteString(s.out.to, text) // the caller's results report write errors
	}
}

// seal is a random number in this process's styles.
var seal = newSeal()

func newSeal() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return strconv.FormatUint(binary.LittleEndian.Uint64(b[:])>>1, 10)
}

// sealed matches one of this process's styles.
var sealed = regexp.MustCompile(`^\x1b\[[0-9;]*;` + seal + `m`)

// withSeal adds the seal to a sequence that sets a style.
func withSeal(sequence string) string { return strings.TrimSuffix(sequence, "m") + ";" + seal + "m" }

// Safe returns the text without any sequences that a terminal would interpret.
func Safe(s string) string {
	if isHarmless(strings.ReplaceAll(s, "\n", "")) {
		return s
	}
	var out strings.Builder
	var c cleaner
	for len(s) > 0 {
		if style := ownStyle(s); style != "" {
			out.WriteString(strings.TrimSuffix(style, ";"+seal+"m") + "m")
			s = s[len(style):]
			continue
		}
		if s[0] == '\n' || s[0] == '\t' {
			out.WriteByte(s[0])
			s = s[1:]
			c = cleaner{}
			continue
		}
		s = c.next(&out, s)
	}
	return out.String()
}

func ownStyle(s string) string {
	if s[0] != '\x1b' {
		return ""
	}
	return sealed.FindString(s)
}

var _ io.Writer = (*Output)(nil)
