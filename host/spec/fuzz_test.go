package spec_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Loading arbitrary text returns a spec or diagnostics, and all later calls on either of them work.
func FuzzLoad(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range cases {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if name := file.Name; strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".hcl.json") {
				f.Add(string(file.Data), strings.HasSuffix(name, ".json"))
			}
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		path := filepath.Join(dir, "train.hcl")
		if isJSON {
			path += ".json"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, problems := spec.Load(path, spec.Options{Schemas: fakePlugins{},
			Environ: func(string) (string, bool) { return "canary-1234", true }})
		if err := diag.WriteHuman(io.Discard, problems, diag.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if s != nil && !problems.HasErrors() {
			exercise(t, s)
		}
	})
}

func exercise(t *testing.T, s *spec.Spec) {
	if strings.Contains(string(s.Resolved()), "canary-1234") {
		t.Errorf("stored secret: %s", s.Resolved())
	}
	for name, train := range s.Trains {
		s.Identity(name)
		for _, stage := range train.Stages {
			in := spec.Inputs{Rewards: map[string]sdk.Scored{}, Validation: map[string]float64{"reward": 1, "success_rate": 1}}
			for i, address := range stage.Rewards() {
				in.Rewards[address] = sdk.Scored{Score: float64(i) / 2}
			}
			if judged, err := stage.Judge(in); err == nil && judged.Reward != judged.Reward {
				t.Errorf("the reward is not a number")
			}
			if stage.AdvanceWhen != nil {
				_, _ = stage.AdvanceWhen.Bool(in)
			}
		}
	}
	for _, o := range s.Outputs {
		_, _ = o.Eval(map[string]spec.Result{})
	}
}
