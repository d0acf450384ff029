package plan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

var update = flag.Bool("update", false, "write what the tests see into testdata")

func TestMain(m *testing.M) {
	fakeplugin.Main()
	goleak.VerifyTestMain(m)
}

// patience is the time limit of a plan on a busy machine.
const patience = 2 * time.Minute

// setting holds the inputs of a plan.
type setting struct {
	dir   string
	train string // --train
	fresh bool   // --new
	smoke bool   // --smoke

	elsewhere bool // --elsewhere
	build     string
	hash      string // of the plugins
	vars      map[string]string
	store     *runstore.Store
	secret    string // the environment variable TOKEN
}

// write fills the directory with the files of an archive and the data that every spec uses.
func (s setting) write(t *testing.T, files []txtar.File) {
	t.Helper()
	all := append([]txtar.File{
		{Name: "control/.keep"},
		{Name: "data/train.jsonl", Data: []byte(`{"id":"a","prompt":"1 + 2","ground_truth":"3"}` + "\n" +
			`{"id":"b","prompt":"2 + 2","ground_truth":"4"}` + "\n")},
		{Name: "data/held_out.jsonl", Data: []byte(`{"id":"c","prompt":"3 + 2","ground_truth":"5"}` + "\n")},
	}, files...)
	for _, f := range all {
		path := filepath.Join(s.dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// make loads train.hcl and plans it. A spec that does not load ends the test.
func (s setting) make(t *testing.T) (*plan.Plan, diag.Diagnostics) {
	t.Helper()
	c, err := fakeplugin.Catalog(s.dir, s.hash)
	if err != nil {
		t.Fatal(err)
	}
	loaded, problems := spec.Load(filepath.Join(s.dir, "train.hcl"), spec.Options{
		Schemas: c, Version: sdk.Version, Vars: s.vars,
		Environ: func(name string) (string, bool) { return s.secret, name == "TOKEN" && s.secret != "" },
	})
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p, problems := plan.Make(ctx, plan.Inputs{Spec: loaded, Train: s.train, Catalog: c, Store: s.store, New: s.fresh,
		Smoke: s.smoke, Elsewhere: s.elsewhere, Build: s.build, PassEnv: fakeplugin.PassEnv()})
	t.Cleanup(p.Close)
	return p, problems
}

// Each case is a spec and its expected results: the plan as text (want.plan) and as JSON (want.json), and the
// diagnostics (want.problems). The comment may name the train block, `train: first`, and request a smoke run,
// `smoke`, or a plan for another machine, `elsewhere`.
func TestMake_Golden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runGolden(t, path)
		})
	}
}

func runGolden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := setting{dir: dir, secret: "hunter2-canary"}
	for line := range strings.Lines(string(archive.Comment)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "train: "); ok {
			s.train = name
		}
		s.smoke = s.smoke || strings.TrimSpace(line) == "smoke"
		s.elsewhere = s.elsewhere || strings.TrimSpace(line) == "elsewhere"
	}
	s.write(t, archive.Files)
	p, problems := s.make(t)
	got := map[string]string{}
	if len(problems) > 0 {
		var b bytes.Buffer
		if err := diag.WriteHuman(&b, problems, diag.Style{}); err != nil {
			t.Fatal(err)
		}
		got["want.problems"] = b.String()
	}
	if !problems.HasErrors() {
		report, err := json.MarshalIndent(p.Report(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got["want.plan"], got["want.json"] = p.Text(true), string(report)+"\n"
	}
	for name, text := range got {
		if strings.Contains(text, s.secret) {
			t.Errorf("%s tells the secret:\n%s", name, text)
		}
		text = strings.ReplaceAll(text, dir, "$DIR")
		if p.Identity != "" {
			text = strings.NewReplacer(p.Identity, "$IDENTITY", p.Identity[:19], "$IDENTITY").Replace(text)
		}
		got[name] = text
	}
	compare(t, path, archive, got)
}

func compare(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	kept := &txtar.Archive{Comment: archive.Comment}
	want := map[string]string{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "want.") {
			want[f.Name] = string(f.Data)
			continue
		}
		kept.Files = append(kept.Files, f)
	}
	if !*update {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got; run with -update when it is meant:\n%s", diff)
		}
		return
	}
	for _, name := range []string{"want.plan", "want.json", "want.problems"} {
		if text, ok := got[name]; ok {
			kept.Files = append(kept.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	if err := os.WriteFile(path, txtar.Format(kept), 0o644); err != nil {
		t.Fatal(err)
	}
}
