package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// Generate implements sdk.Adapter. All calls in an episode sample from the snapshot that was current when the trainer
// requested the episode. A failed call leaves the episode's chains unchanged, so that it can be repeated.
func (a *adapter) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if req.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, req.Deadline)
		defer cancel()
	}
	if len(req.Sampling.Stop) > 0 {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: noStopStrings}
	}
	draw := sampling(req.Sampling)
	if req.Trainable && !req.Validation && truncatesDistribution(draw) {
		return nil, refused(errCut.Error())
	}
	ep, err := a.episodes.find(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	ep.mu.Lock()
	defer ep.mu.Unlock()
	c, drift, err := ep.draft(req)
	if err != nil {
		return nil, err
	}
	if err := c.appendMessages(req.Messages); err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: err.Error()}
	}
	c.append(tokenizer.Assistant)
	prompt := len(c.ids)
	forced, err := scripted(req)
	if err != nil {
		return nil, refused(err.Error())
	}
	out, err := ep.sample(ctx, tinylm.GenRequest{PromptIDs: c.ids, Sampling: draw, Seed: req.Seed, Forced: forced})
	if err != nil {
		return nil, err
	}
	c.appendSampled(out.IDs, out.Logprobs, draw.RowTemperature(), req.Trainable)
	ep.keep(c)
	message := messageFromTokens(out.IDs, len(c.ends), len(req.Tools) > 0)
	return &sdk.GenerateResponse{
		Message: message, Finish: finish(out.Finish, message), PromptTokens: prompt, OutputTokens: len(out.IDs),
		RemainingTokens: max(0, ep.policy.Config().MaxLen-len(c.ids)),
		Versions:        []sdk.VersionSpan{{Version: out.Version, Tokens: len(out.IDs)}},
		Chain:           c.id, ChainLength: len(c.ends), ChainDigest: c.sum(), Drift: drift,
	}, nil
}

// sample samples from the policy and converts errors to the kinds defined by the protocol.
func (ep *episode) sample(ctx context.Context, req tinylm.GenRequest) (tinylm.GenResponse, error) {
	req.Snapshot = ep.snapshot
	out, err := ep.policy.Generate(ctx, req)
	switch {
	case err == nil, ctx.Err() != nil:
		return out, err
	case errors.Is(err, tinylm.ErrContextFull):
		return out, &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: err.Error()}
	}
	return out, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: err.Error()}
}

// refused returns the error for a request whose episode or chain is unknown.
func refused(detail string) error {
	return &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: detail}
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

// tokenMessage converts a message to the tokenizer's format.
func tokenMessage(m sdk.Message) (tokenizer.Message, error) {
	if len(m.Images) > 0 {
		return tokenizer.Message{}, errors.New("the prompt has an image, but the embedded policy reads text only")
	}
	out := tokenizer.Message{Role: tokenizer.Role(m.Role), Content: m.Content, Reasoning: m.Reasoning}
	for _, call := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, tokenizer.ToolCall{Name: call.Name, Arguments: call.Arguments})
	}
	return out, nil
}

// messageFromTokens decodes a sampled message. Call IDs are numbered within the conversation, so that equal samples
// produce equal messages. If no tools are offered, the message contains no calls: an environment that parses calls from
// text receives the text.
func messageFromTokens(ids []int32, position int, tools bool) sdk.Message {
	decoded := tokenizer.DecodeText(ids)
	if tools {
		decoded = tokenizer.Decode(ids)
	}
	out := sdk.Message{Role: sdk.RoleAssistant, Content: decoded.Content, Reasoning: decoded.Reasoning}
	for i, call := range decoded.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, sdk.ToolCall{ID: fmt.Sprintf("call_%d_%d", position, i), Name: call.Name,
			Arguments: call.Arguments})
	}
	for _, m := range decoded.Malformed {
		out.Malformed = append(out.Malformed, sdk.Malformed{Text: m.Text, Reason: m.Reason})
	}
	return out
}
