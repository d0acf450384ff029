package spec

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/sdk"
)

// given is a value that was set for a variable.
type given struct {
	value   cty.Value // cty.NilVal: text is converted to the variable's type
	text    string
	literal bool   // text came from a flag or the environment
	origin  string // "env:AWHOST_VAR_steps", "file:prod.awvars", "flag"
	where   hcl.Range
	again   bool // another source had set a value before
}

// read converts text to the variable's type. A string is the text itself, a number or Boolean is converted from the
// text, and all other types are parsed as HCL.
func (g *given) read(d *declaration) (cty.Value, hcl.Diagnostics) {
	if !g.literal {
		return g.value, nil
	}
	if d.ty.IsPrimitiveType() || d.ty == cty.DynamicPseudoType {
		return cty.StringVal(g.text), nil
	}
	expr, problems := hclsource.ParseExpression([]byte(g.text), g.where.Filename)
	if problems.HasErrors() {
		return cty.DynamicVal, explainText(problems, d)
	}
	value, problems := expr.Value(nil)
	return value, explainText(problems, d)
}

// explainText adds the expected type to HCL's diagnostics: users of a flag do not have to know that its value is HCL.
func explainText(problems hcl.Diagnostics, d *declaration) hcl.Diagnostics {
	for _, p := range problems {
		p.Detail = fmt.Sprintf("%s The value cannot be parsed: %s: %s", d.wants(), p.Summary, p.Detail)
		p.Summary = "Wrong type"
	}
	return problems
}

// variablePrefix is the prefix of a variable's name in the process environment.
const variablePrefix = "AWHOST_VAR_"

// givenValues collects the variable values. Later sources override earlier ones: the environment, *.auto.awvars next to
// the spec, variable files, and flags.
func (l *loader) givenValues(declared map[string]*declaration) map[string]*given {
	values := map[string]*given{}
	for name := range declared {
		if text, ok := l.env.lookup(variablePrefix + name); ok {
			l.giveText(values, name, text, "env:"+variablePrefix+name)
		}
	}
	automatic, _ := filepath.Glob(filepath.Join(escapeGlob(l.shownDir), "*.auto.awvars"))
	automaticJSON, _ := filepath.Glob(filepath.Join(escapeGlob(l.shownDir), "*.auto.awvars.json"))
	automatic = append(automatic, automaticJSON...)
	slices.Sort(automatic)
	for i, path := range append(automatic, l.options.VarFiles...) {
		undeclared := hcl.DiagError
		if i < len(automatic) {
			undeclared = hcl.DiagWarning // another spec of the directory may declare it
		}
		l.readVariableFile(path, declared, values, undeclared)
	}
	for _, name := range slices.Sorted(maps.Keys(l.options.Vars)) {
		if declared[name] == nil {
			l.scope.report(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Value for an undeclared variable",
				Detail: fmt.Sprintf("--var %s=…: the spec does not declare a variable "+
					"%q.%s", name, name, declaredHint(name, declared))})
			continue
		}
		l.giveText(values, name, l.options.Vars[name], "flag")
	}
	return values
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func declaredHint(name string, declared map[string]*declaration) string {
	names := slices.Sorted(maps.Keys(declared))
	if own := Nearest(name, names); own != "" {
		return fmt.Sprintf(" Did you mean %s, which %s declares?", quote(own), place(declared[own].where))
	}
	switch {
	case name == "seed":
		return " Declare it, and write `seed = var.seed` in the train block."
	case len(names) == 0:
		return " It declares no variables."
	}
	return " The spec declares " + listed(names) + "."
}

// giveText records the text of a flag or environment variable. Diagnostics show it as a file with one line.
func (l *loader) giveText(values map[string]*given, name, text, origin string) {
	shown := "--var " + name
	if rest, ok := strings.CutPrefix(origin, "env:"); ok {
		shown = rest
	}
	end := hcl.Pos{Line: 1, Column: 1 + len(text), Byte: len(text)}
	l.sources[shown] = []byte(text)
	values[name] = &given{
		text: text, literal: true, origin: origin, again: values[name] != nil,
		where: hcl.Range{Filename: shown, Start: hcl.InitialPos, End: end},
	}
}

func (l *loader) readVariableFile(path string, declared map[string]*declaration, values map[string]*given,
	undeclared hcl.DiagnosticSeverity) {
	text, err := readFile(path)
	if err != nil {
		l.scope.report(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Unreadable variable file",
			Detail: sdk.DescribeError(err) + ". Check the path given with --var-file."})
		return
	}
	file, problems := l.parse(path, text)
	l.scope.report(problems...)
	if file == nil {
		return
	}
	attributes, problems := file.Body.JustAttributes()
	l.scope.report(problems...)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		a := attributes[name]
		if declared[name] == nil {
			l.scope.report(&hcl.Diagnostic{Severity: undeclared, Summary: "Value for an undeclared variable",
				Detail:  fmt.Sprintf("The spec does not declare a variable %q.%s", name, declaredHint(name, declared)),
				Subject: &a.NameRange})
			continue
		}
		value, problems := a.Expr.Value(nil)
		l.scope.report(problems...)
		if !problems.HasErrors() {
			if declared[name].sensitive {
				l.scope.redactor.learn(value)
			}
			values[name] = &given{value: value, origin: "file:" + filepath.ToSlash(path), where: a.Expr.Range()}
		}
	}
}
