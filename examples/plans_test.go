package examples_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// These tests check the specs for training frameworks without a GPU. The specs are valid. If the framework is not
// installed, the plan reports it. If it is installed, it has every key that is set. AWHOST_VERL_PYTHON,
// AWHOST_AREAL_PYTHON and AWHOST_AREAL_MAIN_PYTHON name environments with a framework.

// example is a spec with the inputs required to read it.
type example struct {
	dir       string // a folder with a train.hcl, or the path of another spec
	framework string
	variables func(t *testing.T) []string
}

var examples = []example{
	{"examples/verl", "verl", func(*testing.T) []string {
		return []string{"model=Qwen/Qwen2.5-1.5B-Instruct", "device=cpu", "prompts=16"}
	}},
	{"examples/verl-bfcl", "verl", func(t *testing.T) []string { return []string{"source=" + bfcl(t)} }},
	{"examples/envtuning/paper.hcl", "verl", func(t *testing.T) []string { return []string{"source=" + bfcl(t)} }},
	{"examples/gaia", "verl", func(t *testing.T) []string {
		config, reward := realtest.AWorldFiles(t)
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("SKIPPED: no python3 for the reward function")
		}
		return []string{"config=" + config, "reward=" + reward, "mcp_python=" + python, "reward_python=" + python}
	}},
	{"examples/math-agent", "verl", func(t *testing.T) []string { return []string{"data=" + gsm8k(t)} }},
	{"examples/areal", "areal", func(*testing.T) []string { return []string{"model=Qwen/Qwen2.5-1.5B-Instruct"} }},
	{"examples/areal-math", "areal", func(t *testing.T) []string { return []string{"data=" + gsm8k(t)} }},
}

