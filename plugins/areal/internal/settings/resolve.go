package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Entry is one value of the configuration and where it came from.
type Entry struct {
	Key    string
	Value  any
	Origin string // "batch.prompts", "config: grpo.yaml", "overrides", "awhost"
}

// Problem is something that is wrong with the configuration, addressed to the person who wrote it.
type Problem struct {
	Origin string // whose value it is
	Key    string // whose value it is of
	Text   string
}

// Builder puts a configuration together. What awhost needs comes first, then what is replaced, what the user wrote, and defaults.
type Builder struct {
	schema   *Schema
	needed   map[string]Entry
	replaced map[string]Entry
	written  map[string]Entry
	defaults map[string]Entry
	problems []Problem
}

// NewBuilder begins a configuration for an AReaL.
func NewBuilder(schema *Schema) *Builder {
	return &Builder{schema: schema, needed: map[string]Entry{}, replaced: map[string]Entry{}, written: map[string]Entry{}, defaults: map[string]Entry{}}
}

// Need sets what awhost cannot work without. Another value of the user's is a problem.
func (b *Builder) Need(key string, value any) { b.needed[key] = Entry{key, value, "awhost"} }

// Replace sets what counts whatever the user writes afterwards. Keys that this AReaL does not have are left out.
func (b *Builder) Replace(key string, value any, origin string) {
	if b.schema.CheckType(key, value) == nil {
		b.replaced[key] = Entry{key, value, origin}
	}
}

// Default sets what holds unless the user says otherwise.
func (b *Builder) Default(key string, value any) {
	b.defaults[key] = Entry{key, value, "awhost's default"}
}

// Write sets what the user wrote, a knob or an override. Written twice with different values it is a problem.
func (b *Builder) Write(key string, value any, origin string) {
	if err := b.schema.CheckType(key, value); err != nil {
		b.problem(origin, key, err.Error())
		return
	}
	if _, replaced := b.replaced[key]; replaced {
		return
	}
	if earlier, twice := b.written[key]; twice && !Equal(earlier.Value, value) {
		b.problem(origin, key, fmt.Sprintf("%s is %s by %s and %s by %s: keep one of them", key, show(earlier.Value), earlier.Origin, show(value), origin))
		return
	}
	b.written[key] = Entry{key, value, origin}
}

// WriteTree sets what a file or a block of the user says, section by section.
func (b *Builder) WriteTree(tree map[string]any, origin string) { b.writeBelow("", tree, origin) }

func (b *Builder) writeBelow(prefix string, tree map[string]any, origin string) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key, value := prefix+name, tree[name]
		inner, isTree := value.(map[string]any)
		if field, err := b.schema.Field(key); isTree && (err != nil || field.Section) {
			if err != nil {
				b.problem(origin, key, err.Error())
				continue
			}
			b.writeBelow(key+".", inner, origin)
			continue
		}
		b.Write(key, value, origin)
	}
}

func (b *Builder) problem(origin, key, text string) {
	b.problems = append(b.problems, Problem{Origin: origin, Key: key, Text: text})
}

// Problem is one with the value of a key, or of whatever else about names: then that is its origin.
func (b *Builder) Problem(about, text string) Problem {
	p := Problem{Origin: about, Key: about, Text: text}
	if e, ok := b.written[about]; ok {
		p.Origin = e.Origin
	}
	return p
}

// Value is what a key will have so far.
func (b *Builder) Value(key string) (any, bool) {
	for _, layer := range []map[string]Entry{b.needed, b.replaced, b.written, b.defaults} {
		if e, ok := layer[key]; ok {
			return e.Value, true
		}
	}
	return nil, false
}

// Resolve returns the configuration, by key, and what is wrong with it.
func (b *Builder) Resolve() ([]Entry, []Problem) {
	out := map[string]Entry{}
	maps.Copy(out, b.defaults)
	maps.Copy(out, b.written)
	maps.Copy(out, b.replaced)
	for key, needed := range b.needed {
		if own, twice := b.written[key]; twice && !Equal(own.Value, needed.Value) {
			b.problem(own.Origin, key, fmt.Sprintf("%s is %s by %s, and awhost needs %s: remove it", key, show(own.Value), own.Origin, show(needed.Value)))
		}
		out[key] = needed
	}
	b.dropBelowNull(out)
	for _, key := range slices.Sorted(maps.Keys(out)) {
		if _, ok := b.written[key]; ok {
			continue // checked
		}
		if err := b.schema.CheckType(key, out[key].Value); err != nil {
			b.problem(out[key].Origin, key, fmt.Sprintf("%v: this awhost does not know this AReaL", err))
		}
	}
	entries := make([]Entry, 0, len(out))
	for _, key := range slices.Sorted(maps.Keys(out)) {
		entries = append(entries, out[key])
	}
	return entries, b.problems
}

// dropBelowNull leaves out what stands below a section that is null.
func (b *Builder) dropBelowNull(entries map[string]Entry) {
	for key, e := range entries {
		if e.Value != nil {
			continue
		}
		for other, below := range entries {
			if !strings.HasPrefix(other, key+".") {
				continue
			}
			if _, written := b.written[other]; written {
				b.problem(below.Origin, other, fmt.Sprintf("%s is set by %s, and %s is null by %s: keep one of them", other, below.Origin, key, e.Origin))
			}
			delete(entries, other)
		}
	}
}

// Tree nests the entries as AReaL reads them.
func Tree(entries []Entry) map[string]any {
	out := map[string]any{}
	for _, e := range entries {
		here := out
		parts := strings.Split(e.Key, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := here[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				here[part] = next
			}
			here = next
		}
		here[parts[len(parts)-1]] = e.Value
	}
	return out
}

// Equal compares values as OmegaConf does: 1 and 1.0 are the same number.
func Equal(a, b any) bool {
	x, isNumber := asFloat(a)
	if y, both := asFloat(b); isNumber && both {
		return x == y
	}
	left, err := json.Marshal(a)
	right, other := json.Marshal(b)
	return errors.Join(err, other) == nil && string(left) == string(right) || reflect.DeepEqual(a, b)
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
