package rollout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

func TestResultOfAnOrdinaryEpisode(t *testing.T) {
	r := newRig()
	r.env.onStep = func(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
		if len(req.Message.ToolCalls) == 0 {
			return &sdk.StepResponse{Done: true, TurnReward: number(0.25), Metrics: map[string]float64{"answers": 1}}, nil
		}
		return nil, nil
	}
	r.start(t)
	result := r.run(t, sample(1, 1, 0))
	answer := math.Round(*result.Reward * 100)
	want := &sdk.EpisodeResult{
		EpisodeID: "s1-g1-0", Attempt: 1, Outcome: sdk.OutcomeScored, Reward: result.Reward,
		Components:  map[string]float64{"reward.fake.r": answer / 100, "reward.fake.r.raw": answer},
		TurnRewards: []sdk.TurnReward{{CallID: "s1-g1-0/1.2", Reward: 0.25}},
		IsSuccess:   truth(answer > 50), NumTurns: 2, TaskID: "sum-1", Metrics: map[string]float64{"environment/answers": 1},
		Chains: []sdk.ChainResult{{Chain: "chain-s1-g1-0/1.1", Agent: "react.solver", Train: true}},
	}
	result.Timings = sdk.Timings{}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Errorf("another result (-want +got):\n%s", diff)
	}
}

func TestARepeatJoinsOrGetsTheStoredResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.policy.before = func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			return nil, clock.Pause(ctx, clock.System{}, time.Second)
		}
		r.start(t)
		req := sample(1, 1, 0)
		joined := r.runAll(t, req, req, req)
		stored := r.run(t, req)
		for _, result := range append(joined, stored) {
			if diff := cmp.Diff(joined[0], result); diff != "" {
				t.Errorf("a repeat got another result:\n%s", diff)
			}
		}
		if n := len(r.sink.episodes); n != 1 {
			t.Errorf("%d episodes were run for one id", n)
		}
		other := req
		other.SampleIndex++
		if _, err := r.RunEpisode(context.Background(), other); err == nil ||
			!strings.Contains(err.Error(), "another sample") {
			t.Errorf("one id for two samples gives %v", err)
		}
	})
}

// meeting blocks reads of a task until two callers have arrived.
type meeting struct {
	taskList
	both sync.WaitGroup
}

func (m *meeting) TaskAt(split sdk.Split, index int) (sdk.Task, error) {
	m.both.Done()
	m.both.Wait()
	return m.taskList.TaskAt(split, index)
}

func TestTwoFirstRequestsAtOnceAreOneEpisode(t *testing.T) {
	r := newRig()
	tasks := &meeting{}
	tasks.both.Add(2)
	r.setup.Tasks = tasks
	r.start(t)
	r.runAll(t, sample(1, 1, 0), sample(1, 1, 0))
	if n := len(r.sink.episodes); n != 1 {
		t.Errorf("%d episodes were run for one id", n)
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	r := newRig()
	r.start(t)
	for want, change := range map[string]func(*sdk.EpisodeRequest){
		"no episode id": func(q *sdk.EpisodeRequest) { q.EpisodeID = "" },
		"unknown split": func(q *sdk.EpisodeRequest) { q.Split = "test" },
		"stage \"half\"": func(q *sdk.EpisodeRequest) {
			q.Stage = "half"
		},
		"endpoint": func(q *sdk.EpisodeRequest) { q.Endpoint = &sdk.Endpoint{} },
	} {
		req := sample(1, 1, 0)
		change(&req)
		if _, err := r.RunEpisode(context.Background(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
	}
}

func TestStagesSwap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.policy.before = func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			return nil, clock.Pause(ctx, clock.System{}, time.Second)
		}
		r.start(t)
		late := make(chan *sdk.EpisodeResult, 1)
		go func() { late <- r.run(t, sample(1, 1, 0)) }()
		synctest.Wait()
		next := r.setup
		next.Name = "next"
		next.Compose = func(ComposeInputs) (ComposeResult, error) { return ComposeResult{Reward: 42}, nil }
		if err := r.Configure(next); err != nil {
			t.Fatal(err)
		}
		req := sample(2, 1, 0)
		req.Stage = "next"
		if got := r.run(t, req); *got.Reward != 42 {
			t.Errorf("the new stage gives %g, want 42", *got.Reward)
		}
		if got := <-late; *got.Reward == 42 {
			t.Error("an episode of the old stage was scored by the new one")
		}
		if _, err := r.RunEpisode(context.Background(), sample(3, 1, 0)); err == nil {
			t.Error("the old stage takes new episodes")
		}
	})
}

