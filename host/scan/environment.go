package scan

import "slices"

// leastEmpty is the number of a tool's results that must all be empty, or fail in the same way.
const leastEmpty = 3

// sameFailure limits the bytes at the beginning of failures that must be equal.
const sameFailure = 40

// longestFailure limits the bytes of a result that fails in the same way as others.
const longestFailure = 300

// failures are the results of a tool since it worked.
type failures struct {
	clear, weak, empty, alike []Hit
	text                      string // of alike
	actions                   []string
	works                     bool
}

// brokenTools returns the first failures of tools that do not work again, and the first results of tools that only
// have empty ones, or the same failure for different arguments.
func brokenTools(c *conversation) (out []Hit) {
	tools := map[string]*failures{}
	hit := func(rule string, i int) int {
		return slices.IndexFunc(c.hits[rule], func(hit Hit) bool { return hit.Message == i })
	}
	for i, text := range c.texts {
		step := c.answers[i]
		if c.from[i] != result && step == nil {
			continue
		}
		f := tools[c.tools[i]]
		if f == nil {
			f = &failures{}
			tools[c.tools[i]] = f
		}
		clear, weak := hit(Environment, i), hit(weakFailure, i)
		if c.from[i] == prompt && clear+weak > -2 && !matches("error", text[:min(len(text), before)]) {
			clear, weak = -1, -1 // a user's text
		}
		alike := c.failureOf(i)
		if clear < 0 && weak < 0 && alike == "" && !(len(text) <= before && matches("empty", text)) {
			*f = failures{works: true}
			continue
		}
		switch {
		case clear >= 0:
			f.clear = append(f.clear, c.hits[Environment][clear])
		case weak >= 0:
			f.weak = append(f.weak, c.hits[weakFailure][weak])
		case alike == "":
			f.empty = append(f.empty, Hit{Message: i})
			if step != nil && (!matches("effect", c.tools[i]) || matches("prints", step.text)) && !slices.Contains(f.actions, step.text) {
				f.actions = append(f.actions, step.text)
			}
		}
		if alike == "" || alike != f.text {
			f.text, f.alike = alike, nil
			if alike != "" {
				f.actions = nil
			}
		}
		if alike != "" {
			f.alike = append(f.alike, Hit{Message: i, Quote: excerpt(text, 0)})
			if step != nil && !slices.Contains(f.actions, step.text) {
				f.actions = append(f.actions, step.text)
			}
		}
	}
	for name, f := range tools {
		switch {
		case len(f.clear) > 0 && (name != "" || len(f.clear) > 1):
			out = append(out, f.clear[0])
		case len(f.weak) > 1:
			out = append(out, f.weak[0])
		case len(f.alike) >= leastEmpty && len(f.actions) >= leastEmpty && name != "":
			out = append(out, f.alike[0])
		case len(f.empty) >= leastEmpty && len(f.actions) >= leastEmpty-1 && !f.works:
			out = append(out, f.empty[0])
		}
	}
	return out
}

// failureOf returns what a short result has in common with similar failures, if it is an error that has other causes
// than the arguments.
func (c *conversation) failureOf(i int) string {
	text := c.texts[i]
	if len(text) > longestFailure || !c.Messages[i].IsError && !matches("error", text[:min(len(text), before)]) ||
		matches("arguments", text) {
		return ""
	}
	text = patterns["details"].ReplaceAllString(text, "")
	return text[:min(len(text), sameFailure)]
}
