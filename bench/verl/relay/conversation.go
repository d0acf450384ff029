package relay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Conversation is the content of every episode: one tool call per result, then the answer. The environment here and
// the tool in the driver use the same one, so that both loops train on the same tokens.
type Conversation struct {
	Prompt  string            `json:"prompt"`
	Tool    json.RawMessage   `json:"tool"`    // in OpenAI's format
	Answers []string          `json:"answers"` // of the policy, including the end of a message
	Results map[string]string `json:"results"` // of the tool, by its argument
}

// The members are in verl's order because a template shows them to the policy.
const parameters = `{"type":"object","properties":{"key":{"type":"string","description":"What to look up, as in item-3."}},"required":["key"]}`

var tool = sdk.Tool{Name: "look_up", Description: "Looks up how many there are of an item.",
	Parameters: json.RawMessage(parameters)}

const (
	endOfMessage = "<|im_end|>"
	finalAnswer  = "There are enough of all of them. <answer>yes</answer>"
)

// NewConversation returns a conversation with the given number of assistant messages.
func NewConversation(turns int) (Conversation, error) {
	shape := struct {
		Type     string `json:"type"`
		Function any    `json:"function"`
	}{"function", struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}{tool.Name, tool.Description, tool.Parameters}}
	text, err := json.Marshal(shape)
	if err != nil {
		return Conversation{}, err
	}
	c := Conversation{Prompt: "Are there enough of every item? Look each of them up before you answer.", Tool: text,
		Results: map[string]string{}}
	for i := range turns - 1 {
		key := fmt.Sprintf("item-%d", i+1)
		call := fmt.Sprintf("<tool_call>\n{\"name\": \"look_up\", \"arguments\": {\"key\": %q}}\n</tool_call>", key)
		c.Answers = append(c.Answers, "Let me see how many there are of the next one.\n"+call+endOfMessage)
		c.Results[key] = key + ": " + strings.Repeat("there are 42 on the shelf, ", 3) + "and some on order."
	}
	c.Answers = append(c.Answers, finalAnswer+endOfMessage)
	return c, nil
}
