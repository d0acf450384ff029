package manualpolicy

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Terminal is a Console at a real terminal, with editing and history.
type Terminal struct {
	in     *os.File
	keys   *keys
	editor *term.Terminal
}

// NewTerminal reads from in and echoes to out.
func NewTerminal(in, out *os.File) *Terminal {
	t := &Terminal{in: in, keys: &keys{in: in}}
	t.editor = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, out}, "")
	return t
}

// Interrupt ends the current line and all later ones as if the user had left.
func (t *Terminal) Interrupt() { t.keys.interrupted.Store(true) }

// keys reads the user's input until it is interrupted.
type keys struct {
	in          *os.File
	interrupted atomic.Bool
}

// pollInterval is how often a read checks for an interrupt.
const pollInterval = 100 * time.Millisecond

// Read implements io.Reader.
func (k *keys) Read(into []byte) (int, error) {
	fd := int(k.in.Fd())
	for !k.interrupted.Load() {
		var ready unix.FdSet
		ready.Set(fd)
		timeout := unix.NsecToTimeval(pollInterval.Nanoseconds())
		switch n, err := unix.Select(fd+1, &ready, nil, nil, &timeout); {
		case errors.Is(err, unix.EINTR): // by a signal
		case err != nil:
			return 0, err
		case n > 0:
			return k.in.Read(into)
		}
	}
	return 0, io.EOF
}

// ReadLine implements Console. The terminal is in raw mode only during the call: at other times Ctrl-C is a signal.
// During the call, Ctrl-C ends the input, as Ctrl-D does on an empty line.
func (t *Terminal) ReadLine(prompt string, complete func(string) string) (line string, err error) {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(int(t.in.Fd()), before)) }()
	if width, height, err := term.GetSize(int(t.in.Fd())); err == nil && width > 0 {
		_ = t.editor.SetSize(width, height) // only affects the layout of long lines
	}
	t.editor.SetPrompt(prompt)
	t.editor.AutoCompleteCallback = func(line string, at int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		rest := complete(line[:at])
		return line[:at] + rest + line[at:], at + len(rest), true
	}
	line, err = t.editor.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		_, _ = t.editor.Write([]byte("\n")) // start the next output on a new line
	}
	return line, err
}

var _ Console = (*Terminal)(nil)
