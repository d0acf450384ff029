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
	// frame is the time between two consecutive renderings. The screen is rendered at fixed intervals, not for each
	// event, so that a fast run costs no more than a slow one.
	frame = 100 * time.Millisecond
	// restoreTimeout is the maximum time allowed for restoring the terminal. A terminal does not respond while its
	// output is suspended with Ctrl-S.
	restoreTimeout = 3 * time.Second
)

// Live shows a screen from the beginning of a run to its end. Before and after that, and once the user has left the
// screen or the terminal has failed, Live writes the same plain lines as Human.
type Live struct {
	options Options
	human   *Human // its lock guards the model that the screen draws

	mu     sync.Mutex // guards the fields below; no output is written while it is held
	screen *tea.Program
	ended  chan struct{} // closed when the screen's goroutine has ended
	plain  bool          // lines are written instead of the screen
	left   bool          // the user has left the run: nothing more is shown
	seen   []event.Event // diagnostics that the screen hid, written after it has ended

	restoreTimeout time.Duration
}

// newLive returns the view. It does not use the terminal before the run starts.
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

// isScreen reports whether an event is shown on the screen. It starts the screen when the run starts.
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
			return err // the summary would block on the same terminal
		}
	}
	return l.human.Close()
}

// restore ends the screen and restores the terminal.
func (l *Live) restore(screen *tea.Program, ended chan struct{}) error {
	go screen.Quit() // waits for the screen's loop, which may be blocked; returns when the screen ends
	timeout := time.NewTimer(l.restoreTimeout)
	defer timeout.Stop()
	select {
	case <-ended:
		return nil
	case <-timeout.C:
		return fmt.Errorf("restore the terminal: it has accepted no output for %v; if it stays unusable, type reset",
			l.restoreTimeout)
	}
}

// start starts the screen. The caller holds l.mu.
func (l *Live) start() {
	l.plain, l.ended = false, make(chan struct{})
	l.screen = tea.NewProgram(&program{live: l}, screenOptions(l.options)...)
	go l.watch(l.screen, l.ended)
}

// screenOptions returns the bubbletea options for a screen.
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

// watch runs the screen. Plain lines follow when it ends because the run has ended, the user has left the screen, or
// the terminal has failed. A terminal failure does not end the run.
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

// program implements the screen as a tea.Model.
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

// key handles a key. Ctrl-C does not end the screen, which continues to show how the run stops.
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

// farAway is larger than the length of any pane.
const farAway = 1 << 20

// page returns the number of lines that PgDn scrolls: the height without the header and footer, minus one line of
// overlap.
func (p *program) page() int { return max(1, p.height-6) }

// call returns a command that runs a function, which may be nil.
func (p *program) call(what func()) tea.Cmd {
	return func() tea.Msg {
		if what != nil {
			what()
		}
		return nil
	}
}

// leave ends an attached run's screen. Nothing more is shown.
func (p *program) leave() tea.Cmd {
	p.live.mu.Lock()
	p.live.left = true
	p.live.mu.Unlock()
	return tea.Sequence(p.call(p.live.options.Leave), tea.Quit)
}

// View implements tea.Model.
func (p *program) View() tea.View {
	view := tea.NewView(text.Safe(p.drawn)) // bubbletea writes it to the terminal
	view.AltScreen = true
	return view
}

var (
	_ View      = (*Live)(nil)
	_ tea.Model = (*program)(nil)
)
