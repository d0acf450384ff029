package settings

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
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

// Yield is a value of the user that a stronger one replaces.
type Yield struct {
	Entry
	To  Entry  // the stronger value
	Why string // for a value that awhost sets; otherwise empty
}

// Builder merges the sources of a configuration. The strongest first: a smoke run (Replace), awhost (Need), the command
// line, the spec, the user's file (Write), and awhost's defaults.
type Builder struct {
	schema   *Schema
	needed   map[string]Entry
	reasons  map[string]string // of needed
	foreign  map[string]string // reasons for the keys that a file has for other programs
	replaced map[string]Entry
	written  map[string]Entry
	defaults map[string]Entry
	yields   []Yield
	problems []Problem
}

// Origins of values that the user writes. The origin of a file is FromFile and its name.
const (
	FromFile    = "config: "
	FromCommand = "command line"
)

// strength orders the sources that a user writes. All parts of the spec have the same strength.
func strength(origin string) int {
	switch {
	case strings.HasPrefix(origin, FromFile):
		return 0
	case origin == FromCommand:
		return 2
	}
	return 1
}

// NewBuilder begins a configuration for an AReaL.
func NewBuilder(schema *Schema, foreign map[string]string) *Builder {
	return &Builder{schema: schema, foreign: foreign, needed: map[string]Entry{}, reasons: map[string]string{}, replaced: map[string]Entry{},
		written: map[string]Entry{}, defaults: map[string]Entry{}}
}

// Need sets a value that awhost requires for the given reason. Another value in the user's file yields to it; one in the
// spec or the command line is a problem.
func (b *Builder) Need(key string, value any, why string) {
	b.needed[key], b.reasons[key] = Entry{key, value, "awhost"}, why
}

// Yields returns the values in the user's file and spec that a stronger value replaces, by key.
func (b *Builder) Yields() []Yield {
	slices.SortFunc(b.yields, func(x, y Yield) int { return strings.Compare(x.Key, y.Key) })
	return b.yields
}

// Replace sets what counts whatever the user writes afterwards. Keys that this AReaL does not have are left out.
func (b *Builder) Replace(key string, value any, origin string) {
	if b.schema.CheckType(key, value) == nil {
		b.replaced[key] = Entry{key, value, origin}
	}
}

// Default sets what holds unless the user says otherwise.
func (b *Builder) Default(key string, value any) {
	b.defaults[key] = Entry{key, value, defaultOrigin}
}

const defaultOrigin = "awhost's default"

// Write sets a value that the user wrote. Two different values of the same strength are a problem; the stronger of two
// others counts.
func (b *Builder) Write(key string, value any, origin string) {
	if err := b.schema.CheckType(key, value); err != nil {
		b.problem(origin, key, err.Error())
		return
	}
	now := Entry{key, value, origin}
	earlier, twice := b.written[key]
	stronger := strength(origin) - strength(earlier.Origin)
	switch {
	case !twice || stronger >= 0 && framework.Equal(earlier.Value, value):
	case stronger > 0:
		b.yields = append(b.yields, Yield{Entry: earlier, To: now})
	case stronger < 0 && framework.Equal(earlier.Value, value):
		return
	case stronger < 0:
		b.yields = append(b.yields, Yield{Entry: now, To: earlier})
		return
	default:
		b.problem(origin, key, fmt.Sprintf("%s is %s by %s and %s by %s: keep one of them", key, show(earlier.Value),
			earlier.Origin, show(value), origin))
		return
	}
	b.written[key] = now
}

// WriteTree sets what a file or a block of the user says, section by section.
func (b *Builder) WriteTree(tree map[string]any, origin string) { b.writeBelow("", tree, origin) }

func (b *Builder) writeBelow(prefix string, tree map[string]any, origin string) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key, value := prefix+name, tree[name]
		switch why, ok := b.foreign[key]; {
		case ok && strength(origin) == 0:
			b.yields = append(b.yields, Yield{Entry: Entry{key, value, origin}, Why: why})
			continue
		case ok:
			b.problem(origin, key, fmt.Sprintf("%s is a key of AReaL's example programs, which awhost does not run: write %s "+
				"instead", key, why))
			continue
		}
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