func TestStepsThatAreOverTakeNoEpisodes(t *testing.T) {
	r := newRig()
	r.start(t)
	r.run(t, sample(1, 1, 0))
	r.run(t, sample(2, 1, 0))
	r.boundary(2, false)
	if _, err := r.RunEpisode(context.Background(), sample(1, 1, 0)); err == nil ||
		!strings.Contains(err.Error(), "step 1 has ended") {
		t.Errorf("a sample of step 1 gives %v", err)
	}
	r.run(t, sample(2, 1, 0)) // may still be repeated
	if n := len(r.sink.episodes); n != 2 {
		t.Errorf("%d episodes ran, want 2", n)
	}
}

func TestGroundTruthReachesOnlyThoseWhoNeedIt(t *testing.T) {
	for _, needs := range []bool{false, true} {
		r := newRig()
		var got sdk.ScoreItem
		r.setup.Rewards[0].Reward = rewardFunc(func(_ context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
			got = item
			return sdk.Scored{}, nil
		})
		if needs {
			all := []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript, sdk.NeedEnvironmentState}
			r.setup.Rewards[0].Capabilities.Needs = all
			r.setup.Environment.Capabilities.Needs = all
		}
		var task sdk.Task
		solver := r.setup.Agent
		r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
			task = e.Task
			return solver.Run(ctx, e)
		})
		r.start(t)
		req := sample(1, 1, 0)
		req.Task, req.DatasetIndex = &sdk.Task{ID: "sum-1", Public: json.RawMessage(`{}`)}, 0 // in the adapter's form
		r.run(t, req)
		if task.Private != nil {
			t.Error("the agent sees the ground truth")
		}
		if (r.env.opens[0].Task.Private != nil) != needs || (got.Task.Private != nil) != needs {
			t.Errorf("needs %v: the environment sees %s, the reward %s", needs, r.env.opens[0].Task.Private, got.Task.Private)
		}
		if (got.Messages != nil) != needs || (got.State != nil) != needs {
			t.Errorf("needs %v: the reward sees the messages %v and the state %s", needs, got.Messages != nil, got.State)
		}
		if needs && (len(got.Sampled) == 0 || got.Messages[got.Sampled[0]].Role != sdk.RoleAssistant) {
			t.Errorf("the reward does not receive the policy's text: %v", got.Sampled)
		}
		if got.FinalAnswer == "" || len(got.ChainDigests) != 1 {
			t.Errorf("the reward lacks the answer or the chain: %+v", got)
		}
		record, err := json.Marshal(r.sink.last(t))
		if err != nil || bytes.Contains(record, []byte("ground_truth")) {
			t.Errorf("the ground truth is on record (%v)", err)
		}
	}
}

