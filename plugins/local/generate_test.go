package local

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// inEpisode runs check inside the first episode of a stage, then ends the stage.
func inEpisode(t *testing.T, check func(ctx context.Context, r *rig, req sdk.EpisodeRequest)) {
	t.Helper()
	r := newRig(t, nil)
	r.host.decide = func(sdk.StepBoundaryRequest) (sdk.Directive, string) { return sdk.DirectiveStop, "seen enough" }
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		check(ctx, r, req)
		return scored(req, 0), nil
	}
	req := r.request(knobsOf(1, func(k *sdk.Knobs) { k.Validate.BeforeTrain = ptr(true) }))
	req.ValidationTasks = 1
	r.train(req, sdk.FinishedStopped)
	if n := len(r.host.episodes); n != 1 {
		t.Fatalf("%d episodes were played, want 1", n)
	}
}

// kept returns the trainer's chain.
func (r *rig) kept(episode, id string) *chain {
	ep, err := r.inner.episodes.find(episode)
	if err != nil {
		return nil
	}
	ep.mu.Lock()
	defer ep.mu.Unlock()
	return ep.chains[id]
}

func TestGenerate_TellsWhatItSampled(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		c := converse(r.host, req)
		said(t, ctx, c, "hello")
		first := *c.last
		said(t, ctx, c, "and?")
		if first.PromptTokens != len("hello")+3 || first.OutputTokens != 6 { // header, text, end, header
			t.Errorf("%d prompt and %d output tokens, want 8 and 6", first.PromptTokens, first.OutputTokens)
		}
		if first.RemainingTokens != 64-8-7 { // the answer and the end token that was added to it
			t.Errorf("%d tokens remain, want 49", first.RemainingTokens)
		}
		if first.Finish != sdk.FinishLength {
			t.Errorf("the message ended by %s, want length: an untrained policy hardly ever ends one", first.Finish)
		}
		if diff := cmp.Diff([]sdk.VersionSpan{{Version: 0, Tokens: 6}}, c.last.Versions); diff != "" {
			t.Errorf("versions (-want +got):\n%s", diff)
		}
		if c.last.Chain != first.Chain || first.ChainLength != 2 || c.last.ChainLength != 4 || first.Drift != "" ||
			c.last.Drift != "" {
			t.Errorf("chain %s of %d messages, then %s of %d, drift %q", first.Chain, first.ChainLength, c.last.Chain,
				c.last.ChainLength, c.last.Drift)
		}
		if got, want := c.last.ChainDigest, r.kept(req.EpisodeID, c.chain).sum(); got != want || got == first.ChainDigest {
			t.Errorf("the chain's digest is %s, want %s", got, want)
		}
		if c.last.Message.Role != sdk.RoleAssistant {
			t.Errorf("the message is of role %s", c.last.Message.Role)
		}
	})
}

func TestGenerate_AMessageThatALimitCutGetsAnUntrainedEnd(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		c := said(t, ctx, converse(r.host, req), "hello")
		kept := r.kept(req.EpisodeID, c.chain)
		last := len(kept.ids) - 1
		if kept.ids[last] != tokenizer.End || kept.trained[last] {
			t.Errorf("the last token is %#x, trained %v; want an end that is not trained", kept.ids[last], kept.trained[last])
		}
		var sampled int
		for _, is := range kept.trained {
			if is {
				sampled++
			}
		}
		if sampled != 6 || !kept.trained[last-1] {
			t.Errorf("%d tokens are trained, want the six that were sampled", sampled)
		}
	})
}

