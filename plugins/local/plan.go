package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// Plan implements sdk.Adapter.
func (a *adapter) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: capabilities(a.model.MaxLen)}
	c, model := a.config, a.model
	if req.Smoke {
		c, model = smoke(c, model)
	}
	exported, err := exportedPolicy(req.Policy, a.model, tinylm.Options{})
	if err != nil {
		out.Diagnostics = append(out.Diagnostics, problem("Policy not supported", err.Error()))
	}
	for _, stage := range req.Stages {
		planStage(out, stage, stage.Data.TrainTasks, a.model.MaxLen)
	}
	if req.Agent.HasTools {
		out.Notes = append(out.Notes, "tool schemas are not rendered into the prompt: the context of the embedded policy is too small; it learns calls from demonstrations")
	}
	untrained, err := tinylm.New(model, 0, tinylm.Options{})
	if err != nil {
		return nil, err
	}
	weights := ""
	if exported != nil && !req.Smoke {
		weights = ", with the weights of the exported model"
	}
	out.Notes = append(out.Notes, fmt.Sprintf("policy: byte-level transformer, preset %s, %d weights, context %d tokens%s",
		c.Preset, untrained.Weights(), model.MaxLen, weights))
	if req.Smoke && c.WarmStart != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("warm start: %d updates of %d demonstrations; all demonstrations are read",
			c.WarmStart.Steps, c.WarmStart.Batch))
	}
	return out, nil
}

func planStage(out *sdk.PlanResponse, stage sdk.StagePlan, trainTasks, context int) {
	for _, path := range append(written(stage.Knobs),
		unset(stage.Knobs, "steps", "batch.prompts", "batch.group_size")...) {
		mapped := mapKnob(path)
		if reason := refusedValue(stage.Knobs, path, context); reason != "" {
			mapped = sdk.KnobMapping{Knob: path, Refused: reason}
		}
		out.Knobs = append(out.Knobs, mapped) // the host reports refused ones as errors
	}
	s, err := newSettings(stage.Knobs, trainTasks)
	if errors.Is(err, errCut) {
		return // a knob was already refused for this
	}
	if err != nil {
		var path []string
		if wrong, ok := errors.AsType[*knobError](err); ok {
			path = strings.Split(wrong.knob, ".")
		}
		text := fmt.Sprintf("stage %q: %v", stage.Name, err)
		out.Diagnostics = append(out.Diagnostics, problem("Impossible training settings", text, path...))
		return
	}
	if s.sampling.Temperature == 0 {
		out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{
			Severity: sdk.SeverityWarning, Summary: "Nothing to learn from", Path: []string{"sampling", "temperature"},
			Detail: fmt.Sprintf("stage %q: with sampling.temperature = 0 the samples of a group and their rewards "+
				"are equal. If randomness in an environment distinguishes them, updates use temperature 1. Increase "+
				"the temperature.", stage.Name),
		})
	}
	out.Effective = append(out.Effective, effective(stage, s)...)
}

// tooLong omits the value so that stages with different values share one diagnostic.
const tooLong = "the embedded policy has a context of %d tokens, a byte each, for prompt and answers together, and can have 1,024 at most (`context` of the adapter)"

// refusedValue returns the reason why a knob's value is rejected, or "".
func refusedValue(k sdk.Knobs, path string, context int) string {
	topP, topK := sdk.ValueOr(k.Sampling.TopP, 1), sdk.ValueOr(k.Sampling.TopK, 0)
	switch {
	case longest(k.Limits, path) > context:
		return fmt.Sprintf(tooLong, context)
	case path == "sampling.top_p" && topP < 1, path == "sampling.top_k" && topK > 0:
		return errCut.Error()
	}
	return ""
}

// longest returns a limit on the number of tokens in an episode or message, or 0 for other knobs.
func longest(limits sdk.LimitKnobs, path string) int {
	switch path {
	case "limits.response_tokens":
		return sdk.ValueOr(limits.ResponseTokens, 0)
	case "limits.message_tokens":
		return sdk.ValueOr(limits.MessageTokens, 0)
	}
	return 0
}

// written returns the knobs that the spec sets: leaves, and blocks that the embedded trainer rejects even when they are
// empty.
func written(k sdk.Knobs) []string {
	set := slices.DeleteFunc(slices.Clone(k.Set), func(path string) bool { return emptyBlocks[path] })
	if len(k.Overrides) > 0 {
		set = append(set, "overrides")
	}
	return set
}

// unset returns the given knobs that the spec does not set. The host needs their values and looks them up by the mapped
// key.
func unset(k sdk.Knobs, paths ...string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(k.Set, path) })
}

// effective returns the values that the stage trains with, one per key.
func effective(stage sdk.StagePlan, s settings) []sdk.EffectiveKey {
	var out []sdk.EffectiveKey
	listed := map[string]int{} // key → index in out
	for _, k := range knobs {
		if k.value == nil {
			continue
		}
		key := stage.Name + "/" + k.key
		at, again := listed[key] // of steps and epochs, the one that is set is the origin
		if !again {
			at = len(out)
			listed[key] = at
			out = append(out, sdk.EffectiveKey{Key: key, ValueJSON: encoded(k.value(s)), Origin: "default"})
		}
		if slices.Contains(stage.Knobs.Set, k.path) {
			out[at].Origin = k.path
		}
	}
	return out
}

// encoded encodes a number, a string or a boolean, which are always valid JSON.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode the effective value %v: %v", v, err))
	}
	return text
}
