package scan

import "slices"

const (
	leastAlike     = 3   // results that must all be empty, or fail in the same way
	sameFailure    = 40  // bytes at the beginning of failures that must be equal
	longestFailure = 300 // bytes of a result that fails in the same way as others
)

// failure is a result that is empty, or a failure of a tool.
type failure struct {
	rule, text, action string // no rule: empty, or an error
	hit                Hit
}

// brokenTools returns the first failures of tools that do not work again, and the first results of tools that only
// have empty ones, or the same failure for different arguments.
func brokenTools(c *conversation) (out []Hit) {
	tools, works := map[string][]failure{}, map[string]bool{}
	for i := range c.texts {
		if c.from[i] != result && c.answers[i] == nil {
			continue
		}
		tool := c.tools[i]
		if f := c.failureOf(i); f != nil {
			tools[tool] = append(tools[tool], *f)
		} else {
			tools[tool], works[tool] = nil, true
		}
	}
	for tool, all := range tools {
		first := func(rule string, least int) bool {
			k := slices.IndexFunc(all, func(f failure) bool { return f.rule == rule })
			count := 0
			for _, f := range all {
				if f.rule == rule {
					count++
				}
			}
			if count >= least {
				out = append(out, all[k].hit)
			}
			return count >= least
		}
		if tool != "" && first(Environment, 1) || first(Environment, 2) || first(weakFailure, 2) || len(all) < leastAlike {
			continue
		}
		last, alike, actions := all[len(all)-1], 0, []string{}
		for _, f := range all {
			if f.text == last.text {
				if alike++; f.action != "" && !slices.Contains(actions, f.action) {
					actions = append(actions, f.action)
				}
			}
		}
		isBroken := last.text == "" && len(actions) > 1 && !works[tool]
		if last.text != "" {
			isBroken = tool != "" && len(actions) >= leastAlike
		}
		if alike >= leastAlike && isBroken {
			out = append(out, all[0].hit)
		}
	}
	return out
}

// failureOf returns how a result fails, or nil.
func (c *conversation) failureOf(i int) *failure {
	text, action := c.texts[i], ""
	if s := c.answers[i]; s != nil {
		action = s.text
	}
	isError := func() bool { return c.Messages[i].IsError || matches("error", text[:min(len(text), before)]) }
	for _, rule := range []string{Environment, weakFailure} {
		k := slices.IndexFunc(c.hits[rule], func(hit Hit) bool { return hit.Message == i })
		if k >= 0 && (c.from[i] == result || isError()) { // not a user's text
			return &failure{rule: rule, hit: c.hits[rule][k]}
		}
	}
	if len(text) <= before && matches("empty", text) {
		if matches("effect", c.tools[i]) && !matches("prints", action) {
			action = ""
		}
		return &failure{action: action, hit: Hit{Message: i}}
	}
	if len(text) > longestFailure || !isError() || matches("arguments", text) {
		return nil
	}
	hit := Hit{Message: i, Quote: excerpt(text, 0)}
	text = patterns["details"].ReplaceAllString(text, "")
	return &failure{text: text[:min(len(text), sameFailure)], action: action, hit: hit}
}
