package verl

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
)

// Plan implements sdk.Adapter.
func (a *adapter) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: a.capabilities(settings.V1)}
	installed, problem := a.installed()
	if problem != nil && req.Elsewhere {
		var err error
		if installed, err = settings.Absent(a.config.Python); err != nil {
			return nil, err
		}
		problem.Severity = sdk.SeverityWarning
		problem.Detail += fmt.Sprintf(" The plan is for verl %s.", installed.Version)
	}
	if problem != nil {
		out.Diagnostics = append(out.Diagnostics, *problem)
	}
	if installed == nil {
		return out, nil
	}
	for i, stage := range req.Stages {
		resolved, problem := a.planStage(out, installed, stage, req)
		if problem != nil {
			out.Diagnostics = append(out.Diagnostics, *problem)
			return out, nil
		}
		if i == 0 { // the template is that of all stages
			a.template(resolved, req).Plan(ctx, out)
		}
	}
	if req.Agent.DecodingConstraints && a.config.cpu() {
		out.Diagnostics = append(out.Diagnostics, checkGrammars(installed)...)
	}
	out.Requirements = append(out.Requirements, a.ports(req.Smoke)...)
	a.site(req.Smoke).Plan(out)
	if req.Smoke {
		planSmoke(out, installed, req.Policy)
	}
	if a.config.cpu() && !req.Smoke {
		out.Notes = append(out.Notes, "device = \"cpu\": verl trains on a platform and a sampler of awhost's. "+
			"It shows that everything fits together, not how fast or how large.")
	}
	return out, nil
}

// planStage settles a stage and adds what it would be to the plan.
func (a *adapter) planStage(
	out *sdk.PlanResponse, installed *settings.Installed, stage sdk.StagePlan, req sdk.PlanRequest,
) (*settings.Resolved, *sdk.Diagnostic) {
	dir := folder(filepath.Join(req.RunDir, "verl", stage.Name))
	resolved, problem := a.settle(installed, launchPlan{
		stage: stage.Name, knobs: stage.Knobs, policy: req.Policy, data: stage.Data, dir: dir,
		checkpoints: dir.checkpoints(""), smoke: req.Smoke, elsewhere: req.Elsewhere,
	})
	if problem != nil {
		return nil, problem
	}
	out.Capabilities = a.capabilities(resolved.Generation)
	command := a.planned(dir, a.command(installed, dir, resolved), req.Smoke)
	out.Files = append(out.Files, sdk.PlannedFile{Path: dir.config(), Content: resolved.File})
	addStage(out, stage.Name, resolved, command, len(req.Stages) > 1)
	if req.Smoke { // for this machine
		return resolved, nil
	}
	if a.config.Launch == launch.KindProcess {
		a.planNodes(out, resolved)
	} else {
		a.planSizes(out, resolved)
	}
	if a.config.joins() {
		a.planCluster(out, resolved)
		a.site(req.Smoke).PlanEnv(out, resolved.Env)
	}
	return resolved, nil
}

// template returns the chat template as verl's workers render it.
func (a *adapter) template(r *settings.Resolved, req sdk.PlanRequest) python.ChatTemplate {
	const model = "actor_rollout_ref.model."
	tokenizer := cmp.Or(r.Text(model+"tokenizer_path"), r.Text(model+"path"))
	if req.Smoke { // the tiny model has the template of the policy
		tokenizer, _ = python.PolicyPath(req.Policy)
	}
	template := python.ChatTemplate{
		Model: tokenizer, Template: r.Text(model + "custom_chat_template"),
		Kwargs:    r.Section("data.apply_chat_template_kwargs"),
		Elsewhere: !req.Smoke && (req.Elsewhere || a.config.Launch != launch.KindProcess), ToolFormat: a.config.ToolFormat,
		ReasoningFormat: a.config.Reasoning,
	}
	if tokenizer == "" {
		template.NoRows = "the plan knows no model"
	}
	return template.With(req.Agent.ChatTemplateKwargs)
}

// addStage adds what one stage would be to the plan.
func addStage(out *sdk.PlanResponse, stage string, r *settings.Resolved, command sdk.PlannedCommand, several bool) {
	if !several {
		stage = ""
	}
	for _, key := range r.Keys {
		if several {
			key.Key = stage + "/" + key.Key
		}
		out.Effective = append(out.Effective, key)
	}
	out.Knobs = append(out.Knobs, r.Knobs...)
	out.Diagnostics = append(out.Diagnostics, r.Diagnostics...)
	out.Requirements = append(out.Requirements, r.Requirements...)
	out.Notes = slices.Concat(out.Notes, r.Notes, r.Step.Note(stage))
	out.Commands = append(out.Commands, command)
}

// constraints is the capability that only the CPU sampler has: the engines on GPUs report log-probabilities under the
// grammar, with which verl's trainer cannot compare its own.
const constraints = "decoding_constraints"

// checkGrammars reports a missing or unsupported xgrammar: see REQUIREMENT in awhost_bridge/constraints.py.
func checkGrammars(installed *settings.Installed) []sdk.Diagnostic {
	have := installed.Packages["xgrammar"]
	release, err := framework.ParseRelease(have)
	if err == nil && release.AtLeast(framework.Release{0, 2, 8}) && release.Before(framework.Release{0, 3}) {
		return nil
	}
	return []sdk.Diagnostic{*about("No xgrammar for decoding constraints", fmt.Sprintf(
		"decoding_constraints = \"apply\" needs it, and the environment of verl has %s. Install it: %s -m pip install "+
			"'xgrammar>=0.2.8,<0.3'", cmp.Or(have, "none"), installed.Python), "python")}
}

// capabilities returns the capabilities of a generation of verl's trainer with the configured engine.
func (a *adapter) capabilities(generation settings.Generation) sdk.AdapterCapabilities {
	out := capabilities(generation)
	if !a.config.cpu() {
		out.SamplingOwned = slices.DeleteFunc(out.SamplingOwned, func(s string) bool { return s == constraints })
	}
	return out
}

// capabilities are those of a generation of verl's trainer. Of a group of one verl's GRPO says that its mean is 0 and its deviation 1
// (compute_grpo_outcome_advantage in trainer/ppo/core_algos.py), and its other estimators that compare samples do the same.
func capabilities(generation settings.Generation) sdk.AdapterCapabilities {
	out := sdk.AdapterCapabilities{
		TokenCustody: "shim", RowsPerEpisode: "many", BehaviourLogprobs: true, Unscorable: "exact", GroupSemantics: true, GroupOfOne: "raw",
		Credit: []string{"episode"}, Modalities: []string{"text"},
		SamplingOwned: []string{
			"temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs", constraints,
		},
		Resume: true, LiveMetrics: true, StepBarrier: true, Recover: true, Smoke: true, ExportFormats: []string{formatHuggingFace}, Scale: []string{launch.KindProcess, launch.KindRay, launch.KindSlurm},
	}
	if generation == settings.V0 {
		out.RowsPerEpisode, out.Unscorable = "one", "in_baseline"
		out.GroupOfOne = "zero" // samples without a number have a row there, with the mean of their group
	}
	return out
}

// described are the capabilities of all generations: a plan narrows them to those of one.
func described() sdk.AdapterCapabilities {
	out := capabilities(settings.V1)
	out.GroupOfOne = "zero"
	return out
}
