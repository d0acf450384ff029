package pyenv

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/host/internal/child"
)

// python is a Python interpreter and its platform.
type python struct {
	Executable string `json:"executable"`
	Version    string `json:"version"`
	Name       string `json:"name"`     // implementation: cpython
	Platform   string `json:"platform"` // linux-x86_64
	Base       string `json:"base"`     // installation folder
	Site       string `json:"site"`     // the packages' folder inside a virtual environment
	Short      []int  `json:"short"`    // major, minor
}

// oldest is the oldest supported Python version, which is also the SDK's minimum version.
var oldest = [2]int{3, 10}

const probe = `import json, sys, sysconfig
scheme = "venv" if "venv" in sysconfig.get_scheme_names() else "posix_prefix"
print(json.dumps({
    "executable": sys.executable, "version": sys.version.split()[0], "name": sys.implementation.name, "platform": sysconfig.get_platform(),
    "base": sys.base_prefix, "site": sysconfig.get_path("purelib", scheme, {"base": ".", "platbase": "."}), "short": list(sys.version_info[:2]),
}))`

const probeTimeout = time.Minute

const installPython = "install Python 3.10 or newer (Debian and Ubuntu: apt install python3 python3-venv), or put it " +
	"first in PATH"

// findPython queries the python3 found in PATH.
func findPython(ctx context.Context) (python, error) {
	path, err := exec.LookPath("python3")
	if err != nil {
		return python{}, fmt.Errorf("python3 is not in PATH: %s", installPython)
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-I", "-S", "-c", probe)
	cmd.Env = environ(cmd.Environ())
	stdout, stderr := &child.Head{Limit: child.MaxMessageBytes}, &child.Head{Limit: child.MaxMessageBytes}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := child.Run(cmd); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return python{}, fmt.Errorf("query the version of %s: %w%s", path, err, child.Said(stderr))
	}
	var py python
	if err := json.Unmarshal(stdout.Text, &py); err != nil || len(py.Short) != 2 || !filepath.IsLocal(py.Site) ||
		!filepath.IsAbs(py.Executable) {
		return python{}, fmt.Errorf("%s is not a supported Python interpreter: it printed "+
			"%q", path, child.FirstBytes(stdout.Text))
	}
	if py.Short[0] < oldest[0] || py.Short[0] == oldest[0] && py.Short[1] < oldest[1] {
		return python{}, fmt.Errorf("%s is Python %s, but plugins require %d.%d: "+
			"%s", path, py.Version, oldest[0], oldest[1], installPython)
	}
	return py, nil
}

// identity returns the properties of a Python interpreter that packages and environments depend on.
func (p python) identity() string {
	return strings.Join([]string{p.Name, p.Version, p.Platform, p.Base}, " ")
}

// command returns a command for a program in an environment, with the user's pip and compiler settings.
func command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = environ(cmd.Environ())
	return cmd
}

// environ removes variables that would add packages from outside the environment, and the values of the spec's
// variables, which may be secrets.
func environ(host []string) []string {
	var out []string
	for _, pair := range host {
		name, _, _ := strings.Cut(pair, "=")
		switch name {
		case "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "__PYVENV_LAUNCHER__", "VIRTUAL_ENV",
			"PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PIP_PYTHON":
			continue
		}
		if !strings.HasPrefix(name, "AWHOST_VAR_") {
			out = append(out, pair)
		}
	}
	return append(out, "PYTHONNOUSERSITE=1")
}

// run executes a step. Its error includes the end of the step's output.
func run(ctx context.Context, cmd *exec.Cmd, what string, limit time.Duration) error {
	output := &child.Head{Limit: child.MaxMessageBytes}
	cmd.Stdout, cmd.Stderr = output, output
	err := child.Run(cmd)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s did not finish within %s%s", what, limit, tail(output))
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case err != nil:
		return fmt.Errorf("%s: %w%s", what, err, tail(output))
	}
	return nil
}

// tail returns the end of a step's output, where pip and the backends report errors.
func tail(output *child.Head) string {
	lines := child.PrintableLines(output.Text)
	if len(lines) == 0 {
		return ""
	}
	const most = 40
	return "\n" + strings.Join(lines[max(0, len(lines)-most):], "\n")
}
