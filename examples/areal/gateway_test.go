package areal_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/realtest"
)

// witness tells what AReaL's trainer is given, before it makes anything of it: of each row the reward, how many tokens
// the loss counts, and of how many others there is a log-probability.
const witness = `
import json

def change(module):
    advantages = module.PPOActor._compute_advantages
    def seen(self, data):
        for i, mask in enumerate(data["loss_mask"].bool()):
            logprobs = data["logprobs"][i]
            print("awhost-witness " + json.dumps({
                "reward": round(float(data["rewards"][i]), 6), "sampled": int(mask.sum()),
                "known": int((logprobs[mask] != 0).sum()), "stray": int((logprobs[~mask] != 0).sum())}), flush=True)
        return advantages(self, data)
    module.PPOActor._compute_advantages = seen

changes = {"areal.trainer.ppo.actor": change}
`

// trained is a row: its reward, and how many of its tokens were sampled.
type trained struct {
	Reward  float64
	Sampled int
}

func compareRows(a, b trained) int {
	switch {
	case a.Reward != b.Reward && a.Reward < b.Reward:
		return -1
	case a.Reward != b.Reward:
		return 1
	}
	return a.Sampled - b.Sampled
}

// An agent that knows the policy by a URL and a key alone trains in agent mode, too: what AReaL's own proxy hands to
// the trainer are the episodes of the journal, with their rewards, and with as many tokens in the loss as were sampled.
func TestAReaL_AnAgentOverHTTPTrainsInAgentMode(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	spec := filepath.Join(dir, "train.hcl")
	realtest.PlaysOverHTTP(t, spec, false)
	env := fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint {", realtest.Mutant(t, witness))
	realtest.Edit(t, spec, "  checkpoint {", env)
	finished := start(t, python, dir, "--var", "mode=agent", "--var", "prompts=8").WaitFor(longest)
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkTokens(t, runDir, 2)
	checkGone(t, runDir)
	want, got := journalled(t, dir), witnessed(t, runDir)
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 2*8*4 {
		t.Errorf("%d episodes of the journal (-) and %d rows of the trainer (+):\n%s", len(want), len(got), diff)
	}
}

// Two conversations in an episode are two rows, by which AReaL before 2.0 would compare samples of different prompts.
func TestAReaL_AgentModeGivesUpEpisodesOfSeveralConversations(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir := realtest.Copy(t, "examples/areal")
	realtest.PlaysOverHTTP(t, filepath.Join(dir, "train.hcl"), true)
	finished := start(t, python, dir, "--var", "mode=agent").WaitFor(longest)
	const why = "AReaL before 2.0 compares samples by counting rows"
	if finished.Outcome != "failed" || !strings.Contains(finished.Problems, why) {
		t.Errorf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
}

// journalled are the episodes that count, as rows.
func journalled(t *testing.T, dir string) (out []trained) {
	t.Helper()
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Tokens   int      `json:"output_tokens"`
			Slot     struct {
				Split string `json:"split"`
			} `json:"slot"`
			Chains []struct {
				Train bool `json:"train"`
			} `json:"chains"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Standing != "COUNTED" || e.Slot.Split != "train" || e.Reward == nil {
			continue
		}
		if len(e.Chains) != 1 || !e.Chains[0].Train {
			t.Errorf("an episode has the chains %+v", e.Chains)
		}
		out = append(out, trained{float64(float32(*e.Reward)), e.Tokens})
	}
	slices.SortFunc(out, compareRows)
	return rounded(out)
}

// witnessed are the rows that the trainer was given.
func witnessed(t *testing.T, runDir string) (out []trained) {
	t.Helper()
	for line := range strings.Lines(string(logs(t, runDir))) {
		_, text, found := strings.Cut(line, "awhost-witness ")
		if !found {
			continue
		}
		var row struct {
			Reward                float64
			Sampled, Known, Stray int
		}
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if row.Known != row.Sampled || row.Stray != 0 {
			t.Errorf("of %d sampled tokens %d have a log-probability, and %d others", row.Sampled, row.Known, row.Stray)
		}
		out = append(out, trained{row.Reward, row.Sampled})
	}
	slices.SortFunc(out, compareRows)
	return rounded(out)
}

// rounded are rows with rewards as far as single precision has them.
func rounded(rows []trained) []trained {
	for i := range rows {
		rows[i].Reward = float64(int(rows[i].Reward*1e5+0.5)) / 1e5
	}
	return rows
}
