package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Choice selects the tools of an environment that an agent may use, by patterns for sdk.Tool.Matches.
type Choice struct {
	Tools []string // nil allows all
	Deny  []string // exceptions from Tools
	// Calls are the tool names of the other members of its swarm. They are allowed regardless of the patterns.
	Calls []string
}

// check returns an error if a pattern is invalid.
func (c Choice) check() error {
	for _, pattern := range slices.Concat(c.Tools, c.Deny) {
		if err := sdk.CheckToolPattern(pattern); err != nil {
			return err
		}
	}
	return nil
}

func (c Choice) allows(tool sdk.Tool) bool {
	matches := func(patterns []string) bool { return slices.ContainsFunc(patterns, tool.Matches) }
	return c.calls(tool) || (c.Tools == nil || matches(c.Tools)) && !matches(c.Deny)
}

func (c Choice) calls(tool sdk.Tool) bool { return slices.Contains(c.Calls, tool.Name) }

// ChoiceProblem is a mistake in a choice that is detected once the environment's tools are known.
type ChoiceProblem struct {
	Attribute string // tools or deny
	Index     int    // of the pattern; -1: the whole list
	Detail    string
}

// Problems returns the mistakes in a choice for an environment's tools: patterns that are invalid or match nothing, and
// a choice that leaves no tool.
func (c Choice) Problems(offered []sdk.Tool) []ChoiceProblem {
	var out []ChoiceProblem
	for _, list := range []struct {
		attribute string
		patterns  []string
	}{{"tools", c.Tools}, {"deny", c.Deny}} {
		for i, pattern := range list.patterns {
			if err := sdk.CheckToolPattern(pattern); err != nil {
				out = append(out, ChoiceProblem{list.attribute, i, err.Error()})
			} else if pattern != "*" && !slices.ContainsFunc(offered, func(t sdk.Tool) bool { return t.Matches(pattern) }) {
				out = append(out, ChoiceProblem{list.attribute, i, fmt.Sprintf(
					"%q matches no tool: there are %s", pattern, listed(offered))})
			}
		}
	}
	if len(out) == 0 && c.leavesNothing(offered) {
		attribute := "tools"
		if len(c.Deny) > 0 {
			attribute = "deny"
		}
		out = append(out, ChoiceProblem{attribute, -1, c.nothingLeft(offered)})
	}
	return out
}

// leavesNothing reports whether the environment has tools but all of them are excluded. An empty Tools requests that
// explicitly.
func (c Choice) leavesNothing(offered []sdk.Tool) bool {
	own := func(t sdk.Tool) bool { return !c.calls(t) }
	allowed := func(t sdk.Tool) bool { return own(t) && c.allows(t) }
	wanted := c.Tools == nil || len(c.Tools) > 0
	return wanted && slices.ContainsFunc(offered, own) && !slices.ContainsFunc(offered, allowed)
}

func (c Choice) nothingLeft(offered []sdk.Tool) string {
	what := fmt.Sprintf("tools = [%s] leaves", quoted(c.Tools))
	if len(c.Deny) > 0 {
		what = fmt.Sprintf("tools = [%s] and deny = [%s] leave", quoted(c.Tools), quoted(c.Deny))
	}
	own := slices.DeleteFunc(slices.Clone(offered), c.calls)
	return fmt.Sprintf("%s the agent none of the tools that there are: %s; write tools = [] for an agent without tools",
		what, listed(own))
}

// mostListed limits the tools listed in a message.
const mostListed = 60

func listed(tools []sdk.Tool) string {
	if len(tools) == 0 {
		return "none"
	}
	var names []string
	for _, tool := range tools[:min(len(tools), mostListed)] {
		name := tool.Name
		if tool.Origin != "" {
			name = tool.Origin
		}
		names = append(names, name)
	}
	if more := len(tools) - mostListed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

func quoted(patterns []string) string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = fmt.Sprintf("%q", p)
	}
	return strings.Join(out, ", ")
}

// offer is a selection of the tools that an environment currently has.
type offer struct {
	choice  Choice
	tools   []sdk.Tool      // as the model sees them
	decided map[string]bool // by name, for all tools
}

// open selects the tools when an environment has opened. Patterns that leave no tool are a mistake in the spec and end
// the run: an agent must not silently lose its tools. A pattern that matches nothing is accepted, because the
// environment may offer further tools later.
func (c Choice) open(name string, tools []sdk.Tool) (offer, error) {
	if c.leavesNothing(tools) {
		return offer{}, &SpecError{Detail: fmt.Sprintf("agent %s: %s", name, c.nothingLeft(tools))}
	}
	return c.choose(tools), nil
}

// change selects the tools after they change in the middle of an episode. If none is left, only the episode fails.
func (c Choice) change(tools []sdk.Tool) (offer, error) {
	if c.leavesNothing(tools) {
		return offer{}, &sdk.Failure{Class: sdk.FailureAgent, Detail: c.nothingLeft(tools)}
	}
	return c.choose(tools), nil
}

func (c Choice) choose(tools []sdk.Tool) offer {
	out := offer{choice: c, decided: make(map[string]bool, len(tools))}
	for _, tool := range tools {
		allowed := c.allows(tool)
		out.decided[tool.Name] = allowed
		if tool.Origin = ""; allowed {
			out.tools = append(out.tools, tool)
		}
	}
	return out
}

// allows reports whether the agent may call a tool, which need not exist.
func (o offer) allows(name string) bool {
	if allowed, known := o.decided[name]; known {
		return allowed
	}
	return o.choice.allows(sdk.Tool{Name: name})
}
