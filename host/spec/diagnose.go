package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/sdk"
)

// diagnostics returns the problems in file order, with secrets removed.
func (l *loader) diagnostics() diag.Diagnostics {
	out := make(diag.Diagnostics, 0, len(l.scope.problems))
	for _, p := range l.scope.problems {
		if !l.options.ValuesLater || !lacksValue(p) {
			out = append(out, l.diagnostic(p))
		}
	}
	slices.SortStableFunc(out, compareDiagnostics)
	if len(out) == 0 {
		return nil
	}
	return out
}

// valueLater marks a problem, in its Extra field, that disappears once a value from outside the spec is set.
type valueLater struct{}

// lacksValue reports whether a problem consists only of a missing variable or environment value.
func lacksValue(p *hcl.Diagnostic) bool {
	if _, later := hcl.DiagnosticExtra[valueLater](p); later {
		return true
	}
	call, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](p)
	if !ok || call.CalledFunctionName() != "env" {
		return false
	}
	wrong, ok := call.FunctionCallError().(function.ArgError)
	return ok && wrong.Index == 0 // env reports only missing variables for its first argument
}

func compareDiagnostics(a, b diag.Diagnostic) int {
	switch {
	case a.Range == nil && b.Range == nil:
		return 0
	case a.Range == nil:
		return -1
	case b.Range == nil:
		return 1
	}
	if c := strings.Compare(a.Range.File, b.Range.File); c != 0 {
		return c
	}
	return a.Range.Start.Byte - b.Range.Start.Byte
}

func (l *loader) diagnostic(p *hcl.Diagnostic) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Error, Summary: p.Summary, Detail: p.Detail}
	if p.Severity == hcl.DiagWarning {
		d.Severity = diag.Warning
	}
	if p.Subject != nil {
		d.Detail += l.habit(*p.Subject)
		r := toRange(*p.Subject)
		d.Range = &r
		context := ""
		d.Address, context = l.enclosing(*p.Subject)
		d.Snippet = l.sources.Snippet(r, context)
		if d.Snippet != nil {
			d.Snippet.Values = valuesOf(p)
		}
	}
	return l.scope.redactor.clean(d)
}

// habits are notations of other languages, with what HCL writes instead. The expressions match the beginning of a
// range, or its line.
var habits = []struct {
	at, line *regexp.Regexp
	say      string
}{
	{regexp.MustCompile(`^(and|or|not)\b`), nil, "HCL writes && for and, || for or, and ! for not."},
	{nil, regexp.MustCompile(`= *[0-9.]+ *% *([]},#]|//|$)`), "Write a fraction: 0.5 for 50%."},
}

// pythonLiterals are names that are values in Python, with what HCL writes instead.
var pythonLiterals = map[string]string{"True": "true", "False": "false", "None": "null"}

// habit explains a notation of another language at a range that HCL cannot read, or in its line.
func (l *loader) habit(r hcl.Range) string {
	source := l.sources[r.Filename]
	if r.Start.Byte > len(source) {
		return ""
	}
	// HCL reports an unfinished line at the beginning of the next one.
	start := bytes.LastIndexByte(bytes.TrimRight(source[:r.Start.Byte], "\n"), '\n') + 1
	line, _, _ := bytes.Cut(source[start:], []byte("\n"))
	for _, h := range habits {
		if h.at != nil && h.at.Match(source[r.Start.Byte:]) || h.line != nil && h.line.Match(line) {
			return " " + h.say
		}
	}
	return ""
}

// clean removes secrets from a diagnostic.
func (r *redactor) clean(d diag.Diagnostic) diag.Diagnostic {
	if len(r.secrets) == 0 {
		return d
	}
	d.Summary, d.Detail = r.text(d.Summary), r.text(d.Detail)
	if d.Snippet != nil {
		snippet := *d.Snippet
		snippet.Code = r.code(snippet.Code)
		snippet.Values = slices.Clone(snippet.Values)
		for i := range snippet.Values {
			snippet.Values[i].Text = r.text(snippet.Values[i].Text)
		}
		d.Snippet = &snippet
	}
	return d
}

