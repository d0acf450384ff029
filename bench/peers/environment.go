package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// errNotHere reports that this machine lacks something that a system needs.
var errNotHere = errors.New("not here")

// python returns the interpreter of an environment with the locked packages of a directory in bench/peers. It makes the
// environment first if it is missing, in the user's cache directory.
func python(ctx context.Context, o options, lock string) (string, error) {
	dir := filepath.Join(o.root, "bench", "peers", lock)
	requirements := filepath.Join(dir, "requirements.txt")
	locked, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	base, err := findPython(ctx, o, filepath.Join(dir, "requirements.in"))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(locked, base...))
	venv := filepath.Join(cache, "awhost-bench", fmt.Sprintf("%s-%x", lock, sum[:8]))
	made, interpreter := filepath.Join(venv, "complete"), filepath.Join(venv, "bin", "python")
	if _, err := os.Stat(made); err == nil {
		return interpreter, nil
	}
	fmt.Fprintf(os.Stderr, "install the packages of %s (once)\n", lock)
	for _, args := range [][]string{
		{"venv", "--quiet", "--clear", "--python", base, venv},
		{"pip", "install", "--quiet", "--require-hashes", "--python", interpreter, "-r", requirements},
	} {
		if out, err := exec.CommandContext(ctx, o.uv(), args...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("install the packages of %s: %w\n%s", lock, err, out)
		}
	}
	return interpreter, os.WriteFile(made, nil, 0o644)
}

func (o options) uv() string { return filepath.Join(o.root, ".ci", "uv") }

// findPython returns an interpreter of one of the versions in the line "# python: " of a file, in the order of the
// line. It searches PATH, pyenv, and then the interpreters that uv finds.
func findPython(ctx context.Context, o options, file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	versions, ok := strings.CutPrefix(first, "# python: ")
	if !ok {
		return "", fmt.Errorf("%s: the first line is not \"# python: VERSION...\"", file)
	}
	pyenv := os.Getenv("PYENV_ROOT")
	if home, err := os.UserHomeDir(); pyenv == "" && err == nil {
		pyenv = filepath.Join(home, ".pyenv")
	}
	for version := range strings.FieldsSeq(versions) {
		candidates := []string{"python" + version}
		installed, _ := filepath.Glob(filepath.Join(pyenv, "versions", version+".*", "bin", "python3"))
		candidates = append(candidates, installed...)
		if found, err := exec.CommandContext(ctx, o.uv(), "python", "find", version).Output(); err == nil {
			candidates = append(candidates, strings.TrimSpace(string(found)))
		}
		for _, candidate := range candidates {
			// A shim or a link prints the interpreter behind it.
			const show = "import os, sys, venv; print(os.path.realpath(sys._base_executable))"
			if path, err := exec.CommandContext(ctx, candidate, "-c", show).Output(); err == nil {
				return strings.TrimSpace(string(path)), nil
			}
		}
	}
	return "", fmt.Errorf("%w: it needs Python %s; install one, for example with pyenv", errNotHere,
		strings.ReplaceAll(strings.TrimSpace(versions), " ", " or "))
}

// version returns the version of a package in a lock file.
func version(o options, lock, name string) string {
	text, err := os.ReadFile(filepath.Join(o.root, "bench", "peers", lock, "requirements.txt"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+"=="); ok {
			return strings.Fields(rest)[0]
		}
	}
	return ""
}
