package framework

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Level orders the sources of a configuration, the strongest first. Within a level the last value counts, as in Hydra.
type Level int

// The levels. The tables of precedence in the documentation are tested against them.
const (
	SmokeRun Level = iota // a smoke run, or a trial run on a CPU
	Owned                 // values that awhost's run depends on
	Override              // `overrides` of the adapter's block, then the command line after --
	Spec                  // knobs, and attributes of the adapter's block
	File                  // the user's files, in order
	Default               // awhost's defaults; only the framework's own are weaker
)

// levels are the names of the levels, and of the framework's defaults.
var levels = []string{
	"smoke run", "owned by awhost", "override", "spec", "file", "default of awhost", "default of the framework",
}

// Levels returns the names of the levels, the strongest first.
func Levels() []string { return slices.Clone(levels) }

// Origins of settings. The origin of a knob or an attribute is its path. A file has the origin FromFiles and NAME:LINE.
const (
	FromFiles     = "config:"
	FromOverrides = "overrides"
	FromCommand   = "--"
	FromAwhost    = "awhost"
	FromDefault   = "default"
)

// Setting is a value of a key and where it comes from.
type Setting struct {
	Key    string
	Value  any // as in Normal
	Level  Level
	Origin string
	Path   []string // of the attribute or the knob, for diagnostics
	Mark   string   // + or ++, with which an override allows a new key
	Empty  bool     // in the file, nothing follows the key
	Why    string   // awhost owns the value
	Yields bool     // of an owned value: a user's other value gives way without an error
}

// IsUsers reports whether the user wrote the setting, in the framework's own words or not.
func (s *Setting) IsUsers() bool { return s.Level == Override || s.Level == Spec || s.Level == File }

// IsVerbatim reports whether the user wrote the setting in the framework's own words.
func (s *Setting) IsVerbatim() bool { return s.Level == Override || s.Level == File }

// Settings merges the sources of a configuration. It is the only source of every value.
type Settings struct {
	Schema        *Schema
	DefaultOrigin string                // of awhost's defaults; empty: FromAwhost
	set           map[string][]*Setting // by key, the strongest first
}

// Set adds a value. A value that Normal refuses is a mistake in the adapter.
func (m *Settings) Set(s *Setting) {
	value, err := Normal(s.Value)
	if err != nil {
		panic(fmt.Sprintf("set %s: %v", s.Key, err))
	}
	s.Value = value
	if m.set == nil {
		m.set = map[string][]*Setting{}
	}
	at := slices.IndexFunc(m.set[s.Key], func(other *Setting) bool { return other.Level >= s.Level })
	if at < 0 {
		at = len(m.set[s.Key])
	}
	m.set[s.Key] = slices.Insert(m.set[s.Key], at, s)
}

// Default sets a value that holds unless the user has one.
func (m *Settings) Default(key string, value any) {
	m.Set(&Setting{Key: key, Value: value, Level: Default, Origin: cmp.Or(m.DefaultOrigin, FromAwhost)})
}

// Settle gives a key the value that awhost has read or computed from the configuration. A user's other value gives way,
// for the reason why.
func (m *Settings) Settle(key string, value any, why string) {
	now := &Setting{Key: key, Value: value, Level: Owned, Origin: FromAwhost, Why: why, Yields: true}
	switch s := m.Get(key); {
	case s == nil:
		now.Origin = cmp.Or(m.DefaultOrigin, FromAwhost)
	case s.Level == SmokeRun:
		now.Level, now.Origin = s.Level, s.Origin
	}
	if read, ok := m.Value(key); !ok || !Equal(read, value) {
		m.Set(now)
	}
}

// Get returns the setting that counts, or nil if only the framework's default is left.
func (m *Settings) Get(key string) *Setting { return m.find(key, func(*Setting) bool { return true }) }

// Written returns the user's setting that counts among the user's own, or nil.
func (m *Settings) Written(key string) *Setting { return m.find(key, (*Setting).IsUsers) }

// Find returns the setting of a level that counts in it, or nil.
func (m *Settings) Find(key string, level Level) *Setting {
	return m.find(key, func(s *Setting) bool { return s.Level == level })
}

func (m *Settings) find(key string, ok func(*Setting) bool) *Setting {
	if at := slices.IndexFunc(m.set[key], ok); at >= 0 {
		return m.set[key][at]
	}
	return nil
}