func TestGenerate_SamplesAsItIsTold(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		sample := func(s sdk.Sampling, seed uint64) string {
			t.Helper()
			c := converse(r.host, req)
			c.sampling, c.frozen = s, true
			ask := c.next(sdk.Message{Role: sdk.RoleUser, Content: "q"})
			ask.Seed, ask.CallID = seed, time.Duration(hashOf(s, seed)).String()
			if _, err := c.send(ctx, ask); err != nil {
				t.Fatal(err)
			}
			if got, most := c.last.OutputTokens, s.MaxTokens; got > most {
				t.Errorf("%d tokens, the limit was %d", got, most)
			}
			return c.last.ChainDigest
		}
		one, two := sample(sdk.Sampling{MaxTokens: 5}, 1), sample(sdk.Sampling{MaxTokens: 5}, 2)
		if one == two {
			t.Error("two seeds give the same message")
		}
		greedy := sample(sdk.Sampling{MaxTokens: 5, Temperature: ptr(0.0)}, 1)
		for name, s := range map[string]sdk.Sampling{
			"temperature 0": {MaxTokens: 5, Temperature: ptr(0.0)},
			"top_k 1":       {MaxTokens: 5, TopK: 1},
			"tiny top_p":    {MaxTokens: 5, TopP: ptr(1e-9)},
		} {
			if got := sample(s, 2); got != greedy {
				t.Errorf("%s does not take the most likely tokens", name)
			}
		}
		if got := sample(sdk.Sampling{MaxTokens: 5, TopP: ptr(1.0), Temperature: ptr(1.0)},
			3); got != sample(sdk.Sampling{MaxTokens: 5}, 3) {
			t.Error("the defaults are not temperature 1 and top_p 1")
		}
	})
}

// Trains a few steps first, because an untrained policy is uniform.
func TestGenerate_TrainsAtTheTemperatureOfTheSamples(t *testing.T) {
	for _, temperature := range []float64{0.5, 2} {
		r := newRig(t, nil)
		r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
			c := converse(r.host, req)
			c.sampling.Temperature = ptr(temperature)
			text, err := c.say(ctx, "q")
			return scored(req, textReward(text), c.chain), err
		}
		r.train(r.request(knobsOf(4, nil)), sdk.FinishedCompleted)
		for step := 1; step <= 4; step++ {
			if gap, ok := r.metrics(step)["train/logprob_gap"]; !ok || gap > 1e-4 {
				t.Errorf("temperature %v, step %d: sampler and trainer differ by %v (measured: %v)", temperature, step, gap, ok)
			}
		}
	}
}

