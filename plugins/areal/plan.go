package areal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
)

// Plan implements sdk.Adapter.
func (a *adapter) Plan(ctx context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: capabilities(modeWorkflow, false)}
	policy, err := policyPath(req.Policy)
	if err != nil {
		out.Diagnostics = append(out.Diagnostics, problem("No policy to train", err.Error()))
		return out, nil
	}
	if err := checkPolicy(policy); err != nil {
		wrong := problem("No such model", err.Error()+".")
		if req.Elsewhere {
			wrong.Severity = sdk.SeverityWarning
		}
		out.Diagnostics = append(out.Diagnostics, wrong)
		if !req.Elsewhere {
			return out, nil
		}
	}
	for i, stage := range req.Stages {
		in := inputs{
			config: a.config, knobs: stage.Knobs, trainTasks: stage.Data.TrainTasks, validationTasks: stage.Data.ValidationTasks,
			policy: policy, dir: folder(a.Folder("LAUNCH")), trial: "TRIAL", elsewhere: req.Elsewhere,
		}
		if req.Smoke {
			in = in.inSmoke(a.Dir)
		}
		r, err := resolve(in)
		if err != nil {
			a.planError(out, stage.Name, err)
			continue
		}
		a.planStage(out, r, stage, i == 0, len(req.Stages) > 1)
		if i > 0 {
			continue
		}
		r.template(req.Agent.ChatTemplateKwargs).Plan(ctx, out)
		if !req.Smoke {
			planReach(out, r.config)
		}
	}
	return out, nil
}

// planError says why there is no configuration at all.
func (a *adapter) planError(out *sdk.PlanResponse, stage string, err error) {
	if errors.Is(err, framework.ErrNotInstalled) {
		if !slices.ContainsFunc(out.Requirements, func(r sdk.Requirement) bool { return r.Kind == "package" }) {
			out.Requirements = append(out.Requirements, sdk.Requirement{Kind: "package", Detail: err.Error()})
		}
		return
	}
	out.Diagnostics = append(out.Diagnostics, problem("Impossible training settings", fmt.Sprintf("stage %q: %v", stage, err)))
}

func (a *adapter) planStage(out *sdk.PlanResponse, r *resolved, stage sdk.StagePlan, first, several bool) {
	for _, path := range append(set(stage.Knobs), unset(stage.Knobs, "steps", "batch.prompts", "batch.group_size")...) {
		out.Knobs = append(out.Knobs, mapKnob(path)) // the host makes an error of a refused one
	}
	for _, p := range r.problems {
		text := fmt.Sprintf("stage %q: %s", stage.Name, p.Text)
		out.Diagnostics = append(out.Diagnostics, problem("AReaL cannot be trained like that", text, p.path...))
	}
	out.Effective = append(out.Effective, r.effective(stage.Name)...)
	name := ""
	if several {
		name = stage.Name
	}
	if !first {
		out.Notes = append(out.Notes, r.step().Note(name)...)
		return
	}
	warnings := settings.Framework.Warning(&r.installed.Installed, r.installed.Configuration)
	out.Diagnostics = append(out.Diagnostics, warnings...)
	out.Capabilities = capabilities(r.mode, r.installed.Release.AtLeast(areal2))
	out.Capabilities.MaxContext = r.maxContext
	if r.smoke {
		planSmoke(out, r)
	}
	site := r.config.site(r.smoke)
	command := site.Show(launch.Job{LaunchID: "LAUNCH", Dir: string(r.dir), LogFile: r.dir.log(), Argv: r.command()})
	command.Env = r.shownEnvironment()
	out.Commands = append(out.Commands, command)
	site.PlanEnv(out, r.knobs.Env)
	text, err := framework.YAML(r.entries)
	if err == nil {
		out.Files = append(out.Files, sdk.PlannedFile{Path: r.dir.config(), Content: text})
	}
	out.Requirements = append(append(out.Requirements, r.requirements()...), site.Port(),
		sdk.Requirement{Kind: "port", Detail: "AReaL's own workers, torch and engines: they draw free ones", Met: true})
	out.Notes = slices.Concat(out.Notes, r.notes(), r.step().Note(name))
}

