package examples_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
	"github.com/awhost/awhost/sdk"
)

// gatewayClients returns the folder of .ci/gateway-clients.
func gatewayClients(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("AWHOST_GATEWAY_CLIENTS")
	if folder == "" {
		t.Skip("SKIPPED: AWHOST_GATEWAY_CLIENTS does not name the folder that .ci/gateway-clients makes")
	}
	return folder
}

// played has the fields of an episode that the tests of clients use.
type played struct {
	ID      string             `json:"episode_id"`
	Outcome string             `json:"outcome"`
	Reward  *float64           `json:"reward"`
	Metrics map[string]float64 `json:"metrics"`
	Chains  []struct {
		Agent  string `json:"agent"`
		Digest string `json:"digest"`
		Train  bool   `json:"train"`
	} `json:"chains"`
	Members []struct {
		Agent string `json:"agent"`
		memberOf
	} `json:"members"`
	FinalAnswer string            `json:"final_answer"`
	Transcripts []json.RawMessage `json:"transcripts"`
	Metadata    struct {
		Client  string   `json:"client"`
		Clients []string `json:"clients"`
	} `json:"metadata"`
	Seeds struct {
		Calls []json.RawMessage `json:"calls"`
	} `json:"seeds"`
	Failure json.RawMessage `json:"failure"`
}

