package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	askTools = `"tools":[{"type":"function","function":{"name":"other"}},` +
		`{"type":"function","function":{"name":"desk_add"}}]`
	asked = `{"role":"user","content":[{"type":"text","text":"Q7: what is 17 + 1? Use the tool."}]}`
)

func post(t *testing.T, e *engine, body string) string {
	t.Helper()
	resp, err := http.Post(e.url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("got %s, %v: %s", resp.Status, err, text)
	}
	return string(text)
}

// TestEngine_PlaysAnEpisode plays an episode that is streamed or not.
func TestEngine_PlaysAnEpisode(t *testing.T) {
	e, err := startEngine(time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for name, options := range map[string]string{"whole": "", "stream": `"stream":true,"logprobs":true,`} {
		t.Run(name, func(t *testing.T) {
			before := e.count()
			first := post(t, e, `{`+options+askTools+`,"messages":[`+asked+`]}`)
			if !strings.Contains(first, `"name":"desk_add"`) || !strings.Contains(first, `{\"a\": 17, \"b\": 1}`) {
				t.Fatalf("got %s; want a call of desk_add with 17 and 1", first)
			}
			_, rest, _ := strings.Cut(first, `"id":"call_`)
			id, _, _ := strings.Cut(rest, `"`)
			if added := e.takeAdded(); len(added) != 0 {
				t.Errorf("got %d delays before the tool's result; want none", len(added))
			}
			second := post(t, e, `{`+options+askTools+`,"messages":[`+asked+
				`,{"role":"tool","tool_call_id":"call_`+id+`","content":"{\"sum\": 18}"}]}`)
			if !strings.Contains(second, `\u003canswer\u003e18\u003c/answer\u003e`) {
				t.Errorf("got %s; want the answer 18", second)
			}
			if added := e.takeAdded(); len(added) != 1 || added[0] < 0 {
				t.Errorf("got the delays %v; want one", added)
			}
			if got := e.count() - before; got != turnsPerEpisode {
				t.Errorf("counted %d turns; want %d", got, turnsPerEpisode)
			}
			if stream := options != ""; stream != strings.HasSuffix(second, "data: [DONE]\n\n") ||
				stream != strings.Contains(second, `"token":"token_id:1000"`) {
				t.Errorf("got %s; want stream and log probabilities: %t", second, stream)
			}
		})
	}
}

func TestEngine_ReturnsTokens(t *testing.T) {
	e, err := startEngine(0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	var reply struct {
		Prompt  []int `json:"prompt_token_ids"`
		Choices []struct {
			Tokens   []int `json:"token_ids"`
			LogProbs struct {
				Content []struct{ LogProb float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(post(t, e, `{"return_token_ids":true,`+askTools+`,"messages":[`+asked+`]}`)),
		&reply); err != nil {
		t.Fatal(err)
	}
	c := reply.Choices[0]
	if len(reply.Prompt) != promptTokens || len(c.Tokens) != messageTokens || len(c.LogProbs.Content) != messageTokens {
		t.Errorf("got %d, %d, and %d tokens; want %d, %d, and %d", len(reply.Prompt), len(c.Tokens), len(c.LogProbs.Content),
			promptTokens, messageTokens, messageTokens)
	}
}