// enclosing returns the top-level block that contains a range. JSON blocks have no end position: of these, it returns
// the last one that begins before the range.
func (l *loader) enclosing(r hcl.Range) (address, title string) {
	last := -1
	for _, b := range l.places {
		start := b.DefRange.Start.Byte
		native, ok := b.Body.(*hclsyntax.Body)
		if n := len(b.LabelRanges); !ok && n > 0 {
			if start = b.LabelRanges[n-1].Start.Byte; b.LabelRanges[0] == r {
				start = r.Start.Byte // the type
			}
		}
		if b.DefRange.Filename != r.Filename || start > r.Start.Byte || start < last {
			continue
		}
		if !ok || r.Start.Byte <= native.SrcRange.End.Byte {
			address, title, last = b.address, b.title, start
		}
	}
	return address, title
}

// Bounds of the values that a diagnostic shows.
const (
	mostValues     = 4
	longestValue   = 60
	longestPreview = 40
)

// valuesOf returns the values of the names in an expression that failed, without secrets.
func valuesOf(p *hcl.Diagnostic) []diag.Value {
	if p.Expression == nil || p.EvalContext == nil {
		return nil
	}
	var values []diag.Value
	seen := map[string]bool{}
	for _, t := range p.Expression.Variables() {
		name := traversalText(t)
		v, problems := t.TraverseAbs(p.EvalContext)
		if problems.HasErrors() || seen[name] || v.ContainsMarked() || len(values) == mostValues {
			continue
		}
		seen[name] = true
		if text := preview(v); text != "" {
			values = append(values, diag.Value{Name: name, Text: text})
		}
	}
	return values
}

func traversalText(t hcl.Traversal) string {
	var b strings.Builder
	for i, step := range t {
		name, ok := stepName(step)
		switch {
		case !ok:
			b.WriteString("[…]")
		case i == 0:
			b.WriteString(name)
		default:
			b.WriteString("." + name)
		}
	}
	return b.String()
}

// preview returns a short form of a value.
func preview(v cty.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case !v.IsKnown():
		return ""
	case v.Type() == cty.String:
		text := []rune(v.AsString())
		if len(text) > longestPreview {
			return fmt.Sprintf("%q, and %d more characters", string(text[:longestPreview]), len(text)-longestPreview)
		}
		return quote(string(text))
	case v.Type() == cty.Number || v.Type() == cty.Bool:
		return fmt.Sprint(toJSON(v))
	}
	if n, ok := asReference(v); ok {
		return "the block " + n.address
	}
	if text := string(mustJSON(toJSON(v))); len(text) <= longestValue {
		return text
	}
	return article(v.Type().FriendlyName())
}

// Diagnose completes a diagnostic about part of a block with the address, the range and the snippet.
func (s *Spec) Diagnose(at Places, path []string, d diag.Diagnostic) diag.Diagnostic {
	r := at.At(path...)
	d.Address = at.Address
	if r.File != "" {
		d.Range = &r
		d.Snippet = s.Sources.Snippet(r, at.context)
	}
	return s.redactor().clean(d)
}

func (s *Spec) redactor() *redactor {
	r := &redactor{secrets: map[string]bool{}}
	for _, secret := range s.secrets {
		r.secrets[secret] = true
	}
	return r
}

// FromPlugin adds source positions to a plugin's diagnostics about a block's configuration.
func (s *Spec) FromPlugin(at Places, plugin string, found []sdk.Diagnostic) diag.Diagnostics {
	var out diag.Diagnostics
	for _, f := range found {
		severity := diag.Error
		if f.Severity == sdk.SeverityWarning {
			severity = diag.Warning
		}
		out = append(out, s.Diagnose(at, f.Path, diag.Diagnostic{Severity: severity, Summary: f.Summary, Detail: f.Detail,
			Plugin: plugin}))
	}
	return out
}

func toHCL(r diag.Range) hcl.Range {
	pos := func(p diag.Position) hcl.Pos { return hcl.Pos{Line: p.Line, Column: p.Column, Byte: p.Byte} }
	return hcl.Range{Filename: r.File, Start: pos(r.Start), End: pos(r.End)}
}
