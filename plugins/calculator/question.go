package calculator

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// questionMessages returns a task's initial messages: its `messages`, or its `prompt` as one user message.
func questionMessages(task sdk.Task) ([]sdk.Message, error) {
	var public struct {
		Prompt   string        `json:"prompt"`
		Messages []sdk.Message `json:"messages"`
	}
	if err := json.Unmarshal(task.Public, &public); err != nil {
		return nil, fmt.Errorf("read task %q: %w; its public part must be an object with `prompt` or `messages`", task.ID,
			err)
	}
	switch {
	case len(public.Messages) > 0:
		return public.Messages, nil
	case public.Prompt != "":
		return []sdk.Message{{Role: sdk.RoleUser, Content: public.Prompt}}, nil
	}
	return nil, fmt.Errorf("read task %q: it asks nothing; map a column to `prompt` or `messages` in the dataset block",
		task.ID)
}

var errNoUser = errors.New("none of the task's messages is the user's")

// problemOf parses the problem in the last user message of a task.
func problemOf(messages []sdk.Message) (arithmetic.Problem, error) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == sdk.RoleUser {
			return arithmetic.Parse(messages[i].Content)
		}
	}
	return arithmetic.Problem{}, errNoUser
}
