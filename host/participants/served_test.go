package participants

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

func TestServedModelsAreBoundWithTheEndOfTheirConnections(t *testing.T) {
	closed := make(chan struct{}, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"42"},"finish_reason":"stop"}]}`)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()

	actor := &spec.Actor{
		Block: &spec.Block{Kind: "agent", Type: "react", Name: "critic"},
		Body:  spec.AgentBody{AgentConfig: sdk.AgentConfig{Model: "model.openai.judge"}},
	}
	config, err := json.Marshal(map[string]any{"base_url": server.URL, "name": "m", "timeout": "1m"})
	if err != nil {
		t.Fatal(err)
	}
	c := StageBinding{Plan: &plan.Plan{Spec: &spec.Spec{Blocks: map[string]*spec.Block{
		"model.openai.judge": {Kind: "model", Type: "openai", Config: config},
	}}}}
	served, err := c.served(actor)
	if err != nil {
		t.Fatal(err)
	}
	judge := served["react.critic"]
	if _, err := judge.Generate(t.Context(), sdk.GenerateRequest{EpisodeID: "e1"}); err != nil {
		t.Fatal(err)
	}
	judge.Close() // as the engine does
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("the connection to the served model is still open")
	}
}
