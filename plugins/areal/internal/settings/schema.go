package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// Schema is the configuration that an AReaL knows.
type Schema struct {
	classes map[string]*class
	top     string
}

// Top is the class of the whole configuration.
const topClass = "GRPOConfig"

// newSchema reads areal/api/cli_args.py.
func newSchema(source string) (*Schema, error) {
	s := &Schema{classes: parseClasses(source), top: topClass}
	if s.classes[s.top] == nil {
		return nil, fmt.Errorf("it has no class %s: awhost does not know the configuration of this AReaL", s.top)
	}
	return s, nil
}

// fields are those of a class with what it inherits; nil: there is no such class.
func (s *Schema) fields(name string) map[string]string {
	c := s.classes[name]
	if c == nil {
		return nil
	}
	out := map[string]string{}
	for _, base := range c.bases {
		maps.Copy(out, s.fields(base))
	}
	maps.Copy(out, c.types)
	return out
}

// Field is what a schema says of a key.
type Field struct {
	Annotation string
	Section    bool // it has keys of its own
}

// UnknownKeyError says that an AReaL has no such key.
type UnknownKeyError struct {
	Key, Near string // Near: what was meant, perhaps; may be empty
}

// Error implements error.
func (e *UnknownKeyError) Error() string {
	text := fmt.Sprintf("AReaL has no key %s", e.Key)
	if e.Near != "" {
		text += fmt.Sprintf(": did you mean %s?", e.Near)
	}
	return text
}

// Field looks a dotted key up.
func (s *Schema) Field(key string) (Field, error) {
	name, prefix := s.top, ""
	parts := strings.Split(key, ".")
	for i, part := range parts {
		fields := s.fields(name)
		annotation, ok := fields[part]
		if !ok {
			return Field{}, &UnknownKeyError{Key: key, Near: near(prefix, part, fields, parts[i+1:])}
		}
		prefix += part + "."
		inner := s.classOf(annotation)
		switch {
		case i == len(parts)-1:
			return Field{Annotation: annotation, Section: inner != ""}, nil
		case inner != "":
			name = inner
		case strings.HasPrefix(annotation, "dict"):
			return Field{Annotation: "Any"}, nil
		default:
			return Field{}, &UnknownKeyError{Key: key}
		}
	}
	return Field{}, &UnknownKeyError{Key: key}
}

// classOf is the dataclass that a field holds; empty: none.
func (s *Schema) classOf(annotation string) string {
	for _, part := range strings.Split(annotation, "|") {
		part = strings.TrimSpace(part)
		if inner, ok := strings.CutPrefix(part, "Optional["); ok {
			part = strings.TrimSuffix(inner, "]")
		}
		if s.classes[unquote(part)] != nil && len(s.fields(unquote(part))) > 0 {
			return unquote(part)
		}
	}
	return ""
}

// near returns the key with the field whose name is closest to what was written, or an empty string.
func near(prefix, part string, fields map[string]string, rest []string) string {
	best := framework.Nearest(part, slices.Sorted(maps.Keys(fields)))
	if best == "" {
		return ""
	}
	return strings.Join(append([]string{prefix + best}, rest...), ".")
}
