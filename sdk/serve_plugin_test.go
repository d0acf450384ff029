package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// validatingPlugin returns a plugin that fails until it gets the mode "good".
func validatingPlugin(seen *sdk.Setup) sdk.Plugin {
	return sdk.Plugin{Name: "picky", Version: "1.0.0", Rewards: []sdk.RewardComponent{{
		Component: sdk.Component{
			Type:   "picky",
			Schema: schema.Block{Attributes: []schema.Attribute{schema.String("mode", "good or bad")}},
			Validate: func(_ context.Context, config json.RawMessage) []sdk.Diagnostic {
				return []sdk.Diagnostic{{Severity: sdk.SeverityWarning, Summary: "seen", Detail: string(config),
					Path: []string{"mode"}}}
			},
		},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
			*seen = setup
			var config struct{ Mode string }
			if err := setup.Decode(&config); err != nil {
				return nil, err
			}
			switch config.Mode {
			case "bad":
				return nil, &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Bad mode",
					Path: []string{"mode"}}}}
			case "broken":
				return nil, errors.New("cannot open the judge's socket")
			case "panic":
				panic("ouch")
			}
			return rewardFunc(func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
				return &sdk.ScoreResponse{},
					nil
			}), nil
		},
	}}}
}

func TestPlugin_ConfiguresOnce(t *testing.T) {
	var seen sdk.Setup
	in, err := sdk.ServeInProcess(validatingPlugin(&seen), &host{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	configure := func(mode string) ([]sdk.Diagnostic, error) {
		return in.Configure(t.Context(), sdk.ConfigureRequest{
			Kind: sdk.KindReward, Type: "picky", Config: json.RawMessage(`{"mode":"` + mode + `"}`), RunID: "r", Incarnation: 3,
			Dir: "/d", HostSocket: "s",
		})
	}
	if _, err := sdk.RemoteReward(in.Conn).Score(t.Context(),
		sdk.ScoreRequest{}); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a call before Configure: %v", err)
	}
	for _, test := range []struct {
		mode string
		want []sdk.Diagnostic
	}{
		{"bad", []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Bad mode", Path: []string{"mode"}}}},
		{"broken", []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: `Cannot set up reward "picky"`,
			Detail: "cannot open the judge's socket"}}},
	} {
		problems, err := configure(test.mode)
		if err != nil {
			t.Errorf("%s: %v", test.mode, err)
		}
		if diff := cmp.Diff(test.want, problems); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.mode, diff)
		}
	}
	if _, err := configure("panic"); status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "ouch") {
		t.Errorf("a panic in New: %v", err)
	}
	for range 2 { // an equal request gets the same answer
		if problems, err := configure("good"); err != nil || len(problems) > 0 {
			t.Fatalf("good: %v, %v", problems, err)
		}
	}
	if seen.RunID != "r" || seen.Incarnation != 3 || seen.Dir != "/d" || seen.Log == nil {
		t.Errorf("setup: %+v", seen)
	}
	if _, err := configure("better"); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("another configuration: %v", err)
	}
	if _, err := sdk.RemoteReward(in.Conn).Score(t.Context(), sdk.ScoreRequest{}); err != nil {
		t.Errorf("a call after Configure: %v", err)
	}
}

// A probe must run after the static checks, must receive its limits, and only it may return notes.
func TestPlugin_Probes(t *testing.T) {
	plugin := validatingPlugin(&sdk.Setup{})
	probed := 0
	plugin.Rewards[0].Validate = func(_ context.Context, config json.RawMessage) []sdk.Diagnostic {
		if strings.Contains(string(config), "bad") {
			return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "bad"}}
		}
		return nil
	}
	plugin.Rewards[0].Probe = func(_ context.Context, _ json.RawMessage, probe sdk.Probe) sdk.ProbeResponse {
		probed++
		return sdk.ProbeResponse{
			Diagnostics: []sdk.Diagnostic{{Severity: sdk.SeverityNote, Summary: string(probe)}},
			Tools:       []sdk.Tool{{Name: "add", Origin: "calc/add"}},
		}
	}
	in, err := sdk.ServeInProcess(plugin, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for _, c := range []struct {
		mode  string
		probe sdk.Probe
		want  []sdk.Diagnostic
	}{
		{"good", sdk.ProbeAsk, []sdk.Diagnostic{{Severity: sdk.SeverityNote, Summary: "ask"}}},
		{"good", sdk.ProbeStart, []sdk.Diagnostic{{Severity: sdk.SeverityNote, Summary: "start"}}},
		{"good", "", nil},
		{"bad", sdk.ProbeStart, []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "bad"}}},
	} {
		got, err := in.ProbeConfig(t.Context(), sdk.KindReward, "picky", json.RawMessage(`{"mode":"`+c.mode+`"}`), c.probe)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.Diagnostics, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, %q (-want +got):\n%s", c.mode, c.probe, diff)
		}
		if told := len(got.Tools) == 1 && got.Tools[0].Origin == "calc/add"; told != (c.mode == "good" && c.probe != "") {
			t.Errorf("%s, %q: the tools are %+v", c.mode, c.probe, got.Tools)
		}
	}
	if probed != 2 {
		t.Errorf("it was probed %d times", probed)
	}
}

func TestPlugin_ValidatesBeforeConfigure(t *testing.T) {
	in, err := sdk.ServeInProcess(validatingPlugin(&sdk.Setup{}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	problems, err := in.ValidateConfig(t.Context(), sdk.KindReward, "picky", json.RawMessage(`{"mode":"x"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sdk.Diagnostic{{Severity: sdk.SeverityWarning, Summary: "seen", Detail: `{"mode":"x"}`,
		Path: []string{"mode"}}}, problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := in.ValidateConfig(t.Context(), sdk.KindReward, "unknown", nil, nil); status.Code(err) != codes.NotFound {
		t.Errorf("an unknown type: %v", err)
	}
	if _, err := in.Configure(t.Context(), sdk.ConfigureRequest{Kind: sdk.KindEnvironment,
		Type: "picky"}); status.Code(err) != codes.NotFound {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestPlugin_IsCheckedBeforeItServes(t *testing.T) {
	component := func(typ string, attributes ...schema.Attribute) sdk.RewardComponent {
		return sdk.RewardComponent{Component: sdk.Component{Type: typ, Schema: schema.Block{Attributes: attributes}}}
	}
	for want, plugin := range map[string]sdk.Plugin{
		"a name and a version":   {Name: "p", Rewards: []sdk.RewardComponent{component("a")}},
		"at least one component": {Name: "p", Version: "1.0.0"},
		"its type is empty or used": {Name: "p", Version: "1.0.0", Rewards: []sdk.RewardComponent{component("a"),
			component("a")}},
		`attribute "a-b": names must be in low`: {Name: "p", Version: "1.0.0", Rewards: []sdk.RewardComponent{component("a",
			schema.String("a-b", ""))}},
		`attribute "b" is not a boolean`: {Name: "p", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{{
			Component:    sdk.Component{Type: "e", Schema: schema.Block{Attributes: []schema.Attribute{schema.String("b", "")}}},
			Capabilities: sdk.EnvironmentCapabilities{GroundTruthAttribute: "b"},
		}}},
	} {
		if _, err := sdk.ServeInProcess(plugin, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
