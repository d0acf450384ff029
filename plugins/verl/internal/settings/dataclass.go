package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// verl builds parts of its configuration into dataclasses: a node with _target_ takes the fields of that class and no
// others, also such as the YAML does not list. The classes are read from their source, whose form is that of any
// dataclass: "name: type = default" at the first indentation.

// dataclass is one class.
type dataclass struct {
	bases  []string
	fields map[string]string // name → annotation
}

var (
	classLine = regexp.MustCompile(`^class (\w+)(?:\(([^)]*)\))?:`)
	fieldLine = regexp.MustCompile(`^    (\w+)\s*:\s*([^=#]+?)\s*(?:=.*|#.*)?$`)
)

// parseDataclasses reads the classes of a source file.
func parseDataclasses(source string) map[string]*dataclass {
	out := map[string]*dataclass{}
	var current *dataclass
	quoted := false
	for line := range strings.Lines(source) {
		line = strings.TrimRight(line, " \r\n")
		if marks := strings.Count(line, `"""`); quoted || marks > 0 {
			quoted = quoted != (marks%2 == 1)
			continue
		}
		if m := classLine.FindStringSubmatch(line); m != nil {
			current = &dataclass{bases: strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' }), fields: map[string]string{}}
			out[m[1]] = current
			continue
		}
		if line != "" && line[0] != ' ' && line[0] != '#' && line[0] != ')' {
			current = nil
		}
		if m := fieldLine.FindStringSubmatch(line); m != nil && current != nil && m[1] != "else" && m[1] != "try" {
			current.fields[m[1]] = m[2]
		}
	}
	return out
}

// classes finds dataclasses of an installation by their full names.
type classes struct {
	root  string
	files map[string]map[string]*dataclass // by directory or file
}

// fields are those of a class with what it inherits; nil: the class was not found.
func (c *classes) fields(target string) map[string]string {
	module, name, ok := cutLast(target)
	if !ok {
		return nil
	}
	known := c.module(module)
	if known[name] == nil {
		return nil
	}
	out := map[string]string{}
	c.collect(known, name, out, 0)
	return out
}

func (c *classes) collect(known map[string]*dataclass, name string, out map[string]string, depth int) {
	class := known[name]
	if class == nil || depth > 10 {
		return
	}
	for _, base := range class.bases {
		c.collect(known, base, out, depth+1)
	}
	for field, annotation := range class.fields {
		out[field] = annotation
	}
}

// module reads the classes of a module, or of the modules of a package: its __init__ re-exports them.
func (c *classes) module(name string) map[string]*dataclass {
	if found, ok := c.files[name]; ok {
		return found
	}
	out := map[string]*dataclass{}
	path := filepath.Join(c.root, filepath.FromSlash(strings.ReplaceAll(name, ".", "/")))
	files, _ := filepath.Glob(filepath.Join(path, "*.py")) // the pattern is ours
	if _, err := os.Stat(path + ".py"); err == nil {
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.py")) // bases may be in neighbours
		files = append(beside, path+".py")
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for name, class := range parseDataclasses(string(source)) {
			out[name] = class
		}
	}
	c.files[name] = out
	return out
}

func cutLast(dotted string) (before, last string, ok bool) {
	at := strings.LastIndexByte(dotted, '.')
	if at < 0 {
		return "", dotted, false
	}
	return dotted[:at], dotted[at+1:], true
}
