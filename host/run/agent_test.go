package run_test

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// workingAgent is the body of an agent that works normally.
const workingAgent = `max_turns = 3`

// A plugin's agent with the behavior of react has the same results as react.
func TestAgent_IsWorthWhatReactIs(t *testing.T) {
	want := newRig(t).apply().completes(3)
	r := newRig(t)
	r.agent = workingAgent
	got := r.apply().completes(3)
	rewards := func(e *ended) (out []string) {
		for _, step := range payloads[event.StepFinished](e) {
			out = append(out, fmt.Sprint(step.Episodes, step.Outcomes))
		}
		return out
	}
	if diff := cmp.Diff(rewards(want), rewards(got)); diff != "" {
		t.Errorf("(-react +plugin):\n%s", diff)
	}
	for episode, err := range got.run().Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if said := episode.Transcripts[0].Messages; len(said) != 4 || said[2].Role != sdk.RoleTool ||
			said[3].Content != episode.FinalAnswer {
			t.Fatalf("%s: %+v answers %q", episode.EpisodeID, said, episode.FinalAnswer)
		}
	}
}

// The results of a run depend neither on the number of concurrent episodes nor on which conversation of an episode is
// faster.
func TestAgent_IsRepeatable(t *testing.T) {
	for _, samples := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d conversations", samples), func(t *testing.T) {
			t.Parallel()
			var want *ended
			for _, concurrency := range []int{4, 1, 64, 64} {
				r := newRig(t)
				r.agent, r.concurrency = fmt.Sprintf("samples = %d", samples), concurrency
				got := r.apply().completes(3)
				if want == nil {
					want = got
				}
				equal(t, want, got)
			}
			for episode, err := range want.run().Episodes(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if len(episode.Chains) != samples {
					t.Errorf("%s has %d chains", episode.EpisodeID, len(episode.Chains))
				}
				for _, c := range episode.Chains {
					if c.Agent != "scripted.solver" || c.Train != (episode.Slot.Split == sdk.SplitTrain) {
						t.Errorf("%s: %+v", episode.EpisodeID, c)
					}
				}
			}
		})
	}
}

// An agent on another machine uses an endpoint with TLS, under a name of the certificate. The results are the same.
func TestAgent_IsServedElsewhere(t *testing.T) {
	near := newRig(t)
	near.agent = "over_http = true"
	want := near.apply().completes(3)
	server := httptest.NewTLSServer(http.NotFoundHandler()) // for its certificate
	server.Close()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	certificate := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}))
	r.write("gateway.pem", certificate)
	r.write("gateway-key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	r.agent = fmt.Sprintf("over_http = true\n  trust = %q", filepath.Join(r.dir, "gateway.pem"))
	r.train = "gateway {\n listen = \"127.0.0.1:0\"\n certificate = \"gateway.pem\"\n key = \"gateway-key.pem\"\n" +
		" host = \"127.0.0.1\"\n}"
	equal(t, want, r.apply().completes(3))
	r.train = "" // the location of agents is not part of a run's identity
	if mode := r.plan().Mode; mode != event.ModeNoOp {
		t.Errorf("without the gateway's block there is something to do: %s", mode)
	}
}

// A request for a summary is trained if the trainer omits no sampled tokens, and otherwise if the block says so.
func TestAgent_CompactionIsTrainedWhereAllIs(t *testing.T) {
	for _, c := range []struct {
		all   bool
		block string
		want  bool
	}{{false, "", false}, {false, `compaction = "train"`, true}, {true, "", true}} {
		r := newRig(t)
		r.steps = 1
		r.agent = "over_http = true\n  says = \"You are performing a CONTEXT CHECKPOINT COMPACTION.\"\n" + c.block
		r.adapter = fmt.Sprintf("trains_all = %t", c.all)
		seen := 0
		for episode, err := range r.apply().completes(1).run().Episodes(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, chain := range episode.Chains {
				if episode.Slot.Split != sdk.SplitTrain {
					continue
				}
				if seen++; chain.Train != c.want {
					t.Errorf("all %t, %s: %+v", c.all, c.block, chain)
				}
			}
		}
		if seen == 0 {
			t.Errorf("all %t, %s: no chain was looked at", c.all, c.block)
		}
	}
}

