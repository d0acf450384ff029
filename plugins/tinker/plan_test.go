package tinker

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The Python code that trains is tested with the real client.
func TestShim(t *testing.T) { realtest.Shim(t, "AWHOST_TINKER_PYTHON") }

func TestPlan_RefusesWhatTheServerHasNoPlaceFor(t *testing.T) {
	tests := []struct{ knobs, knob, loss, want string }{
		{`{"sampling":{"temperature":1}}`, "sampling.temperature", "ppo", ""},
		{`{"sampling":{"temperature":0.7}}`, "sampling.temperature", "ppo", "temperature 1"},
		{`{"sampling":{"top_p":0.9}}`, "sampling.top_p", "ppo", "the whole distribution"},
		{`{"sampling":{"top_k":0}}`, "sampling.top_k", "ppo", ""},
		{`{"sampling":{"top_k":5}}`, "sampling.top_k", "ppo", "the whole distribution"},
		{`{"sampling":{"stop":["x"]}}`, "sampling.stop", "ppo", "the whole distribution"},
		{`{"algorithm":{"kl":0}}`, "algorithm.kl", "ppo", ""},
		{`{"algorithm":{"kl":0.1}}`, "algorithm.kl", "ppo", "ppo has no such term"},
		{`{"algorithm":{"entropy":0.1}}`, "algorithm.entropy", "ppo", "ppo has no such term"},
		{`{"algorithm":{"clip_low":0.2}}`, "algorithm.clip_low", "ppo", ""},
		{`{"algorithm":{"clip_low":0.2}}`, "algorithm.clip_low", "importance_sampling", "has no such term"},
		{`{"mini_batch":{"size":8}}`, "mini_batch.size", "ppo", "one update"},
		{`{}`, "filter_groups.metric", "ppo", "no such setting"},
		{`{}`, "no.such.knob", "ppo", "no such setting"},
	}
	for _, test := range tests {
		var k sdk.Knobs
		if err := json.Unmarshal([]byte(test.knobs), &k); err != nil {
			t.Fatal(err)
		}
		a := &adapter{config: config{Loss: test.loss}}
		got := a.refusal(k, test.knob)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s with %s: refused because of %q; want %q", test.knob, test.knobs, got, test.want)
		}
	}
}

func TestPlan_ReportsWhatIsMissing(t *testing.T) {
	t.Setenv("TINKER_TEST_KEY", "")
	a := &adapter{config: config{Python: "/nowhere/bin/python", APIKeyEnv: "TINKER_TEST_KEY"}}
	stage := sdk.StagePlan{Name: "main"}
	out, err := a.Plan(t.Context(), sdk.PlanRequest{Stages: []sdk.StagePlan{stage}})
	if err != nil {
		t.Fatal(err)
	}
	var summaries []string
	for _, d := range out.Diagnostics {
		summaries = append(summaries, d.Summary)
	}
	if want := []string{"No size of a step", "No policy"}; !slices.Equal(summaries, want) {
		t.Errorf("diagnostics: %q; want %q", summaries, want)
	}
	if r := out.Requirements[0]; r.Met || r.Detail != "tinker for /nowhere/bin/python" {
		t.Errorf("requirement: %+v", r)
	}
	needsKey := func(out *sdk.PlanResponse) bool {
		return slices.ContainsFunc(out.Requirements, func(r sdk.Requirement) bool { return r.Kind == "key" && !r.Met })
	}
	smoke, err := a.Plan(t.Context(), sdk.PlanRequest{Stages: []sdk.StagePlan{stage}, Smoke: true})
	if err != nil {
		t.Fatal(err)
	}
	if !needsKey(out) || needsKey(smoke) {
		t.Errorf("the key is missing: %t, and in a smoke run: %t", needsKey(out), needsKey(smoke))
	}
}
