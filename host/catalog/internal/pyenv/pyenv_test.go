package pyenv_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/internal/testlevel"
)

func TestMain(m *testing.M) {
	testlevel.Parallel(6)                                                                   // they wait for pip
	for name, value := range map[string]string{"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""} { // no network
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(testlevel.InMemory(m), goleak.Cleanup(func(code int) {
		if tools != "" {
			_ = os.RemoveAll(tools)
		}
		os.Exit(code)
	}))
}

// backend is a build backend inside the package, so that no download is needed. It counts its calls.
const backend = `import os, zipfile

def build_wheel(directory, config_settings=None, metadata_directory=None):
    with open(COUNT, "a") as count:
        count.write("x")
    name = "mine-1.0-py3-none-any.whl"
    requires = open("requires.txt").read() if os.path.exists("requires.txt") else ""
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for path in ("mine.py", "data.txt"):
            if os.path.exists(path):
                wheel.write(path)
        wheel.writestr("mine-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n" + requires)
        wheel.writestr("mine-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("mine-1.0.dist-info/entry_points.txt", open("scripts.txt").read())
        wheel.writestr("mine-1.0.dist-info/RECORD", "")
    return name
`

// pkg is a Python package and the directory for its builds.
type pkg struct {
	t         *testing.T
	dir, home string
	count     string
	said      []string
}

func newPackage(t *testing.T) *pkg {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: no Python package was built. Install python3 (3.10 or newer) with venv and put it on PATH")
	}
	p := &pkg{t: t, dir: t.TempDir(), home: filepath.Join(t.TempDir(), "home"), count: filepath.Join(t.TempDir(), "count")}
	p.write("pyproject.toml", "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\"tools\"]\n")
	p.write("tools/backend.py", p.backend())
	p.write("scripts.txt", "[console_scripts]\nmine = mine:main\n")
	p.write("mine.py", "import sys\n\ndef main():\n    print('one', sys.argv[1:])\n")
	return p
}

// tools holds an environment with pip after its first creation, which takes longest.
var (
	tools     string
	makeTools sync.Once
)

// withTools adds the environment for builds to a package.
func (p *pkg) withTools() *pkg {
	p.t.Helper()
	makeTools.Do(func() {
		var err error
		if tools, err = os.MkdirTemp("", "pyenv"); err != nil { // outlasts this test
			p.t.Fatal(err)
		}
		own := p.home
		p.home = tools
		p.built()
		p.home = own
	})
	made, err := filepath.Glob(filepath.Join(tools, "build-*"))
	if err != nil || len(made) != 1 {
		p.t.Fatalf("%v, %v", made, err)
	}
	if err := os.CopyFS(filepath.Join(p.home, filepath.Base(made[0])), os.DirFS(made[0])); err != nil {
		p.t.Fatal(err)
	}
	return p
}

func (p *pkg) backend() string { return fmt.Sprintf("COUNT = %q\n", p.count) + backend }

func (p *pkg) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pkg) build() (*pyenv.Plugin, error) {
	p.said = nil
	return pyenv.Config{Home: p.home, Say: func(doing string) { p.said = append(p.said, doing) }}.Build(p.t.Context(),
		"mine", p.dir)
}

func (p *pkg) built() *pyenv.Plugin {
	p.t.Helper()
	plugin, err := p.build()
	if err != nil {
		p.t.Fatal(err)
	}
	return plugin
}

