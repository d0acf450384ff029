package formatreward

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// rule is the form that a text must have. Every text satisfies the zero value.
type rule struct {
	pattern          *regexp.Regexp // nil: no pattern required
	tags             []string       // empty: no tags required
	allowTextOutside bool
}

// form lists the parts of a rule that a text satisfies. A part that is not required counts as satisfied.
type form struct{ pattern, tags bool }

// judge returns the parts that all texts satisfy. An empty list satisfies no part.
func (r rule) judge(texts []string) form {
	if len(texts) == 0 {
		return form{}
	}
	met := form{pattern: true, tags: true}
	for _, text := range texts {
		met.pattern = met.pattern && (r.pattern == nil || r.pattern.MatchString(text))
		met.tags = met.tags && r.hasTags(text)
	}
	return met
}

// hasTags reports whether every tag is opened and closed exactly once, one after another, with some text inside. Tags
// with other names count as text.
func (r rule) hasTags(text string) bool {
	rest := text
	for _, tag := range r.tags {
		opening, closing := "<"+tag+">", "</"+tag+">"
		if strings.Count(text, opening) != 1 || strings.Count(text, closing) != 1 {
			return false
		}
		before, after, opened := strings.Cut(rest, opening)
		inside, after, closed := strings.Cut(after, closing)
		if !opened || !closed || isBlank(inside) || !r.mayStandOutside(before) {
			return false
		}
		rest = after
	}
	return len(r.tags) == 0 || r.mayStandOutside(rest)
}

func (r rule) mayStandOutside(text string) bool { return r.allowTextOutside || isBlank(text) }

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// newRule compiles the rule from a configuration, or returns diagnostics.
func newRule(c config) (rule, []sdk.Diagnostic) {
	r := rule{tags: c.Tags, allowTextOutside: c.AllowTextOutside}
	problems := checkTags(c.Tags)
	if c.Pattern == "" {
		return r, problems
	}
	pattern, err := regexp.Compile(c.Pattern)
	if err != nil {
		problems = append(problems, problem("pattern", "Invalid regular expression",
			fmt.Sprintf("%v. The syntax is RE2 (https://github.com/google/re2/wiki/Syntax), which has no look-around and no back-references.", err)))
	}
	r.pattern = pattern
	return r, problems
}

// tagName matches valid tag names, which contain neither brackets nor spaces.
var tagName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]*$`)

func checkTags(tags []string) []sdk.Diagnostic {
	var problems []sdk.Diagnostic
	seen := map[string]bool{}
	for _, tag := range tags {
		if !tagName.MatchString(tag) {
			problems = append(problems, problem("tags", "Invalid tag name",
				fmt.Sprintf("%q is not a tag name: write the name without brackets, letters and digits only, such as "+
					"\"answer\".", tag)))
		}
		if seen[tag] {
			problems = append(problems, problem("tags", "Repeated tag",
				fmt.Sprintf("%q is listed twice, but each tag must occur exactly once in a text; use pattern for repeated tags.",
					tag)))
		}
		seen[tag] = true
	}
	return problems
}

// checkAnyRule rejects a configuration that every text would satisfy.
func (c config) checkAnyRule() []sdk.Diagnostic {
	if c.Pattern != "" || len(c.Tags) > 0 {
		return nil
	}
	return []sdk.Diagnostic{problem("", "No form configured",
		`Set pattern, tags or both, for example tags = ["think", "answer"].`)}
}

func problem(attribute, summary, detail string) sdk.Diagnostic {
	d := sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail}
	if attribute != "" {
		d.Path = []string{attribute}
	}
	return d
}

func asError(problems []sdk.Diagnostic) error {
	var all []error
	for _, p := range problems {
		all = append(all, fmt.Errorf("%s: %s", strings.ToLower(p.Summary), p.Detail))
	}
	return errors.Join(all...)
}
