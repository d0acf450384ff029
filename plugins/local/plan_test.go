package local

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

func TestKnobs_EveryOneIsMappedOrRefusedWithAReason(t *testing.T) {
	leaves, blocks := sdktest.Knobs()
	known := map[string]knob{}
	for _, k := range knobs {
		if _, twice := known[k.path]; twice {
			t.Errorf("knob %s is in the table twice", k.path)
		}
		known[k.path] = k
	}
	for _, path := range leaves {
		k, ok := known[path]
		if !ok {
			t.Errorf("knob %s is neither mapped nor refused: add it to knobs in knobs.go", path)
			continue
		}
		if (k.key == "") == (k.refused == "") {
			t.Errorf("knob %s is mapped to %q and refused with %q: exactly one must be said", path, k.key, k.refused)
		}
		if k.value == nil && k.key != byHost && k.key != "" {
			t.Errorf("knob %s is mapped to %s, and no plan shows its value", path, k.key)
		}
		delete(known, path)
	}
	for _, path := range blocks {
		_, refused := known[path]
		if refused == emptyBlocks[path] {
			t.Errorf("block %s, written empty: refused %v, allowed %v; want one of both", path, refused, emptyBlocks[path])
		}
		delete(known, path)
	}
	for path := range known {
		t.Errorf("knob %s is not in the SDK's vocabulary", path)
	}
}

