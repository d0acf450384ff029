package catalog

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/host/internal/wholefile"
)

// environments is a built Python package, created by hand: pip would take a hundred times as long.
type environments struct {
	t          *testing.T
	entry      *Entry
	root, deps string
	mark       string // a file that changed content writes when it is executed
}

const site = "lib/python3/site-packages"

func newEnvironments(t *testing.T) *environments {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no Python package was started. Install python3 and put it on PATH")
	}
	home := t.TempDir()
	e := &environments{
		t: t, root: filepath.Join(home, "package-1"), deps: filepath.Join(home, "deps-1"),
		mark: filepath.Join(t.TempDir(), "executed"),
	}
	e.write("deps-1/awhost.json", "{}\n")
	e.write("deps-1/pyvenv.cfg", "version = 3\n")
	e.write("deps-1/"+site+"/numbers_.py", "value = 1\n")
	e.write("deps-1/"+site+"/numbers_-1.dist-info/RECORD", "numbers_.py,sha256=of-the-wheel,10\n")
	e.write("package-1/pyvenv.cfg", "version = 3\n")
	e.write("package-1/"+site+"/awhost_dependencies.pth",
		"import site; site.addsitedir(\""+filepath.Join(e.deps, site)+"\")\n")
	e.write("package-1/program/__main__.py",
		"import sys\nsys.path.append('"+filepath.Join(e.deps, site)+"')\nimport numbers_\n")
	e.link(python)
	hash, err := pyenv.Digest(e.root, e.deps, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := product{
		Origin: OriginPython, Program: filepath.Join(e.root, "program"), Root: e.root, Deps: e.deps,
		Command: []string{filepath.Join(e.root, "bin", "python"), filepath.Join(e.root, "program")},
	}
	e.entry = &Entry{Name: "mine", Command: p.Command, Hash: hash, executable: &executable{product: p, name: "mine"}}
	return e
}

func (e *environments) write(name, text string) {
	e.t.Helper()
	path := filepath.Join(filepath.Dir(e.root), name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		e.t.Fatal(err)
	}
}

// link replaces the environment's Python.
func (e *environments) link(target string) {
	e.t.Helper()
	path := filepath.Join(e.root, "bin", "python")
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.RemoveAll(path), os.Symlink(target, path))
	if err != nil {
		e.t.Fatal(err)
	}
}

// start does the same as a supervisor for each process.
func (e *environments) start() error {
	held, err := e.entry.Hold()
	if err != nil {
		return err
	}
	defer held.Release()
	if text, err := exec.Command(held.Command[0], held.Command[1:]...).CombinedOutput(); err != nil {
		e.t.Fatalf("%v: %s", err, text)
	}
	return held.Check()
}

// malice returns Python code that creates the marker file.
func (e *environments) malice() string { return "open('" + e.mark + "', 'w')\n" }

func TestPythonPackage_ThatChangedIsNotStarted(t *testing.T) {
	for what, c := range map[string]struct {
		change func(*environments)
		words  []string
	}{
		"its own code": {
			func(e *environments) { e.write("package-1/program/__main__.py", e.malice()) },
			[]string{"package-1 was sha256:", "is now sha256:"},
		},
		"a dependency": {
			func(e *environments) { e.write("deps-1/"+site+"/numbers_.py", e.malice()) },
			[]string{"numbers_.py was sha256:", "is now sha256:", "Remove ", "deps-1, and run"},
		},
		"a dependency, with its time set back": {
			func(e *environments) {
				path := filepath.Join(e.deps, site, "numbers_.py")
				info, err := os.Stat(path)
				if err != nil {
					e.t.Fatal(err)
				}
				e.write("deps-1/"+site+"/numbers_.py", e.malice())
				if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
					e.t.Fatal(err)
				}
			},
			[]string{"numbers_.py was sha256:"},
		},
		"a module more": {
			func(e *environments) { e.write("deps-1/"+site+"/sitecustomize.py", e.malice()) },
			[]string{"sitecustomize.py was absent and is now sha256:"},
		},
		"a dependency that is gone": {
			func(e *environments) {
				if err := os.Remove(filepath.Join(e.deps, site, "numbers_.py")); err != nil {
					e.t.Fatal(err)
				}
			},
			[]string{"numbers_.py was sha256:", "is now absent"},
		},
		"another Python": {
			func(e *environments) { e.link("/bin/true") },
			[]string{"bin/python was a link to ", "is now a link to /bin/true"},
		},
		"a program in the place of Python": {
			func(e *environments) {
				if err := os.Remove(filepath.Join(e.root, "bin", "python")); err != nil {
					e.t.Fatal(err)
				}
				e.write("package-1/bin/python", "#!/bin/sh\n")
			},
			[]string{"bin/python"},
		},
	} {
		t.Run(what, func(t *testing.T) {
			e := newEnvironments(t)
			for range 2 {
				if err := e.start(); err != nil { // the second time with Python's caches
					t.Fatal(err)
				}
			}
			c.change(e)
			err := e.start()
			var changed *ChangedError
			if !errors.As(err, &changed) {
				t.Fatalf("want a ChangedError, got %v", err)
			}
			for _, word := range append(c.words, "plugin mine", "awhost init", "awhost resume") {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in: %v", word, err)
				}
			}
			if _, err := os.Stat(e.mark); err == nil {
				t.Error("changed content was executed")
			}
		})
	}
}

// TestHold_TenAtOnce checks that ten holders share one private copy, which is removed with the last of them.
func TestHold_TenAtOnce(t *testing.T) {
	dir := t.TempDir()
	program, home := filepath.Join(dir, "mine"), filepath.Join(dir, "started")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hash, err := wholefile.Digest(program)
	if err != nil {
		t.Fatal(err)
	}
	x := &executable{product: product{Origin: OriginProgram, Program: program}, name: "mine", home: home}
	entry := &Entry{Name: "mine", Command: []string{program}, Hash: hash, executable: x}
	all := make([]*Held, 10)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			var err error
			if all[i], err = entry.Hold(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		return
	}
	// Later changes to the file must not affect the started program.
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, held := range all {
		if now, err := wholefile.Digest(held.Command[0]); err != nil || now != hash {
			t.Errorf("%s is %s, %v", held.Command[0], now, err)
		}
	}
	if left, _ := os.ReadDir(home); len(left) != 1 {
		t.Errorf("want one copy, got %v", left)
	}
	for _, held := range all {
		held.Release()
		held.Release() // the second call has no effect
	}
	if left, _ := os.ReadDir(home); len(left) != 0 {
		t.Errorf("%v were left", left)
	}
}
