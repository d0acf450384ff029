package python

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Search defines where to look.
type Search struct {
	Named   []Place // searched first: Pythons named by the user or a spec, by Python or Prefix
	Dir     string  // directory of the spec
	WorkDir string
	Home    string
	Getenv  func(string) string
}

// mostListed is the maximum number of listed environments to inspect.
const mostListed = 64

// Find returns the possible environments without duplicates, and the number of listed environments that were omitted.
func Find(s Search) (places []Place, omitted int) {
	candidates := slices.Clone(s.Named)
	candidates = append(candidates, s.beside()...)
	candidates = append(candidates, s.active()...)
	candidates = append(candidates, s.onPath()...)
	candidates = append(candidates, s.lists()...)
	known := map[string]int{} // index in places
	listed := 0
	for _, p := range candidates {
		p = s.settle(p)
		key := canonical(p.Prefix)
		if at, ok := known[key]; ok {
			places[at] = merge(places[at], p)
			continue
		}
		if !p.exists() && !p.Meant {
			continue
		}
		if p.Listed {
			if listed++; listed > mostListed {
				omitted++
				continue
			}
		}
		known[key] = len(places)
		places = append(places, p)
	}
	return places, omitted
}

// merge merges two discoveries of the same place. An environment next to the spec that is also active belongs to the
// user.
func merge(p, again Place) Place {
	p.Own, p.Meant, p.Listed = p.Own || again.Own, p.Meant || again.Meant, p.Listed && again.Listed
	if !slices.Contains(strings.Split(p.Origin, ", "), again.Origin) {
		p.Origin += ", " + again.Origin
	}
	return p
}

func (s Search) beside() []Place {
	var out []Place
	for _, dir := range []string{s.Dir, s.WorkDir} {
		origin, meant := "next to the spec", dir == s.Dir
		if !meant {
			origin = "in this directory"
		}
		for _, name := range []string{".venv", "venv"} {
			if prefix := filepath.Join(dir, name); isDir(prefix) {
				out = append(out, Place{Prefix: prefix, Origin: origin, Meant: meant && name == ".venv"})
			}
		}
	}
	return out
}

// active returns the environments that are active in the shell.
func (s Search) active() []Place {
	var out []Place
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT"} {
		prefix := s.Getenv(name)
		if prefix == "" {
			continue
		}
		if !filepath.IsAbs(prefix) {
			prefix = filepath.Join(s.WorkDir, prefix)
		}
		out = append(out, Place{Prefix: prefix, Origin: name, Own: true, Meant: name == "VIRTUAL_ENV"})
	}
	return out
}

// onPath returns the Python interpreters found in PATH, in the same order.
func (s Search) onPath() []Place {
	var out []Place
	for _, dir := range filepath.SplitList(s.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // depends on the working directory
		}
		for _, name := range []string{"python3", "python"} {
			if path := filepath.Join(dir, name); isProgram(path) {
				out = append(out, Place{Python: path, Origin: "PATH", Own: true})
				break
			}
		}
	}
	return out
}

// lists returns the environments managed by conda, pyenv and virtualenvwrapper.
func (s Search) lists() []Place {
	var out []Place
	if s.Home != "" {
		if text, err := os.ReadFile(filepath.Join(s.Home, ".conda", "environments.txt")); err == nil {
			for line := range strings.Lines(string(text)) {
				if prefix := strings.TrimSpace(line); filepath.IsAbs(prefix) {
					out = append(out, Place{Prefix: prefix, Origin: "conda", Own: true, Listed: true})
				}
			}
		}
	}
	for _, list := range []struct{ dir, origin string }{
		{filepath.Join(s.setting("PYENV_ROOT", ".pyenv"), "versions"), "pyenv"},
		{s.setting("WORKON_HOME", ".virtualenvs"), "virtualenvwrapper"},
		{s.inHome(".cache", "pypoetry", "virtualenvs"), "poetry"},
	} {
		entries, err := os.ReadDir(list.dir)
		if err != nil {
			continue // it does not exist
		}
		for _, e := range entries {
			out = append(out, Place{Prefix: filepath.Join(list.dir, e.Name()), Origin: list.origin, Own: true, Listed: true})
		}
	}
	return out
}

func (s Search) setting(variable string, home ...string) string {
	if value := s.Getenv(variable); value != "" {
		return value
	}
	return s.inHome(home...)
}

func (s Search) inHome(parts ...string) string {
	if s.Home == "" {
		return os.DevNull // no path exists below it
	}
	return filepath.Join(append([]string{s.Home}, parts...)...)
}

// settle completes a place: it adds the prefix for a program, or the program for a prefix.
func (s Search) settle(p Place) Place {
	if p.Prefix == "" && isDir(p.Python) {
		p.Prefix, p.Python = p.Python, "" // the user named the environment
	}
	if p.Prefix == "" {
		p.Prefix = s.prefixOf(p.Python)
		return p
	}
	if p.Python != "" {
		return p
	}
	p.Python = filepath.Join(p.Prefix, "bin", "python")
	for _, name := range []string{"python3", "python"} {
		if path := filepath.Join(p.Prefix, "bin", name); isProgram(path) {
			p.Python = path
		}
	}
	return p
}

// prefixOf returns the environment that a program belongs to. A link in a virtual environment points outside the
// environment and is not followed. Other links are followed to the program's real path.
func (s Search) prefixOf(python string) string {
	prefix := filepath.Dir(filepath.Dir(python))
	if isVenv(prefix) {
		return prefix
	}
	if version := s.shimmed(python); version != "" {
		return version
	}
	if real, err := filepath.EvalSymlinks(python); err == nil {
		return filepath.Dir(filepath.Dir(real))
	}
	return prefix
}

// shimmed returns the version selected by pyenv shims, which are scripts. It returns "" for other programs.
func (s Search) shimmed(python string) string {
	shims := filepath.Dir(python)
	root := filepath.Dir(shims)
	if filepath.Base(shims) != "shims" || !isDir(filepath.Join(root, "versions")) {
		return ""
	}
	for _, chosen := range []string{s.Getenv("PYENV_VERSION"), s.localVersion(),
		readWord(filepath.Join(root, "version"))} {
		name, _, _ := strings.Cut(chosen, ":") // the first of several counts
		if name != "" && filepath.IsLocal(name) {
			return filepath.Join(root, "versions", name)
		}
	}
	return ""
}

// localVersion returns the content of the nearest .python-version file in the working directory or its parents.
func (s Search) localVersion() string {
	for dir := s.WorkDir; ; dir = filepath.Dir(dir) {
		if word := readWord(filepath.Join(dir, ".python-version")); word != "" {
			return word
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func (p Place) exists() bool { return isProgram(p.Python) }

// canonical returns the same path for all paths to a directory.
func canonical(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

func isVenv(prefix string) bool {
	_, err := os.Stat(filepath.Join(prefix, "pyvenv.cfg"))
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// readWord returns the first word of a small file, or "".
func readWord(path string) string {
	text, err := readSmall(path)
	if err != nil {
		return ""
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
