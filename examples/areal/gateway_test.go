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

// witness is Python code that prints the input of AReaL's trainer before processing. For each row it prints the
// reward, the number of tokens in the loss, and the number of other tokens with a log-probability.
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

// trained is a row: its reward and its number of sampled tokens.
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

// TestAReaL_AnAgentOverHTTPTrainsInAgentMode checks that an agent that reaches the policy only through a URL and a
// key also trains in agent mode. AReaL's own proxy must pass the episodes of the journal to the trainer, with their
// rewards and their number of sampled tokens.
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

// TestAReaL_AgentModeGivesUpEpisodesOfSeveralConversations checks that two conversations in an episode, which are two
// rows, are rejected: AReaL before 2.0 would compare samples of different prompts.
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

// journalled returns the counted training episodes as rows.
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

// witnessed returns the rows that the trainer received.
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

// rounded rounds the rewards of rows to the accuracy of single precision.
func rounded(rows []trained) []trained {
	for i := range rows {
		rows[i].Reward = float64(int(rows[i].Reward*1e5+0.5)) / 1e5
	}
	return rows
}
