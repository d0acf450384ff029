//go:build linux

package view

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/internal/fake"
)

// patience is the maximum time that a test waits for an event. It does not measure anything.
const patience = 20 * time.Second

// terminal is a pseudo-terminal. The view has one end, and the test acts as the user at the other.
type terminal struct {
	t       *testing.T
	program *os.File // the view's end
	person  *os.File

	mu      sync.Mutex
	shown   bytes.Buffer
	changed chan struct{} // holds a token after new output
	reading sync.WaitGroup
}

func openTerminal(t *testing.T, width, height uint16) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	raw := int(person.Fd()) // blocking from now on
	number, err := unix.IoctlGetInt(raw, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(raw, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(raw, unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height})
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &terminal{t: t, program: program, person: person, changed: make(chan struct{}, 1)}
}

// read starts reading the view's output.
func (c *terminal) read() {
	c.reading.Go(func() {
		chunk := make([]byte, 4096)
		for {
			n, err := c.person.Read(chunk)
			c.mu.Lock()
			c.shown.Write(chunk[:n])
			c.mu.Unlock()
			select {
			case c.changed <- struct{}{}:
			default:
			}
			if err != nil {
				return // the view's end is closed
			}
		}
	})
}

func (c *terminal) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown.String()
}

// await waits until the view's output contains want.
func (c *terminal) await(want string) {
	c.t.Helper()
	c.awaitAfter("", want)
}

// awaitAfter waits for want after the first occurrence of mark.
func (c *terminal) awaitAfter(mark, want string) {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		if _, after, marked := strings.Cut(c.text(), mark); marked && strings.Contains(after, want) {
			return
		}
		select {
		case <-c.changed:
		case <-deadline:
			c.t.Fatalf("%q does not appear in:\n%q", want, c.text())
		}
	}
}

func (c *terminal) press(keys string) {
	c.t.Helper()
	if _, err := c.person.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// end closes the view's end and waits for the reader to finish.
func (c *terminal) end() {
	c.program.Close()
	c.reading.Wait()
}

func (c *terminal) options(interrupt func()) Options {
	return Options{
		Out: c.program, In: c.program, Environ: []string{"TERM=xterm-256color"}, Version: "0.1.0",
		Now: func() time.Time { return fake.Start.Add(time.Minute) }, Interrupt: interrupt,
	}
}

const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
)

func TestTheLiveScreenComesAndGoes(t *testing.T) {
	console := openTerminal(t, 80, 24)
	console.read()
	interrupts := make(chan struct{}, 2)
	shown := New(console.options(func() { interrupts <- struct{}{} }))
	if _, ok := shown.(*Live); !ok {
		t.Fatalf("a terminal gets a %T", shown)
	}
	events := fake.Run(fake.Completes)
	for _, e := range events[:300] {
		shown.Handle(e)
	}
	console.await(enterScreen)
	console.await("Held-out success")
	for range 2 { // Ctrl-C is a key here; each press must be delivered
		console.press("\x03")
		select {
		case <-interrupts:
		case <-time.After(patience):
			t.Fatal("Ctrl-C did not arrive")
		}
	}
	console.press("m")
	console.await("Metrics")
	for _, e := range events[300:] {
		shown.Handle(e)
	}
	if err := shown.Close(); err != nil {
		t.Fatal(err)
	}
	if err := shown.Close(); err != nil {
		t.Fatal(err)
	}
	console.end()

	_, after, left := strings.Cut(console.text(), leaveScreen)
	if !left {
		t.Fatal("the alternate screen was not left")
	}
	for _, want := range []string{"quickstart-1", "completed: 60 steps", "93.8 %", "step-60", "awhost show quickstart-1",
		"tracking.wandb"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q does not remain on the terminal:\n%q", want, after)
		}
	}
}

func TestTheErrorIsShownAfterTheScreen(t *testing.T) {
	console := openTerminal(t, 80, 24)
	console.read()
	shown := New(console.options(nil))
	for _, e := range fake.Run(fake.Fails) {
		shown.Handle(e)
	}
	if err := shown.Close(); err != nil {
		t.Fatal(err)
	}
	console.end()
	_, after, _ := strings.Cut(console.text(), leaveScreen)
	if !strings.Contains(after, "the environment calculator.desk died 6 times") {
		t.Errorf("the diagnostic does not remain on the terminal:\n%q", after)
	}
}

func TestDiagnosticsWithoutARunNeedNoScreen(t *testing.T) {
	console := openTerminal(t, 80, 24)
	console.read()
	shown := New(console.options(nil))
	shown.Handle(event.Event{Payload: event.Diagnostics{Diagnostics: []event.Diagnostic{{Summary: "no file train.hcl"}}}})
	if err := shown.Close(); err != nil {
		t.Fatal(err)
	}
	console.end()
	if got := console.text(); strings.Contains(got, enterScreen) || !strings.Contains(got, "no file train.hcl") {
		t.Errorf("shown is %q", got)
	}
}

func TestAPersonCanLeaveTheScreen(t *testing.T) {
	console := openTerminal(t, 80, 24)
	console.read()
	shown := New(console.options(nil))
	events := fake.Run(fake.Completes)
	for _, e := range events[:300] {
		shown.Handle(e)
	}
	console.await("Held-out success")
	console.press("q")
	console.awaitAfter(leaveScreen, "tracking.wandb") // the screen showed it too
	for _, e := range events[300:] {
		shown.Handle(e)
	}
	if err := shown.Close(); err != nil {
		t.Fatal(err)
	}
	console.end()
	_, after, _ := strings.Cut(console.text(), leaveScreen)
	for _, want := range []string{"held-out success at step 60", "completed: 60 steps"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is not among the plain lines:\n%q", want, after)
		}
	}
}

func TestATerminalThatTakesNothingDoesNotHoldTheRun(t *testing.T) {
	console := openTerminal(t, 200, 50) // without a reader
	live := newLive(console.options(nil))
	live.restoreTimeout = 50 * time.Millisecond
	for _, e := range fake.Run(fake.Completes) {
		live.Handle(e)
	}
	err := live.Close()
	console.read() // let the program end
	<-live.ended
	console.end()
	// The terminal's buffer may have held the whole output. Then Close returns nil.
	if err != nil && !strings.Contains(err.Error(), "type reset") {
		t.Errorf("Close returned %v", err)
	}
}

func TestThereIsNoScreenWithoutAPersonAtATerminal(t *testing.T) {
	console := openTerminal(t, 80, 24)
	console.read()
	for name, change := range map[string]func(*Options){
		"a pipe":          func(o *Options) { o.Out = &bytes.Buffer{} },
		"no keyboard":     func(o *Options) { o.In = strings.NewReader("") },
		"a dumb terminal": func(o *Options) { o.Environ = []string{"TERM=dumb"} },
		"no TERM":         func(o *Options) { o.Environ = nil },
		"CI":              func(o *Options) { o.Environ = append(o.Environ, "CI=true") },
		"plain":           func(o *Options) { o.Format = FormatPlain },
	} {
		o := console.options(nil)
		change(&o)
		if shown, ok := New(o).(*Human); !ok {
			t.Errorf("%s gets a %T", name, shown)
		}
	}
	console.end()
}
