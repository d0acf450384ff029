package serveplugin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func episode() sdk.AgentRequest {
	return sdk.AgentRequest{
		EpisodeID: "e1", Place: "00c0ffee", MaxTurns: 4, HasEnvironment: true,
		Task: sdk.Task{ID: "t1", Public: json.RawMessage(`{"prompt":"1 + 2?"}`)},
		Messages: []sdk.Message{
			{
				Role:    sdk.RoleSystem,
				Content: "Be brief.",
			}, {Role: sdk.RoleUser, Content: "1 + 2?", Images: []sdk.Image{{MIMEType: "image/png", Data: []byte("p")}}},
		},
		Models:     map[string]sdk.ModelEndpoint{sdk.ModelPolicy: {BaseURL: "http://127.0.0.1:9/v1", APIKey: "key"}},
		ToolServer: &sdk.ToolEndpoint{URL: "http://127.0.0.1:8/mcp", Token: "tok"},
	}
}

// asked returns an agent with a scripted service.
func asked(t *testing.T, config map[string]any, serve http.HandlerFunc) sdk.Agent {
	t.Helper()
	s := httptest.NewServer(serve)
	t.Cleanup(s.Close)
	full := map[string]any{"url": s.URL + "/episodes"}
	for name, value := range config {
		full[name] = value
	}
	return sdktest.Agent(t, Plugin(), "serve", full)
}

func TestAgent_SaysAndHearsAllOfAnEpisode(t *testing.T) {
	var got map[string]any
	a := asked(
		t,
		map[string]any{"token": "mine", "headers": map[string]any{"X-Team": "red"}},
		func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost || r.URL.Path != "/episodes" || r.Header.Get("Authorization") != "Bearer mine" ||
				r.Header.Get("X-Team") != "red" {
				t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
			}
			if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
				t.Error(err)
			}
			_, _ = io.WriteString(
				w,
				`{"final_answer":"3","reward":0.5,"is_success":true,"metadata":{"a":[1]},"metrics":{"m":2}}`,
			)
		},
	)
	out, err := a.Run(t.Context(), episode(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, reward, success := "3", 0.5, true
	if diff := cmp.Diff(&sdk.AgentResponse{
		FinalAnswer: &answer, Reward: &reward, IsSuccess: &success, Metadata: json.RawMessage(`{"a":[1]}`),
		Metrics: map[string]float64{"m": 2},
	}, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	delete(got, "deadline_seconds")
	want := map[string]any{
		"episode_id": "e1", "place": "00c0ffee", "task_id": "t1", "task": map[string]any{"prompt": "1 + 2?"},
		"max_turns": 4.0,
		"messages": []any{
			map[string]any{"role": "system", "content": "Be brief."},
			map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "text", "text": "1 + 2?"},
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,cA=="}},
			}},
		},
		"model": map[string]any{
			"name":     "policy",
			"base_url": "http://127.0.0.1:9/v1",
			"root_url": "http://127.0.0.1:9",
			"api_key":  "key",
		},
		"tools": map[string]any{"mcp_url": "http://127.0.0.1:8/mcp", "token": "tok"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the request (-want +got):\n%s", diff)
	}
}

// The failure class decides whether the next attempt counts against a budget.
func TestAgent_WhoIsToBlame(t *testing.T) {
	said := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	hangUp := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
	for name, test := range map[string]struct {
		serve  http.HandlerFunc
		class  sdk.FailureClass // empty: success
		detail string
	}{
		"nothing is said": {said(http.StatusNoContent, ""), "", ""},
		"null":            {said(200, "null"), "", ""},
		"a bug of the service": {said(500, "Traceback:\nKeyError"), sdk.FailureAgent, "responded with 500 Internal " +
			"Server Error: Traceback: KeyError"},
		"it does not like the request": {said(422, "no"), sdk.FailureAgent, "responded with 422"},
		"it sends the episode elsewhere": {said(307, ""), sdk.FailureAgent,
			"responded with 307 Temporary Redirect: (nothing)"},
		"a failure that it reports": {said(200, `{"error":"the model said `+
			`nothing"}`), sdk.FailureAgent, "reports: the model said nothing"},
		"no JSON": {said(200, "done"), sdk.FailureAgent, "not a JSON object of final_answer"},
		"JSON that is no answer": {said(200, `{"reward":"high"}`), sdk.FailureAgent, "not a JSON object of " +
			"final_answer"},
		"metadata that is no object": {said(200, `{"metadata":7}`), sdk.FailureAgent, "the agent's metadata " +
			"is not a JSON object"},
		"too much": {said(200, strings.Repeat(" ", 17<<20)), sdk.FailureAgent, "sent a response " +
			"larger than 16 MiB"},
		"a proxy without the service": {said(502, "bad gateway"), sdk.FailureInfrastructure, "responded with 502 Bad " +
			"Gateway: bad gateway"},
		"the service is starting":           {said(503, ""), sdk.FailureInfrastructure, "responded with 503"},
		"the connection ends":               {hangUp, sdk.FailureInfrastructure, "is unavailable: "},
		"the connection ends in the answer": {said(200, ""), "", ""},
	} {
		if name == "the connection ends in the answer" {
			test.class, test.detail = sdk.FailureInfrastructure, "unexpected EOF"
			test.serve = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, "{")
			}
		}
		out, err := asked(t, nil, test.serve).Run(t.Context(), episode(), nil, nil)
		var failure *sdk.Failure
		errors.As(err, &failure)
		switch {
		case test.class == "" && err == nil && (out == nil || out.FinalAnswer == nil):
		case failure == nil || failure.Class != test.class || !strings.Contains(failure.Detail, test.detail):
			t.Errorf("%s: %+v, %v; want %s: %s", name, out, err, test.class, test.detail)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, err := sdktest.Agent(t, Plugin(), "serve", map[string]any{"url": gone.URL}).Run(t.Context(), episode(), nil, nil)
	var failure *sdk.Failure
	if !errors.As(err, &failure) || failure.Class != sdk.FailureInfrastructure ||
		!strings.Contains(failure.Detail, "connection refused") {
		t.Errorf("no process listens: %v", err)
	}
}

// A canceled episode closes the connection, and so does one that exceeds its time limit.
func TestAgent_TheServiceHearsOfTheEnd(t *testing.T) {
	arrived, over := make(chan struct{}, 2), make(chan struct{}, 2)
	wait := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server detects a closed connection only after it has read the request
		arrived <- struct{}{}
		<-r.Context().Done()
		over <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	a := asked(t, nil, wait)
	go func() {
		_, err := a.Run(ctx, episode(), nil, nil)
		ended <- err
	}()
	<-arrived
	cancel()
	if err := <-ended; err == nil {
		t.Error("it ended well")
	}
	<-over
	_, err := asked(t, map[string]any{"timeout": "50ms"}, wait).Run(t.Context(), episode(), nil, nil)
	var failure *sdk.Failure
	if !errors.As(err, &failure) || failure.Class != sdk.FailureAgent ||
		!strings.Contains(failure.Detail, "did not respond within timeout (50ms)") {
		t.Errorf("%v", err)
	}
	<-over
}

func TestValidate(t *testing.T) {
	for config, want := range map[string]string{
		`{"url":"http://127.0.0.1:8900/x"}`: "", `{}`: "", `{"url":"127.0.0.1:8900"}`: "is not the URL of a service",
		`{"url":"ftp://x/y"}`: "is not the URL",
	} {
		got := ""
		for _, d := range validate(t.Context(), json.RawMessage(config)) {
			got += d.Detail
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
}
