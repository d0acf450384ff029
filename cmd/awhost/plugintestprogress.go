package main

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// checkProgress says on standard error which check is played: on a terminal in one line, which is written over; in a log a line per
// group of checks, so that it tells where a suite came to a stop.
type checkProgress struct {
	out      *text.Output
	terminal text.Terminal
	status   *text.Status
	group    string // that was said last
	calls    int    // of a transcript, so far
}

func newCheckProgress(out *text.Output, terminal text.Terminal) *checkProgress {
	return &checkProgress{out: out, terminal: terminal, status: text.NewStatus(out, terminal)}
}

func (p *checkProgress) say(check *conformance.Check, component string) {
	if component == "" {
		component = "the plugin"
	}
	if p.terminal.IsTerminal {
		p.status.Show(fmt.Sprintf("%s: %s %s", component, check.ID, check.Title))
		return
	}
	prefix, _, _ := strings.Cut(check.ID, "-")
	if group := fmt.Sprintf("%s: playing the checks %s", component, prefix); group != p.group {
		p.group = group
		_ = p.out.Line(group + "…") // the report says what there is to say
	}
}

// called says which call of a transcript is made.
func (p *checkProgress) called(component, method string) {
	p.calls++
	if p.terminal.IsTerminal {
		p.status.Show(fmt.Sprintf("%s: call %d, %s", component, p.calls, method))
		return
	}
	if group := component + ": making calls"; group != p.group {
		p.group = group
		_ = p.out.Line(group + "…") // the report says what there is to say
	}
}

func (p *checkProgress) clear() { p.status.Clear() }
