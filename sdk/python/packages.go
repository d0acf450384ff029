package python

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Sites lists the directories in which an interpreter looks for packages.
type Sites struct {
	Version string   // of Python, "3.11.7" or "3.11", as far as files state it; otherwise empty
	Dirs    []string // in Python's search order
}

// SitesOf reads the directories of an interpreter without starting it: of its virtual environment and, if the
// environment includes them, of the installation from which it was created.
func SitesOf(interpreter string) (s Sites) {
	prefix := filepath.Dir(filepath.Dir(interpreter))
	venv := readVenv(filepath.Join(prefix, "pyvenv.cfg"))
	if venv == nil {
		if real, err := filepath.EvalSymlinks(interpreter); err == nil {
			if m := pythonName.FindStringSubmatch(filepath.Base(real)); m != nil {
				s.Version = m[1]
			}
			s.add(filepath.Dir(filepath.Dir(real)))
		}
		s.add(prefix)
		return s
	}
	s.Version = cmp.Or(venv["version"], venv["version_info"]) // virtualenv and uv write version_info
	s.add(prefix)
	if strings.EqualFold(venv["include-system-site-packages"], "true") && venv["home"] != "" {
		s.add(filepath.Dir(venv["home"]))
	}
	return s
}

var (
	pythonName   = regexp.MustCompile(`^python(3\.\d+)`)
	minorVersion = regexp.MustCompile(`^3\.\d+`)
)

// add adds the directories below a prefix, only of the interpreter's version if it is known.
func (s *Sites) add(prefix string) {
	minor := cmp.Or(minorVersion.FindString(s.Version), "3.*")
	for _, pattern := range []string{
		"lib/python" + minor + "/site-packages", "lib64/python" + minor + "/site-packages",
		"local/lib/python" + minor + "/dist-packages", "lib/python3/dist-packages", // Debian
	} {
		found, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern))) // the pattern is valid
		for _, dir := range found {
			if real, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(s.Dirs, real) {
				s.Dirs = append(s.Dirs, real)
			}
		}
	}
}

// readVenv reads the lines "name = value" of pyvenv.cfg. It returns nil without such a file.
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

// Packages returns the versions of the distributions by name, in lower case with dashes. The first directory with a
// distribution takes precedence, as in Python.
func (s Sites) Packages() map[string]string {
	out := map[string]string{}
	for _, dir := range s.Dirs {
		infos, _ := filepath.Glob(filepath.Join(dir, "*.dist-info")) // the pattern is valid
		for _, info := range infos {
			name, version, ok := strings.Cut(strings.TrimSuffix(filepath.Base(info), ".dist-info"), "-")
			name = strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
			if _, known := out[name]; ok && !known {
				out[name] = version
			}
		}
	}
	return out
}

// Linked lists the directories that the .pth files in a site-packages directory add to Python's path, as editable
// installations do. It does not run lines of code in these files.
func Linked(site string) []string {
	var out []string
	paths, _ := filepath.Glob(filepath.Join(site, "*.pth")) // the pattern is a constant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // Python ignores it, too
		}
		for line := range strings.Lines(string(text)) {
			dir := strings.TrimSpace(line)
			if dir == "" || strings.HasPrefix(dir, "import") || strings.HasPrefix(dir, "#") {
				continue
			}
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(site, dir)
			}
			out = append(out, dir)
		}
	}
	return out
}
