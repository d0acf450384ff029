package ajet_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/ajet"
)

// tutorial is the configuration of AgentJet's tutorial, as users have it.
func tutorial(t *testing.T) []byte {
	t.Helper()
	dir := os.Getenv("AWHOST_TESTDATA")
	if dir == "" {
		t.Skip("SKIPPED, AgentJet's own tutorial is not read: set AWHOST_TESTDATA to the reference data")
	}
	text, err := os.ReadFile(filepath.Join(dir, "users", "agentjet", "math_agent.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestEachKeyOfTheTutorialIsAccountedFor(t *testing.T) {
	spec, err := ajet.Import("math_agent.yaml", tutorial(t), ajet.Options{Adapter: "verl"})
	if err != nil {
		t.Fatal(err)
	}
	carried := 0
	for _, key := range spec.Keys {
		switch {
		case key.To != "":
			carried++
		case key.Why == "":
			t.Errorf("line %d: nothing is said of %s", key.Line, key.Key)
		case strings.Contains(key.Why, "no such key"):
			t.Errorf("line %d: %s is not known", key.Line, key.Key)
		}
	}
	if len(spec.Keys) != 28 || carried != 20 {
		t.Errorf("%d of %d keys are carried, want 20 of 28", carried, len(spec.Keys))
	}
}

// The keys of AgentJet's default configuration, counted by group.
func TestEachKeyOfTheDefaultsIsInTheTable(t *testing.T) {
	groups := map[string]int{}
	for i, key := range ajet.Keys {
		if key.To == "" && key.Why == "" {
			t.Errorf("nothing is said of %s", key.Path)
		}
		if slices.ContainsFunc(ajet.Keys[:i], func(k ajet.Key) bool { return k.Path == key.Path }) {
			t.Errorf("%s is there twice", key.Path)
		}
		group := strings.Split(strings.TrimPrefix(key.Path, "ajet."), ".")[0]
		groups[group]++
	}
	for group, fewest := range map[string]int{
		"project_name": 1, "experiment_name": 1, "experiment_dir": 1, "backbone": 1, "model": 1, "data": 3, "rollout": 25,
		"task_reader": 12, "task_judge": 5, "context_tracker": 8, "debug": 5, "trainer_common": 36, "lora": 1,
		"interchange_server": 1, "task_runner": 1,
	} {
		if groups[group] < fewest {
			t.Errorf("%s: %d keys, want at least %d", group, groups[group], fewest)
		}
	}
}

const small = `
ajet:
  project_name: "my agent"
  task_reader: {type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}
  rollout:
    user_workflow: "agents/math.py->Solver"
    num_repeat: 6
  task_judge: {judge_protocol: "judges.py->MathAnswerAsJudge"}
`

func TestImport(t *testing.T) {
	for name, test := range map[string]struct {
		change [2]string // in the small configuration
		want   []string  // in the spec; in the error where one begins with !
		absent string
	}{
		"values and defaults": {want: []string{
			`train "my_agent"`, "group_size = 6", "prompts    = var.prompts", "default     = 32", "temperature = 0.9",
			"steps       = var.steps", "epochs      = var.steps == null ? 50 : null",
			"every = 20", "kl = 0.002", "reward  = -1",
			`repo   = var.data`, `default     = "openai/gsm8k"`, `split  = "validation"`, "message_tokens  = 4080",
		}},
		"a judge of one's own, whatever it is called": {
			want: []string{`reward "python" "judge"`, `file = "judges.py"`, `name = "MathAnswerAsJudge"`},
		},
		"AgentJet's judge": {
			change: [2]string{"judges.py->", "tutorial.example_math_agent.math_answer_as_judge->"},
			want: []string{
				`reward "math" "judge"`, `mode = "exact"`,
				"try(agent.python.workflow.reward, reward.math.judge.score)",
			},
			absent: `reward "python"`,
		},
		"a workflow in a module": {
			change: [2]string{"agents/math.py", "agents.math"},
			want:   []string{`file      = "agents/math.py"`},
		},
		"no checks": {
			change: [2]string{"    num_repeat: 6", "    compute_madness_checklist: []"},
			absent: "checks",
		},
		"a check that goes on": {
			change: [2]string{"    num_repeat: 6", "    agent_madness_termination: false"},
			want:   []string{`then    = "count"`},
		},
		"steps": {
			change: [2]string{"  rollout:", "  trainer_common: {total_training_steps: 7}\n  rollout:"},
			want:   []string{"default     = 7", "steps       = var.steps"}, absent: "epochs",
		},
		"mini batches": {
			change: [2]string{"  rollout:", "  trainer_common: {mini_batch_num: 4}\n  rollout:"},
			want:   []string{"size = max(1, floor(var.prompts * 6 / 4))"},
		},
		"tracking": {
			change: [2]string{"  rollout:", "  trainer_common: {logger: swanlab}\n  rollout:"},
			want:   []string{"swanlab = true", `project = "my agent"`},
		},
		"a file of rows": {
			change: [2]string{
				"{type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}",
				"{type: jsonl_dataset_file, jsonl_dataset_file: {training: {file_path: a.jsonl}}}",
			},
			want: []string{`dataset "jsonl" "train"`, `prompt = "main_query"`}, absent: "validate",
		},
		"an older root": {change: [2]string{"ajet:", "astuner:"}, want: []string{"group_size = 6"}},
		"text that would be code": {
			change: [2]string{"agents/math.py", "${x}/math.py"},
			want:   []string{`"$${x}/math.py"`},
		},
		"a value of another type": {
			change: [2]string{"num_repeat: 6", "num_repeat: many"},
			want:   []string{`!math.yaml:7: ajet.rollout.num_repeat = "many"`},
		},
		"an unknown check": {
			change: [2]string{"    num_repeat: 6", "    compute_madness_checklist: [sense]"},
			want:   []string{`!"sense": awhost has no such check`},
		},
		"another estimator": {
			change: [2]string{"  rollout:", "  trainer_common: {algorithm: {adv_estimator: gae}}\n  rollout:"},
			want:   []string{`!ajet.trainer_common.algorithm.adv_estimator = "gae": awhost has grpo`},
		},
		"a workflow without a class": {change: [2]string{"math.py->Solver", "math.py"}, want: []string{"!file.py->Class"}},
		"AgentJet's service": {
			change: [2]string{
				"{type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}",
				"{type: env_service, env_service: {env_type: webshop, env_url: \"http://10.0.0.1:80\", training_split: t}}",
			},
			want: []string{
				`environment "env_service" "world"`, `= "webshop"`, `default     = "http://10.0.0.1:80"`,
				`train_split      = "t"`, `validation_split = "dev"`, `dataset "environment" "train"`,
				`dataset "environment" "validation"`, "pin         = true", `= environment.env_service.world`,
			},
			absent: "huggingface",
		},
		"the judge of AgentJet's service": {
			change: [2]string{
				"{type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}\n  rollout:\n    " +
					"user_workflow: \"agents/math.py->Solver\"\n    num_repeat: 6\n  task_judge: {judge_protocol: " +
					"\"judges.py->MathAnswerAsJudge\"}",
				"{type: env_service}\n  rollout:\n    user_workflow: \"agents/math.py->Solver\"",
			},
			want: []string{
				`reward "environment_state" "judge"`, `number = "evaluation"`,
				"try(agent.python.workflow.reward, reward.environment_state.judge.score >= 1 ? " +
					"1 + 0.5 * reward.environment_state.judge.score : 0.5 * reward.environment_state.judge.score)",
				"try(agent.python.workflow.is_success, reward.environment_state.judge.score >= 1)",
			},
		},
		"no judge, and no service to ask": {
			change: [2]string{"  task_judge: {judge_protocol: \"judges.py->MathAnswerAsJudge\"}", ""},
			want:   []string{"= agent.python.workflow.reward\n"}, absent: "success",
		},
		"the service's judge without the service": {
			change: [2]string{"judges.py->MathAnswerAsJudge", "ajet.task_judge.env_service_as_judge->EnvServiceJudge"},
			want:   []string{"!math.yaml:8: ajet.task_judge.judge_protocol", "!and task_reader.type chooses none"},
		},
		"no workflow": {
			change: [2]string{"user_workflow", "workflow"},
			want:   []string{"!ajet.rollout.user_workflow is missing"},
		},
		"another YAML": {change: [2]string{"ajet:", "verl:"}, want: []string{"!no key ajet"}},
		"no YAML":      {change: [2]string{"ajet:", "ajet: {"}, want: []string{"!correct the YAML"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := small
			if test.change[0] != "" {
				if text = strings.Replace(small, test.change[0], test.change[1], 1); text == small {
					t.Fatal("the change changes nothing")
				}
			}
			spec, err := ajet.Import("math.yaml", []byte(text), ajet.Options{Adapter: "verl"})
			for _, want := range test.want {
				if want, wrong := strings.CutPrefix(want, "!"); wrong {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q", err, want)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(spec.Text), want) {
					t.Errorf("want %q in\n%s", want, spec.Text)
				}
			}
			if err == nil && test.absent != "" && strings.Contains(string(spec.Text), test.absent) {
				t.Errorf("do not want %q in\n%s", test.absent, spec.Text)
			}
		})
	}
}

// A key that nobody knows is named, with its line.
func TestUnknownKeysAreNamed(t *testing.T) {
	spec, err := ajet.Import("math.yaml", []byte(small+"  rolout: {num_repeat: 3}\n"), ajet.Options{Adapter: "local"})
	if err != nil {
		t.Fatal(err)
	}
	last := spec.Keys[len(spec.Keys)-1]
	if last.Key != "ajet.rolout.num_repeat" || last.Line != 9 || last.To != "" ||
		!strings.Contains(last.Why, "no such key") {
		t.Errorf("%+v", last)
	}
}

var update = flag.Bool("update", false, "write the table of keys to docs/agentjet.md")

//go:generate go test -count=1 -run ^TestDocumentation$ . -update

// The documentation has the table.
func TestDocumentation(t *testing.T) {
	const path = "../../docs/agentjet.md"
	const begin, end = "<!-- begin keys: go generate ./host/ajet -->\n", "<!-- end keys -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/agentjet.md has no place for the table of keys")
	}
	want := before + begin + ajet.Markdown() + end + after
	if *update {
		err = os.WriteFile(path, []byte(want), 0o644)
	} else if want != string(page) {
		t.Error("docs/agentjet.md does not have the table of keys: go generate ./host/ajet")
	}
	if err != nil {
		t.Fatal(err)
	}
}
