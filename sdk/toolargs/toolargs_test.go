package toolargs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestGenerate(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"none":                        {``, `{}`},
		"not an object":               {`{"type":"string"}`, `{}`},
		"required members":            {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a"]}`, `{"a":1}`},
		"everything without a schema": {`{"properties":{"a":{"type":"number"},"b":{"type":"boolean"}}}`, `{"a":1,"b":true}`},
		"members of the schema":       {`{"properties":{"a":{"enum":["cm","m"]},"b":{"default":7},"c":{"const":null,"type":"null"},"d":{"type":"string","examples":["x"]}}}`, `{"a":"cm","b":7,"c":null,"d":"x"}`},
		"bounds":                      {`{"properties":{"a":{"type":"integer","minimum":18},"b":{"type":"number","maximum":0.5},"c":{"type":"integer","exclusiveMinimum":3},"d":{"type":"integer","exclusiveMaximum":1}}}`, `{"a":18,"b":0.5,"c":4,"d":0}`},
		"lists":                       {`{"properties":{"a":{"type":"array","items":{"type":"string"},"minItems":2},"b":{"type":"array"}}}`, `{"a":["smoke","smoke"],"b":[]}`},
		"texts":                       {`{"properties":{"a":{"type":"string","format":"date"},"b":{"type":"string","minLength":8},"c":{"type":"string","maxLength":2}}}`, `{"a":"2026-01-01","b":"smokexxx","c":"sm"}`},
		"lengths beyond all integers": {`{"properties":{"a":{"type":"string","minLength":-1e300},"b":{"type":"string","maxLength":1e300},"c":{"type":"string","maxLength":-1}}}`, `{"a":"smoke","b":"smoke","c":""}`},
		"between two bounds": {`{"properties":{"a":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5}}}`,
			`{"a":0.25}`},
		"the whole again": {`{"properties":{"a":{"$ref":"#"},"b":{"type":"integer"}},"required":["b"]}`,
			`{"b":1}`},
		"whole numbers":              {`{"properties":{"a":{"type":"integer","minimum":0,"maximum":0.5}}}`, `{"a":0}`},
		"one of several":             {`{"properties":{"a":{"anyOf":[{"type":"null"},{"type":"integer"}]},"b":{"type":["null","string"]}}}`, `{"a":1,"b":"smoke"}`},
		"references":                 {`{"$defs":{"p":{"type":"object","properties":{"x":{"type":"integer"}}}},"properties":{"a":{"$ref":"#/$defs/p"}}}`, `{"a":{"x":1}}`},
		"keywords of other datasets": {`{"type":"dict","properties":{"a":{"type":"float"},"b":{"type":"tuple","items":{"type":"int"}}}}`, `{"a":1,"b":[1]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := Generate([]byte(c.schema))
			if got != c.want {
				t.Errorf("%s\ngives %s\nwant  %s", c.schema, got, c.want)
			}
			if c.schema == "" || strings.Contains(c.schema, "dict") || strings.Contains(c.schema, ":-1") || got == "{}" {
				return // not a standard schema
			}
			if err := validate(c.schema, got); err != nil {
				t.Errorf("%s does not fit %s: %v", got, c.schema, err)
			}
		})
	}
}

func validate(schema, text string) error {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("tool.json", document); err != nil {
		return err
	}
	compiled, err := compiler.Compile("tool.json")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// A recursive schema gives a finite value.
func TestGenerate_RecursiveSchema(t *testing.T) {
	for _, schema := range []string{
		`{"properties":{"a":{"$ref":"#"}}}`,
		`{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		`{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"},"v":{"type":"integer"}}}},"properties":{"a":{"$ref":"#/$defs/n"}}}`,
	} {
		if got := Generate([]byte(schema)); !strings.HasPrefix(got, `{"a":`) {
			t.Errorf("%s gives %s", schema, got)
		}
	}
}

// The size of a value is bounded, even with nested arrays and many references to the whole schema.
func TestGenerate_Bounded(t *testing.T) {
	nested := `{"type":"string","minLength":1e300}`
	for range 7 {
		nested = `{"type":"array","minItems":1e300,"items":` + nested + `}`
	}
	wide := make([]string, 1000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"p%d":{"$ref":"#"}`, i)
	}
	for name, schema := range map[string]string{
		"arrays in arrays":        `{"properties":{"a":` + nested + `}}`,
		"a thousand times itself": `{"properties":{` + strings.Join(wide, ",") + `}}`,
	} {
		if got := Generate([]byte(schema)); len(got) > 2<<20 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

func FuzzGenerate(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["null"]}},"required":["a",1]}`))
	f.Add([]byte(`{"properties":[],"items":3,"$ref":"#/a/b"}`))
	f.Add([]byte(`{"properties":{"a":{"type":"array","minItems":1e300,"items":{"minLength":-1,"maxLength":1e18,"type":"string"}}}}`))
	f.Add([]byte(`{"properties":{"a":{"type":"integer","minimum":1e400}}}`))
	f.Add([]byte(`{"properties":{"a":{"type":"array","items":{"minLength":-1e300,"type":"string"}}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		got := Generate(schema)
		if !strings.HasPrefix(got, "{") {
			t.Errorf("%s gives %s", schema, got)
		}
	})
}
