package framework

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseValue_ReadsWhatUsersOfHydraWrite(t *testing.T) {
	for _, c := range []struct {
		text string
		want any
	}{
		{"", ""},
		{"null", nil},
		{"False", false},
		{"2", int64(2)},
		{"1_000", int64(1000)},
		{"1e-6", 1e-6},
		{".5", 0.5},
		{"007", "007"},
		{"Qwen/Qwen3-0.6B", "Qwen/Qwen3-0.6B"},
		{"a b", "a b"},
		{`a\,b`, "a,b"},
		{"[console, wandb]", []any{"console", "wandb"}},
		{"['console',\"wandb\"]", []any{"console", "wandb"}},
		{"[]", []any{}},
		{"{a: 1, b: {c: [x]}}", map[string]any{"a": int64(1), "b": map[string]any{"c": []any{"x"}}}},
		{"${oc.select:a,b}", "${oc.select:a,b}"},
		{`'it\'s'`, "it's"},
		{"'1'", "1"},
	} {
		got, err := ParseValue(c.text)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("parseValue(%s): %v\n%s", c.text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"a,b": "[a,b]", "choice(1,2)": "sweep", "[a": "closed", "{a": "colon", "'a": "quote", "[a]b": "follows",
		strings.Repeat("[", 100): "deeply",
	} {
		if _, err := ParseValue(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseValue(%s): %v, want an error with %q", text, err, want)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{"[a,{b:'c'}]", `'\\\''`, "${a:{b}}", "{a:1}", "1e5", "\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := ParseValue(text)
		if err != nil {
			return
		}
		if _, err := Normal(value); err != nil {
			t.Errorf("%q is %#v: %v", text, value, err)
		}
	})
}
