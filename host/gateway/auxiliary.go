package gateway

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// Rules identify auxiliary calls, which are not part of the task, based only on the request.
type Rules []rule

type rule struct {
	header  string         // its value is matched; empty: the system and user messages are matched
	pattern *regexp.Regexp // nil: matches a call without tools
}

// ParseRules parses rules. "no_tools" matches a call without tools, "prompt:REGEXP" a call with a matching system or
// user message, and "header:NAME:REGEXP" a call with a matching header.
func ParseRules(texts []string) (Rules, error) {
	out := make(Rules, 0, len(texts))
	for _, text := range texts {
		kind, rest, _ := strings.Cut(text, ":")
		r := rule{}
		switch kind {
		case "no_tools":
			if rest != "" {
				return nil, fmt.Errorf("%q: no_tools takes no argument", text)
			}
			out = append(out, r)
			continue
		case "prompt":
		case "header":
			if r.header, rest, _ = strings.Cut(rest, ":"); r.header == "" {
				return nil, fmt.Errorf("%q has no header name: write header:NAME:REGEXP", text)
			}
		default:
			return nil, fmt.Errorf(`unknown rule %q: use "no_tools", "prompt:REGEXP" or "header:NAME:REGEXP"`, text)
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

func (rules Rules) match(request chat.Request, header http.Header) bool {
	for _, r := range rules {
		if r.match(request, header) {
			return true
		}
	}
	return false
}

func (r rule) match(request chat.Request, header http.Header) bool {
	switch {
	case r.pattern == nil:
		return len(request.Tools) == 0
	case r.header != "":
		return r.pattern.MatchString(header.Get(r.header))
	}
	for i := range request.Messages {
		m := &request.Messages[i]
		if (m.Role == sdk.RoleSystem || m.Role == sdk.RoleUser) && r.pattern.MatchString(m.Content) {
			return true
		}
	}
	return false
}
