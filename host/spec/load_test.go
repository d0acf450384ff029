package spec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, path string, options spec.Options) *spec.Spec {
	t.Helper()
	options.Schemas = fakePlugins{}
	s, problems := spec.Load(path, options)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// golden unpacks the files of a golden case.
func golden(t testing.TB, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return write(t, files)
}

func TestLoad_QuickStart(t *testing.T) {
	dir := golden(t, "quickstart")
	s := load(t, filepath.Join(dir, "train.hcl"), spec.Options{Overrides: map[string]string{"trainer.nnodes": "1"}})
	train := s.Trains["quickstart"]
	if train == nil || len(train.Stages) != 2 {
		t.Fatalf("want a train block with two stages, got %+v", train)
	}
	full := train.Stages[1]
	if full.Name != "full" || full.Index != 1 || full.Dataset != "dataset.jsonl.train" ||
		full.Agent != "agent.react.solver" || full.AdvanceWhen != nil || train.Stages[0].AdvanceWhen == nil {
		t.Errorf("stage full: %+v", full)
	}
	if full.EpisodeTimeout != 5*time.Minute || full.Concurrency != 64 || train.MaxRestarts != 5 ||
		train.HostAbsenceTimeout != 10*time.Minute {
		t.Errorf("settings: %+v", full.Settings)
	}
	wantSet := []string{
		"seed", "steps", "concurrency", "batch.prompts", "batch.group_size", "optimizer.learning_rate", "optimizer.schedule",
		"optimizer.warmup_steps",
		"algorithm.name", "algorithm.clip_low", "algorithm.clip_high", "algorithm.kl", "sampling.temperature",
		"limits.response_tokens", "limits.overlong",
		"validate.every", "validate.before_train", "validate.samples", "validate.best_by", "checkpoint.every",
		"checkpoint.unit", "checkpoint.keep",
	}
	if diff := cmp.Diff(wantSet, full.Knobs.Set); diff != "" {
		t.Errorf("knobs that the user set (-want +got):\n%s", diff)
	}
	if k := full.Knobs; *k.Steps != 60 || *k.Batch.GroupSize != 8 || *k.Algorithm.ClipHigh != 0.28 ||
		*k.Optimizer.LearningRate != 1e-3 || k.Overrides["trainer.nnodes"] != "1" || k.Sampling.TopP != nil {
		t.Errorf("knobs: %+v", k)
	}
	wantPolicy := spec.FailurePolicy{Actions: []sdk.FailureAction{sdk.ActionRetry, sdk.ActionDropSample, sdk.ActionMask},
		Budget: 3, Set: true}
	if diff := cmp.Diff(wantPolicy, full.OnFailure[sdk.FailureEnvironment]); diff != "" {
		t.Errorf("on_failure (-want +got):\n%s", diff)
	}
	for path, line := range map[string]int{"algorithm.kl": 69, "batch.prompts": 58, "validate.samples": 79, "steps": 54,
		"tracking": 106} {
		if got := full.At(strings.Split(path, ".")...).Start.Line; got != line {
			t.Errorf("%s: got line %d, want %d", path, line, got)
		}
	}
	var config struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(s.Blocks["dataset.jsonl.train"].Config, &config); err != nil ||
		config.Path != filepath.Join(s.Dir, "data/arithmetic.train.jsonl") {
		t.Errorf("the path of a dataset is absolute: %s, %v", config.Path, err)
	}
	want := []string{"adapter.local.grpo", "agent.react.solver", "dataset.jsonl.demonstrations", "dataset.jsonl.format",
		"dataset.jsonl.held_out",
		"dataset.jsonl.train", "environment.calculator.desk", "reward.format.tags", "reward.gaia.answer"}
	if diff := cmp.Diff(want, s.Reachable("quickstart")); diff != "" {
		t.Errorf("reachable blocks (-want +got):\n%s", diff)
	}
}

// A flag is idle if it sets the value that the variable has anyway, unless the environment sets another one.
func TestLoad_TellsIdleFlags(t *testing.T) {
	path := filepath.Join(golden(t, "quickstart"), "train.hcl")
	idle := func(environ map[string]string, value string) bool {
		s := load(t, path, spec.Options{
			Vars:    map[string]string{"steps": value},
			Environ: func(name string) (string, bool) { v, ok := environ[name]; return v, ok },
		})
		i := slices.IndexFunc(s.Variables, func(v spec.Variable) bool { return v.Name == "steps" })
		return s.Variables[i].Idle
	}
	if !idle(nil, "60") || idle(nil, "61") || idle(map[string]string{"AWHOST_VAR_steps": "61"}, "60") {
		t.Error("a value equal to the default of 60 must be idle, and no other value")
	}
}

func TestLoad_SecretsReachThePluginOnly(t *testing.T) {
	environ := map[string]string{"TOKEN": "canary-1234", "URL": "http://canary-host"}
	s := load(t, golden(t, "secrets"), spec.Options{
		Environ: func(name string) (string, bool) { v, ok := environ[name]; return v, ok },
		Vars:    map[string]string{"key": "canary-5678"},
	})
	block := s.Blocks["environment.mcp.gaia"]
	if !bytes.Contains(block.Config, []byte("Bearer canary-1234")) ||
		!bytes.Contains(block.Config, []byte("CANARY-1234")) {
		t.Errorf("want secrets in the plugin's configuration, got %s", block.Config)
	}
	stored := string(block.Redacted()) + string(s.Resolved()) + string(s.Identity("x"))
	for _, v := range s.Variables {
		stored += string(v.Value)
	}
	if strings.Contains(strings.ToLower(stored), "canary") || strings.Contains(stored, "written-out") {
		t.Errorf("stored secret: %s", stored)
	}
	redacted := s.Diagnose(block.Places, []string{"server", "s", "headers"},
		diag.Diagnostic{Severity: diag.Error, Summary: "cannot use canary-1234", Detail: "canary-5678"})
	if strings.Contains(redacted.Error(), "canary") {
		t.Errorf("secret in a diagnostic: %v", redacted)
	}
	if diff := cmp.Diff([]string{"TOKEN", "UNSET", "URL"}, s.Env); diff != "" {
		t.Errorf("environment variables that the spec reads (-want +got):\n%s", diff)
	}
	for _, want := range []string{"canary-1234", "canary-5678", "written-out"} {
		if !contains(s.Secrets(), want) {
			t.Errorf("the log redactor's secrets do not include %q: %q", want, s.Secrets())
		}
	}
}

func contains(list []string, want string) bool {
	for _, item := range list {
		if item == want {
			return true
		}
	}
	return false
}

func TestSpec_FromPluginPointsAtTheAttribute(t *testing.T) {
	dir := write(t, map[string]string{"train.hcl": "environment \"mcp\" \"x\" {\n  server \"a\" {\n    url     = \"u\"\n    headers = { A = \"b\" }\n  }\n}\n"})
	t.Chdir(dir)
	s := load(t, "train.hcl", spec.Options{})
	b := s.Blocks["environment.mcp.x"]
	for _, tc := range []struct {
		path []string
		want string
	}{
		{[]string{"server", "a", "url"}, "train.hcl:3:15"},
		{[]string{"server", "a", "headers", "A"}, "train.hcl:4:21"},
		{[]string{"server", "a", "headers", "B"}, "train.hcl:4:15"},
		{[]string{"server", "a", "timeout"}, "train.hcl:2:3"},
		{[]string{"start"}, "train.hcl:1:1"},
		{nil, "train.hcl:1:1"},
	} {
		got := s.FromPlugin(b.Places, "mcp", []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "S", Detail: "D",
			Path: tc.path}})
		if len(got) != 1 || got[0].Range.String() != tc.want || got[0].Snippet == nil ||
			got[0].Address != "environment.mcp.x" || got[0].Plugin != "mcp" {
			t.Errorf("%v: got %+v, want %s", tc.path, got, tc.want)
		}
	}
	if !b.Wrote("server", "a", "url") || b.Wrote("server", "a", "timeout") {
		t.Error("written values and defaults cannot be distinguished")
	}
}

