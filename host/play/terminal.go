package play

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

// Interrupt ends the line that is being read, and each one after it, as if the person had left.
func (t *Terminal) Interrupt() { t.keys.over.Store(true) }

// keys are what a person types, until nobody wants it any more.
type keys struct {
	in   *os.File
	over atomic.Bool
}

// glance is how long a read waits before it looks whether it is still wanted.
const glance = 100 * time.Millisecond

// Read implements io.Reader.
func (k *keys) Read(into []byte) (int, error) {
	fd := int(k.in.Fd())
	for !k.over.Load() {
		var ready unix.FdSet
		ready.Set(fd)
		timeout := unix.NsecToTimeval(glance.Nanoseconds())
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

// ReadLine implements Console. Only while it reads is the terminal in raw mode: at any other time Ctrl-C is a signal.
// Here Ctrl-C is the end, as Ctrl-D on an empty line is.
func (t *Terminal) ReadLine(prompt string, complete func(string) string) (line string, err error) {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(int(t.in.Fd()), before)) }()
	if width, height, err := term.GetSize(int(t.in.Fd())); err == nil && width > 0 {
		_ = t.editor.SetSize(width, height) // only the layout of long lines depends on it
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
		_, _ = t.editor.Write([]byte("\n")) // what follows begins on a line of its own
	}
	return line, err
}

var _ Console = (*Terminal)(nil)
