package result

import (
	"bytes"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/view/text"
)

// TestPlan_FitsTheTerminal checks that a plan is wrapped and colored only on a terminal.
func TestPlan_FitsTheTerminal(t *testing.T) {
	p := Plan{text: "Plan: a new run of math (no earlier run)\n  stage     main: 60 steps of 32 prompts × 8 samples\n" +
		"Note: the context is small.\nCommand: python3 -m train --a-long-argument=1 --another-one=2\n"}
	var plain bytes.Buffer
	p.Text(text.NewPrinter(&plain, text.Terminal{Styles: text.Plain()}))
	if plain.String() != p.text {
		t.Errorf("without a terminal: %s", plain.String())
	}
	var page bytes.Buffer
	p.Text(text.NewPrinter(&page, text.Terminal{Styles: text.Coloured(), Width: 40}))
	if !strings.Contains(page.String(), "\x1b[1mPlan:") || !strings.Contains(page.String(), "\n            32 prompts") ||
		!strings.Contains(page.String(), "--a-long-argument=1 --another-one=2\n") {
		t.Errorf("at 40 columns: %q", page.String())
	}
	for line := range strings.Lines(page.String()) {
		if text.Width(strings.TrimSuffix(line, "\n")) > 40 && !strings.Contains(line, "Command") {
			t.Errorf("a line is wider than 40 columns: %q", line)
		}
	}
}
