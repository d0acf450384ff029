package spec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
)

// Each case is an archive of a spec's files and the expected result of Load. options.json holds the options of Load,
// want.json the resolved spec, and want.txt the rendered diagnostics.
func TestLoad_Golden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runGolden(t, path) })
	}
}

type goldenOptions struct {
	Path     string            `json:"path"` // path to load; "." if empty
	Vars     map[string]string `json:"vars"`
	VarFiles []string          `json:"var_files"`
	Env      map[string]string `json:"env"`
	Version  string            `json:"version"`
}

func runGolden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(unpack(t, archive))
	options := goldenOptions{Path: "."}
	if text, ok := file(archive, "options.json"); ok {
		if err := json.Unmarshal(text, &options); err != nil {
			t.Fatal(err)
		}
	}
	s, problems := spec.Load(options.Path, spec.Options{
		Vars: options.Vars, VarFiles: options.VarFiles, Version: options.Version, Schemas: fakePlugins{},
		Environ: func(name string) (string, bool) { v, ok := options.Env[name]; return v, ok },
	})
	got := map[string][]byte{}
	if !problems.HasErrors() {
		got["want.json"] = indent(t, s.Resolved())
	}
	if len(problems) > 0 {
		got["want.txt"] = human(t, problems)
	}
	compare(t, path, archive, got)
}

func unpack(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func file(archive *txtar.Archive, name string) ([]byte, bool) {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}

// human renders diagnostics without the name of the temporary directory.
func human(t *testing.T, problems diag.Diagnostics) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := diag.WriteHuman(&b, problems, diag.Style{}); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.ReplaceAll(b.String(), dir, "$DIR"))
}

func indent(t *testing.T, text json.RawMessage) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func compare(t *testing.T, path string, archive *txtar.Archive, got map[string][]byte) {
	t.Helper()
	if *spec.Update {
		rewrite(t, path, archive, got)
		return
	}
	for _, name := range []string{"want.json", "want.txt"} {
		want, _ := file(archive, name)
		if diff := cmp.Diff(string(want), string(got[name])); diff != "" {
			t.Errorf("%s (-want +got; run with -update when it is meant):\n%s", name, diff)
		}
	}
}

// rewrite writes the actual results to the file. The test has changed the working directory.
func rewrite(t *testing.T, path string, archive *txtar.Archive, got map[string][]byte) {
	t.Helper()
	kept := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			kept.Files = append(kept.Files, f)
		}
	}
	for _, name := range []string{"want.json", "want.txt"} {
		if data, ok := got[name]; ok {
			kept.Files = append(kept.Files, txtar.File{Name: name, Data: data})
		}
	}
	if err := os.WriteFile(filepath.Join(testDir, path), txtar.Format(kept), 0o644); err != nil {
		t.Fatal(err)
	}
}

// testDir is the initial working directory of the tests.
var testDir, _ = os.Getwd()
