package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk/schema"
)

func attributes(a ...schema.Attribute) schema.Block { return schema.Block{Attributes: a} }

func nested(name string, nesting schema.Nesting, least, most int, block schema.Block) schema.Block {
	return schema.Block{Blocks: []schema.NestedBlock{{Name: name, Nesting: nesting, Min: least, Max: most, Block: block}}}
}

func TestCheck_Mistakes(t *testing.T) {
	number := schema.Number("n", "")
	for want, block := range map[string]schema.Block{
		`attribute "Mode": names must be in lower_snake_case`: attributes(schema.String("Mode", "")),
		`attribute "": names must be in lower_snake_case`:     attributes(schema.String("", "")),
		`attribute "a": duplicate name`:                       attributes(schema.String("a", ""), schema.Bool("a", "")),
		`block "a": duplicate name`: {
			Attributes: []schema.Attribute{schema.String("a", "")},
			Blocks:     []schema.NestedBlock{{Name: "a", Nesting: schema.Single}},
		},
		"required, but has a default": attributes(schema.String("a", "").Default("x").Require()),
		"JSON in its default": attributes(schema.Attribute{Name: "a", Type: schema.TypeString,
			DefaultJSON: json.RawMessage("{")}),
		`its default: "x" is not a number`:  attributes(number.Default("x")),
		`its default: "c" is not allowed`:   attributes(schema.String("a", "").Enum("x", "y").Default("c")),
		"its default: 7 is too large":       attributes(number.Range(0, 5).Default(7)),
		`its default: "soon" is not a dura`: attributes(schema.Duration("a", "").Default("soon")),
		"its example: true is not a string": attributes(schema.String("a", "").Example(true)),
		"its default: 1.5 is not a 64-bit":  attributes(schema.Integer("a", "").Default(1.5)),
		`"integer" requires a num`: attributes(schema.Attribute{Name: "a", Type: schema.TypeString,
			Format: schema.FormatInteger}),
		"MustExist requires the path format": attributes(schema.String("a", "").Exist()),
		"empty range":                        attributes(number.Range(5, 0)),
		"a range requires a number":          attributes(schema.String("a", "").AtLeast(1)),
		`"path" requires a str`: attributes(schema.Attribute{Name: "a", Type: schema.TypeNumber,
			Format: schema.FormatPath}),
		`invalid type "strange"`:           attributes(schema.Attribute{Name: "a", Type: "strange"}),
		`invalid nesting ""`:               nested("b", "", 0, 0, schema.Block{}),
		"at least 3 and at most 2":         nested("b", schema.List, 3, 2, schema.Block{}),
		`preset for "z", which is not an`:  attributes(schema.String("a", "").Enum("x").Preset("z", nil)),
		`for "5", which is not an allowed`: attributes(number.Preset("5", nil)),
		`preset "x" sets "b": unknown`:     attributes(schema.String("a", "").Preset("x", map[string]any{"b": 1})),
		`preset "x" sets "n": "1" is not`: attributes(schema.String("a", "").Preset("x", map[string]any{"n": "1"}),
			number),
		`preset "x" sets "b": the attribute is requ`: attributes(
			schema.String("a", "").Preset("x", map[string]any{"b": "1"}), schema.String("b", "").Require()),
		`block "b": attribute "n": its d`: nested("b", schema.Map, 0, 0, attributes(number.Default("x"))),
	} {
		if err := block.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// everything uses all features of a schema.
var everything = schema.Block{
	Attributes: []schema.Attribute{
		schema.String("mode", "how").Default("fast").Enum("fast", "slow").Example("slow"),
		schema.String("model", "which").Require(),
		schema.Number("rate", "how much").Range(0, 1).In("per second"),
		schema.Integer("count", "how many").AtLeast(-1),
		schema.Bool("verbose", "").Default(false),
		schema.Path("file", "").Default("a.txt"),
		schema.Duration("timeout", "").Default("30s"),
		schema.Strings("tags", "").Enum("x", "y"),
		schema.StringMap("labels", ""),
		schema.Reference("data", "dataset", ""),
		{Name: "anything", Type: schema.TypeAny},
		{Name: "pair", Type: `["tuple",["string","number"]]`},
		{Name: "point", Type: `["object",{"x":"number","y":"number"}]`},
		{Name: "grid", Type: `["list",["list","number"]]`},
	},
	Blocks: []schema.NestedBlock{
		{Name: "start", Nesting: schema.Single, Block: attributes(schema.Number("steps", "").Default(400))},
		{Name: "hook", Nesting: schema.List, Max: 2, Block: attributes(schema.String("run", "the command").Require())},
		{Name: "server", Nesting: schema.Map, Block: attributes(schema.Number("port", "").Default(80))},
	},
}

func TestComplete_FillsInDefaults(t *testing.T) {
	if err := everything.Check(); err != nil {
		t.Fatal(err)
	}
	const defaults = `"file":"a.txt","mode":"fast","model":"m","timeout":"30s","verbose":false`
	for given, want := range map[string]string{
		`{"model":"m"}`: `{` + defaults + `}`,
		`{"model":"m","mode":null,"start":null,"rate":null}`: `{` + defaults + `}`,
		`{"model":"m","start":{},"server":{"a":{},"b":{"port":8080}}}`: `{` + defaults +
			`,"server":{"a":{"port":80},"b":{"port":8080}},"start":{"steps":400}}`,
		`{"model":"m","hook":[{"run":"a"},{"run":"b"}]}`: `{` + defaults +
			`,"hook":[{"run":"a"},{"run":"b"}]}`,
		`{"model":"m","anything":[1,{"a":[]}],"data":"dataset.jsonl.d"}`: `{"anything":[1,{"a":[]}],"data":"dataset.jsonl.d",` + defaults + `}`,
		`{"model":"m","grid":[[1,2],[]],"pair":["a",1],"point":{"x":1}}`: `{` +
			strings.Replace(defaults, `"mode"`, `"grid":[[1,2],[]],"mode"`, 1) + `,"pair":["a",1],"point":{"x":1}}`,
		`{"model":"m","count":3e2}`: `{"count":300,` + defaults + `}`,
		`{"model":"m","labels":{"k":"v"},"tags":["x"],"rate":1}`: `{` +
			strings.Replace(defaults, `"mode"`, `"labels":{"k":"v"},"mode"`, 1) + `,"rate":1,"tags":["x"]}`,
	} {
		got, err := everything.Complete(json.RawMessage(given))
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		var a, b any
		if json.Unmarshal([]byte(want), &a) != nil || json.Unmarshal(got, &b) != nil {
			t.Fatalf("%s: invalid JSON: %s or %s", given, want, got)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s (-want +got):\n%s", given, diff)
		}
	}
}

func TestComplete_RefusesWhatDoesNotFit(t *testing.T) {
	for given, want := range map[string]string{
		`[]`:                               "not a JSON object",
		`{}`:                               `attribute "model": required value is missing: which`,
		`{"model":"m","b":1,"aa":2}`:       `unknown attribute "aa": want one of mode, model`,
		`{"model":1}`:                      `attribute "model": 1 is not a string`,
		`{"model":"m","mode":"warp"}`:      `"warp" is not allowed: want one of fast, slow`,
		`{"model":"m","rate":-1}`:          "-1 is too small: want at least 0",
		`{"model":"m","rate":1.5}`:         "1.5 is too large: want at most 1",
		`{"model":"m","rate":"1"}`:         `"1" is not a number`,
		`{"model":"m","count":1.5}`:        "1.5 is not a 64-bit integer",
		`{"model":"m","count":1e30}`:       "1e30 is not a 64-bit integer",
		`{"model":"m","count":-2}`:         "-2 is too small",
		`{"model":"m","verbose":"yes"}`:    `"yes" is not a boolean`,
		`{"model":"m","file":""}`:          "the path is empty",
		`{"model":"m","timeout":"5"}`:      `"5" is not a duration`,
		`{"model":"m","timeout":"-5s"}`:    `"-5s" is not a duration`,
		`{"model":"m","tags":["x","z"]}`:   `"z" is not allowed`,
		`{"model":"m","tags":"x"}`:         `"x" is not a list of strings`,
		`{"model":"m","labels":{"k":1}}`:   "is not a map of strings",
		`{"model":"m","data":["d"]}`:       "is not a string",
		`{"model":"m","grid":[[1],["a"]]}`: "is not a list of lists of numbers",
		`{"model":"m","pair":["a"]}`:       "is not a value of type",
		`{"model":"m","point":{"z":1}}`:    "is not a value of type",
		`{"model":"m","start":{"step":1}}`: `block "start": unknown attribute "step"`,
		`{"model":"m","start":[]}`:         `block "start": the configuration is not a JSON object`,
		`{"model":"m","hook":[{}]}`:        `block "hook": number 1: attribute "run": required value is missing`,
		`{"model":"m","hook":{}}`:          `block "hook": want a list`,
		`{"model":"m","hook":[{"run":"a"},{"run":"b"},{"run":"c"}]}`: `block "hook": occurs 3 times: want at most 2`,
		`{"model":"m","server":{"a":{"port":"x"}}}`:                  `block "server": "a": attribute "port"`,
	} {
		got, err := everything.Complete(json.RawMessage(given))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v (%s)", given, want, err, got)
		}
	}
	if _, err := attributes(schema.String("key", "").Secret()).Complete(json.RawMessage(`{"key":12345}`)); err == nil ||
		strings.Contains(err.Error(), "12345") {
		t.Errorf("secret of the wrong type: %v", err)
	}
	if _, err := nested("b", schema.List, 1, 0, schema.Block{}).Complete(nil); err == nil ||
		!strings.Contains(err.Error(), "at least 1") {
		t.Errorf("a missing block: %v", err)
	}
}

// A configuration that Complete returns must be accepted again, unchanged.
func FuzzComplete(f *testing.F) {
	f.Add([]byte(`{"model":"m","start":{},"hook":[{"run":"a"}],"server":{"a":{}},"grid":[[1]],"point":{"x":null}}`))
	f.Add([]byte(`{"model":"m","anything":1e400,"rate":1e-400}`))
	f.Fuzz(func(t *testing.T, config []byte) {
		once, err := everything.Complete(config)
		if err != nil {
			return
		}
		twice, err := everything.Complete(once)
		if err != nil || string(once) != string(twice) {
			t.Errorf("%s became %s and then %s (%v)", config, once, twice, err)
		}
	})
}

func TestComplete_APresetChangesDefaults(t *testing.T) {
	block := attributes(
		schema.String("preset", "").Preset("fast", map[string]any{"rate": 2, "env": map[string]string{"A": "1", "B": "2"}}),
		schema.Number("rate", "").Default(1), schema.StringMap("env", ""),
	)
	if err := block.Check(); err != nil {
		t.Fatal(err)
	}
	for config, want := range map[string]string{
		`{}`:                `{"rate":1}`,
		`{"preset":"slow"}`: `{"preset":"slow","rate":1}`,
		`{"preset":"fast"}`: `{"env":{"A":"1","B":"2"},"preset":"fast","rate":2}`,
		`{"preset":"fast","rate":3,"env":{"B":"mine","C":"3"}}`: "" +
			`{"env":{"A":"1","B":"mine","C":"3"},"preset":"fast","rate":3}`,
	} {
		got, err := block.Complete(json.RawMessage(config))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", config, got, err, want)
		}
	}
	if _, err := block.Complete(json.RawMessage(`{"preset":"fast","env":7}`)); err == nil {
		t.Error("an invalid value is accepted next to a preset")
	}
}
