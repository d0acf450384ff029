package pyenv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/wheels"
)

const (
	kindBuild   = "build"
	kindDeps    = "deps"
	kindPackage = "package"

	// markName is the file that marks an environment as complete. It is written last.
	markName = "awhost.json"

	venvTimeout    = 10 * time.Minute
	installTimeout = time.Hour // frameworks are gigabytes
)

// environment is a virtual environment with the requested packages.
type environment struct {
	dir       string
	python    python
	Requires  []string `json:"requires"`
	Installed []string `json:"installed"` // further packages requested by the backend
	Serves    []string `json:"serves"`    // values of requires-python that its Python satisfies
}

func (e *environment) program() string { return filepath.Join(e.dir, "bin", "python") }

func (e *environment) markPath() string { return filepath.Join(e.dir, markName) }

// save marks the environment as complete.
func (e *environment) save() error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	fresh := e.markPath() + ".new"
	return errors.Join(os.WriteFile(fresh, append(text, '\n'), 0o644), os.Rename(fresh, e.markPath()))
}

// environment returns the environment for a set of requirements. It creates the environment if it does not exist. With
// tools, it has no pip, and the pip of tools fills it.
func (b *builder) environment(ctx context.Context, h *house, kind string, requires []string,
	tools *environment) (*environment, error) {
	requires = slices.Clone(requires)
	slices.Sort(requires)
	e := &environment{python: b.python, Requires: slices.Compact(requires)}
	if e.find(filepath.Join(b.config.Home, kind+"-"+e.key(h))) {
		return e, nil
	}
	if b.config.Say != nil {
		b.config.Say(map[string]string{kindBuild: "creating the environment to build it",
			kindDeps: "installing its dependencies"}[kind])
	}
	if err := e.create(ctx, tools == nil); err != nil {
		return nil, err
	}
	if tools == nil {
		tools = e
	}
	if err := e.install(ctx, h, tools, e.Requires); err != nil {
		return nil, err
	}
	return e, e.save()
}

// find uses the environment with the given name if it is complete. Otherwise dir is set to a new path for it, because a
// child of a killed build may still be writing to the old path.
func (e *environment) find(base string) (complete bool) {
	others, _ := filepath.Glob(globEscape(base) + "-*")
	for _, e.dir = range append([]string{base}, others...) {
		if e.load() {
			return true
		}
	}
	e.dir = base
	for n := 2; ; n++ {
		if _, err := os.Lstat(e.dir); errors.Is(err, os.ErrNotExist) {
			return false
		}
		e.dir = fmt.Sprintf("%s-%d", base, n)
	}
}

// load reads the mark of a complete environment.
func (e *environment) load() bool {
	text, err := os.ReadFile(e.markPath())
	if err != nil || json.Unmarshal(text, e) != nil {
		return false
	}
	_, err = os.Stat(e.program())
	return err == nil
}

// key returns a name derived from the environment's contents. awhost's Python package is part of this binary, so an
// environment that contains it differs between binaries.
func (e *environment) key(h *house) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", e.python.identity())
	for _, r := range e.Requires {
		fmt.Fprintf(sum, "%q\n", r)
		if wheels.NormalizeName(requirementName.FindString(r)) == h.sdk.Name {
			fmt.Fprintf(sum, "%s\n", h.sdk.Hash)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

var requirementName = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9._]*`)

func (e *environment) create(ctx context.Context, withPip bool) error {
	ctx, cancel := context.WithTimeout(ctx, venvTimeout)
	defer cancel()
	args := []string{"-m", "venv"}
	if !withPip {
		args = append(args, "--without-pip")
	}
	return run(ctx, command(ctx, "", e.python.Executable, append(args, e.dir)...), "python3 -m venv", venvTimeout)
}

// install installs requirements with pip and the user's pip settings, and awhost's package from this binary.
func (e *environment) install(ctx context.Context, h *house, tools *environment, requires []string) error {
	if len(requires) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, installTimeout)
	defer cancel()
	args := append([]string{"-m", "pip", "--python", e.program(), "install", "--quiet", "--no-input",
		"--disable-pip-version-check",
		"--no-warn-script-location", "--find-links", h.dir, "--constraint", h.constraints()}, requires...)
	return run(ctx, command(ctx, "", tools.program(), args...), "pip install "+strings.Join(requires, " "), installTimeout)
}

// overlay creates an environment in dir that uses another environment's packages and is itself empty. It is equivalent
// to `python -m venv`, but nearly instantaneous, and can be renamed.
func overlay(dir string, deps *environment) error {
	site := filepath.Join(dir, deps.python.Site)
	if err := errors.Join(os.MkdirAll(site, 0o755), os.MkdirAll(filepath.Join(dir, "bin"), 0o755)); err != nil {
		return err
	}
	config, err := os.ReadFile(filepath.Join(deps.dir, "pyvenv.cfg"))
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "pyvenv.cfg"), config, 0o644)); err != nil {
		return err
	}
	for _, name := range []string{"python", "python3"} {
		if err := os.Symlink(deps.python.Executable, filepath.Join(dir, "bin", name)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(site, pathFile), []byte(pathLine(filepath.Join(deps.dir, deps.python.Site))), 0o644)
}

// pathFile links a package's environment to its dependencies.
const pathFile = "awhost_dependencies.pth"

func pathLine(site string) string {
	quoted, _ := json.Marshal(site) // also valid as a Python literal
	return "import site; site.addsitedir(" + string(quoted) + ")\n"
}
