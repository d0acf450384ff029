package importer_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/importer"
)

// tutorial returns the unmodified configuration of AgentJet's tutorial.
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
	spec, err := importer.Systems["ajet"].Import("math_agent.yaml", tutorial(t), importer.Options{Adapter: "verl"})
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
	for i, key := range ajetKeys {
		if key.To == "" && key.Why == "" {
			t.Errorf("nothing is said of %s", key.Path)
		}
		if slices.ContainsFunc(ajetKeys[:i], func(k importer.Key) bool { return k.Path == key.Path }) {
			t.Errorf("duplicate key %s", key.Path)
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

var ajetKeys = importer.Systems["ajet"].Keys

const small = `
ajet:
  project_name: "my agent"
  task_reader: {type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}
  rollout:
    user_workflow: "agents/math.py->Solver"
    num_repeat: 6
  task_judge: {judge_protocol: "judges.py->MathAnswerAsJudge"}
`

// aliases returns thirty lines of YAML, each of which contains the previous line twice.
func aliases(line string) string {
	text, before := "", "a0"
	for i := range 30 {
		name := fmt.Sprintf("a%d", i+1)
		text, before = text+fmt.Sprintf(name+": &"+name+" "+line+"\n", before), name
	}
	return "a0: &a0 {z: 1}\n" + text
}

func TestImport(t *testing.T) {
	for name, test := range map[string]struct {
		change [2]string // in the small configuration
		want   []string  // texts in the spec, or in the error if one begins with !
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
		"a check that continues": {
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
		"checks of which one is unknown": {
			change: [2]string{"num_repeat: 6", "compute_madness_checklist: [sense, wrong_toolcall]"},
			want:   []string{`profile = "ajet-2026-01"`, `find    = ["wrong_toolcall"]`},
		},
		"checks without the one of characters": {
			change: [2]string{"num_repeat: 6", "compute_madness_checklist: [nonsense, non_ascii]"},
			want:   []string{`profile = "awhost"`, `find    = ["nonsense"]`},
		},
		"another estimator": {
			change: [2]string{"  rollout:", "  trainer_common: {algorithm: {adv_estimator: gae}}\n  rollout:"},
			want:   []string{`algorithm "grpo"`, "# The configuration requires gae, which awhost does not support."},
		},
		"LoRA and a rate in verl's words": {
			change: [2]string{"ajet:", "actor_rollout_ref:\n  model: {lora_rank: 32, target_modules: all-linear}\n" +
				"  actor: {optim: {lr: 3e-5}}\najet:"},
			want: []string{"learning_rate = 0.00003", `"actor_rollout_ref.model.lora_rank"      = 32`,
				`"actor_rollout_ref.model.target_modules" = "all-linear"`},
		},
		"LoRA as later releases have it": {
			change: [2]string{"  rollout:", "  lora: {lora_rank: 8}\n  rollout:"},
			want:   []string{`"actor_rollout_ref.model.lora_rank" = 8`},
		},
		"environment variables": {
			change: [2]string{`"my agent"`, "${oc.env:AWHOST_NOT_SET,demo}\n  model: {path: \"${oc.env:AWHOST_NOT_SET}\"}"},
			want:   []string{`train "demo"`, "variable \"model\" {\n  type        = string\n  description"},
		},
		"an environment variable that is not set": {
			change: [2]string{"num_repeat: 6", "num_repeat: ${oc.env:AWHOST_NOT_SET}"},
			want:   []string{"!math.yaml:7: ajet.rollout.num_repeat", "!AWHOST_NOT_SET is not set: set it"},
		},
		"another key's value": {
			change: [2]string{"num_repeat: 6", "num_repeat: ${ajet.data.train_batch_size}\n  data: {train_batch_size: 5}"},
			want:   []string{"group_size = 5"},
		},
		"a logger, and a schedule, that awhost does not have": {
			change: [2]string{"  rollout:", "  trainer_common: {logger: trackio, optim: {lr_scheduler_type: wsd}}\n  rollout:"},
			want:   []string{"optimizer {"}, absent: "tracking",
		},
		"tasks that are numbers": {
			change: [2]string{
				"{type: huggingface_dat_repo, huggingface_dat_repo: {dataset_path: openai/gsm8k}}", "{type: random_dummy}",
			},
			want: []string{`dataset "command" "train"`, `[dummy task @ {i}]`, `dataset "command" "validation"`},
		},
		"AgentJet's judge of numbers": {
			change: [2]string{"judges.py->MathAnswerAsJudge", "tutorial.example_countdown.judge->CountdownAnswerAsJudge"},
			want:   []string{`compatibility = "reference"`, `prompt = "Empty"`},
		},
		"a reader that awhost does not have": {
			change: [2]string{"type: huggingface_dat_repo", "type: tracing"},
			want:   []string{`!unsupported reader "tracing"`},
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
			want:   []string{"!math.yaml:8: ajet.task_judge.judge_protocol", "!and task_reader.type selects none"},
		},
		"no workflow": {
			change: [2]string{"user_workflow", "workflow"},
			want:   []string{"!ajet.rollout.user_workflow is missing"},
		},
		"a merged key that another key replaces": {
			change: [2]string{"num_repeat: 6", "<<: {temperature: 0.4, val_kwargs: {top_k: 7}}\n    val_kwargs: {top_p: 0.5}"},
			want:   []string{"temperature = 0.4", "top_p       = 0.5"}, absent: "= 7",
		},
		"aliases of aliases": {
			change: [2]string{"ajet:", aliases("{x: *%[1]s, y: *%[1]s}") + "ajet:"}, want: []string{"!remove aliases"},
		},
		"merges of merges": {
			change: [2]string{"ajet:", aliases("{<<: [*%[1]s, *%[1]s]}") + "ajet:"}, want: []string{"!remove aliases"},
		},
		"a merge of itself":   {change: [2]string{"ajet:", "a: &a {<<: *a}\najet:"}, want: []string{"!remove aliases"}},
		"a merge of a number": {change: [2]string{"ajet:", "a: {<<: 3}\najet:"}, want: []string{"!math.yaml:2: << merges"}},
		"another YAML":        {change: [2]string{"ajet:", "verl:"}, want: []string{"!the key ajet is missing"}},
		"no YAML":             {change: [2]string{"ajet:", "ajet: {"}, want: []string{"!correct the YAML"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := small
			if test.change[0] != "" {
				if text = strings.Replace(small, test.change[0], test.change[1], 1); text == small {
					t.Fatal("the change changes nothing")
				}
			}
			spec, err := importer.Systems["ajet"].Import("math.yaml", []byte(text), importer.Options{Adapter: "verl"})
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

// A configuration is read with its bases and the files that it names, whose paths are relative to the spec.
func TestImport_ReadsTheFilesAround(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"team/base.yaml": "defaults: [older]\n" +
			"ajet: {rollout: {num_repeat: 3, temperature: 0.3}, data: {train_batch_size: 9}}\n",
		"team/older.yaml": "ajet: {rollout: {top_p: 0.5, temperature: 0.1}}\n",
		"agents/math.py": "class Solver:\n    async def execute(self, task, tuner):\n" +
			"        task.task.metadata[\"answer\"], tuner.config.ajet.rollout.num_repeat, tuner.config.lake.size\n",
		"judges.py": "class J:\n    def __init__(self, config):\n        self.weight = config.ajet.judge.weight\n" +
			"        self.model = getattr(self.config.ajet.task_judge, 'alien_llm_model', '')\n" +
			"        self.length = config.ajet.task_judge.alien_llm_response_length\n",
		"data/rows.jsonl": `{"task_id": "a", "main_query": "q", "metadata": {"answer": "1"}}`,
		"conf/math.yaml": `
defaults: [base, ajet_default, lost, _self_]
hydra: {searchpath: [file://team]}
lake: {size: ["%{4}", "http://${oc.env:LAKE_HOST,a}/x"]}
shared: &shared {temperature: 0.4, val_kwargs: {temperature: 0.2}}
ajet:
  judge: {weight: 0.5, key: "${oc.env:JUDGE_KEY}"}
  task_reader: {type: jsonl_dataset_file, jsonl_dataset_file: {training: {file_path: data/rows.jsonl}}}
  rollout: {<<: *shared, user_workflow: agents.math->Solver}
  task_judge: {judge_protocol: judges.py->J, alien_llm_model: m}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "conf/math.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	options := importer.Options{Adapter: "local", Dir: filepath.Join(dir, "out")}
	spec, err := importer.Systems["ajet"].Import(file, text, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"group_size = 3", "default     = 9", "temperature = 0.4", "top_p       = 0.5", "# Its base lost was not found",
		`path = "../data/rows.jsonl"`, `file    = "../agents/math.py"`, `file = "../judges.py"`,
		`ground_truth = "metadata.answer"`, `id           = "task_id"`, `private = ["metadata.answer"]`,
		`"weight" = 0.5`, `"alien_llm_model"           = "m"`, `"alien_llm_response_length" = 512`,
		`"size" = ["%%{4}", "http://${env("LAKE_HOST", "a")}/x"]`, `"num_repeat" = 3`,
	} {
		if !strings.Contains(string(spec.Text), want) {
			t.Errorf("want %q in\n%s", want, spec.Text)
		}
	}
	if strings.Contains(string(spec.Text), "JUDGE_KEY") {
		t.Error("the spec has a value that the judge does not read")
	}
	if spec.Keys[0].Value != "lost" || !strings.Contains(spec.Keys[0].Why, "no lost.yaml next to the file") {
		t.Errorf("the base that is missing is not named: %+v", spec.Keys[0])
	}
}

// Unknown keys are listed with their line.
func TestUnknownKeysAreNamed(t *testing.T) {
	text := []byte(small + "  rolout: {num_repeat: 3}\n")
	spec, err := importer.Systems["ajet"].Import("math.yaml", text, importer.Options{Adapter: "local"})
	if err != nil {
		t.Fatal(err)
	}
	last := spec.Keys[len(spec.Keys)-1]
	if last.Key != "ajet.rolout.num_repeat" || last.Line != 9 || last.To != "" ||
		!strings.Contains(last.Why, "no such key") {
		t.Errorf("%+v", last)
	}
}

var update = flag.Bool("update", false, "write the table of keys to KEYS.md")

//go:generate go test -count=1 -run "^(TestDocumentation|TestUsersFiles)$" . -update

// The documentation contains the tables.
func TestDocumentation(t *testing.T) {
	const path = "KEYS.md"
	const end = "<!-- end keys -->\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, system := range importer.Systems {
		begin := "<!-- begin keys of " + name + ": go generate ./host/importer -->\n"
		before, rest, found := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("KEYS.md has no place for the keys of %s", name)
		}
		want = before + begin + table(system.Keys) + end + after
	}
	if *update {
		err = os.WriteFile(path, []byte(want), 0o644)
	} else if want != string(page) {
		t.Error("KEYS.md does not have the tables of keys: go generate ./host/importer")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// table returns the table of the keys for the documentation. Keys that have no place in the spec for the same reason
// share a row.
func table(keys []importer.Key) string {
	type row struct {
		path, to, why string
		owned         bool
	}
	paths := map[row][]string{}
	var rows []row
	for _, key := range keys {
		r := row{to: key.To, why: key.Why, owned: key.Owned}
		if key.To != "" {
			r.path = key.Path
		}
		if paths[r] == nil {
			rows = append(rows, r)
		}
		paths[r] = append(paths[r], "`"+strings.TrimPrefix(key.Path, "ajet.")+"`")
	}
	var out strings.Builder
	out.WriteString("| key | where the spec has it | what is different, or why it is not there |\n|---|---|---|\n")
	for _, r := range rows {
		to := ""
		switch {
		case r.to != "":
			to = "`" + strings.ReplaceAll(r.to, ", ", "`, `") + "`"
		case r.owned:
			to = "*awhost*"
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", strings.Join(paths[r], ", "), to, strings.ReplaceAll(r.why, "|", `\|`))
	}
	return out.String()
}
