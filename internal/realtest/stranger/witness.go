package stranger

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// witness is Python code that observes the sampler and the loss in the trainer process. It stops the training if the
// loss counts anything other than all IDs sampled for one episode, and prints the number of rows. An adapter's own
// code, which is appended to it, extracts the counted IDs: it calls check with (ids, whether they include a tool
// result) for each row and adds itself to changes.
const witness = `
said, rows, only = {}, [0, 0], None  # only: of the conversations of an episode, in their order, the one that is trained

def listen(module):
    sample = module.sample
    def listening(model, messages, *rest):
        sample(model, messages, *rest)
        for m in messages:
            conversations = said.setdefault(m.call_id.rpartition(".")[0], [])  # of an attempt at an episode
            known = next((c for c in conversations if m.prompt[:len(c[0])] == c[0]), None)
            if known is None:
                conversations.append(known := [[], []])
            known[0], known[1] = m.prompt + m.ids, known[1] + m.ids
    module.sample = listening

def check(counted):
    whole = {tuple(c[1]) for all in said.values() for n, c in enumerate(all) if only is None or n == only}
    for ids, with_tools in counted:
        if not ids:
            continue  # the row of an episode that trains nothing is not counted
        assert tuple(ids) in whole, f"the loss counts {ids}, which were not sampled"
        rows[0] += 1
        rows[1] += with_tools
    print(f"witness: {rows[0]} rows, {rows[1]} with tool results", flush=True)

changes = {"awhost_bridge.hf.sampler": listen}
`

// shifted is an error that the witness must detect.
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

// FindsPolicyFaults checks that the run reports faults of the policy that samples. lora makes the adapter train LoRA.
func (a Adapter) FindsPolicyFaults(t *testing.T, lora func(t *testing.T, spec string)) {
	const sampler, mask = "awhost_bridge.hf.sampler", "changes = {}\n" + shifted
	run := func(t *testing.T, fault string, change func(dir string)) string {
		dir := a.Prepare(t)
		change(dir)
		if fault == realtest.LoRAOff {
			lora(t, filepath.Join(dir, "train.hcl"))
		}
		run := a.Start(t, dir, "steps=3", "prompts=8", "micro_batch=64")
		if fault == realtest.BaseResume {
			run.UntilStep(2)
			for _, pid := range Trainers(t, dir) {
				realtest.Kill(t, pid)
			}
		}
		finished := run.Wait()
		Done(t, finished, "completed", 3)
		return filepath.Join(dir, finished.Dir)
	}
	realtest.FindsPolicyFaults(t, a.Record, sampler, mask, run)
}

// watched prepares a directory in which Python code changes modules in the trainer process: see realtest.Mutant.
func (a Adapter) watched(t *testing.T, code string) (dir string) {
	t.Helper()
	dir = a.Prepare(t)
	env := fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", realtest.Mutant(t, code))
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  checkpoint {", env)
	return dir
}

// LossCountsWhatWasSampled checks that the loss counts exactly the sampled tokens. A policy learns even with a wrong
// mask, only less, so a rising reward proves nothing. The reported tokens must equal those in the loss: judge calls saw
// with the columns of each row, in the form that realtest.CheckTokens reads.
func (a Adapter) LossCountsWhatWasSampled(t *testing.T, judge string) (dir string, finished realtest.Finished) {
	given := filepath.Join(t.TempDir(), "rows")
	dir = a.watched(t, realtest.SawPython(given)+witness+judge)
	const before = "  patience = var.patience\n"
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), before, before+"  tokens_every = 2\n")
	finished = a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	told := realtest.Tokens(t, filepath.Join(dir, finished.Dir))
	realtest.CheckTokens(t, told, given)
	checkGroup(t, dir, told)
	var rows, withTools int
	for line := range strings.Lines(a.TrainerLog(t, dir)) {
		// Other lines do not match and are ignored.
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools)
	}
	if rows != 256 || withTools < 128 {
		t.Errorf("the witness saw %d rows, %d of them with tool results; want 256, most of them with tool "+
			"results", rows, withTools)
	}
	return dir, finished
}

// TrainsTheSame checks that two steps with changes to the framework's code count what was sampled, and that their
// weights equal the weights of two steps without changes.
func (a Adapter) TrainsTheSame(t *testing.T, judge, change string) (dir string) {
	realtest.Slow(t)
	undisturbed, want := a.LossCountsWhatWasSampled(t, judge)
	dir, finished := a.LossCountsWhatWasSampled(t, judge+change)
	checkSame(t, dir, finished, undisturbed, want)
	return dir
}

