package view

import (
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

const (
	// frame is the time between two drawings. The screen is drawn by the clock and not by events, so that a fast
	// run costs no more than a slow one.
	frame = 100 * time.Millisecond
	// restoreTimeout is how long the terminal may take to come back. It does not answer while output is suspended
	// with Ctrl-S.
	restoreTimeout = 3 * time.Second
)

// Live shows a screen from the start of a run to its end. Before and after, and when a person leaves the screen or the
// terminal fails, it writes the plain lines of Human.
type Live struct {
	options Options
	human   *Human // its lock guards the model that the screen draws

	mu     sync.Mutex // guards what follows; no output is written under it
	screen *tea.Program
	ended  chan struct{} // closed when the screen's goroutine is over
	plain  bool          // lines are written, there is no screen
	left   bool          // the person has left the run: nothing more is shown
	seen   []event.Event // diagnostics that the screen hid, to be written afterwards

	restoreTimeout time.Duration
}

// newLive returns the view. The terminal is touched when the run starts and not before.
func newLive(o Options) *Live {
	return &Live{options: o, human: NewHuman(o), plain: true, restoreTimeout: restoreTimeout}
}

// Handle implements event.Handler. It never waits for the terminal while there is a screen.
func (l *Live) Handle(e event.Event) {
	if l.isScreen(e) {
		l.human.learn(e)
		return
	}
	l.human.Handle(e)
}

// isScreen says whether the screen shows an event, and starts the screen with the run.
func (l *Live) isScreen(e event.Event) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, ok := e.Payload.(event.RunStarted); ok && p.Mode != event.ModeNoOp && l.screen == nil {
		l.start()
	}
	if _, ok := e.Payload.(event.Diagnostics); ok && !l.plain {
		l.seen = append(l.seen, e)
	}
	return !l.plain
}

// Close implements View.
func (l *Live) Close() error {
	l.mu.Lock()
	screen, ended := l.screen, l.ended
	l.mu.Unlock()
	if screen != nil {
		if err := l.restore(screen, ended); err != nil {
			return err // the summary would wait for the same terminal
		}
	}
	return l.human.Close()
}

// restore gives the terminal back.
func (l *Live) restore(screen *tea.Program, ended chan struct{}) error {
	go screen.Quit() // waits for the screen's loop, which may be stuck; ends with the screen
	timeout := time.NewTimer(l.restoreTimeout)
	defer timeout.Stop()
	select {
	case <-ended:
		return nil
	case <-timeout.C:
		return fmt.Errorf("restore the terminal: it takes no output for %v; if it stays unusable, type reset", l.restoreTimeout)
	}
}

// start begins the screen. l.mu is held.
func (l *Live) start() {
	l.plain, l.ended = false, make(chan struct{})
	l.screen = tea.NewProgram(&program{live: l}, screenOptions(l.options)...)
	go l.watch(l.screen, l.ended)
}

// screenOptions are what a screen is drawn with.
func screenOptions(o Options) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environ), tea.WithoutSignalHandler(),
		tea.WithFPS(int(time.Second / frame)),
	}
	if lookup(o.Environ, "NO_COLOR") != "" {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return options
}

// watch is the screen's goroutine. Afterwards lines are written: either all is over, or the person left the screen,
// or the terminal failed, which ends no run.
func (l *Live) watch(screen *tea.Program, ended chan struct{}) {
	defer close(ended)
	_, err := screen.Run()
	l.mu.Lock()
	l.plain = !l.left
	left, seen := l.left, l.seen
	l.mu.Unlock()
	if !left {
		l.human.takeOver(seen, err)
	}
}

// program is the screen as bubbletea wants it.
type program struct {
	live          *Live
	width, height int
	drawn         string
}

type tick struct{}

func nextFrame() tea.Cmd { return tea.Tick(frame, func(time.Time) tea.Msg { return tick{} }) }

// Init implements tea.Model.
func (p *program) Init() tea.Cmd { return nextFrame() }

// Update implements tea.Model.
func (p *program) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		p.width, p.height = message.Width, message.Height
	case tea.KeyPressMsg:
		return p, p.key(message)
	case tick:
		p.drawn = p.live.human.draw(p.width, p.height, p.live.options.Now())
		return p, nextFrame()
	default:
		return p, nil
	}
	p.drawn = p.live.human.draw(p.width, p.height, p.live.options.Now())
	return p, nil
}

// key does what a key asks for. Ctrl-C is no reason to end the screen: it stays to show how the run stops.
func (p *program) key(key tea.KeyPressMsg) tea.Cmd {
	switch key.String() {
	case "ctrl+c":
		if p.live.options.Attached {
			return p.leave()
		}
		return p.call(p.live.options.Interrupt)
	case "d":
		if p.live.options.Attached {
			return p.leave()
		}
	case "s":
		if p.live.options.Attached {
			return p.call(p.live.options.Stop)
		}
	case "l":
		p.live.human.turnTo(PaneLog)
	case "m":
		p.live.human.turnTo(PaneMetrics)
	case "o", "esc":
		p.live.human.turnTo(PaneOverview)
	case "up", "k":
		p.live.human.scroll(-1)
	case "down", "j":
		p.live.human.scroll(1)
	case "pgup":
		p.live.human.scroll(-p.page())
	case "pgdown", "space":
		p.live.human.scroll(p.page())
	case "home":
		p.live.human.scroll(-farAway)
	case "end":
		p.live.human.scroll(farAway)
	case "q":
		return tea.Quit
	}
	p.drawn = p.live.human.draw(p.width, p.height, p.live.options.Now())
	return nil
}

// farAway is beyond any end of a pane.
const farAway = 1 << 20

// page is how many lines PgDn goes: a screen without its head and foot, and one line that stays.
func (p *program) page() int { return max(1, p.height-6) }

// call makes a command of a function that may be missing.
func (p *program) call(what func()) tea.Cmd {
	return func() tea.Msg {
		if what != nil {
			what()
		}
		return nil
	}
}

// leave ends the screen of a run elsewhere; nothing more is shown.
func (p *program) leave() tea.Cmd {
	p.live.mu.Lock()
	p.live.left = true
	p.live.mu.Unlock()
	return tea.Sequence(p.call(p.live.options.Leave), tea.Quit)
}

// View implements tea.Model.
func (p *program) View() tea.View {
	view := tea.NewView(text.Safe(p.drawn)) // from here on it is the library that writes to the terminal
	view.AltScreen = true
	return view
}

var (
	_ View      = (*Live)(nil)
	_ tea.Model = (*program)(nil)
)
