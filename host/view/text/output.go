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

// Output is the way of text to a person: what is written to it leaves it without control characters, escape
// sequences, bytes that are not UTF-8, and characters that hide or change the writing direction, which are spelled
// out. Line breaks, tabs and awhost's own styles stay.
//
// The styles of this package carry a number that is drawn when the program starts. So a colour that a plugin, a model
// or a file writes is not taken for one of awhost's, and needs no care where lines are put together.
//
// A Write is taken for a whole piece of text: a character that is divided between two is spelled out.
type Output struct {
	// Commands spells the commands in a text as the person can type them; nil: as they are.
	Commands func(string) string

	to io.Writer
}

// NewOutput returns the output to a stream; of an Output, that itself.
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

// Safe is text as the output writes it.
func (o *Output) Safe(s string) string { return Safe(o.named(s)) }

func (o *Output) named(s string) string {
	if o.Commands == nil {
		return s
	}
	return o.Commands(s)
}

// Data is the stream itself, for what programs read.
func (o *Output) Data() io.Writer { return o.to }

// Line writes a line. Line breaks within it are shown, as Clean does.
func (o *Output) Line(line string) error {
	_, err := io.WriteString(o, oneLine(line)+"\n")
	return err
}

// Quote writes a line of somebody else's words, in which commands stay as they are.
func (o *Output) Quote(line string) error {
	_, err := io.WriteString(o.to, Safe(oneLine(line))+"\n")
	return err
}

// oneLine keeps foreign text from beginning a line of its own.
func oneLine(line string) string {
	return strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\n", lineBreak)
}

// Status is a line on a terminal that is written over: what goes on at the moment. Where there is no terminal it
// shows nothing. It may be used by many goroutines; a line has one Status, or each would write over the other's.
type Status struct {
	out      *Output
	terminal Terminal

	mu    sync.Mutex
	shown string // empty: nothing
}

// NewStatus returns a status line that shows nothing yet.
func NewStatus(out *Output, terminal Terminal) *Status { return &Status{out: out, terminal: terminal} }

// leastStatus is taken for the width of a terminal that does not say how wide it is.
const leastStatus = 40

// toLineStart goes to the start of the line and clears it.
const toLineStart = "\r\x1b[K"

// Show writes a line over the one before.
func (s *Status) Show(line string) {
	if !s.terminal.IsTerminal {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	width := max(s.terminal.Width, leastStatus) - 1 // short of the edge, where terminals wrap
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

// Above writes a line of somebody else's words that stays, over the one that is shown, which comes back below it.
func (s *Status) Above(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown != "" {
		s.write(toLineStart)
	}
	_ = s.out.Quote(line) // the result says what there is to say
	s.write(s.shown)
}

func (s *Status) write(text string) {
	if text != "" {
		_, _ = io.WriteString(s.out.to, text) // the result says what there is to say
	}
}

// seal marks the styles of this process.
var seal = newSeal()

func newSeal() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return strconv.FormatUint(binary.LittleEndian.Uint64(b[:])>>1, 10)
}

// sealed is a style of this process.
var sealed = regexp.MustCompile(`^\x1b\[[0-9;]*;` + seal + `m`)

// withSeal marks a sequence that sets a style.
func withSeal(sequence string) string { return strings.TrimSuffix(sequence, "m") + ";" + seal + "m" }

// Safe is text without what a terminal would obey.
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
