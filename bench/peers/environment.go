package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// errNotHere reports that this machine lacks something that a system needs.
var errNotHere = errors.New("not here")

// python returns the command of an interpreter with the locked packages of a directory in bench/peers. It makes the
// environment first if it is missing, in the user's cache directory.
func python(ctx context.Context, o options, lock string) ([]string, error) {
	dir := filepath.Join(o.root, "bench", "peers", lock)
	requirements := filepath.Join(dir, "requirements.txt")
	locked, err := os.ReadFile(requirements)
	if err != nil {
		return nil, err
	}
	enter, base, err := findPython(ctx, o, filepath.Join(dir, "requirements.in"))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Append(locked, enter != nil, base))
	venv := filepath.Join(o.cache, fmt.Sprintf("%s-%x", lock, sum[:8]))
	made, interpreter := filepath.Join(venv, "complete"), filepath.Join(venv, "bin", "python")
	if _, err := os.Stat(made); err == nil {
		return append(enter, interpreter), nil
	}
	fmt.Fprintf(os.Stderr, "install the packages of %s (once)\n", lock)
	for _, args := range [][]string{
		{"venv", "--quiet", "--clear", "--python", base, venv},
		{"pip", "install", "--quiet", "--require-hashes", "--python", interpreter, "-r", requirements},
	} {
		if out, err := o.in(ctx, enter, append([]string{o.uv()}, args...)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("install the packages of %s: %w\n%s", lock, err, out)
		}
	}
	return append(enter, interpreter), os.WriteFile(made, nil, 0o644)
}

var minor = regexp.MustCompile(`^3\.\d+`)

func (o options) uv() string { return filepath.Join(o.root, ".ci", "uv") }

// in returns a command that starts with the given arguments.
func (o options) in(ctx context.Context, enter []string, args ...string) *exec.Cmd {
	args = slices.Concat(enter, args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = o.scratch
	return cmd
}

// findPython returns an interpreter of one of the versions in the line "# python: " of a file, in the order of the
// line. A version such as 3.13.14 means this release of 3.13 or a later one. findPython searches pyenv, PATH, the
// interpreters that uv finds, and then a root filesystem of a newer Debian, which the returned command enters.
func findPython(ctx context.Context, o options, file string) (enter []string, path string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	versions, ok := strings.CutPrefix(first, "# python: ")
	if !ok {
		return nil, "", fmt.Errorf("%s: the first line is not \"# python: VERSION...\"", file)
	}
	pyenv := os.Getenv("PYENV_ROOT")
	if home, err := os.UserHomeDir(); pyenv == "" && err == nil {
		pyenv = filepath.Join(home, ".pyenv")
	}
	// A shim or a link prints the interpreter behind it.
	const show = "import os, sys, venv; assert sys.version_info >= tuple(map(int, sys.argv[1].split('.'))); " +
		"print(os.path.realpath(sys._base_executable))"
	for least := range strings.FieldsSeq(versions) {
		version := minor.FindString(least)
		installed, _ := filepath.Glob(filepath.Join(pyenv, "versions", version+".*", "bin", "python3"))
		candidates := append(installed, "python"+version)
		if found, err := exec.CommandContext(ctx, o.uv(), "python", "find", version).Output(); err == nil {
			candidates = append(candidates, strings.TrimSpace(string(found)))
		}
		for _, candidate := range candidates {
			if path, err := o.in(ctx, nil, candidate, "-c", show, least).Output(); err == nil {
				return nil, strings.TrimSpace(string(path)), nil
			}
		}
	}
	wanted := strings.ReplaceAll(strings.TrimSpace(versions), " ", " or ")
	debian := filepath.Join(o.root, "bench", "peers", "debian")
	if out, err := o.in(ctx, nil, debian, "make").CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("%w: it needs Python %s: install it; %s", errNotHere, wanted, bytes.TrimSpace(out))
	}
	enter = []string{debian, "run", o.root, o.scratch, filepath.Dir(o.cache), "--"}
	for least := range strings.FieldsSeq(versions) {
		if path, err := o.in(ctx, enter, "python"+minor.FindString(least), "-c", show, least).Output(); err == nil {
			return enter, strings.TrimSpace(string(path)), nil
		}
	}
	return nil, "", fmt.Errorf("%w: it needs Python %s: install it, for example with pyenv", errNotHere, wanted)
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
