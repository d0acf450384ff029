package tinker

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
)

// honored lists the knobs that the trainer or the host applies, with blocks, which have no effect themselves.
var honored = strings.Fields(`seed steps epochs batch batch.prompts batch.group_size optimizer optimizer.learning_rate
	optimizer.schedule optimizer.warmup_steps optimizer.weight_decay optimizer.max_grad_norm optimizer.beta1
	optimizer.beta2 algorithm algorithm.name algorithm.clip_low algorithm.clip_high algorithm.normalize_by
	algorithm.drop_zero_variance sampling limits limits.prompt_tokens limits.response_tokens limits.message_tokens
	limits.overlong validate validate.every validate.before_train validate.samples validate.best_by
	validate.log_generations validate.sampling validate.sampling.temperature validate.sampling.top_p
	validate.sampling.top_k checkpoint checkpoint.every checkpoint.unit checkpoint.keep env concurrency`)

// refusal returns the reason why Tinker has no place for a knob that the spec sets, or "".
func (a *adapter) refusal(k sdk.Knobs, knob string) string {
	value := func(v *float64, free float64) bool { return v == nil || *v == free }
	switch {
	case slices.Contains(honored, knob) && !(a.config.Loss != "ppo" && strings.HasPrefix(knob, "algorithm.clip_")),
		knob == "sampling.temperature" && value(k.Sampling.Temperature, 1),
		knob == "sampling.top_p" && value(k.Sampling.TopP, 1),
		knob == "sampling.top_k" && (k.Sampling.TopK == nil || *k.Sampling.TopK == 0),
		knob == "algorithm.kl" && value(k.Algorithm.KL, 0), knob == "algorithm.entropy" && value(k.Algorithm.Entropy, 0):
		return ""
	case strings.HasPrefix(knob, "sampling."):
		return "the server's loss computes the probabilities of the whole distribution at temperature 1"
	case strings.HasPrefix(knob, "algorithm."):
		return fmt.Sprintf("the server's loss function %s has no such term", a.config.Loss)
	case strings.HasPrefix(knob, "mini_batch"):
		return "this adapter makes one update of a step's samples"
	}
	return "Tinker's API has no such setting"
}

// Plan implements sdk.Adapter.
func (a *adapter) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	site, dir := a.site(req.Smoke), a.Folder("LAUNCH")
	command := site.Show(launch.Job{
		LaunchID: "LAUNCH", Dir: dir, LogFile: filepath.Join(dir, "trainer.log"), Argv: a.command(),
	})
	out := &sdk.PlanResponse{Capabilities: capabilities, Commands: []sdk.PlannedCommand{command}}
	wrong := func(summary, detail string, path ...string) {
		out.Diagnostics = append(out.Diagnostics,
			sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path})
	}
	for _, stage := range req.Stages {
		k := stage.Knobs
		site.PlanEnv(out, k.Env)
		for _, knob := range append(k.Set, slices.Sorted(maps.Keys(k.Overrides))...) {
			m := sdk.KnobMapping{Knob: knob, Key: knob, Refused: a.refusal(k, knob)}
			if m.Refused != "" {
				m.Key = ""
			}
			out.Knobs = append(out.Knobs, m)
		}
		if k.Steps == nil && k.Epochs == nil || k.Batch.Prompts == nil || k.Batch.GroupSize == nil ||
			k.Limits.ResponseTokens == nil {
			wrong("No size of a step", "Set steps or epochs, batch { prompts = 16, group_size = 8 }, and "+
				"limits { response_tokens = 512 }.")
		}
	}
	if model, err := python.PolicyPath(req.Policy); err != nil || model == "" {
		wrong("No policy", `Write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train.`)
	} else {
		python.ChatTemplate{Model: model, ToolFormat: a.config.ToolFormat, ReasoningFormat: a.config.ReasoningFormat}.
			With(req.Agent.ChatTemplateKwargs).Plan(ctx, out)
	}
	site.Plan(out)
	packages := python.SitesOf(a.config.Python).Packages()
	for _, name := range []string{"tinker", "jinja2"} { // jinja2 renders the chat template
		version, found := packages[name]
		out.Requirements = append(out.Requirements,
			sdk.Requirement{Kind: "package", Met: found, Detail: name + " " + cmp.Or(version, "for "+a.config.Python)})
	}
	out.Requirements = append(out.Requirements, site.Port())
	if key := a.config.APIKeyEnv; site.Kind() == launch.KindRay {
		out.Notes = append(out.Notes, fmt.Sprintf("set %s on the machines of the Ray cluster: awhost does not send it, "+
			"because the dashboard shows the variables of jobs. Set it here, too: awhost deletes pruned checkpoints", key))
	} else if !req.Smoke {
		out.Requirements = append(out.Requirements, sdk.Requirement{Kind: "key", Met: os.Getenv(key) != "",
			Detail: fmt.Sprintf("the environment variable %s with the server's key, or another one (api_key_env)", key)})
	}
	return out, nil
}