// An environment's attachments are recorded and passed to rewards, up to a size limit. The model receives only the
// text, and its messages do not depend on attachments.
func TestAttachmentsAreForTheRecordAndForRewards(t *testing.T) {
	play := func(group bool, attachments ...sdk.Attachment) (*rig, []sdk.ScoreItem) {
		r := newRig()
		r.env.onStep = func(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
			if len(req.Message.ToolCalls) == 0 {
				return nil, nil
			}
			return &sdk.StepResponse{Messages: []sdk.Message{{
				Role: sdk.RoleTool, ToolCallID: req.Message.ToolCalls[0].ID, Name: "add", Content: "[image]",
				Attachments: attachments,
			}}}, nil
		}
		var mu sync.Mutex
		var items []sdk.ScoreItem
		b := &r.setup.Rewards[0]
		b.Capabilities.Needs, b.Capabilities.GroupRelative = []sdk.Need{sdk.NeedTranscript}, group
		b.Reward = groupFunc(func(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			mu.Lock()
			defer mu.Unlock()
			items = append(items, req.Items...)
			return rewardFunc(answerValue).Score(ctx, req)
		})
		r.start(t)
		var running sync.WaitGroup
		for i := range 4 {
			running.Go(func() { r.run(t, sample(1, 1, i)) })
		}
		running.Wait()
		return r, items
	}
	large := sdk.Attachment{Kind: sdk.AttachmentImage, Data: bytes.Repeat([]byte("x"), 3<<20)}
	small := sdk.Attachment{Kind: sdk.AttachmentImage, Data: []byte("x")}
	whole := cmp.Comparer(bytes.Equal) // byte by byte takes minutes with the race detector
	plain, _ := play(false)
	for name, test := range map[string]struct {
		group       bool
		given, want []sdk.Attachment
	}{
		"what is small": {false, []sdk.Attachment{small, small}, []sdk.Attachment{small, small}},
		"what is too much for one item": {
			false, []sdk.Attachment{large, large, large, small},
			[]sdk.Attachment{large, large, large.WithoutBody(), small.WithoutBody()},
		},
		"what is too much for four items": {
			true, []sdk.Attachment{small, large}, []sdk.Attachment{small, large.WithoutBody()},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, items := play(test.group, test.given...)
			if len(items) != 4 {
				t.Fatalf("%d items were scored", len(items))
			}
			for _, item := range items {
				if diff := cmp.Diff(test.want, item.Messages[2].Attachments, whole); diff != "" {
					t.Errorf("the reward gets %.400s", diff)
				}
			}
			said := map[uint64]bool{}
			for _, req := range r.policy.seen {
				said[req.Seed] = true
				for _, m := range req.Messages {
					if m.Attachments != nil {
						t.Errorf("the model gets %v", m.Attachments)
					}
				}
			}
			for _, req := range plain.policy.seen {
				if !said[req.Seed] {
					t.Errorf("the seed of %s was another without attachments", req.CallID)
				}
			}
			record := r.sink.last(t)
			if diff := cmp.Diff(test.given, record.Messages[2].Attachments, whole); diff != "" {
				t.Errorf("on record is %.400s", diff)
			}
		})
	}
}

// spy is an agent implemented by a function.
type spy func(ctx context.Context, e agent.Episode) (*agent.Result, error)

func (f spy) Run(ctx context.Context, e agent.Episode) (*agent.Result, error) { return f(ctx, e) }

func TestSamplingBelongsToTheSpec(t *testing.T) {
	hot, cold := 1.0, 0.0
	r := newRig()
	r.setup.Sampling = sdk.Sampling{Temperature: &hot, MaxTokens: 20, Stop: []string{"END"}}
	r.setup.ValidationSampling = sdk.Sampling{Temperature: &cold, MaxTokens: 50}
	r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
		_, err := e.Model.Generate(ctx, agent.Request{MaxTokens: 30, Stop: []string{"\n"}})
		return &agent.Result{Finish: agent.FinishAnswered}, err
	})
	r.start(t)
	r.run(t, sample(1, 1, 0))
	r.run(t, probe(1))
	got := []sdk.Sampling{r.policy.seen[0].Sampling, r.policy.seen[1].Sampling}
	want := []sdk.Sampling{
		{Temperature: &hot, MaxTokens: 20, Stop: []string{"END", "\n"}},
		{Temperature: &cold, MaxTokens: 30, Stop: []string{"\n"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the model samples otherwise (-want +got):\n%s", diff)
	}
}

func TestAMistakeOfTheSpecEndsTheRun(t *testing.T) {
	r := newRig()
	played := 0
	r.setup.Agent = spy(func(context.Context, agent.Episode) (*agent.Result, error) {
		played++
		return nil, fmt.Errorf("play: %w", &agent.SpecError{Detail: "give it another name"})
	})
	r.start(t)
	_, _ = r.RunEpisode(t.Context(), sample(1, 1, 0))
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "give it another name") || played != 1 {
		t.Errorf("the run continues with %v after %d attempts", err, played)
	}
}

func TestFrozenMembersAreNotTrained(t *testing.T) {
	r := newRig()
	r.setup.Trainable = func(member string) bool { return member != "critic" }
	r.setup.Agent = spy(func(ctx context.Context, e agent.Episode) (*agent.Result, error) {
		for _, member := range []string{"solver", "critic"} {
			if _, err := e.Model.Generate(ctx, agent.Request{Member: member}); err != nil {
				return nil, err
			}
		}
		return &agent.Result{Finish: agent.FinishAnswered}, nil
	})
	r.start(t)
	got := map[string]bool{}
	for _, chain := range r.run(t, sample(1, 1, 0)).Chains {
		got[chain.Agent] = chain.Train
	}
	if diff := cmp.Diff(map[string]bool{"solver": true, "critic": false}, got); diff != "" {
		t.Error(diff)
	}
	for _, call := range r.policy.seen {
		if call.Trainable != (call.Agent == "solver") {
			t.Errorf("the call of %s says trainable %v", call.Agent, call.Trainable)
		}
	}
}

