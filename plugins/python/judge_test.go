package pythonplugin

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// boxJudge is a typical judge of AgentJet's users, with the imports of AgentJet's own judges.
const boxJudge = `
import re
from ajet.task_judge.base_judge import BaseJudge
from ajet.task_rollout.dashscope_llm_bridge import create_external_llm_fn
from ajet.workflow import WorkflowOutput, WorkflowTask

class score(BaseJudge):
    def compute_reward(self, workflow_task: WorkflowTask, workflow_output: WorkflowOutput) -> tuple:
        truth = workflow_task.task.metadata["answer"].split("####")[-1].strip()
        box = re.search(r"\\boxed\{([^}]*)\}", workflow_output.metadata["final_answer"])
        right = bool(box) and box.group(1) == truth
        return (1.0 if right else 0.0), right
`

// gsm8k returns an episode of a workflow whose task has a private answer.
func gsm8k(metadata string) sdk.ScoreItem {
	return sdk.ScoreItem{
		EpisodeID: "e1", Task: sdk.Task{
			ID: "t1", Public: json.RawMessage(`{"question":"48/2+48?"}`), Private: json.RawMessage(`{"answer":"so\n#### 72"}`),
		},
		Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: "48/2+48?"}, {Role: sdk.RoleAssistant, Content: "\\boxed{71}"},
		},
		Sampled: []int{1}, FinalAnswer: "\\boxed{71}", Metadata: json.RawMessage(metadata),
	}
}

func TestJudge_ScoresAsInAgentJet(t *testing.T) {
	t.Parallel()
	r := rewardOf(t, boxJudge, nil)
	yes, no := true, false
	for metadata, want := range map[string]sdk.Scored{
		// The workflow's own text must be used, and not awhost's conversion of it.
		`{"final_answer":"[{'text': '\\\\boxed{72}'}]"}`: {Score: 1, IsSuccess: &yes},
		`{}`: {Score: 0, IsSuccess: &no}, // of another agent: its answer is used
	} {
		if diff := cmp.Diff(want, scoreOne(t, r, gsm8k(metadata))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", metadata, diff)
		}
	}
}

// A judge must see the columns of the data under their original names, regardless of the dataset's mapping.
func TestJudge_ReadsTheColumnsOfTheData(t *testing.T) {
	t.Parallel()
	r := rewardOf(t, `
class score:
    def compute_reward(self, workflow_task, workflow_output):
        row = workflow_task.task.metadata
        assert row["question"] == row["prompt"] == "48/2+48?", row
        assert row["solution"] == row["ground_truth"] == "72" and row["level"] == 3, row
        assert row["metadata"] == {"reference": "why", "kept": 1} and "list" not in row, row
        return 1.0, True
`, nil)
	episode := gsm8k(`{}`)
	episode.Task = sdk.Task{
		ID: "t1", Public: json.RawMessage(`{"prompt":"48/2+48?","level":3,"metadata":{"kept":1},"first":"a"}`),
		Private: json.RawMessage(`{"ground_truth":"72","why":"why"}`),
		Columns: map[string]string{
			"prompt": "question", "ground_truth": "solution", "why": "metadata.reference", "first": "list.0",
		},
	}
	if got := scoreOne(t, r, episode); got.Failure != nil || got.Score != 1 {
		t.Errorf("got %+v, %+v", got, got.Failure)
	}
}

func TestJudge_HasAConfigAndMayBeAsync(t *testing.T) {
	t.Parallel()
	r := rewardOf(t, `
class score:
    def __init__(self, config):
        self.config = config

    async def compute_reward(self, workflow_task, workflow_output):
        assert workflow_task.task.main_query == "48/2+48?" and workflow_task.episode_uuid == "e1"
        return self.config.ajet.task_judge.weight * 2, None
`, map[string]any{"arguments": map[string]any{"ajet": map[string]any{"task_judge": map[string]any{"weight": 0.25}}}})
	if got := scoreOne(t, r, gsm8k(`{}`)); got.Failure != nil || got.Score != 0.5 || got.IsSuccess != nil {
		t.Errorf("got %+v", got)
	}
}

func TestJudge_Failures(t *testing.T) {
	t.Parallel()
	for returns, want := range map[string]string{
		"[1.0, 2.0], True":   "a list of 2 rewards",
		"1, True, 3":         "returned 3 values",
		"None, False":        "None",
		"self.config.x, 1":   "arguments = { x = … }",
		"float('nan'), True": "nan",
	} {
		r := rewardOf(
			t,
			"from ajet.task_judge.base_judge import BaseJudge\nclass score(BaseJudge):\n"+
				"    def compute_reward(self, a, b):\n        return "+returns+"\n",
			nil,
		)
		if got := scoreOne(t, r, gsm8k(`{}`)); got.Failure == nil || !strings.Contains(got.Failure.Detail, want) {
			t.Errorf("%s: got %+v", returns, got)
		}
	}
	for name, c := range map[string]struct {
		code   string
		config map[string]any
		want   string
	}{
		"a judge of batches": {boxJudge, map[string]any{"batch": 4}, "leave batch out"},
		"other parameters": {
			"class score:\n    def compute_reward(self, task):\n        pass\n", nil,
			"compute_reward(workflow_task, workflow_output)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := refused(t, map[string]string{"rewards.py": c.code}, c.config)
			expect(t, "diagnostic", got.Summary+"\n"+got.Detail, c.want)
		})
	}
}