// TrainsOneMember checks that the loss counts the tokens of the trained member in a swarm, one row per episode.
func (a Adapter) TrainsOneMember(t *testing.T, judge string) {
	dir := a.watched(t, "def saw(**row): pass\n"+witness+judge+"only = 1 # the solver's\n")
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "agent      = agent.react.solver",
		"agent      = swarm.workflow.duo\n  trained    = [agent.react.solver]")
	realtest.Edit(t, spec, `reward "calculator" "shape" {}`, `agent "react" "planner" {
  environment = environment.calculator.desk
  max_turns   = 4
}
swarm "workflow" "duo" { members = [agent.react.planner, agent.react.solver] }

reward "calculator" "shape" {}`)
	finished := a.Start(t, dir, "steps=2", "prompt_tokens=128").Wait()
	Done(t, finished, "completed", 2)
	var rows, withTools int
	for line := range strings.Lines(a.TrainerLog(t, dir)) {
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools)
	}
	trained, others := chains(t, dir)
	if rows != trained || trained == 0 || others == 0 {
		t.Errorf("TRL's loss received %d rows, but the journal has %d trained chains and %d "+
			"others", rows, trained, others)
	}
	a.CheckSteps(t, filepath.Join(dir, finished.Dir), 2)
}

// TrainsOverHTTP checks the loss for an agent that can reach the policy only through a URL and a key. It counts one row
// for each conversation, which has several calls.
func (a Adapter) TrainsOverHTTP(t *testing.T, judge string) {
	dir := a.watched(t, "def saw(**row): pass\n"+witness+judge)
	realtest.PlaysOverHTTP(t, filepath.Join(dir, "train.hcl"), false)
	finished := a.Start(t, dir, "steps=2").Wait()
	Done(t, finished, "completed", 2)
	var rows, withTools int
	for line := range strings.Lines(a.TrainerLog(t, dir)) {
		_, _ = fmt.Sscanf(line, "witness: %d rows, %d with tool results", &rows, &withTools)
	}
	trained, others := chains(t, dir)
	t.Logf("%d rows, %d of them with tool results; %d trained chains", rows, withTools, trained)
	if rows != trained || trained == 0 || others != 0 || withTools == 0 {
		t.Errorf("%s's loss received %d rows, %d of them with tool results, but the journal has %d trained chains "+
			"and %d others",
			a.Title, rows, withTools, trained, others)
	}
	a.CheckSteps(t, filepath.Join(dir, finished.Dir), 2)
}

// TrainsConstrained trains two steps with an agent that restricts each message. The loss, which judge reports as in
// LossCountsWhatWasSampled, must not count tokens that a grammar forces.
func (a Adapter) TrainsConstrained(t *testing.T, judge string) {
	given := filepath.Join(t.TempDir(), "rows")
	dir := a.watched(t, realtest.SawPython(given)+"def check(rows): pass\nchanges = {}\n"+judge)
	realtest.PlaysConstrained(t, dir, "  patience = var.patience\n")
	finished := a.Start(t, dir, "steps=2", "prompts=2", "micro_batch=16", "response_tokens=480").Wait()
	Done(t, finished, "completed", 2)
	told := realtest.Tokens(t, filepath.Join(dir, finished.Dir))
	realtest.CheckTokens(t, told, given)
	realtest.CheckConstrained(t, told)
	for step, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
		if step > 0 {
			checkGap(t, step, values)
		}
	}
}

// chains counts the chains in counted training episodes, both trained ones and others.
func chains(t *testing.T, dir string) (trained, others int) {
	t.Helper()
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Slot     struct {
				Split string `json:"split"`
			} `json:"slot"`
			Chains []struct {
				Agent string `json:"agent"`
				Train bool   `json:"train"`
			} `json:"chains"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Standing != "COUNTED" || e.Slot.Split != "train" || e.Reward == nil {
			continue
		}
		for _, chain := range e.Chains {
			if chain.Train {
				trained++
			} else {
				others++
			}
		}
	}
	return trained, others
}

// WitnessFindsAShiftedMask checks that the witness can fail.
func (a Adapter) WitnessFindsAShiftedMask(t *testing.T, judge string) {
	realtest.Slow(t)
	finished := a.Start(t, a.watched(t, "def saw(**row): pass\n"+witness+judge+shifted), "steps=2").Wait()
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, "which were not sampled") {
		t.Errorf("outcome %s at step %d; want failed by the witness\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
}
