package view_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/text"
)

// Programs and files get whole lines, terminals as many columns as they have.
func TestFindings_BreakLinesForTerminalsOnly(t *testing.T) {
	list := []event.Finding{{ID: "cut", Summary: strings.Repeat("many words ", 20), Remedy: "raise the limit", First: 1}}
	if lines := view.Findings(list, text.Plain(), 0); len(lines) != 2 {
		t.Errorf("without a width: %q", lines)
	}
	for _, line := range view.Findings(list, text.Plain(), 60) {
		if len(line) > 60 {
			t.Errorf("%d columns of 60: %q", len(line), line)
		}
	}
}
