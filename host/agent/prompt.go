package agent

import (
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// TaskMessages returns a task's question: `messages`, a list in the chat format, or `prompt`, a string.
func TaskMessages(task sdk.Task) ([]sdk.Message, error) {
	var question struct {
		Prompt   *string       `json:"prompt"`
		Messages []sdk.Message `json:"messages"`
	}
	if err := json.Unmarshal(task.Public, &question); err != nil {
		return nil, fmt.Errorf("read the question of task %q: %w", task.ID, err)
	}
	switch {
	case len(question.Messages) > 0:
		return question.Messages, nil
	case question.Prompt != nil:
		return []sdk.Message{{Role: sdk.RoleUser, Content: *question.Prompt}}, nil
	}
	return nil, fmt.Errorf("read the question of task %q: it has neither `prompt` nor `messages`; "+
		"map a column to one of them in the dataset block", task.ID)
}

// opening returns the model's first messages: the agent's own instructions, then the question.
func opening(system string, episode Episode) ([]sdk.Message, error) {
	question, err := Question(episode)
	if err != nil {
		return nil, err
	}
	messages := make([]sdk.Message, 0, 1+len(question)+4) // room for a turn or two
	if system != "" {
		messages = append(messages, sdk.Message{Role: sdk.RoleSystem, Content: system})
	}
	return append(messages, question...), nil
}

// Question returns the first messages of an episode: the environment's, or the task's question if it has none. Its
// errors are failures of the environment, or of the agent if the episode has no environment.
func Question(episode Episode) ([]sdk.Message, error) {
	if episode.Environment != nil {
		if messages := episode.Environment.Opened().Messages; len(messages) > 0 {
			return messages, nil
		}
	}
	question, err := TaskMessages(episode.Task)
	if err != nil {
		return nil, withoutQuestion(episode, err)
	}
	return question, nil
}

// withoutQuestion attributes a missing question to the environment, which could have provided opening messages, or to
// the agent if the episode has no environment.
func withoutQuestion(episode Episode, err error) error {
	if episode.Environment != nil {
		return &sdk.Failure{Class: sdk.FailureEnvironment,
			Detail: "malformed answer to Open: it has no messages, and neither has the task: " + err.Error()}
	}
	return &sdk.Failure{Class: sdk.FailureAgent, Detail: err.Error()}
}
