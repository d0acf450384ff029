package plan_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/diag"
)

// The plan reports messages of concurrent episodes that do not fit into memory, with the numbers.
func TestMessagesThatDoNotFitIntoMemory(t *testing.T) {
	p := newSetting(t).mustMake(t)
	stage := p.Stages[0]
	const desk = "environment.scripted.desk"
	if found := p.CheckMessages(stage, 1<<20); len(found) != 0 {
		t.Errorf("plugins declare nothing, and yet: %v", found)
	}
	entry := *p.Component(desk).Entry
	entry.Description.MaxMessageBytes = 100 << 20
	p.Component(desk).Entry = &entry
	if got := p.MessageLimits(); got[desk] != 100<<20 || got["reward.scripted.answer"] != 32<<20 {
		t.Errorf("limits: %v", got)
	}
	if found := p.CheckMessages(stage, 2400<<20); len(found) != 0 {
		t.Errorf("8 times 3 copies of 100 MiB fit into 2400 MiB, and yet: %v", found)
	}
	found := p.CheckMessages(stage, 900<<20)
	if len(found) != 1 || found[0].Severity != diag.Warning || found[0].Snippet == nil ||
		!strings.Contains(found[0].Snippet.Code, "concurrency = 8") {
		t.Fatalf("got %+v", found)
	}
	for _, want := range []string{desk, "100 MiB", "8 episodes", "2.34 GiB", "900 MiB", "concurrency = 3"} {
		if !strings.Contains(found[0].Detail, want) {
			t.Errorf("%q is not in %q", want, found[0].Detail)
		}
	}
}
