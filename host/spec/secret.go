package spec

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// secretMark is the cty mark for secret values. cty passes it on to all results, through functions and templates.
type secretMark struct{ origin string } // "env:OPENAI_API_KEY", "var:token", "spec"

// originSpec is the origin of a literal secret in the spec.
const originSpec = "spec"

// shortestSecret is the minimum length of a secret that is removed from text: shorter secrets would match too much.
const shortestSecret = 4

// secretsIn collects the strings in a secret value.
func secretsIn(v cty.Value) []string {
	var found []string
	unmarked, _ := v.UnmarkDeep()
	_ = cty.Walk(unmarked, func(_ cty.Path, v cty.Value) (bool, error) {
		if !v.IsKnown() || v.IsNull() {
			return false, nil
		}
		switch v.Type() {
		case cty.String:
			found = append(found, v.AsString())
		case cty.Number:
			found = append(found, fmt.Sprint(jsonNumber(v.AsBigFloat())))
		}
		return true, nil
	})
	return found
}

// redactor removes secrets from text.
type redactor struct{ secrets map[string]bool }

func (r *redactor) learn(v cty.Value) {
	if r.secrets == nil {
		r.secrets = map[string]bool{}
	}
	for _, text := range secretsIn(v) {
		if len(text) < shortestSecret {
			continue
		}
		r.secrets[text] = true
		for line := range strings.Lines(text) { // a text of several lines is shown line by line
			if line = strings.TrimRight(line, "\r\n"); len(line) >= shortestSecret {
				r.secrets[line] = true
			}
		}
	}
}

// list returns the secrets, longest first, so that a secret that contains another one is replaced as a whole.
func (r *redactor) list() []string {
	out := make([]string, 0, len(r.secrets))
	for secret := range r.secrets {
		out = append(out, secret)
	}
	sort.Slice(out, func(i, j int) bool {
		if len(out[i]) != len(out[j]) {
			return len(out[i]) > len(out[j])
		}
		return out[i] < out[j]
	})
	return out
}

// text replaces every secret with a placeholder.
func (r *redactor) text(s string) string {
	for _, secret := range r.list() {
		s = strings.ReplaceAll(s, secret, "(sensitive)")
		if quoted := strings.Trim(strconv.Quote(secret), `"`); quoted != secret {
			s = strings.ReplaceAll(s, quoted, "(sensitive)")
		}
	}
	return s
}

// code replaces every secret with asterisks of the same length, so that offsets do not change.
func (r *redactor) code(s string) string {
	for _, secret := range r.list() {
		s = strings.ReplaceAll(s, secret, strings.Repeat("*", len(secret)))
	}
	return s
}

// sensitivePaths removes the marks from a value and returns their paths.
func sensitivePaths(v cty.Value) (cty.Value, []SensitivePath) {
	unmarked, marks := v.UnmarkDeepWithPaths()
	var found []SensitivePath
	for _, m := range marks {
		origins := originsOf(m.Marks)
		if len(origins) > 0 {
			found = append(found, SensitivePath{Path: pathNames(m.Path), Origin: strings.Join(origins, "+")})
		}
	}
	sort.Slice(found, func(i, j int) bool { return pathKey(found[i].Path) < pathKey(found[j].Path) })
	return unmarked, found
}

func originsOf(marks cty.ValueMarks) []string {
	var origins []string
	for mark := range marks {
		if secret, ok := mark.(secretMark); ok {
			origins = append(origins, secret.origin)
		}
	}
	sort.Strings(origins)
	return origins
}

func pathNames(path cty.Path) []string {
	names := make([]string, 0, len(path))
	for _, step := range path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			names = append(names, step.Name)
		case cty.IndexStep:
			switch {
			case step.Key.Type() == cty.String:
				names = append(names, step.Key.AsString())
			case step.Key.Type() == cty.Number:
				names = append(names, step.Key.AsBigFloat().Text('f', 0))
			}
		}
	}
	return names
}

// pathSeparator joins the steps of a path in a map key; names cannot contain it.
const pathSeparator = "\x00"

// pathKey returns a map key for a path.
func pathKey(path []string) string { return strings.Join(path, pathSeparator) }
