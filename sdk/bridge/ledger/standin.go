package ledger

import (
	"fmt"
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

// unknownID is not an ID.
const unknownID int32 = -1

// ends lists the IDs that end messages.
type ends struct {
	sampled []int32 // by the engine
	// closing lists the IDs that the template writes after a message. The first one is appended to a message that was
	// cut off by a limit. A template may write another one after the last message (gpt-oss). It is empty if a message
	// ends where the next one starts (GLM).
	closing    []int32
	needsCalls bool // the template rejects or drops a tool's result without a call
}

func (e ends) contains(id int32) bool {
	return slices.Contains(e.sampled, id) || slices.Contains(e.closing, id)
}

func findEnds(r Renderer) ends {
	out := ends{sampled: r.Ends(), closing: r.Ends()}
	user, assistant := sdk.Message{Role: sdk.RoleUser, Content: placeholder}, sdk.Message{Role: sdk.RoleAssistant,
		Content: placeholder}
	result := sdk.Message{Role: sdk.RoleTool, ToolCallID: callID(0), Name: placeholder, Content: "observation"}
	answered, err := r.Render([]sdk.Message{user, assistant, result}, nil, true)
	out.needsCalls = err != nil || !strings.Contains(r.Decode(answered), result.Content)
	alone, err := r.Render([]sdk.Message{user, assistant}, nil, false)
	if err != nil {
		return out
	}
	followed, err := r.Render([]sdk.Message{user, assistant, user}, nil, false)
	if err != nil {
		followed = nil // the template rejects the conversation
	}
	end := len(alone) - 1
	for end >= 0 && !slices.Contains(out.sampled, alone[end]) {
		end--
	}
	switch {
	case end < 0 || strings.Contains(r.Decode(alone[end+1:]), placeholder):
		if n := len(alone); len(followed) > n && slices.Equal(followed[:n], alone) &&
			slices.Contains(out.sampled, followed[n]) {
			out.closing = nil
		}
	default:
		out.closing = alone[end : end+1]
		if len(followed) <= end || !slices.Equal(followed[:end], alone[:end]) || followed[end] == alone[end] {
			return out
		}
		past := len(followed) - 1
		for followed[past] != followed[end] {
			past--
		}
		if strings.HasSuffix(r.Decode(followed[:past]), placeholder) { // it ends the last message, the user's, too
			out.closing = []int32{followed[end], alone[end]}
		}
	}
	return out
}

// extension returns the IDs that follow the last message end in a conversation with these roles: the messages and the
// generation prompt. If that end is not a closing ID, it comes first: it starts the next part then. It returns false if
// the template cannot be extended there.
func extension(r Renderer, e ends, outline []sdk.Role, messages []sdk.Message, tools []sdk.Tool) ([]int32, bool) {
	messages = slices.Clone(messages)
	standIn, shown := placeholderMessages(outline), placeholder
	answers := len(messages) > 0 && messages[0].Role == sdk.RoleTool
	if e.needsCalls && (answers || slices.Contains(outline, sdk.RoleTool)) {
		var names []string
		for i := 0; i < len(messages) && messages[i].Role == sdk.RoleTool; i++ {
			if messages[i].Name == "" {
				return nil, false // the template writes the name of the call
			}
			names, messages[i].ToolCallID = append(names, messages[i].Name), callID(i)
		}
		for i := range standIn[:len(standIn)-1] {
			if standIn[i].Role == sdk.RoleAssistant && standIn[i+1].Role == sdk.RoleTool {
				addCalls(&standIn[i], placeholder)
			}
		}
		if len(names) > 0 {
			addCalls(&standIn[len(standIn)-1], names...)
			shown = names[0]
		}
	}
	return extend(r, e, standIn, shown, messages, tools)
}

func placeholderMessages(outline []sdk.Role) []sdk.Message {
	out := make([]sdk.Message, len(outline))
	for i, role := range outline {
		out[i] = sdk.Message{Role: role, Content: placeholder}
		if role == sdk.RoleTool {
			out[i].ToolCallID, out[i].Name = callID(0), placeholder
		}
	}
	return out
}

func callID(number int) string { return fmt.Sprintf("call%05d", number) }

// addCalls turns a message into calls. Some templates write its content after the results.
func addCalls(m *sdk.Message, names ...string) {
	m.Content = ""
	for i, name := range names {
		m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{ID: callID(i), Name: name, Arguments: "{}"})
	}
}

// extend renders the substitutes alone and with the messages. The first rendering must be a prefix of the second, up to
// its last message end. For a final assistant message, only its text must appear.
func extend(
	r Renderer, e ends, standIn []sdk.Message, text string, messages []sdk.Message, tools []sdk.Tool,
) ([]int32, bool) {
	alone, err := r.Render(standIn, tools, false)
	if err != nil {
		return nil, false
	}
	whole, err := r.Render(slices.Concat(standIn, messages), tools, true)
	if err != nil {
		return nil, false
	}
	open := standIn[len(standIn)-1].Role == sdk.RoleAssistant
	bounds := endPositions(alone, e)
	ended := len(bounds) > 0 && !strings.Contains(r.Decode(alone[bounds[len(bounds)-1]:]), text)
	if !open && !ended {
		return nil, false
	}
	last := len(alone)
	if open && ended {
		last = bounds[len(bounds)-1] - 1
		bounds = bounds[:len(bounds)-1]
	}
	fixed := 0
	if len(bounds) > 0 {
		fixed = bounds[len(bounds)-1]
	}
	if len(whole) < fixed || !slices.Equal(alone[:fixed], whole[:fixed]) {
		return nil, false
	}
	end := fixed - 1
	if open {
		reached := slices.IndexFunc(whole[fixed:], e.contains)
		if reached < 0 {
			return nil, false
		}
		after, shown := afterText(r.Decode(whole[fixed:fixed+reached]), text)
		if wanted, _ := afterText(r.Decode(alone[fixed:last]), text); !shown || after != wanted {
			return nil, false // not shown, or followed by a message that starts without an end
		}
		end = fixed + reached
	}
	if slices.Contains(e.closing, whole[end]) {
		end++
	}
	return whole[end:], true
}

// afterText returns what follows the last occurrence of a text, and whether there is one.
func afterText(written, text string) (after string, ok bool) {
	at := strings.LastIndex(written, text)
	if at < 0 {
		return "", false
	}
	return strings.TrimSpace(written[at+len(text):]), true
}

// endPositions returns the positions after each message end.
func endPositions(ids []int32, e ends) (out []int) {
	for i, id := range ids {
		if e.contains(id) {
			out = append(out, i+1)
		}
	}
	return out
}
