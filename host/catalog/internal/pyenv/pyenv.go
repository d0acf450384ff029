// Package pyenv builds programs from Python packages: a directory with a pyproject.toml becomes a virtual environment
// that contains the package, on top of another environment that contains its dependencies.
//
//	plugin, err := pyenv.Config{Home: ".awhost/plugins/mine/python"}.Build(ctx, "mine", "my_reward")
//	cmd := exec.Command(plugin.Command[0], append(plugin.Command[1:], "describe")...)
//
// Home contains the following folders, each named by the hash of its inputs and reused while they are the same:
//
//	build-HASH    the build backend, for [build-system] and the Python
//	deps-HASH     the package's dependencies, for its wheel's Requires-Dist and the Python
//	package-HASH  the package itself, for its content: built by the backend in about a second, without a network
//
// Only the first two need pip and possibly a network, and only when they are created. A build uses a copy of the
// directory and leaves the directory unchanged. Concurrent builds wait for one another, and a killed build leaves
// nothing that a later one would accept as complete.
//
// The package must not depend on plugins.
package pyenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Config configures builds.
type Config struct {
	// Home is the directory for one plugin's environments.
	Home string
	// Say is called before slow steps. May be nil.
	Say func(doing string)
}

// Plugin is a package that can be executed.
type Plugin struct {
	Command []string // the environment's Python and its arguments
	Root    string   // the package's environment
	Deps    string   // the environment of its dependencies
	Hash    string   // see Digest
}

// IsPackage reports whether a directory is a Python package for awhost.
func IsPackage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, projectFile))
	return err == nil && info.Mode().IsRegular()
}

// Sources returns the digest of the inputs of Build except for packages found by pip: the files in the directory, the
// Python interpreter, and this awhost's Python package. It does not execute anything in the directory.
func Sources(ctx context.Context, dir string) (string, error) {
	files, err := list(dir)
	if err != nil {
		return "", err
	}
	py, err := findPython(ctx)
	if err != nil {
		return "", err
	}
	return sourcesDigest(files, py)
}

// Build builds the program called name from the package in dir.
func (c Config) Build(ctx context.Context, name, dir string) (*Plugin, error) {
	project, err := readProject(dir)
	if err != nil {
		return nil, err
	}
	py, err := findPython(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s is a Python package: %w", dir, err)
	}
	if err := os.MkdirAll(c.Home, 0o755); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, filepath.Join(c.Home, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("wait for another awhost process to build %s: %w", dir, err)
	}
	defer unlock()
	scratch, err := os.MkdirTemp(c.Home, temporary)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	b := &builder{config: c, python: py, project: project, name: name, dir: dir, scratch: scratch}
	plugin, err := b.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("build the Python package %s: %w", dir, err)
	}
	sweep(c.Home, plugin, b.tools)
	return plugin, nil
}

// temporary is the name pattern of temporary files. The lock holder may remove all of them.
const temporary = ".tmp-*"

// builder is one build.
type builder struct {
	config  Config
	python  python
	project *project
	name    string
	dir     string
	scratch string // removed after the build
	tools   string // folder of the build backend
}

func (b *builder) run(ctx context.Context) (*Plugin, error) {
	house, err := newHouse(b.config.Home)
	if err != nil {
		return nil, err
	}
	tools, err := b.environment(ctx, house, kindBuild, b.project.Build.Requires, nil)
	if err != nil {
		return nil, err
	}
	b.tools = tools.dir
	path, err := b.wheel(ctx, house, tools)
	if err != nil {
		return nil, err
	}
	w, err := openWheel(path)
	if err != nil {
		return nil, err
	}
	defer w.close()
	entry, err := w.entryPoint(b.name)
	if err != nil {
		return nil, err
	}
	deps, err := b.environment(ctx, house, kindDeps, w.requires, tools)
	if err != nil {
		return nil, err
	}
	return b.assemble(w, deps, entry)
}

// assemble installs the wheel into a new environment and moves it to its final path.
func (b *builder) assemble(w *wheel, deps *environment, entry entryPoint) (*Plugin, error) {
	fresh := filepath.Join(b.scratch, "root")
	if err := overlay(fresh, deps); err != nil {
		return nil, err
	}
	if err := w.unpack(fresh, filepath.Join(fresh, deps.python.Site)); err != nil {
		return nil, err
	}
	if err := entry.writeLauncher(fresh); err != nil {
		return nil, err
	}
	hash, err := Digest(fresh, deps.dir, nil)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(b.config.Home, kindPackage+"-"+short(hash))
	if there, err := Digest(root, deps.dir, nil); err != nil || there != hash {
		if err := errors.Join(os.RemoveAll(root), os.Rename(fresh, root)); err != nil {
			return nil, err
		}
	}
	return &Plugin{Command: []string{filepath.Join(root, "bin", "python"), filepath.Join(root, launcherDir)}, Root: root,
		Deps: deps.dir, Hash: hash}, touch(root)
}

// short returns the part of a hash that is used in directory names.
func short(hash string) string { return strings.TrimPrefix(hash, "sha256:")[:16] }
