package scan

import "slices"

// leastEmpty is the number of a tool's results that must all be empty.
const leastEmpty = 3

// brokenTools returns the first failures of tools that do not work again, and the first results of tools that only
// have empty ones.
func brokenTools(c *conversation) (out []Hit) {
	type state struct {
		failing, empty []Hit // since it worked
		works          bool
	}
	tools := map[string]*state{}
	for i, text := range c.texts {
		if c.from[i] != result {
			continue
		}
		if tools[c.tools[i]] == nil {
			tools[c.tools[i]] = &state{}
		}
		s := tools[c.tools[i]]
		at := slices.IndexFunc(c.hits[Environment], func(hit Hit) bool { return hit.Message == i })
		switch {
		case at >= 0:
			s.failing = append(s.failing, c.hits[Environment][at])
		case len(text) <= before && matches("empty", text):
			s.empty = append(s.empty, Hit{Message: i})
		default:
			*s = state{works: true}
		}
	}
	for name, s := range tools {
		if len(s.failing) > 0 {
			out = append(out, s.failing[0])
		} else if len(s.empty) >= leastEmpty && !s.works && !matches("effect", name) {
			out = append(out, s.empty[0])
		}
	}
	return out
}