// Keys returns the keys that are set, sorted.
func (m *Settings) Keys() []string { return slices.Sorted(maps.Keys(m.set)) }

// Origin returns who set a key.
func (m *Settings) Origin(key string) string {
	if s := m.Get(key); s != nil {
		return s.Origin
	}
	return FromDefault
}

// Replaced is a value of the user that another one replaces.
type Replaced struct{ Setting, By *Setting }

// Replaced returns the user's values that do not count, by key.
func (m *Settings) Replaced() []Replaced {
	var out []Replaced
	for _, key := range m.Keys() {
		by := m.set[key][0]
		for _, s := range m.set[key][1:] {
			if s.IsUsers() && !Equal(m.resolved(s), m.resolved(by)) {
				out = append(out, Replaced{s, by})
			}
		}
	}
	return out
}

// resolved returns the value of a setting with its interpolation followed, as far as it is known.
func (m *Settings) resolved(s *Setting) any {
	value, _ := m.follow(s.Key, s.Value, m.Raw, 0)
	return value
}

// Raw returns the value of a key as it is written, or the framework's default.
func (m *Settings) Raw(key string) (any, bool) {
	if s := m.Get(key); s != nil {
		return s.Value, true
	}
	if m.Schema == nil {
		return nil, false
	}
	at := m.Schema.At(key)
	return at.Default, at.Kind == Known
}

// Value returns the value of a key, with interpolations followed. If it depends on something that is not known here,
// it returns the text and false.
func (m *Settings) Value(key string) (any, bool) {
	value, ok := m.Raw(key)
	if !ok {
		return nil, false
	}
	return m.follow(key, value, m.Raw, 0)
}

// WrittenValue returns the user's value of a key, also where it is replaced. It follows interpolations to the user's
// other values.
func (m *Settings) WrittenValue(key string) (any, bool) {
	raw := func(key string) (any, bool) {
		if s := m.Written(key); s != nil {
			return s.Value, true
		}
		return nil, false
	}
	value, ok := raw(key)
	if !ok {
		return nil, false
	}
	value, _ = m.follow(key, value, raw, 0)
	return value, true
}

const longestChain = 16 // interpolations that lead to interpolations

// follow resolves text that is one interpolation: ${a.b}, ${.b}, and ${oc.select:a.b,default}. Other resolvers, and
// interpolations inside longer texts, are left to OmegaConf.
func (m *Settings) follow(key string, value any, raw func(string) (any, bool), depth int) (any, bool) {
	text, isText := value.(string)
	if !isText || !strings.Contains(text, "${") {
		return Plain(value), value != Mandatory
	}
	target, fallback, ok := referred(key, text)
	if !ok || depth > longestChain {
		return value, false
	}
	found, has := raw(target)
	if has && found != Mandatory {
		if found, ok = m.follow(target, found, raw, depth+1); ok {
			return found, true
		}
	}
	if fallback == nil || has && found != Mandatory || m.isSection(target) {
		return value, false
	}
	preset, err := ParseValue(*fallback)
	return preset, err == nil
}

// isSection reports whether there are keys below a key.
func (m *Settings) isSection(key string) bool {
	return m.Schema != nil && m.Schema.At(key).Kind == Section ||
		slices.ContainsFunc(m.Keys(), func(below string) bool { return strings.HasPrefix(below, key+".") })
}

// Mandatory is OmegaConf's mark of a value that the user must give.
const Mandatory = "???"

// referred returns the key that an interpolation names, and the text that is taken if the key has no value.
func referred(key, text string) (target string, fallback *string, ok bool) {
	inner, ok := strings.CutPrefix(text, "${")
	if !ok || strings.Index(inner, "}") != len(inner)-1 {
		return "", nil, false
	}
	inner = strings.TrimSuffix(inner, "}")
	target, isSelect := strings.CutPrefix(inner, "oc.select:")
	if isSelect {
		before, after, both := strings.Cut(target, ",")
		if target = before; both {
			after = strings.TrimSpace(after)
			fallback = &after
		}
	}
	if strings.ContainsAny(target, ":{") {
		return "", nil, false
	}
	return absoluteKey(key, strings.TrimSpace(target)), fallback, true
}

