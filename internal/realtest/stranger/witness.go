package stranger

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// witness stands beside sampler and loss in the trainer's process. It ends the training where the loss counts anything but the ids that
// were sampled for one episode, all of them, and says how many rows it has seen. What the loss counts is for an adapter's own code to
// find out, which follows on this: it calls check with (ids, whether a tool's result stands among them) of each row, and puts itself into changes.
const witness = `
said, rows = {}, [0, 0]

def listen(module):
    sample = module.sample
    def listening(model, messages, *rest):
        sample(model, messages, *rest)
        for m in messages:
            said.setdefault(m.call_id.rpartition("/")[0], []).extend(m.ids)
    module.sample = listening

def check(counted):
    whole = {tuple(ids) for ids in said.values()}
    for ids, with_tools in counted:
        assert tuple(ids) in whole, f"the loss counts {ids}, which nobody has sampled"
        rows[0] += 1
        rows[1] += with_tools
    print(f"witness: {rows[0]} rows, {rows[1]} with tool results", flush=True)

changes = {"awhost_bridge.hf.sampler": listen}
`

// shifted is a mistake that the witness has to find.
const shifted = `
def shift(module):
    trained = module.BatchedEpisode.trained
    def wrong(self, result):
        row, use = trained(self, result)
        if row is not None:
            n = row.prompt_length
            row.loss_mask[n:] = [0] + row.loss_mask[n:-1]
        return row, use
    module.BatchedEpisode.trained = wrong

changes["awhost_bridge.batched"] = shift
`

// watched makes a folder in which Python code changes modules of the trainer's process: see realtest.Mutant.
func (a Adapter) watched(t *testing.T, code string) (dir string) {
	t.Helper()
	dir = a.Prepare(t)
	env := fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", realtest.Mutant(t, code))
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {", env)
	return dir
}

// LossCountsWhatWasSampled: a policy learns with a wrong mask, too, only less. That the reward rises proves nothing.
func (a Adapter) LossCountsWhatWasSampled(t *testing.T, judge string) {
	dir := a.watched(t, witness+judge)
	Done(t, a.Start(t, dir, "steps=2").Wait(), "completed", 2)
	var rows, withTools int
	for line := range strings.Lines(a.TrainerLog(t, dir)) {
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools) // of other lines there is nothing to read
	}
	if rows != 256 || withTools < 128 {
		t.Errorf("the witness saw %d rows, %d of them with tool results; want 256, most of them with one", rows, withTools)
	}
}

// WitnessFindsAShiftedMask: that the witness says nothing means something.
func (a Adapter) WitnessFindsAShiftedMask(t *testing.T, judge string) {
	realtest.Slow(t)
	finished := a.Start(t, a.watched(t, witness+judge+shifted), "steps=2").Wait()
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, "nobody has sampled") {
		t.Errorf("outcome %s at step %d; want failed by the witness\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
}
