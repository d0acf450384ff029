package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostChanges limits the number of differences listed between two specs.
const mostChanges = 20

// specChanges lists the differences between two specs, with their values. Blocks that the run does not need are
// ignored.
func (f *File) specChanges(p *Plan) []string {
	was, is := resolvedOf(f.Resolved), resolvedOf(p.Spec.Resolved())
	needs := slices.Concat(f.Needs, p.Spec.Reachable(p.Train.Name))
	for _, side := range []map[string]any{was, is} {
		keep(side, "blocks", needs)
		keep(side, "trains", []string{f.Train, p.Train.Name})
	}
	var out []string
	for _, section := range []struct{ key, prefix string }{{"variables", "var."}, {"blocks", ""}, {"trains", "train."}} {
		compare(strings.TrimSuffix(section.prefix, "."), section.prefix, was[section.key], is[section.key], &out)
	}
	if more := len(out) - mostChanges; more > 0 {
		out = append(out[:mostChanges], fmt.Sprintf("and %d more", more))
	}
	return out
}

func resolvedOf(text json.RawMessage) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	out := map[string]any{}
	_ = decoder.Decode(&out) // Parse has checked it; if it is not an object, everything differs
	return out
}

// keep drops all members of a section except the named ones.
func keep(document map[string]any, section string, names []string) {
	if members, ok := document[section].(map[string]any); ok {
		maps.DeleteFunc(members, func(name string, _ any) bool { return !slices.Contains(names, name) })
	}
}

// compare adds one sentence per difference. prefix is prepended to member names.
func compare(name, prefix string, was, is any, out *[]string) {
	before, ok := was.(map[string]any)
	after, also := is.(map[string]any)
	if ok && also {
		for _, key := range slices.Sorted(maps.Keys(union(before, after))) {
			compare(prefix+key, prefix+key+".", before[key], after[key], out)
		}
		return
	}
	old, also := was.([]any)
	fresh, ok := is.([]any)
	if ok && also && len(old) == len(fresh) {
		for i := range old {
			at := fmt.Sprintf("%s[%d]", name, i)
			compare(at, at+".", old[i], fresh[i], out)
		}
		return
	}
	if a, b := encoded(was), encoded(is); a != b {
		*out = append(*out, fmt.Sprintf("%s was %s and is %s", name, cut(a), cut(b)))
	}
}

func union(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// longestShown limits the length of a value in a sentence.
const longestShown = 80

func encoded(v any) string {
	if v == nil {
		return "absent"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "unreadable" // cannot happen: the value was decoded from JSON
	}
	return string(text)
}

func cut(text string) string {
	if runes := []rune(text); len(runes) > longestShown {
		return fmt.Sprintf("%s… (%d characters)", string(runes[:longestShown]), len(runes))
	}
	return text
}
