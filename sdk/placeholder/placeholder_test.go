package placeholder_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/awhost/awhost/sdk/placeholder"
)

// A placeholder alone must become the value, and one in a text the value's text.
func TestFill_KeepsTypesAndDigits(t *testing.T) {
	const text = `{"a":9007199254740995,"b":"{{ x.1.id }}","c":["no {{x.1.id}}, {{x.0}}","{{x}}"],` +
		`"d":"{no}} {{}} {{a b}}"}`
	const want = `{"a":9007199254740995,"b":9007199254740993,"c":["no 9007199254740993, one",["one",` +
		`{"id":9007199254740993}]],"d":"{no}} {{}} {{a b}}"}`
	var v, data any
	if err := placeholder.Decode([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if err := placeholder.Decode([]byte(`{"x":["one",{"id":9007199254740993}]}`), &data); err != nil {
		t.Fatal(err)
	}
	filled, err := placeholder.Fill(v, func(name string) (any, error) {
		found, ok := placeholder.Lookup(data, name)
		if !ok {
			return nil, fmt.Errorf("there is no %s", name)
		}
		return found, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(filled); string(got) != want || err != nil {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
	names := placeholder.Names(v)
	if slices.Sort(names); !slices.Equal(names, []string{"x", "x.0", "x.1.id"}) {
		t.Errorf("names %q", names)
	}
}

func TestLookup_Missing(t *testing.T) {
	var v any
	if err := placeholder.Decode([]byte(`{"a":[{"b":null}]}`), &v); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a.0.b": true, "a.0": true, "a.1": false, "a.-1": false, "a.b": false, "": false, "a.0.b.c": false,
	} {
		if _, ok := placeholder.Lookup(v, path); ok != want {
			t.Errorf("%q: %t, want %t", path, ok, want)
		}
	}
}

func TestFindInvalid(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"{a} }} {{ task.id }}{{b}}": "",
		"{{task.id":                 "{{task.id", "{{a}} {{b c}} d": "{{b c}}", "{{}}": "{{}}", "{{#a}}": "{{#a}}",
	} {
		if got := placeholder.FindInvalid(map[string]any{"a": 1, "b": []any{"{{x}}", text}}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
