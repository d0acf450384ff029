package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Choice says which tools of an environment an agent may use, by patterns as sdk.Tool.Matches reads them.
type Choice struct {
	Tools []string // nil allows all
	Deny  []string // of those
	// Calls are the names by which it calls the other members of its swarm. It may, whatever the patterns say.
	Calls []string
}

// check rejects patterns that cannot be read.
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

// ChoiceProblem is a mistake in a choice, which the tools of the environment show.
type ChoiceProblem struct {
	Attribute string // tools or deny
	Index     int    // of the pattern; -1: the list as a whole
	Detail    string
}

// Problems finds what does not fit the tools that an environment offers: patterns that cannot be read or match nothing,
// and a choice that leaves nothing.
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

// leavesNothing reports whether there are tools and the agent may use none. Tools without a pattern ask for that.
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

// mostListed bounds what a message lists.
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

// offer is what an agent may use of the tools that an environment has at the moment.
type offer struct {
	choice  Choice
	tools   []sdk.Tool      // as the model sees them
	decided map[string]bool // by name, of all tools
}

// open chooses of the tools with which an environment has opened. Patterns that leave nothing are a mistake of the
// spec, and end the run: an agent must not be without its tools and nobody knows. Which environments offer all that
// they ever offer is not known here, and so a pattern that matches nothing is none.
func (c Choice) open(name string, tools []sdk.Tool) (offer, error) {
	if c.leavesNothing(tools) {
		return offer{}, &SpecError{Detail: fmt.Sprintf("agent %s: %s", name, c.nothingLeft(tools))}
	}
	return c.choose(tools), nil
}

// change chooses of tools that have changed in the middle of an episode. What that leaves is the episode's matter.
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
