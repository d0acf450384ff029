package plan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

const source = `
variable "bonus" { default = 0 }
dataset "jsonl" "train" { path = "data/train.jsonl" }
environment "scripted" "desk" {}
agent "react" "solver" { environment = environment.scripted.desk }
reward "scripted" "answer" { bonus = var.bonus }
reward "scripted" "unused" {}
adapter "scripted" "trainer" {}
train "sums" {
  agent       = agent.react.solver
  dataset     = dataset.jsonl.train
  adapter     = adapter.scripted.trainer
  reward      = reward.scripted.answer
  steps       = 5
  concurrency = 8
}
`

// newSetting creates a directory with the changed source.
func newSetting(t *testing.T, changes ...string) setting {
	t.Helper()
	s := setting{dir: t.TempDir()}
	s.write(t, []txtar.File{{Name: "train.hcl", Data: []byte(strings.NewReplacer(changes...).Replace(source))}})
	return s
}

func (s setting) mustMake(t *testing.T) *plan.Plan {
	t.Helper()
	p, problems := s.make(t)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// A spec may omit the length of the training if the adapter finds it in the trainer's own configuration.
func TestMake_TakesTheLengthFromTheAdapter(t *testing.T) {
	const adapter, steps = `adapter "scripted" "trainer" {}`, "steps       = 5"
	p := newSetting(t, adapter, `adapter "scripted" "trainer" { config = "7" }`, steps, "").mustMake(t)
	if p.Stages[0].Steps != 7 {
		t.Errorf("the stage has %d steps, want 7", p.Stages[0].Steps)
	}
	_, problems := newSetting(t, adapter, `adapter "scripted" "trainer" { config = "null" }`, steps, "").make(t)
	if len(problems) != 1 || !strings.Contains(problems[0].Detail, "adapter.scripted.trainer found no length") {
		t.Errorf("got %v, want that the adapter found no length", problems)
	}
}

// The identity of a run covers everything that its result depends on.
func TestIdentity(t *testing.T) {
	want := newSetting(t).mustMake(t).Identity
	if !strings.HasPrefix(want, "sha256:") || len(want) != len("sha256:")+64 {
		t.Fatalf("identity %q", want)
	}
	for name, s := range map[string]setting{
		"another directory":         newSetting(t),
		"other formatting":          newSetting(t, "steps       = 5", "# five\n  steps = 5"),
		"a default that is written": newSetting(t, "steps       = 5", "steps = 5\n  seed = 1"),
		"another order": newSetting(t, `reward "scripted" "unused" {}`, "",
			`adapter "scripted" "trainer" {}`, "adapter \"scripted\" \"trainer\" {}\nreward \"scripted\" \"unused\" {}"),
		"an unused block": newSetting(t, `reward "scripted" "unused" {}`,
			`reward "scripted" "unused" { bonus = 3 }`),
		"a setting that may be resumed": newSetting(t, "concurrency = 8", "concurrency = 2"),
		"which checkpoints are kept":    newSetting(t, "concurrency = 8", "checkpoint { keep = 1 }"),
		"a plugin's setting, the same": newSetting(t, `adapter "scripted" "trainer" {}`,
			`adapter "scripted" "trainer" { control = "control" }`),
		"a variable with the same value": {dir: newSetting(t).dir, vars: map[string]string{"bonus": "0"}},
	} {
		if got := s.mustMake(t).Identity; got != want {
			t.Errorf("%s makes another run", name)
		}
	}
	otherData := newSetting(t)
	otherData.write(t, []txtar.File{
		{Name: "train.hcl", Data: []byte(source)}, {Name: "data/train.jsonl",
			Data: []byte(`{"id":"a","prompt":"1 + 2","ground_truth":"4"}`)},
	})
	named := func(content string) setting {
		s := newSetting(t, "{ bonus = var.bonus }", "{\n  bonus = var.bonus\n  file = \"code.py\"\n}")
		if err := os.WriteFile(filepath.Join(s.dir, "code.py"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return s
	}
	seen := map[string]string{want: "the original"}
	for name, s := range map[string]setting{
		"another seed":   newSetting(t, "steps       = 5", "steps = 5\n  seed = 2"),
		"more steps":     newSetting(t, "steps       = 5", "steps = 6"),
		"another reward": newSetting(t, "= reward.scripted.answer", "= 2 * reward.scripted.answer.score"),
		"a plugin's setting": newSetting(t, `adapter "scripted" "trainer" {}`,
			`adapter "scripted" "trainer" { groups = false }`),
		"another plugin":       {dir: newSetting(t).dir, hash: "sha256:rebuilt"},
		"another variable":     {dir: newSetting(t).dir, vars: map[string]string{"bonus": "1"}},
		"other data":           otherData,
		"a file that is named": named("one"),
		"another file there":   named("two"),
		"another failure rule": newSetting(t, "concurrency = 8", `on_failure "reward" { action = ["mask"] }`),
	} {
		got := s.mustMake(t).Identity
		if other, taken := seen[got]; taken {
			t.Errorf("%s is taken for %s", name, other)
		}
		seen[got] = name
	}
}

// record creates a run of the plan's identity with a final status; empty: it was killed.
func record(t *testing.T, p *plan.Plan, store *runstore.Store, status runstore.Status) *runstore.Writer {
	t.Helper()
	w, err := store.Create(t.Context(), runstore.NewRun{Name: "sums", Identity: p.Identity, SpecPath: p.Spec.Path,
		Spec: p.Spec.Resolved(), Protocol: 1})
	if err != nil {
		t.Fatal(err)
	}
	if status != "" {
		if err := w.Finish(t.Context(), runstore.FinishRecord{Outcome: status}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// The mode follows from the newest run of the same identity.
func TestDecide(t *testing.T) {
	for name, c := range map[string]struct {
		before []runstore.Status
		fresh  bool
		mode   event.Mode
		run    string
		why    string
	}{
		"nothing before":           {nil, false, event.ModeNew, "", "no earlier run"},
		"finished":                 {[]runstore.Status{"finished"}, false, event.ModeNoOp, "sums-1", "--new starts another"},
		"finished, another wanted": {[]runstore.Status{"finished"}, true, event.ModeNew, "", "another run was requested"},
		"stopped": {[]runstore.Status{"stopped"}, false, event.ModeResume, "sums-1",
			"sums-1 is stopped before its first commit"},
		"failed":                    {[]runstore.Status{"failed"}, false, event.ModeResume, "sums-1", "is failed"},
		"killed":                    {[]runstore.Status{""}, false, event.ModeResume, "sums-1", "is interrupted"},
		"finished, then stopped":    {[]runstore.Status{"finished", "stopped"}, false, event.ModeResume, "sums-2", ""},
		"stopped, then finished":    {[]runstore.Status{"stopped", "finished"}, false, event.ModeNoOp, "sums-2", ""},
		"stopped, a new one wanted": {[]runstore.Status{"stopped"}, true, event.ModeNew, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t)
			s.store = runstore.In(s.dir, runstore.Options{Version: "0.1.0"})
			first := s.mustMake(t)
			for _, status := range c.before {
				if err := record(t, first, s.store, status).Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			s.fresh = c.fresh
			p := s.mustMake(t)
			ref := ""
			if p.Existing != nil {
				ref = p.Existing.Ref()
			}
			if p.Mode != c.mode || ref != c.run || !strings.Contains(p.Why, c.why) {
				t.Errorf("%s %s: %s", p.Mode, ref, p.Why)
			}
			if text := p.Text(false); !strings.Contains(text, p.Why) || ref != "" && !strings.Contains(text, ref) {
				t.Error(text)
			}
			// Another spec is independent of these runs.
			s.vars, s.fresh = map[string]string{"bonus": "2"}, false
			if other := s.mustMake(t); other.Mode != event.ModeNew {
				t.Errorf("another spec: %s", other.Mode)
			} else if near := fmt.Sprintf("sums-%d (", len(c.before)); len(c.before) > 0 &&
				!(strings.Contains(other.Near, near) && strings.Contains(other.Text(false), "var.bonus was")) {
				t.Errorf("a plan of nearly the same spec names no run: %q", other.Near)
			}
		})
	}
}

// The plan of a new run names a run of another build, and the command that resumes it.
func TestDecide_AnotherBuild(t *testing.T) {
	s := newSetting(t)
	s.store, s.build = runstore.In(s.dir, runstore.Options{Version: "0.1.0"}), "sha256:here"
	p := s.mustMake(t)
	run := p.NewRun()
	run.Build = &build.Build{Identity: "sha256:here", Awhost: "0.1.0", Go: "go1.26.8", Target: "amd64 v1"}
	w, err := s.store.Create(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := s.mustMake(t); again.Mode != event.ModeResume || again.Near != "" {
		t.Errorf("the same build would not continue: %s: %s", again.Mode, again.Why)
	}
	s.build = "sha256:later"
	later := s.mustMake(t)
	if later.Mode != event.ModeNew || later.Identity == p.Identity {
		t.Errorf("another build would continue: %s: %s", later.Mode, later.Why)
	}
	for _, want := range []string{"sums-1 (interrupted before its first commit) differs only in the build", "amd64 " +
		"v1", "awhost resume sums-1"} {
		if !strings.Contains(later.Near, want) || !strings.Contains(later.Text(false), want) {
			t.Errorf("the plan does not say %q: %q", want, later.Near)
		}
	}
	if as, err := later.IdentityAs(w.Info); err != nil || as != w.Info.Identity {
		t.Errorf("not only the build differs: %v", err)
	}
}

func TestDecide_Running(t *testing.T) {
	s := newSetting(t)
	s.store = runstore.In(s.dir, runstore.Options{Version: "0.1.0"})
	w := record(t, s.mustMake(t), s.store, "")
	p := s.mustMake(t)
	if p.Mode != event.ModeResume || !strings.Contains(p.Why, "sums-1 is running") ||
		!strings.Contains(p.Why, "awhost stop sums-1") {
		t.Errorf("%s: %s", p.Mode, p.Why)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A plan leaves no process, no socket and no file behind.
func TestMake_LeavesNothing(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	s := newSetting(t)
	s.mustMake(t)
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.Getenv("TMPDIR")} {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range left {
			t.Errorf("%s is left in %s", entry.Name(), dir)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".awhost", "runs")); err == nil {
		t.Error("a folder of runs was made")
	}
}

// A canceled plan ends with an error.
func TestMake_IsCalledOff(t *testing.T) {
	s := newSetting(t)
	c, err := fakeplugin.Catalog(s.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	loaded, problems := spec.Load(filepath.Join(s.dir, "train.hcl"), spec.Options{Schemas: c, Version: sdk.Version})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, problems := plan.Make(ctx, plan.Inputs{Spec: loaded, Catalog: c, PassEnv: fakeplugin.PassEnv()})
	p.Close()
	if !problems.HasErrors() || !strings.Contains(problems.Error(), "cancel") {
		t.Errorf("%v", problems)
	}
}

// A type that the catalog lost since the spec was loaded is an error at the block.
func TestMake_NoPlugin(t *testing.T) {
	s := newSetting(t)
	c, err := fakeplugin.Catalog(s.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	loaded, problems := spec.Load(filepath.Join(s.dir, "train.hcl"), spec.Options{Schemas: c, Version: sdk.Version})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	empty, err := catalog.Open(catalog.Config{SpecDir: s.dir, StateDir: filepath.Join(s.dir, ".awhost")})
	if err != nil {
		t.Fatal(err)
	}
	p, problems := plan.Make(t.Context(), plan.Inputs{Spec: loaded, Catalog: empty})
	p.Close()
	if failures, _ := problems.Count(); failures != 3 {
		t.Errorf("%d errors: %v", failures, problems)
	}
	for _, d := range problems {
		if d.Summary != "No plugin for this block" || d.Range == nil || d.Address == "" {
			t.Errorf("%+v", d)
		}
	}
}

// The report is JSON that preserves the adapter's values, without the spec's secrets.
func TestReport_IsJSON(t *testing.T) {
	p := newSetting(t).mustMake(t)
	answer := p.Adapters["adapter.scripted.trainer"]
	answer.Effective = append(answer.Effective, sdk.EffectiveKey{Key: "big",
		ValueJSON: json.RawMessage("12345678901234567890"), Origin: "default"})
	text, err := json.Marshal(p.Report())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(`"value":12345678901234567890`)) {
		t.Errorf("%s", text)
	}
}

// BenchmarkMake measures a warm plan.
func BenchmarkMake(b *testing.B) {
	s := setting{dir: b.TempDir()}
	for name, text := range map[string]string{"train.hcl": source,
		"data/train.jsonl": `{"id":"a","prompt":"1 + 2","ground_truth":"3"}`} {
		path := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	c, err := fakeplugin.Catalog(s.dir, "")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		loaded, problems := spec.Load(filepath.Join(s.dir, "train.hcl"), spec.Options{Schemas: c, Version: sdk.Version})
		if problems.HasErrors() {
			b.Fatal(problems)
		}
		p, problems := plan.Make(b.Context(), plan.Inputs{Spec: loaded, Catalog: c, PassEnv: fakeplugin.PassEnv()})
		if problems.HasErrors() {
			b.Fatal(problems)
		}
		p.Close()
	}
}
