package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// differences lists the differences between two JSON objects by path, to the depth at which their structures are the
// same.
func differences(path string, a, b map[string]any) []Difference {
	names := slices.Sorted(maps.Keys(a))
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var out []Difference
	for _, name := range names {
		at := name
		if path != "" {
			at = path + "." + name
		}
		valueA, inA := a[name]
		valueB, inB := b[name]
		if inA && inB {
			out = append(out, differ(at, valueA, valueB)...)
			continue
		}
		d := Difference{Path: at}
		if inA {
			d.A = encode(valueA)
		}
		if inB {
			d.B = encode(valueB)
		}
		out = append(out, d)
	}
	return out
}

func differ(path string, a, b any) []Difference {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	objectA, okA := a.(map[string]any)
	objectB, okB := b.(map[string]any)
	if okA && okB {
		return differences(path, objectA, objectB)
	}
	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if okA && okB && len(listA) == len(listB) && !scalars(listA) {
		var out []Difference
		for i := range listA {
			out = append(out, differ(fmt.Sprintf("%s[%d]", path, i), listA[i], listB[i])...)
		}
		return out
	}
	return []Difference{{path, encode(a), encode(b)}}
}

// scalars reports whether a list contains only scalar values and is therefore compared as a whole.
func scalars(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		switch v.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}