const small = `
variable "n" { default = 1 }
variable "workers" { default = 8 }
dataset "jsonl" "a" { path = "a.jsonl" }
dataset "jsonl" "unused" { path = "a.jsonl" }
environment "calculator" "desk" {
  max_sessions = 3
}
agent "react" "solver" { environment = environment.calculator.desk }
reward "gaia" "answer" {}
adapter "local" "x" {}
locals { weight = 0.5 }
train "x" {
  agent       = agent.react.solver
  dataset     = dataset.jsonl.a
  adapter     = adapter.local.x
  reward      = local.weight * reward.gaia.answer * var.n
  steps       = 5
  concurrency = var.workers
  checkpoint { keep = 2 }
}
`

func TestSpec_IdentityIsWhatTheRunDependsOn(t *testing.T) {
	identity := func(text string, vars map[string]string) string {
		return string(load(t, write(t, map[string]string{"train.hcl": text, "a.jsonl": ""}),
			spec.Options{Vars: vars}).Identity("x"))
	}
	base := identity(small, nil)
	replace := func(old, replacement string) string {
		if !strings.Contains(small, old) {
			t.Fatalf("%q is not in the spec", old)
		}
		return strings.Replace(small, old, replacement, 1)
	}
	for name, same := range map[string]string{
		"layout and comments":   strings.ReplaceAll(small, " = ", "  =  ") + "# a comment\n",
		"a default written out": replace("steps       = 5", "steps       = 5\n seed = 1"),
		"concurrency":           replace("concurrency = var.workers", "concurrency = 2"),
		"kept checkpoints":      replace("keep = 2", "keep = 9"),
		"a plugin's own":        replace("max_sessions = 3", "max_sessions = 4"),
		"its address tracked": replace("checkpoint { keep = 2 }",
			"checkpoint { keep = 2 }\n tracking {\n mlflow = true\n python = \"python3\"\n }"),
		"an unused block": replace(`dataset "jsonl" "unused" { path = "a.jsonl" }`, ""),
	} {
		if got := identity(same, nil); got != base {
			t.Errorf("%s changes the identity:\n%s", name, cmp.Diff(base, got))
		}
	}
	if identity(small, map[string]string{"workers": "9"}) != base {
		t.Error("a variable that only feeds concurrency changes the identity")
	}
	for name, other := range map[string]string{
		"steps":                      replace("steps       = 5", "steps       = 6"),
		"an environment's attribute": replace("max_sessions = 3", "max_turns = 3"),
		"a local in the reward":      replace("weight = 0.5", "weight = 0.6"),
		"the reward":                 replace("local.weight * reward", "2 * local.weight * reward"),
	} {
		if identity(other, nil) == base {
			t.Errorf("%s does not change the identity", name)
		}
	}
	if identity(small, map[string]string{"n": "2"}) == base {
		t.Error("a variable in the reward does not change the identity")
	}
}

