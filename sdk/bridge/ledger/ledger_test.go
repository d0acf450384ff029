package ledger_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/ledger"
)

func user(text string) []sdk.Message { return []sdk.Message{{Role: sdk.RoleUser, Content: text}} }

// answer returns a sample with a text and an end.
func answer(text string, version int64) ledger.Sample {
	ids := append(idsOf(text), endID)
	return ledger.Sample{
		IDs: ids, Logprobs: slices.Repeat([]float32{-0.5}, len(ids)),
		Versions: []sdk.VersionSpan{{Version: version, Tokens: len(ids)}},
		Finish:   sdk.FinishStop, Message: sdk.Message{Role: sdk.RoleAssistant, Content: text},
	}
}

// For all conversations, extensions and forks under a template that renders messages one after the other: the ids of
// a chain must equal its conversation rendered whole, sampled ids must be in one chain only, and a draft must change
// nothing.
func TestLedger_ExtendsAsTheTemplateRendersTheWhole(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		l := ledger.New(toy("plain"), 0)
		said := map[string][]sdk.Message{} // by chain
		text := rapid.StringMatching(`[a-z ]{0,6}`)
		sampled := 0
		for call := range rapid.IntRange(1, 12).Draw(r, "calls") {
			req := sdk.GenerateRequest{
				EpisodeID: "e", Attempt: 1, CallID: fmt.Sprint("k", call), Trainable: true, Messages: user(text.Draw(r, "user")),
				Tools: []sdk.Tool{{Name: "calc"}},
			}
			if names := l.Chains(); len(names) > 0 && rapid.Bool().Draw(r, "go on") {
				req.Chain = rapid.SampledFrom(names).Draw(r, "chain")
				req.Base = rapid.OneOf(rapid.Just(len(said[req.Chain])), rapid.IntRange(0, len(said[req.Chain]))).Draw(r, "base")
			}
			conversation := slices.Concat(said[req.Chain][:req.Base], req.Messages)
			c, err := l.Extend(req)
			if err != nil {
				r.Fatal(err)
			}
			want, err := toy("plain").Render(conversation, req.Tools, true)
			if err != nil {
				r.Fatal(err)
			}
			if got := c.Prompt(); !slices.Equal(want, got) {
				r.Fatalf("call %d: the prompt is %q, want %q", call, textOf(got), textOf(want))
			}
			if rapid.IntRange(0, 4).Draw(r, "fails") == 0 {
				continue // and has no effect, or the next prompts would differ
			}
			s := answer(text.Draw(r, "assistant"), int64(call))
			response, err := c.Sampled(s)
			if err != nil {
				r.Fatal(err)
			}
			sampled += len(s.IDs)
			said[response.Chain] = append(conversation, s.Message)
			checkRow(r, l, response, len(said[response.Chain]))
		}
		trained := 0
		for _, name := range l.Chains() {
			row, _ := l.Row(name)
			trained += row.Trained
		}
		if trained != sampled {
			r.Fatalf("%d ids are trained, but %d were sampled", trained, sampled)
		}
	})
}

func checkRow(t rapid.TB, l *ledger.Ledger, response *sdk.GenerateResponse, messages int) {
	row, ok := l.Row(response.Chain)
	n := len(row.IDs)
	if !ok || len(row.LossMask) != n || len(row.Logprobs) != n || len(row.TurnIDs) != n {
		t.Fatalf("chain %s has %d ids, %d masks, %d logprobs, %d turns", response.Chain, n, len(row.LossMask),
			len(row.Logprobs), len(row.TurnIDs))
	}
	covered := 0
	for _, span := range row.Versions {
		covered += span.Tokens
	}
	if covered != n || response.ChainLength != messages {
		t.Fatalf("versions cover %d of %d ids; the chain has %d messages, want %d", covered, n, response.ChainLength,
			messages)
	}
	digest := sha256.New()
	for i, id := range row.IDs {
		_ = binary.Write(digest, binary.LittleEndian, id)
		if row.LossMask[i] != (row.TurnIDs[i] >= 0) || !row.LossMask[i] && row.Logprobs[i] != 0 {
			t.Fatalf("id %d has mask %t, turn %d and log-probability %v", i, row.LossMask[i], row.TurnIDs[i], row.Logprobs[i])
		}
	}
	if want := fmt.Sprintf("%x", digest.Sum(nil)); response.ChainDigest != want {
		t.Fatalf("the digest is %s, want %s", response.ChainDigest, want)
	}
}

