package sandbox

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Installation returns the files and folders that belong to a program which may be installed anywhere: what its links
// lead to, the prefix of each (of PREFIX/bin/python, PREFIX), the interpreter that its first line names, and the Python
// that a virtual environment was made of. searched is a PATH for interpreters by name. It starts nothing. What lies in
// the system's folders is left out.
func Installation(program, searched string) []string {
	in := &installation{searched: searched}
	in.add(program)
	slices.Sort(in.found)
	return slices.Compact(in.found)
}

type installation struct {
	searched string
	seen     []string
	found    []string
}

// maxPrograms bounds interpreters of interpreters.
const maxPrograms = 16

func (in *installation) add(program string) {
	if !filepath.IsAbs(program) || slices.Contains(in.seen, program) || len(in.seen) >= maxPrograms {
		return
	}
	in.seen = append(in.seen, program)
	info, err := os.Lstat(program)
	if err != nil {
		return
	}
	in.keep(program)
	if info.Mode()&os.ModeSymlink != 0 {
		if target, err := os.Readlink(program); err == nil {
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(program), target)
			}
			in.add(target)
		}
		return
	}
	if real, err := filepath.EvalSymlinks(program); err == nil && real != program { // a link above it
		in.add(real)
	}
	in.add(in.interpreter(program))
}

// keep adds the prefix of a program, or the program alone where there is none.
func (in *installation) keep(program string) {
	for _, system := range systemFolders {
		if below(program, system) {
			return
		}
	}
	if at := strings.LastIndex(program, "/node_modules/"); at > 0 {
		in.found = append(in.found, program[:at]+"/node_modules")
		return
	}
	folder := filepath.Dir(program)
	switch filepath.Base(folder) {
	case "bin", "sbin", "libexec", "shims":
	default:
		in.found = append(in.found, program)
		return
	}
	prefix := filepath.Dir(folder)
	in.found = append(in.found, folder)
	for _, part := range []string{"lib", "lib64", "libexec", "include", "share", "pyvenv.cfg"} {
		if path := filepath.Join(prefix, part); exists(path) && (part != "share" || !isHome(prefix)) {
			in.found = append(in.found, path)
		}
	}
	switch {
	case exists(filepath.Join(prefix, "pyvenv.cfg")):
		in.found = append(in.found, prefix)
		in.add(filepath.Join(pythonHome(filepath.Join(prefix, "pyvenv.cfg")), filepath.Base(program)))
	case filepath.Base(folder) == "shims": // of pyenv and its like, which choose among versions
		in.found = append(in.found, prefix)
	}
}

// isHome reports whether a prefix is a person's: its share has more than programs.
func isHome(prefix string) bool {
	home, err := os.UserHomeDir()
	return filepath.Base(prefix) == ".local" || err == nil && prefix == home
}

// interpreter is the program of a first line "#!…"; empty: there is none.
func (in *installation) interpreter(script string) string {
	f, err := os.Open(script)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	rest, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		for _, folder := range filepath.SplitList(in.searched) {
			if path := filepath.Join(folder, word); filepath.IsAbs(path) && exists(path) {
				return path
			}
		}
		return ""
	}
	return ""
}

// pythonHome is where the Python of a virtual environment is from.
func pythonHome(config string) string {
	text, err := os.ReadFile(config)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == "home" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
