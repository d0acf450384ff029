package settings

import (
	"regexp"
	"strings"
)

// AReaL's configuration is a tree of dataclasses in one file, areal/api/cli_args.py. OmegaConf refuses every key that they
// do not have. The file is read, never run: importing AReaL takes torch and half a minute.

// class is one dataclass.
type class struct {
	name  string
	bases []string
	names []string          // of its own fields, in the file's order
	types map[string]string // annotation by field
}

var (
	classLine = regexp.MustCompile(`^class (\w+)(?:\(([^)]*)\))?:`)
	fieldLine = regexp.MustCompile(`^    (\w+)\s*:\s*(.+)$`)
)

// parseClasses reads the classes of a source file.
func parseClasses(source string) map[string]*class {
	out := map[string]*class{}
	var current *class
	for _, line := range logicalLines(source) {
		if m := classLine.FindStringSubmatch(line); m != nil {
			current = &class{name: m[1], types: map[string]string{}}
			for _, base := range strings.Split(m[2], ",") {
				if base = strings.TrimSpace(base); base != "" {
					current.bases = append(current.bases, base)
				}
			}
			out[m[1]] = current
			continue
		}
		if line[0] != ' ' {
			current = nil
			continue
		}
		if m := fieldLine.FindStringSubmatch(line); m != nil && current != nil {
			current.add(m[1], m[2])
		}
	}
	return out
}

// keywords begin lines that look like fields.
var keywords = map[string]bool{"else": true, "try": true, "finally": true, "return": true, "lambda": true}

func (c *class) add(name, rest string) {
	annotation := annotationOf(rest)
	if keywords[name] || annotation == "" || strings.HasPrefix(annotation, "ClassVar") {
		return
	}
	if _, known := c.types[name]; !known {
		c.names = append(c.names, name)
	}
	c.types[name] = annotation
}

// annotationOf is what stands before the default, outside of brackets and text.
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

// logicalLines joins the lines of a Python source that brackets hold together, and leaves out text that stands alone,
// comments and empty lines.
func logicalLines(source string) []string {
	var out []string
	s := lineScanner{}
	for line := range strings.Lines(source) {
		s.line(strings.TrimRight(line, "\r\n"))
		if s.depth > 0 || s.quote != "" {
			continue
		}
		if text := s.take(); strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return out
}

// lineScanner follows brackets and quotes from line to line. Text and comments become nothing.
type lineScanner struct {
	depth int
	quote string // of the text that is open
	b     strings.Builder
}

func (s *lineScanner) take() string {
	text := s.b.String()
	s.b.Reset()
	return strings.TrimRight(text, " \t")
}

func (s *lineScanner) line(line string) {
	for i := 0; i < len(line); {
		if s.quote != "" {
			i += s.inText(line[i:])
			continue
		}
		switch c := line[i]; {
		case c == '#':
			i = len(line)
			continue
		case strings.HasPrefix(line[i:], `"""`), strings.HasPrefix(line[i:], `'''`):
			s.quote = line[i : i+3]
			i += 3
			continue
		case c == '"' || c == '\'':
			s.quote = line[i : i+1]
			i++
			continue
		case c == '(' || c == '[' || c == '{':
			s.depth++
		case c == ')' || c == ']' || c == '}':
			s.depth = max(0, s.depth-1)
		}
		s.b.WriteByte(line[i])
		i++
	}
	if len(s.quote) == 1 { // such text ends with its line
		s.quote = ""
	}
	s.b.WriteByte(' ')
}

// inText skips text, and returns how many bytes.
func (s *lineScanner) inText(rest string) int {
	switch {
	case rest[0] == '\\' && len(rest) > 1:
		return 2
	case strings.HasPrefix(rest, s.quote):
		n := len(s.quote)
		s.quote = ""
		return n
	}
	return 1
}
