package framework

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Classes reads the dataclasses of an installation from their source, without running it: importing a framework takes
// torch and half a minute.
type Classes struct {
	Root    string
	modules map[string]map[string]*class // by full name
}

// class is one dataclass.
type class struct {
	bases []string
	types map[string]string // annotation by field
}

// fields returns the fields of a class with what it inherits; nil: the class was not found.
func (c *Classes) fields(target string) map[string]string {
	module, name, ok := CutLast(target)
	if !ok || c.module(module)[name] == nil {
		return nil
	}
	return collect(c.module(module), name, 0)
}

func collect(known map[string]*class, name string, depth int) map[string]string {
	const deepest = 16 // bases of bases
	out := map[string]string{}
	if c := known[name]; c != nil && depth < deepest {
		for _, base := range c.bases {
			maps.Copy(out, collect(known, base, depth+1))
		}
		maps.Copy(out, c.types)
	}
	return out
}

// classOf returns the full name of the dataclass in the annotation of a field of another class. It is
// empty if the annotation has none.
func (c *Classes) classOf(owner, annotation string) string {
	module, _, _ := CutLast(owner)
	for _, part := range alternatives(annotation) {
		if name := JoinKey(module, part); module != "" && len(c.fields(name)) > 0 {
			return name
		}
	}
	return ""
}

// module reads the classes of a module and its neighbors, which may have bases, or of the modules of a package, whose
// __init__ exports them.
func (c *Classes) module(name string) map[string]*class {
	if found, ok := c.modules[name]; ok {
		return found
	}
	path := filepath.Join(c.Root, filepath.FromSlash(strings.ReplaceAll(name, ".", "/")))
	files, _ := filepath.Glob(filepath.Join(path, "*.py")) // the pattern is valid
	if _, err := os.Stat(path + ".py"); err == nil {
		files, _ = filepath.Glob(filepath.Join(filepath.Dir(path), "*.py"))
		files = append(files, path+".py")
	}
	out := map[string]*class{}
	for _, file := range files {
		if source, err := os.ReadFile(file); err == nil {
			parseClasses(string(source), out)
		}
	}
	if c.modules == nil {
		c.modules = map[string]map[string]*class{}
	}
	c.modules[name] = out
	return out
}

var (
	classLine = regexp.MustCompile(`^class (\w+)(?:\(([^)]*)\))?:`)
	fieldLine = regexp.MustCompile(`^    (\w+)\s*:\s*(.+)$`)
)

// parseClasses reads the classes of a source file.
func parseClasses(source string, out map[string]*class) {
	var current *class
	for _, line := range logicalLines(source) {
		m := classLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			current = &class{types: map[string]string{}}
			current.bases = strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
			out[m[1]] = current
		case line[0] != ' ':
			current = nil
		case current != nil:
			if m := fieldLine.FindStringSubmatch(line); m != nil {
				current.add(m[1], annotationOf(m[2]))
			}
		}
	}
}

// keywords begin lines that look like fields.
var keywords = map[string]bool{"else": true, "try": true, "finally": true, "return": true, "lambda": true}

func (c *class) add(name, annotation string) {
	if !keywords[name] && annotation != "" && !strings.HasPrefix(annotation, "ClassVar") {
		c.types[name] = annotation
	}
}

// annotationOf returns the annotation before the default, outside of brackets and text.
func annotationOf(rest string) string {
	depth := 0
	for i, r := range rest {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case depth == 0 && (r == '=' || r == '#'):
			return unquote(rest[:i])
		}
	}
	return unquote(rest)
}

func unquote(annotation string) string { return strings.Trim(strings.TrimSpace(annotation), `"'`) }

// pythonText is a text or a comment in a Python source.
var pythonText = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|` +
	`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*`)

// logicalLines joins the lines of a Python source that brackets hold together, and leaves out text, comments and empty
// lines.
func logicalLines(source string) []string {
	var out []string
	joined, depth := "", 0
	for line := range strings.Lines(pythonText.ReplaceAllString(source, "")) {
		for _, r := range line {
			switch {
			case strings.ContainsRune("([{", r):
				depth++
			case strings.ContainsRune(")]}", r):
				depth = max(0, depth-1)
			}
		}
		if joined += strings.TrimRight(line, "\r\n") + " "; depth > 0 {
			continue
		}
		if strings.TrimSpace(joined) != "" {
			out = append(out, joined)
		}
		joined = ""
	}
	return out
}
