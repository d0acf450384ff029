package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plant creates the files of an archive below a new directory. Files in a bin directory are programs. ROOT is
// replaced by the directory.
func plant(t *testing.T, archive string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(root, f.Name)
		mode := os.FileMode(0o644)
		if filepath.Base(filepath.Dir(path)) == "bin" || filepath.Base(filepath.Dir(path)) == "shims" {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(f.Data), "ROOT", root)), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFind_LooksWherePeopleKeepEnvironments(t *testing.T) {
	root := plant(t, `
-- spec/.venv/pyvenv.cfg --
version = 3.11.7
-- spec/.venv/bin/python --
-- here/venv/pyvenv.cfg --
version = 3.12.1
-- here/venv/bin/python3 --
-- named/bin/python --
-- named/pyvenv.cfg --
-- conda/bin/python --
-- conda/conda-meta/history --
-- usr/bin/python3.9 --
-- home/.conda/environments.txt --
ROOT/conda
ROOT/other
ROOT/gone
-- other/bin/python --
-- home/.pyenv/versions/3.10.13/bin/python --
-- home/.pyenv/versions/3.8.18/bin/python --
-- home/.pyenv/shims/python3 --
-- home/.pyenv/version --
3.10.13
`)
	if err := os.Symlink("python3.9", filepath.Join(root, "usr", "bin", "python3")); err != nil {
		t.Fatal(err)
	}
	environ := map[string]string{
		"CONDA_PREFIX": filepath.Join(root, "conda"),
		"PATH":         strings.Join([]string{root + "/home/.pyenv/shims", root + "/usr/bin", "bin", ""}, ":"),
		"VIRTUAL_ENV":  filepath.Join(root, "spec", ".venv"),
	}
	got, omitted := Find(Search{
		Named: []Place{{Python: filepath.Join(root, "named"), Origin: "--python", Own: true, Meant: true}},
		Dir:   filepath.Join(root, "spec"), WorkDir: filepath.Join(root, "here"), Home: filepath.Join(root, "home"),
		Getenv: func(name string) string { return environ[name] },
	})
	var lines []string
	for _, p := range got {
		prefix, _ := filepath.Rel(root, p.Prefix)
		python, _ := filepath.Rel(root, p.Python)
		lines = append(lines, fmt.Sprintf("%s %s (%s) own=%v meant=%v listed=%v", prefix, python, p.Origin, p.Own, p.Meant,
			p.Listed))
	}
	want := []string{
		"named named/bin/python (--python) own=true meant=true listed=false",
		"spec/.venv spec/.venv/bin/python (next to the spec, VIRTUAL_ENV) own=true meant=true listed=false",
		"here/venv here/venv/bin/python3 (in this directory) own=false meant=false listed=false",
		"conda conda/bin/python (CONDA_PREFIX, conda) own=true meant=false listed=false",
		"home/.pyenv/versions/3.10.13 home/.pyenv/shims/python3 (PATH, pyenv) own=true meant=false listed=false",
		"usr usr/bin/python3 (PATH) own=true meant=false listed=false",
		"other other/bin/python (conda) own=true meant=false listed=true",
		"home/.pyenv/versions/3.8.18 home/.pyenv/versions/3.8.18/bin/python (pyenv) own=true meant=false listed=true",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if omitted != 0 {
		t.Errorf("%d were left out", omitted)
	}
}

func TestFind_BoundsLists(t *testing.T) {
	root := t.TempDir()
	for i := range mostListed + 3 {
		dir := filepath.Join(root, ".pyenv", "versions", fmt.Sprintf("3.%d.0", i), "bin")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "python"), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got, omitted := Find(Search{Dir: root, WorkDir: root, Home: root, Getenv: func(string) string { return "" }})
	if len(got) != mostListed || omitted != 3 {
		t.Errorf("got %d, left out %d", len(got), omitted)
	}
}

// Find selects the same versions as pyenv's shims.
func TestFind_FollowsShims(t *testing.T) {
	root := plant(t, `
-- .pyenv/shims/python3 --
-- .pyenv/version --
3.8.18
-- .pyenv/versions/3.8.18/bin/python --
-- .pyenv/versions/3.9.9/bin/python --
-- .pyenv/versions/3.12.1/bin/python --
-- project/.python-version --
3.9.9
-- project/deep/file --
`)
	for _, c := range []struct{ workDir, variable, want string }{
		{".", "", "3.8.18"}, {"project/deep", "", "3.9.9"}, {"project/deep", "3.12.1:3.9.9", "3.12.1"},
		{".", "../../etc", "3.8.18"}, // not a valid version
	} {
		s := Search{WorkDir: filepath.Join(root, c.workDir), Home: root, Getenv: func(name string) string {
			return map[string]string{"PYENV_VERSION": c.variable}[name]
		}}
		want := filepath.Join(root, ".pyenv", "versions", c.want)
		if got := s.prefixOf(filepath.Join(root, ".pyenv", "shims", "python3")); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}

const wantedPackages = "verl ms-swift torch ray broken legacy develop flash-attn"

const manyPackages = `
-- env/pyvenv.cfg --
home = ROOT/base/bin
include-system-site-packages = true
version = 3.11.7
-- env/bin/python --
-- env/lib/python3.11/site-packages/verl-0.9.1.dist-info/METADATA --
Metadata-Version: 2.4
Name: verl
Version: 0.9.1

Version: 9.9.9 of the description
-- env/lib/python3.11/site-packages/ms_swift-4.6.0.dist-info/METADATA --
Name: ms-swift
Version: 4.6.0
-- env/lib/python3.11/site-packages/ms_swift-4.6.0.dist-info/direct_url.json --
{"url": "file:///src/my%20swift", "dir_info": {"editable": true}}
-- env/lib/python3.11/site-packages/flash_attn-2.8.0.dist-info/METADATA --
Version: 2.8.0
-- env/lib/python3.11/site-packages/flash_attn-2.8.0.dist-info/direct_url.json --
{"url": "https://example.com/flash_attn.whl", "archive_info": {}}
-- env/lib/python3.11/site-packages/ray-2.50.0.dist-info/METADATA --
Version: 2.50.0
-- env/lib/python3.11/site-packages/ray-2.52.0.dist-info/METADATA --
Version: 2.52.0
-- env/lib/python3.11/site-packages/broken-1.0.dist-info/RECORD --
-- env/lib/python3.11/site-packages/legacy-0.3-py3.11.egg-info/PKG-INFO --
Version: 0.3
-- env/lib/python3.11/site-packages/develop.egg-link --
ROOT/develop source
.
-- develop source/develop.egg-info/PKG-INFO --
Version: 0.4.dev0
-- env/lib/python3.11/site-packages/verl_extras-7.dist-info/METADATA --
Version: 7
-- base/lib/python3.11/site-packages/torch-2.11.0+cpu.dist-info/METADATA --
Version: 2.11.0+cpu
-- base/lib/python3.11/site-packages/verl-0.5.0.dist-info/METADATA --
Version: 0.5.0
`

func TestRead_KnowsPackagesByTheirMetadata(t *testing.T) {
	root := plant(t, manyPackages)
	got, err := Read(place(root, "env"), "", strings.Fields(wantedPackages))
	if err != nil {
		t.Fatal(err)
	}
	site, base := filepath.Join(root, "env/lib/python3.11/site-packages"),
		filepath.Join(root, "base/lib/python3.11/site-packages")
	want := []Package{
		{Name: "verl", Version: "0.9.1", Dir: site},
		{Name: "ms-swift", Version: "4.6.0", Editable: "/src/my swift", Dir: site},
		{Name: "torch", Version: "2.11.0+cpu", Dir: base},
		{Name: "ray", Version: "2.52.0", Dir: site},
		{Name: "legacy", Version: "0.3", Dir: site},
		{Name: "develop", Version: "0.4.dev0", Editable: filepath.Join(root, "develop source"), Dir: site},
		{Name: "flash-attn", Version: "2.8.0", Dir: site},
	}
	if diff := cmp.Diff(want, got.Packages); diff != "" {
		t.Error(diff)
	}
	if got.Version != "3.11.7" {
		t.Errorf("Python %q", got.Version)
	}
	problems := strings.Join(got.Problems, "\n")
	for _, want := range []string{"broken: open ", "METADATA: no such file",
		"ray: two versions are recorded, 2.50.0 and 2.52.0"} {
		if !strings.Contains(problems, want) {
			t.Errorf("no %q in %s", want, problems)
		}
	}
	if len(got.Problems) != 2 {
		t.Errorf("problems: %s", problems)
	}
}

func place(root, prefix string) Place {
	return Place{Prefix: filepath.Join(root, prefix), Python: filepath.Join(root, prefix, "bin", "python"), Own: true}
}

// The version of a Python is determined from files in its installation, without starting it.
func TestRead_FindsTheVersionOfPython(t *testing.T) {
	root := plant(t, `
-- venv/pyvenv.cfg --
version = 3.11.7
-- venv/bin/python --
-- virtualenv/pyvenv.cfg --
version_info = 3.10.13.final.0
-- virtualenv/bin/python --
-- uv/pyvenv.cfg --
home = /usr/bin
version_info = 3.12.4
-- uv/bin/python --
-- conda/conda-meta/python-3.9.18-h955ad1f_0.json --
-- conda/conda-meta/python-dateutil-2.8-x.json --
-- conda/bin/python --
-- conda/lib/python3.9/os.py --
-- built/bin/python --
-- built/lib/python3.13/os.py --
-- built/include/python3.13/patchlevel.h --
#define PY_MINOR_VERSION 13
#define PY_VERSION      	"3.13.0"
-- plain/bin/python --
-- plain/lib/python3.8/os.py --
-- many/bin/python --
-- many/lib/python3.8/os.py --
-- many/lib/python3.9/os.py --
-- odd[1]/bin/python --
-- odd[1]/lib/python3.7/os.py --
`)
	for prefix, want := range map[string]string{
		"venv": "3.11.7", "virtualenv": "3.10.13", "uv": "3.12.4", "conda": "3.9.18", "built": "3.13.0", "plain": "3.8",
		"many": "", "odd[1]": "3.7",
	} {
		e, err := Read(place(root, prefix), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.Version != want {
			t.Errorf("%s: Python %q, want %q", prefix, e.Version, want)
		}
	}
}

// The user's own packages count for a Python outside of virtual environments, as they do when it runs.
func TestRead_KnowsTheUsersOwnPackages(t *testing.T) {
	root := plant(t, `
-- usr/bin/python3.11 --
-- usr/lib/python3.11/site-packages/torch-2.0.0.dist-info/METADATA --
Version: 2.0.0
-- home/.local/lib/python3.11/site-packages/torch-2.11.0.dist-info/METADATA --
Version: 2.11.0
-- venv/pyvenv.cfg --
version = 3.11.7
-- venv/bin/python --
`)
	system, err := Read(Place{Prefix: filepath.Join(root, "usr"), Python: filepath.Join(root, "usr/bin/python3.11")},
		filepath.Join(root, "home"), []string{"torch"})
	if err != nil {
		t.Fatal(err)
	}
	if torch, _ := system.Package("Torch"); torch.Version != "2.11.0" {
		t.Errorf("got %+v", system.Packages)
	}
	venv, err := Read(place(root, "venv"), filepath.Join(root, "home"), []string{"torch"})
	if err != nil || len(venv.Packages) != 0 {
		t.Errorf("got %+v, %v", venv, err)
	}
}

func TestRead_SaysWhatKeepsAPythonFromStarting(t *testing.T) {
	root := plant(t, "-- folder/bin/python/file --\n-- empty/pyvenv.cfg --\n-- gone/pyvenv.cfg --\n-- gone/bin/other --\n")
	if err := os.Symlink("/nowhere/python3.11", filepath.Join(root, "gone", "bin", "python")); err != nil {
		t.Fatal(err)
	}
	for prefix, want := range map[string]string{
		"gone": "links to /nowhere/python3.11, which does not exist", "empty": "no such file", "folder": "is not a program",
	} {
		if _, err := Read(place(root, prefix), "", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", prefix, err, want)
		}
	}
}

func TestNormalise(t *testing.T) {
	for in, want := range map[string]string{"ms_swift": "ms-swift", "MS.Swift": "ms-swift", "flash--attn": "flash-attn",
		"torch": "torch", "_x_": "x"} {
		if got := Normalise(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzVersionIn tests untrusted METADATA.
func FuzzVersionIn(f *testing.F) {
	f.Add([]byte("Name: verl\nVersion: 0.9.1\n\nText"))
	f.Add([]byte("\nVersion: 1"))
	f.Add([]byte("version:\x00\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "METADATA")
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		version, err := versionIn(path)
		if err != nil && version != "" {
			t.Errorf("%q and %v", version, err)
		}
		if strings.ContainsAny(version, "\n") {
			t.Errorf("%q has several lines", version)
		}
	})
}

// fakeTorch is an interpreter that responds like torch and records how it was started.
const fakeTorch = `#!/bin/sh
printf '%s\n' "$@" >ROOT/arguments
env >ROOT/environment
pwd >ROOT/directory
echo something else prints
echo '{"version": "2.11.0", "built_for": "CUDA 13.0", "cuda_available": true, "devices": ["NVIDIA H200"]}'
`

func TestAskTorch_StartsPythonAlone(t *testing.T) {
	root := plant(t, "-- env/bin/python --\n"+fakeTorch)
	e := &Environment{Place: place(root, "env"), Packages: []Package{{Name: "torch", Version: "2.11.0", Dir: "/site"}}}
	environ := []string{"PATH=" + os.Getenv("PATH"), "CUDA_VISIBLE_DEVICES=0", "PYTHONPATH=/evil", "HF_TOKEN=secret"}
	got, err := AskTorch(t.Context(), e, environ)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Torch{Version: "2.11.0", BuiltFor: "CUDA 13.0", CUDA: true, Devices: []string{"NVIDIA H200"}},
		got); diff != "" {
		t.Error(diff)
	}
	arguments, given, directory := read(t, root, "arguments"), read(t, root, "environment"), read(t, root, "directory")
	if !strings.HasPrefix(arguments, "-I\n-B\n-c\n") || !strings.HasSuffix(arguments, "/site\n") {
		t.Errorf("arguments %q", arguments)
	}
	if !strings.Contains(given, "CUDA_VISIBLE_DEVICES=0") || strings.Contains(given, "evil") ||
		strings.Contains(given, "secret") {
		t.Errorf("environment %q", given)
	}
	if directory != "/\n" {
		t.Errorf("started in %q", directory)
	}
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAskTorch_SaysWhatWentWrong(t *testing.T) {
	root := plant(t, `
-- fails/bin/python --
#!/bin/sh
echo 'Traceback (most recent call last):' >&2
echo 'ImportError: libcudart.so.13: cannot open shared object file' >&2
exit 1
-- babbles/bin/python --
#!/bin/sh
echo hello
-- hangs/bin/python --
#!/bin/sh
sleep 1000 &
echo $! >ROOT/sleeper
wait
`)
	ask := func(prefix string) error {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, errors.New("no answer within 3s"))
		defer cancel()
		_, err := AskTorch(ctx, &Environment{Place: place(root, prefix), Packages: []Package{{Name: "torch"}}}, os.Environ())
		return err
	}
	for prefix, want := range map[string]string{
		"fails":   "exit status 1: ImportError: libcudart.so.13: cannot open shared object file",
		"babbles": `answered "hello" instead of JSON`, "hangs": "no answer within 3s",
	} {
		if err := ask(prefix); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", prefix, err, want)
		}
	}
	sleeper := strings.TrimSpace(read(t, root, "sleeper"))
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + sleeper + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %s, which the interpreter had started, lives on", sleeper)
}