// memberOf holds the totals of a member's requests.
type memberOf struct {
	Turns        int     `json:"turns"`
	PromptTokens int     `json:"prompt_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Model        string  `json:"model"`
	Cost         float64 `json:"cost_usd"`
}

// clientRun is a finished run of examples/clients and its episodes by position.
type clientRun struct {
	digest   string
	episodes map[string]played
}

// playClients trains with an agent of the example for some steps. It fails if an episode does, if a client sent more
// requests than its program, or if the policy's number of conversations is wrong.
func playClients(t *testing.T, dir string, steps, conversations int, vars ...string) clientRun {
	t.Helper()
	args := []string{"--new", "--var", fmt.Sprint("steps=", steps)}
	for _, v := range vars {
		args = append(args, "--var", v)
	}
	finished := realtest.Apply(t, dir, args...).Wait()
	stranger.Done(t, finished, "completed", steps)
	out := clientRun{stranger.Digest(t, dir, finished), map[string]played{}}
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		var e played
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		_, place, _ := strings.Cut(e.ID, "/")
		out.episodes[place] = e
		who := fmt.Sprint(vars, " ", e.Metadata.Client, " ", place)
		policy := 0
		for _, c := range e.Chains {
			served := strings.Contains(c.Agent, "/served/")
			if c.Train == served {
				t.Errorf("%s: a conversation of %s: trained is %t", who, c.Agent, c.Train)
			}
			if !served {
				policy++
			}
		}
		if e.Outcome != "SCORED" || policy != conversations {
			t.Fatalf("%s: %s, %d chains: %s", who, e.Outcome, policy, e.Failure)
		}
		sampled := float64(len(e.Seeds.Calls))
		if calls, ok := e.Metrics["gateway/calls"]; ok && calls != sampled || e.Metrics["agent/asked"] != sampled {
			t.Errorf("%s: the record has %g calls, and metrics %v", who, sampled, e.Metrics)
		}
	}
	return out
}

// clientsExample copies the example with the clients of .ci/gateway-clients and the given arguments in the block.
func clientsExample(t *testing.T, arguments any) (dir string) {
	t.Helper()
	dir = realtest.Copy(t, "examples/clients")
	every, err := os.ReadFile("clients/testdata/every.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "every.py"), every, 0o600); err != nil {
		t.Fatal(err)
	}
	if arguments != nil {
		text, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  max_turns = 4\n",
			fmt.Sprintf("  max_turns = 4\n  arguments = jsondecode(%q)\n", text))
	}
	return dir
}

// programs returns the commands of clients in other languages, by name.
func programs(t *testing.T, dir, folder string) map[string]map[string]any {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "go-openai")
	if out, err := exec.Command("go", "build", "-o", binary, "./clients/go-openai").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out := map[string]map[string]any{
		"go-openai": {"command": []string{binary}},
		"curl":      {"command": []string{"bash", filepath.Join(dir, "curl/agent.sh")}},
	}
	for _, how := range []string{"chat", "stream", "responses", "responses_stream"} {
		out["npm "+how] = map[string]any{
			"command":     []string{"node", filepath.Join(dir, "npm/agent.mjs"), how},
			"environment": map[string]string{"NODE_FOLDER": folder},
		}
	}
	return out
}

// TestClients_AreOneToTheTrainer checks that each client, in some episodes of a step, produces the same tokens,
// reward and weights as awhost's own loop.
func TestClients_AreOneToTheTrainer(t *testing.T) {
	folder := gatewayClients(t)
	venv := "venv=" + filepath.Join(folder, "venv")
	dir := clientsExample(t, nil)
	const prompts = "prompts=7"
	want := playClients(t, dir, 1, 1, "client=model_chat", venv, prompts)
	dir = clientsExample(t, map[string]any{"programs": programs(t, dir, folder)})
	got := playClients(t, dir, 1, 1, "client=every", "file=every.py", venv, prompts)
	var missing []string
	for place, e := range got.episodes {
		if diff := cmp.Diff(want.episodes[place].Transcripts, e.Transcripts); diff != "" {
			t.Errorf("%s: what was said (-want +got):\n%s", e.Metadata.Client, diff)
		}
		if e.Chains[0].Digest != want.episodes[place].Chains[0].Digest || *e.Reward != *want.episodes[place].Reward {
			t.Errorf("%s comes to other tokens or another reward, %g", e.Metadata.Client, *e.Reward)
		}
		if missing == nil {
			missing = slices.Clone(e.Metadata.Clients)
		}
	}
	for _, e := range got.episodes {
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == e.Metadata.Client })
	}
	if len(got.episodes) != 28 || len(missing) > 0 {
		t.Errorf("%d episodes; these clients played none: %v", len(got.episodes), missing)
	}
	if got.digest != want.digest {
		t.Errorf("the digest is %s, want %s", got.digest, want.digest)
	}
}

// TestClients_TrainAlone checks the same for two steps with a single client.
func TestClients_TrainAlone(t *testing.T) {
	realtest.Slow(t)
	folder := gatewayClients(t)
	venv := "venv=" + filepath.Join(folder, "venv")
	want := playClients(t, clientsExample(t, nil), 2, 1, "client=model_chat", venv).digest
	check := func(name string, dir string, vars ...string) {
		t.Run(name, func(t *testing.T) {
			if got := playClients(t, dir, 2, 1, append(vars, venv)...).digest; got != want {
				t.Errorf("the digest is %s, want %s", got, want)
			}
		})
	}
	for _, name := range []string{
		"openai_chat", "openai_chat_async", "openai_chat_stream", "openai_chat_stream_async", "openai_responses",
		"openai_responses_async", "openai_responses_stream", "openai_responses_stream_async", "anthropic",
		"anthropic_stream_async", "openai_agents_chat", "openai_agents_responses", "openai_agents_stream", "langchain",
		"langchain_stream", "langchain_responses", "agentscope", "litellm", "litellm_stream_async", "litellm_anthropic",
	} {
		check(name, clientsExample(t, nil), "client="+name)
	}
	dir := clientsExample(t, nil)
	for name, arguments := range programs(t, dir, folder) {
		check(name, clientsExample(t, arguments), "client=program")
	}
}

// TestClients_AWorld checks that AWorld's own Agent with MCP tools gives bit-identical results to awhost's loop. A
// Swarm of it has one conversation of the policy per agent, or only one if a served model replaces the other agents.
func TestClients_AWorld(t *testing.T) {
	realtest.Slow(t)
	folder := gatewayClients(t)
	vars := []string{"venv=" + filepath.Join(folder, "aworld"), "file=aworld_agents.py", "concurrency=4"}
	t.Run("an agent", func(t *testing.T) {
		want := playClients(t, clientsExample(t, nil), 2, 1, "client=model_chat", vars[0], "prompts=2")
		got := playClients(t, clientsExample(t, nil), 2, 1, append(vars, "client=agent", "prompts=2")...)
		if got.digest != want.digest {
			t.Errorf("the digest is %s, want %s", got.digest, want.digest)
		}
	})
	t.Run("a swarm of the policy", func(t *testing.T) {
		first := playClients(t, clientsExample(t, nil), 2, 3, append(vars, "client=swarm", "prompts=1")...)
		again := playClients(t, clientsExample(t, nil), 2, 3, append(vars, "client=swarm", "prompts=1")...)
		if first.digest != again.digest {
			t.Errorf("the digests are %s and %s", first.digest, again.digest)
		}
	})
	t.Run("a swarm with a served model", func(t *testing.T) {
		fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // fake OpenAI
			var request openai.ChatCompletionRequest
			if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Model != "org/Big" {
				t.Errorf("model %q: %v", request.Model, err)
			}
			last := request.Messages[len(request.Messages)-1]
			_ = json.NewEncoder(w).Encode(openai.ChatCompletionResponse{
				Choices: []openai.ChatCompletionChoice{{
					Message:      openai.ChatCompletionMessage{Role: "assistant", Content: "It says: " + last.Content},
					FinishReason: "stop",
				}},
				Usage: openai.Usage{PromptTokens: 1000, CompletionTokens: 500},
			})
		}))
		defer fake.Close()
		dir := clientsExample(t, nil)
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  max_turns = 4\n}\n", fmt.Sprintf("  max_turns = 4\n"+
			"  served = [model.openai.big]\n}\nmodel \"openai\" \"big\" {\n  base_url = %q\n  name = \"org/Big\"\n"+
			"  input_price = 2\n  output_price = 8\n}\n", fake.URL))
		got := playClients(t, dir, 2, 1, append(vars, "client=served_swarm", "prompts=1")...)
		member := memberOf{Turns: 1, PromptTokens: 1000, OutputTokens: 500, Model: "model.openai.big", Cost: 0.006}
		for place, e := range got.episodes {
			members, said := map[string]memberOf{}, map[string]string{}
			for _, m := range e.Members {
				if m.Model != "" {
					members[m.Agent] = m.memberOf
				}
			}
			for _, text := range e.Transcripts {
				var part struct {
					Agent    string        `json:"agent"`
					Messages []sdk.Message `json:"messages"`
				}
				if err := json.Unmarshal(text, &part); err != nil {
					t.Fatal(err)
				}
				said[part.Agent] = part.Messages[len(part.Messages)-1].Content
			}
			const plan, sum = "python.mine/served/big/plan", "python.mine/served/big/sum"
			if diff := cmp.Diff(map[string]memberOf{plan: member, sum: member}, members); diff != "" {
				t.Errorf("%s (-want +got):\n%s", place, diff)
			}
			if !strings.HasPrefix(said[plan], "It says: ") || said[sum] != e.FinalAnswer {
				t.Errorf("%s answers %q, and its members said %q", place, e.FinalAnswer, said)
			}
		}
	})
}

// TestClients_APolicyLearnsByOpenAIsClient checks that the quick start's task is learned bit-identically to awhost's
// own loop, also with the environment's tools over MCP and with agent, host and trainer killed.
func TestClients_APolicyLearnsByOpenAIsClient(t *testing.T) {
	realtest.Slow(t)
	const steps = 15
	venv := filepath.Join(gatewayClients(t), "venv")
	prepared := func(t *testing.T) string {
		dir := realtest.Copy(t, "examples/python-agent")
		spec := filepath.Join(dir, "train.hcl")
		realtest.Edit(t, spec, "  max_turns   = 4\n", fmt.Sprintf("  max_turns   = 4\n  venv        = %q\n", venv))
		realtest.Edit(t, spec, "  validate {\n    every        = 10", fmt.Sprint(
			"  batch {\n    prompts    = 16\n    group_size = 8\n  }\n  validate {\n    every        = ", steps))
		return dir
	}
	of := fmt.Sprint("steps=", steps)
	dir := prepared(t)
	finished := realtest.Apply(t, dir, "--var", of).Wait()
	before, after := stranger.Trained(t, finished, steps)
	if after-before < 0.20 {
		t.Errorf("held-out success: from %g to %g; want a rise of 20 points", before, after)
	}
	want := stranger.Digest(t, dir, finished)
	for _, agent := range []string{"solve_with_openai", "solve_with_mcp"} {
		t.Run(agent, func(t *testing.T) {
			dir := prepared(t)
			run := realtest.Apply(t, dir, "--var", of, "--var", "agent="+agent)
			run.UntilStep(2)
			run.Kill("agent.python.mine")
			run.UntilStep(4)
			run.Kill("adapter.local.grpo")
			run.UntilStep(6)
			run.KillHost()
			finished := realtest.Start(t, dir, "resume").Wait()
			stranger.Done(t, finished, "completed", steps)
			if got := stranger.Digest(t, dir, finished); got != want {
				t.Errorf("the digest is %s, want %s", got, want)
			}
		})
	}
}
