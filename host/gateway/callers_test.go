package gateway

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func headers(pairs ...string) http.Header {
	out := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

// TestClaims_AreKeptAndProveNothing checks that identifying headers are kept with the call, that credentials are not,
// and that a name possibly chosen by the policy has no effect.
func TestClaims_AreKeptAndProveNothing(t *testing.T) {
	const turn = `{"session_id":"s","thread_id":"t2","agent_name":%q,"request_kind":"turn"}`
	for name, c := range map[string]struct {
		header         http.Header
		claims         int
		member, thread string
	}{
		"nothing":      {headers("Authorization", "Bearer x", "X-Api-Key", "x", "Cookie", "x"), 0, "", ""},
		"Codex itself": {headers("X-Codex-Turn-Metadata", fmt.Sprintf(turn, "/root")), 1, "", "t2"},
		"a sub-agent of Codex": {
			headers("X-Codex-Turn-Metadata", fmt.Sprintf(turn, "/root/auxiliary")), 1, memberSubAgent, "t2",
		},
		"a thread of a thread": {
			headers("X-Codex-Parent-Thread-Id", "t1", "Thread-Id", "t3"), 2, memberSubAgent, "t3",
		},
		"Claude Code":             {headers("X-Claude-Code-Session-Id", "c", "User-Agent", "claude-cli"), 2, "", "c"},
		"opencode":                {headers("X-Session-Id", "o", "X-Session-Affinity", "o"), 2, "", "o"},
		"what cannot be read":     {headers("X-Codex-Turn-Metadata", "{"), 1, "", ""},
		"what is too long":        {headers("X-Session-Id", strings.Repeat("x", mostClaimBytes+1)), 0, "", ""},
		"parts that are not text": {headers("X-Session-Id", "\xff", "Thread-Id", "t"), 1, "", "t"},
	} {
		claims := claimsOf(c.header)
		member, thread := who(claims)
		if len(claims) != c.claims || member != c.member || thread != c.thread {
			t.Errorf("%s: %v, member %q in thread %q", name, claims, member, thread)
		}
	}
}

func TestCalled_HearsBeforeTheAnswerLeaves(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	var mu sync.Mutex
	heard := map[string]map[string]string{}
	p := &policy{}
	e, _ := g.Grant(context.Background(), Lease{Model: p, Called: func(id string, claims map[string]string) {
		mu.Lock()
		defer mu.Unlock()
		heard[id] = claims
	}})
	post(t, e, question, func(r *http.Request) {
		r.Header.Set("User-Agent", "")
		r.Header.Set("X-Session-Id", "o")
	})
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(map[string]map[string]string{"e/1.1": {"x-session-id": "o"}}, heard); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCompaction_IsToldByItsWords checks that the prompts of four harnesses are detected at their positions in a
// compaction request, and nowhere else.
func TestCompaction_IsToldByItsWords(t *testing.T) {
	message := func(role sdk.Role, text string) sdk.Message { return sdk.Message{Role: role, Content: text} }
	system := func(text string) sdk.Message { return message(sdk.RoleSystem, text) }
	q := message(sdk.RoleUser, "q")
	const codex = "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM."
	const claude = "CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of the " +
		"conversation so far, paying"
	const qwen = "You are the component that summarizes a conversation when its context window is about to overflow."
	for name, c := range map[string]struct {
		messages []sdk.Message
		compacts bool
	}{
		"Codex":             {[]sdk.Message{system("You are Codex"), q, message(sdk.RoleUser, codex)}, true},
		"Claude Code":       {[]sdk.Message{q, message(sdk.RoleUser, claude)}, true},
		"Qwen Code":         {[]sdk.Message{system(qwen + " When"), q}, true},
		"opencode":          {[]sdk.Message{system("\nYou are a context summarization agent. You"), q}, true},
		"a question":        {[]sdk.Message{q}, false},
		"history":           {[]sdk.Message{q, message(sdk.RoleUser, codex), message("assistant", ""), q}, false},
		"a tool's result":   {[]sdk.Message{q, message(sdk.RoleTool, codex)}, false},
		"a user who quotes": {[]sdk.Message{message(sdk.RoleUser, "What does \""+codex+"\" mean?")}, false},
		"a user's words":    {[]sdk.Message{message(sdk.RoleUser, qwen)}, false},
		"nothing":           {nil, false},
	} {
		var a ask
		a.request.Messages = c.messages
		if got := compacts(a.request); got != c.compacts {
			t.Errorf("%s: compacts is %t", name, got)
		}
	}
	body := `{"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"answer 1"},` +
		`{"role":"user","content":"` + codex + `"}]}`
	noTools, err := ParseRules([]string{"no_tools"}) // as in presets; compaction may offer no tools
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		train bool
		rules Rules
	}{{false, nil}, {true, nil}, {false, noTools}, {true, noTools}} {
		train := c.train
		g, err := Listen(Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &policy{}
		e, end := g.Grant(t.Context(), Lease{Model: p, TrainCompaction: train, Auxiliary: c.rules})
		post(t, e, question, nil)
		post(t, e, body, nil)
		asked, stats := p.asked()[1], end()
		trained := asked.Member == "" && (asked.Chain == "c1" || c.rules != nil)
		if stats[metricCompacted] != 1 || trained != train {
			t.Errorf("trained %t: %+v, %v", train, asked, stats)
		}
		g.Close()
	}
}

// TestMessages_WhatASystemSaysInTheMiddleStaysWhereItIs checks that a turn is read the same whatever follows it, so
// that the messages sampled after it are recognized.
func TestMessages_WhatASystemSaysInTheMiddleStaysWhereItIs(t *testing.T) {
	const reply = `{"role":"assistant","content":[{"type":"text","text":"answer 1"}]}`
	const calling = `{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"f","input":{}}]}`
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"3"}]}`
	const system, user = `{"role":"system","content":"S"}`, `{"role":"user","content":"on"}`
	for name, turns := range map[string][]string{
		"last, and then answered":      {user, system},
		"before a user":                {user, calling, system, user},
		"before results":               {user, calling, system, result},
		"after results":                {user, calling, result, system},
		"before the first turn":        {system, user},
		"before an invented assistant": {user, system, reply, user},
	} {
		t.Run(name, func(t *testing.T) {
			p := &policy{}
			g, err := Listen(Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			e, _ := g.Grant(t.Context(), Lease{Model: p})
			for _, more := range [][]string{turns, append(append([]string{}, turns...), reply, user)} {
				body := `{"max_tokens":9,"messages":[` + strings.Join(more, ",") + `]}`
				anthropic(t, e, body)
			}
			asked := p.asked()
			if asked[1].Chain != "c1" || len(asked[1].Messages) != 1 {
				t.Errorf("the second request continues %q with %d messages, the first had %+v",
					asked[1].Chain, len(asked[1].Messages), asked[0].Messages)
			}
			heard := 0
			for _, m := range asked[0].Messages {
				heard += strings.Count(m.Content, "S")
			}
			if heard != 1 {
				t.Errorf("the system message was received %d times: %+v", heard, asked[0].Messages)
			}
		})
	}
}

// TestClaims_OfRealHarnesses checks that all requests of a recorded session have one thread, if the harness sends it,
// and belong to the agent itself.
func TestClaims_OfRealHarnesses(t *testing.T) {
	for harness, says := range map[string]bool{
		"codex-0.171.0": true, "claude-code-2.1.332": true, "opencode-1.18.33": true, "qwen-code-0.24.4": false,
	} {
		threads := map[string]bool{}
		for n, r := range readRecordings(t, filepath.Join("testdata", "harness", harness)) {
			a := r.asked
			if a.compacts || a.request.Member == memberSubAgent {
				t.Errorf("%s, request %d: member %q, compacts %t", harness, n+1, a.request.Member, a.compacts)
			}
			threads[a.request.Thread] = true
		}
		if len(threads) != 1 || threads[""] == says {
			t.Errorf("%s: threads %v", harness, threads)
		}
	}
}
