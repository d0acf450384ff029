package framework

import (
	"maps"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Schema is the configuration that an installed framework takes. It is a tree of defaults whose nodes may name their
// dataclass with _target_, or a dataclass.
type Schema struct {
	Top     *Tree  // the defaults; nil if there is only Class
	Class   string // the full name of the dataclass of the whole
	Classes *Classes
	Free    []string // mappings that take any key
}

// Kind describes what a framework does with a key.
type Kind int

// The kinds of keys.
const (
	Unknown Kind = iota // Hydra or a dataclass refuses it
	Known               // it has a default
	Field               // a field of a dataclass without a known default
	Free                // below a mapping that takes anything
	Section             // a mapping that has further keys
)

// Place is the part of a schema that a key names.
type Place struct {
	Kind       Kind
	Leaf       *Tree  // of a known key or a section
	Annotation string // of a dataclass's field; may be empty
	Strict     bool   // the key is unknown because a dataclass has no such field
	Missing    string // the part of an unknown key up to the name that is missing
}

// Default returns the framework's default of a known key.
func (p Place) Default() any {
	if p.Kind != Known {
		return nil
	}
	return p.Leaf.Value
}

// Takes returns the types of the values that the framework takes.
func (p Place) Takes() Types {
	switch {
	case p.Annotation != "":
		return TypeOf(p.Annotation)
	case p.Kind == Known:
		return typeOfDefault(p.Leaf.Value)
	}
	return Anything
}

// At looks a key up.
func (s *Schema) At(key string) Place {
	here, class, path := s.Top, s.Class, ""
	parts := strings.Split(key, ".")
	for i, name := range parts {
		fields, last := s.fields(here, class), i == len(parts)-1
		annotation, isField := fields[name]
		var child *Tree
		if here != nil {
			child = here.Children[name]
		}
		path = JoinKey(path, name)
		missing := Place{Strict: fields != nil, Leaf: here, Missing: path}
		switch isMapping := isField && TypeOf(annotation).Has(Mapping) && TypeOf(annotation) != Anything; {
		case s.Top == nil && !isField:
			return missing
		case s.Top == nil:
			inner := s.Classes.classOf(class, annotation)
			switch {
			case last && inner != "":
				return Place{Kind: Section, Annotation: annotation}
			case last:
				return Place{Kind: Field, Annotation: annotation}
			case inner == "" && isMapping:
				return Place{Kind: Free}
			case inner == "":
				return Place{Strict: true, Missing: key}
			}
			class = inner
		case child == nil && isField && last:
			return Place{Kind: Field, Annotation: annotation}
		case child == nil && (s.isFree(key) || isField && TypeOf(annotation).Has(Mapping)):
			return Place{Kind: Free}
		case child == nil:
			missing.Strict = missing.Strict || isField
			return missing
		case child.Children == nil && last:
			return Place{Kind: Known, Leaf: child, Annotation: annotation}
		case child.Children == nil:
			_, isEmpty := child.Value.(map[string]any)
			if isEmpty || s.isFree(key) || child.Value == nil && isField && TypeOf(annotation).Has(Mapping) {
				return Place{Kind: Free}
			}
			return Place{Strict: true, Leaf: child, Missing: path}
		}
		here = child
	}
	return Place{Kind: Section, Leaf: here}
}

func (s *Schema) isFree(key string) bool {
	return slices.ContainsFunc(s.Free, func(f string) bool { return key == f || strings.HasPrefix(key, f+".") })
}

// fields returns the fields of the dataclass of a node; nil: it has none, or its class was not found.
func (s *Schema) fields(node *Tree, class string) map[string]string {
	if s.Top == nil {
		return s.Classes.fields(class)
	}
	if target := node.Children["_target_"]; target != nil {
		name, _ := target.Value.(string)
		return s.Classes.fields(name)
	}
	return nil
}

// Has reports whether the framework knows a key.
func (s *Schema) Has(key string) bool {
	kind := s.At(key).Kind
	return kind == Known || kind == Field || kind == Section
}

// Keys returns all settings with a default, in their order.
func (s *Schema) Keys() []string {
	var out []string
	if s.Top != nil {
		s.Top.Leaves("", func(key string, _ *Tree) {
			if !strings.HasSuffix(key, "_target_") {
				out = append(out, key)
			}
		})
	}
	return out
}

// Nearest returns the key that was meant by an unknown one, or an empty string: a neighbor, a key of the same name
// elsewhere, or any key like it.
func (s *Schema) Nearest(key string) string {
	prefix, name, _ := CutLast(key)
	if near := Nearest(name, s.names(prefix)); near != "" {
		return JoinKey(prefix, near)
	}
	all := s.Keys()
	best, distance := "", 0
	for _, candidate := range all {
		d := levenshtein.Distance(key, candidate, nil)
		if strings.HasSuffix(candidate, "."+name) && (d < distance || best == "") {
			best, distance = candidate, d
		}
	}
	if best == "" {
		best = Nearest(key, all)
	}
	return best
}

// names returns the names that a section has.
func (s *Schema) names(section string) []string {
	at := Place{Kind: Section, Leaf: s.Top}
	class := s.Class
	if section != "" {
		at = s.At(section)
		class = s.Classes.classOf(class, at.Annotation)
	}
	if at.Kind != Section {
		return nil
	}
	names := maps.Clone(s.fields(at.Leaf, class))
	if names == nil {
		names = map[string]string{}
	}
	if at.Leaf != nil {
		for name := range at.Leaf.Children {
			names[name] = ""
		}
	}
	return slices.Sorted(maps.Keys(names))
}