func TestOutput_Eval(t *testing.T) {
	dir := write(t, map[string]string{"train.hcl": small + `
output "where" { value = "${train.x.checkpoint}/model.safetensors" }
output "rate" { value = train.x.metrics["validation/success_rate"] }
output "secret" {
  value     = "Bearer ${env("TOKEN")}"
  sensitive = true
}
`, "a.jsonl": ""})
	s := load(t, dir, spec.Options{Environ: func(name string) (string, bool) { return "canary-123", name == "TOKEN" }})
	results := map[string]spec.Result{"x": {Run: "x-1", Checkpoint: "/runs/x-1/5", Steps: 5,
		Metrics: map[string]float64{"validation/success_rate": 0.93}}}
	want := map[string]string{"where": `"/runs/x-1/5/model.safetensors"`, "rate": "0.93",
		"secret": `{"$secret":"env:TOKEN"}`}
	for _, o := range s.Outputs {
		got, err := o.Eval(results)
		if err != nil || string(got) != want[o.Name] {
			t.Errorf("%s: got %s, %v; want %s", o.Name, got, err, want[o.Name])
		}
	}
	if _, err := s.Outputs[0].Eval(nil); err == nil {
		t.Error("want no output value for an unfinished run")
	}
}

func TestLoad_WithValuesLater(t *testing.T) {
	given := `
variable "rate" { type = number }
locals { secret = "Bearer ${env("TOKEN_OF_A_LOCAL")}" }
environment "servers" "tools" {
  import = "mcp.json"
  server "web" {
    url     = "http://127.0.0.1:1/mcp"
    headers = { Authorization = local.secret }
  }
}
`
	for _, c := range []struct{ name, text, want string }{
		{"only missing values", given, ""},
		{"a default that is not a string", given + `locals { wrong = env("UNSET", [1]) }`, "the default must be a string"},
		{"too many arguments", given + `locals { wrong = env("UNSET", "a", "b") }`, "at most one default"},
		{"an invalid name", given + `locals { wrong = env([1]) }`, "Invalid function argument"},
		{"another function", given + `locals { wrong = file("absent") }`, "absent"},
		{"another problem", given + `environment "server" "typo" {}`, "server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, map[string]string{
				"train.hcl": c.text,
				"mcp.json":  `{"mcpServers": {"mail": {"command": "mail", "env": {"TOKEN": "${TOKEN_OF_A_FILE}"}}}}`,
			})
			options := spec.Options{Environ: func(string) (string, bool) { return "", false }, Schemas: fakePlugins{}}
			_, now := spec.Load(filepath.Join(dir, "train.hcl"), options)
			lacking := []string{"var.rate has no default", "TOKEN_OF_A_LOCAL is not set", "TOKEN_OF_A_FILE is not set"}
			for _, missing := range lacking {
				if !tell(now, missing) {
					t.Errorf("want a problem with %s, got %v", missing, now)
				}
			}
			options.ValuesLater = true
			s, later := spec.Load(filepath.Join(dir, "train.hcl"), options)
			switch {
			case c.want == "" && len(later) > 0:
				t.Errorf("got %v", later)
			case c.want != "" && (len(later) != 1 || !tell(later, c.want)):
				t.Errorf("want only %q, got %v", c.want, later)
			}
			if want := []string{"TOKEN_OF_A_FILE", "TOKEN_OF_A_LOCAL"}; !slices.Equal(s.Env, want) && c.want == "" {
				t.Errorf("the spec reads the environment variables %q, want %q", s.Env, want)
			}
		})
	}
}

