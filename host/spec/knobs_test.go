package spec

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// A knob stands in the table of the spec and in the struct that adapters get. What the struct lacks would be read,
// checked and thrown away without a word.
func TestKnobs_TableAndStructAgree(t *testing.T) {
	table := map[string]string{}
	for _, a := range trainSchema.Attributes {
		if slices.Contains(knobAttributes, a.Name) {
			table[a.Name] = goType(t, a)
		}
	}
	for _, n := range trainSchema.Blocks {
		if slices.Contains(append(knobBlocks, "algorithm"), n.Name) {
			tableKnobs(t, table, n.Name+".", n.Block)
		}
	}
	for path := range hostKnobs {
		if table[path] == "" {
			t.Errorf("hostKnobs has %s, and the table does not", path)
		}
		delete(table, path)
	}
	// The label of the algorithm block, and what is about the spec as a whole.
	maps.Copy(table, map[string]string{"algorithm.name": "string", "set": "[]string", "overrides": "map[string]string"})
	delete(table, "env."+anyName)
	table["env"] = "map[string]string"

	fields := map[string]string{}
	structKnobs(fields, "", reflect.TypeFor[sdk.Knobs]())
	for _, path := range slices.Sorted(maps.Keys(table)) {
		if fields[path] != table[path] {
			t.Errorf("the table has %s as %s, and sdk.Knobs as %q", path, table[path], fields[path])
		}
		delete(fields, path)
	}
	for path := range fields {
		t.Errorf("sdk.Knobs has %s, and the table does not", path)
	}
}

func tableKnobs(t *testing.T, into map[string]string, prefix string, b schema.Block) {
	for _, a := range b.Attributes {
		into[prefix+a.Name] = goType(t, a)
	}
	for _, n := range b.Blocks {
		tableKnobs(t, into, prefix+n.Name+".", n.Block)
	}
}

func goType(t *testing.T, a schema.Attribute) string {
	t.Helper()
	kinds := map[string]schema.Attribute{
		"int": schema.Integer("", ""), "float64": schema.Number("", ""), "string": schema.String("", ""),
		"bool": schema.Bool("", ""), "[]string": schema.Strings("", ""),
	}
	for name, kind := range kinds {
		if a.Type == kind.Type && a.Format == kind.Format {
			return name
		}
	}
	t.Fatalf("the table has %s as %v, which no knob is yet", a.Name, a.Type)
	return ""
}

func structKnobs(into map[string]string, prefix string, s reflect.Type) {
	for i := range s.NumField() {
		field := s.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch {
		case kind.Kind() == reflect.Struct:
			structKnobs(into, prefix+name+".", kind)
		case kind.Kind() == reflect.Int64:
			into[prefix+name] = "int"
		default:
			into[prefix+name] = kind.String()
		}
	}
}
