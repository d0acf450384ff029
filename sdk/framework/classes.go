package framework

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// class is a class of a distribution, in the probe's answer.
type class struct {
	Bases   []string            `json:"bases"`   // full names
	Keys    []entry             `json:"keys"`    // its own fields
	Methods map[string][]string `json:"methods"` // its own methods, with the names of their parameters
}

// Classes are the classes of several distributions, which may define each other's bases.
type Classes []*Configuration

// find returns a class, and the distribution's configuration that has it. A package exports classes of its modules:
// apart from an exact match, the names of the package and of the class count.
func (c Classes) find(target string) (*Configuration, class) {
	top, _, _ := strings.Cut(target, ".")
	_, name, _ := CutLast(target)
	for _, in := range c {
		if found, ok := in.Classes[target]; ok {
			return in, found
		}
		for _, full := range slices.Sorted(maps.Keys(in.Classes)) {
			if strings.HasPrefix(full, top+".") && strings.HasSuffix(full, "."+name) {
				return in, in.Classes[full]
			}
		}
	}
	return nil, class{}
}

// Methods returns the parameters of a class's own methods, by name.
func (c Classes) Methods(target string) map[string][]string {
	_, found := c.find(target)
	return found.Methods
}

// Schema returns the fields of a dataclass, including inherited ones.
func (c Classes) Schema(target string) (*Schema, error) {
	out := &Schema{places: map[string]Place{}}
	return out, c.collect(out, target)
}

func (c Classes) collect(out *Schema, target string) error {
	in, found := c.find(target)
	if in == nil {
		return nil // a base without fields, such as object
	}
	out.Guessed = out.Guessed || in.Guessed
	for _, base := range slices.Backward(found.Bases) { // the first base wins
		if err := c.collect(out, base); err != nil {
			return err
		}
	}
	return out.addAll(found.Keys)
}

// Accepts reports whether a field takes a value. Of a kind that has Members, it takes only these.
func (p Place) Accepts(v any) bool {
	isLike := func(member any) bool { return reflect.TypeOf(member) == reflect.TypeOf(v) }
	is := func(member any) bool { return isLike(member) && member == v }
	return p.Takes.Fit(v) && (!slices.ContainsFunc(p.Members, isLike) || slices.ContainsFunc(p.Members, is))
}
