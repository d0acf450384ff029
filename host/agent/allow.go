package agent

import (
	"fmt"
	"path"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// allowList says which tools an agent may use. Nil allows all of them.
type allowList []string

// newAllowList checks the patterns: `*` is every tool, `server/tool` and `server/*` are those of one server, `add`
// is one tool by its name, with the wildcards of path.Match.
func newAllowList(patterns []string) (allowList, error) {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("read tool pattern %q: %w; write `*`, `tool` or `server/tool`", pattern, err)
		}
	}
	return patterns, nil
}

// allows matches the name as it is and, because model APIs forbid the slash, with the `__` that stands for it.
func (l allowList) allows(name string) bool {
	if l == nil {
		return true
	}
	qualified := strings.Replace(name, "__", "/", 1)
	for _, pattern := range l {
		if pattern == "*" || matches(pattern, name) || matches(pattern, qualified) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// filter keeps the tools that the agent may use.
func (l allowList) filter(tools []sdk.Tool) []sdk.Tool {
	if l == nil {
		return tools
	}
	var kept []sdk.Tool
	for _, tool := range tools {
		if l.allows(tool.Name) {
			kept = append(kept, tool)
		}
	}
	return kept
}