func planOf(t *testing.T, req sdk.PlanRequest) *sdk.PlanResponse {
	t.Helper()
	out, err := newRig(t, nil).adapter.Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func stageOf(k sdk.Knobs) sdk.PlanRequest {
	return sdk.PlanRequest{Stages: []sdk.StagePlan{{Name: "full", Knobs: k, Data: sdk.DataSummary{TrainTasks: 6}}}}
}

func TestPlan_SaysWhatBecomesOfEachKnob(t *testing.T) {
	k := knobsOf(3, func(k *sdk.Knobs) {
		k.Set = []string{"steps", "sampling.stop", "batch", "filter_groups", "env", "invented.knob"}
		k.Overrides = map[string]string{"a": "b"}
	})
	out := planOf(t, stageOf(k))
	want := []sdk.KnobMapping{
		{Knob: "steps", Key: "steps"},
		{Knob: "sampling.stop", Refused: noStopStrings},
		{Knob: "filter_groups", Refused: noRefill},
		{Knob: "env", Refused: "the embedded trainer runs inside its plugin and reads no environment variables"},
		{Knob: "invented.knob", Refused: "the embedded trainer does not support this knob"},
		{Knob: "overrides", Refused: "the embedded trainer has no framework keys to override; use the knobs"},
		{Knob: "batch.prompts", Key: "grpo.prompts"}, // unset knobs that the host needs
		{Knob: "batch.group_size", Key: "grpo.group_size"},
	}
	if diff := cmp.Diff(want, out.Knobs); diff != "" {
		t.Errorf("knobs (-want +got):\n%s", diff)
	}
	// The host turns each refusal into an error, so a diagnostic would repeat it.
	if len(out.Diagnostics) > 0 {
		t.Errorf("refusals are told a second time: %v", out.Diagnostics)
	}
}

// set returns a value for every knob that the trainer maps, and one that differs from the default if possible.
func set() sdk.Knobs {
	k := knobsOf(2, func(k *sdk.Knobs) {
		k.Seed, k.Concurrency = 11, 3
		k.Batch = sdk.BatchKnobs{Prompts: ptr(3), GroupSize: ptr(5)}
		k.MiniBatch = sdk.MiniBatchKnobs{Size: ptr(4), Epochs: ptr(2)}
		k.Optimizer = sdk.OptimizerKnobs{
			LearningRate: ptr(2e-3), Schedule: ptr("cosine"), WarmupSteps: ptr(3), WeightDecay: ptr(0.02), MaxGradNorm: ptr(0.5),
			Beta1: ptr(0.8), Beta2: ptr(0.9),
		}
		k.Algorithm = sdk.AlgorithmKnobs{
			Name: "grpo", ClipLow: ptr(0.1), ClipHigh: ptr(0.3), KL: ptr(0.01), Entropy: ptr(0.02), NormalizeBy: ptr("none"),
			DropZeroVariance: ptr(false),
		}
		k.Sampling = sdk.SamplingKnobs{Temperature: ptr(0.7), TopP: ptr(1.0), TopK: ptr(0)}
		k.Limits.MessageTokens = ptr(9)
		k.Validate = sdk.ValidateKnobs{Every: ptr(1), BeforeTrain: ptr(true), Samples: ptr(3)}
	})
	for _, known := range knobs {
		if known.refused == "" && insteadOf[known.path] == "" {
			k.Set = append(k.Set, known.path)
		}
	}
	return k
}

// insteadOf maps the knobs that set omits to the knob that sets the same value.
var insteadOf = map[string]string{"epochs": "steps"}

func TestPlan_EffectiveValuesAreTheKnobs(t *testing.T) {
	k := set()
	out := planOf(t, stageOf(k))
	for _, d := range out.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
	asJSON, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	var written map[string]any
	if err := json.Unmarshal(asJSON, &written); err != nil {
		t.Fatal(err)
	}
	for _, e := range out.Effective {
		var got any
		if err := json.Unmarshal(e.ValueJSON, &got); err != nil {
			t.Fatal(err)
		}
		var want any = written
		for _, name := range strings.Split(e.Origin, ".") {
			want = want.(map[string]any)[name]
		}
		if want == nil {
			t.Errorf("set gives %s no value: add one, or name it in insteadOf if it excludes another knob", e.Origin)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, which comes from %s (-knob +effective):\n%s", e.Key, e.Origin, diff)
		}
	}
	for _, known := range knobs {
		shown := slices.ContainsFunc(out.Effective, func(e sdk.EffectiveKey) bool { return e.Key == "full/"+known.key })
		if known.value != nil && !shown {
			t.Errorf("the plan shows no value for %s, which is the key of %s", known.key, known.path)
		}
	}
}

// TestPlan_EffectiveValuesAreWhatTrainUses compares the plan with the observable behavior of a stage.
func TestPlan_EffectiveValuesAreWhatTrainUses(t *testing.T) {
	for name, k := range map[string]sdk.Knobs{"set": set(), "defaults": {Seed: 1, Epochs: ptr(6.0)}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.host.play = func(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
				return scored(req, 1), nil
			}
			if name == "set" {
				r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
					return twoTurns(ctx, r.host, req)
				}
			}
			out, err := r.adapter.Plan(t.Context(), stageOf(k))
			if err != nil {
				t.Fatal(err)
			}
			planned := map[string]any{}
			for _, e := range out.Effective {
				var v any
				if err := json.Unmarshal(e.ValueJSON, &v); err != nil {
					t.Fatal(err)
				}
				planned[strings.TrimPrefix(e.Key, "full/")] = v
			}
			r.train(r.request(k), sdk.FinishedCompleted)
			steps := int(planned["steps"].(float64))
			got := map[string]any{
				"steps": float64(len(r.checkpoints()) - 1), "grpo.prompts": 0.,
				"grpo.group_size":       float64(r.host.asked(sdk.SplitTrain, 1)[0].GroupSize),
				"validate.samples":      float64(r.host.asked(sdk.SplitValidation, steps)[0].GroupSize),
				"validate.before_train": r.host.boundaries[0].Validated,
			}
			groups := map[string]bool{}
			for _, req := range r.host.asked(sdk.SplitTrain, 1) {
				groups[req.GroupID] = true
			}
			got["grpo.prompts"] = float64(len(groups))
			for key, v := range got {
				if diff := cmp.Diff(planned[key], v); diff != "" {
					t.Errorf("%s (-planned +done):\n%s", key, diff)
				}
			}
			s := knobSettings(t, k)
			for step := 1; step <= steps; step++ {
				if got, want := r.metrics(step)["train/learning_rate"], s.schedule.At(step); got != want {
					t.Errorf("step %d was made with learning rate %v, the plan's schedule says %v", step, got, want)
				}
			}
			if name == "set" { // 15 samples in batches of four, twice
				if n := r.metrics(1)["train/updates"]; n != 8 {
					t.Errorf("%v updates, want 8", n)
				}
			}
		})
	}
}

// TestSettings_ReachTheUpdate checks that the update gets the planned values, except for the step's learning rate and
// seed.
func TestSettings_ReachTheUpdate(t *testing.T) {
	s := knobSettings(t, set())
	h := s.step(2, 9)
	if h.LearningRate != s.schedule.At(2) || h.Seed == s.step(2, 8).Seed {
		t.Errorf("step 2, the ninth of the run, has learning rate %v and seed %#x", h.LearningRate, h.Seed)
	}
	h.LearningRate, h.Seed = s.hyper.LearningRate, s.hyper.Seed
	if diff := cmp.Diff(s.hyper, h); diff != "" {
		t.Errorf("settings of the step (-plan +update):\n%s", diff)
	}
}

