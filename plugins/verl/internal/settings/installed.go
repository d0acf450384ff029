package settings

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	sdkpython "github.com/awhost/awhost/sdk/python"
)

// Installed is a verl on disk. It is read, never run: importing verl takes torch and seconds.
type Installed struct {
	Python         string            // the interpreter; empty for a bare source tree
	Sites          sdkpython.Sites   // where the interpreter finds packages
	Root           string            // the directory that holds the package verl
	Version        string            // as verl says it: "0.9.1", "0.8.0.dev"
	RequiresPython string            // of verl's metadata, ">=3.10"; empty: unknown
	Packages       map[string]string // distributions beside it, name → version; names in lower case with dashes
	release        release
	schemas        map[string]*schema
}

// ErrNoVerl is wrapped where an interpreter is there and verl is not.
var ErrNoVerl = errors.New("no verl there")

// Find looks for the verl of a Python. What is given is an interpreter (".venv/bin/python", or "python3" of PATH), the
// directory of a virtual environment, a site-packages directory, or a checkout of verl.
func Find(python string) (*Installed, error) {
	path, err := absolute(python)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("find verl: %w. python names the interpreter that has verl, for example .venv/bin/python", err)
	}
	out := &Installed{Python: path}
	switch {
	case !info.IsDir():
		out.Sites = sdkpython.SitesOf(path)
	case isFile(filepath.Join(path, "pyvenv.cfg")) || isFile(filepath.Join(path, "bin", "python")):
		out.Python = filepath.Join(path, "bin", "python")
		out.Sites = sdkpython.SitesOf(out.Python)
	default: // packages without an interpreter
		out.Python, out.Sites.Dirs = "", []string{path}
	}
	if err := out.locate(python); err != nil {
		return nil, err
	}
	return out, out.readVersion()
}

// absolute finds a bare name on PATH, and anything else from the working directory.
func absolute(python string) (string, error) {
	if python == "" {
		return "", errors.New("find verl: python is empty; it names the interpreter that has verl, for example .venv/bin/python")
	}
	if strings.ContainsRune(python, filepath.Separator) || isDir(python) {
		return filepath.Abs(python)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if candidate := filepath.Join(dir, python); isFile(candidate) {
			return filepath.Abs(candidate)
		}
	}
	return "", fmt.Errorf("find verl: there is no %s on PATH; python names the interpreter that has verl, for example .venv/bin/python", python)
}

// locate finds the package among the directories: a copy, or what an editable installation points to.
func (i *Installed) locate(given string) error {
	i.Packages = i.Sites.Packages()
	for _, site := range i.Sites.Dirs {
		for _, dir := range append([]string{site}, linked(site)...) {
			if i.Root == "" && isFile(filepath.Join(dir, "verl", "trainer", "config", generatedFile(defaultEngine))) {
				i.Root = dir
			}
		}
	}
	switch {
	case i.Root != "":
		return nil
	case len(i.Sites.Dirs) == 0:
		return fmt.Errorf("find verl: %s belongs to no directory of packages (lib/python3.*/site-packages); if it is a shim or a wrapper, name the interpreter behind it: %w", given, ErrNoVerl)
	}
	return fmt.Errorf("find verl: %s has none in %s; install it there (pip install verl==0.9.1), or point python at the environment that has it: %w",
		given, strings.Join(i.Sites.Dirs, ", "), ErrNoVerl)
}

// linked lists the directories that a site-packages directory adds to Python's path.
func linked(site string) []string {
	var out []string
	infos, _ := filepath.Glob(filepath.Join(site, "verl-*.dist-info", "direct_url.json")) // the pattern is ours
	for _, path := range infos {
		if dir := editable(path); dir != "" {
			out = append(out, dir)
		}
	}
	return append(out, sdkpython.Linked(site)...)
}

func (i *Installed) readVersion() error {
	metadata, _ := filepath.Glob(filepath.Join(i.Root, "verl-*.dist-info", "METADATA")) // the pattern is ours
	for _, path := range metadata {
		i.readMetadata(path)
	}
	text, err := os.ReadFile(filepath.Join(i.Root, "verl", "version", "version"))
	switch {
	case err == nil:
		i.Version = strings.TrimSpace(string(text)) // of the code itself; metadata of an editable installation may be older
	case !errors.Is(err, fs.ErrNotExist) || i.Version == "":
		return fmt.Errorf("read the version of verl in %s: %w", i.Root, err)
	}
	if i.release, err = parseRelease(i.Version); err != nil {
		return fmt.Errorf("read the version of verl in %s: %w", i.Root, err)
	}
	return nil
}

// readMetadata reads the headers of a distribution.
func (i *Installed) readMetadata(path string) {
	file, err := os.Open(path)
	if err != nil {
		return // the version file says it too
	}
	defer file.Close()
	for scan := bufio.NewScanner(file); scan.Scan() && scan.Text() != ""; {
		name, value, _ := strings.Cut(scan.Text(), ":")
		switch name {
		case "Version":
			i.Version = strings.TrimSpace(value)
		case "Requires-Python":
			i.RequiresPython = strings.TrimSpace(value)
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
