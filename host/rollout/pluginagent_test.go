package rollout

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// brancher requests a first message, continues from it in three ways, and then once more in each. The calls have
// their places in one order and are made in another. All its answers are equal, so only seeds distinguish its
// conversations.
type brancher struct{ order []int }

// Run implements sdk.Agent.
func (b brancher) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	_ sdk.AgentSession) (*sdk.AgentResponse, error) {
	talk := chat.New(model)
	ask := func(from []sdk.Message, calls []string) *chat.Call {
		return talk.Prepare(chat.Request{Messages: from, Calls: calls})
	}
	first, err := ask(req.Messages, nil).Do(ctx)
	if err != nil {
		return nil, err
	}
	messages := append(append([]sdk.Message(nil), req.Messages...), first.Message,
		sdk.Message{Role: sdk.RoleUser, Content: "go on"})
	calls := make([]string, len(messages))
	calls[len(req.Messages)] = first.CallID
	branches := make([]*chat.Call, len(b.order))
	for i := range branches {
		branches[i] = ask(messages, calls)
	}
	replies := make([]*sdk.ModelReply, len(branches))
	// The branch that continues the chain comes first in every order: the others wait for it.
	if replies[0], err = branches[0].Do(ctx); err != nil {
		return nil, err
	}
	for _, i := range b.order {
		if i > 0 {
			if replies[i], err = branches[i].Do(ctx); err != nil {
				return nil, err
			}
		}
	}
	for _, i := range b.order {
		longer := append(append([]sdk.Message(nil), messages...), replies[i].Message,
			sdk.Message{Role: sdk.RoleUser, Content: "and on"})
		if _, err := ask(longer, append(append([]string(nil), calls...), replies[i].CallID, "")).Do(ctx); err != nil {
			return nil, err
		}
	}
	answer := "same"
	return &sdk.AgentResponse{FinalAnswer: &answer}, nil
}

// monotone always returns the same message, and numbers chains in the order of creation.
type monotone struct {
	mu     sync.Mutex
	chains map[string]int
	seeds  map[uint64]int
	sent   int // messages
}

// Generate implements Generator.
func (m *monotone) Generate(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seeds[req.Seed]++
	m.sent += len(req.Messages)
	chain, drift := req.Chain, ""
	if chain == "" || req.Base < m.chains[chain] {
		chain = fmt.Sprint("c", len(m.chains))
		if req.Chain != "" {
			drift = "FORK"
		}
	}
	m.chains[chain] = req.Base + len(req.Messages) + 1
	return &sdk.GenerateResponse{
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "same"}, Finish: sdk.FinishStop, OutputTokens: 1, Chain: chain,
		ChainLength: m.chains[chain], ChainDigest: fmt.Sprint("tokens ", m.chains[chain]), Drift: drift,
	}, nil
}

func TestPluginAgent_ConversationsSideBySideAreRepeatable(t *testing.T) {
	var want *EpisodeRecord
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		r := newRig()
		policy := &monotone{chains: map[string]int{}, seeds: map[uint64]int{}}
		r.setup.Generator.Generator, r.setup.Environment = policy, nil
		player, err := agent.NewPlugin(agent.PluginSettings{Name: "test.agent"}, brancher{order})
		if err != nil {
			t.Fatal(err)
		}
		r.setup.Agent = PluginAgent("agent.test.a", player)
		r.start(t).run(t, sample(1, 0, 0))
		got := r.sink.last(t)
		if got.Failure != nil || len(got.Chains) != 3 || len(got.Turns) != 7 || got.DriftCount != 2 {
			t.Fatalf("%d chains, %d turns, %d forks, %v", len(got.Chains), len(got.Turns), got.DriftCount, got.Failure)
		}
		for seed, n := range policy.seeds {
			if n > 1 {
				t.Errorf("seed %d was used %d times", seed, n)
			}
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(seedsOf(want), seedsOf(got)); diff != "" || want.Hash != got.Hash {
			t.Errorf("in the order %v the episode is another (-want +got):\n%s", order, diff)
		}
	}
}

func seedsOf(r *EpisodeRecord) (out []uint64) {
	for _, turn := range r.Turns {
		out = append(out, turn.Seed)
	}
	return out
}

// talker holds one long conversation and stores how much each of its calls allocates.
type talker struct {
	turns int
	bytes []uint64
}

