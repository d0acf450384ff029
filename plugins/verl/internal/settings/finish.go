package settings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// finish checks what has come together and writes it out.
func (r *resolver) finish() {
	r.checkReplaced()
	r.checkOwnSettings()
	for _, rule := range rules {
		rule(r)
	}
	r.out.Generation = r.generation()
	r.out.GPUs, r.out.Step = r.gpus(), r.step()
	r.out.Keys = r.effective()
	r.out.File = r.file()
	if r.view.Get(engineKey) != nil {
		r.out.Engine = r.view.Text(engineKey)
	}
	r.out.Requirements = r.requirements()
	r.out.Notes = r.notes()
}

// notes are what a person should know who reads the plan.
func (r *resolver) notes() []string {
	trainer := "one row per episode"
	if r.generation() == V1 {
		trainer = "with TransferQueue, several rows per episode"
	}
	out := []string{fmt.Sprintf("verl %s in %s, trainer %s (%s)", r.req.Installed.Version,
		cmp.Or(r.req.Installed.Root, "another machine's Python"), strings.ToUpper(string(r.generation())), trainer)}
	out = append(out, r.noteSize()...)
	out = append(out, r.said...)
	out = append(out, r.replaced...)
	for _, m := range microBatches {
		if s := r.view.Get(m.perGPU); s != nil && s.Origin == framework.FromAwhost {
			out = append(out, fmt.Sprintf("%s = %s fits any GPU and is slow; raise it in overrides as far as the memory goes", m.perGPU, framework.Shown(s.Value)))
		}
	}
	if slices.Contains(r.req.Knobs.Set, "checkpoint.keep") {
		out = append(out, "verl keeps the newest checkpoints of checkpoint.keep and deletes the others, the best one included")
	}
	return out
}

// checkOwnSettings holds awhost's own keys and those of layers against the schema: a mistake there is ours, and must not
// come out as Hydra's.
func (r *resolver) checkOwnSettings() {
	for _, key := range r.view.Keys() {
		s := r.view.Get(key)
		if s.IsVerbatim() || key == engineKey || strings.HasPrefix(key, "hydra.") {
			continue
		}
		if at := r.schema.At(key); at.Kind == framework.Section || at.Kind == framework.Unknown && at.Strict {
			r.fail(nil, "Setting that this verl does not have", "%s: verl %s has no such setting.", described(s), r.req.Installed.Version)
		}
	}
}

// effective lists the keys that are set, and those that knobs name, with verl's default.
func (r *resolver) effective() []sdk.EffectiveKey {
	names := map[string]bool{}
	for _, key := range r.view.Keys() {
		names[key] = true
	}
	for _, k := range knobs {
		for _, key := range r.present(k) {
			names[key] = true
		}
	}
	var out []sdk.EffectiveKey
	for _, key := range slices.Sorted(maps.Keys(names)) {
		value, _ := r.view.Value(key)
		out = append(out, sdk.EffectiveKey{Key: key, ValueJSON: framework.EncodedJSON(value), Origin: r.view.Origin(key)})
	}
	return out
}

// file returns the configuration that Hydra reads: what differs from verl's defaults or was wished for.
func (r *resolver) file() []byte {
	all := []setting{
		{Key: "defaults", Value: []any{"ppo_trainer", "_self_"}},
		{Key: "hydra.searchpath", Value: []any{"pkg://verl.trainer.config"}},
	}
	for _, key := range r.view.Keys() {
		if key != engineKey { // Hydra composes with it
			all = append(all, *r.view.Get(key))
		}
	}
	text, err := framework.YAML(all)
	if err != nil {
		r.fail(nil, "Setting that Hydra cannot read", "%v.", err)
	}
	return text
}

// requirements are what must be on the machine that runs verl.
func (r *resolver) requirements() []sdk.Requirement {
	var out []sdk.Requirement
	if gpus := r.gpus(); gpus > 0 {
		out = append(out, r.gpuRequirement(gpus))
	}
	out = append(out, r.pythonRequirement())
	for _, name := range r.packages() {
		out = append(out, r.req.Installed.Require(name, "this run"))
	}
	return out
}

// gpuRequirement counts what torch calls cuda; other devices are not looked for.
func (r *resolver) gpuRequirement(needed int) sdk.Requirement {
	here := r.req.VisibleGPUs
	if device, ok := r.view.Value("trainer.device"); ok && device != "cuda" {
		here = python.UnknownGPUs
	}
	return framework.RequireGPUs(r.sayGPUs(), needed, here, r.req.Elsewhere)
}

func (r *resolver) pythonRequirement() sdk.Requirement {
	i := r.req.Installed
	detail := "Python"
	if i.Sites.Version != "" {
		detail += " " + i.Sites.Version
	}
	if i.RequiresPython != "" {
		detail += " (verl " + i.Version + " wants " + i.RequiresPython + ")"
	}
	return sdk.Requirement{Kind: "python", Detail: detail, Met: i.Python != "" && pythonFits(i.Sites.Version, i.RequiresPython)}
}

// packages are the distributions that this run imports.
func (r *resolver) packages() []string {
	out := []string{"verl", "torch", "ray", "transformers", "hydra-core", "tensordict"}
	if r.generation() == V1 {
		out = append(out, "transferqueue")
	}
	switch engine := r.view.Text(rollout + "name"); engine {
	case "vllm", "sglang":
		out = append(out, engine)
	}
	switch tracer := r.view.Text(rollout + "trace.backend"); tracer {
	case "mlflow", "weave", "trackio":
		out = append(out, tracer)
	}
	trackers, _ := r.view.Value("trainer.logger")
	list, _ := trackers.([]any)
	for _, name := range []string{"tensorboard", "wandb", "swanlab", "mlflow"} {
		if slices.Contains(list, any(name)) {
			out = append(out, name)
		}
	}
	return out
}
