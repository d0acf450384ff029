package sandbox

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Installation returns the files and directories that belong to a program which may be installed anywhere: the targets
// of its links, the prefix of each (PREFIX for PREFIX/bin/python), the interpreter in its first line, and the Python
// from which a virtual environment was created. searched is a PATH for finding interpreters specified by name. It does
// not start any program and omits files in the system's directories.
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

// maxPrograms limits the length of chains of interpreters.
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
	if real, err := filepath.EvalSymlinks(program); err == nil && real != program { // a folder of the path is a link
		in.add(real)
	}
	in.add(in.interpreter(program))
}

// keep adds the parts under a program's prefix, or only the program if it has no prefix.
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
	case filepath.Base(folder) == "shims": // of pyenv and similar tools, which select a version
		in.found = append(in.found, prefix)
	}
}

// isHome reports whether a prefix is a user's home directory, whose share directory contains more than programs.
func isHome(prefix string) bool {
	home, err := os.UserHomeDir()
	return filepath.Base(prefix) == ".local" || err == nil && prefix == home
}

// interpreter returns the program of a first line "#!…", or an empty string without one.
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

// pythonHome returns the directory of the Python from which a virtual environment was created.
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