// Value returns the value of a key so far. A reference to another key, as "${gconfig.n_samples}", has that key's value.
func (b *Builder) Value(key string) (any, bool) {
	return follow(key, b.needed, b.replaced, b.written, b.defaults)
}

// Written returns the value that the user gives a key, also where it is replaced.
func (b *Builder) Written(key string) (any, bool) { return follow(key, b.written) }

// IsFromFile reports whether the user's file has the value of a key.
func (b *Builder) IsFromFile(key string) bool { return strength(b.written[key].Origin) == 0 }

// Writes reports whether the user sets a section, or a key below it.
func (b *Builder) Writes(section string) bool {
	for key, e := range b.written {
		if key == section && e.Value != nil || strings.HasPrefix(key, section+".") {
			return true
		}
	}
	return false
}

// Settle sets the value of a key that awhost reads from the configuration. A value of the user that has another value
// then yields, for the reason why.
func (b *Builder) Settle(key string, value any, why string) {
	now := Entry{key, value, cmp.Or(b.replaced[key].Origin, b.written[key].Origin, defaultOrigin)}
	if own, written := b.written[key]; written && b.replaced[key].Key == "" {
		if read, _ := b.Written(key); !framework.Equal(read, value) {
			now.Origin = "awhost"
			b.yields = append(b.yields, Yield{Entry: own, To: now, Why: why})
		}
	}
	b.replaced[key] = now
}

// Inherit makes what the user writes in a section the default of another section.
func (b *Builder) Inherit(section, from string) {
	for key, e := range b.written {
		if name, ok := strings.CutPrefix(key, from+"."); ok {
			b.Default(section+"."+name, e.Value)
		}
	}
}

// reference is a value that is another key's as a whole.
var reference = regexp.MustCompile(`^\$\{([\w.]+)\}$`)

// target returns the key that a value refers to, or an empty string.
func target(value any) string {
	text, _ := value.(string)
	if m := reference.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// follow looks a key up in layers, the first of which counts, through references to keys that have a value.
func follow(key string, layers ...map[string]Entry) (value any, ok bool) {
	for range 16 { // references may form a circle
		at := slices.IndexFunc(layers, func(layer map[string]Entry) bool { _, has := layer[key]; return has })
		if at < 0 {
			break
		}
		value, ok = layers[at][key].Value, true
		key = target(value)
	}
	return value, ok
}

// Resolve returns the configuration, by key, and what is wrong with it.
func (b *Builder) Resolve() ([]Entry, []Problem) {
	out := map[string]Entry{}
	maps.Copy(out, b.defaults)
	maps.Copy(out, b.written)
	maps.Copy(out, b.replaced)
	for key, needed := range b.needed {
		b.checkNeeded(needed)
		out[key] = needed
	}
	for key, e := range out {
		e.Value, _ = b.Value(key)
		out[key] = e
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

// checkNeeded reports another value of the user's. A reference to a key that awhost sets, too, is not one.
func (b *Builder) checkNeeded(needed Entry) {
	own, written := b.written[needed.Key]
	_, replaced := b.replaced[needed.Key]
	if _, ours := b.needed[target(own.Value)]; !written || replaced || ours {
		return
	}
	value, _ := b.Written(needed.Key)
	switch {
	case framework.Equal(value, needed.Value):
	case strength(own.Origin) == 0:
		b.yields = append(b.yields, Yield{Entry: own, To: needed, Why: b.reasons[needed.Key]})
	default:
		b.problem(own.Origin, needed.Key, fmt.Sprintf("%s is %s by %s, and awhost needs %s for %s: remove it",
			needed.Key, show(own.Value), own.Origin, show(needed.Value), b.reasons[needed.Key]))
	}
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
			_, needed := b.needed[key]
			if own, written := b.written[other]; written && needed && strength(own.Origin) == 0 {
				b.yields = append(b.yields, Yield{Entry: own, To: e, Why: b.reasons[key]})
			} else if written {
				b.problem(below.Origin, other, fmt.Sprintf("%s is set by %s, and %s is null by %s: keep one of them", other, below.Origin, key, e.Origin))
			}
			delete(entries, other)
		}
	}
}

// Tree nests the entries as AReaL reads them.
func Tree(entries []Entry) map[string]any {
	flat := map[string]any{}
	for _, e := range entries {
		flat[e.Key] = e.Value
	}
	return Nested(flat)
}
