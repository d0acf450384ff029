package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"

	"github.com/awhost/awhost/sdk/framework"
)

func TestEncode_WritesWhatHydraReads(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "null"},
		{true, "true"},
		{int64(-1), "-1"},
		{1.0, "1.0"},
		{1e-6, "1e-06"},
		{math.Inf(-1), "-inf"},
		{"vllm", "vllm"},
		{"/run/agent loop.yaml", "'/run/agent loop.yaml'"},
		{"Qwen/Qwen3-0.6B", "Qwen/Qwen3-0.6B"},
		{"~/models/a", "'~/models/a'"},
		{"", "''"},
		{"null", "'null'"},
		{"True", "'True'"},
		{"1e-6", "'1e-6'"},
		{"007", "'007'"},
		{"it's", `'it\'s'`},
		{`C:\`, `'C:\\'`},
		{`a\b`, `'a\b'`},
		{`a\'b`, `'a\\\'b'`},
		{"a,b", "'a,b'"},
		{"${oc.env:HOME}/x", "'${oc.env:HOME}/x'"},
		{framework.Verbatim("/data/${x}"), `'/data/\${x}'`},
		{[]any{"console", "file", int64(1)}, "[console,file,1]"},
		{map[string]any{"b": "x y", "a": []any{}}, "{a:[],b:'x y'}"},
	} {
		got, err := encode(c.value)
		if err != nil || got != c.want {
			t.Errorf("encode(%#v) = %s, %v; want %s", c.value, got, err, c.want)
		}
	}
}

func TestEncode_RefusesWhatHasNoForm(t *testing.T) {
	for _, value := range []any{"a\x00b", "\xf9", map[string]any{"a b": int64(1)}, map[string]any{"null": int64(1)}, []any{struct{}{}}} {
		if got, err := encode(value); err == nil {
			t.Errorf("encode(%#v) = %s, want an error", value, got)
		}
	}
	if _, err := argument("", "a b", "x"); err == nil {
		t.Error("a key with a space is written")
	}
}

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
		got, err := framework.ParseValue(c.text)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("parseValue(%s): %v\n%s", c.text, err, diff)
		}
	}
	for text, want := range map[string]string{
		"a,b": "[a,b]", "choice(1,2)": "sweep", "[a": "closed", "{a": "colon", "'a": "quote", "[a]b": "follows", strings.Repeat("[", 100): "deeply",
	} {
		if _, err := framework.ParseValue(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseValue(%s): %v, want an error with %q", text, err, want)
		}
	}
}

// values draws values of every kind, with text that is hard to write.
func values() *rapid.Generator[any] {
	word := rapid.OneOf(rapid.StringOf(rapid.SampledFrom([]rune(`ab1'"\,:=[]{}()$ ~-+.#	é`+"\n"))), rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }),
		rapid.SampledFrom([]string{"null", "true", "nan", "1", "1.5e3", "-inf", "_", "a.b/c"}))
	leaf := rapid.OneOf(
		rapid.Just(any(nil)), rapid.Map(rapid.Bool(), asAny[bool]), rapid.Map(rapid.Int64(), asAny[int64]),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) }), asAny[float64]),
		rapid.Map(word.Filter(func(s string) bool { return !strings.Contains(s, "${") }), asAny[string]),
	)
	lists := rapid.Map(rapid.SliceOfN(leaf, 0, 4), func(v []any) any { return append([]any{}, v...) })
	maps := rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b_c", "d-1"}), rapid.OneOf(leaf, lists), 0, 3), func(v map[string]any) any { return v })
	return rapid.OneOf(leaf, lists, maps)
}

func asAny[T any](v T) any { return v }

func TestEncode_AndBack(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		value := values().Draw(t, "value")
		text, err := encode(value)
		if err != nil {
			t.Fatal(err)
		}
		back, err := framework.ParseValue(text)
		if diff := cmp.Diff(value, back); err != nil || diff != "" {
			t.Fatalf("%#v → %s: %v\n%s", value, text, err, diff)
		}
	})
}

func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{"[a,{b:'c'}]", `'\\\''`, "${a:{b}}", "{a:1}", "1e5", "\\"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := framework.ParseValue(text)
		if err != nil {
			return
		}
		again, err := encode(value)
		if err != nil {
			return // names in mappings that Hydra reads and awhost does not write
		}
		back, err := framework.ParseValue(again)
		if err != nil || !framework.Equal(value, back) && !hasNaN(value) {
			t.Errorf("%q is %#v, written %s, read %#v (%v)", text, value, again, back, err)
		}
	})
}

func hasNaN(v any) bool { return strings.Contains(string(framework.EncodedJSON(v)), "nan") }

// hydraReader is a program that reads overrides with the real Hydra: JSON lines in, JSON lines out.
const hydraReader = `
import json, sys
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf
parser = OverridesParser.create()
for line in sys.stdin:
    override = parser.parse_override(json.loads(line))
    value = override.value()
    config = OmegaConf.create({"v": None})
    OmegaConf.update(config, "v", value, merge=False)
    print(json.dumps(OmegaConf.to_container(config, resolve=True)["v"]))
`

// TestEncode_AgainstHydra asks the real one; AWHOST_VERL_PYTHON is an interpreter that has it.
func TestEncode_AgainstHydra(t *testing.T) {
	python := os.Getenv("AWHOST_VERL_PYTHON")
	if python == "" {
		t.Skip("AWHOST_VERL_PYTHON is not set: no interpreter with hydra-core, so what is written is not read by the real Hydra here")
	}
	var written, wanted []any
	for seed := range 400 {
		v := plainNumbers(values().Example(seed))
		text, err := argument("++", "k", v)
		if err != nil {
			t.Fatal(err)
		}
		written, wanted = append(written, text), append(wanted, v)
	}
	for _, v := range []framework.Verbatim{`/a/${b}`, `/a\${b}`, `\\${b}'`, "$", `x\`} {
		text, err := argument("++", "k", v)
		if err != nil {
			t.Fatal(err)
		}
		written, wanted = append(written, text), append(wanted, string(v))
	}
	var in bytes.Buffer
	for _, line := range written {
		in.Write(framework.EncodedJSON(line))
		in.WriteByte('\n')
	}
	run := exec.CommandContext(t.Context(), python, "-c", hydraReader)
	run.Stdin = &in
	out, err := run.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		t.Fatalf("%v\n%s", err, failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(wanted) {
		t.Fatalf("%d answers for %d values", len(lines), len(wanted))
	}
	for i, line := range lines {
		got, err := framework.FromJSON(json.RawMessage(line))
		if err != nil || !framework.Equal(got, wanted[i]) {
			t.Errorf("%s: Hydra reads %s (%v), meant is %#v", written[i], line, err, wanted[i])
		}
	}
}

// plainNumbers leaves out what JSON, with which the answers come back, has no number for.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) {
			return 0.5
		}
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plainNumbers(v[key])
		}
	}
	return v
}