func TestAnAgentThatNeverAsksThePolicyFails(t *testing.T) {
	r := newRig()
	r.setup.Agent = spy(func(context.Context, agent.Episode) (*agent.Result, error) {
		return &agent.Result{Finish: agent.FinishAnswered}, nil
	})
	r.start(t)
	if got := r.run(t, sample(1, 1, 0)); got.Reward != nil || got.Failure == nil || got.Failure.Class != sdk.FailureAgent {
		t.Errorf("%+v, want a failure of the agent", got)
	}
}

func TestOverlongPenalty(t *testing.T) {
	r := newRig()
	says(sdk.Message{Content: "60"}, sdk.FinishLength, always)(r)
	r.setup.Overlong, r.setup.OverlongPenalty = OverlongPenalise, 0.5
	r.start(t)
	got := r.run(t, sample(1, 1, 0))
	if *got.Reward < 0.0999 || *got.Reward > 0.1001 || got.Components["reward.fake.r"] != 0.6 {
		t.Errorf("the reward is %g of %v, want 0.6 less 0.5", *got.Reward, got.Components)
	}
	if got := r.run(t, probe(1)); *got.Reward != 0.6 {
		t.Errorf("in validation the reward is %g, want 0.6", *got.Reward)
	}
}

func TestDriftIsCounted(t *testing.T) {
	r := newRig()
	r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		resp := r.policy.say(req, sdk.Message{Content: "1"})
		resp.Drift = "FORK"
		return resp, nil
	}
	r.start(t)
	if got := r.run(t, sample(1, 1, 0)).DriftCount; got != 1 {
		t.Errorf("%d drift events, want 1", got)
	}
	if got := r.boundary(1, false).Train.DriftEvents; got != 1 {
		t.Errorf("%d drift events in the step, want 1", got)
	}
}

func TestWhatStopsTheRun(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(*rig)
		want   string
	}{
		{"fail_run", both(onStep(times(always, errors.New("the desk collapsed"))),
			policyOf(sdk.FailureEnvironment, 0, sdk.ActionFailRun)), "fail_run"},
		{"a plugin that is not restarted", onStep(times(always, verdict.ErrPluginLost)), "wait for environment.fake.e"},
		{"a spent restart budget", both(onStep(times(always, verdict.ErrPluginLost)), func(r *rig) {
			r.options.AwaitPlugin = func(context.Context, string,
				error) error {
				return errors.New("restarted 5 times; last words: panic")
			}
		}), "last words"},
		{"a plugin that never returns", both(onStep(times(1e6, verdict.ErrPluginLost)), revive), "lost 100 times"},
		{"a record that cannot be written", func(r *rig) { r.sink.err = errors.New("disk full") }, "disk full"},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				row.change(r)
				r.start(t)
				_, err := r.RunEpisode(context.Background(), sample(1, 1, 0))
				if err == nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("the error is %v, want one about %q", err, row.want)
				}
				select {
				case <-r.Failed():
				default:
					t.Error("the run continues")
				}
				if _, err := r.RunEpisode(context.Background(), sample(1, 1, 1)); err == nil {
					t.Error("a stopped run takes episodes")
				}
				r.checkAllClosed(t)
			})
		})
	}
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Concurrency = 2
		r.env.onStep = block
		r.start(t)
		var answers []chan error
		for _, req := range wholeGroup(1, 1) {
			answers = append(answers, r.ask(req))
		}
		synctest.Wait()
		if err := r.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, answer := range answers {
			checkUnavailable(t, "closed", <-answer)
		}
		for _, record := range r.sink.episodes {
			if record.Outcome != sdk.OutcomeCancelled || record.Failure != nil {
				t.Errorf("on record it is %s, %v, want CANCELLED", record.Outcome, record.Failure)
			}
		}
		if _, err := r.RunEpisode(context.Background(), sample(1, 2, 0)); err == nil ||
			!strings.Contains(err.Error(), "accepts no further episodes") {
			t.Errorf("a closed engine answers %v", err)
		}
		r.checkAllClosed(t)
	})
}

