package main

import (
	"fmt"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// checkProgress reports to standard error which check is running. On a terminal it overwrites one line. In a log, it
// writes one line per group of checks, so that the log shows where a suite stopped.
type checkProgress struct {
	out      *text.Output
	terminal text.Terminal
	status   *text.Status
	group    string // the last printed group
	calls    int    // number of calls of a transcript so far
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
	if group := fmt.Sprintf("%s: running the checks %s", component, prefix); group != p.group {
		p.group = group
		_ = p.out.Line(group + "…") // the report has the details
	}
}

// called shows the current call in a transcript.
func (p *checkProgress) called(component, method string) {
	p.calls++
	if p.terminal.IsTerminal {
		p.status.Show(fmt.Sprintf("%s: call %d, %s", component, p.calls, method))
		return
	}
	if group := component + ": making calls"; group != p.group {
		p.group = group
		_ = p.out.Line(group + "…") // the report has the details
	}
}

func (p *checkProgress) clear() { p.status.Clear() }