func TestGenerate_Refuses(t *testing.T) {
	tests := map[string]struct {
		change func(*sdk.GenerateRequest)
		kind   sdk.GenerateErrorKind
		want   string
	}{
		"an episode that it did not ask for": {func(r *sdk.GenerateRequest) { r.EpisodeID = "stranger" },
			sdk.GenerateAborted, "unexpected episode stranger"},
		"a chain that is not there": {func(r *sdk.GenerateRequest) { r.Chain = "stranger" }, sdk.GenerateAborted,
			"has no chain stranger"},
		"messages that the chain has not": {func(r *sdk.GenerateRequest) { r.Base = 7 }, sdk.GenerateAborted,
			"has 2 messages, but the request continues after message 7"},
		"a negative base": {func(r *sdk.GenerateRequest) { r.Base = -1 }, sdk.GenerateAborted,
			"has 2 messages, but the request continues after message -1"},
		"a new chain that is not empty": {func(r *sdk.GenerateRequest) { r.Chain = "" }, sdk.GenerateAborted,
			"a new chain has no messages, but the request continues after message 2"},
		"a chain of another attempt": {func(r *sdk.GenerateRequest) { r.Attempt = 2 }, sdk.GenerateAborted,
			"belongs to attempt 1 of the episode, the request to attempt 2"},
		"images": {func(r *sdk.GenerateRequest) {
			r.Messages[0].Images = []sdk.Image{{MIMEType: "image/png", Data: []byte{1}}}
		}, sdk.GenerateRefused, "the embedded policy reads text only"},
		"a cut to be trained": {func(r *sdk.GenerateRequest) { r.Sampling.TopP = ptr(0.9) }, sdk.GenerateAborted,
			"would bias it"},
		"stop strings": {func(r *sdk.GenerateRequest) { r.Sampling.Stop = []string{"\n"} }, sdk.GenerateRefused,
			"does not support stop strings"},
		"an unknown role": {func(r *sdk.GenerateRequest) { r.Messages[0].Role = "" }, sdk.GenerateRefused, "role"},
		"calls of a user": {func(r *sdk.GenerateRequest) { r.Messages[0].ToolCalls = []sdk.ToolCall{{Name: "x"}} },
			sdk.GenerateRefused, "only an assistant's can"},
		"arguments that are not JSON": {func(r *sdk.GenerateRequest) {
			r.Messages[0] = sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: "x", Arguments: `{"a":`}}}
		}, sdk.GenerateRefused, "JSON"},
		"impossible sampling": {func(r *sdk.GenerateRequest) { r.Sampling.Temperature = ptr(-1.0) }, sdk.GenerateEngine,
			"the temperature is -1"},
		"more than fits": {func(r *sdk.GenerateRequest) { r.Messages[0].Content = strings.Repeat("x", 60) },
			sdk.GenerateContextFull, "context full"},
		"a fork that is full": {func(r *sdk.GenerateRequest) { r.Base, r.Messages[0].Content = 1, strings.Repeat("x", 60) },
			sdk.GenerateContextFull, "context full"},
		"a first message full": {func(r *sdk.GenerateRequest) {
			r.Chain, r.Base, r.Messages[0].Content = "", 0,
				strings.Repeat("x", 70)
		}, sdk.GenerateContextFull, "context full"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
				c := said(t, ctx, converse(r.host, req), "q")
				before := *r.kept(req.EpisodeID, c.chain)
				ask := c.next(sdk.Message{Role: sdk.RoleUser, Content: "and?"})
				test.change(&ask)
				_, err := r.adapter.Generate(ctx, ask)
				if kindOf(err) != test.kind || !strings.Contains(err.Error(), test.want) {
					t.Errorf("generate: %v, want %s: …%s…", err, test.kind, test.want)
				}
				compared := cmp.Options{cmp.AllowUnexported(chain{}), cmpopts.IgnoreFields(chain{}, "digest")}
				if diff := cmp.Diff(before, *r.kept(req.EpisodeID, c.chain), compared); diff != "" {
					t.Errorf("the chain has changed (-before +after):\n%s", diff)
				}
				if ep, err := r.inner.episodes.find(req.EpisodeID); err != nil || len(ep.chains) != 1 {
					t.Errorf("the failure left a chain behind: %v", err)
				}
				ask = c.next(sdk.Message{Role: sdk.RoleUser, Content: "and?"})
				if _, err := c.send(ctx, ask); err != nil || c.base != 4 || c.last.Drift != "" {
					t.Errorf("the call cannot be repeated: %v, chain of %d messages, drift %q", err, c.base, c.last.Drift)
				}
			})
		})
	}
}

func TestGenerate_ACancelledCallCanBeRepeated(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		c := said(t, ctx, converse(r.host, req), "q")
		ask := c.next(sdk.Message{Role: sdk.RoleUser, Content: "and?"})
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := r.inner.Generate(cancelled, ask); !errors.Is(err, context.Canceled) {
			t.Errorf("generate: %v, want it cancelled", err)
		}
		late := ask
		late.Deadline = time.Nanosecond
		if _, err := r.inner.Generate(ctx, late); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("generate: %v, want its deadline", err)
		}
		if _, err := c.send(ctx, ask); err != nil || c.base != 4 {
			t.Errorf("the call cannot be repeated: %v", err)
		}
	})
}

func TestGenerate_ANewAttemptForgetsTheOneBefore(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		first := said(t, ctx, converse(r.host, req), "q")
		again := converse(r.host, req)
		again.attempt = 2
		said(t, ctx, again, "q")
		if r.kept(req.EpisodeID, first.chain) != nil || r.kept(req.EpisodeID, again.chain) == nil ||
			first.chain == again.chain {
			t.Errorf("the trainer holds chain %s: %v, chain %s: %v; want the second only", first.chain,
				r.kept(req.EpisodeID, first.chain) != nil, again.chain, r.kept(req.EpisodeID, again.chain) != nil)
		}
	})
}

