package settings

import (
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// setting is a value of a key and who set it.
type setting struct {
	key    string
	value  any
	origin string
	mark   mark
	path   []string // of the attribute that says so, for diagnostics
	user   bool     // a user wrote it, in the words of verl
	weak   bool     // a default of awhost's; anything else is stronger
}

// Origins of settings. Those of knobs are their paths, those of files "config:NAME:LINE".
const (
	fromFiles     = "config:" // and NAME:LINE
	fromOverrides = "overrides"
	fromCommand   = "--"
	fromAwhost    = "awhost"
	fromDefault   = "default"
)

// strength orders what users write: files, then the spec, then the command line.
func (s *setting) strength() int {
	switch {
	case strings.HasPrefix(s.origin, fromFiles):
		return 0
	case s.origin == fromCommand:
		return 2
	}
	return 1
}

// view looks keys up: what is set first, then verl's defaults.
type view struct {
	set    map[string]*setting
	schema *schema
}

// get follows interpolations. It is false where the value depends on something that is not known here.
func (v *view) get(key string) (any, bool) { return v.follow(key, 0) }

const longestChain = 16 // interpolations that lead to interpolations

func (v *view) follow(key string, depth int) (any, bool) {
	value, ok := v.raw(key)
	if !ok || depth > longestChain {
		return nil, false
	}
	text, isText := value.(string)
	if !isText || !strings.Contains(text, "${") {
		return framework.Plain(value), value != mandatory
	}
	return v.interpolate(key, text, depth)
}

func (v *view) raw(key string) (any, bool) {
	if s := v.set[key]; s != nil {
		return s.value, true
	}
	at := v.schema.at(key)
	if at.kind != known {
		return nil, false
	}
	return at.leaf.Value, true
}

// interpolate resolves what stands for one value: ${a.b}, ${.b} and ${oc.select:a.b,default}. Other resolvers, and
// interpolations inside longer texts, are left to OmegaConf.
func (v *view) interpolate(key, text string, depth int) (any, bool) {
	target, fallback, ok := referred(key, text)
	if !ok {
		return nil, false
	}
	if found, ok := v.follow(target, depth+1); ok {
		return found, true
	}
	if fallback == nil {
		return nil, false
	}
	value, err := framework.ParseValue(*fallback)
	return value, err == nil
}

// referred is the key that an interpolation stands for, and what is taken where there is none. It is false for all else.
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

// source is the key that a key has its value from: itself, unless verl's default refers to another one.
func (v *view) source(key string) string {
	for range longestChain {
		value, _ := v.raw(key)
		text, isText := value.(string)
		if v.set[key] != nil || !isText {
			break
		}
		target, _, ok := referred(key, text)
		if _, known := v.follow(target, 0); !ok || !known {
			break
		}
		key = target
	}
	return key
}

// absoluteKey resolves the dots before a relative interpolation: one means the mapping that holds the key.
func absoluteKey(key, target string) string {
	up := len(target) - len(strings.TrimLeft(target, "."))
	if up == 0 {
		return target
	}
	above := key
	for range up {
		above, _, _ = cutLast(above)
	}
	return framework.JoinKey(above, target[up:])
}

func (v *view) int(key string) (int, bool) {
	value, ok := v.get(key)
	if !ok {
		return 0, false
	}
	return framework.Int(value)
}

func (v *view) truth(key string) bool {
	value, ok := v.get(key)
	return ok && value == true
}

func (v *view) text(key string) string {
	value, _ := v.get(key)
	s, _ := value.(string)
	return s
}

// origin says who set a key.
func (v *view) origin(key string) string {
	if s := v.set[key]; s != nil {
		return s.origin
	}
	return fromDefault
}
