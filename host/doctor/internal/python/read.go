package python

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Read returns the wanted packages in an environment. home is the user's home directory, whose packages are available
// to a Python interpreter outside virtual environments. Read returns an error if the environment cannot be used at all.
func Read(p Place, home string, wanted []string) (*Environment, error) {
	if err := checkProgram(p); err != nil {
		return nil, err
	}
	minor := minorOf(p)
	e := &Environment{Place: p, Version: versionOf(p, minor)}
	found := map[string]Package{}
	for _, dir := range siteDirs(p, minor, home) {
		e.readSite(dir, wanted, found)
	}
	for _, name := range wanted {
		if pack, ok := found[Normalise(name)]; ok {
			e.Packages = append(e.Packages, pack)
		}
	}
	return e, nil
}

// checkProgram returns an error if a Python interpreter cannot be started. It does not start the interpreter.
func checkProgram(p Place) error {
	info, err := os.Stat(p.Python)
	if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return nil
	}
	if target, linkErr := os.Readlink(p.Python); linkErr == nil && err != nil {
		return fmt.Errorf("%s links to %s, which does not exist", p.Python, target)
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is not a program", p.Python)
}

// siteDirs returns the directories that contain packages, in Python's search order.
func siteDirs(p Place, minor, home string) []string {
	var dirs []string
	add := func(parts ...string) {
		dir := canonical(filepath.Join(parts...))
		if isDir(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	settings := venvSettings(p.Prefix)
	isolated := len(settings) > 0
	if !isolated && home != "" && minor != "" {
		add(home, ".local", "lib", "python"+minor, "site-packages")
	}
	addSites(add, p.Prefix, minor)
	if isolated && strings.EqualFold(settings["include-system-site-packages"], "true") && settings["home"] != "" {
		addSites(add, filepath.Dir(settings["home"]), minor)
	}
	return dirs
}

func addSites(add func(...string), prefix, minor string) {
	if minor == "" {
		return
	}
	if prefix == "/usr" { // Debian: pip installs below /usr/local, apt into python3/dist-packages
		add("/usr/local/lib", "python"+minor, "dist-packages")
		add("/usr/lib/python3/dist-packages")
	}
	add(prefix, "lib", "python"+minor, "site-packages")
	add(prefix, "lib64", "python"+minor, "site-packages")
}

// readSite adds the wanted packages in a directory. Packages from earlier directories take precedence, as in Python.
func (e *Environment) readSite(dir string, wanted []string, found map[string]Package) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		e.Problems = append(e.Problems, err.Error())
		return
	}
	here := map[string]Package{}
	for _, entry := range entries {
		name, read := recognise(entry.Name())
		if read == nil || !slices.ContainsFunc(wanted, func(w string) bool { return Normalise(w) == name }) {
			continue
		}
		pack, err := read(filepath.Join(dir, entry.Name()))
		if err != nil {
			e.Problems = append(e.Problems, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		pack.Name, pack.Dir = name, dir
		if other, twice := here[name]; twice && other.Version != pack.Version {
			e.Problems = append(e.Problems, fmt.Sprintf("%s: two versions are recorded, %s and %s: an installation was interrupted, reinstall it", name, other.Version, pack.Version))
		}
		here[name] = pack
	}
	for name, pack := range here {
		if _, ok := found[name]; !ok {
			found[name] = pack
		}
	}
}

// recognise returns the distribution that an entry in site-packages belongs to, and the function that reads it.
func recognise(entry string) (name string, read func(path string) (Package, error)) {
	if base, ok := strings.CutSuffix(entry, ".dist-info"); ok {
		name, _, _ := strings.Cut(base, "-")
		return Normalise(name), readDistInfo
	}
	if base, ok := strings.CutSuffix(entry, ".egg-info"); ok {
		name, _, _ := strings.Cut(base, "-")
		return Normalise(name), readEggInfo
	}
	if base, ok := strings.CutSuffix(entry, ".egg-link"); ok {
		return Normalise(base), readEggLink
	}
	return "", nil
}

// readDistInfo reads metadata written by pip and uv.
func readDistInfo(path string) (Package, error) {
	version, err := versionIn(filepath.Join(path, "METADATA"))
	if err != nil {
		return Package{}, err
	}
	pack := Package{Version: version}
	text, err := readSmall(filepath.Join(path, "direct_url.json"))
	if errors.Is(err, os.ErrNotExist) {
		return pack, nil
	}
	var direct struct {
		URL string `json:"url"`
		Dir struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &direct)
	}
	if err != nil {
		return pack, fmt.Errorf("direct_url.json: %w", err)
	}
	if from, err := url.Parse(direct.URL); err == nil && direct.Dir.Editable && from.Scheme == "file" {
		pack.Editable = from.Path
	}
	return pack, nil
}

// readEggInfo reads metadata written by older tools, which is a directory or a single file.
func readEggInfo(path string) (Package, error) {
	if isDir(path) {
		path = filepath.Join(path, "PKG-INFO")
	}
	version, err := versionIn(path)
	return Package{Version: version}, err
}

// readEggLink follows a link created by `setup.py develop`.
func readEggLink(path string) (Package, error) {
	text, _ := readSmall(path) // an empty text is handled below
	first, _, _ := strings.Cut(text, "\n")
	source := strings.TrimSpace(first)
	if !filepath.IsAbs(source) {
		return Package{}, fmt.Errorf("%s names no directory", filepath.Base(path))
	}
	name := strings.TrimSuffix(filepath.Base(path), ".egg-link")
	version, err := versionIn(filepath.Join(source, strings.ReplaceAll(name, "-", "_")+".egg-info", "PKG-INFO"))
	return Package{Version: version, Editable: source}, err
}

// mostMetadata is the maximum number of bytes read from a file. METADATA starts with its header.
const mostMetadata = 256 << 10

// versionIn reads the version from the header of METADATA or PKG-INFO.
func versionIn(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines := bufio.NewScanner(io.LimitReader(file, mostMetadata))
	lines.Buffer(nil, mostMetadata)
	for lines.Scan() && strings.TrimSpace(lines.Text()) != "" {
		if key, value, _ := strings.Cut(lines.Text(), ":"); strings.EqualFold(key, "Version") {
			return strings.TrimSpace(value), nil
		}
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	return "", fmt.Errorf("%s does not specify a version: reinstall the package", filepath.Base(path))
}

// readSmall reads a file that may be untrusted.
func readSmall(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostMetadata))
	return string(text), err
}