func (p *pkg) fails(words ...string) {
	p.t.Helper()
	_, err := p.build()
	if err == nil {
		p.t.Fatal("it was built")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			p.t.Errorf("%q is not in: %v", word, err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(p.home, ".tmp-*"))
	if len(left) > 0 {
		p.t.Errorf("%q was left", left)
	}
}

func (p *pkg) output(plugin *pyenv.Plugin, args ...string) string {
	p.t.Helper()
	cmd := exec.Command(plugin.Command[0], append(plugin.Command[1:], args...)...)
	cmd.Dir = p.t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestBuild_MakesAProgramAndMakesItAnewWhenItChanges(t *testing.T) {
	t.Parallel()
	p := newPackage(t)
	before := files(t, p.dir)
	first := p.built()
	if got := p.output(first, "describe"); got != "one ['describe']\n" {
		t.Errorf("it prints %q", got)
	}
	if len(p.said) != 2 {
		t.Errorf("two environments were made, and %q was said", p.said)
	}
	if after := files(t, p.dir); after != before {
		t.Errorf("the directory holds %s, and held %s", after, before)
	}
	if hash, err := pyenv.Digest(first.Root, first.Deps, nil); err != nil || hash != first.Hash {
		t.Errorf("after it ran its digest is %s, %v; want %s", hash, err, first.Hash)
	}

	p.write("mine.py", "def main():\n    print('two')\n")
	second := p.built()
	if got := p.output(second); got != "two\n" {
		t.Errorf("after an edit it prints %q", got)
	}
	if second.Hash == first.Hash || second.Deps != first.Deps || len(p.said) != 0 {
		t.Errorf("got %+v after %+v, and %q was said", second, first, p.said)
	}
	if got := p.output(first); got != "one []\n" {
		t.Errorf("a run under way that restarts its plugin gets %q", got)
	}

	p.write("mine.py", "import sys\n\ndef main():\n    print('one', sys.argv[1:])\n")
	if back := p.built(); back.Hash != first.Hash || back.Root != first.Root {
		t.Errorf("got %+v, want what was built first: %+v", back, first)
	}
}

// TestLauncher_KeepsStandardOutputForTheDescription imports a package that prints from Python and from C, with and
// without a line's end. Python's text is written at once, C's when the program exits.
func TestLauncher_KeepsStandardOutputForTheDescription(t *testing.T) {
	t.Parallel()
	p := newPackage(t).withTools()
	p.write("mine.py", `import ctypes
print("pygame 2.6.1", flush=True)
ctypes.CDLL(None).printf(b"[INFO] ")
print("Loading", end="", flush=True)
import awhost

@awhost.reward("mine")
def mine(item: awhost.Item) -> float:
    return 1.0

def main():
    awhost.serve("mine", "1.0.0", mine)
`)
	plugin := p.built()
	sdk, err := filepath.Abs("../../../../sdk/python")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(plugin.Command[0], append(plugin.Command[1:], "describe")...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+sdk, "PYTHONDONTWRITEBYTECODE=1")
	var noise strings.Builder
	cmd.Stderr = &noise
	out, err := cmd.Output()
	if err != nil || !json.Valid(out) {
		t.Errorf("%v: standard output is %q", err, out)
	}
	for _, text := range []string{"pygame 2.6.1\n", "[INFO] ", "Loading"} {
		if !strings.Contains(noise.String(), text) {
			t.Errorf("standard error is %q, without %q", noise.String(), text)
		}
	}
}

// files lists a directory.
func files(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// TestBuild_SaysWhatIsWrong uses one directory for all cases, so that the environments are created once.
func TestBuild_SaysWhatIsWrong(t *testing.T) {
	const project = "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\"tools\"]\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"no TOML", map[string]string{"pyproject.toml": "[build-system]\nrequires = [\n"}, []string{"pyproject.toml:2:13: "}},
		{"another Python", map[string]string{"pyproject.toml": project + "[project]\nrequires-python = \">=3.99\"\n"},
			[]string{"it requires Python >=3.99", "python3 (", "first in PATH"}},
		{"no specifier", map[string]string{"pyproject.toml": project + "[project]\nrequires-python = \"new\"\n"},
			[]string{`read requires-python = "new"`, "InvalidSpecifier"}},
		{"backend outside", map[string]string{"pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\"..\"]\n"}, []string{"backend-path", "not in the package"}},
		{"an option", map[string]string{"pyproject.toml": "[build-system]\nrequires = [\"--index-url=http://127.0.0.1:1\"]\n"}, []string{"is not a requirement"}},
		{"no backend", map[string]string{"pyproject.toml": strings.Replace(project, `"backend"`, `"nowhere"`, 1)},
			[]string{"the build backend nowhere", "ModuleNotFoundError: No module named 'nowhere'"}},
		{"a broken backend", map[string]string{"tools/backend.py": "def build_wheel(*_):\n    raise ValueError('no such luck')\n"}, []string{"ValueError: no such luck", "backend.py\", line 2"}},
		{"a backend that exits", map[string]string{"tools/backend.py": "import os\ndef build_wheel(*_):\n    os._exit(0)\n"},
			[]string{"exited without a response"}},
		{"no wheel", map[string]string{"tools/backend.py": "def build_wheel(*_):\n    return '../../x'\n"},
			[]string{"read the wheel x", "no such file"}},
		{"no program", map[string]string{"scripts.txt": ""}, []string{"declares no program", `mine = "MODULE:FUNCTION"`}},
		{"two programs", map[string]string{"scripts.txt": "[console_scripts]\na = mine:main\nb = mine:main\n"},
			[]string{"declares the programs a, b", "serves the plugin to mine"}},
		{"no function", map[string]string{"scripts.txt": "[console_scripts]\nmine = mine\n"},
			[]string{"want MODULE:FUNCTION"}},
		{"code for a name", map[string]string{"scripts.txt": "[console_scripts]\nmine = mine:main\");evil(\"\n"},
			[]string{"want MODULE:FUNCTION"}},
		{"nothing to install from", map[string]string{"requires.txt": "Requires-Dist: awhost-no-such-thing>=2\n"},
			[]string{"pip install awhost-no-such-thing>=2", "No matching distribution found for awhost-no-such-thing"}},
		{"an option to install", map[string]string{"requires.txt": "Requires-Dist: --index-url=http://127.0.0.1:1\n"},
			[]string{"is not a requirement"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPackage(t).withTools()
			for name, text := range c.files {
				p.write(name, text)
			}
			p.fails(c.want...)
		})
	}
}

// TestBuild_RightAgain checks that a corrected package is built after any error.
func TestBuild_RightAgain(t *testing.T) {
	t.Parallel()
	p := newPackage(t).withTools()
	p.built()
	right := "[console_scripts]\nmine = mine:main\n"
	p.write("scripts.txt", "")
	p.fails("declares no program")
	p.write("scripts.txt", right)
	if got := p.output(p.built()); got != "one []\n" {
		t.Errorf("after all of this it prints %q", got)
	}
}

// TestBuild_ByTenAtOnce checks that concurrent builds wait for one another and return the same result.
func TestBuild_ByTenAtOnce(t *testing.T) {
	t.Parallel()
	p := newPackage(t).withTools()
	type result struct {
		plugin *pyenv.Plugin
		err    error
	}
	results := make(chan result)
	for range 10 {
		go func() {
			plugin, err := pyenv.Config{Home: p.home}.Build(t.Context(), "mine", p.dir)
			results <- result{plugin, err}
		}()
	}
	roots := map[string]bool{}
	for range 10 {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
			continue
		}
		roots[r.plugin.Root] = true
	}
	if len(roots) != 1 {
		t.Errorf("they got %v", roots)
	}
	p.output(p.built())
}

// TestBuild_WhatAKilledOneLeftIsNotTakenForComplete checks that an environment without its mark, or whose Python is
// missing, is created again.
func TestBuild_WhatAKilledOneLeftIsNotTakenForComplete(t *testing.T) {
	t.Parallel()
	p := newPackage(t).withTools()
	first := p.built()
	scrap := filepath.Join(p.home, ".tmp-killed")
	err := errors.Join(
		os.Mkdir(scrap, 0o755),
		os.Remove(filepath.Join(first.Deps, "awhost.json")),
		os.RemoveAll(filepath.Join(first.Deps, "lib")),
		os.Remove(filepath.Join(first.Root, "program", "__main__.py")),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pyenv.Digest(first.Root, first.Deps, nil); err == nil {
		t.Error("what is not complete has a digest")
	}
	again := p.built()
	if again.Hash != first.Hash || p.output(again) != "one []\n" {
		t.Errorf("got %+v, want %+v", again, first)
	}
	if _, err := os.Stat(scrap); err == nil {
		t.Error("what a killed build left is still there")
	}
	if p.built(); len(p.said) > 0 {
		t.Errorf("the environments were complete, and yet: %q", p.said)
	}
	if err := os.Remove(filepath.Join(again.Deps, "bin", "python")); err != nil {
		t.Fatal(err)
	}
	if p.output(p.built()) != "one []\n" {
		t.Error("it does not run")
	}
}

// TestBuild_LeavesTheCachesOfAWheelBehind checks that files outside of the digest are not installed.
func TestBuild_LeavesTheCachesOfAWheelBehind(t *testing.T) {
	t.Parallel()
	p := newPackage(t).withTools()
	p.write("tools/backend.py", strings.Replace(p.backend(), `        wheel.writestr("mine-1.0.dist-info/RECORD", "")
`, `        wheel.writestr("mine-1.0.dist-info/RECORD", "")
        wheel.writestr("__pycache__/mine.cpython-311.pyc", "planted")
        wheel.writestr("mine-1.0.data/purelib/sub/__pycache__/x.pyc", "planted")
        wheel.writestr("sub/kept.py", "")
`, 1))
	var found []string
	if err := filepath.WalkDir(p.built().Root, func(path string, d os.DirEntry, err error) error {
		if d.Name() == "__pycache__" || d.Name() == "kept.py" {
			found = append(found, d.Name())
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if strings.Join(found, " ") != "kept.py" {
		t.Errorf("the environment holds %v", found)
	}
}

// TestSources_NamesWhatABuildDependsOn checks that edits change the digest, and files of tools do not.
func TestSources_NamesWhatABuildDependsOn(t *testing.T) {
	p := newPackage(t)
	sum := func() string {
		t.Helper()
		s, err := pyenv.Sources(t.Context(), p.dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := sum()
	for _, name := range []string{".git/HEAD", "__pycache__/mine.cpython-311.pyc", "build/lib/mine.py", "dist/mine.whl",
		"mine.egg-info/PKG-INFO", "env/pyvenv.cfg", "env/bin/python"} {
		p.write(name, "x")
	}
	if after := sum(); after != before {
		t.Error("what tools leave counts as sources")
	}
	p.write("sub/build/mine.py", "x = 1\n")
	if after := sum(); after == before {
		t.Error("a module in a folder called build is no source")
	}
	if err := os.Symlink("/etc", filepath.Join(p.dir, "etc")); err != nil {
		t.Fatal(err)
	}
	if _, err := pyenv.Sources(t.Context(), p.dir); err == nil ||
		!strings.Contains(err.Error(), "etc is neither a file nor a directory") {
		t.Errorf("got %v", err)
	}
}

func TestBuild_WithoutAPython(t *testing.T) {
	p := newPackage(t)
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	p.fails("is a Python package", "python3 is not in PATH", "python3-venv")
	for script, want := range map[string][]string{
		"#!/bin/sh\necho 'Python is not set up' >&2; exit 1\n": {"query the version of " + bin + "/python3",
			"Python is not set up"},
		"#!/bin/sh\necho hello\n": {"is not a supported Python", "hello"},
		"#!/bin/sh\necho '{\"executable\": \"/x\", \"version\": \"3.8.1\", \"site\": \"lib\", \"short\": [3, 8]}'\n": {"is Python 3.8.1, but plugins require 3.10"},
	} {
		if err := os.WriteFile(filepath.Join(bin, "python3"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		p.fails(want...)
	}
}
