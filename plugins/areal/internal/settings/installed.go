// Package settings knows AReaL's configuration: which AReaL is installed, which keys it has, and how awhost's settings, the
// user's file and the user's overrides become one configuration with the origin of every value.
//
// It must not know plugins, runs or bridges. Nothing of Python is run: files are read.
package settings

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	sdkpython "github.com/awhost/awhost/sdk/python"
)

// Installed is an AReaL on disk.
type Installed struct {
	Python   string // the interpreter
	Why      string // it was taken
	Root     string // the folder that holds the package areal
	Release  Release
	Packages map[string]string // distributions beside it, name → version; names in lower case with dashes
	Schema   *Schema
}

// ErrNoAReaL is wrapped where AReaL is not found.
var ErrNoAReaL = errors.New("no AReaL there")

// Find looks for AReaL. python is an interpreter; empty: the active environment's, then python3 on PATH. source is a checkout
// that counts instead of what is installed, or empty.
func Find(python, source string) (*Installed, error) {
	i := &Installed{}
	if err := i.findPython(python); err != nil {
		return nil, err
	}
	sites := sdkpython.SitesOf(i.Python)
	i.Packages = sites.Packages()
	if err := i.locate(source, sites.Dirs); err != nil {
		return nil, err
	}
	return i, i.read()
}

func (i *Installed) findPython(python string) error {
	switch {
	case python != "":
		i.Python, i.Why = python, "set by python"
	case os.Getenv("VIRTUAL_ENV") != "":
		i.Python, i.Why = filepath.Join(os.Getenv("VIRTUAL_ENV"), "bin", "python"), "the active virtual environment, VIRTUAL_ENV"
	default:
		i.Python, i.Why = onPath("python3"), "python3 on PATH"
	}
	if info, err := os.Stat(i.Python); i.Python != "" && err == nil && info.IsDir() { // a virtual environment's folder
		i.Python = filepath.Join(i.Python, "bin", "python")
	}
	info, err := os.Stat(i.Python)
	switch {
	case i.Python == "":
		return errors.New("there is no python3 on PATH: set python to the interpreter that has AReaL, for example .venv/bin/python")
	case err != nil:
		return fmt.Errorf("%w (%s): set python to the interpreter that has AReaL, for example .venv/bin/python", err, i.Why)
	case info.IsDir() || info.Mode()&0o111 == 0:
		return fmt.Errorf("%s is no program (%s): set python to the interpreter that has AReaL, for example .venv/bin/python", i.Python, i.Why)
	}
	i.Python, err = filepath.Abs(i.Python)
	return err
}

func onPath(name string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// arguments is the file of AReaL's configuration, below its root.
var arguments = filepath.Join("areal", "api", "cli_args.py")

func (i *Installed) locate(source string, sites []string) error {
	if source != "" {
		if !isFile(filepath.Join(source, arguments)) {
			return fmt.Errorf("source: %s has no %s: name the folder of a checkout of AReaL: %w", source, arguments, ErrNoAReaL)
		}
		i.Root = source
		return nil
	}
	for _, site := range sites {
		for _, dir := range append([]string{site}, sdkpython.Linked(site)...) {
			if isFile(filepath.Join(dir, arguments)) {
				i.Root = dir
				return nil
			}
		}
	}
	where := strings.Join(sites, ", ")
	if where == "" {
		where = "it has no folder of packages (lib/python3.*/site-packages)"
	}
	return fmt.Errorf("%s (%s) has no AReaL: %s. AReaL is on no registry: install it there with `pip install git+https://github.com/inclusionAI/AReaL@v1.0.4`, "+
		"set source to a checkout, or python to the environment that has it: %w", i.Python, i.Why, where, ErrNoAReaL)
}

func (i *Installed) read() error {
	source, err := os.ReadFile(filepath.Join(i.Root, arguments))
	if err != nil {
		return fmt.Errorf("read the configuration of AReaL: %w", err)
	}
	if i.Schema, err = newSchema(string(source)); err != nil {
		return fmt.Errorf("read the configuration of AReaL in %s: %w", filepath.Join(i.Root, arguments), err)
	}
	version := i.version()
	if version == "" {
		return fmt.Errorf("find the version of AReaL: neither a checkout's pyproject.toml nor metadata in %s says it", i.Root)
	}
	i.Release, err = parseRelease(version)
	return err
}

var versionLine = regexp.MustCompile(`^version\s*=\s*"([^"]+)"`)

// version is what a checkout says of itself, then what is installed.
func (i *Installed) version() string {
	if file, err := os.Open(filepath.Join(i.Root, "pyproject.toml")); err == nil {
		defer file.Close()
		for scan := bufio.NewScanner(file); scan.Scan(); {
			if m := versionLine.FindStringSubmatch(scan.Text()); m != nil {
				return m[1]
			}
		}
	}
	return i.Packages["areal"]
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