func TestQueueServesGroupsInTheOrderOfTheirArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		r := groupRig(&ranks{})
		r.setup.Concurrency = 1
		r.env.onOpen = func(_ context.Context, req sdk.OpenRequest) error {
			mu.Lock()
			order = append(order, req.EpisodeID)
			mu.Unlock()
			time.Sleep(time.Second)
			return nil
		}
		r.start(t)
		var all sync.WaitGroup
		ask := func(req sdk.EpisodeRequest) { all.Go(func() { r.run(t, req) }); synctest.Wait() }
		ask(sample(1, 1, 0))
		for i := range 4 {
			ask(sample(1, 2, i))
		}
		for i := range 3 {
			ask(sample(1, 1, i+1))
		}
		all.Wait()
		want := "s1-g1-0 s1-g1-1 s1-g1-2 s1-g1-3 s1-g2-0 s1-g2-1 s1-g2-2 s1-g2-3"
		if got := strings.Join(order, " "); got != want {
			t.Errorf("served %s, want %s", got, want)
		}
	})
}

func TestBatchesFormWhileTheRewardIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Concurrency = 64
		var sizes []int
		var mu sync.Mutex
		r.setup.Rewards[0].Capabilities.BatchSize = 8
		r.setup.Rewards[0].Reward = groupFunc(func(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			time.Sleep(time.Second)
			mu.Lock()
			sizes = append(sizes, len(req.Items))
			mu.Unlock()
			resp, err := rewardFunc(answerValue).Score(ctx, req)
			resp.Metrics = map[string]float64{"calls": 1}
			return resp, err
		})
		r.start(t)
		var requests []sdk.EpisodeRequest
		for group := range 8 {
			requests = append(requests, wholeGroup(1, group)...)
		}
		for _, result := range r.runAll(t, requests...) {
			if result.Components["reward.fake.r.raw"]/100 != *result.Reward {
				t.Errorf("a sample got the score of another: %v", result.Components)
			}
		}
		var calls float64
		for _, record := range r.sink.episodes {
			calls += record.RewardMetrics["reward.fake.r/calls"]
		}
		if len(sizes) > 6 || int(calls) != len(sizes) {
			t.Errorf("32 samples took %d calls of the sizes %v, with metrics of %g", len(sizes), sizes, calls)
		}
	})
}

// The metrics of a batched call are kept even if its first item is given up meanwhile, or if items fail.
func TestBatchedCallsKeepTheirMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Concurrency = 64
		var mu sync.Mutex
		var calls int
		var first []string
		r.setup.Rewards[0].Capabilities.BatchSize = 8
		r.setup.Rewards[0].Reward = groupFunc(func(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			mu.Lock()
			calls++
			if len(req.Items) > 1 {
				first = append(first, req.Items[0].EpisodeID)
			}
			mu.Unlock()
			time.Sleep(time.Second)
			resp := &sdk.ScoreResponse{Metrics: map[string]float64{"calls": 1}}
			for range req.Items {
				resp.Items = append(resp.Items, sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "no number"}})
			}
			return resp, nil
		})
		r.start(t)
		var requests []sdk.EpisodeRequest
		for group := range 8 {
			requests = append(requests, wholeGroup(1, group)...)
		}
		go func() {
			time.Sleep(1500 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			for _, id := range first {
				if err := r.CancelEpisode(context.Background(), id, "enough"); err != nil {
					t.Error(err)
				}
			}
		}()
		r.runAll(t, requests...)
		var kept float64
		for _, record := range r.sink.episodes {
			kept += record.RewardMetrics["reward.fake.r/calls"]
		}
		if len(first) == 0 || int(kept) != calls {
			t.Errorf("%d calls, in %d of which the first item was given up, have metrics of %g", calls, len(first), kept)
		}
	})
}

func TestBatchedItemsMayBeGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Concurrency = 64
		r.options.RewardTimeout = time.Minute
		var stuck atomic.Bool
		stuck.Store(true)
		r.setup.Rewards[0].Capabilities.BatchSize = 4
		r.setup.Rewards[0].Reward = groupFunc(func(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			if stuck.Load() {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return rewardFunc(answerValue).Score(ctx, req)
		})
		r.start(t)
		results := make(chan []*sdk.EpisodeResult, 1)
		go func() { results <- r.runAll(t, wholeGroup(1, 1)...) }()
		synctest.Wait()
		for _, req := range wholeGroup(1, 1) {
			if err := r.CancelEpisode(context.Background(), req.EpisodeID, "enough"); err != nil {
				t.Fatal(err)
			}
		}
		for _, result := range <-results {
			if result.Outcome != sdk.OutcomeCancelled {
				t.Errorf("outcome %s, want CANCELLED", result.Outcome)
			}
		}
		stuck.Store(false)
		if got := r.run(t, sample(1, 2, 0)); got.Outcome != sdk.OutcomeScored {
			t.Errorf("after stuck calls the outcome is %s %v", got.Outcome, got.Failure)
		}
	})
}

func TestSetupsThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*StageSetup){
		"are required":     func(s *StageSetup) { s.Compose = nil },
		"concurrency":      func(s *StageSetup) { s.Concurrency = 0 },
		"overlong":         func(s *StageSetup) { s.Overlong = "shrug" },
		"negative":         func(s *StageSetup) { s.OverlongPenalty = -1 },
		"listed twice":     func(s *StageSetup) { s.Rewards = append(s.Rewards, s.Rewards[0]) },
		"does not provide": func(s *StageSetup) { needState(s); s.Environment.Capabilities.Snapshot = false },
		"no environment":   func(s *StageSetup) { needState(s); s.Environment = nil },
		`stage "full"`:     func(s *StageSetup) { s.Tasks = nil },
	} {
		r := newRig()
		change(&r.setup)
		engine, err := New(r.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.Configure(r.setup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
		if err := engine.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func needState(s *StageSetup) {
	s.Rewards[0].Capabilities.Needs = []sdk.Need{sdk.NeedEnvironmentState}
}

// TestMemoryIsBounded runs many steps and checks the size of the engine's state.
func TestMemoryIsBounded(t *testing.T) {
	r := groupRig(groupFunc(rankByAnswer))
	r.options.MaxResults = 50
	r.setup.Concurrency = 16
	r.policy.record, r.env.record = false, false
	discard := &countingSink{}
	r.options.Sink = discard
	r.start(t)
	for step := 1; step <= 100; step++ {
		var requests []sdk.EpisodeRequest
		for group := range 16 {
			requests = append(requests, wholeGroup(step, group)...)
		}
		r.runAll(t, requests...)
		if kept := r.kept(); kept.results > 50 || kept.entries > 50 || kept.groups != 0 {
			t.Fatalf("after the episodes of step %d there are %+v", step, kept)
		}
		if got := r.boundary(step, false).Train.Episodes; got != 64 {
			t.Fatalf("step %d has %d episodes, want 64", step, got)
		}
		if kept := r.kept(); kept.summaries != 0 {
			t.Fatalf("after step %d there are %+v", step, kept)
		}
	}
	if got := discard.episodes.Load(); got != 6400 {
		t.Errorf("%d episodes are on record, want 6400", got)
	}
}

// TestOnce_KeepsNothing checks that an engine whose episodes are requested once keeps none that has ended.
func TestOnce_KeepsNothing(t *testing.T) {
	r := groupRig(groupFunc(rankByAnswer))
	r.options.Once = true
	r.start(t)
	for group := range 8 {
		r.runAll(t, wholeGroup(1, group)...)
		if got := r.kept(); got != (kept{}) {
			t.Fatalf("after group %d there are %+v", group, got)
		}
	}
}

type countingSink struct{ episodes atomic.Int64 }

func (s *countingSink) Attempt(*AttemptRecord) error { return nil }

func (s *countingSink) Episode(*EpisodeRecord) error { s.episodes.Add(1); return nil }

// kept holds the sizes of the engine's state.
type kept struct{ entries, results, groups, summaries int }

func (e *Engine) kept() (k kept) {
	e.ledger.mu.Lock()
	defer e.ledger.mu.Unlock()
	k.entries, k.results = e.registry.Len()
	k.groups, k.summaries = e.compared.Len(), len(e.ledger.slots)
	return k
}
