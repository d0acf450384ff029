package framework

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
)

func TestYAML_WritesTextForOmegaConf(t *testing.T) {
	for want, value := range map[string]any{
		`/data/\\${x}`: Verbatim("/data/${x}"), `/a\\\\\\${b}`: Verbatim(`/a\${b}`), "${a.b}": "${a.b}",
		"=": "=", "1.0": "1.0",
	} {
		if got := yamlOf(t, value); got != `k: "`+want+`"` {
			t.Errorf("%#v is written as %s", value, got)
		}
	}
	for want, value := range map[string]any{
		"1.0": 1.0, "-3.0": -3.0, "1e-06": 1e-6, ".inf": math.Inf(1), "vllm": "vllm", "/run/agent.yaml": "/run/agent.yaml",
		`"yes"`: "yes", `"null"`: "null", "null": nil, "true": true, "7": int64(7),
	} {
		if got := yamlOf(t, value); got != "k: "+want {
			t.Errorf("%#v is written as %s", value, got)
		}
	}
}

func yamlOf(t interface{ Fatal(...any) }, value any) string {
	text, err := YAML([]Setting{{Key: "k", Value: value}})
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(body)
}

// values draws values of every kind, with text that is hard to write.
func values() *rapid.Generator[any] {
	odd := []rune(`ab1'"\,:=[]{}()$ ~-+.#	é` + "\n")
	word := rapid.OneOf(rapid.StringOf(rapid.SampledFrom(odd)), rapid.String(),
		rapid.SampledFrom([]string{"null", "true", "nan", "1", "1.5e3", "-inf", "_", "a.b/c", "yes", "1:30", "007", "="}))
	leaf := rapid.OneOf(
		rapid.Just(any(nil)), rapid.Map(rapid.Bool(), asAny[bool]), rapid.Map(rapid.Int64(), asAny[int64]),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) }), asAny[float64]),
		rapid.Map(word.Filter(func(s string) bool { return !strings.Contains(s, "${") }), asAny[string]),
	)
	lists := rapid.Map(rapid.SliceOfN(leaf, 1, 4), func(v []any) any { return append([]any{}, v...) })
	return rapid.OneOf(leaf, lists)
}

func asAny[T any](v T) any { return v }

func TestYAML_AndBack(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		value := values().Draw(t, "value")
		text, err := YAML([]Setting{{Key: "k", Value: value}})
		if err != nil {
			t.Fatal(err)
		}
		all, err := FileSettings("a.yaml", text)
		if err != nil || len(all) != 1 || !Equal(all[0].Value, value) {
			t.Fatalf("%#v is read as %+v (%v) from\n%s", value, all, err, text)
		}
	})
}
