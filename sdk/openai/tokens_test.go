package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// engine is a fake engine. Its answers have the form of a real engine's, according to its sources, but nothing is
// sampled. A token is a byte. Neither vLLM nor SGLang can run without a GPU.
type engine struct {
	kind  string
	shift int    // number of log-probabilities minus number of ids
	drift string // inserted before the second prompt of a conversation, which is then not an extension

	mu     sync.Mutex
	bodies []map[string]any
}

// bytesOf returns the tokens of a text.
func bytesOf(text string) []int32 {
	out := []int32{}
	for _, b := range []byte(text) {
		out = append(out, int32(b))
	}
	return out
}

// ServeHTTP implements http.Handler.
func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	var body map[string]any
	if err != nil || json.Unmarshal(text, &body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.bodies = append(e.bodies, body)
	e.mu.Unlock()
	for _, name := range []string{"return_token_ids", "return_meta_info", "return_prompt_token_ids"} {
		if _, asked := body[name]; asked && strings.HasPrefix(e.kind, "hosted") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":"Unrecognized request argument supplied: %s"}}`, name)
			return
		}
	}
	prompt := ""
	if messages := body["messages"].([]any); len(messages) > 1 {
		prompt = e.drift
	}
	for _, m := range body["messages"].([]any) {
		message := m.(map[string]any)
		prompt += fmt.Sprintf("<%s>%v;", message["role"], message["content"])
	}
	prompt += "<assistant>"
	said := fmt.Sprintf("n%d", len(body["messages"].([]any)))
	sampled := bytesOf(said + ";")
	choice := map[string]any{
		"index": 0, "finish_reason": "stop", "logprobs": nil,
		"message": map[string]any{"role": "assistant", "content": said},
	}
	answer := map[string]any{"object": "chat.completion", "choices": []any{choice}}
	content, meta := []any{}, []any{}
	for i := range len(sampled) + e.shift {
		logprob := -float64(i+1) / 4
		content = append(content, map[string]any{"token": "x", "logprob": logprob, "bytes": nil, "top_logprobs": []any{}})
		meta = append(meta, []any{logprob, sampled[min(i, len(sampled)-1)], nil})
	}
	if body["logprobs"] == true && e.kind != "text" && e.kind != "hosted text" {
		choice["logprobs"] = map[string]any{"content": content}
		if _, set := body["top_logprobs"]; e.kind == "vllm" && !set {
			choice["logprobs"] = map[string]any{"content": nil}
		}
	}
	switch {
	case e.kind == "vllm" && body["return_token_ids"] == true:
		answer["prompt_token_ids"], choice["token_ids"] = bytesOf(prompt), sampled
	case e.kind == "sglang" && body["return_token_ids"] == true:
		choice["prompt_token_ids"], choice["token_ids"] = bytesOf(prompt), sampled
	case e.kind == "older sglang" && body["return_meta_info"] == true && body["return_prompt_token_ids"] == true:
		choice["prompt_token_ids"] = bytesOf(prompt)
		choice["meta_info"] = map[string]any{"id": "1", "output_token_logprobs": meta[:len(sampled)]}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// endpointOf returns an endpoint of a fake that must return its tokens.
func endpointOf(t *testing.T, e *engine) *openai.Endpoint {
	t.Helper()
	h := httptest.NewServer(e)
	t.Cleanup(h.Close)
	out, err := openai.New(openai.Config{BaseURL: h.URL + "/v1", Name: "fake", APIKey: key, Tokens: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return out
}

func TestPrepare_Grades(t *testing.T) {
	for _, tc := range []struct {
		kind   string
		grade  openai.Grade
		probes int
	}{
		{"vllm", openai.GradeTokens, 1},
		{"sglang", openai.GradeTokens, 1},
		{"older sglang", openai.GradeTokens, 2},
		{"logprobs", openai.GradeLogprobs, 4},
		{"hosted", openai.GradeLogprobs, 4},
		{"text", openai.GradeText, 4},
		{"hosted text", openai.GradeText, 4},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			fake := &engine{kind: tc.kind}
			err := endpointOf(t, fake).Prepare(t.Context())
			var less *openai.TokensError
			switch {
			case tc.grade == openai.GradeTokens && err != nil:
				t.Error(err)
			case tc.grade != openai.GradeTokens && (!errors.As(err, &less) || less.Grade != tc.grade):
				t.Errorf("got %v; want the grade %s", err, tc.grade)
			}
			if len(fake.bodies) != tc.probes {
				t.Errorf("%d requests; want %d", len(fake.bodies), tc.probes)
			}
			for _, body := range fake.bodies {
				if n := body["max_tokens"]; n != 16.0 {
					t.Errorf("a probe requests %v tokens", n)
				}
			}
		})
	}
}

// The probe must detect a lost or additional log-probability. Nothing may be padded or cut.
func TestPrepare_UnequalLengthsAreAnError(t *testing.T) {
	for _, kind := range []string{"vllm", "sglang", "older sglang"} {
		for shift, want := range map[int]string{
			1:  "3 token ids and 4 log-probabilities",
			-1: "3 token ids and 2 log-probabilities",
		} {
			if kind == "older sglang" && shift < 0 {
				continue // its ids come with their log-probabilities
			}
			err := endpointOf(t, &engine{kind: kind, shift: shift}).Prepare(t.Context())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %+d: got %v; want %q", kind, shift, err, want)
			}
		}
	}
}

