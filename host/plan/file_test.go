package plan_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/plan"
)

// saved returns the plan of a setting after saving it to a file and reading it.
func saved(t *testing.T, s setting, given plan.Given) *plan.File {
	t.Helper()
	f, err := s.mustMake(t).Save(given, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "any.name")
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	back, err := plan.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// Changes since a plan was saved are listed.
func TestFile_Changes(t *testing.T) {
	plain := func(t *testing.T) setting { return newSetting(t) }
	edited := func(changes ...string) func(*testing.T) setting {
		return func(t *testing.T) setting { return newSetting(t, changes...) }
	}
	for _, test := range []struct {
		name string
		then func(*testing.T) setting
		want []string
	}{
		{"nothing", plain, nil},
		{"formatting", edited("steps       = 5", "# five\n  steps = 5"), nil},
		{"an unused block", edited(`reward "scripted" "unused" {}`, `reward "scripted" "unused" { bonus = 3 }`), nil},
		{"a setting", edited("steps       = 5", "steps = 6"), []string{"train.sums.stages[0].knobs.steps was 5 and is 6"}},
		{"a setting with which a run may be resumed", edited("concurrency = 8", "concurrency = 2"),
			[]string{"train.sums.stages[0].knobs.concurrency was 8 and is 2"}},
		{"a default", edited("default = 0", "default = 0.5"),
			[]string{"reward.scripted.answer.bonus was 0 and is 0.5", "var.bonus was 0 and is 0.5"}},
		{"a plugin", func(t *testing.T) setting { s := newSetting(t); s.hash = "sha256:another"; return s },
			[]string{"another build of awhost"}},
		{"data", func(t *testing.T) setting {
			s := newSetting(t)
			s.write(t, []txtar.File{{Name: "data/train.jsonl",
				Data: []byte(`{"id":"a","prompt":"1 + 2","ground_truth":"3"}` + "\n")}})
			return s
		}, []string{"the tasks of dataset.jsonl.train have changed: there were 2 and are 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := saved(t, newSetting(t), plan.Given{})
			changes := f.Changes(test.then(t).mustMake(t))
			if len(changes) != len(test.want) {
				t.Fatalf("changes %q, want %q", changes, test.want)
			}
			for _, want := range test.want {
				if !strings.Contains(strings.Join(changes, "\n"), want) {
					t.Errorf("changes %q, want %q", changes, want)
				}
			}
		})
	}
}

func TestFile_KeepsWhatWasGivenAndNoSecrets(t *testing.T) {
	const secret = "hunter2-canary"
	s := newSetting(t, `variable "bonus" { default = 0 }`,
		"variable \"bonus\" { default = 0 }\nvariable \"key\" { sensitive = true }",
		`adapter "scripted" "trainer" {}`, `adapter "scripted" "trainer" { token = var.key }`)
	s.vars = map[string]string{"bonus": "0.25", "key": secret}
	f, err := s.mustMake(t).Save(plan.Given{Vars: s.vars, VarFiles: []string{"a.awvars"}, New: true}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"bonus": "0.25"}, f.Vars); diff != "" {
		t.Error(diff)
	}
	if len(f.VarFiles) != 1 || !filepath.IsAbs(f.VarFiles[0]) || !filepath.IsAbs(f.Spec) || !f.New {
		t.Errorf("got %+v", f)
	}
	path := filepath.Join(t.TempDir(), "plan")
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), secret) {
		t.Errorf("the file tells the secret:\n%s", text)
	}
}

func TestParse_OtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		`train "a" {}`:               "not a saved plan",
		`{"train": {"a": {}}}`:       "not a saved plan",
		`{"a": "\"awhost_plan\""}`:   "not a saved plan",
		``:                           "not a saved plan",
		`{"awhost_plan": 1, `:        "damaged",
		`{"awhost_plan": 1}`:         "damaged",
		`{"awhost_plan": 0}`:         "which does not exist",
		`{"awhost_plan": 1, "spec":`: "damaged",
		`{"awhost_plan": 2, "awhost": "0.3.0", "spec": 1}`: "use awhost 0.3.0 or newer",
	} {
		_, err := plan.Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		if none := errors.Is(err, plan.ErrNoPlan); none != (want == "not a saved plan") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"awhost_plan": 1, "spec": "a", "train": "b", "resolved": {}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := plan.Parse(text); (p == nil) == (err == nil) {
			t.Errorf("plan %v, error %v", p, err)
		}
	})
}
