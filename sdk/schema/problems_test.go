package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/schema"
)

func TestProblems(t *testing.T) {
	block := schema.Block{
		Attributes: []schema.Attribute{
			schema.String("mode", "m").Enum("fast", "exact").Default("fast"), schema.Number("size", "s").Range(2, 8).Default(4),
			schema.Integer("count", "c"), schema.Bool("deep", "d"),
			schema.Duration("wait", "w"), schema.Strings("words", "w"), schema.StringMap("env", "e"),
			schema.Reference("data", "dataset", "d"),
			{Name: "any", Type: schema.TypeAny}, {Name: "needed", Type: schema.TypeString, Required: true},
		},
		Blocks: []schema.NestedBlock{
			{Name: "one", Nesting: schema.Single, Block: schema.Block{Attributes: []schema.Attribute{schema.Number("n", "n")}}},
			{Name: "many", Nesting: schema.List, Block: schema.Block{Attributes: []schema.Attribute{schema.Number("n", "n")}}},
			{Name: "named", Nesting: schema.Map, Block: schema.Block{Attributes: []schema.Attribute{schema.Number("n", "n")}}},
		},
	}
	for config, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `{"mode":null,"size":null}`: "",
		`{"mode":"exact","size":8,"deep":true,"wait":"90s","words":["a"],"env":{"A":"b"},"data":"dataset.jsonl.a","any":[1,{}],"one":{"n":1},"many":[{"n":1}],"named":{"a":{}}}`: "",
		`[]`:                         ": it is not a JSON object",
		`{"mode":"slow"}`:            `mode: it is "slow" and must be one of fast, exact`,
		`{"mode":1}`:                 "mode: it must be a string",
		`{"size":1}`:                 "size: it is 1 and must be at least 2",
		`{"size":8.5}`:               "size: it is 8.5 and must be at most 8",
		`{"size":"4"}`:               "size: it must be a number",
		`{"count":1.5}`:              "count: it is 1.5 and must be a 64-bit integer",
		`{"count":1e300}`:            "count: it is 1e300 and must be a 64-bit integer",
		`{"size":1e999}`:             "size: it is 1e999, which is too large",
		`{"deep":"perhaps"}`:         "deep: it must be true or false",
		`{"wait":"long"}`:            `wait: it is "long" and must be a duration`,
		`{"words":"a"}`:              "words: it must be a list",
		`{"words":["a",1]}`:          "words: each element must be a string",
		`{"env":{"A":1}}`:            "env: each element must be a string",
		`{"data":1}`:                 "data: it must be a string",
		`{"sizes":4}`:                "sizes: unknown attribute: want one of mode",
		`{"one":{"n":"x"}}`:          "one/n: it must be a number",
		`{"one":3}`:                  "one: it is not a JSON object",
		`{"many":[{"n":1},{"m":1}]}`: "many/1/m: unknown attribute",
		`{"many":{}}`:                "many: it must be a list of objects",
		`{"named":{"a":{"n":""}}}`:   "named/a/n: it must be a number",
	} {
		var found []string
		for _, p := range block.Problems([]byte(config)) {
			found = append(found, fmt.Sprintf("%s: %s", strings.Join(p.Path, "/"), p.Detail))
		}
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || !strings.HasPrefix(found[0], want)) {
			t.Errorf("%s: %q, want %q", config, found, want)
		}
	}
}

func TestProblems_OmitSecrets(t *testing.T) {
	block := schema.Block{Attributes: []schema.Attribute{
		schema.String("mode", "m").Enum("fast").Secret(), schema.Number("size", "s").Range(2, 8).Secret(),
		schema.Duration("wait", "w").Secret(),
	}}
	for config, want := range map[string]string{
		`{"mode":"hunter2"}`: "it must be one of fast",
		`{"size":1.234}`:     "it must be at least 2",
		`{"size":1234}`:      "it must be at most 8",
		`{"size":1234e999}`:  "it is too large",
		`{"wait":"hunter2"}`: "it must be a duration, such as 90s or 5m",
	} {
		found := block.Problems([]byte(config))
		if len(found) != 1 || found[0].Detail != want {
			t.Errorf("%s: %+v, want %q", config, found, want)
		}
	}
}
