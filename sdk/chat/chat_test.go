package chat_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// policy keeps chains like the owner of tokens, and records its requests.
type policy struct {
	mu     sync.Mutex
	chains map[string]int // number of messages
	asked  []asked
	say    func(n int) sdk.ModelReply // its answer to the n-th request
}

type asked struct {
	Chain  string
	Base   int
	New    int
	Repeat int
}

func (p *policy) Generate(_ context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, asked{req.Chain, req.Base, len(req.Messages), *req.Repeat})
	reply := sdk.ModelReply{Message: sdk.Message{Content: fmt.Sprint("say ", len(p.asked))}}
	if p.say != nil {
		reply = p.say(len(p.asked))
	}
	if p.chains == nil {
		p.chains = map[string]int{}
	}
	reply.CallID, reply.Chain, reply.Message.Role = fmt.Sprint("call", len(p.asked)), req.Chain, sdk.RoleAssistant
	if req.Chain == "" || req.Base < p.chains[req.Chain] {
		reply.Chain = fmt.Sprint("c", len(p.chains)+1)
	}
	reply.ChainLength = req.Base + len(req.Messages) + 1
	p.chains[reply.Chain] = reply.ChainLength
	return &reply, nil
}

func user(text string) sdk.Message { return sdk.Message{Role: sdk.RoleUser, Content: text} }

func ask(t *testing.T, talk *chat.Conversations, messages ...sdk.Message) sdk.Message {
	t.Helper()
	reply, err := talk.Ask(t.Context(), chat.Request{Messages: messages})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Message
}

