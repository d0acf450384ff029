package local

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

func TestValidate(t *testing.T) {
	tests := map[string]struct {
		config string
		want   string // part of the detail; empty: valid
	}{
		"complete":               {`{"preset":"tiny","context":192}`, ""},
		"nothing is known yet":   {`{}`, ""},
		"context not known yet":  {`{"preset":"small"}`, ""},
		"with a warm start":      {`{"preset":"tiny","context":192,"warm_start":{"dataset":"d","steps":1,"batch":1,"learning_rate":0.1}}`, ""},
		"no such preset":         {`{"preset":"huge","context":192}`, `"huge"`},
		"impossible context":     {`{"preset":"tiny","context":-5}`, "context window is -5"},
		"unknown attribute":      {`{"preset":"tiny","contxt":1}`, "contxt"},
		"wrong type":             {`{"preset":7}`, "preset"},
		"half a token":           {`{"context":1.5}`, "context"},
		"unknown in warm_start":  {`{"warm_start":{"stps":1}}`, "stps"},
		"not an object":          {`[]`, "decode configuration"},
		"something more than it": {`{} {}`, "data after the object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var details []string
			for _, d := range Plugin().Adapters[0].Validate(t.Context(), json.RawMessage(test.config)) {
				details = append(details, d.Detail)
			}
			got := strings.Join(details, "\n")
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("problems %q, want %q", got, test.want)
			}
		})
	}
}

func TestConfig_DefaultsOfTheHealthBlockHoldWithoutIt(t *testing.T) {
	full, err := configSchema.Complete(json.RawMessage(`{"health":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := sdk.DecodeConfig(full, &c); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*c.Health, config{}.health()); diff != "" {
		t.Errorf("health (-empty block +no block):\n%s", diff)
	}
}

func TestConfig_DescribedContextIsTheDefault(t *testing.T) {
	full, err := configSchema.Complete(json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := sdk.DecodeConfig(full, &c); err != nil {
		t.Fatal(err)
	}
	if got := Plugin().Adapters[0].Capabilities.MaxContext; got != c.Context || got != tinylm.Tiny().MaxLen {
		t.Errorf("the described context is %d, the default %d, the preset's %d", got, c.Context, tinylm.Tiny().MaxLen)
	}
}

func TestDemonstration(t *testing.T) {
	turn := func(content string) string { return fmt.Sprintf(`{"role":"assistant","content":%q}`, content) }
	messages := func(m ...string) string { return `{"messages":[` + strings.Join(m, ",") + `]}` }
	tests := map[string]struct {
		public string
		tokens int // imitated tokens; 0: refused
		want   string
	}{
		"a text":                     {public: messages(`{"role":"user","content":"q"}`, turn("abc")), tokens: 4},
		"two turns":                  {public: messages(turn("abc"), `{"role":"user","content":"q"}`, turn("d")), tokens: 6},
		"a call in OpenAI's format":  {public: messages(`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`), tokens: len(`{"name":"f","arguments":{"a":1}}`) + 3},
		"a call in the SDK's format": {public: messages(`{"role":"assistant","tool_calls":[{"id":"1","name":"f","arguments":"{\"a\":1}"}]}`), tokens: len(`{"name":"f","arguments":{"a":1}}`) + 3},
		"arguments as an object":     {public: messages(`{"role":"assistant","tool_calls":[{"name":"f","arguments":{"a":1}}]}`), tokens: len(`{"name":"f","arguments":{"a":1}}`) + 3},
		"no messages":                {public: `{"prompt":"q"}`, want: "it has no `messages`"},
		"messages of another shape":  {public: `{"messages":"q"}`, want: "read its messages"},
		"no assistant": {public: messages(`{"role":"user","content":"q"}`),
			want: "no message is the assistant's"},
		"an unknown role": {public: messages(`{"role":"robot","content":"q"}`, turn("a")),
			want: `unknown role "robot"`},
		"too long": {public: messages(turn(strings.Repeat("x", 70))),
			want: "it has 72 tokens and the context takes 64: raise `context` or shorten it"},
		"arguments that are not JSON": {public: messages(`{"role":"assistant","tool_calls":[{"name":"f","arguments":"{a"}]}`),
			want: "the arguments of f are not JSON"},
		"a call without a name": {public: messages(`{"role":"assistant","tool_calls":[{"arguments":{}}]}`),
			want: "it has no name"},
		"an image": {public: messages(`{"role":"user","content":"q","images":[{"url":"x"}]}`, turn("a")),
			want: "message 0: the prompt has an image"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, warmStartOf(1))
			good := demonstrationsOf(t, map[string]string{"a": "b"})
			r.host.datasets = map[string][]sdk.Task{demosAddress: append(good,
				sdk.Task{ID: "row-17", Public: json.RawMessage(test.public)})}
			r.host.decide = func(sdk.StepBoundaryRequest) (sdk.Directive, string) { return sdk.DirectiveStop, "seen enough" }
			if test.want != "" {
				finished := r.train(r.request(knobsOf(1, nil)), sdk.FinishedFailed)
				for _, part := range []string{"warm start", "demonstration row-17 in " + demosAddress, test.want} {
					if !strings.Contains(finished.Reason, part) {
						t.Errorf("the reason is %q, want %q in it", finished.Reason, part)
					}
				}
				return
			}
			r.train(r.request(knobsOf(1, nil)), sdk.FinishedStopped)
			row, err := encodeDemonstration(r.host.datasets[demosAddress][1], 64)
			if err != nil {
				t.Fatal(err)
			}
			imitated := 0
			for _, is := range row.Trained {
				if is {
					imitated++
				}
			}
			if imitated != test.tokens {
				t.Errorf("%d tokens are imitated, want %d", imitated, test.tokens)
			}
		})
	}
}

func TestWarmStart_NeedsItsDataset(t *testing.T) {
	for name, test := range map[string]struct {
		datasets map[string][]sdk.Task
		want     string
	}{
		"missing": {nil, "unknown dataset"},
		"empty":   {map[string][]sdk.Task{demosAddress: nil}, demosAddress + " has no demonstrations"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, warmStartOf(1))
			r.host.datasets = test.datasets
			if finished := r.train(r.request(knobsOf(1, nil)), sdk.FinishedFailed); !strings.Contains(finished.Reason,
				test.want) {
				t.Errorf("the reason is %q, want %q in it", finished.Reason, test.want)
			}
		})
	}
}

func TestWarmStart_TakesNoMoreDemonstrationsThanFit(t *testing.T) {
	r := newRig(t, warmStartOf(1))
	r.host.datasets = map[string][]sdk.Task{demosAddress: make([]sdk.Task, maxDemonstrations+1)}
	one := demonstrationsOf(t, map[string]string{"a": "b"})[0]
	for i := range r.host.datasets[demosAddress] {
		r.host.datasets[demosAddress][i] = one
	}
	tr := &trainer{host: r.host, model: r.inner.model}
	if _, err := tr.demonstrations(t.Context(), demosAddress); err == nil ||
		!strings.Contains(err.Error(), "more than 100000 demonstrations") {
		t.Errorf("demonstrations: %v", err)
	}
}
