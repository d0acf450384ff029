package llmjudgereward

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
)

// asPlugin runs the test program as the plugin.
const asPlugin = "AWHOST_TEST_LLM_JUDGE"

func TestMain(m *testing.M) {
	if os.Getenv(asPlugin) != "" {
		sdk.Serve(Plugin())
	}
	goleak.VerifyTestMain(m)
}

// asked is a request to the fake.
type asked struct {
	Header   http.Header `json:"-"`
	Body     string      `json:"-"`
	Messages []struct{ Role, Content string }
	Tools    []struct {
		Function struct{ Name string }
	}
	Seed        uint64
	Temperature *float64
	Format      *struct{ Type string } `json:"response_format"`
}

// id returns the required id of the verdict.
func (a *asked) id() string {
	_, rest, _ := strings.Cut(a.Messages[1].Content, "The id of your verdict is ")
	return strings.TrimSuffix(rest, ".")
}

// shown returns the data for the judge.
func (a *asked) shown(t *testing.T) (d data) {
	t.Helper()
	found := regexp.MustCompile(`(?s)^BEGIN \w+\n(.*?)\nEND`).FindStringSubmatch(a.Messages[1].Content)
	if found == nil || json.Unmarshal([]byte(found[1]), &d) != nil {
		t.Errorf("the user's message holds no data: %s", a.Messages[1].Content)
	}
	return d
}

// verdictOf returns a verdict with the same points for all criteria.
func (a *asked) verdictOf(points int, names ...string) string {
	all := map[string]int{}
	for _, name := range names {
		all[name] = points
	}
	text, _ := json.Marshal(map[string]any{"id": a.id(), "reason": "because", "points": all})
	return string(text)
}

// fakeAPI replaces a paid API. It implements OpenAI's protocol, and its answers are set by a test.
type fakeAPI struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*asked
}

// serve starts a fake. answer receives each request with its number, from 1.
func serve(t *testing.T, answer func(n int, a *asked, w http.ResponseWriter, r *http.Request)) *fakeAPI {
	t.Helper()
	f := &fakeAPI{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a := &asked{Header: r.Header, Body: string(body)}
		if err := json.Unmarshal(body, a); err != nil {
			t.Errorf("the request is not JSON: %v", err)
		}
		f.mu.Lock()
		f.asked = append(f.asked, a)
		n := len(f.asked)
		f.mu.Unlock()
		answer(n, a, w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

// calls returns the number of requests.
func (f *fakeAPI) calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

// say sends a message that used 100 prompt tokens and 10 output tokens.
func say(w http.ResponseWriter, content string) {
	text, _ := json.Marshal(content)
	fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}`, text)
}

// refuse sends a status, and requests a short pause before a retry.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Retry-After", "0.01")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%q,"code":%q,"type":"t"}}`, message, code)
}

// grading answers each request with the next of these points for the criterion "correct".
func grading(t *testing.T, points ...int) *fakeAPI {
	return serve(t, func(n int, a *asked, w http.ResponseWriter, _ *http.Request) {
		say(w, a.verdictOf(points[(n-1)%len(points)], "correct"))
	})
}

// judge opens the reward as a process would, in a folder that may have been used before.
func judge(t *testing.T, f *fakeAPI, folder string, more map[string]any) *reward {
	t.Helper()
	r, err := newReward(t.Context(), sdk.Setup{
		Config: configured(t, f.URL, more), Dir: folder, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.(*reward).Stop(context.Background(), nil) })
	return r.(*reward)
}

// configured returns a complete configuration, with the defaults of the schema.
func configured(t *testing.T, url string, more map[string]any) json.RawMessage {
	t.Helper()
	config := map[string]any{
		"base_url": url + "/v1", "name": "judge", "api_key": "sk-judge-31415926", "criterion": map[string]any{
			"correct": map[string]any{"text": "The answer is right."},
		},
	}
	for name, value := range more {
		config[name] = value
	}
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Plugin().Rewards[0].Schema.Complete(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range validate(t.Context(), whole) {
		if d.Severity == sdk.SeverityError {
			t.Fatal(d)
		}
	}
	return whole
}

func answering(answer string) sdk.ScoreItem {
	return sdk.ScoreItem{FinalAnswer: answer, Task: sdk.Task{
		ID: "t", Public: json.RawMessage(`{"prompt":"6*7="}`), Private: json.RawMessage(`{"ground_truth":"forty-two"}`),
	}}
}

// score scores items in one call.
func score(t *testing.T, r sdk.Reward, items ...sdk.ScoreItem) *sdk.ScoreResponse {
	t.Helper()
	out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// number returns the score of one item, and fails the test without one.
func number(t *testing.T, s sdk.Scored) float64 {
	t.Helper()
	if s.Failure != nil {
		t.Fatalf("the score is missing: %v", s.Failure)
	}
	return s.Score
}
