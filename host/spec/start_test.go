package spec_test

import (
	"encoding/json"
	"testing"

	"github.com/awhost/awhost/host/spec"
)

// TestServer_ConnectedHasTexts checks that a number printed by a server becomes a string in the block.
func TestServer_ConnectedHasTexts(t *testing.T) {
	s := &spec.Server{Details: []string{"port", "tls"}, ReadyURL: "http://localhost:{{connection.port}}/"}
	connected, config, err := s.Connected(json.RawMessage(`{"headers": {"X-Port": "{{connection.port}}",
		"X-TLS": "{{connection.tls}}", "X-Task": "{{task.id}}"}}`), json.RawMessage(`{"port": 8000, "tls": true}`))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Headers map[string]string }
	if err := json.Unmarshal(config, &got); err != nil {
		t.Fatalf("%s: %v", config, err)
	}
	for name, want := range map[string]string{"X-Port": "8000", "X-TLS": "true", "X-Task": "{{task.id}}"} {
		if got.Headers[name] != want {
			t.Errorf("%s is %q, want %q", name, got.Headers[name], want)
		}
	}
	if want := "http://localhost:8000/"; connected.ReadyURL != want {
		t.Errorf("ready_url is %s, want %s", connected.ReadyURL, want)
	}
}