func TestPrepare_InvalidResponses(t *testing.T) {
	s := serve(t, refuse(http.StatusUnauthorized, `{"error":{"message":"wrong key `+key+`"}}`))
	e, err := openai.New(openai.Config{BaseURL: s.url, Name: "m", APIKey: key, Tokens: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	err = e.Prepare(t.Context())
	var less *openai.TokensError
	if err == nil || errors.As(err, &less) || !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), key) {
		t.Errorf("got %v; want the refusal, without the key", err)
	}
	if _, err := e.Generate(t.Context(), sdk.GenerateRequest{EpisodeID: "e"}); err == nil {
		t.Error("it samples before the probe for tokens")
	}
}

// talk requests the next message of a conversation.
func talk(t *testing.T, e *openai.Endpoint, chain string, base int, text string) *sdk.GenerateResponse {
	t.Helper()
	out, err := e.Generate(t.Context(), sdk.GenerateRequest{
		EpisodeID: "e", Attempt: 1, Chain: chain, Base: base, Messages: []sdk.Message{{Role: sdk.RoleUser, Content: text}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// text returns a row as text of the fake's tokens. Sampled parts are in brackets, with the sum of their
// log-probabilities.
func text(t *testing.T, row openai.Row) string {
	t.Helper()
	n := len(row.IDs)
	if len(row.LossMask) != n || len(row.Logprobs) != n || len(row.TurnIDs) != n {
		t.Fatalf("%d ids, %d marks, %d log-probabilities, %d turns",
			n, len(row.LossMask), len(row.Logprobs), len(row.TurnIDs))
	}
	out, sum := "", float32(0)
	for i, id := range row.IDs {
		if row.LossMask[i] != (row.TurnIDs[i] >= 0) || !row.LossMask[i] && row.Logprobs[i] != 0 {
			t.Errorf("token %d: mask %v, turn %d, log-probability %g", i, row.LossMask[i], row.TurnIDs[i], row.Logprobs[i])
		}
		if row.LossMask[i] && (i == 0 || !row.LossMask[i-1]) {
			out, sum = out+"[", 0
		}
		out, sum = out+string(rune(id)), sum+row.Logprobs[i]
		if row.LossMask[i] && (i+1 == n || !row.LossMask[i+1]) {
			out += fmt.Sprintf("|%g]", sum)
		}
	}
	return out
}

func TestRows_EachSampledTokenOnce(t *testing.T) {
	for _, kind := range []string{"vllm", "sglang", "older sglang"} {
		t.Run(kind, func(t *testing.T) {
			e := endpointOf(t, &engine{kind: kind})
			if err := e.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			first := talk(t, e, "", 0, "a")
			second := talk(t, e, first.Chain, first.ChainLength, "b")
			fork := talk(t, e, second.Chain, first.ChainLength, "c")
			if fork.Chain == first.Chain {
				t.Fatal("the fork is the chain that it left")
			}
			rows := e.Rows("e")
			var got []string
			for _, row := range rows {
				got = append(got, text(t, row))
			}
			want := []string{
				"<user>a;<assistant>[n1;|-1.5]<user>b;<assistant>[n3;|-1.5]",
				"<user>a;<assistant>n1;<user>c;<assistant>[n3;|-1.5]",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			begins := len("<user>a;<assistant>")
			if rows[0].Chain != first.Chain || rows[1].Chain != fork.Chain || rows[0].PromptLength != begins {
				t.Errorf("%+v", rows)
			}
			if e.Release("e"); e.Rows("e") != nil {
				t.Error("rows of an episode that was released")
			}
		})
	}
}

// If the server tokenizes its own message differently, or an unsampled message is in between, the conversation must
// be several rows.
func TestRows_NonExtensionStartsNewRow(t *testing.T) {
	e := endpointOf(t, &engine{kind: "vllm", drift: "!"})
	if err := e.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := talk(t, e, "", 0, "a")
	given := sdk.Message{Role: sdk.RoleAssistant, Content: "given"}
	known, err := e.Generate(t.Context(), sdk.GenerateRequest{
		EpisodeID: "e", Attempt: 1, Chain: first.Chain, Base: first.ChainLength, Scripted: &given,
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "b"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	talk(t, e, known.Chain, known.ChainLength, "c")
	var got []string
	for _, row := range e.Rows("e") {
		got = append(got, text(t, row))
	}
	want := []string{
		"<user>a;<assistant>[n1;|-1.5]", "!<user>a;<assistant>n1;<user>b;<assistant>given;<user>c;<assistant>[n5;|-1.5]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that stops returning tokens must fail the message. It must not give an incomplete row.
func TestGenerate_MissingTokensFail(t *testing.T) {
	fake := &engine{kind: "vllm"}
	e := endpointOf(t, fake)
	if err := e.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{
		"text": "returned no tokens", "off by one": "3 token ids and 4 log-probabilities",
	} {
		fake.mu.Lock()
		fake.kind = kind
		if kind == "off by one" {
			fake.kind, fake.shift = "vllm", 1
		}
		fake.mu.Unlock()
		_, err := e.Generate(t.Context(), sdk.GenerateRequest{
			EpisodeID: "e", Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "a"}},
		})
		var failed *sdk.GenerateError
		if !errors.As(err, &failed) || failed.Kind != sdk.GenerateEngine || !strings.Contains(failed.Detail, want) {
			t.Errorf("%s: got %v; want %q", kind, err, want)
		}
	}
	if rows := e.Rows("e"); rows != nil {
		t.Errorf("rows %+v", rows)
	}
}

var _ http.Handler = (*engine)(nil)
