// Package view shows a run: as JSON lines for programs, as plain lines for logs and pipes, and as a live screen for a
// person using a terminal. All three are handlers of the same event stream.
//
//	shown := view.New(view.Options{Out: os.Stdout, In: os.Stdin, Environ: os.Environ(), Version: version, Now: time.Now, Interrupt: stop})
//	bus := event.NewBus(event.Config{Now: time.Now}, shown)
//	… publish …
//	bus.Close(ctx)       // shown has processed all events
//	return shown.Close() // restores the terminal and writes the summary
//
// The live screen ([Model]) is a pure function of the events, the size and the time. The code that interacts with the
// terminal ([Live]) is thin. Commands that show tables or pages use host/view/text directly.
//
// The package must not depend on how events are produced or on what a command does.
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
	// Close ends the view after the last event. It restores the terminal, writes the rest of the output, and returns
	// the first write error. A second Close does nothing. If Handle is blocked because nothing is reading the output,
	// Close returns an error instead of waiting.
	Close() error
}

// Format is the format of a view.
type Format int

// The formats.
const (
	FormatAuto  Format = iota // a live screen if a person watches a terminal, plain lines otherwise
	FormatPlain               // plain lines even in a terminal
	FormatJSON                // JSON lines
)

// Options configures a view.
type Options struct {
	Format  Format
	Out     io.Writer
	In      io.Reader // keys for the live screen; nil disables it
	Environ []string  // NO_COLOR, TERM, CI, …
	Version string    // version of awhost
	Verbose bool      // plain lines also contain episodes and routine messages
	// NoProgress omits the phase events from JSON lines.
	NoProgress bool
	Now        func() time.Time
	// Interrupt is called for each Ctrl-C typed into the live screen, where it is a key and not a signal. It must have
	// the effect of SIGINT. It is called in a separate goroutine.
	Interrupt func()
	// Attached is set if another process executes the run: Ctrl-C and d close the view, and s asks the run to stop.
	Attached bool
	// RunDir is the path of the run from the viewer's directory. If it is empty, the path is taken from its events.
	RunDir string
	// Again is the command that starts another run like this one. Empty: unknown.
	Again string
	// Commands rewrites the commands in a text as the user can type them. Nil: unchanged.
	Commands func(string) string
	// Leave and Stop are called for these keys, each in a separate goroutine. They may be nil.
	Leave, Stop func()
}

// New returns the view for the options.
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

// CanLive reports whether the user has a terminal that can show a screen and has not disabled it.
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

// errStuck is the error that Close returns while Handle is still writing.
var errStuck = errors.New("finish the output: it accepts no data because its reader has stopped reading")

// lookup returns the last value of a variable, as in os/exec.
func lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// terminalOf returns the properties of the output, as detected by text.Detect.
func terminalOf(o Options) text.Terminal { return text.Detect(o.Out, o.Environ) }