func TestGenerate_AFullContextCutsTheMessage(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		c := converse(r.host, req)
		c.sampling = sdk.Sampling{} // no limit
		said(t, ctx, c, strings.Repeat("x", 50))
		if c.last.Finish != sdk.FinishLength || c.last.OutputTokens != 64-53 || c.last.RemainingTokens != 0 {
			t.Errorf("%d tokens, finish %s, %d remain; want the 11 that fit", c.last.OutputTokens, c.last.Finish,
				c.last.RemainingTokens)
		}
		if _, err := c.say(ctx, "and?"); kindOf(err) != sdk.GenerateContextFull {
			t.Errorf("generate: %v, want context_full", err)
		}
	})
}

func TestMessage_CallsAreNamedByTheirPlaceInTheConversation(t *testing.T) {
	ids, err := tokenizer.AppendMessage(nil, tokenizer.Message{Role: tokenizer.RoleAssistant, Content: "hm",
		Reasoning: "think", ToolCalls: []tokenizer.ToolCall{
			{Name: "add", Arguments: `{"a":1}`}, {Name: "sub", Arguments: `{}`},
		}})
	if err != nil {
		t.Fatal(err)
	}
	broken := append(append([]int32{}, tokenizer.CallOpen, 'x', tokenizer.CallClose), tokenizer.End)
	got := []sdk.Message{messageFromTokens(ids[1:], 3, true), messageFromTokens(broken, 3, true),
		messageFromTokens(ids[1:], 3, false)}
	want := []sdk.Message{
		{Role: sdk.RoleAssistant, Content: "hm", Reasoning: "think", ToolCalls: []sdk.ToolCall{
			{ID: "call_3_0", Name: "add", Arguments: `{"a":1}`}, {ID: "call_3_1", Name: "sub", Arguments: `{}`},
		}},
		{Role: sdk.RoleAssistant, Content: "<tool_call>x</tool_call>", Malformed: []sdk.Malformed{
			{Text: "<tool_call>x</tool_call>", Reason: "the call is not a JSON object"},
		}},
		// No tools were offered, so calls stay text.
		{Role: sdk.RoleAssistant, Reasoning: "think", Content: `hm<tool_call>{"name":"add","arguments":{"a":1}}</tool_call><tool_call>{"name":"sub","arguments":{}}</tool_call>`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if f := finish("stop", got[0]); f != sdk.FinishToolCalls {
		t.Errorf("a message with calls finishes by %s", f)
	}
	if f := finish("stop", got[1]); f != sdk.FinishStop {
		t.Errorf("a message without a call that can be made finishes by %s", f)
	}
}

// Validation messages are not trained, so they may be cut for every agent.
func TestGenerate_CutsInValidation(t *testing.T) {
	inEpisode(t, func(ctx context.Context, r *rig, req sdk.EpisodeRequest) {
		c := said(t, ctx, converse(r.host, req), "q")
		ask := c.next(sdk.Message{Role: sdk.RoleUser, Content: "and?"})
		ask.Sampling.TopP, ask.Sampling.TopK, ask.Validation = ptr(0.9), 5, true
		if !ask.Trainable {
			t.Error("the agent is one that is trained: the test shows nothing")
		}
		if _, err := c.send(ctx, ask); err != nil {
			t.Error(err)
		}
	})
}

// A chain's digest must depend on its ids only, and not on earlier hashing or discarded drafts.
func TestChain_SumReadsWhatIsNew(t *testing.T) {
	c := &chain{}
	whole := func(c *chain) string { return (&chain{ids: c.ids}).sum() }
	for n := range int32(5) {
		lost := c.draft()
		lost.append(100, 101)
		if got, want := lost.sum(), whole(lost); got != want {
			t.Errorf("the digest of a draft of %d ids is %s, want %s", len(lost.ids), got, want)
		}
		next := c.draft()
		next.append(n, n+1)
		if got, want := next.sum(), whole(next); got != want {
			t.Errorf("after %d ids the digest is %s, want %s", len(next.ids), got, want)
		}
		c = next
	}
}