func TestAsk_ContinuesChain(t *testing.T) {
	p := &policy{}
	talk := chat.New(p)
	q := user("q")
	first := ask(t, talk, q)                            // c1
	second := ask(t, talk, q, first, user("more"))      // c1 continues
	ask(t, talk, q, first, user("less"))                // from an earlier point: c2
	ask(t, talk, user("other"))                         // another conversation: c3
	ask(t, talk, q)                                     // another sample of the first message: c4
	ask(t, talk, q, user("between"), first, user("?"))  // a rewritten history: c5
	ask(t, talk, q, first, user("more"), second, q)     // c1 continues
	ask(t, talk, q, first, user("more"), user("again")) // from an earlier point, the message that followed is gone: c6
	want := []asked{
		{"", 0, 1, 0}, {"c1", 2, 1, 0}, {"c1", 2, 1, 0}, {"", 0, 1, 0}, {"", 0, 1, 1}, {"", 0, 4, 0}, {"c1", 4, 1, 0},
		{"c1", 2, 2, 0},
	}
	if diff := cmp.Diff(want, p.asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Clients may change the form of messages when they send them back. The messages must still match.
func TestAsk_RecognizesResentMessages(t *testing.T) {
	said := sdk.Message{Content: "hm", Reasoning: "let me think",
		ToolCalls: []sdk.ToolCall{{ID: "a", Name: "add", Arguments: `{"b": 1, "a": 10000000000000001}`}}}
	for name, test := range map[string]struct {
		back sdk.Message
		want string
	}{
		"unchanged":         {said, "c1"},
		"without reasoning": {sdk.Message{Content: "hm", ToolCalls: said.ToolCalls}, "c1"},
		"with other ids": {sdk.Message{Content: "hm",
			ToolCalls: []sdk.ToolCall{{ID: "z", Name: "add", Arguments: said.ToolCalls[0].Arguments}}}, "c1"},
		"with other spaces": {sdk.Message{Content: "hm",
			ToolCalls: []sdk.ToolCall{{Name: "add", Arguments: `{"a":10000000000000001,"b":1}`}}}, "c1"},
		"with another number": {sdk.Message{Content: "hm",
			ToolCalls: []sdk.ToolCall{{Name: "add", Arguments: `{"a":10000000000000000,"b":1}`}}}, ""},
		"with another text": {sdk.Message{Content: "hm!", ToolCalls: said.ToolCalls}, ""},
		"without its calls": {sdk.Message{Content: "hm"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := &policy{say: func(int) sdk.ModelReply { return sdk.ModelReply{Message: said} }}
			talk := chat.New(p)
			ask(t, talk, user("q"))
			test.back.Role = sdk.RoleAssistant
			ask(t, talk, user("q"), test.back)
			if got := p.asked[1].Chain; got != test.want {
				t.Errorf("chain %q, want %q", got, test.want)
			}
		})
	}
}

// If two messages are equal, the call must select the one that a conversation continues.
func TestAsk_DistinguishesEqualMessages(t *testing.T) {
	p := &policy{say: func(int) sdk.ModelReply { return sdk.ModelReply{Message: sdk.Message{Content: "same"}} }}
	talk := chat.New(p)
	ask(t, talk, user("q"))
	same := ask(t, talk, user("q"))
	for _, call := range []string{"call2", "call1"} {
		if _, err := talk.Ask(t.Context(), chat.Request{Messages: []sdk.Message{user("q"), same},
			Calls: []string{"", call}}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"", "", "c2", "c1"},
		[]string{p.asked[0].Chain, p.asked[1].Chain, p.asked[2].Chain, p.asked[3].Chain}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// If several calls continue from one point, the first prepared must continue the chain, even if another finishes first.
func TestDo_TheFirstContinuesTheChain(t *testing.T) {
	p := &policy{}
	talk := chat.New(p)
	q := user("q")
	first := ask(t, talk, q)
	a := talk.Prepare(chat.Request{Messages: []sdk.Message{q, first, user("a")}})
	b := talk.Prepare(chat.Request{Messages: []sdk.Message{q, first, user("a")}})
	replies := make(chan *sdk.ModelReply, 1)
	go func() {
		reply, err := b.Do(t.Context())
		if err != nil {
			t.Error(err)
		}
		replies <- reply
	}()
	got, err := a.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if other := <-replies; got.Chain != "c1" || other.Chain != "c2" {
		t.Errorf("a is %s and b is %s", got.Chain, other.Chain)
	}
	if p.asked[1].Repeat != 0 || p.asked[2].Repeat != 1 {
		t.Errorf("repeats: %+v", p.asked)
	}
}

func TestDo_WaitsNoLongerThanItsContext(t *testing.T) {
	talk := chat.New(&policy{})
	q := user("q")
	first := ask(t, talk, q)
	a := talk.Prepare(chat.Request{Messages: []sdk.Message{q, first, user("a")}})
	b := talk.Prepare(chat.Request{Messages: []sdk.Message{q, first, user("a")}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := a.Do(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAsk_CutMessageHasNoCalls(t *testing.T) {
	p := &policy{say: func(int) sdk.ModelReply {
		return sdk.ModelReply{Finish: sdk.FinishLength,
			Message: sdk.Message{Content: "I", ToolCalls: []sdk.ToolCall{{ID: "a", Name: "add", Arguments: "{}"}}}}
	}}
	talk := chat.New(p)
	cut := ask(t, talk, user("q"))
	if len(cut.ToolCalls) > 0 {
		t.Errorf("calls: %+v", cut.ToolCalls)
	}
	ask(t, talk, user("q"), cut)
	if p.asked[1].Chain != "c1" {
		t.Error("the conversation does not continue after a cut message")
	}
}

// If two messages are equal, returned call ids, and then the thread, must select the one that is continued.
func TestAsk_PrefersIDsAndThread(t *testing.T) {
	n := 0
	p := &policy{say: func(int) sdk.ModelReply {
		n++
		call := sdk.ToolCall{ID: fmt.Sprint("id", n), Name: "add", Arguments: "3"}
		return sdk.ModelReply{Message: sdk.Message{ToolCalls: []sdk.ToolCall{call}}}
	}}
	talk := chat.New(p)
	ask := func(thread string, messages ...sdk.Message) string {
		t.Helper()
		if _, err := talk.Ask(t.Context(), chat.Request{Thread: thread, Messages: messages}); err != nil {
			t.Fatal(err)
		}
		return p.asked[len(p.asked)-1].Chain
	}
	back := func(id string) sdk.Message { // with an object, as in the Messages API
		return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: id, Name: "add", Arguments: "{}"}}}
	}
	ask("left", user("q"))
	ask("right", user("q"))
	for _, c := range []struct{ thread, id, want string }{
		{"right", "", "c2"}, {"left", "", "c1"}, {"right", "id1", "c1"}, {"left", "id2", "c2"},
		{"neither", "id0", "c1"},
	} {
		if got := ask(c.thread, user("q"), back(c.id), user(c.thread+c.id)); got != c.want {
			t.Errorf("thread %s, id %q: it continues from %q, want %q", c.thread, c.id, got, c.want)
		}
	}
}

// However long a conversation is, the policy must only receive its new messages.
func TestAsk_SendsOnlyNewMessages(t *testing.T) {
	p := &policy{}
	talk := chat.New(p)
	var said []sdk.Message
	for n := range 50 {
		said = append(said, user(fmt.Sprint(n)))
		said = append(said, ask(t, talk, said...))
	}
	sent := 0
	for _, a := range p.asked {
		sent += a.New
	}
	if sent != 50 || p.asked[49].Base != 98 {
		t.Errorf("%d messages were sent for 50 turns; the last call continues after %d", sent, p.asked[49].Base)
	}
}