// The gateway's answers to a program are recorded: after the program has read a whole stream and killed the host, the
// answer is in the journal. Its attempt ends with the host, and the resumed run has the same result.
func TestAgent_FindsOnRecordWhatItGot(t *testing.T) {
	undisturbed := newRig(t)
	undisturbed.agent = "over_http = true"
	want := undisturbed.apply().completes(3)
	whole := want.Gateway
	if whole == nil || whole.Calls == 0 || whole.Dead != 0 {
		t.Errorf("the end of the run reports its calls as %+v", whole)
	}
	r := newRig(t)
	heard := filepath.Join(r.dir, "heard")
	r.agent = fmt.Sprintf("over_http = true\nheard = %q", heard)
	r.plan()
	r.killedHost(math.MaxInt64) // by the agent
	content, err := os.ReadFile(heard)
	if err != nil {
		t.Fatal(err)
	}
	p := r.plan()
	run, err := r.store().Open(p.Existing.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var recorded []string
	for record, err := range run.Records(journal.Position{}, runstore.TypeCall) {
		if err != nil {
			t.Fatal(err)
		}
		var call runstore.CallRecord
		if err := json.Unmarshal(record.Data, &call); err != nil {
			t.Fatal(err)
		}
		recorded = append(recorded, call.Message.Content)
	}
	if !slices.Contains(recorded, string(content)) {
		t.Errorf("the agent got %q, and on record are %q", content, recorded)
	}
	equal(t, want, r.apply().completes(3))
}

func TestAgent_SurvivesEveryDeath(t *testing.T) {
	undisturbed := newRig(t)
	undisturbed.agent = "samples = 2"
	want := undisturbed.apply().completes(3)
	for name, moments := range map[string][]string{
		"at the start of an episode":  {"run 3"},
		"with a message of the model": {"asked 7"},
		"with an answer of the desk":  {"stepped 11"},
		"with its own answer":         {"answer 5"},
		"four times":                  {"run 1", "asked 2", "answer 1", "run 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.agent = "samples = 2\n" + dying(moments...)
			got := r.apply().completes(3)
			equal(t, want, got)
			restarts := 0
			for _, k := range payloads[event.PluginState](got) {
				if k.State == event.PluginRestarting && k.Instance == "agent.scripted.solver" {
					restarts++
				}
			}
			if restarts == 0 || restarts > len(moments) || !got.Exact { // two moments may coincide in one death
				t.Errorf("%d restarts, exact: %t", restarts, got.Exact)
			}
		})
	}
	t.Run("everybody", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.agent, r.adapter = "samples = 2\n"+dying("asked 9"), dying("update 2")
		r.environment, r.reward = dying("step 5"), dying("score 3")
		equal(t, want, r.apply().completes(3))
	})
}

func TestAgent_FailuresFollowThePolicy(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*rig)
		class    sdk.FailureClass
		outcome  sdk.Outcome
		says     string
		attempts int
	}{
		"it raises": {
			change: func(r *rig) { r.agent = `raise = ["sum-0", "sum-1"]` },
			class:  sdk.FailureAgent, outcome: sdk.OutcomeDropped, says: "agent.scripted.solver: Traceback: nothing but trouble",
			attempts: 3,
		},
		"it never asks the policy": {
			change: func(r *rig) { r.agent = `silent = ["sum-0", "sum-1"]` },
			class:  sdk.FailureAgent, outcome: sdk.OutcomeDropped, says: "without asking the policy", attempts: 3,
		},
		"it hangs": {
			change: func(r *rig) {
				r.agent = `hang = ["sum-0"]`
				r.train = "episode_timeout = \"3s\"\n on_failure \"timeout\" { action = [\"mask\"] }"
			},
			class: sdk.FailureTimeout, outcome: sdk.OutcomeFailed, says: "active budget", attempts: 1,
		},
		"the environment fails": {
			change: func(r *rig) {
				r.agent = workingAgent
				r.environment = `fail = ["sum-0", "sum-1"]`
			},
			class: sdk.FailureEnvironment, outcome: sdk.OutcomeDropped, attempts: 3,
		},
		"the engine breaks, and the agent answers all the same": {
			change: func(r *rig) {
				r.agent = "swallow = true"
				r.adapter = `misbehave = ["lose the engine"]`
				r.steps = 4
			},
			class: sdk.FailureModel, outcome: sdk.OutcomeDropped, says: "out of memory", attempts: 3,
		},
		"the policy mumbles": {
			change: func(r *rig) {
				r.agent = workingAgent
				r.adapter = `misbehave = ["mumble"]`
				r.train = "on_failure \"policy\" { action = [\"mask\"] }"
			},
			class: sdk.FailurePolicy, outcome: sdk.OutcomeFailed, says: "malformed tool call", attempts: 1,
		},
		"the policy rambles": {
			change: func(r *rig) {
				r.agent = workingAgent
				r.adapter = `misbehave = ["ramble"]`
				r.train = "limits { overlong = \"mask\" }"
			},
			outcome: sdk.OutcomeTruncated, attempts: 1,
		},
		"it asks for more messages than it may": {
			change:  func(r *rig) { r.agent = "max_turns = 1" },
			outcome: sdk.OutcomeTruncated, attempts: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			c.change(r)
			r.train += "\n  circuit_breaker { failed_fraction = 1 }"
			e := r.apply().completes(r.steps)
			found, attempts := 0, 0
			for episode, err := range e.run().Episodes(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				checkNumber(t, episode)
				attempts = max(attempts, episode.Attempt)
				if episode.Outcome != c.outcome {
					continue
				}
				if f := episode.Failure; c.class == "" && f == nil || f != nil && f.Class == c.class &&
					strings.Contains(f.Detail, c.says) {
					found++
				}
			}
			if found == 0 || attempts < c.attempts {
				t.Errorf("no episode was %s because of %q, %q; most attempts %d", c.outcome, c.class, c.says, attempts)
			}
		})
	}
}

