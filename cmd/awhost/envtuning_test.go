package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	bfclenv "github.com/awhost/awhost/plugins/bfcl-env"
	pythonplugin "github.com/awhost/awhost/plugins/python"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// episode is a recorded episode of EnvTuning.
type episode struct {
	ID          string    `json:"id"`
	TurnRewards []float64 `json:"user_turn_rewards"`
}

// recordedEpisodes returns the episodes of the test data.
func recordedEpisodes(t *testing.T, root string) []episode {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "reference", "bfcl", "golden", "episodes_et.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 64<<20)
	var out []episode
	for lines.Scan() {
		var e episode
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	if lines.Err() != nil || len(out) == 0 {
		t.Fatalf("%d episodes are recorded: %v", len(out), lines.Err())
	}
	return out
}

// item returns the rewards' input for an episode: its turn rewards, which the environment's state also contains.
func (e episode) item(t *testing.T, n int) sdk.ScoreItem {
	t.Helper()
	state, err := json.Marshal(map[string]any{"entry": e.ID, "scores": e.TurnRewards, "reference": true})
	if err != nil {
		t.Fatal(err)
	}
	return sdk.ScoreItem{
		EpisodeID: fmt.Sprint(n), Task: sdk.Task{ID: e.ID, Public: json.RawMessage(`{}`),
			Private: json.RawMessage(`{"ground_truth": []}`)},
		TurnRewards: e.TurnRewards, State: state,
	}
}

// EnvTuning's own reward files, run unchanged by reward "python", must agree with the environment's rewards on every
// recorded episode.
func TestEnvTuning_ItsOwnRewardsAgree(t *testing.T) {
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED, EnvTuning's own rewards were not run: set AWHOST_TESTDATA to the directory with reference/bfcl and users/envtuning")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED, EnvTuning's own rewards were not run: there is no python3")
	}
	episodes := recordedEpisodes(t, root)
	for file, typ := range map[string]string{"format_reward.py": "bfcl_format", "bfcl_reward.py": "bfcl_progress"} {
		t.Run(typ, func(t *testing.T) {
			ours := sdktest.Reward(t, bfclenv.Plugin(), typ, nil)
			theirs := sdktest.Reward(t, pythonplugin.Plugin(), "python", map[string]any{
				"file": filepath.Join(root, "users", "envtuning", file), "name": "compute_score",
				"components": []string{"format_reward", "tool_call_reward", "is_tool_call", "total_interaction_rounds"},
				"venv":       t.TempDir(),
			})
			compared := 0
			for from := 0; from < len(episodes); from += 100 {
				var items []sdk.ScoreItem
				for n, e := range episodes[from:min(from+100, len(episodes))] {
					items = append(items, e.item(t, from+n))
				}
				want, got := scores(t, theirs, items), scores(t, ours, items)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("episodes from %d (-%s +%s):\n%s", from, file, typ, diff)
				}
				compared += len(items)
			}
			t.Logf("%d episodes compared", compared)
		})
	}
}

// scores returns a reward's scores of episodes, reduced to the fields that both sides return.
func scores(t *testing.T, r sdk.Reward, items []sdk.ScoreItem) []sdk.Scored {
	t.Helper()
	answer, err := r.Score(t.Context(), sdk.ScoreRequest{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range answer.Items {
		if one.Failure != nil {
			t.Fatalf("%s: %s", items[i].Task.ID, one.Failure.Detail)
		}
		answer.Items[i] = sdk.Scored{Score: one.Score, Components: one.Components}
	}
	return answer.Items
}