func TestSettings_Steps(t *testing.T) {
	tests := map[string]struct {
		change func(*sdk.Knobs)
		want   int
	}{
		"given":                      {func(*sdk.Knobs) {}, 2},
		"an epoch":                   {func(k *sdk.Knobs) { k.Steps, k.Epochs = nil, ptr(1.0) }, 3}, // 6 tasks, 2 prompts
		"a part of an epoch":         {func(k *sdk.Knobs) { k.Steps, k.Epochs = nil, ptr(0.4) }, 2},
		"at least one":               {func(k *sdk.Knobs) { k.Steps, k.Epochs = nil, ptr(1e-9) }, 1},
		"epochs that need a last go": {func(k *sdk.Knobs) { k.Steps, k.Epochs, k.Batch.Prompts = nil, ptr(2.0), ptr(5) }, 3},
	}
	for name, test := range tests {
		if got := knobSettings(t, knobsOf(2, test.change)).steps; got != test.want {
			t.Errorf("%s: %d steps, want %d", name, got, test.want)
		}
	}
}

func TestPlan_RefusesWhatCannotBeTrained(t *testing.T) {
	tests := map[string]struct {
		change   func(*sdk.Knobs)
		severity sdk.Severity
		want     string
	}{
		"no length": {func(k *sdk.Knobs) { k.Steps = nil }, sdk.SeverityError, "neither steps nor epochs is set"},
		"other algorithm": {func(k *sdk.Knobs) { k.Algorithm.Name = "ppo" }, sdk.SeverityError,
			`algorithm "ppo": the embedded trainer has grpo only`},
		"no prompts":     {func(k *sdk.Knobs) { k.Batch.Prompts = ptr(0) }, sdk.SeverityError, "batch.prompts is 0"},
		"lonely samples": {func(k *sdk.Knobs) { k.Batch.GroupSize = ptr(1) }, sdk.SeverityError, "there must be at least 2"},
		"empty groups":   {func(k *sdk.Knobs) { k.Batch.GroupSize = ptr(0) }, sdk.SeverityError, "there must be at least 2"},
		"clip range": {func(k *sdk.Knobs) { k.Algorithm.ClipLow = ptr(1.5) }, sdk.SeverityError,
			"the lower clip range is 1.5"},
		"normalisation": {func(k *sdk.Knobs) { k.Algorithm.NormalizeBy = ptr("batch") }, sdk.SeverityError,
			`unknown normalisation "batch"`},
		"schedule": {func(k *sdk.Knobs) { k.Optimizer.Schedule = ptr("wavy") }, sdk.SeverityError,
			`unknown shape "wavy"`},
		"beta": {func(k *sdk.Knobs) { k.Optimizer.Beta2 = ptr(1.0) }, sdk.SeverityError, "beta2 1 must be"},
		"grad norm": {func(k *sdk.Knobs) { k.Optimizer.MaxGradNorm = ptr(0.0) }, sdk.SeverityError,
			"the largest gradient norm is 0"},
		"no chance": {func(k *sdk.Knobs) { k.Sampling.Temperature = ptr(0.0) }, sdk.SeverityWarning,
			"with sampling.temperature = 0 the samples of a group and their rewards are equal"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out := planOf(t, stageOf(knobsOf(2, test.change)))
			if len(out.Diagnostics) != 1 || out.Diagnostics[0].Severity != test.severity ||
				!strings.Contains(out.Diagnostics[0].Detail, test.want) {
				t.Errorf("diagnostics %+v, want a %s with %q", out.Diagnostics, test.severity, test.want)
			}
			if len(out.Diagnostics) == 1 && len(out.Diagnostics[0].Path) == 0 {
				t.Error("the error does not name the knob")
			}
			if test.severity != sdk.SeverityError {
				return
			}
			r := newRig(t, nil)
			if finished := r.train(r.request(knobsOf(2, test.change)), sdk.FinishedFailed); !strings.Contains(finished.Reason,
				test.want) {
				t.Errorf("train without a plan: %s", finished.Reason)
			}
		})
	}
}