func tell(problems diag.Diagnostics, text string) bool {
	return slices.ContainsFunc(problems, func(d diag.Diagnostic) bool { return strings.Contains(d.Error(), text) })
}

// Locals that all refer to the previous two have exponentially many paths to the first one.
func TestLoad_VisitsLocalsOnce(t *testing.T) {
	t.Parallel()
	constants, episodes := "locals {\n  a0 = true\n", "locals {\n  a0 = episode.num_turns\n  b0 = episode.num_turns\n"
	for i := range 45 {
		constants += fmt.Sprintf("  a%d = local.a%d || local.a%[2]d\n", i+1, i)
		episodes += fmt.Sprintf("  a%d = local.a%d + local.b%[2]d\n  b%[1]d = local.a%[2]d - local.b%[2]d\n", i+1, i)
	}
	_, problems := spec.Load(write(t, map[string]string{"train.hcl": constants + "}\n"}), spec.Options{})
	if problems.HasErrors() {
		t.Error(problems)
	}
	_, problems = spec.Load(write(t, map[string]string{"train.hcl": episodes + "}\n"}), spec.Options{})
	if !tell(problems, "Too many locals") {
		t.Errorf("got %.1000v", problems)
	}
}

func TestSniff_ReadsTheCommandOfAPlugin(t *testing.T) {
	for name, text := range map[string]string{
		"train.hcl":      "awhost {\nrequired_plugins {\nmine = { source = \"x\", command = [\"node\", \"a.mjs\"] }\n}\n}\n",
		"train.hcl.json": `{"awhost": {"required_plugins": {"mine": {"source": "x", "command": ["node", "a.mjs"]}}}}`,
	} {
		head, problems := spec.Sniff(filepath.Join(write(t, map[string]string{name: text}), name), "")
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := head.Required.Plugins["mine"].Command; !slices.Equal(got, []string{"node", "a.mjs"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestSniff(t *testing.T) {
	dir := golden(t, "quickstart")
	head, problems := spec.Sniff(filepath.Join(dir, "train.hcl"), "")
	if len(problems) > 0 || head.Required.Plugins["mine"].Source != "./my-reward" || !filepath.IsAbs(head.Dir) {
		t.Errorf("got %+v, %v", head, problems)
	}
	if _, problems = spec.Sniff(filepath.Join(dir, "train.hcl"), "0.0.9"); !problems.HasErrors() {
		t.Error("0.0.9 is not >= 0.1")
	}
	if _, problems = spec.Sniff(filepath.Join(dir, "tran.hcl"), ""); !problems.HasErrors() ||
		!strings.Contains(problems.Error(), "train.hcl") {
		t.Errorf("want the name of the existing file, got %v", problems)
	}
}

func TestLoad_KnowsTheWorkspaceOfServerFiles(t *testing.T) {
	dir := write(t, map[string]string{
		"train.hcl":        `environment "servers" "s" { import = ".vscode/mcp.json" }`,
		".vscode/mcp.json": `{"servers": {"a": {"command": "x", "args": ["--root=${workspaceFolder}/data", "${userHome}"]}}}`,
	})
	s := load(t, dir, spec.Options{Schemas: fakePlugins{}, Environ: func(name string) (string, bool) {
		return "/home/me", name == "HOME"
	}})
	for _, want := range []string{`"--root=./data"`, `{"$secret":"env:HOME"}`} {
		if !strings.Contains(string(s.Resolved()), want) {
			t.Errorf("%s is not in %s", want, s.Resolved())
		}
	}
}

func TestLoad_FilesStayBelowTheSpec(t *testing.T) {
	outside := write(t, map[string]string{"secret.txt": "outside"})
	dir := write(t, map[string]string{"train.hcl": `locals { a = file("link.txt") }`})
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Skip(err)
	}
	_, problems := spec.Load(dir, spec.Options{})
	if !problems.HasErrors() || !strings.Contains(problems.Error(), "outside the spec's directory") {
		t.Errorf("symbolic link that leaves the spec's directory: %v", problems)
	}
}

func TestFormat(t *testing.T) {
	const untidy = "# what it is\ntrain \"x\" {\nsteps=5 # five\n  concurrency   = 3\n}\n"
	const tidy = "# what it is\ntrain \"x\" {\n  steps       = 5 # five\n  concurrency = 3\n}\n"
	got, err := spec.Format([]byte(untidy))
	if err != nil || string(got) != tidy {
		t.Errorf("got %q, %v\nwant %q", got, err, tidy)
	}
	again, err := spec.Format(got)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("formatting is not idempotent: %q, %v", again, err)
	}
	if _, err := spec.Format([]byte("train {")); err == nil {
		t.Error("want no formatting for a file with a syntax error")
	}
}

// The reference lists every setting of the language, because it is generated from the same tables.
func TestReference(t *testing.T) {
	text := ""
	for _, page := range spec.Reference(fakePlugins{}) {
		text += page.Text
	}
	for _, want := range []string{
		"`learning_rate`", "`overlong`", "`advance_when`", "`env(name, default…)`", "`templatefile(path, vars)`",
		"## reward \"gaia\"", "`exact`", "### server", "`max_message_tokens`",
		"* `trimspace(str)`: ", "`AWHOST_VAR_NAME`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the reference does not contain %s", want)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "* ") && strings.HasSuffix(line, ": \n") {
			t.Errorf("no description: %s", line)
		}
	}
}

func BenchmarkLoad_QuickStart(b *testing.B) {
	path := filepath.Join(golden(b, "quickstart"), "train.hcl")
	for b.Loop() {
		if _, problems := spec.Load(path, spec.Options{Schemas: fakePlugins{}}); problems.HasErrors() {
			b.Fatal(problems)
		}
	}
}
