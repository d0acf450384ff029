package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/framework"
)

// verlAt writes a verl of a version into a directory.
func verlAt(t *testing.T, dir, version string) {
	t.Helper()
	write(t, dir, "verl/version/version", version+"\n")
	write(t, dir, "verl/trainer/config/_generated_ppo_trainer.yaml", "trainer: {nnodes: 1}\n")
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// venv writes a virtual environment whose interpreter belongs to another installation, and returns its packages.
func venv(t *testing.T, dir, config string) string {
	t.Helper()
	write(t, dir, "base/bin/python3.11", "#!/bin/false\n")
	if err := os.Chmod(filepath.Join(dir, "base", "bin", "python3.11"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "venv/pyvenv.cfg", config)
	link(t, filepath.Join(dir, "base", "bin", "python3.11"), filepath.Join(dir, "venv", "bin", "python"))
	site := filepath.Join(dir, "venv", "lib", "python3.11", "site-packages")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	return site
}

const venvConfig = "home = /nowhere/bin\ninclude-system-site-packages = false\nversion = 3.11.7\n"

func TestFind_LooksWherePythonDoes(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string) (python string)
		version string
		python  string // version
	}{
		"a virtual environment, by its interpreter": {func(t *testing.T, dir string) string {
			verlAt(t, venv(t, dir, venvConfig), "0.9.1")
			return filepath.Join(dir, "venv", "bin", "python")
		}, "0.9.1", "3.11.7"},
		"a virtual environment, by its directory": {func(t *testing.T, dir string) string {
			verlAt(t, venv(t, dir, "version_info = 3.11.9.final.0\n"), "0.8.0")
			return filepath.Join(dir, "venv")
		}, "0.8.0", "3.11.9.final.0"},
		"the installation behind one that sees it": {func(t *testing.T, dir string) string {
			venv(t, dir, "home = "+filepath.Join(dir, "base", "bin")+"\ninclude-system-site-packages = true\nversion = 3.11.7\n")
			verlAt(t, filepath.Join(dir, "base", "lib", "python3.11", "site-packages"), "0.7.1")
			return filepath.Join(dir, "venv", "bin", "python")
		}, "0.7.1", "3.11.7"},
		"an installation without pyvenv.cfg, as conda makes them": {func(t *testing.T, dir string) string {
			write(t, dir, "env/bin/python3.12", "")
			link(t, "python3.12", filepath.Join(dir, "env", "bin", "python"))
			verlAt(t, filepath.Join(dir, "env", "lib", "python3.11", "site-packages"), "0.6.0") // of another Python
			verlAt(t, filepath.Join(dir, "env", "lib", "python3.12", "site-packages"), "0.9.0")
			return filepath.Join(dir, "env", "bin", "python")
		}, "0.9.0", "3.12"},
		"an editable installation": {func(t *testing.T, dir string) string {
			site := venv(t, dir, venvConfig)
			verlAt(t, filepath.Join(dir, "check out"), "0.10.0.dev")
			write(t, site, "verl-0.9.0.dist-info/direct_url.json", `{"url": "file://`+filepath.ToSlash(filepath.Join(dir, "check%20out"))+`", "dir_info": {"editable": true}}`)
			return filepath.Join(dir, "venv", "bin", "python")
		}, "0.10.0.dev", "3.11.7"},
		"a path file": {func(t *testing.T, dir string) string {
			site := venv(t, dir, venvConfig)
			verlAt(t, filepath.Join(dir, "source"), "0.8.0.dev")
			write(t, site, "mine.pth", "# comment\nimport something\n\n"+filepath.Join(dir, "source")+"\n")
			return filepath.Join(dir, "venv", "bin", "python")
		}, "0.8.0.dev", "3.11.7"},
		"a copy before a path file": {func(t *testing.T, dir string) string {
			site := venv(t, dir, venvConfig)
			verlAt(t, site, "0.9.1")
			verlAt(t, filepath.Join(dir, "source"), "0.8.0")
			write(t, site, "mine.pth", filepath.Join(dir, "source")+"\n")
			return filepath.Join(dir, "venv", "bin", "python")
		}, "0.9.1", "3.11.7"},
		"a checkout": {func(t *testing.T, dir string) string {
			verlAt(t, dir, "0.8.0.dev")
			return dir
		}, "0.8.0.dev", ""},
		"a wheel without a version file": {func(t *testing.T, dir string) string {
			write(t, dir, "verl/trainer/config/_generated_ppo_trainer.yaml", "a: 1\n")
			write(t, dir, "verl-0.9.1.dist-info/METADATA", "Name: verl\nVersion: 0.9.1\n\nVersion: 7")
			return dir
		}, "0.9.1", ""},
		"an interpreter on PATH": {func(t *testing.T, dir string) string {
			verlAt(t, venv(t, dir, venvConfig), "0.9.1")
			link(t, filepath.Join(dir, "venv", "bin", "python"), filepath.Join(dir, "venv", "bin", "my-python"))
			t.Setenv("PATH", filepath.Join(dir, "venv", "bin"))
			return "my-python"
		}, "0.9.1", "3.11.7"},
	} {
		t.Run(name, func(t *testing.T) {
			installed, err := Find(c.prepare(t, t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			if installed.Version != c.version || installed.Sites.Version != c.python {
				t.Errorf("found verl %s of Python %s, want %s of %s", installed.Version, installed.Sites.Version, c.version, c.python)
			}
		})
	}
}

func TestFind_SaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	venv(t, dir, venvConfig)
	write(t, dir, "shims/python", "#!/bin/sh\n")
	write(t, dir, "broken/verl/trainer/config/_generated_ppo_trainer.yaml", "a: 1\n")
	write(t, dir, "odd/verl/trainer/config/_generated_ppo_trainer.yaml", "a: 1\n")
	write(t, dir, "odd/verl/version/version", "main\n")
	for python, want := range map[string]string{
		"no-such-python":                         "there is no no-such-python on PATH",
		filepath.Join(dir, "nowhere"):            "no such file",
		filepath.Join(dir, "venv"):               "install it there (pip install verl==0.9.1)",
		filepath.Join(dir, "shims", "python"):    "belongs to no directory of packages",
		filepath.Join(dir, "broken"):             "read the version of verl",
		filepath.Join(dir, "odd"):                `neither verl/version/version nor the metadata has one`,
		filepath.Join(dir, "venv", "pyvenv.cfg"): "belongs to no directory of packages",
	} {
		_, err := Find(python)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%q): %v, want %q", python, err, want)
		}
	}
	if _, err := Find(filepath.Join(dir, "venv")); !errors.Is(err, framework.ErrNotInstalled) {
		t.Errorf("%v is not framework.ErrNotInstalled", err)
	}
}

func TestPythonFits(t *testing.T) {
	for _, c := range []struct {
		have, want string
		fits       bool
	}{
		{"3.11.7", ">=3.10,<3.13", true}, {"3.13.1", ">=3.10,<3.13", false}, {"3.9.2", ">=3.10", false}, {"3.12", ">=3.10,<3.13", true}, {"3.13", "<3.13", false},
		{"3.11.9.final.0", ">=3.10", true}, {"", ">=3.10", true}, {"3.11", "", true}, {"3.11", "~~odd", true},
	} {
		if got := pythonFits(c.have, c.want); got != c.fits {
			t.Errorf("Python %s for %s: %v, want %v", c.have, c.want, got, c.fits)
		}
	}
}
