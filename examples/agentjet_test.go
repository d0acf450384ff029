package examples_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
	"github.com/awhost/awhost/internal/testlevel"
)

// workflowEpisode has the fields of an episode that the tests of AgentJet's workflows use.
type workflowEpisode struct {
	played
	Chains []struct {
		Agent string `json:"agent"`
		Train bool   `json:"train"`
	} `json:"chains"`
	Metadata struct {
		Form        string `json:"form"`
		FinalAnswer string `json:"final_answer"`
	} `json:"metadata"`
}

// playWorkflows applies examples/agentjet with the test's own files.
func playWorkflows(t *testing.T, steps int, files map[string]string, vars ...string) []workflowEpisode {
	t.Helper()
	python := realtest.Python(t, "AWHOST_AGENTSCOPE_PYTHON")
	dir := realtest.Copy(t, "examples/agentjet")
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--new", "--var", "tasks=tasks.jsonl", "--var", fmt.Sprint("steps=", steps)}
	for _, v := range append(vars, "venv="+filepath.Dir(filepath.Dir(python))) {
		args = append(args, "--var", v)
	}
	finished := realtest.Apply(t, dir, args...).Wait()
	stranger.Done(t, finished, "completed", steps)
	var out []workflowEpisode
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e workflowEpisode
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Outcome != "SCORED" && e.Outcome != "TRUNCATED" { // the policy has hardly learned to end
			t.Errorf("%s %s: %s: %s", e.Metadata.Form, e.ID, e.Outcome, e.Failure)
		}
		out = append(out, e)
	}
	return out
}

// everyForm runs each task with a different workflow of the example.
const everyForm = `
from ajet import Workflow
import workflows

FORMS = [workflows.Direct, workflows.Named, workflows.Client, workflows.Address, workflows.Team]

class Every(Workflow):
    async def execute(self, workflow_task, tuner):
        form = FORMS[workflow_task.task.metadata["form"]]
        if form is workflows.Team:
            tuner.lease.trainable = form().trainable_targets
        out = await form().execute(workflow_task, tuner)
        out.metadata["form"] = form.__name__
        return out
`

// TestAgentJet_EachFormOfTheTuner checks that AgentScope's model, OpenAI's client and a base URL use the same
// gateway, and that exactly the members in trainable_targets are trained.
func TestAgentJet_EachFormOfTheTuner(t *testing.T) {
	var tasks strings.Builder
	for form := range 5 {
		fmt.Fprintf(
			&tasks,
			"{\"id\":\"f%d\",\"prompt\":\"1%d+2=\",\"ground_truth\":\"%d\",\"form\":%d}\n",
			form,
			form,
			12+form,
			form,
		)
	}
	members := map[string]map[string]bool{
		"Direct": {"python.mine": true}, "Client": {"python.mine": true}, "Address": {"python.mine": true},
		"Named": {
			"python.mine/solver": true,
		}, "Team": {"python.mine/solver": true, "python.mine/untrained/planner": false},
	}
	got := map[string]int{}
	for _, e := range playWorkflows(t, 1, map[string]string{"tasks.jsonl": tasks.String(), "every.py": everyForm},
		"file=every.py", "workflow=Every", "imitation=40", "prompts=5") {
		got[e.Metadata.Form]++
		if e.Metrics["gateway/calls"] != float64(len(e.Seeds.Calls)) || e.Metrics["gateway/calls"] == 0 {
			t.Errorf("%s: %d messages on record, %v", e.Metadata.Form, len(e.Seeds.Calls), e.Metrics)
		}
		if want := float64(len([]rune(e.Metadata.FinalAnswer))); e.Metrics["agent/answer_length"] != want {
			t.Errorf("%s: log_metrics came to %v, want %g", e.Metadata.Form, e.Metrics, want)
		}
		trained := map[string]bool{}
		for _, c := range e.Chains {
			trained[c.Agent] = c.Train
		}
		if diff := cmp.Diff(members[e.Metadata.Form], trained); diff != "" {
			t.Errorf("%s: who is trained (-want +got):\n%s", e.Metadata.Form, diff)
		}
	}
	want := map[string]int{"Direct": 2, "Named": 2, "Client": 2, "Address": 2, "Team": 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("episodes by form (-want +got):\n%s", diff)
	}
}