// absoluteKey resolves the dots before a relative interpolation: one means the mapping that holds the key.
func absoluteKey(key, target string) string {
	up := len(target) - len(strings.TrimLeft(target, "."))
	if up == 0 {
		return target
	}
	above := key
	for range up {
		above, _, _ = CutLast(above)
	}
	return JoinKey(above, target[up:])
}

// CutLast cuts a dotted name around its last dot.
func CutLast(dotted string) (before, last string, ok bool) {
	at := strings.LastIndexByte(dotted, '.')
	if at < 0 {
		return "", dotted, false
	}
	return dotted[:at], dotted[at+1:], true
}

// Source returns the key that a key has its value from: itself, unless the framework's default refers to another one.
func (m *Settings) Source(key string) string {
	for range longestChain {
		value, _ := m.Raw(key)
		text, isText := value.(string)
		target, _, ok := referred(key, text)
		if _, known := m.Value(target); m.Get(key) != nil || !isText || !ok || !known {
			break
		}
		key = target
	}
	return key
}

// Int returns the value of a key as a whole number.
func (m *Settings) Int(key string) (int, bool) {
	if value, ok := m.Value(key); ok {
		return Int(value)
	}
	return 0, false
}

// IsTrue reports whether the value of a key is true.
func (m *Settings) IsTrue(key string) bool {
	value, ok := m.Value(key)
	return ok && value == true
}

// Text returns the value of a key, or an empty string if it is not a known text.
func (m *Settings) Text(key string) string {
	if value, ok := m.Value(key); ok {
		text, _ := value.(string)
		return text
	}
	return ""
}

// Overrides returns the settings of the adapter's `overrides` and of the command line, in this order. It calls report
// for each that cannot be read.
func Overrides(adapters map[string]json.RawMessage, command map[string]string,
	report func(path []string, shown string, err error)) (out []*Setting) {
	for _, key := range slices.Sorted(maps.Keys(adapters)) {
		found, err := OverrideSettings(key, adapters[key])
		if err != nil {
			report([]string{"overrides", key}, key, err)
		}
		out = append(out, found...)
	}
	for _, key := range slices.Sorted(maps.Keys(command)) {
		found, err := CommandSettings(key, command[key])
		if err != nil {
			report(nil, key+"="+command[key], err)
		}
		out = append(out, found...)
	}
	return out
}

// OverrideSettings returns the settings of an entry of the adapter's `overrides`. A mapping is a group of settings.
func OverrideSettings(given string, raw json.RawMessage) ([]*Setting, error) {
	value, err := FromJSON(raw)
	if err != nil {
		return nil, err
	}
	mark, key := cutMark(given)
	return spread(Setting{
		Key: key, Value: value, Level: Override, Origin: FromOverrides, Mark: mark, Path: []string{"overrides", given},
	}), nil
}

// CommandSettings returns the settings of `apply spec -- key=value`, which is written as for Hydra.
func CommandSettings(given, text string) ([]*Setting, error) {
	value, err := ParseValue(text)
	if err != nil {
		return nil, err
	}
	mark, key := cutMark(given)
	return spread(Setting{Key: key, Value: value, Level: Override, Origin: FromCommand, Mark: mark}), nil
}

// cutMark cuts off the + or ++ of an override.
func cutMark(given string) (mark, key string) {
	key = strings.TrimPrefix(strings.TrimPrefix(given, "+"), "+")
	return given[:len(given)-len(key)], key
}

// Nested splits the dotted keys of settings into sections.
func Nested(all []Setting) map[string]any {
	out := map[string]any{}
	for _, s := range all {
		here, parts := out, strings.Split(s.Key, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := here[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				here[part] = next
			}
			here = next
		}
		here[parts[len(parts)-1]] = s.Value
	}
	return out
}

// simpleName is the name of a key that Hydra reads in a dotted key.
var simpleName = regexp.MustCompile(`^[\w$][\w$-]*$`)

func isOdd(name string) bool { return !simpleName.MatchString(name) }

// spread returns a setting for each value in a mapping. An empty mapping is a value.
func spread(s Setting) []*Setting {
	object, ok := s.Value.(map[string]any)
	names := slices.Sorted(maps.Keys(object))
	if !ok || len(names) == 0 || slices.ContainsFunc(names, isOdd) {
		return []*Setting{&s}
	}
	var out []*Setting
	for _, name := range names {
		one := s
		one.Key, one.Value = JoinKey(s.Key, name), object[name]
		out = append(out, spread(one)...)
	}
	return out
}
