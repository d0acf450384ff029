package rollout

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/sdk"
)

// notes stores answers in memory.
type notes struct {
	mu   sync.Mutex
	kept map[string]*sdk.GenerateResponse
}

func (n *notes) Answer(_ int, key string) *sdk.GenerateResponse {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept[key]
}

func (n *notes) Keep(_ int, key string, answer *sdk.GenerateResponse) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept[key] != nil {
		return errors.New("kept twice: " + key)
	}
	n.kept[key] = answer
	return nil
}

// servedModel answers instead of the policy, with the scripted message if there is one.
type servedModel struct {
	mu    sync.Mutex
	asked int
	err   error
}

func (s *servedModel) Generate(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	message := sdk.Message{Role: sdk.RoleAssistant, Content: "60"}
	switch {
	case req.Scripted != nil:
		message = *req.Scripted
	case s.err != nil:
		return nil, s.err
	default:
		s.asked++
	}
	return &sdk.GenerateResponse{
		Message: message, Finish: sdk.FinishStop, PromptTokens: 1000, OutputTokens: 500, Chain: "c1",
		ChainLength: req.Base + len(req.Messages) + 1,
	}, nil
}

func servedRig(kept *notes, model *servedModel) *rig {
	r := newRig()
	r.setup.Served = map[string]*ServedBinding{"critic": {
		GeneratorBinding: GeneratorBinding{Address: "model.openai.judge", Generator: model}, InputPrice: 2, OutputPrice: 8,
	}}
	r.setup.Answers = kept
	r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
		for _, member := range []string{"solver", "critic", "critic"} {
			if _, err := e.Model.Generate(ctx, agent.Request{Member: member}); err != nil {
				return nil, err
			}
		}
		return &agent.Result{Finish: agent.FinishAnswered}, nil
	})
	return r
}

func TestServedMembersAnswerInThePlaceOfThePolicy(t *testing.T) {
	model := &servedModel{}
	r := servedRig(&notes{kept: map[string]*sdk.GenerateResponse{}}, model)
	r.start(t)
	result := r.run(t, sample(1, 1, 0))
	for _, chain := range result.Chains {
		if chain.Agent != "solver" {
			t.Errorf("the adapter receives an unknown chain of %s", chain.Agent)
		}
	}
	if len(r.policy.seen) != 1 || model.asked != 2 {
		t.Errorf("the policy was asked %d times, the served model %d times; want 1 and 2", len(r.policy.seen), model.asked)
	}
	record := r.sink.episodes[0]
	for _, chain := range record.Chains {
		if chain.Train != (chain.Agent == "solver") {
			t.Errorf("the chain of %s is trained: %v", chain.Agent, chain.Train)
		}
	}
	got := map[string]float64{}
	for _, m := range record.Members() {
		got[m.Agent+" "+m.Served] = m.Cost
	}
	want := map[string]float64{"solver ": 0, "critic model.openai.judge": 2 * (1000*2 + 500*8) / 1e6}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}

func TestServedAnswersAreKeptAndAskedForOnce(t *testing.T) {
	kept, model := &notes{kept: map[string]*sdk.GenerateResponse{}}, &servedModel{}
	hash := ""
	for range 2 { // the second pass is the resumed run
		r := servedRig(kept, model)
		r.start(t)
		r.run(t, sample(1, 1, 0))
		if hash != "" && hash != r.sink.episodes[0].Hash {
			t.Error("the episode that was played again is another one")
		}
		hash = r.sink.episodes[0].Hash
	}
	if model.asked != 2 {
		t.Errorf("the model was asked %d times for two answers", model.asked)
	}
	r := servedRig(kept, model)
	r.start(t)
	r.run(t, sample(1, 1, 1))
	if model.asked != 4 {
		t.Errorf("another sample was given the answers of the first: %d requests, want 4", model.asked)
	}
}

func TestServedModelThatFailsIsAFailureOfTheModel(t *testing.T) {
	model := &servedModel{err: &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "429"}}
	r := servedRig(nil, model)
	r.setup.Answers = nil
	r.start(t)
	got := r.run(t, sample(1, 1, 0))
	if got.Failure == nil || got.Failure.Class != sdk.FailureModel {
		t.Errorf("failure %+v, want one of class MODEL", got.Failure)
	}
}

func TestCloseLetsGoOfTheServedModelsOfAllStages(t *testing.T) {
	closed := map[string]bool{}
	r := servedRig(&notes{kept: map[string]*sdk.GenerateResponse{}}, &servedModel{})
	r.setup.Served["critic"].Close = func() { closed["of the first stage"] = true }
	r.start(t)
	second := r.setup
	second.Name = "second"
	second.Served = map[string]*ServedBinding{"critic": {
		GeneratorBinding: r.setup.Served["critic"].GeneratorBinding, Close: func() { closed["of the second stage"] = true },
	}}
	if err := r.Configure(second); err != nil {
		t.Fatal(err)
	}
	if len(closed) > 0 {
		t.Errorf("closed while episodes of the stage may be under way: %v", closed)
	}
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"of the first stage": true, "of the second stage": true}, closed); diff != "" {
		t.Errorf("closed (-want +got):\n%s", diff)
	}
}

// crowded admits no request for an hour.
type crowded struct{ Generator }

func (crowded) Enter(ctx context.Context) (leave func(), err error) {
	return func() {}, clock.Pause(ctx, clock.System{}, time.Hour)
}

func TestWaitingForATurnToAskIsNoTimeOfTheEpisode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := servedRig(&notes{kept: map[string]*sdk.GenerateResponse{}}, &servedModel{})
		r.setup.Served["critic"].Generator = crowded{r.setup.Served["critic"].Generator}
		r.setup.ActiveBudget = time.Second
		r.start(t)
		result := r.run(t, sample(1, 1, 0))
		if result.Outcome != sdk.OutcomeScored || result.Attempt != 1 {
			t.Errorf("outcome %s %v in attempt %d, want a score in the first", result.Outcome, result.Failure, result.Attempt)
		}
		r.checkAllClosed(t)
	})
}

var _ Limited = crowded{}

// full simulates a full disk.
type full struct{ notes }

func (*full) Keep(int, string, *sdk.GenerateResponse) error {
	return errors.New("no space left on device")
}

func TestAnswersThatCannotBeKeptEndTheRun(t *testing.T) {
	model := &servedModel{}
	r := servedRig(nil, model)
	r.setup.Answers = &full{}
	r.start(t)
	_, _ = r.RunEpisode(t.Context(), sample(1, 1, 0))
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the run continues with %v", err)
	}
	if model.asked != 1 {
		t.Errorf("the model was asked %d times for an answer that is lost", model.asked)
	}
}
