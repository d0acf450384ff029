package ledger

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// placeholder is the text used in substitute messages.
const placeholder = "placeholder"

// outline returns the roles in the shortest conversation that ends like the first messages of the chain: the opening,
// one message that replaces everything from the first sampled message onward, and the messages after the last sampled
// one.
func (c *chain) outline(base int) []sdk.Role {
	role := func(messages []sdk.Message) (out []sdk.Role) {
		for _, m := range messages {
			out = append(out, m.Role)
		}
		return out
	}
	if base <= c.opening {
		return role(c.messages[:base])
	}
	last := base - 1
	for last >= c.opening && !c.sampled[last] {
		last--
	}
	return slices.Concat(role(c.messages[:c.opening]), []sdk.Role{sdk.RoleAssistant}, role(c.messages[last+1:base]))
}

// extension returns the IDs that follow the last message end in a conversation with these roles: the messages and the
// generation prompt. It returns false if the template cannot be extended there.
func extension(r Renderer, outline []sdk.Role, messages []sdk.Message, tools []sdk.Tool) ([]int32, bool) {
	ways := []bool{false}
	if len(messages) > 0 && messages[0].Role == sdk.RoleTool {
		ways = append(ways, true) // most templates accept a tool's answer after any message; some require a call
	}
	for _, calling := range ways {
		if suffix, ok := extend(r, placeholderMessages(outline, calling), messages, tools); ok {
			return suffix, true
		}
	}
	return nil, false
}

func placeholderMessages(outline []sdk.Role, calling bool) []sdk.Message {
	out := make([]sdk.Message, len(outline))
	for i, role := range outline {
		out[i] = sdk.Message{Role: role, Content: placeholder}
		answered := i+1 == len(outline) || outline[i+1] == sdk.RoleTool
		if calling && role == sdk.RoleAssistant && answered {
			out[i].ToolCalls = []sdk.ToolCall{{ID: "call00000", Name: placeholder, Arguments: "{}"}}
		}
		if role == sdk.RoleTool {
			out[i].ToolCallID, out[i].Name = "call00000", placeholder
		}
	}
	return out
}

// extend renders the substitutes alone and with the messages. The first rendering must be a prefix of the second, up to
// its last message end. For a final assistant message, only the placeholder must match.
func extend(r Renderer, standIn, messages []sdk.Message, tools []sdk.Tool) ([]int32, bool) {
	alone, err := r.Render(standIn, tools, false)
	if err != nil {
		return nil, false
	}
	whole, err := r.Render(slices.Concat(standIn, messages), tools, true)
	if err != nil {
		return nil, false
	}
	ends := endPositions(alone, r.Ends())
	reached := endPositions(whole, r.Ends())
	if len(ends) == 0 || len(reached) < len(ends) {
		return nil, false
	}
	open := standIn[len(standIn)-1].Role == sdk.RoleAssistant
	fixed := ends[len(ends)-1]
	if open {
		fixed = 0
		if len(ends) > 1 {
			fixed = ends[len(ends)-2]
		}
	}
	end := reached[len(ends)-1]
	if !slices.Equal(alone[:fixed], whole[:min(fixed, len(whole))]) {
		return nil, false
	}
	if open && (end <= fixed || !strings.Contains(r.Decode(whole[fixed:end-1]), placeholder)) {
		return nil, false
	}
	return whole[end:], true
}

// endPositions returns the positions after each message end.
func endPositions(ids, ends []int32) (out []int) {
	for i, id := range ids {
		if slices.Contains(ends, id) {
			out = append(out, i+1)
		}
	}
	return out
}
