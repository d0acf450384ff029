package rollout

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// harness holds a conversation of two turns, calls a sub-agent, and requests a title.
type harness struct{}

// Run implements sdk.Agent.
func (harness) Run(
	ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	talk := chat.New(model)
	user := func(text string) sdk.Message { return sdk.Message{Role: sdk.RoleUser, Content: text} }
	first, err := talk.Ask(ctx, chat.Request{Messages: req.Messages})
	if err != nil {
		return nil, err
	}
	on := append(append([]sdk.Message{}, req.Messages...), first.Message, user("go on"))
	for _, r := range []chat.Request{
		{Messages: on}, {Member: "sub_agent", Messages: []sdk.Message{user("look")}},
		{Member: "auxiliary", Messages: []sdk.Message{user("a title")}},
	} {
		if _, err := talk.Ask(ctx, r); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// counted is a policy that counts 10 tokens per message of the prompt, and 3 per output message.
type counted struct{ inner monotone }

// Generate implements Generator.
func (c *counted) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	out, err := c.inner.Generate(ctx, req)
	if err == nil {
		out.PromptTokens, out.OutputTokens = 10*(req.Base+len(req.Messages)), 3
	}
	return out, err
}

// A trainer with one row per episode receives the longest one, and the numbers show the omitted tokens. Answers of a
// served model become no row. Auxiliary calls are counted separately.
func TestConversationStats_CountsWhatBecomesRows(t *testing.T) {
	type stats = ConversationStats
	for name, c := range map[string]struct {
		one  bool
		want ConversationStats
	}{
		"all rows": {false, stats{Tokens: 12, Auxiliary: 3, Sampled: 9, Delivered: 9, Rows: 2, Merged: 1, Saved: 13}},
		"one row":  {true, stats{Tokens: 12, Auxiliary: 3, Sampled: 9, Delivered: 6, Rows: 1, Merged: 1, Saved: 13}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig()
			part := func(member string) bool { return strings.HasSuffix(member, "/auxiliary") }
			r.setup.Auxiliary, r.setup.Trainable = part, func(member string) bool { return !part(member) }
			r.setup.OneRow, r.setup.Environment = c.one, nil
			r.setup.Generator.Generator = &counted{monotone{chains: map[string]int{}, seeds: map[uint64]int{}}}
			player, err := agent.NewPlugin(agent.PluginSettings{
				Name: "python.mine",
				Endpoint: func(
					context.Context, sdk.AgentModel, agent.Toolbox,
				) (agent.Endpoints, func() map[string]float64) {
					return agent.Endpoints{}, func() map[string]float64 { return map[string]float64{} }
				},
			}, harness{})
			if err != nil {
				t.Fatal(err)
			}
			r.setup.Agent = PluginAgent("agent.python.mine", player)
			r.start(t)
			var used []string
			for index := range 2 {
				r.run(t, sample(1, 0, index))
				used = append(used, sample(1, 0, index).EpisodeID)
				var got ConversationStats
				got.add(r.sink.last(t).Metrics)
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("on record (-want +got):\n%s", diff)
				}
			}
			step := r.endStep(1, used).Train.Conversations
			c.want.add(c.want.metrics())
			if diff := cmp.Diff(c.want, step); diff != "" {
				t.Errorf("of the step (-want +got):\n%s", diff)
			}
		})
	}
}

// An episode of a built-in agent is trained as a whole. Its numbers are not on record, but count in the step.
func TestConversationStats_OnlyOfPrograms(t *testing.T) {
	r := newRig().start(t)
	r.run(t, sample(1, 0, 0))
	_, has := r.sink.last(t).Metrics[statSampled]
	sum := r.endStep(1, []string{sample(1, 0, 0).EpisodeID}).Train
	want := ConversationStats{Sampled: sum.OutputTokens, Delivered: sum.OutputTokens}
	if has || sum.Conversations != want || want.Sampled == 0 {
		t.Errorf("on record: %v; of the step: %+v, want %+v", has, sum.Conversations, want)
	}
}

// A masked sample is not trained, so none of its tokens count as sampled.
func TestConversationStats_OfWhatIsTrained(t *testing.T) {
	s := &stage{StageSetup: withDefaults(StageSetup{Served: map[string]*ServedBinding{"react.judge": {}}})}
	r := &EpisodeRecord{AttemptRecord: AttemptRecord{
		Turns: []TurnRecord{
			{Agent: "a", Chain: "c", PromptTokens: 5, OutputTokens: 2},
			{Agent: "react.judge", Chain: "m#c", OutputTokens: 9, Served: "model.openai.m"},
		},
		Chains: []ChainRecord{{Chain: "c", Agent: "a"}, {Chain: "m#c", Agent: "react.judge", Served: true}},
	}}
	if diff := cmp.Diff(ConversationStats{Tokens: 2}, s.conversationStats(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each agent has a trained share: for an episode that is trained as a whole, for one with an omitted row, and for one
// with untrained members, also after a restore from the journal.
func TestConversationStats_OfEachAgent(t *testing.T) {
	of := func(turns []TurnRecord, chains []ChainRecord, metrics map[string]float64) *summary {
		return summarise(&EpisodeRecord{AttemptRecord: AttemptRecord{
			Slot: Slot{Split: sdk.SplitTrain}, Turns: turns, Chains: chains, Metrics: metrics,
		}})
	}
	solver := ChainRecord{Chain: "c", Agent: "react.solver", Train: true}
	got := forests([]*summary{
		of([]TurnRecord{{Agent: "react.solver", Chain: "c", OutputTokens: 7}}, []ChainRecord{solver}, nil),
		of([]TurnRecord{{OutputTokens: 7}}, []ChainRecord{solver}, nil), // from the journal
		of([]TurnRecord{{Agent: "react.solver", OutputTokens: 2}, {Agent: "react.planner", OutputTokens: 90}},
			[]ChainRecord{solver, {Chain: "p", Agent: "react.planner"}}, nil),
		of([]TurnRecord{{Agent: "react.solver", OutputTokens: 20}}, []ChainRecord{solver, solver},
			map[string]float64{statSampled: 20, statDelivered: 12}),
		of([]TurnRecord{{Agent: "react.solver", OutputTokens: 50}}, // masked
			[]ChainRecord{{Chain: "c", Agent: "react.solver"}}, nil),
	})
	if diff := cmp.Diff(ConversationStats{Sampled: 36, Delivered: 28}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A trainer with one row per episode omits a member's messages in another conversation of the episode.
func TestConversationStats_OfAMemberThatIsAskedAgain(t *testing.T) {
	s := &stage{StageSetup: withDefaults(StageSetup{OneRow: true})}
	r := &EpisodeRecord{AttemptRecord: AttemptRecord{
		Turns: []TurnRecord{
			{Agent: "react.solver", Chain: "1", OutputTokens: 4}, {Agent: "react.solver", Chain: "2", OutputTokens: 5},
		},
		Chains: []ChainRecord{
			{Chain: "1", Agent: "react.solver", Train: true}, {Chain: "2", Agent: "react.solver", Train: true},
		},
	}}
	if f := s.conversationStats(r); f.Sampled != 9 || f.Delivered != 5 {
		t.Errorf("%d of %d tokens are in rows, want 5 of 9", f.Delivered, f.Sampled)
	}
}

var (
	_ sdk.Agent = harness{}
	_ Generator = (*counted)(nil)
)
