package verl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
)

// verl counts the steps of a stage from 0, also where it goes on in the middle of one: the last step, the rows and the schedule
// of a resumed stage are those of the stage.
func TestSettle_AResumedStageIsAsLongAsTheStage(t *testing.T) {
	trees := os.Getenv("AWHOST_VERL_TREES")
	if trees == "" {
		t.Skip("SKIPPED: set AWHOST_VERL_TREES to folders in which verl is installed")
	}
	for _, tree := range strings.Split(trees, string(os.PathListSeparator)) {
		installed, err := settings.Find(tree)
		if err != nil {
			t.Fatal(err)
		}
		c := config{Engine: "vllm", Nodes: 1, GPUsPerNode: 1, Device: deviceCPU, ToolFormat: "hermes"}
		a := newAdapter(c, sdk.Setup{})
		steps, prompts, size := 8, 16, 8
		before, every := true, 4
		knobs := sdk.Knobs{Validate: sdk.ValidateKnobs{BeforeTrain: &before, Every: &every}, Steps: &steps, Batch: sdk.BatchKnobs{Prompts: &prompts, GroupSize: &size}, Algorithm: sdk.AlgorithmKnobs{Name: "grpo"}, Set: []string{"validate.before_train", "validate.every", "steps", "batch.prompts", "batch.group_size"}}
		for _, from := range []string{"", filepath.Join(t.TempDir(), "global_step_5")} {
			plan, problem := a.settle(installed, launchPlan{
				stage: "main", knobs: knobs, policy: json.RawMessage(`{"path":"/m"}`), data: sdk.DataSummary{TrainTasks: 700, ValidationTasks: 9}, dir: folder("/run"), checkpoints: "/run/c", resumeFrom: from,
			})
			if problem != nil {
				t.Fatal(problem)
			}
			if v, _ := plan.Value("trainer.val_before_train"); v != (from == "") {
				t.Errorf("verl %s from %q validates before the first step: %v", installed.Version, from, v)
			}
			if last, rows := plan.Int("trainer.total_training_steps"), trainRows(plan, sdk.TrainRequest{}); last != 8 || rows != 128 {
				t.Errorf("verl %s from %q: %d steps and %d rows; want 8 and 128", installed.Version, from, last, rows)
			}
		}
	}
}
