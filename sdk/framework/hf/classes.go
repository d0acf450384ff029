package hf

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// Classes reads the dataclasses of an installation from their source, without running it: importing a framework takes
// torch and half a minute.
type Classes struct {
	Root  string
	Sites []string                     // where other packages are, which may define bases
	read  map[string]*source           // by file
	known map[string]map[string]string // fields by full name
}

// source is a Python file.
type source struct {
	module  string
	parent  string // its package
	classes map[string]*class
	imports map[string]string // full names by name
}

// class is one dataclass.
type class struct {
	in      *source
	bases   []string
	types   map[string]string // annotation by field
	methods map[string]string // parameters by method
}

// Methods returns the parameters of a class's own methods, by name, as in the source. It returns nil if the class was
// not found.
func (c *Classes) Methods(target string) map[string]string {
	if found := c.find(target); found != nil {
		return found.methods
	}
	return nil
}

// Schema returns the fields of a class as a schema, which has no key if the class was not found.
func (c *Classes) Schema(target string) *framework.Schema {
	places := map[string]framework.Place{}
	for name, annotation := range c.fields(target) {
		places[name] = framework.Place{Kind: framework.Field, Takes: typeOf(annotation), Annotation: annotation}
	}
	return framework.NewSchema(places)
}

// fields returns the fields of a class with what it inherits; nil: the class was not found.
func (c *Classes) fields(target string) map[string]string {
	if fields, ok := c.known[target]; ok {
		return fields
	}
	var out map[string]string
	if found := c.find(target); found != nil {
		out = c.collect(found, 0)
	}
	if c.known == nil {
		c.known = map[string]map[string]string{}
	}
	c.known[target] = out
	return out
}

func (c *Classes) collect(of *class, depth int) map[string]string {
	const deepest = 16 // bases of bases
	out := map[string]string{}
	for _, base := range slices.Backward(of.bases) { // the first base wins
		if found := c.find(of.in.full(base)); found != nil && depth < deepest {
			maps.Copy(out, c.collect(found, depth+1))
		}
	}
	maps.Copy(out, of.types)
	return out
}

// full returns the full name of a class that a file defines or imports, or that another file of its package defines.
func (s *source) full(name string) string {
	if s.classes[name] != nil {
		return framework.JoinKey(s.module, name)
	}
	return cmp.Or(s.imports[name], framework.JoinKey(s.parent, name))
}

// find reads a class of a module, or of one of the modules of a package, whose __init__ exports it.
func (c *Classes) find(target string) *class {
	module, name, _ := framework.CutLast(target)
	for _, root := range append([]string{c.Root}, c.Sites...) {
		path := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(module, ".", "/")))
		files, parent := []string{path + ".py"}, module
		if _, err := os.Stat(files[0]); err == nil {
			parent, _, _ = framework.CutLast(module)
		} else {
			files, _ = filepath.Glob(filepath.Join(path, "*.py")) // the pattern is valid
		}
		for _, file := range files {
			of := &source{module: framework.JoinKey(parent, strings.TrimSuffix(filepath.Base(file), ".py")), parent: parent}
			if found := c.parse(file, of, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// parse returns a class of a file. Only files that define it are parsed.
func (c *Classes) parse(file string, of *source, name string) *class {
	if c.read[file] == nil {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), "class "+name) {
			return nil
		}
		if c.read == nil {
			c.read = map[string]*source{}
		}
		of.parse(string(text))
		c.read[file] = of
	}
	return c.read[file].classes[name]
}

var (
	classLine  = regexp.MustCompile(`^class (\w+)(?:\(([^)]*)\))?:`)
	fieldLine  = regexp.MustCompile(`^    (\w+)\s*:\s*(.+)$`)
	methodLine = regexp.MustCompile(`^    (?:async )?def (\w+)\((.*)\)`)
	importLine = regexp.MustCompile(`^from ([\w.]+) import \(?([^)]*)`)
	importName = regexp.MustCompile(`(\w+)(?:\s+as\s+(\w+))?`)
)

