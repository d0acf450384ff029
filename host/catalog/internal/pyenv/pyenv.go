// Package pyenv makes programs of Python packages: a directory with a pyproject.toml becomes a virtual environment that
// holds the package, over another one that holds what it depends on.
//
//	plugin, err := pyenv.Config{Home: ".awhost/plugins/mine/python"}.Build(ctx, "mine", "my_reward")
//	cmd := exec.Command(plugin.Command[0], append(plugin.Command[1:], "describe")...)
//
// Below Home there are, each named by the hash of what it is made of and used again as long as that stays the same:
//
//	build-HASH    the build backend, by [build-system] and the Python
//	deps-HASH     what the package depends on, by its wheel's Requires-Dist and the Python
//	package-HASH  the package itself, by its content: made by the backend in about a second, without a network
//
// Only the first two need pip and perhaps a network, and only when they are made. A build takes place in a copy of the
// directory, which is left as it is. Processes that build at the same time wait for one another, and one that is killed
// leaves nothing that a later one would take for complete.
//
// The package must not know what a plugin is.
package pyenv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Config says where and with what to build.
type Config struct {
	// Home is the folder of one plugin's environments.
	Home string
	// Say is told what takes long; nil: nobody is.
	Say func(doing string)
}

// Plugin is a package that can be executed.
type Plugin struct {
	Command []string // the environment's Python, and what it runs
	Root    string   // the package's environment
	Deps    string   // the environment of what it depends on
	Hash    string   // see Digest
}

// IsPackage says whether a directory is a Python package for awhost.
func IsPackage(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, projectFile))
	return err == nil && info.Mode().IsRegular()
}

// Sources is the digest of all that Build makes a package of, save what pip would find: the files of the directory, the
// Python, and this awhost's own package. It executes nothing of the directory.
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

// Build makes the program called name of the package at dir.
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
		return nil, fmt.Errorf("wait for another awhost that builds %s: %w", dir, err)
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

// temporary is the name pattern of what is thrown away. Who holds the lock may remove all of it.
const temporary = ".tmp-*"

// builder is one build.
type builder struct {
	config  Config
	python  python
	project *project
	name    string
	dir     string
	scratch string // ends with the build
	tools   string // where the build backend is
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

// assemble puts the wheel into an environment of its own, and that to its place.
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
	return &Plugin{Command: []string{filepath.Join(root, "bin", "python"), filepath.Join(root, launcherDir)}, Root: root, Deps: deps.dir, Hash: hash}, touch(root)
}

// short is the part of a hash that names a folder.
func short(hash string) string { return strings.TrimPrefix(hash, "sha256:")[:16] }
