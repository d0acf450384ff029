package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// checkProgress says on standard error which check is played: on a terminal in one line, which is written over; in a log a line per
// group of checks, so that it tells where a suite came to a stop.
type checkProgress struct {
	out      io.Writer
	terminal text.Terminal
	group    string // that was said last
	shown    bool   // there is a line to be cleared
}

// leastWidth is taken for the width of a terminal that does not say how wide it is.
const leastWidth = 40

func (p *checkProgress) say(check *conformance.Check, component string) {
	if component == "" {
		component = "the plugin"
	}
	if p.terminal.IsTerminal {
		p.shown = true
		line := text.Clean(fmt.Sprintf("%s: %s %s", component, check.ID, check.Title))
		fmt.Fprint(p.out, "\r\x1b[K"+text.Truncate(line, max(p.terminal.Width, leastWidth)-1)) // short of the edge, where terminals wrap
		return
	}
	prefix, _, _ := strings.Cut(check.ID, "-")
	if group := text.Clean(fmt.Sprintf("%s: playing the checks %s", component, prefix)); group != p.group {
		p.group = group
		fmt.Fprintln(p.out, group+"…")
	}
}

func (p *checkProgress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
