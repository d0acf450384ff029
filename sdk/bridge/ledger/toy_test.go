package ledger_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// controls lists the control words of the toy tokenizer, one id each, from 256 on; see testdata/ledger/README.md.
var controls = []string{"<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>", "<|return|>"}

const endID = 260

// toyEnds lists the ends of the templates that have another one than <|end|>.
var toyEnds = map[toy]string{"starts": "<|user|><|tool|>", "answers": "<|end|><|tool|>", "returns": "<|return|>"}

func idsOf(text string) (ids []int32) {
next:
	for len(text) > 0 {
		for i, word := range controls {
			if rest, ok := strings.CutPrefix(text, word); ok {
				ids, text = append(ids, int32(256+i)), rest
				continue next
			}
		}
		ids, text = append(ids, int32(text[0])), text[1:]
	}
	return ids
}

func textOf(ids []int32) string {
	var out strings.Builder
	for _, id := range ids {
		if id < 256 {
			out.WriteByte(byte(id))
		} else {
			out.WriteString(controls[id-256])
		}
	}
	return out.String()
}

// toy is a template by its name: plain, thoughts, merged, floating, starts, answers or returns.
type toy string

func (t toy) Ends() []int32             { return idsOf(cmp.Or(toyEnds[t], "<|end|>")) }
func (t toy) Decode(ids []int32) string { return textOf(ids) }

func (t toy) Render(messages []sdk.Message, tools []sdk.Tool, prompt bool) ([]int32, error) {
	offered := ""
	if len(tools) > 0 {
		var names []string
		for _, tool := range tools {
			names = append(names, tool.Name)
		}
		offered = "tools:" + strings.Join(names, ",") + "\n"
	}
	lastUser := -1
	for i, m := range messages {
		if m.Role == sdk.RoleUser {
			lastUser = i
		}
	}
	var out strings.Builder
	if t != "floating" {
		out.WriteString(offered)
	}
	for i := range messages {
		if t == "floating" && i == lastUser {
			out.WriteString(offered)
		}
		text, err := t.message(messages, i, lastUser)
		if err != nil {
			return nil, err
		}
		out.WriteString(t.ended(text, messages, i, prompt))
	}
	if prompt {
		out.WriteString("<|assistant|>")
	}
	return idsOf(out.String()), nil
}

// ended replaces the end of a message.
func (t toy) ended(text string, messages []sdk.Message, i int, prompt bool) string {
	m, body, last := messages[i], strings.TrimSuffix(text, "<|end|>\n"), i+1 == len(messages)
	switch {
	case t == "starts":
		return body
	case t == "answers" && m.Role == sdk.RoleTool:
		for k := i - 1; k >= 0 && messages[k].Role != sdk.RoleUser; k-- {
			for _, call := range messages[k].ToolCalls {
				if call.ID == m.ToolCallID {
					return "<|tool|>" + call.Name + "=" + m.Content
				}
			}
		}
		return ""
	case t == "answers" && len(m.ToolCalls) > 0 && last && !prompt:
		return body + "<|tool|>"
	case t == "answers" && len(m.ToolCalls) > 0 && !last && messages[i+1].Role == sdk.RoleTool:
		return body
	case t == "returns" && m.Role == sdk.RoleAssistant && last && !prompt:
		return body + "<|return|>"
	}
	return text
}

func (t toy) message(messages []sdk.Message, i, lastUser int) (string, error) {
	m := messages[i]
	if t == "merged" && m.Role == sdk.RoleTool {
		out := "<result>" + m.Content + "</result>"
		if i == 0 || messages[i-1].Role != sdk.RoleTool {
			out = "<|user|>" + out
		}
		if i+1 == len(messages) || messages[i+1].Role != sdk.RoleTool {
			out += "<|end|>\n"
		}
		return out, nil
	}
	thoughts := m.Reasoning
	show := thoughts != ""
	if t == "thoughts" && m.Role == sdk.RoleAssistant {
		show = i > lastUser && (show || i+1 == len(messages))
	}
	if show {
		thoughts = "<think>" + thoughts + "</think>"
	} else {
		thoughts = ""
	}
	calls := ""
	for _, call := range m.ToolCalls {
		var arguments bytes.Buffer
		if err := json.Compact(&arguments, []byte(call.Arguments)); err != nil {
			return "", err
		}
		calls += fmt.Sprintf(`<tool_call>{"name":%q,"arguments":%s}</tool_call>`, call.Name, arguments.String())
	}
	return "<|" + string(m.Role) + "|>" + thoughts + m.Content + calls + "<|end|>\n", nil
}