// set lists the knobs that the spec sets.
func set(k sdk.Knobs) []string {
	out := slices.DeleteFunc(slices.Clone(k.Set), func(path string) bool { return framework.EmptyBlocks[path] })
	if len(k.Overrides) > 0 && !slices.Contains(out, "overrides") {
		out = append(out, "overrides")
	}
	return out
}

// unset are those of some knobs that the spec leaves open: the host counts with them, and finds their values by their key.
func unset(k sdk.Knobs, paths ...string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(k.Set, path) })
}

// effective lists the configuration with the origin of each value.
func (r *resolved) effective(stage string) []sdk.EffectiveKey {
	out := make([]sdk.EffectiveKey, 0, len(r.entries))
	for _, e := range r.entries {
		text, err := json.Marshal(e.Value)
		if err != nil {
			continue // NaN, which the checks have named
		}
		out = append(out, sdk.EffectiveKey{Key: stage + "/" + e.Key, ValueJSON: text, Origin: e.Origin})
	}
	return out
}

// shownEnvironment is the environment without what is this machine's.
func (r *resolved) shownEnvironment() map[string]string {
	out := r.environment()
	delete(out, "PATH")
	return out
}

// packages are those that a run needs besides AReaL, with what it is that needs them.
var packages = []struct{ name, need string }{
	{"torch", "AReaL's trainer"}, {"transformers", "AReaL's models"}, {"torchdata", "AReaL's data loader"}, {"ray", "AReaL imports it always"},
	{"omegaconf", "AReaL's configuration"}, {"hydra-core", "AReaL's configuration"}, {"datasets", "AReaL's trainer"}, {"aiohttp", "AReaL's rollouts"},
}

func (r *resolved) requirements() []sdk.Requirement {
	out := []sdk.Requirement{
		{Kind: "python", Detail: fmt.Sprintf("%s (%s)", r.installed.Python, r.installed.Why), Met: true},
		{Kind: "package", Detail: fmt.Sprintf("AReaL %s in %s", r.installed.Release, cmp.Or(r.installed.Root,
			"the Python of the machine that trains")), Met: r.installed.Root != ""},
	}
	needed := packages
	engine, _, _ := strings.Cut(r.settings.Text("rollout.backend"), ":")
	if !r.config.cpu() {
		needed = append(slices.Clone(needed), struct{ name, need string }{engine, "the rollouts' engine"})
	}
	if r.mode == modeAgent {
		for _, name := range []string{"litellm", "openai", "fastapi"} {
			needed = append(slices.Clone(needed), struct{ name, need string }{name, "AReaL's proxy"})
		}
	}
	for _, p := range needed {
		out = append(out, r.installed.Require(p.name, p.need))
	}
	return append(out, r.gpus()...)
}

// elsewhereBy returns the scheduler that chooses the machines of the workers, or an empty string for this machine.
func (r *resolved) elsewhereBy() string {
	if r.config.Scheduler != "local" {
		return r.config.Scheduler
	}
	if kind := r.config.site(r.smoke).Kind(); kind != launch.KindProcess {
		return kind
	}
	return ""
}

// gpus says how many are needed. With Ray and Slurm they are elsewhere, and their schedulers know.
func (r *resolved) gpus() []sdk.Requirement {
	if r.config.cpu() {
		return nil
	}
	detail := fmt.Sprintf("%d on each of %d machines", r.config.GPUsPerNode, r.config.Nodes)
	if finder := r.elsewhereBy(); finder != "" {
		return []sdk.Requirement{{Kind: "gpu", Detail: detail + ", which " + finder + " finds", Met: true}}
	}
	found := python.CountGPUs("/dev")
	return []sdk.Requirement{framework.RequireGPUs(detail, r.config.GPUsPerNode, found, r.elsewhere)}
}

