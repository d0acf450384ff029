package framework

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFileSettings_ReadsAsOmegaConfDoes(t *testing.T) {
	all, err := FileSettings("mine.yaml", []byte(`
base: &base {a: 1, b: two}
words: [yes, No, on, OFF, true, ~, null, "yes", 'null']
numbers: [1, 1_000, 0x10, 1.5, 1e-6, -.inf, 6.0e-06]
texts: [2026-01-02, 12:30:00, 1.2.3, "${a.b}"]
must: ???
merged:
  <<: *base
  b: mine
list:
  <<: [*base, {b: three, c: 3}]
again: *base
odd: {x y: {c: [*base]}}
empty: {}
nothing:
`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, s := range all {
		got[s.Key] = s.Value
	}
	numbers := got["numbers"].([]any)
	if !Equal(numbers, []any{int64(1), int64(1000), int64(16), 1.5, 1e-6, negativeInfinity(), 6e-6}) {
		t.Errorf("numbers are %v", numbers)
	}
	delete(got, "numbers")
	base := map[string]any{"a": int64(1), "b": "two"}
	want := map[string]any{
		"base.a": int64(1), "base.b": "two", "again.a": int64(1), "again.b": "two",
		"words": []any{true, false, true, false, true, nil, nil, "yes", "null"},
		"texts": []any{"2026-01-02", int64(45000), "1.2.3", "${a.b}"}, "must": "???",
		"merged.a": int64(1), "merged.b": "mine",
		"list.a": int64(1), "list.b": "two", "list.c": int64(3), "empty": map[string]any{}, "nothing": nil,
		"odd": map[string]any{"x y": map[string]any{"c": []any{base}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func negativeInfinity() float64 {
	v, _ := ParseValue("-inf")
	return v.(float64)
}

func TestFileSettings_RefusesWhatIsNoConfiguration(t *testing.T) {
	deep := strings.Repeat("{a: ", 100) + "1" + strings.Repeat("}", 100)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + aliases("b", "a") + aliases("c", "b") + aliases("d", "c") +
		aliases("e", "d") + aliases("f", "e")
	for text, want := range map[string]string{
		"- a\n- b": "not a mapping", "just text": "not a mapping",
		"a: 1\n---\nb: 2": "more than one document", "a: 1\na: 2": "line 2: a is there twice",
		"[a]: 1":      "not a text",
		"a:\n  <<: 7": "line 2: << takes a mapping", "a:\n  <<: [{b: 1}, 7]": "line 2: << takes a mapping",
		"a: [": "line 1", deep: "levels", bomb: "settings",
	} {
		if _, err := FileSettings("", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "{}"} {
		if all, err := FileSettings("", []byte(text)); err != nil || len(all) > 0 {
			t.Errorf("%q: %v, %v; want no settings", text, all, err)
		}
	}
}

func aliases(name, of string) string {
	return name + ": &" + name + " [" + strings.TrimSuffix(strings.Repeat("*"+of+",", 10), ",") + "]\n"
}

func FuzzFileSettings(f *testing.F) {
	for _, seed := range []string{"a: {b: 1}", "a: &a\n  b: *a", "<<: {a: 1}", "a: !!int x", "? {a: b}\n: c",
		"a: !!binary x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := FileSettings("", text)
		if err != nil {
			return
		}
		for _, s := range all {
			if _, err := Normal(s.Value); err != nil {
				t.Errorf("%s: %v", s.Key, err)
			}
		}
	})
}
