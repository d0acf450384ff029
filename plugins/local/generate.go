package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// Generate implements sdk.Adapter. All calls of an episode sample from the snapshot that was current when the trainer
// asked for the episode.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	ep, err := a.episodes.find(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	ep.mu.Lock()
	defer ep.mu.Unlock()
	c, drift, err := ep.extend(req)
	if err != nil {
		return nil, err
	}
	mark := *c // slices share storage, lengths do not: enough to take back what follows
	fail := func(err error) (*sdk.GenerateResponse, error) {
		*c = mark
		if len(c.ends) == 0 {
			delete(ep.chains, c.id)
		}
		return nil, err
	}
	if err := appendMessages(c, req.Messages); err != nil {
		return fail(&sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()})
	}
	c.append([]int32{tokenizer.Assistant})
	out, err := a.policy.Generate(ctx, tinylm.GenRequest{Snapshot: ep.snapshot, PromptIDs: c.ids, Sampling: sampling(req.Sampling), Seed: req.Seed})
	if errors.Is(err, tinylm.ErrContextFull) {
		return fail(&sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: err.Error()})
	}
	if err != nil {
		return fail(err)
	}
	prompt := len(c.ids)
	c.appendSampled(out.IDs, out.Logprobs, req.Trainable)
	c.endMessage()
	message := messageFromTokens(out.IDs, len(c.ends))
	return &sdk.GenerateResponse{
		Message: message, Finish: finish(out.Finish, message), PromptTokens: prompt, OutputTokens: len(out.IDs),
		RemainingTokens: max(0, a.policy.Config().MaxLen-len(c.ids)),
		Versions:        []sdk.VersionSpan{{Version: out.Version, Tokens: len(out.IDs)}},
		Chain:           c.id, ChainLength: len(c.ends), ChainDigest: c.sum(), Drift: drift,
	}, nil
}

func sampling(s sdk.Sampling) tinylm.Sampling {
	return tinylm.Sampling{Temperature: value(s.Temperature, 1), TopP: value(s.TopP, 0), TopK: s.TopK, MaxTokens: s.MaxTokens}
}

func finish(f tinylm.Finish, m sdk.Message) sdk.FinishReason {
	switch {
	case f != tinylm.FinishStop:
		return sdk.FinishLength
	case len(m.ToolCalls) > 0:
		return sdk.FinishToolCalls
	}
	return sdk.FinishStop
}

func appendMessages(c *chain, messages []sdk.Message) error {
	for _, m := range messages {
		if len(m.Images) > 0 {
			return errors.New("the embedded policy reads text only: the message has an image")
		}
		ids, err := tokenizer.AppendMessage(nil, tokenMessage(m))
		if err != nil {
			return fmt.Errorf("encode a message of role %s: %w", m.Role, err)
		}
		c.append(ids)
		c.ends = append(c.ends, len(c.ids))
	}
	return nil
}

func tokenMessage(m sdk.Message) tokenizer.Message {
	out := tokenizer.Message{Role: tokenizer.Role(m.Role), Content: m.Content, Reasoning: m.Reasoning}
	for _, call := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, tokenizer.ToolCall{Name: call.Name, Arguments: call.Arguments})
	}
	return out
}

// messageFromTokens decodes a sampled message. Call ids count within the conversation, so that equal samples give equal
// messages.
func messageFromTokens(ids []int32, position int) sdk.Message {
	decoded := tokenizer.Decode(ids)
	out := sdk.Message{Role: sdk.RoleAssistant, Content: decoded.Content, Reasoning: decoded.Reasoning}
	for i, call := range decoded.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: fmt.Sprintf("call_%d_%d", position, i), Name: call.Name, Arguments: call.Arguments})
	}
	for _, m := range decoded.Malformed {
		out.Malformed = append(out.Malformed, sdk.Malformed{Text: m.Text, Reason: m.Reason})
	}
	return out
}