func (r *resolved) notes() []string {
	out := []string{
		fmt.Sprintf("AReaL %s, %s mode: %s", r.installed.Release, r.mode, r.why),
		fmt.Sprintf("policy: %s, context %d tokens", r.policy, r.maxContext),
	}
	if r.epochs > 0 {
		out = append(out, fmt.Sprintf("%d steps, because total_train_epochs is %d", r.stageSteps(), r.epochs))
	}
	out = append(out, r.yieldNotes()...)
	if !r.installed.Release.AtLeast(areal2) && r.mode == modeWorkflow {
		out = append(out, "AReaL before 2.0 needs a row for each sample: one without a reward keeps its row, untrained, with the mean reward of its group")
	}
	if r.config.TokensEvery > 0 && r.mode == modeAgent {
		out = append(out, "tokens_every: in agent mode AReaL's proxy keeps the tokens, and none are shown")
	}
	if beginsAnew(r.policy, r.settings.Text("actor.backend")) {
		out = append(out, "the policy ties its embeddings, which AReaL's FSDP engine makes two of when it recovers: a resumed run, and a stage that follows another, go on with the weights and a fresh optimiser")
	}
	if r.config.cpu() && !r.smoke {
		out = append(out, "device = \"cpu\": awhost's stand-in for SGLang samples on the processor; it shows nothing about SGLang, its parsers or GPUs")
	}
	return out
}

// yieldNotes names the values of the user's file, and of the spec, that are not used.
func (r *resolved) yieldNotes() []string {
	byReason, values := map[string][]string{}, []string{} // the former by source and reason
	for _, y := range r.yields {
		s, by := y.Setting, y.By
		source, _, _ := strings.Cut(strings.TrimPrefix(s.Origin, framework.FromFiles), ":")
		switch reason := source + ": replaced by " + by.Why; {
		case by.Why != "" && !slices.Contains(byReason[reason], s.Key):
			byReason[reason] = append(byReason[reason], s.Key)
		case by.Why == "" && s.Value != nil:
			values = append(values, fmt.Sprintf("%s = %v (%s) replaces %v (%s)", s.Key, by.Value, by.Origin, s.Value, s.Origin))
		}
	}
	out := make([]string, 0, len(byReason)+len(values))
	for _, replaced := range slices.Sorted(maps.Keys(byReason)) {
		out = append(out, replaced+": "+strings.Join(byReason[replaced], ", "))
	}
	return append(out, values...)
}

// template returns the policy's chat template. Workers render with the tokenizer of r.model, which in a smoke run has
// the policy's template.
func (r *resolved) template(kwargs json.RawMessage) python.ChatTemplate {
	template := python.ChatTemplate{
		Model: r.policy, Elsewhere: r.elsewhere || r.elsewhereBy() != "", ToolFormat: r.config.ToolFormat,
		ReasoningFormat: r.config.Reasoning,
	}
	if r.mode == modeAgent {
		template.NoRows = "in agent mode AReaL's proxy renders the conversations, and rollout.agent.export_style decides"
	}
	return template.With(kwargs)
}

// checkPolicy returns why a policy on this machine cannot be read.
func checkPolicy(path string) error {
	if _, err := python.ReadModel(path); err != nil && !errors.Is(err, python.ErrNotHere) {
		return fmt.Errorf("the policy %w", err)
	}
	return nil
}

// policyPath returns the path of the model that the spec names.
func policyPath(policy json.RawMessage) (string, error) {
	path, err := python.PolicyPath(policy)
	if err == nil && path == "" {
		err = errors.New("AReaL trains your own model: add model \"hf\" \"base\" { path = … } and policy = model.hf.base in train")
	}
	return path, err
}
