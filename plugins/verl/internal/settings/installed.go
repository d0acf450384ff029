package settings

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/python"
)

// Installed is a verl on disk. It is read, never run: importing verl takes torch and seconds.
type Installed struct {
	Python         string            // the interpreter; empty for a bare source tree
	PythonVersion  string            // "3.11.7", as far as files tell it; else empty
	SitePackages   []string          // where the interpreter finds packages
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
		out.readInterpreter(path)
	case isFile(filepath.Join(path, "pyvenv.cfg")) || isFile(filepath.Join(path, "bin", "python")):
		out.Python = filepath.Join(path, "bin", "python")
		out.readInterpreter(out.Python)
	default: // packages without an interpreter
		out.Python, out.SitePackages = "", []string{path}
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

// readInterpreter finds where an interpreter looks for packages: those of its virtual environment first, and those of
// the installation that the environment was made from where it says so.
func (i *Installed) readInterpreter(python string) {
	prefix := filepath.Dir(filepath.Dir(python))
	venv := readVenv(filepath.Join(prefix, "pyvenv.cfg"))
	if venv == nil {
		if real, err := filepath.EvalSymlinks(python); err == nil {
			i.PythonVersion = versionOfName(filepath.Base(real))
			i.addSites(filepath.Dir(filepath.Dir(real)))
		}
		i.addSites(prefix)
		return
	}
	i.PythonVersion = venv["version"]
	if i.PythonVersion == "" {
		i.PythonVersion = venv["version_info"] // as virtualenv and uv write it
	}
	i.addSites(prefix)
	if strings.EqualFold(venv["include-system-site-packages"], "true") && venv["home"] != "" {
		i.addSites(filepath.Dir(venv["home"]))
	}
}

// addSites lists the package directories below a prefix, those of the interpreter's own version where it is known.
func (i *Installed) addSites(prefix string) {
	minor := strings.Join(strings.SplitN(i.PythonVersion+"..", ".", 3)[:2], ".")
	if minor == "." {
		minor = "3.*"
	}
	for _, pattern := range []string{
		"lib/python" + minor + "/site-packages", "lib64/python" + minor + "/site-packages",
		"local/lib/python" + minor + "/dist-packages", "lib/python3/dist-packages", // Debian
	} {
		found, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern))) // the pattern is ours
		for _, dir := range found {
			if real, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(i.SitePackages, real) {
				i.SitePackages = append(i.SitePackages, real)
			}
		}
	}
}

// readVenv reads pyvenv.cfg, lines of "name = value"; nil: there is none.
func readVenv(path string) map[string]string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, "="); ok {
			out[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
		}
	}
	return out
}

var pythonName = regexp.MustCompile(`^python(3\.\d+)`)

// versionOfName is "3.11" of python3.11.
func versionOfName(name string) string {
	if m := pythonName.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// locate finds the package among the directories: a copy, or what an editable installation points to.
func (i *Installed) locate(given string) error {
	i.Packages = map[string]string{}
	for _, site := range i.SitePackages {
		i.readPackages(site)
	}
	for _, site := range i.SitePackages {
		for _, dir := range append([]string{site}, linked(site)...) {
			if i.Root == "" && isFile(filepath.Join(dir, "verl", "trainer", "config", generatedFile(defaultEngine))) {
				i.Root = dir
			}
		}
	}
	switch {
	case i.Root != "":
		return nil
	case len(i.SitePackages) == 0:
		return fmt.Errorf("find verl: %s belongs to no directory of packages (lib/python3.*/site-packages); if it is a shim or a wrapper, name the interpreter behind it: %w", given, ErrNoVerl)
	}
	return fmt.Errorf("find verl: %s has none in %s; install it there (pip install verl==0.9.1), or point python at the environment that has it: %w",
		given, strings.Join(i.SitePackages, ", "), ErrNoVerl)
}

// readPackages lists the distributions of a directory. The first directory that has one wins, as in Python.
func (i *Installed) readPackages(site string) {
	infos, _ := filepath.Glob(filepath.Join(site, "*.dist-info")) // the pattern is ours
	for _, info := range infos {
		name, version, ok := strings.Cut(strings.TrimSuffix(filepath.Base(info), ".dist-info"), "-")
		name = packageName(name)
		if _, known := i.Packages[name]; ok && !known {
			i.Packages[name] = version
		}
	}
}

func packageName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
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
	return append(out, python.Linked(site)...)
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
