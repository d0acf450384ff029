package local

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
	"github.com/awhost/awhost/sdk/metric"
)

// auxiliaryPart is the part of the agent that is not trained.
const auxiliaryPart = "auxiliary"

// policyAgent is the policy as the agent of one episode.
type policyAgent struct {
	*conversation
	sampled map[string]int // tokens of trainable calls, by chain
	drifts  map[string]int
}

// Generate implements sdk.AgentModel.
func (p *policyAgent) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	p.chain, p.base, p.frozen = req.Chain, req.Base, req.Member == auxiliaryPart
	ask := p.next(req.Messages...)
	if _, err := p.send(ctx, ask); err != nil {
		return nil, err
	}
	if p.drifts[p.last.Drift]++; !p.frozen {
		p.sampled[p.last.Chain] += p.last.OutputTokens
	}
	return &sdk.ModelReply{
		CallID: ask.CallID, Message: p.last.Message, Finish: p.last.Finish, Chain: p.last.Chain,
		ChainLength: p.last.ChainLength,
	}, nil
}

// A forest must be trained as it was sampled. A prefix of two chains is trained once, and text from the program or
// from auxiliary calls is not trained. Both the rows and the number of the update's tokens must show this.
func TestForest_IsTrainedOnce(t *testing.T) {
	r := newRig(t, map[string]any{"context": 512})
	var sampled atomic.Int64
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		p := &policyAgent{conversation: converse(r.host, req), sampled: map[string]int{}, drifts: map[string]int{}}
		if err := forest(ctx, p); err != nil {
			return nil, err
		}
		result := scored(req, float64(req.SampleIndex%2), slices.Sorted(maps.Keys(p.sampled))...)
		if req.Split == sdk.SplitValidation {
			return result, nil
		}
		for _, n := range p.sampled {
			sampled.Add(int64(n))
		}
		if len(p.sampled) != 5 || p.drifts["FORK"] != 1 {
			t.Errorf("%d chains and %d forks, want 5 and 1", len(p.sampled), p.drifts["FORK"])
		}
		ep, err := r.inner.episodes.find(req.EpisodeID)
		if err != nil {
			return nil, err
		}
		trained := map[string]int{}
		for _, listed := range result.Chains {
			one := *result
			one.Chains = []sdk.ChainResult{listed}
			rows, lost, err := ep.rows(&one)
			if err != nil || lost || len(rows) != 1 {
				t.Errorf("chain %s: %d rows, lost %t, %v", listed.Chain, len(rows), lost, err)
				continue
			}
			for _, is := range rows[0].Trained {
				if is {
					trained[listed.Chain]++
				}
			}
		}
		if diff := cmp.Diff(p.sampled, trained); diff != "" {
			t.Errorf("trained tokens by chain (-sampled +rows):\n%s", diff)
		}
		return result, nil
	}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
	if got := r.metrics(1)[metric.Tokens]; got != float64(sampled.Load()) || got == 0 {
		t.Errorf("the update was made of %v tokens, and %d were sampled to be trained", got, sampled.Load())
	}
}

// forest plays typical harness behavior: a conversation that continues, continues from an earlier point, and is
// compacted; a second sample; a conversation with an answer made up by the program; and a title.
func forest(ctx context.Context, p *policyAgent) error {
	talk, side := chat.New(p), chat.New(p)
	var failed error
	ask := func(talk *chat.Conversations, member string, messages ...sdk.Message) sdk.Message {
		if failed != nil {
			return sdk.Message{}
		}
		reply, err := talk.Ask(ctx, chat.Request{Member: member, Messages: messages})
		if failed = err; err != nil {
			return sdk.Message{}
		}
		back := reply.Message // as trimmed by a client
		back.Content += "\n"
		return back
	}
	user := func(text string) sdk.Message { return sdk.Message{Role: sdk.RoleUser, Content: text} }
	q := user("q")
	first := ask(talk, "", q)                                    // 1
	second := ask(talk, "", q, first, user("x"))                 // 1 continues
	ask(talk, "", q, first, user("y"))                           // 2: from an earlier point of 1
	ask(side, auxiliaryPart, q, first, user("a title"))          // none: auxiliary
	ask(talk, "", q, first, user("x"), second, user("and then")) // 1 continues
	ask(talk, "", q)                                             // 3: another sample
	made := sdk.Message{Role: sdk.RoleAssistant, Content: "Got it. Thanks for the context!"}
	ask(talk, "", q, made, user("go"))   // 4: a sub-agent, or an answer made up by a program
	ask(talk, "", user("So far: x."), q) // 5: a compacted history
	return failed
}

var _ sdk.AgentModel = (*policyAgent)(nil)
