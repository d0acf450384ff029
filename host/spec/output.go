package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/internal/hclsource"
)

// Output is an output block: a value to print at the end of the run.
type Output struct {
	Name        string
	Description string
	Sensitive   bool
	Range       diag.Range
	expr        hcl.Expression
	constants   *hcl.EvalContext
	trains      []string // train blocks that the expression refers to
}

// Result holds the values that an output may refer to after a train block has finished.
type Result struct {
	Run        string             // name of the run
	Checkpoint string             // directory of the last checkpoint
	Digest     string             // digest of that checkpoint
	Steps      int                // finished steps
	Metrics    map[string]float64 // the last values
}

// resultAttributes lists the names that Result's fields have in the language.
var resultAttributes = []string{"run", "checkpoint", "digest", "steps", "metrics"}

var outputSchema = &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "value"}, {Name: "description"},
	{Name: "sensitive"}}}

// evaluateOutput checks an output as far as is possible before the run.
func (s *scope) evaluateOutput(b block, trains map[string]bool) *Output {
	s.checkName(b.LabelRanges[0], b.Labels[0])
	content, problems := b.Body.Content(outputSchema)
	s.report(problems...)
	out := &Output{Name: b.Labels[0], Range: toRange(b.DefRange)}
	if a, ok := content.Attributes["description"]; ok {
		s.literal(a, &out.Description)
	}
	if a, ok := content.Attributes["sensitive"]; ok {
		s.literal(a, &out.Sensitive)
	}
	a, ok := content.Attributes["value"]
	if !ok {
		s.fail(b.DefRange, "Missing argument", "value is required: the value to print after the run. For example: value = "+
			"train.NAME.checkpoint.")
	}
	if !ok || !s.prepareOutput(out, a.Expr, trains) {
		return nil
	}
	return out
}

func (s *scope) prepareOutput(out *Output, expr hcl.Expression, trains map[string]bool) bool {
	var constant []hcl.Traversal
	complete := true
	for _, t := range expr.Variables() {
		if t.RootName() != "train" {
			constant = append(constant, t)
			continue
		}
		name, ok := s.checkResult(t, trains)
		complete = complete && ok
		out.trains = append(out.trains, name)
	}
	ctx, ok := s.context(constant, asObjects)
	if !ok || !complete {
		return false
	}
	out.expr, out.constants, out.trains = expr, ctx, sortedSet(out.trains)
	value, problems := out.value(nil)
	s.report(problems...)
	if !problems.HasErrors() && value.ContainsMarked() && !out.Sensitive {
		s.fail(expr.Range(), "Secret output", fmt.Sprintf("The value of output %q is sensitive and would be printed. To "+
			"print its origin instead, add sensitive = true.", out.Name))
		return false
	}
	return !problems.HasErrors()
}

func (s *scope) checkResult(t hcl.Traversal, trains map[string]bool) (string, bool) {
	names := stepNames(t, 3)
	known := slices.Sorted(maps.Keys(trains))
	switch {
	case len(names) < 2 || !trains[names[1]]:
		s.fail(t.SourceRange(), "Undeclared reference", fmt.Sprintf("Refer to an attribute of a train block's "+
			"result, such as train.NAME.checkpoint. It declares %s.", listed(prefixed("train.", known))))
		return "", false
	case len(names) == 3 && !slices.Contains(resultAttributes, names[2]):
		s.fail(t.SourceRange(), "Unknown attribute", fmt.Sprintf("The result of a train block has the attributes "+
			"%s.%s", listed(resultAttributes), didYouMean(names[2], resultAttributes)))
		return "", false
	}
	return names[1], true
}

// value evaluates the output. Missing results are unknown.
func (o *Output) value(results map[string]Result) (cty.Value, hcl.Diagnostics) {
	trains := map[string]cty.Value{}
	for _, name := range o.trains {
		trains[name] = unknownResult
		if r, ok := results[name]; ok {
			trains[name] = r.value()
		}
	}
	ctx := o.constants.NewChild()
	ctx.Variables = map[string]cty.Value{"train": cty.ObjectVal(trains)}
	hclsource.Renew(ctx)
	return o.expr.Value(ctx)
}

var unknownResult = cty.ObjectVal(map[string]cty.Value{
	"run": cty.UnknownVal(cty.String), "checkpoint": cty.UnknownVal(cty.String), "digest": cty.UnknownVal(cty.String),
	"steps": cty.UnknownVal(cty.Number), "metrics": cty.UnknownVal(cty.Map(cty.Number)),
})

func (r Result) value() cty.Value {
	metrics := cty.MapValEmpty(cty.Number)
	values := map[string]cty.Value{}
	for name, f := range r.Metrics {
		if finite(f) {
			values[name] = number(f)
		}
	}
	if len(values) > 0 {
		metrics = cty.MapVal(values)
	}
	return cty.ObjectVal(map[string]cty.Value{
		"run": cty.StringVal(r.Run), "checkpoint": cty.StringVal(r.Checkpoint), "digest": cty.StringVal(r.Digest),
		"steps": cty.NumberIntVal(int64(r.Steps)), "metrics": metrics,
	})
}

// Eval returns the output's value as JSON, given the results of the train blocks by name. It fails if a referenced
// train block has no result. Secrets are replaced with their origins.
func (o *Output) Eval(results map[string]Result) (json.RawMessage, error) {
	for _, name := range o.trains {
		if _, ok := results[name]; !ok {
			return nil, fmt.Errorf("evaluate output %s: train.%s has no result yet", o.Name, name)
		}
	}
	value, problems := o.value(results)
	if problems.HasErrors() {
		return nil, fmt.Errorf("evaluate output %s: %w", o.Name, errors.New(sentence(problems)))
	}
	plain, secrets := sensitivePaths(value)
	if !plain.IsWhollyKnown() {
		return nil, fmt.Errorf("evaluate output %s: its value is not known", o.Name)
	}
	return redact(mustJSON(toJSON(plain)), secrets), nil
}
