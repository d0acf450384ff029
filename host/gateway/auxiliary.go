package gateway

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Rules identify auxiliary calls, which are not part of the task, based only on the request.
type Rules []rule

type rule struct {
	kind    string         // no_tools, prompt, header, or model: what is matched
	header  string         // the name of a header
	pattern *regexp.Regexp // nil: matches a call without tools
}

// ParseRules parses rules. "no_tools" matches a call without tools, "prompt:REGEXP" a call with a matching system or
// user message, "model:REGEXP" a call for a matching model, and "header:NAME:REGEXP" a call with a matching header.
func ParseRules(texts []string) (Rules, error) {
	out := make(Rules, 0, len(texts))
	for _, text := range texts {
		kind, rest, _ := strings.Cut(text, ":")
		r := rule{kind: kind}
		switch kind {
		case "no_tools":
			if rest != "" {
				return nil, fmt.Errorf("%q: no_tools takes no argument", text)
			}
			out = append(out, r)
			continue
		case "prompt", "model":
		case "header":
			if r.header, rest, _ = strings.Cut(rest, ":"); r.header == "" {
				return nil, fmt.Errorf("%q has no header name: write header:NAME:REGEXP", text)
			}
		default:
			return nil, fmt.Errorf(
				`unknown rule %q: use "no_tools", "prompt:REGEXP", "model:REGEXP" or "header:NAME:REGEXP"`, text)
		}
		if rest == "" {
			return nil, fmt.Errorf("%q has no regular expression", text)
		}
		var err error
		if r.pattern, err = regexp.Compile(rest); err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (rules Rules) match(a *ask, header http.Header) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.match(a, header) })
}

func (r rule) match(a *ask, header http.Header) bool {
	switch r.kind {
	case "no_tools":
		return len(a.request.Tools) == 0 && !a.deferred
	case "header":
		return r.pattern.MatchString(header.Get(r.header))
	case "model":
		return r.pattern.MatchString(a.model)
	}
	for i := range a.request.Messages {
		m := &a.request.Messages[i]
		if (m.Role == sdk.RoleSystem || m.Role == sdk.RoleUser) && r.pattern.MatchString(m.Content) {
			return true
		}
	}
	return false
}
