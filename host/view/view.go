// Package view shows a run: as JSON lines for programs, as plain lines for logs and pipes, as a live screen for the
// person who waits. All three are handlers of the one event stream.
//
//	shown := view.New(view.Options{Out: os.Stdout, In: os.Stdin, Environ: os.Environ(), Version: version, Now: time.Now, Interrupt: stop})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown)
//	… publish …
//	bus.Close(ctx)       // shown has seen everything
//	return shown.Close() // the terminal is as before, the summary is written
//
// The live screen is a pure function of the events, the size and the time (Model); what talks to the terminal around
// it is thin (Live). Commands that show tables or pages use host/view/text directly.
//
// The package knows neither how events come about nor what a command does.
package view

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// View shows events until it is closed.
type View interface {
	event.Handler
	// Close ends the view after the last event: it gives the terminal back, writes what is left to say and returns
	// the first error of the output. A second Close does nothing. Where Handle is stuck in an output that nobody
	// reads, Close says so instead of waiting.
	Close() error
}

// Format is how a view looks.
type Format int

// The formats.
const (
	FormatAuto  Format = iota // a live screen where a person watches a terminal, plain lines otherwise
	FormatPlain               // plain lines even in a terminal
	FormatJSON                // JSON lines
)

// Options say what to show where.
type Options struct {
	Format  Format
	Out     io.Writer
	In      io.Reader // keys for the live screen; nil: no live screen
	Environ []string  // NO_COLOR, TERM, CI, …
	Version string    // of awhost
	Verbose bool      // plain lines: also episodes, and what is routine
	// NoProgress leaves the phase events out of JSON lines.
	NoProgress bool
	Now        func() time.Time
	// Interrupt is called for each Ctrl-C that is typed into the live screen, where it is a key and no signal. It
	// must do what SIGINT does. It is called from a goroutine of its own.
	Interrupt func()
	// Attached says that the run goes on elsewhere: Ctrl-C and d leave the view, s asks the run to stop.
	Attached bool
	// RunDir is where the run is, seen from here; empty: where its events say.
	RunDir string
	// Again is the command that starts another run like this one; empty: nobody knows.
	Again string
	// Commands spells commands as the person can type them; nil: as they are.
	Commands func(string) string
	// Leave and Stop are called for those keys, each from a goroutine of its own. Nil: they do nothing.
	Leave, Stop func()
}

// New chooses the view.
func New(o Options) View {
	switch {
	case o.Format == FormatJSON:
		j := NewJSON(o.Out, o.Version)
		j.noProgress = o.NoProgress
		return j
	case CanLive(o):
		return newLive(o)
	}
	return NewHuman(o)
}

// CanLive says whether somebody sits at a terminal that can show a screen, and wants one.
func CanLive(o Options) bool {
	return o.Format == FormatAuto && isTerminal(o.Out) && isTerminal(o.In) && !isSet(o.Environ, "CI") &&
		lookup(o.Environ, "TERM") != "dumb" && lookup(o.Environ, "TERM") != ""
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && file != nil && term.IsTerminal(int(file.Fd()))
}

func isSet(environ []string, name string) bool {
	value := lookup(environ, name)
	return value != "" && value != "0" && value != "false"
}

// errStuck is what Close returns while Handle still writes.
var errStuck = errors.New("finish the output: it takes nothing; what reads it has stopped reading")

// lookup is the last value of a variable, as in os/exec.
func lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// terminalOf is what Detect knows of the output.
func terminalOf(o Options) text.Terminal { return text.Detect(o.Out, o.Environ) }
