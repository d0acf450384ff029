package hclsource

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Each text overflows Go's stack, which no caller can recover from, when the parser of HCL reads it unchecked.
func TestParse_RefusesTextsThatOverflowTheStack(t *testing.T) {
	const n = 1_000_000
	for name, text := range map[string]string{
		"list.hcl":        "x = " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"parentheses.hcl": "x = " + strings.Repeat("(\n", n) + "1" + strings.Repeat(")", n),
		"template.hcl":    "x = " + strings.Repeat(`"${`, n) + "1" + strings.Repeat(`}"`, n),
		"blocks.hcl":      strings.Repeat("b {\n", n) + strings.Repeat("}\n", n),
		"not.hcl":         "x = " + strings.Repeat("!", n) + "true",
		"conditional.hcl": "x = " + strings.Repeat("true ? 1 : ", n) + "1",
		"sum.hcl":         "x = " + strings.Repeat("1 +\n", n) + "1",
		"object.json":     strings.Repeat(`{"x":`, n) + "1" + strings.Repeat("}", n),
		"escaped.json":    `{"x":"${` + strings.Repeat(`\u0028`, n) + "1" + strings.Repeat(`\u0029`, n) + `}"}`,
		"string.json":     `{"x":"${` + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + `}"}`,
	} {
		_, problems := Parse([]byte(text), name)
		if !problems.HasErrors() || problems[0].Summary != "Expression too complex" || problems[0].Subject.Filename != name {
			t.Errorf("%s: got %v, want an error about its complexity", name, problems)
		}
		if strings.HasPrefix(text, "x = ") {
			if _, problems := ParseExpression([]byte(text[len("x = "):]), name); !problems.HasErrors() {
				t.Errorf("%s is accepted as an expression", name)
			}
		}
	}
}

func TestParse_ReportsBrokenLoops(t *testing.T) {
	for _, text := range []string{
		"[for", "[for x in", "[for x in : x]", "{for x in [1] :", "[for x in [for y in : y] : x]",
	} {
		if _, problems := Parse([]byte("x = "+text), "train.hcl"); !problems.HasErrors() {
			t.Errorf("%s is accepted", text)
		}
		if _, problems := ParseExpression([]byte(text), "train.hcl"); !problems.HasErrors() {
			t.Errorf("%s is accepted as an expression", text)
		}
	}
}

func TestParse_BoundsLoops(t *testing.T) {
	t.Parallel()
	elements := func(n int) cty.Value {
		values := make([]cty.Value, n)
		for i := range values {
			values[i] = cty.NumberIntVal(int64(i))
		}
		return cty.ListVal(values)
	}
	variables := map[string]cty.Value{"most": elements(100_000), "many": elements(2000), "few": elements(50)}
	variables["secret"] = variables["many"].Mark("secret")
	functions := map[string]function.Function{"length": stdlib.LengthFunc}
	ctx := &hcl.EvalContext{Variables: variables, Functions: functions}
	const large = "Values too large"
	for text, want := range map[string]string{
		"length([for x in most : x])":                                                  "",
		"length([for x in [for y in most : y] : x])":                                   "",
		"length([for x in few : length([for y in few : y])])":                          "",
		"length([for x in few : length([for y in few : length([for z in few : z])])])": "",
		"[for x in many : [for y in many : y]]":                                        large,
		"[for x in secret : [for y in secret : y]]":                                    large,
		"{for x in many : x => {for y in many : y => x}}":                              large,
		`{for x in many : "${x} ${length([for y in many : y])}" => x}`:                 large,
		"[for x in many : x if length([for y in many : y]) > 0]":                       large,
		`"%{ for x in many }%{ for y in many }x%{ endfor }%{ endfor }"`:                large,
		"[for x in few : [for y in few : [for z in many : z]]]":                        large,
		"[for x in [for y in most : y] : [for z in few : z]]":                          large,
		"[for a in few : [for b in few : [for c in few : [for d in few : d]]]]":        large,
	} {
		inJSON, err := json.Marshal(strings.TrimSuffix(strings.TrimPrefix("${"+text+"}", "${\""), "\"}"))
		if err != nil {
			t.Fatal(err)
		}
		sources := map[string]string{"train.hcl": fmt.Sprintf("x = %s\n", text)}
		if want == "" && !strings.Contains(text, "most") || strings.Contains(text, "few : d") {
			sources["train.hcl.json"] = fmt.Sprintf(`{"x": %s}`, inJSON)
			sources["element.hcl.json"] = fmt.Sprintf(`{"x": [{"y": %s}]}`, inJSON)
			sources["block.hcl.json"] = fmt.Sprintf(`{"b": [{"x": %s}]}`, inJSON)
		}
		for name, source := range sources {
			if got := summaryOf([]byte(source), name, ctx); got != want {
				t.Errorf("%s: got %q, want %q", source, got, want)
			}
		}
	}
}

// HCL takes time that grows with the square of a template's parts.
func TestParse_BoundsTemplates(t *testing.T) {
	const n = 20_000
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"heredoc.hcl", "x = <<EOT\n" + strings.Repeat("line\n", n) + "EOT\n", 20_002},
		{"indented.hcl", "x = <<-EOT\n" + strings.Repeat("  ${1}\n", n) + "EOT\n", 10_002},
		{"quoted.hcl", "\nx = \"" + strings.Repeat("a$", n) + "\"\n", 2},
		{"string.json", "{\n\"x\": \"" + strings.Repeat(`a\n`, n) + `"}`, 2},
		{"list.json", "{\n\"x\": [\"" + strings.Repeat("${1}", n) + `"]}`, 2},
	} {
		_, problems := Parse([]byte(c.text), c.name)
		if !problems.HasErrors() || problems[0].Summary != "Expression too complex" ||
			problems[0].Subject.Filename != c.name || problems[0].Subject.Start.Line != c.line {
			t.Errorf("%s: got %v, want an error in line %d", c.name, problems, c.line)
		}
	}
	if _, problems := ParseTemplate([]byte(strings.Repeat("line\n", n+1)), "x.txt"); !problems.HasErrors() {
		t.Error("a long template is accepted")
	}
}

// summaryOf returns the summary of the first problem in the attribute x of a file or of its block b.
func summaryOf(source []byte, name string, ctx *hcl.EvalContext) string {
	file, problems := Parse(source, name)
	if !problems.HasErrors() {
		schema := &hcl.BodySchema{
			Attributes: []hcl.AttributeSchema{{Name: "x"}}, Blocks: []hcl.BlockHeaderSchema{{Type: "b"}},
		}
		content, more := file.Body.Content(schema)
		problems = append(problems, more...)
		for _, block := range content.Blocks {
			content, _, more = block.Body.PartialContent(schema)
			problems = append(problems, more...)
		}
		_, more = content.Attributes["x"].Expr.Value(ctx)
		problems = append(problems, more...)
	}
	if problems.HasErrors() {
		return problems[0].Summary
	}
	return ""
}
