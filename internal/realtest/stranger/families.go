package stranger

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// TrainsFamilies trains two steps in the tool-call format of each model family, with a scripted policy. Each episode
// must call a tool and be one conversation, to which ids are only appended; the loss must count exactly what was
// sampled in it, and the journal must have the rows of the loss.
func (a Adapter) TrainsFamilies(t *testing.T, judge string) {
	realtest.Slow(t)
	given := filepath.Join(t.TempDir(), "rows")
	dir := a.watched(t, realtest.SawPython(given)+realtest.FamilyPython(t)+witness+judge+`
changes["awhost_bridge.batched"] = act
changes["awhost_bridge.hf.sampler"] = lambda module: (listen(module), speak(module))
`)
	realtest.EditForFamilies(t, dir, "  patience = var.patience\n")
	for _, name := range realtest.Families {
		t.Run(name, func(t *testing.T) { a.trainsFamily(t, dir, given, name) })
	}
}

func (a Adapter) trainsFamily(t *testing.T, dir, given, name string) {
	const episodes = 2 * 8 // in two steps
	finished := a.Start(t, dir, "steps=2", "prompts=1", "micro_batch=8", "prompt_tokens=4096", "response_tokens=1024",
		"model="+realtest.FamilyModel(t, realtest.Python(t, a.Python()), name)).Wait()
	Done(t, finished, "completed", 2)
	runDir := filepath.Join(dir, finished.Dir)
	told := realtest.Tokens(t, runDir)
	realtest.CheckTokens(t, told, given)
	realtest.CheckFamily(t, dir, episodes)
	launches := a.Launches(t, dir)
	var rows, withTools int
	for line := range strings.Lines(a.trainerLog(t, launches[len(launches)-1])) {
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools)
	}
	if rows != episodes || withTools != episodes || len(told) != episodes {
		t.Errorf("the loss received %d rows, %d of them with tool results, and the journal %d; want %d, all with results",
			rows, withTools, len(told), episodes)
	}
	a.CheckSteps(t, runDir, 2)
}
