package manualpolicy

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/sdk"
)

// parseMessage parses an assistant message: in OpenAI's chat format, as {"content": …}, or as one call in the form
// {"tool": name, "arguments": {…}}.
func parseMessage(text []byte) (sdk.Message, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return sdk.Message{}, errors.New(
			`it is not a JSON object: want {"content": "…"} or {"tool": "name", "arguments": {…}}`)
	}
	if reason := dataset.Misspelt(members, []string{"tool", "arguments"}); reason != "" {
		return sdk.Message{}, errors.New(reason)
	}
	if tool, ok := members["tool"]; ok {
		if err := spellOut(members, tool); err != nil {
			return sdk.Message{}, err
		}
	}
	if _, ok := members["role"]; !ok {
		members["role"] = json.RawMessage(`"assistant"`)
	}
	list, err := json.Marshal([]map[string]json.RawMessage{members})
	if err != nil {
		return sdk.Message{}, err
	}
	messages, err := dataset.Messages(list)
	if err != nil {
		return sdk.Message{}, err
	}
	if role := messages[0].Role; role != sdk.RoleAssistant {
		return sdk.Message{}, fmt.Errorf("its role is %q: the agent's role is assistant", role)
	}
	return messages[0], nil
}

// spellOut converts {"tool", "arguments"} to a list of calls.
func spellOut(members map[string]json.RawMessage, tool json.RawMessage) error {
	var name string
	if json.Unmarshal(tool, &name) != nil || name == "" {
		return errors.New(`its tool is not a name: want {"tool": "name", "arguments": {…}}`)
	}
	if _, both := members["tool_calls"]; both {
		return errors.New("it has both tool and tool_calls: remove one")
	}
	arguments := members["arguments"]
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	calls, err := json.Marshal([]map[string]json.RawMessage{{"name": tool, "arguments": arguments}})
	if err != nil {
		return err
	}
	delete(members, "tool")
	delete(members, "arguments")
	members["tool_calls"] = calls
	return nil
}
