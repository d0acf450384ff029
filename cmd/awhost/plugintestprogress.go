package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// slowCheck is the time after which a log names the running check.
const slowCheck = 10 * time.Second

// checkProgress reports to standard error which check is running. On a terminal it overwrites one line. In a log, it
// writes one line per group of checks and one per slow check, so that the log shows where a suite stopped.
type checkProgress struct {
	out      *text.Output
	terminal text.Terminal
	status   *text.Status
	group    string // the last printed group
	calls    int    // number of calls of a transcript so far
	slow     *time.Timer
}

func newCheckProgress(out *text.Output, terminal text.Terminal) *checkProgress {
	return &checkProgress{out: out, terminal: terminal, status: text.NewStatus(out, terminal),
		slow: time.NewTimer(0)}
}

func (p *checkProgress) say(check *conformance.Check, component string) {
	if component == "" {
		component = "the plugin"
	}
	if p.terminal.IsTerminal {
		p.status.Show(fmt.Sprintf("%s: %s %s", component, check.ID, check.Title))
		return
	}
	p.slow.Stop()
	prefix, _, _ := strings.Cut(check.ID, "-")
	if group := fmt.Sprintf("%s: running the checks %s", component, prefix); group != p.group {
		p.group = group
		_ = p.out.Line(group + "…") // the report has the details
	}
	p.slow = time.AfterFunc(slowCheck, func() {
		_ = p.out.Line(fmt.Sprintf("%s: %s has been running for %s…", component, check.ID, slowCheck))
	})
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

func (p *checkProgress) clear() {
	p.slow.Stop()
	p.status.Clear()
}