func TestSampled_RejectsInvalidSamples(t *testing.T) {
	l := ledger.New(toy("plain"), 0)
	draft := func() *ledger.Call {
		c, err := l.Extend(sdk.GenerateRequest{EpisodeID: "e", Attempt: 1, CallID: "k", Trainable: true,
			Messages: user("hi")})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for name, change := range map[string]func(*ledger.Sample){
		"NaN":               func(s *ledger.Sample) { s.Logprobs[0] = float32(math.NaN()) },
		"minus infinity":    func(s *ledger.Sample) { s.Logprobs[1] = float32(math.Inf(-1)) },
		"too few logprobs":  func(s *ledger.Sample) { s.Logprobs = s.Logprobs[1:] },
		"no logprobs":       func(s *ledger.Sample) { s.Logprobs = nil },
		"versions of fewer": func(s *ledger.Sample) { s.Versions[0].Tokens-- },
		"versions of negative": func(s *ledger.Sample) {
			s.Versions = append(s.Versions, sdk.VersionSpan{Tokens: 1}, sdk.VersionSpan{Tokens: -1})
		},
	} {
		s := answer("ok", 1)
		change(&s)
		if _, err := draft().Sampled(s); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if names := l.Chains(); len(names) != 0 {
		t.Errorf("%v are kept, want nothing", names)
	}
	c := draft()
	if _, err := c.Sampled(answer("ok", 1)); err != nil {
		t.Error(err)
	}
	if _, err := c.Sampled(answer("again", 1)); err == nil {
		t.Error("a call was sampled twice")
	}
}

// Calls of one chain must come one after the other. Of two concurrent drafts the later one must be refused.
func TestSampled_RejectsSecondDraft(t *testing.T) {
	l := ledger.New(toy("plain"), 0)
	extend := func(chain string, base int, text string) *ledger.Call {
		c, err := l.Extend(sdk.GenerateRequest{EpisodeID: "e", Attempt: 1, CallID: text, Chain: chain, Base: base,
			Trainable: true, Messages: user(text)})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, err := extend("", 0, "hi").Sampled(answer("hello", 1))
	if err != nil {
		t.Fatal(err)
	}
	one, two := extend(first.Chain, 2, "one"), extend(first.Chain, 2, "two")
	if _, err := one.Sampled(answer("1", 1)); err != nil {
		t.Fatal(err)
	}
	before, _ := l.Row(first.Chain)
	_, err = two.Sampled(answer("2", 1))
	var failure *sdk.GenerateError
	if !errors.As(err, &failure) || failure.Kind != sdk.GenerateAborted {
		t.Errorf("got %v, want aborted", err)
	}
	if after, _ := l.Row(first.Chain); !slices.Equal(before.IDs, after.IDs) {
		t.Errorf("the chain is %q, before it was %q", textOf(after.IDs), textOf(before.IDs))
	}
}

// An engine must get the number of ids that it may sample, so that a chain never exceeds the context.
func TestCall_Room(t *testing.T) {
	const context = 40
	l := ledger.New(toy("plain"), context)
	extend := func(l *ledger.Ledger, chain string, base int) *ledger.Call {
		c, err := l.Extend(sdk.GenerateRequest{
			EpisodeID: "e", Attempt: 1, CallID: "k", Chain: chain, Base: base, Trainable: true, Messages: user("hi"),
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := extend(l, "", 0)
	if want := context - len(first.Prompt()); first.Room() != want {
		t.Errorf("the first call has room for %d ids, want %d", first.Room(), want)
	}
	said, err := first.Sampled(answer("ok", 1))
	if err != nil {
		t.Fatal(err)
	}
	second := extend(l, said.Chain, 2)
	if want := context - len(second.Prompt()); second.Room() != want || want >= first.Room() {
		t.Errorf("the second call has room for %d ids, want %d", second.Room(), want)
	}
	if room := extend(ledger.New(toy("plain"), 0), "", 0).Room(); room != math.MaxInt {
		t.Errorf("without a limit there is room for %d ids, want the largest int", room)
	}
}

// counting counts the messages that a template renders.
type counting struct {
	toy
	messages *int
}

func (c counting) Render(messages []sdk.Message, tools []sdk.Tool, prompt bool) ([]int32, error) {
	*c.messages += len(messages)
	return c.toy.Render(messages, tools, prompt)
}

// The cost of the next message must depend on the new messages only, not on the length of the conversation.
func TestExtend_RendersOnlyNewMessages(t *testing.T) {
	rendered := 0
	l := ledger.New(counting{"plain", &rendered}, 0)
	chain, base := "", 0
	var costs []int
	for turn := range 50 {
		before := rendered
		c, err := l.Extend(sdk.GenerateRequest{
			EpisodeID: "e", Attempt: 1, CallID: fmt.Sprint(turn), Trainable: true, Chain: chain, Base: base,
			Messages: user("on"),
		})
		if err != nil {
			t.Fatal(err)
		}
		response, err := c.Sampled(answer("ok", 1))
		if err != nil {
			t.Fatal(err)
		}
		chain, base = response.Chain, response.ChainLength
		costs = append(costs, rendered-before)
	}
	if costs[49] != costs[1] || costs[49] > 6 {
		t.Errorf("messages rendered by turn: %v", costs)
	}
}
