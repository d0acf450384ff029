package hf

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
)

// Plan implements sdk.Adapter.
func (a *adapter) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out, site := &sdk.PlanResponse{Capabilities: a.capabilities()}, a.site(req.Smoke)
	in, err := a.installed(ctx, false)
	if err != nil {
		missing := wrong("No "+a.Title+" to train with", err.Error(), "python")
		if req.Elsewhere { // the other machine may have it
			if in, err = a.describe(ctx, &framework.Installed{}, false); err != nil {
				return nil, err
			}
			missing.Severity = sdk.SeverityWarning
			missing.Detail += fmt.Sprintf(". The plan is for %s %s.", a.Title, in.classes[0].Version)
		}
		out.Diagnostics = append(out.Diagnostics, missing)
	}
	if err == nil {
		a.planStages(out, in, req)
	}
	model, errModel := python.PolicyPath(req.Policy)
	if errModel != nil || model == "" {
		out.Diagnostics = append(out.Diagnostics, wrong("No policy",
			`Write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train.`))
	} else if err == nil {
		template := a.ChatTemplate(&a.settle(in.fields, req.Stages[0].Knobs, req.Data.TrainTasks, req.Smoke).Settings)
		template.Model, template.ToolFormat, template.ReasoningFormat = model, a.config.ToolFormat, a.config.ReasoningFormat
		template.Elsewhere = req.Elsewhere || site.Kind() != launch.KindProcess
		template.With(req.Agent.ChatTemplateKwargs).Plan(ctx, out)
	}
	if req.Smoke {
		out.Notes = append(out.Notes, fmt.Sprintf("the tiny model has the architecture and the tokenizer of %s; sampled "+
			"messages have at most 64 tokens", model))
	}
	site.Plan(out)
	out.Requirements = append(out.Requirements, site.Port())
	return out, nil
}

// planStages adds what the stages would be to the plan.
func (a *adapter) planStages(out *sdk.PlanResponse, in *installed, req sdk.PlanRequest) {
	needed, site := slices.Clone(a.Packages), a.site(req.Smoke)
	for _, stage := range req.Stages {
		f := a.settle(in.fields, stage.Knobs, stage.Data.TrainTasks, req.Smoke)
		prefix, name := "", ""
		if len(req.Stages) > 1 {
			prefix, name = stage.Name+"/", stage.Name
		}
		out.Notes = append(out.Notes, f.step.Note(name)...)
		for _, key := range f.Keys() {
			value, _ := f.Value(key)
			out.Effective = append(out.Effective, sdk.EffectiveKey{
				Key: prefix + key, ValueJSON: framework.EncodedJSON(value), Origin: f.Origin(key),
			})
		}
		for _, r := range f.Replaced() {
			if r.By.Level == framework.Override {
				out.Notes = append(out.Notes, fmt.Sprintf("%s: %s = %s, and not %s (%s)", r.By.Origin, r.Setting.Key,
					framework.Shown(r.By.Value), framework.Shown(r.Setting.Value), r.Setting.Origin))
			}
		}
		out.Knobs, out.Diagnostics = append(out.Knobs, f.mappings...), append(out.Diagnostics, f.problems...)
		dir := a.Folder("LAUNCH")
		command := site.Show(launch.Job{
			LaunchID: "LAUNCH", Dir: dir, LogFile: filepath.Join(dir, "trainer.log"), Argv: a.command(f.processes),
		})
		command.Env = a.env(stage.Knobs, req.Smoke)
		out.Commands = append(out.Commands, command)
		site.PlanEnv(out, stage.Knobs.Env)
		if f.IsTrue("use_vllm") && !slices.Contains(needed, "vllm") {
			needed = append(needed, "vllm")
		}
		if f.lora() && !slices.Contains(needed, "peft") {
			needed = append(needed, "peft")
		}
	}
	out.Diagnostics = append(out.Diagnostics, in.warnings...)
	a.planLoRA(out, in.lora)
	a.planConstraints(out, in, req.Agent.DecodingConstraints, slices.Contains(needed, "vllm"))
	if in.Root == "" {
		return // it is not on this machine
	}
	for _, name := range append([]string{a.Package}, needed...) {
		version, found := in.Packages[name]
		out.Requirements = append(out.Requirements, sdk.Requirement{Kind: "package", Met: found,
			Detail: name + " " + cmp.Or(version, "for "+a.config.Python)})
	}
	if a.Hook != nil && !in.classes[0].Guessed {
		if hook, err := a.Hook(in.classes.Methods(a.Trainer)); err != nil {
			out.Diagnostics = append(out.Diagnostics, wrong("No "+a.Title+" to train with", err.Error(), "python"))
		} else {
			out.Notes = append(out.Notes, a.Title+" gets the episodes through "+hook)
		}
	}
}

// planLoRA checks the fields of the attribute lora.
func (a *adapter) planLoRA(out *sdk.PlanResponse, schema *framework.Schema) {
	given, _ := object(a.config.LoRA) // validate has checked it
	f := &fields{}
	f.Schema = schema
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if problem := f.misfit(key, given[key]); problem != "" {
			out.Diagnostics = append(out.Diagnostics, wrong("Wrong field "+key+" of PEFT", problem, "lora", key))
		}
	}
}

// grammars is the requirement of awhost_bridge/constraints.py.
var grammars = Versions{"xgrammar", framework.Release{0, 2, 8}, framework.Release{0, 3}}

// planConstraints reports a missing xgrammar to agents that restrict messages. vLLM does not apply the restrictions.
func (a *adapter) planConstraints(out *sdk.PlanResponse, in *installed, wanted, vllm bool) {
	if vllm {
		out.Capabilities.SamplingOwned = slices.DeleteFunc(out.Capabilities.SamplingOwned, func(s string) bool {
			return s == constraints
		})
	} else if wanted && a.Constraints && in.Root != "" {
		if err := grammars.check(&in.Installed); err != nil {
			out.Diagnostics = append(out.Diagnostics, wrong("No xgrammar for decoding constraints", err.Error(), "python"))
		}
	}
}

// command returns the trainer's command: the module, or the program that starts several processes of it.
func (a *adapter) command(processes int) []string {
	module := "awhost_" + a.Name
	if processes > 1 {
		return []string{a.config.Python, "-u", "-m", "awhost_bridge.hf", fmt.Sprint(processes), module}
	}
	return []string{a.config.Python, "-u", "-m", module}
}

const visible = "CUDA_VISIBLE_DEVICES"

// env returns the variables of the trainer. On a CPU it must see no GPU, which it would use.
func (a *adapter) env(knobs sdk.Knobs, smoke bool) map[string]string {
	out := maps.Clone(knobs.Env)
	if _, isSet := out[visible]; smoke || a.config.Device == "cpu" && !isSet {
		if out == nil {
			out = map[string]string{}
		}
		out[visible] = ""
	}
	return out
}
