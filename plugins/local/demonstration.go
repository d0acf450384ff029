package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// maxDemonstrations limits memory use; a warm start draws far fewer demonstrations.
const maxDemonstrations = 100_000

// demonstrations reads a dataset as rows to be imitated.
func (t *trainer) demonstrations(ctx context.Context, dataset string) ([]tinylm.Row, error) {
	var demos []tinylm.Row
	var bad error
	err := t.host.Tasks(ctx, sdk.TasksRequest{Dataset: dataset, Stage: t.request.Stage}, func(task sdk.Task) bool {
		row, err := encodeDemonstration(task, t.model.MaxLen)
		switch {
		case err != nil:
			bad = fmt.Errorf("demonstration %s in %s: %w", task.ID, dataset, err)
		case len(demos) == maxDemonstrations:
			bad = fmt.Errorf("%s has more than %d demonstrations: a warm start needs only a few thousand; use "+
				"fewer", dataset,
				maxDemonstrations)
		default:
			demos = append(demos, row)
		}
		return bad == nil
	})
	switch {
	case bad != nil:
		return nil, bad
	case err != nil:
		return nil, err
	case len(demos) == 0:
		return nil, fmt.Errorf("%s has no demonstrations", dataset)
	}
	return demos, nil
}

// demonstrationMessage is a message in OpenAI's or the SDK's format.
type demonstrationMessage struct {
	sdk.Message
	ToolCalls []demonstrationCall `json:"tool_calls"`
}

type demonstrationCall struct {
	callBody
	Function *callBody `json:"function"` // OpenAI's format
}

type callBody struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func encodeDemonstration(task sdk.Task, maxTokens int) (tinylm.Row, error) {
	var public struct {
		Messages []demonstrationMessage `json:"messages"`
	}
	if err := json.Unmarshal(task.Public, &public); err != nil {
		return tinylm.Row{}, fmt.Errorf("read its messages: %w", err)
	}
	if len(public.Messages) == 0 {
		return tinylm.Row{}, errors.New("it has no `messages`")
	}
	var messages []tokenizer.Message
	for i, m := range public.Messages {
		message, err := tokenMessage(m.toSDK())
		if err != nil {
			return tinylm.Row{}, fmt.Errorf("message %d: %w", i, err)
		}
		messages = append(messages, message)
	}
	ids, trained, err := tokenizer.EncodeDemonstration(messages)
	if err != nil {
		return tinylm.Row{}, err
	}
	if len(ids) > maxTokens {
		return tinylm.Row{}, fmt.Errorf("it has %d tokens and the context takes %d: raise `context` or shorten it", len(ids),
			maxTokens)
	}
	if !slices.Contains(trained, true) {
		return tinylm.Row{}, errors.New("no message is the assistant's: there is nothing to imitate")
	}
	return tinylm.Row{IDs: ids, Trained: trained}, nil
}

// toSDK returns the message in the SDK's format.
func (m demonstrationMessage) toSDK() sdk.Message {
	out := m.Message
	for _, call := range m.ToolCalls {
		body := call.callBody
		if call.Function != nil {
			body = *call.Function
		}
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{Name: body.Name, Arguments: unquoted(body.Arguments)})
	}
	return out
}

// unquoted returns arguments as JSON text. OpenAI's format encodes them as a string.
func unquoted(arguments json.RawMessage) string {
	var text string
	if err := json.Unmarshal(arguments, &text); err == nil {
		return text
	}
	return string(arguments)
}