// The calls of an agent after the end of its episode are refused and reported.
func TestAgent_CallsAfterTheEndAreRefused(t *testing.T) {
	r := newRig(t)
	r.agent = "late = true"
	e := r.apply().completes(3)
	late := 0
	for _, w := range payloads[event.Warning](e) {
		if w.Code == "agent_late_calls" {
			late += w.Count
		}
	}
	if late == 0 {
		t.Error("no event reports it")
	}
}

func TestAgent_IsRestartedAsOftenAsTheSpecAllows(t *testing.T) {
	r := newRig(t)
	r.agent = `die_always = ["run 1"]`
	r.train = "max_restarts = 2"
	e := r.apply()
	if e.Code != run.ExitPlugin || !strings.Contains(e.Reason, "agent.scripted.solver") {
		t.Errorf("exit %s: %s", e.Exit, e.Reason)
	}
}

// A served model that an agent's program calls through the gateway is a member: its messages, usage and costs are
// recorded, each answer is requested once although attempts are repeated, and its chain is neither trained nor the
// adapter's.
func TestAgent_AsksServedModels(t *testing.T) {
	var asked atomic.Int64
	fake := fakeOpenAI(t, &asked)
	started := func(moments ...string) *rig {
		r := newRig(t)
		r.steps, r.concurrency = 1, 1 // a death interrupts no other request, which would be repeated
		r.agent = "over_http = true\n  asks = \"org/Big-7B\"\n  served = [model.openai.big]\n" + dying(moments...)
		r.more = fmt.Sprintf("model \"openai\" \"big\" {\n base_url = %q\n name = \"org/Big-7B\"\n input_price = 2\n "+
			"output_price = 8\n}", fake)
		return r
	}
	want := started().apply().completes(1)
	calls := asked.Swap(0)
	episodes := 0
	for e, err := range want.run().Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		episodes++
		members := map[string]runstore.MemberRecord{}
		for _, m := range e.Members {
			m.ModelMillis = 0
			members[m.Agent] = m
		}
		member := runstore.MemberRecord{
			Agent: "scripted.solver/served/big", Turns: 1, PromptTokens: 1000, OutputTokens: 500, Model: "model.openai.big",
			CostUSD: (1000*2 + 500*8) / 1e6,
		}
		if diff := cmp.Diff(member, members[member.Agent]); diff != "" || len(members) != 2 || len(e.Chains) != 2 {
			t.Errorf("%s: %+v (-want +got):\n%s", e.EpisodeID, e.Chains, diff)
		}
		for _, c := range e.Chains {
			if c.Train != (c.Agent == "scripted.solver" && e.Slot.Split == sdk.SplitTrain) {
				t.Errorf("%s: %+v", e.EpisodeID, c)
			}
		}
		said := map[string]string{}
		for _, part := range e.Transcripts {
			said[part.Agent] = part.Messages[len(part.Messages)-1].Content
		}
		if diff := cmp.Diff(map[string]string{"scripted.solver": e.FinalAnswer, member.Agent: "add them"}, said); diff != "" {
			t.Errorf("%s: what was said (-want +got):\n%s", e.EpisodeID, diff)
		}
	}
	if int64(episodes) != calls || episodes == 0 {
		t.Errorf("%d requests for %d episodes", calls, episodes)
	}
	again := started("run 3").apply().completes(1)
	if again.Digest != want.Digest {
		t.Errorf("the digest is %s, want %s", again.Digest, want.Digest)
	}
	if n := asked.Load(); n != calls {
		t.Errorf("with an agent that dies the served model is asked %d times, want %d", n, calls)
	}
}

// fakeOpenAI serves and counts the chat completions of a fake model.
func fakeOpenAI(t *testing.T, asked *atomic.Int64) (url string) {
	t.Helper()
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"add them"},"finish_reason":"stop"}],`+
			`"usage":{"prompt_tokens":1000,"completion_tokens":500}}`)
	}))
	t.Cleanup(fake.Close)
	return fake.URL
}
