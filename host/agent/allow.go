package agent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// allowList says which tools an agent may use. Nil allows all of them.
type allowList []string

// newAllowList checks the patterns: `*` is every tool, `server/tool`, `server/*` and `server` are those of one server,
// `add` is one tool by its name, with the wildcards of path.Match.
func newAllowList(patterns []string) (allowList, error) {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("read tool pattern %q: %w; write `*`, `tool` or `server/tool`", pattern, err)
		}
	}
	return patterns, nil
}

// allows matches a tool by its name and by where the environment has it from. Where that is not said, the `__` of a
// name stands for the slash, which model APIs forbid.
func (l allowList) allows(tool sdk.Tool) bool {
	if l == nil {
		return true
	}
	names := []string{tool.Name, strings.Replace(tool.Name, "__", "/", 1)}
	if tool.Origin != "" {
		server, _, _ := strings.Cut(tool.Origin, "/")
		names = []string{tool.Name, tool.Origin, server}
	}
	return slices.ContainsFunc(l, func(pattern string) bool {
		return pattern == "*" || slices.ContainsFunc(names, func(name string) bool {
			ok, err := path.Match(pattern, name)
			return err == nil && ok
		})
	})
}

// offer is what an agent may use of the tools that an environment has at the moment.
type offer struct {
	list    allowList
	tools   []sdk.Tool      // as the model sees them
	decided map[string]bool // by name, of all tools
}

// choose keeps the tools that the agent may use. Patterns that leave nothing of some tools are a mistake of the spec,
// and an error: an agent must not be without its tools and nobody knows.
func (l allowList) choose(tools []sdk.Tool) (offer, error) {
	out := offer{list: l, decided: make(map[string]bool, len(tools))}
	var all []string
	for _, tool := range tools {
		allowed := l.allows(tool)
		out.decided[tool.Name] = allowed
		name := tool.Name
		if tool.Origin != "" {
			name = tool.Origin
		}
		all = append(all, name)
		if tool.Origin = ""; allowed {
			out.tools = append(out.tools, tool)
		}
	}
	if len(l) > 0 && len(tools) > 0 && len(out.tools) == 0 {
		return out, &sdk.Failure{Class: sdk.FailureAgent, Detail: fmt.Sprintf(
			"tools = [%s] leaves the agent none of the tools that there are: %s", quoted(l), strings.Join(all, ", "))}
	}
	return out, nil
}

func quoted(patterns []string) string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = fmt.Sprintf("%q", p)
	}
	return strings.Join(out, ", ")
}

// allows reports whether the agent may call a tool, which need not exist.
func (o offer) allows(name string) bool {
	if allowed, known := o.decided[name]; known {
		return allowed
	}
	return o.list.allows(sdk.Tool{Name: name})
}
