// Package sdktest helps plugin authors write tests: it serves a plugin inside the test over the real protocol and
// returns its components as the SDK's Go interfaces.
//
//	func TestExact(t *testing.T) {
//		reward := sdktest.Reward(t, plugin(), "exact", map[string]any{"ignore_case": true})
//		out, err := reward.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: "42"}}})
//		…
//	}
//
// It must not depend on the host. To run a plugin as a separate process, use sdk/client or the conformance suite.
package sdktest

import (
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// Environment configures plugin p's environment typ.
func Environment(t testing.TB, p sdk.Plugin, typ string, config map[string]any) sdk.Environment {
	t.Helper()
	return sdk.RemoteEnvironment(start(t, p, sdk.KindEnvironment, typ, config, nil).Conn, string(sdk.KindEnvironment)+"."+
		typ)
}

// Reward configures plugin p's reward typ.
func Reward(t testing.TB, p sdk.Plugin, typ string, config map[string]any) sdk.Reward {
	t.Helper()
	return sdk.RemoteReward(start(t, p, sdk.KindReward, typ, config, nil).Conn)
}

// Adapter configures plugin p's adapter typ; host serves its calls.
func Adapter(t testing.TB, p sdk.Plugin, typ string, config map[string]any, host sdk.Host) sdk.Adapter {
	t.Helper()
	return sdk.RemoteAdapter(start(t, p, sdk.KindAdapter, typ, config, host).Conn)
}

// Agent configures plugin p's agent typ. The model and the session passed to Run serve its calls.
func Agent(t testing.TB, p sdk.Plugin, typ string, config map[string]any) sdk.Agent {
	t.Helper()
	in := start(t, p, sdk.KindAgent, typ, config, nil)
	return sdk.RemoteAgent(in.Conn, in.Leases, sdk.InProcessHolder)
}

func start(t testing.TB, p sdk.Plugin, kind sdk.ComponentKind, typ string, config map[string]any,
	host sdk.Host) *sdk.InProcess {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	in, err := sdk.ServeInProcess(p, host, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	component, ok := describe(p, kind, typ)
	if !ok {
		t.Fatalf("plugin %s has no %s %q", p.Name, kind, typ)
	}
	request := sdk.ConfigureRequest{
		Kind: kind, Type: typ, Config: complete(t, component, config), RunID: "test", Incarnation: 1, Dir: t.TempDir(),
	}
	if host != nil || kind == sdk.KindAgent {
		request.HostSocket = "in-process"
	}
	problems, err := in.Configure(t.Context(), request)
	if err != nil {
		t.Fatalf("configure %s %q: %v", kind, typ, err)
	}
	for _, d := range problems {
		t.Fatalf("configure %s %q: %s: %s", kind, typ, d.Summary, d.Detail)
	}
	return in
}

func describe(p sdk.Plugin, kind sdk.ComponentKind, typ string) (*sdk.ComponentDescription, bool) {
	d := p.Describe()
	return d.Component(kind, typ)
}

// complete fills in the schema's defaults, as the host does.
func complete(t testing.TB, c *sdk.ComponentDescription, config map[string]any) json.RawMessage {
	t.Helper()
	given, err := json.Marshal(config)
	if err != nil {
		t.Fatalf("encode the configuration: %v", err)
	}
	full, err := c.Schema.Complete(given)
	if err != nil {
		t.Fatalf("configuration of %q: %v", c.Type, err)
	}
	return full
}
