package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInstallation checks that a program is found with the files that belong to it, wherever it is installed, and
// without unrelated files next to it.
func TestInstallation(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"node/bin/node": "\x7fELF", "node/lib/x": "", "node/secret": "",
		"node/lib/node_modules/tool/cli.js": "#!/usr/bin/env node\n",
		"base/bin/python3":                  "\x7fELF", "base/lib/x": "",
		"venv/pyvenv.cfg": "home = " + at("base/bin") + "\n", "venv/lib/x": "",
		"project/agent.py": "#!" + at("venv/bin/python3") + "\n", "project/truth.jsonl": "",
	} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(at("venv/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"venv/bin/python3": at("base/bin/python3"), "node/bin/tool": "../lib/node_modules/tool/cli.js",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for program, want := range map[string][]string{
		"node/bin/tool":    {"node/bin", "node/lib", "node/lib/node_modules"},
		"venv/bin/python3": {"base/bin", "base/lib", "venv", "venv/bin", "venv/lib", "venv/pyvenv.cfg"},
		"project/agent.py": {"base/bin", "base/lib", "project/agent.py", "venv", "venv/bin", "venv/lib", "venv/pyvenv.cfg"},
		"project/missing":  nil,
	} {
		var paths []string
		for _, name := range want {
			paths = append(paths, at(name))
		}
		if diff := cmp.Diff(paths, Installation(at(program), at("node/bin"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", program, diff)
		}
	}
	if got := Installation("/bin/sh", ""); len(got) > 0 {
		t.Errorf("of the system: %q", got)
	}
}

// TestPythonDoesNotWaitForOtherProcesses checks a shim that leaves a process with its output behind.
func TestPythonDoesNotWaitForOtherProcesses(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing")
	}
	dir := t.TempDir()
	shim, pidFile := filepath.Join(dir, "python"), filepath.Join(dir, "pid")
	text := "#!/bin/sh\nsleep 600 &\necho $! >" + pidFile + "\nexec " + python + " \"$@\"\n"
	if err := os.WriteFile(shim, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	defer func() {
		pid, _ := os.ReadFile(pidFile)
		if out, err := exec.Command("kill", strings.TrimSpace(string(pid))).CombinedOutput(); err != nil {
			t.Errorf("kill sleep: %v: %s", err, out)
		}
	}()
	if got, _, err := Python(t.Context(), shim); err != nil || got == "" {
		t.Errorf("Python returns %q, %v", got, err)
	}
}
