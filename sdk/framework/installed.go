// Package framework is the kit for adapters that drive a training framework in a Python environment of the user.
//
// It reads the files of an installation. Only [Framework.Configure] and [Framework.Probe] start its Python. It must not
// know any framework.
package framework

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk/python"
)

// Framework describes how an installation is recognized, and how messages name it.
type Framework struct {
	Name    string // "AReaL"
	Package string // the distribution: "areal"
	Marker  string // a file of the framework, relative to the directory of its packages
	Install string // what a user does who lacks it: "pip install verl==0.9.1"

	Question Question // for the probe
	Tested   []byte   // the probe's answers for the tested versions, the oldest first, compressed by gzip
}

// Installed is a framework on disk.
type Installed struct {
	Python   string            // the interpreter; empty for a directory of packages without one
	Why      string            // it was taken: "set by python"
	Sites    python.Sites      // where the interpreter finds packages
	Root     string            // the directory that contains Marker
	Packages map[string]string // versions by distribution; names in lower case with dashes
}

// ErrNotInstalled is wrapped if an interpreter lacks the framework.
var ErrNotInstalled = errors.New("the framework is not installed there")

// Find looks for a framework. given is an interpreter (".venv/bin/python", or "python3" on PATH), the directory of a
// virtual environment, or a directory of packages such as a checkout; if it is empty, Find takes the Python of the
// active environment or python3 on PATH. If source is not empty, it is a checkout that takes precedence over installed
// packages.
func (f Framework) Find(given, source string) (*Installed, error) {
	out := &Installed{Why: "set by python"}
	path, err := f.interpreter(given, out)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", f.Name, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w (%s): %s", f.Name, err, out.Why, f.remedy())
	}
	out.Python = path
	if venv, ok := virtualEnvironment(path); info.IsDir() && ok {
		out.Python = venv
	} else if info.IsDir() {
		out.Python, out.Sites.Dirs = "", []string{path}
	}
	if out.Python != "" {
		out.Sites = python.SitesOf(out.Python)
	}
	out.Packages = out.Sites.Packages()
	return out, f.locate(out, given, source)
}

func (f Framework) remedy() string {
	return fmt.Sprintf("set python to the interpreter that has %s, for example .venv/bin/python", f.Name)
}

// interpreter returns the absolute path of what the user gives, or of the user's own Python.
func (f Framework) interpreter(given string, out *Installed) (string, error) {
	if given == "" {
		path, why, ok := python.Own()
		if !ok {
			return "", fmt.Errorf("python is not set, VIRTUAL_ENV is not set, and PATH has no python3: %s", f.remedy())
		}
		out.Why = why
		return path, nil
	}
	if info, err := os.Stat(given); err == nil && info.IsDir() || strings.ContainsRune(given, filepath.Separator) {
		return filepath.Abs(given)
	}
	path, err := exec.LookPath(given)
	if err != nil {
		return "", fmt.Errorf("there is no %s on PATH: %s", given, f.remedy())
	}
	return filepath.Abs(path)
}

// virtualEnvironment returns the interpreter in the directory of an environment.
func virtualEnvironment(dir string) (string, bool) {
	path := filepath.Join(dir, "bin", "python")
	return path, isFile(filepath.Join(dir, "pyvenv.cfg")) || isFile(path)
}

// locate finds the framework's directory: a checkout, a copy, or the target of an editable installation.
func (f Framework) locate(out *Installed, given, source string) error {
	if source != "" {
		if out.Root = source; !isFile(filepath.Join(source, f.Marker)) {
			return fmt.Errorf("source: %s has no %s: name the directory of a checkout of %s: %w", source, f.Marker, f.Name,
				ErrNotInstalled)
		}
		return nil
	}
	for _, site := range out.Sites.Dirs {
		for _, dir := range append(append([]string{site}, f.editable(site)...), python.Linked(site)...) {
			if isFile(filepath.Join(dir, f.Marker)) {
				out.Root = dir
				return nil
			}
		}
	}
	if len(out.Sites.Dirs) == 0 {
		return fmt.Errorf("find %s: %s (%s) belongs to no directory of packages (lib/python3.*/site-packages): if it is a "+
			"shim or a wrapper, name the interpreter behind it: %w", f.Name, out.Python, out.Why, ErrNotInstalled)
	}
	if given == "" {
		given = fmt.Sprintf("%s (%s)", out.Python, out.Why)
	}
	return fmt.Errorf("find %s: %s has none in %s: install it there (%s), or set python to the environment that has "+
		"it: %w", f.Name, given, strings.Join(out.Sites.Dirs, ", "), f.Install, ErrNotInstalled)
}

// editable returns the checkouts that the framework was installed from with pip install -e, according to the file
// direct_url.json of PEP 610.
func (f Framework) editable(site string) []string {
	var out []string
	paths, _ := filepath.Glob(filepath.Join(site, f.Package+"-*.dist-info", "direct_url.json")) // the pattern is valid
	for _, path := range paths {
		text, err := os.ReadFile(path)
		var direct struct {
			URL string `json:"url"`
			Dir struct {
				Editable bool `json:"editable"`
			} `json:"dir_info"`
		}
		if err != nil || json.Unmarshal(text, &direct) != nil || !direct.Dir.Editable {
			continue
		}
		if where, err := url.Parse(direct.URL); err == nil && where.Scheme == "file" {
			out = append(out, filepath.FromSlash(where.Path))
		}
	}
	return out
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
