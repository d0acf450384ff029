package importer_test

import (
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/importer"
)

// find returns the results for a key.
func find(spec *importer.Spec, key string) (out []importer.ImportedKey) {
	for _, k := range spec.Keys {
		if k.Key == key {
			out = append(out, k)
		}
	}
	return out
}

// A launch script is evaluated as the shell does, and no command in it is run.
func TestScript(t *testing.T) {
	tests := readTests[struct {
		Script string
		Key    string           // of the last result; empty: trainer.experiment_name
		Value  string           // DIR is the working directory
		Want   importer.Outcome // empty: kept
		Why    string           // in the reason
	}](t, "testdata/scripts.yaml")
	t.Setenv("HOME", "/home/user")
	t.Setenv("SIZE", "64")
	t.Setenv("HF_TOKEN", "hidden")
	dir := t.TempDir()
	t.Chdir(dir)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.Key == "" {
				test.Key = "trainer.experiment_name"
			}
			if test.Want == "" {
				test.Want = importer.Kept
			}
			spec, err := importer.Systems["verl"].Import("run.sh", []byte(test.Script), importer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := find(spec, test.Key)
			if len(found) == 0 {
				t.Fatalf("no %s in %+v", test.Key, spec.Keys)
			}
			got := found[len(found)-1]
			value := strings.ReplaceAll(test.Value, "DIR", dir)
			if got.Value != value || got.Outcome != test.Want || !strings.Contains(got.Why, test.Why) {
				t.Errorf("%+v, want %q, %s and %q", got, test.Value, test.Want, test.Why)
			}
		})
	}
}

// No command of a script is run, and no file is written, however it is hidden.
func TestScript_RunsNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, line := range []string{
		"touch bad", "A=$(touch bad)", "A=`touch bad`", "A=$(cd $(touch bad) && pwd)", "exec touch bad", "echo x > bad",
		`[ -n "$(touch bad)" ] && A=1`, "A=${B:-$(touch bad)}", "A=${B:=$(pwd; touch bad)}", `eval "touch bad"`,
		`trap "touch bad" EXIT`, "((A = $(touch bad) + 1))", "A=<(touch bad)", "if touch bad > bad; then A=1; fi",
		"export A=$(touch bad) B=3", "A=($(touch bad) x)", "A+=$(touch bad)", "f() { touch bad; }; f", "A=$(< bad)",
		"[[ -f bad || $(touch bad) ]] || touch bad", "while true; do touch bad; done", "A=1 touch bad", "(touch bad) &",
		"pwd > bad", "A=$(pwd > bad)", ": > bad", "command touch bad", "builtin eval 'touch bad'", "A[$(touch bad)]=1",
		"echo $(touch bad) | tee bad", "case $(touch bad) in *) touch bad;; esac", "test -n x > bad && A=1",
		"dirname $(touch bad)", "A=$(dirname $(touch bad))", "A=$(pwd)$(dirname x > bad)",
	} {
		script := line + "\npython3 -m verl.trainer.main_ppo data.train_batch_size=8 trainer.logger=$A a=$(touch bad)\n"
		if _, err := importer.Systems["verl"].Import("run.sh", []byte(script), importer.Options{}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Fatalf("%s: %v %v", line, files, err)
		}
	}
}

// A script that starts no training, and text that is not a script, are errors.
func TestScript_Errors(t *testing.T) {
	for script, want := range map[string]string{
		"echo a":                               "no command in it starts verl",
		"python3 -m pip install a=b":           "no command in it starts verl",
		"if true; then":                        "run.sh:1:10: `then` must be followed",
		"python3 -m verl.main_ppo --a \"b\nc=": "run.sh:1",
	} {
		_, err := importer.Systems["verl"].Import("run.sh", []byte(script), importer.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}