// Run implements sdk.Agent.
func (k *talker) Run(
	ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	next := sdk.ModelRequest{Messages: req.Messages}
	var m runtime.MemStats
	for range k.turns {
		runtime.ReadMemStats(&m)
		before := m.TotalAlloc
		reply, err := model.Generate(ctx, next)
		if err != nil {
			return nil, err
		}
		runtime.ReadMemStats(&m)
		k.bytes = append(k.bytes, m.TotalAlloc-before)
		next = sdk.ModelRequest{
			Chain: reply.Chain, Base: reply.ChainLength,
			Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "go on"}},
		}
	}
	return nil, nil
}

// The cost of a call depends only on its new messages, however long the conversation is. This applies to the
// adapter's request, the host's memory, and the final record.
func TestPluginAgent_ALongConversationCostsWhatIsNew(t *testing.T) {
	const turns = 400
	k := &talker{turns: turns}
	player, err := agent.NewPlugin(agent.PluginSettings{Name: "python.mine"}, k)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig()
	r.setup.Agent = PluginAgent("agent.python.mine", player)
	policy := &monotone{chains: map[string]int{}, seeds: map[uint64]int{}}
	r.setup.Generator.Generator, r.setup.Environment = policy, nil
	r.start(t).run(t, sample(1, 0, 0))
	record := r.sink.last(t)
	if said := len(record.Messages); policy.sent != turns || said != 2*turns || len(record.Chains) != 1 {
		t.Errorf("%d messages were sent for %d turns; on record are %d", policy.sent, turns, said)
	}
	slices.Sort(k.bytes[:50])
	slices.Sort(k.bytes[turns-50:])
	if early, late := k.bytes[25], k.bytes[turns-25]; late > 2*early {
		t.Errorf("a call allocates %d bytes in the beginning and %d after %d turns", early, late, turns)
	}
}

var (
	_ sdk.Agent = brancher{}
	_ sdk.Agent = (*talker)(nil)
	_ Generator = (*monotone)(nil)
)

// judge sends one request and returns its own reward for the episode.
type judge struct{ own agent.SelfReport }

// Run implements sdk.Agent.
func (j judge) Run(
	ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
) (*sdk.AgentResponse, error) {
	_, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
	return &sdk.AgentResponse{Reward: j.own.Reward, IsSuccess: j.own.IsSuccess}, err
}

func TestPluginAgent_SaysWhatTheEpisodeIsWorth(t *testing.T) {
	played := func(own agent.SelfReport, compose Compose) *EpisodeRecord {
		r := newRig()
		r.setup.Environment = nil
		player, err := agent.NewPlugin(agent.PluginSettings{Name: "test.agent"}, judge{own})
		if err != nil {
			t.Fatal(err)
		}
		r.setup.Agent = PluginAgent("agent.test.agent", player)
		if compose != nil {
			r.setup.Compose = compose
		}
		r.start(t).run(t, sample(1, 0, 0))
		return r.sink.last(t)
	}
	counted := func(in ComposeInputs) (ComposeResult, error) {
		own := in.SelfReport["test.agent"]
		if own.Reward == nil {
			return ComposeResult{}, &sdk.Failure{Class: sdk.FailureReward, Detail: "it says nothing"}
		}
		return ComposeResult{Reward: *own.Reward, Success: own.IsSuccess}, nil
	}
	half, yes := 0.5, true
	said := played(agent.SelfReport{Reward: &half, IsSuccess: &yes}, counted)
	if said.Reward == nil || *said.Reward != 0.5 || said.IsSuccess == nil || !*said.IsSuccess {
		t.Errorf("%+v", said)
	}
	mute := played(agent.SelfReport{}, counted)
	if f := mute.Failure; mute.Reward != nil || f == nil || f.Class != sdk.FailureReward || f.Detail != "it says nothing" {
		t.Errorf("reward %v, failure %v", mute.Reward, f)
	}
	// An unused reward of the agent is still recorded, and is part of the episode's digest.
	ignored := played(agent.SelfReport{Reward: &half}, nil)
	otherwise := played(agent.SelfReport{Reward: &half, IsSuccess: &yes}, nil)
	if own := ignored.SelfReport["test.agent"]; own.Reward == nil || *own.Reward != 0.5 || *ignored.Reward == 0.5 {
		t.Errorf("%+v, reward %v", ignored.SelfReport, *ignored.Reward)
	}
	if ignored.Hash == otherwise.Hash {
		t.Error("episodes whose agents say different things of them have the same digest")
	}
}