func (s *source) parse(text string) {
	s.classes, s.imports = map[string]*class{}, map[string]string{}
	var current *class
	for _, line := range logicalLines(text) {
		m := classLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			current = &class{in: s, types: map[string]string{}, methods: map[string]string{}}
			current.bases = strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' })
			s.classes[m[1]] = current
		case line[0] != ' ':
			current = nil
			if m := importLine.FindStringSubmatch(line); m != nil {
				for _, n := range importName.FindAllStringSubmatch(m[2], -1) {
					s.imports[cmp.Or(n[2], n[1])] = framework.JoinKey(absoluteModule(s.parent, m[1]), n[1])
				}
			}
		case current != nil:
			if m := methodLine.FindStringSubmatch(line); m != nil {
				current.methods[m[1]] = m[2]
			} else if m := fieldLine.FindStringSubmatch(line); m != nil {
				current.add(m[1], annotationOf(m[2]))
			}
		}
	}
}

// absoluteModule resolves the dots before the module of an import: one means the package of the file.
func absoluteModule(parent, module string) string {
	rest := strings.TrimLeft(module, ".")
	for range len(module) - len(rest) - 1 {
		parent, _, _ = framework.CutLast(parent)
	}
	if rest == module {
		return module
	}
	return strings.TrimSuffix(framework.JoinKey(parent, rest), ".")
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

// shortText is a text without brackets in it, such as a member of a Literal.
var shortText = regexp.MustCompile(`^["'][^"'()\[\]{}#=\\]*["']$`)

// logicalLines joins the lines of a Python source that brackets hold together, and leaves out comments, empty lines,
// and text that may contain brackets.
func logicalLines(source string) []string {
	var out []string
	joined, depth := "", 0
	source = pythonText.ReplaceAllStringFunc(source, func(text string) string {
		if shortText.MatchString(text) {
			return text
		}
		return ""
	})
	for line := range strings.Lines(source) {
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

var (
	listType = regexp.MustCompile(`^(list|List|tuple|Tuple|Sequence)\b`)
	mapType  = regexp.MustCompile(`^([dD]ict|DictConfig|Mapping)\b`)
)

// typeOf reads the annotation of a dataclass's field.
func typeOf(annotation string) framework.Types {
	parts := alternatives(annotation)
	if len(parts) > 1 {
		var out framework.Types
		for _, part := range parts {
			out |= typeOf(part)
		}
		return out
	}
	switch part := parts[0]; {
	case part == "bool":
		return framework.Boolean
	case part == "int":
		return framework.Whole
	case part == "float":
		return framework.Real | framework.Whole
	case part == "str":
		return framework.Text
	case part == "None":
		return framework.Null
	case listType.MatchString(part):
		return framework.List
	case mapType.MatchString(part):
		return framework.Mapping
	}
	return framework.Anything // Any, a class, an enumeration, or a type that awhost does not know
}

// literalType is a Literal with its members.
var literalType = regexp.MustCompile(`\bLiteral\[([^\[\]]*)\]`)

// accepts reports whether an annotation takes a value: one of the members of its Literal types, or a value of its other
// types. framework.Text must be a member if there are any.
func accepts(annotation string, v any) bool {
	isText, hasMembers := framework.Text.Fit(v), false
	for _, literal := range literalType.FindAllStringSubmatch(annotation, -1) {
		for member := range strings.SplitSeq(literal[1], ",") {
			hasMembers = true
			if name := strings.TrimSpace(member); isText && unquote(name) == v && name != v ||
				!isText && strings.ToLower(name) == framework.Shown(v) {
				return true
			}
		}
	}
	var others framework.Types
	for _, part := range alternatives(annotation) {
		if !literalType.MatchString(part) {
			others |= typeOf(part)
		}
	}
	return others.Fit(v) && !(isText && hasMembers)
}

// alternatives splits a union.
func alternatives(annotation string) []string {
	annotation = unquote(annotation)
	if inner, ok := strings.CutPrefix(annotation, "Optional["); ok {
		return append(alternatives(strings.TrimSuffix(inner, "]")), "None")
	}
	separator := '|'
	if inner, ok := strings.CutPrefix(annotation, "Union["); ok {
		annotation, separator = strings.TrimSuffix(inner, "]"), ','
	}
	var out []string
	depth, begin := 0, 0
	for i, r := range annotation {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case separator:
			if depth == 0 {
				out = append(out, unquote(annotation[begin:i]))
				begin = i + 1
			}
		}
	}
	return append(out, unquote(annotation[begin:]))
}
