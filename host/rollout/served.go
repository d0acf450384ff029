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

// ServedBinding is a model that answers for members of an episode in the place of the policy. What it says is recorded
// and never trained.
type ServedBinding struct {
	GeneratorBinding                                 // the address is that of the model's block
	Release          func(episodeID string)          // forgets the conversations of an episode
	Close            func()                          // lets go of the connections; nil: it has none
	Prepare          func(ctx context.Context) error // before the first message; nil: there is nothing to prepare
	MaxTokens        int                             // most tokens of a message, whatever is asked for; 0: as is asked for
	InputPrice       float64                         // of a million tokens read, in US dollars
	OutputPrice      float64                         // of a million tokens written
}

// Answers keeps what served models said, so that an episode that is played again hears the same and nobody pays twice.
type Answers interface {
	// Answer is what is kept under a key; nil: nothing. The step is that of the episode's slot.
	Answer(step int, key string) *sdk.GenerateResponse
	// Keep is called once for a key, before the agent hears the answer. Its error ends the run.
	Keep(step int, key string, answer *sdk.GenerateResponse) error
}

// servedBy is the model that answers for a member; nil: the policy does.
func (s *stage) servedBy(member string) *ServedBinding {
	for {
		if by := s.Served[member]; by != nil {
			return by
		}
		slash := strings.LastIndexByte(member, '/')
		if slash < 0 {
			return nil
		}
		member = member[:slash] // a part of an agent asks whom the agent asks
	}
}

// generator answers for a member.
func (s *stage) generator(member string) GeneratorBinding {
	if served := s.servedBy(member); served != nil {
		return served.GeneratorBinding
	}
	return s.Generator
}

// chainMark parts the address of a served model from its name for a chain, so that it is no chain of the adapter's.
const chainMark = "#"

// ask asks the policy or the served model of the member.
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
			ask.Scripted = &kept.Message // the conversation goes on with it, and nobody is asked
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
			m.run.engine.lifetime.Fail(err) // as the sink's: to ask again would be to pay again, and lose it again
			return nil, err
		}
	}
	out.Chain = served.Address + chainMark + out.Chain
	return &out, nil
}

// inTurn asks when there is a place for the request. What is known already needs none.
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

// answerKey names what a served model is asked: the slot, the member, all that was said before, and which time it is.
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

// cost is what an answer costs, in US dollars.
func (b *ServedBinding) cost(prompt, output int) float64 {
	return (float64(prompt)*b.InputPrice + float64(output)*b.OutputPrice) / 1e6
}