// diagnostic is a diagnostic of a plan.
type diagnostic struct {
	Type     string `json:"type"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
}

// run runs an awhost command on an example and returns its output and the errors in it.
func (e example) run(
	t *testing.T, command, python string, variables []string, flags ...string,
) (said string, problems []diagnostic) {
	t.Helper()
	dir, spec := e.dir, "train.hcl"
	if filepath.Ext(dir) == ".hcl" {
		dir, spec = filepath.Split(dir)
	}
	arguments := append([]string{command, spec, "--json", "--var", "python=" + python}, flags...)
	for _, v := range variables {
		arguments = append(arguments, "--var", v)
	}
	cmd := exec.CommandContext(t.Context(), realtest.Binary(t), arguments...)
	cmd.Dir = realtest.Copy(t, dir)
	if spec != "train.hcl" { // the spec shares the settings of another example
		if err := os.CopyFS(filepath.Join(cmd.Dir, "..", "verl-bfcl"), os.DirFS("verl-bfcl")); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var d diagnostic
		if err := json.Unmarshal(line, &d); err == nil && d.Type == "diagnostic" && d.Severity == "error" {
			problems = append(problems, d)
		}
	}
	if err != nil && len(problems) == 0 {
		t.Fatalf("awhost %s: %v, and no error is reported\n%s%s", command, err, out, stderr.Bytes())
	}
	if err == nil && len(problems) > 0 {
		t.Fatalf("awhost %s reports errors and succeeds: %v", command, problems)
	}
	return string(out), problems
}

func TestExamples_AreValid(t *testing.T) {
	for _, e := range examples {
		t.Run(e.dir, func(t *testing.T) {
			variables := []string{"source=nowhere"} // nothing is started, so BFCL's data are not read
			if filepath.Base(e.dir) != "verl-bfcl" {
				variables = e.variables(t)
			}
			if _, problems := e.run(t, "validate", "nowhere/bin/python", variables); len(problems) > 0 {
				t.Errorf("it is not valid: %+v", problems)
			}
		})
	}
}

// emptyEnvironment creates a virtual environment without packages.
func emptyEnvironment(t *testing.T) (python string) {
	t.Helper()
	dir := t.TempDir()
	python = filepath.Join(dir, "bin", "python")
	err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "bin"), 0o755),
		os.MkdirAll(filepath.Join(dir, "lib", "python3.11", "site-packages"), 0o755),
		os.WriteFile(filepath.Join(dir, "pyvenv.cfg"), []byte("home = /nowhere\nversion = 3.11.7\n"), 0o600),
		os.WriteFile(python, []byte("#!/bin/false\n"), 0o755),
	)
	if err != nil {
		t.Fatal(err)
	}
	return python
}

func TestExamples_SayThatTheFrameworkIsMissing(t *testing.T) {
	for _, e := range examples {
		t.Run(e.dir, func(t *testing.T) {
			want := map[string]string{"verl": "pip install verl==", "areal": "github.com/inclusionAI/AReaL@v1.0.4"}[e.framework]
			python := emptyEnvironment(t)
			_, problems := e.run(t, "plan", python, e.variables(t))
			if len(problems) != 1 || !strings.Contains(problems[0].Detail, want) ||
				!strings.Contains(problems[0].Detail, python) {
				t.Errorf("the plan says %+v, want one error with %q and %s", problems, want, python)
			}
		})
	}
}

// lacking matches requirements that test environments do not meet: GPUs, engines, trackers.
var lacking = regexp.MustCompile(`^Requirement not met: (gpu|package)$`)

func TestExamples_ArePlanned(t *testing.T) {
	for _, variable := range []string{"AWHOST_VERL_PYTHON", "AWHOST_AREAL_PYTHON", "AWHOST_AREAL_MAIN_PYTHON"} {
		t.Run(variable, func(t *testing.T) {
			python := realtest.Python(t, variable)
			framework := "verl"
			if strings.Contains(variable, "AREAL") {
				framework = "areal"
			}
			for _, e := range examples {
				if e.framework == framework {
					t.Run(e.dir, func(t *testing.T) { e.plan(t, python) })
					t.Run(e.dir+" in a smoke run, without GPUs", func(t *testing.T) {
						if _, problems := e.run(t, "plan", python, e.variables(t), "--smoke"); len(problems) > 0 {
							t.Errorf("the plan says %+v", problems)
						}
					})
				}
			}
			if framework == "verl" {
				e := examples[slices.IndexFunc(examples, func(e example) bool { return filepath.Base(e.dir) == "verl" })]
				variables := append(e.variables(t), "prompts=100000") // a smoke run makes the batch small
				_, problems := e.run(t, "plan", python, variables, "--smoke")
				if len(problems) != 1 || problems[0].Summary != "Fewer tasks than a batch" {
					t.Errorf("the plan of a smoke run of a refused spec says %+v", problems)
				}
			}
			record(t, framework, realtest.Version(t, python, framework))
		})
	}
}

// plan checks that the plan of an example reports only problems of a machine without GPUs.
func (e example) plan(t *testing.T, python string) {
	_, problems := e.run(t, "plan", python, e.variables(t))
	for _, p := range problems {
		detail := strings.Fields(p.Detail + " -")
		switch engine := strings.Trim(detail[0], ":"); {
		case !lacking.MatchString(p.Summary), strings.HasSuffix(p.Summary, "package") && engine != "vllm" &&
			engine != "sglang" && engine != "mlflow":
			t.Errorf("%s: %s", p.Summary, p.Detail)
		}
	}
}

func record(t *testing.T, framework, version string) {
	t.Helper()
	if framework == "verl" {
		realtest.Record(t, realtest.Result{Framework: "verl", Version: version, What: realtest.Planned})
		return
	}
	for _, mode := range []string{"workflow", "agent"} { // the plan differs in a few keys of AReaL's proxy
		realtest.Record(t, realtest.Result{Framework: "AReaL", Version: version, Mode: mode, What: realtest.Planned})
	}
}

// chatTemplates are templates that treat earlier turns differently, with the expected sentence of the plan.
var chatTemplates = []struct{ name, template, want string }{
	{"the model's own", "", "only appends: a conversation is one row."},
	{"one that drops thinking, as Qwen3's", "{% for m in messages %}<|{{ m.role }}|>" +
		"{{ m.content if loop.last else m.content.split('</think>')[-1] }}<|end|>{% endfor %}" +
		"{% if add_generation_prompt %}<|assistant|>{% endif %}", "drops earlier thinking"},
	{"one that counts messages", "{{ messages | length }}" +
		"{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}", "each turn becomes a row of its own"},
}

func TestExamples_SayWhichRowsFollow(t *testing.T) {
	for _, c := range []struct {
		variable, dir string
		variables     []string
	}{
		{"AWHOST_VERL_PYTHON", "examples/verl", []string{
			"device=cpu", "prompts=16", "prompt_tokens=16", "response_tokens=80",
		}},
		{"AWHOST_AREAL_PYTHON", "examples/areal", nil},
		{"AWHOST_AREAL_MAIN_PYTHON", "examples/areal", nil},
	} {
		t.Run(c.variable, func(t *testing.T) {
			python := realtest.Python(t, c.variable)
			t.Setenv("VIRTUAL_ENV", filepath.Dir(filepath.Dir(python))) // its jinja2 renders the template
			for _, r := range chatTemplates {
				t.Run(r.name, func(t *testing.T) {
					model := realtest.TinyModel(t)
					if r.template != "" {
						if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(r.template), 0o600); err != nil {
							t.Fatal(err)
						}
					}
					said, problems := example{dir: c.dir}.run(t, "plan", python, append(c.variables, "model="+model))
					want := "The chat template of " + model + " "
					if len(problems) > 0 || !strings.Contains(said, want) || !strings.Contains(said, r.want) {
						t.Errorf("want %q and %q in the plan, without problems like %v:\n%s", want, r.want, problems, said)
					}
				})
			}
		})
	}
}

// gsm8k creates a dataset in GSM8K's layout.
func gsm8k(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "main"), 0o755); err != nil {
		t.Fatal(err)
	}
	for split, rows := range map[string]int{"train": 512, "test": 40} {
		var text strings.Builder
		for n := range rows {
			fmt.Fprintf(&text, `{"question": "What is %d + 1 in %s?", "answer": "It is one more.\n#### %d"}`+"\n", n, split, n+1)
		}
		if err := os.WriteFile(filepath.Join(dir, "main", split+".jsonl"), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bfcl creates a folder with BFCL's data of version 3 in the layout of its wheel. The source is the reference data,
// which has the long contexts in JSON instead of Python.
func bfcl(t *testing.T) string {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with reference/bfcl: BFCL's tasks are in it")
	}
	dir, reference := t.TempDir(), filepath.Join(data, "reference", "bfcl")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(reference, "data_v3"))); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open(filepath.Join(reference, "golden", "tables_et.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var tables struct {
		LongContext map[string]json.RawMessage `json:"long_context"`
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for name, value := range tables.LongContext {
		fmt.Fprintf(&source, "%s = %s\n", name, ellipsis.ReplaceAllLiteral(value, []byte("...")))
	}
	if err := os.WriteFile(filepath.Join(dir, "long_context.py"), []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ellipsis matches the representation of Python's ellipsis in the records.
var ellipsis = regexp.MustCompile(`\{\s*"__ellipsis__":\s*true\s*\}`)
