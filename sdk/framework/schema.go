package framework

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Schema is the configuration that an installed framework takes.
type Schema struct {
	Free    []string // mappings that take any key
	Guessed bool     // it is another version's: the framework may have further keys
	places  map[string]Place
	keys    []string // of places, in the framework's order
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
	Default    any // of a known key
	Takes      Types
	Annotation string   // of a dataclass's field; may be empty
	Choices    []string // the only texts of a dataclass's field; empty: any
	Members    []any    // of a field's Literal types
	Strict     bool     // of an unknown key: a dataclass has no such field; of a section: it has no other names
	Missing    string   // the part of an unknown key up to the name that is missing
	open       bool     // the names below are free
}

// entry is a key in the probe's answer.
type entry struct {
	Key        string          `json:"key"`
	Default    json.RawMessage `json:"default"` // absent: unknown
	Takes      []string        `json:"takes"`   // the names of kinds; empty: anything
	Annotation string          `json:"annotation"`
	Choices    []string        `json:"choices"`
	Members    json.RawMessage `json:"members"`
	Section    bool            `json:"section"`
	Strict     bool            `json:"strict"`
	Open       bool            `json:"open"`
	In         []string        `json:"in"` // the schemas that have the key; empty: all
}

// addAll adds keys, or replaces them.
func (s *Schema) addAll(all []entry) error {
	for _, e := range all {
		if err := s.add(e); err != nil {
			return fmt.Errorf("read the values of %s: %w", e.Key, err)
		}
	}
	return nil
}

func (s *Schema) add(e entry) (err error) {
	at := Place{Kind: Field, Annotation: e.Annotation, Choices: e.Choices, Strict: e.Strict, open: e.Open}
	for _, name := range e.Takes {
		at.Takes |= kinds[name]
	}
	if at.Takes == 0 {
		at.Takes = Anything
	}
	switch {
	case e.Section:
		at.Kind = Section
	case e.Default != nil:
		at.Kind = Known
		at.Default, err = FromJSON(e.Default)
	}
	if e.Members != nil && err == nil {
		var members any
		members, err = FromJSON(e.Members)
		at.Members, _ = members.([]any)
	}
	if !s.Has(e.Key) {
		s.keys = append(s.keys, e.Key)
	}
	s.places[e.Key] = at
	return err
}

// At looks a key up.
func (s *Schema) At(key string) Place {
	if at, ok := s.places[key]; ok {
		return at
	}
	above, _, _ := CutLast(key)
	parent, ok := s.places[above]
	for ; !ok && above != ""; parent, ok = s.places[above] {
		above, _, _ = CutLast(above)
	}
	isFree := func(f string) bool { return key == f || strings.HasPrefix(key, f+".") }
	switch {
	case parent.open, s.Guessed, slices.ContainsFunc(s.Free, isFree):
		return Place{Kind: Free, Takes: Anything}
	case above != "" && parent.Kind != Section:
		return Place{Strict: true, Missing: key, Takes: Anything}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(key[len(above):], "."), ".")
	return Place{Strict: parent.Strict, Missing: JoinKey(above, name), Takes: Anything}
}

// Has reports whether the framework knows a key.
func (s *Schema) Has(key string) bool {
	_, ok := s.places[key]
	return ok
}

// Keys returns all settings with a default, in their order.
func (s *Schema) Keys() []string {
	return slices.DeleteFunc(slices.Clone(s.keys), func(key string) bool {
		return s.places[key].Kind != Known || strings.HasSuffix(key, "_target_")
	})
}

// Nearest returns the key that was meant by an unknown one, or an empty string: a neighbor, a key of the same name
// elsewhere, or any key like it.
func (s *Schema) Nearest(key string) string {
	prefix, name, _ := CutLast(key)
	names := s.Names(prefix)
	slices.Sort(names)
	if near := Nearest(name, names); near != "" {
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

// Names returns the names that a section has, in their order.
func (s *Schema) Names(section string) []string {
	var out []string
	for _, key := range s.keys {
		if above, name, _ := CutLast(key); above == section {
			out = append(out, name)
		}
	}
	return out
}
