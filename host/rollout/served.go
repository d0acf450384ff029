package rollout

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// ServedBinding is a model that responds to members of an episode instead of the policy. Its messages are recorded but
// never trained.
type ServedBinding struct {
	GeneratorBinding                                 // with the address of the model's block
	Release          func(episodeID string)          // drops the conversations of an episode
	Close            func()                          // closes the connections; nil: it has none
	Prepare          func(ctx context.Context) error // called before the first message; nil: no preparation is needed
	MaxTokens        int                             // most tokens of a message; 0: the request decides
	InputPrice       float64                         // of a million input tokens, in US dollars
	OutputPrice      float64                         // of a million output tokens
}

// Answers stores the responses of served models, so that a repeated episode receives the same responses at no extra
// cost.
type Answers interface {
	// Answer returns the response stored under a key, or nil. The step is the one in the episode's slot.
	Answer(step int, key string) *sdk.GenerateResponse
	// Keep is called once per key, before the agent receives the response. An error ends the run.
	Keep(step int, key string, answer *sdk.GenerateResponse) error
}

// servedBy returns the model that responds to a member, or nil if the policy does.
func (s *stage) servedBy(member string) *ServedBinding {
	for {
		if by := s.Served[member]; by != nil {
			return by
		}
		slash := strings.LastIndexByte(member, '/')
		if slash < 0 {
			return nil
		}
		member = member[:slash] // a part of an agent uses the agent's model
	}
}

// generator returns the generator that responds to a member.
func (s *stage) generator(member string) GeneratorBinding {
	if served := s.servedBy(member); served != nil {
		return served.GeneratorBinding
	}
	return s.Generator
}

// chainMark separates a served model's address from its chain name, so that the result cannot be one of the adapter's
// chains.
const chainMark = "#"

// ask sends the request to the policy or to the member's served model.
func (m *model) ask(
	ctx context.Context, req agent.Request, c call, ask sdk.GenerateRequest,
) (*sdk.GenerateResponse, error) {
	stage := m.run.stage
	served := stage.servedBy(req.Member)
	if served == nil {
		return m.inTurn(ctx, stage.Generator, ask)
	}
	ask.Chain = strings.TrimPrefix(ask.Chain, served.Address+chainMark)
	var kept *sdk.GenerateResponse
	if stage.Answers != nil && ask.Scripted == nil {
		if kept = stage.Answers.Answer(m.record.Slot.Step, c.key); kept != nil {
			ask.Scripted = &kept.Message // the conversation continues with it, without a request to the model
		}
	}
	resp, err := m.inTurn(ctx, served.GeneratorBinding, ask)
	if err != nil {
		return nil, err
	}
	out := *resp
	switch {
	case kept != nil:
		out.Message, out.Finish = kept.Message, kept.Finish
		out.PromptTokens, out.OutputTokens = kept.PromptTokens, kept.OutputTokens
	case stage.Answers != nil && ask.Scripted == nil:
		if err := stage.Answers.Keep(m.record.Slot.Step, c.key, resp); err != nil {
			m.run.engine.lifetime.Fail(err) // like a sink's error: a repeat would cost again and be lost again
			return nil, err
		}
	}
	out.Chain = served.Address + chainMark + out.Chain
	return &out, nil
}

// inTurn sends the request when a slot is free. Known responses do not need a slot.
func (m *model) inTurn(
	ctx context.Context, by GeneratorBinding, ask sdk.GenerateRequest,
) (*sdk.GenerateResponse, error) {
	limited, ok := by.Generator.(Limited)
	if !ok || ask.Scripted != nil {
		return by.Generate(ctx, ask)
	}
	m.budget.Hold()
	entered := m.run.entry.Waits.Begin(wait.Wait{For: wait.Place, Address: by.Address})
	leave, err := limited.Enter(ctx)
	entered()
	m.budget.Resume()
	if err != nil {
		return nil, err
	}
	defer leave()
	return by.Generate(ctx, ask)
}

// answerKey returns the key for a request to a served model: the slot, the member, the conversation so far, and the
// repeat.
func (m *model) answerKey(member string, c call, repeat int) string {
	d := digest.New("awhost/answer/1")
	digestSlot(d, m.record.Slot)
	d.Int(m.record.Draw)
	d.Text(member)
	d.Bytes(c.prefix[:])
	d.Bytes(c.lineage[:])
	d.Int(repeat)
	sum := d.Finish()
	return hex.EncodeToString(sum[:])
}

// cost returns the cost of a response in US dollars.
func (b *ServedBinding) cost(prompt, output int) float64 {
	return (float64(prompt)*b.InputPrice + float64(output)*b.OutputPrice) / 1e6
}
