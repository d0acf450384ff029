package view

import (
	"bytes"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/awhost/awhost/host/view/text"
)

// Look collects the current state and returns a function that writes a page about it.
type Look func(context.Context) func(*text.Printer)

// Watch shows a page on a terminal and calls look at each interval, until the user presses q or Ctrl-C, or ctx is done.
func Watch(ctx context.Context, o Options, interval time.Duration, look Look) error {
	looking, cancel := context.WithCancel(ctx)
	defer cancel()
	screen := tea.NewProgram(&watched{ctx: looking, options: o, interval: interval, look: look}, screenOptions(o)...)
	defer context.AfterFunc(ctx, screen.Quit)()
	_, err := screen.Run()
	return err
}

// watched implements the page as a tea.Model.
type watched struct {
	ctx      context.Context
	options  Options
	interval time.Duration
	look     Look

	page   func(*text.Printer) // nil before the first look has finished
	width  int
	height int
	at     time.Time
}

// looked holds the result of a Look.
type looked struct{ page func(*text.Printer) }

// lookAgain signals the end of the interval.
type lookAgain struct{}

func (w *watched) lookNow() tea.Msg { return looked{w.look(w.ctx)} }

// wait returns after an interval, or when the screen is closed.
func (w *watched) wait() tea.Msg {
	timer := time.NewTimer(w.interval)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.ctx.Done():
	}
	return lookAgain{}
}

// Init implements tea.Model.
func (w *watched) Init() tea.Cmd { return w.lookNow }

// Update implements tea.Model.
func (w *watched) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = message.Width, message.Height
	case looked:
		w.page, w.at = message.page, w.options.Now()
		return w, w.wait
	case lookAgain:
		return w, w.lookNow
	case tea.KeyPressMsg:
		switch message.String() {
		case "q", "ctrl+c", "esc":
			return w, tea.Quit
		}
	}
	return w, nil
}

// View implements tea.Model.
func (w *watched) View() tea.View {
	view := tea.NewView(strings.Join(w.lines(), "\n"))
	view.AltScreen = true
	return view
}

// lines returns the screen's lines. All of them have passed a text.Output, because the library writes them unchanged.
func (w *watched) lines() []string {
	terminal := terminalOf(w.options)
	terminal.Width = w.width
	if w.page == nil || w.height == 0 {
		return printed(terminal, w.options, func(out *text.Printer) { out.Line(out.Styles.Dim("looking …")) })
	}
	lines, rows := printed(terminal, w.options, w.page), max(1, w.height-2)
	more := max(0, len(lines)-rows)
	if more > 0 {
		lines = lines[:rows-1]
	}
	foot := printed(terminal, w.options, func(out *text.Printer) {
		if more > 0 {
			out.Line(out.Styles.Dim("… " + text.Plural(more+1, "more line")))
		}
		for range rows - len(lines) {
			out.Blank()
		}
		out.Line(out.Styles.Dim(text.Truncate("q ends · "+w.at.Format(time.TimeOnly), w.width)))
	})
	return append(lines, foot...)
}

// printed returns the lines of a page for a terminal.
func printed(terminal text.Terminal, o Options, page func(*text.Printer)) []string {
	var written bytes.Buffer
	out := text.NewOutput(&written)
	out.Commands = o.Commands
	page(text.NewPrinter(out, terminal))
	return strings.Split(strings.TrimSuffix(written.String(), "\n"), "\n")
}

var _ tea.Model = (*watched)(nil)
