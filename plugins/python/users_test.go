package pythonplugin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// usersFile returns a file written for another system.
func usersFile(t *testing.T, name string) string {
	t.Helper()
	needPython(t)
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED, no user's own file was run: set AWHOST_TESTDATA to the directory that holds users/" + name)
	}
	return filepath.Join(root, "users", filepath.FromSlash(name))
}

// EnvTuning's functions take verl's reward_scores, which contain the environment's turn rewards: -1 for a correct
// call, -2 for a wrong one, -3 for a wrong format, 0 or 1 at the end of a user's turn.
func TestUsers_EnvTuning(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]sdk.Scored{
		"bfcl_reward.py": {Score: 0.5, Components: map[string]float64{"total_interaction_rounds": 8, "format_reward": 0.875,
			"tool_call_reward": 0.75, "is_tool_call": 1}},
		"format_reward.py": {Score: 1.625, Components: map[string]float64{"progress": 0.5, "total_interaction_rounds": 8,
			"format_reward": 0.875, "tool_call_reward": 0.75, "is_tool_call": 1}},
	} {
		r := sdktest.Reward(t, Plugin(), "python", map[string]any{
			"file": usersFile(t, "envtuning/"+name), "name": "compute_score",
			"components": []string{"format_reward", "is_tool_call"}, "venv": t.TempDir(),
		})
		got := scoreOne(t, r, sdk.ScoreItem{
			Task: sdk.Task{ID: "t", Public: json.RawMessage(`{}`),
				Private: json.RawMessage(`{"ground_truth":[["cd(folder='a')"],["ls()","pwd()"]]}`)},
			TurnRewards: []float64{-1, 1, -1, -2, -3, 0, -1, 0.25},
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// AWorld's function imports AWorld. Without it, the diagnostic must name the missing module and its location.
func TestUsers_AWorldWithoutAWorld(t *testing.T) {
	t.Parallel()
	file := usersFile(t, "aworld/gaia_reward_function.py")
	got := refused(t, map[string]string{"rewards.py": ""}, map[string]any{"file": file, "name": "gaia_reward_func"})
	if got.Summary != "Missing Python module" || got.Path[0] != "file" {
		t.Errorf("%+v", got)
	}
	expect(t, "detail", got.Detail, "module aworld.logs.util is not installed in /",
		"install it there, or point `python` at the right environment", file+":4: from aworld.logs.util import logger")
}