// TestAgentJet_TheTutorialsWorkflow checks that the tutorial's own unchanged file, with AgentScope, trains for two
// steps.
func TestAgentJet_TheTutorialsWorkflow(t *testing.T) {
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with users/agentjet: the tutorial's own files are in it")
	}
	text, err := os.ReadFile(filepath.Join(data, "users/agentjet/workflow.py"))
	if err != nil {
		t.Fatal(err)
	}
	imitation := 1
	if testlevel.Slow() { // train until the policy calls the tool
		imitation = 60
	}
	tasks, demonstrations := sums(t, string(text))
	called := 0
	episodes := playWorkflows(t, 2, map[string]string{
		"workflow.py": string(text), "tasks.jsonl": tasks, "demos.jsonl": demonstrations,
	}, "file=workflow.py", "workflow=MathAgentWorkflow", "demonstrations=demos.jsonl", "context=768", "prompts=2",
		fmt.Sprint("imitation=", imitation))
	if len(episodes) != 8 {
		t.Errorf("%d episodes", len(episodes))
	}
	for _, e := range episodes {
		if e.Reward == nil || e.Metrics["gateway/calls"] != float64(len(e.Seeds.Calls)) {
			t.Errorf("%s: reward %v, %v", e.ID, e.Reward, e.Metrics)
		}
		transcript := fmt.Sprintf("%s", e.Transcripts)
		if !strings.Contains(transcript, "You are an agent specialized in solving math problems") {
			t.Errorf("%s: the prompt is not the workflow's: %s", e.ID, transcript)
		}
		if !strings.Contains(transcript, "<returncode>0</returncode>") {
			continue
		}
		if called++; len(e.Chains) != 1 {
			t.Errorf("%s: a tool was called, and the conversation is %d chains", e.ID, len(e.Chains))
		}
	}
	if called == 0 && testlevel.Slow() {
		t.Error("no episode has called the tool")
	}
}

var systemPrompt = regexp.MustCompile(`(?s)system_prompt = """(.*?)"""`)

// sums returns tasks, and demonstrations with a workflow's system prompt.
func sums(t *testing.T, workflow string) (tasks, demonstrations string) {
	t.Helper()
	found := systemPrompt.FindStringSubmatch(workflow)
	if found == nil {
		t.Fatal("the workflow has no system_prompt")
	}
	prompt := strings.ReplaceAll(found[1], `\\`, `\`)
	line := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	for i := range 16 {
		a, b := 11+5*i, 97-3*i
		question := fmt.Sprintf("%d+%d=", a, b)
		tasks += line(
			map[string]string{
				"id":       fmt.Sprint("t", i),
				"question": question,
				"answer":   fmt.Sprint("add\n#### ", a+b),
			},
		)
		demonstrations += line(map[string]any{"messages": []map[string]any{
			{"role": "system", "content": prompt}, {"role": "user", "content": question},
			{"role": "assistant", "tool_calls": []map[string]string{
				{
					"id":        "1",
					"name":      "execute_python_code",
					"arguments": fmt.Sprintf(`{"code": "print(%d+%d)"}`, a, b),
				},
			}},
			{
				"role":         "tool",
				"tool_call_id": "1",
				"content":      fmt.Sprintf("<returncode>0</returncode><stdout>%d\n</stdout><stderr></stderr>", a+b),
			},
			{"role": "assistant", "content": fmt.Sprintf(`\boxed{%d}`, a+b)},
		}})
	}
	return tasks, demonstrations
}