// A gradient over all tokens from samples of some tokens is biased, and no metric shows it.
func TestPlan_RefusesToTrainOnACutDistribution(t *testing.T) {
	for name, test := range map[string]struct {
		sampling sdk.SamplingKnobs
		refused  []string
	}{
		"all tokens":       {sdk.SamplingKnobs{TopP: ptr(1.0), TopK: ptr(0), Temperature: ptr(0.5)}, nil},
		"top_p":            {sdk.SamplingKnobs{TopP: ptr(0.9), TopK: ptr(0)}, []string{"sampling.top_p"}},
		"top_p of nothing": {sdk.SamplingKnobs{TopP: ptr(0.0)}, []string{"sampling.top_p"}},
		"top_k":            {sdk.SamplingKnobs{TopP: ptr(1.0), TopK: ptr(40)}, []string{"sampling.top_k"}},
		"both":             {sdk.SamplingKnobs{TopP: ptr(0.9), TopK: ptr(40)}, []string{"sampling.top_p", "sampling.top_k"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := knobsOf(2, func(k *sdk.Knobs) {
				k.Sampling, k.Set = test.sampling, []string{"sampling.top_p", "sampling.top_k"}
				k.Validate.Sampling = &sdk.SamplingKnobs{TopP: ptr(0.5), TopK: ptr(3)} // not trained
			})
			out := planOf(t, stageOf(k))
			var refused []string
			for _, mapped := range out.Knobs {
				if strings.Contains(mapped.Refused, "leave top_p at 1 and top_k at 0") {
					refused = append(refused, mapped.Knob)
				}
			}
			if !slices.Equal(refused, test.refused) || len(out.Diagnostics) > 0 {
				t.Errorf("refused %v with %d diagnostics, want %v and the host to tell it", refused, len(out.Diagnostics),
					test.refused)
			}
			r := newRig(t, nil)
			finished, err := r.tryTrain(t.Context(), r.request(k))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(finished.Reason, errCut.Error()); got != (test.refused != nil) {
				t.Errorf("train without a plan: %s (%s)", finished.Outcome, finished.Reason)
			}
		})
	}
}

func TestPlan_DescribesThePolicy(t *testing.T) {
	for preset, weights := range map[string]string{"tiny": "115520", "small": "357024"} {
		out, err := newRig(t, map[string]any{"preset": preset, "context": 100}).adapter.Plan(t.Context(),
			stageOf(knobsOf(1, nil)))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, "preset "+preset+", "+weights+
			" weights, context 100 tokens") {
			t.Errorf("%s: the notes are %q", preset, notes)
		}
		if out.Capabilities.MaxContext != 100 {
			t.Errorf("%s: the context is %d", preset, out.Capabilities.MaxContext)
		}
		grouped := strings.ReplaceAll(weights, weights[3:], ","+weights[3:])
		if text := configSchema.Attributes[0].Description; !strings.Contains(text, grouped) {
			t.Errorf("the description of preset does not say %s: %s", grouped, text)
		}
	}
}

func TestPlan_RefusesLimitsBeyondTheContext(t *testing.T) {
	limits := func(response, message int) sdk.Knobs {
		return knobsOf(1, func(k *sdk.Knobs) {
			k.Limits = sdk.LimitKnobs{ResponseTokens: &response, MessageTokens: &message}
			k.Set = []string{"limits.response_tokens", "limits.message_tokens"}
		})
	}
	for _, c := range []struct{ response, message, refused int }{{192, 192, 0}, {193, 192, 1}, {24576, 10000, 2}} {
		out, err := newRig(t, map[string]any{"context": 192}).adapter.Plan(t.Context(),
			stageOf(limits(c.response, c.message)))
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, k := range out.Knobs {
			if k.Refused != "" {
				refused++
			}
		}
		if refused != c.refused {
			t.Errorf("%d and %d tokens: %d knobs are refused, want %d", c.response, c.message, refused, c.refused)
		}
	}
}

func TestPlan_TellsThatToolsAreNotShown(t *testing.T) {
	req := stageOf(knobsOf(1, nil))
	req.Agent.HasTools = true
	if notes := strings.Join(planOf(t, req).Notes, "\n"); !strings.Contains(notes,
		"tool schemas are not rendered into the prompt") {
		t.Errorf("the notes are %q", notes)
	}
}

func TestPlan_RefusesAPolicyFromOutside(t *testing.T) {
	req := stageOf(knobsOf(1, nil))
	req.Policy = json.RawMessage(`{"path":"/models/llama"}`)
	out := planOf(t, req)
	if len(out.Diagnostics) != 1 || !strings.Contains(out.Diagnostics[0].Detail, "remove `policy`") {
		t.Errorf("diagnostics %+v", out.Diagnostics)
	}
}

func TestPresets_MatchTheSchema(t *testing.T) {
	for _, name := range []string{"tiny", "small"} {
		if _, err := tinylm.Preset(name); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(encoded(configSchema)), name) {
			t.Errorf("the schema does not offer %s", name)
		}
	}
}
