package areal

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// inputs are what AReaL's configuration follows from.
type inputs struct {
	config          config
	knobs           sdk.Knobs
	trainTasks      int
	validationTasks int
	policy          string // a folder in the layout of Hugging Face, or a name of the hub
	smoke           bool
	elsewhere       bool   // on another machine
	model           string // a folder in the layout of Hugging Face that AReaL loads in the policy's place; empty: the policy
	weights         string // the folder to start from; empty: the model's own, as no stage went before
	dir             folder
	trial           string // AReaL's name of the launch
	// skipped are steps of the stage that are finished and that AReaL does not count: it begins anew from their weights.
	skipped int
}

// resolved is what AReaL is given.
type resolved struct {
	inputs
	installed  *settings.Installed
	entries    []settings.Entry
	problems   []settings.Problem
	yields     []settings.Yield
	mode, why  string
	prompts    int
	groupSize  int
	steps      int // that AReaL makes
	epochs     int // of the user's configuration, if the steps follow from them; otherwise 0
	samples    int // per task, in validation
	maxContext int // tokens
	filter     string
}

// resolve puts AReaL's configuration together. An error means that there is nothing to go on from; what is wrong with single
// values is in problems.
func resolve(in inputs) (*resolved, error) {
	installed, err := settings.Find(in.config.Python, in.config.Source)
	if err != nil {
		return nil, err
	}
	if in.model == "" {
		in.model = in.policy
	}
	if in.weights == "" {
		in.weights = in.model
	}
	r := &resolved{inputs: in, installed: installed}
	b := settings.NewBuilder(installed.Schema, recipeKeys)
	if in.smoke {
		r.small(b)
	}
	if err := r.written(b); err != nil {
		return nil, err
	}
	r.adopt(b)
	r.sizes(b)
	r.writeKnobs(b, true)
	if r.mode, r.why, err = chooseMode(r.config, installed.Release, r.backend(b, "rollout._version")); err != nil {
		return nil, err
	}
	r.needed(b)
	r.defaults(b)
	r.settle(b)
	entries, problems := b.Resolve()
	r.entries, r.problems, r.yields = entries, append(problems, r.problems...), b.Yields()
	for _, y := range r.yields {
		if y.To.Origin == settings.FromCommand && slices.Contains(hostCounts, y.Origin) {
			r.object(b, y.Origin, "%s is %v by %s and %v by the command line: awhost counts with the spec's value; "+
				"change it there", y.Key, y.Value, y.Origin, y.To.Value)
		}
	}
	r.check(b)
	return r, nil
}

// hostCounts lists the knobs that the host counts with. The command line cannot replace them.
var hostCounts = []string{"steps", "epochs", "batch.prompts", "batch.group_size"}

// adopt reads the block's attributes that are AReaL keys from the merged configuration.
func (r *resolved) adopt(b *settings.Builder) {
	c := &r.config
	c.Nodes = r.count(b, "cluster.n_nodes", 1)
	if !c.cpu() {
		c.GPUsPerNode = r.count(b, "cluster.n_gpus_per_node", 8)
	}
	c.Scheduler = cmp.Or(r.backend(b, "scheduler.type"), "local")
	if !slices.Contains(schedulers, c.Scheduler) {
		r.object(b, "scheduler.type", "scheduler.type is %q: write one of %s", c.Scheduler, strings.Join(schedulers, ", "))
	}
	staleness := r.atLeast(b, "rollout.max_head_offpolicyness", 0, 0)
	c.MaxStaleness = &staleness
	b.Settle("cluster.n_nodes", c.Nodes, forBlock)
	b.Settle("cluster.n_gpus_per_node", r.gpusPerNode(), forBlock)
	b.Settle("scheduler.type", c.Scheduler, forBlock)
	b.Settle("rollout.max_head_offpolicyness", staleness, forBlock)
}

// schedulers are AReaL's.
var schedulers = []string{"local", "ray", "slurm"}

// sizes reads the numbers that others follow from out of the merged configuration, whether a knob, a file or an override
// sets them.
func (r *resolved) sizes(b *settings.Builder) {
	k := r.knobs
	r.prompts, r.groupSize = r.count(b, "train_dataset.batch_size", 32), r.count(b, "gconfig.n_samples", 8)
	r.samples = r.count(b, "eval_gconfig.n_samples", 1)
	switch {
	case k.Steps != nil && *k.Steps > 0:
		r.steps = *k.Steps
	case k.Epochs != nil && *k.Epochs > 0:
		r.steps = max(1, int(math.Ceil(*k.Epochs*float64(r.trainTasks)/float64(r.prompts))))
	default:
		r.steps = r.ownSteps(b)
	}
	r.steps -= r.skipped
	r.maxContext = r.context(b)
}

// ownSteps returns the steps of a stage whose length the spec omits, from the user's configuration. An epoch has only
// full batches, as in AReaL.
func (r *resolved) ownSteps(b *settings.Builder) int {
	if steps := r.count(b, "total_train_steps", 0); steps > 0 {
		return steps
	}
	if r.epochs = r.count(b, "total_train_epochs", 0); r.epochs == 0 {
		r.object(b, "steps", "neither steps nor epochs is set: write steps = 60, or epochs = 1, in the train block")
	}
	return max(1, r.epochs*(r.trainTasks/r.prompts))
}

// count returns a number above 0 of the configuration, or the fallback if the key has none.
func (r *resolved) count(b *settings.Builder, key string, fallback int) int {
	return r.atLeast(b, key, 1, fallback)
}

// atLeast returns a whole number of the configuration, or the fallback if the key has none.
func (r *resolved) atLeast(b *settings.Builder, key string, least, fallback int) int {
	v, set := b.Value(key)
	n, ok := framework.Float(v)
	switch {
	case ok && n >= float64(least) && n == math.Trunc(n):
		return int(n)
	case ok:
		r.object(b, key, "%s is %v: it must be a whole number from %d", key, v, least)
	case set && v != nil:
		r.object(b, key, "%s is %v, which only AReaL can resolve, and awhost needs it, too: write the number", key, v)
	}
	return fallback
}

// context returns the window of an episode, in tokens: the smallest that is configured, or else the policy's.
func (r *resolved) context(b *settings.Builder) int {
	most, engine := cmp.Or(r.config.MaxContext, contextOf(r.policy)), "sglang.context_length"
	if strings.HasPrefix(cmp.Or(r.backend(b, "rollout.backend"), r.config.Rollout), "vllm") {
		engine = "vllm.max_model_len"
	}
	for _, key := range []string{engine, "gconfig.max_tokens", "rollout.agent.engine_max_tokens"} {
		n := r.count(b, key, most)
		if n < r.config.MaxContext {
			r.object(b, key, "%s is %d, and max_context is %d: remove one of them", key, n, r.config.MaxContext)
		}
		most = min(most, n)
	}
	return most
}

// settle sets the sizes wherever AReaL reads them. A copy that the user writes must agree, before a smoke run replaces
// both.
func (r *resolved) settle(b *settings.Builder) {
	b.Settle("total_train_steps", r.steps, forSteps)
	b.Settle("train_dataset.batch_size", r.prompts, forSteps)
	b.Settle("gconfig.n_samples", r.groupSize, forSteps)
	b.Settle("eval_gconfig.n_samples", r.samples, forSteps)
	copies := map[string]string{"rollout.consumer_batch_size": "train_dataset.batch_size"}
	for _, section := range []string{"actor.reward_norm", "actor.adv_norm"} {
		if comparesGroups(b, section) {
			copies[section+".group_size"] = "gconfig.n_samples"
		}
	}
	for key, source := range copies {
		size, _ := b.Value(source)
		counts, known := b.Written(source)
		if !known && !r.smoke {
			counts, known = size, true
		}
		own, written := b.Written(key)
		isCopy := b.IsFromFile(key) || own == "${"+source+"}" || framework.Equal(own, counts)
		if written && known && !isCopy {
			r.object(b, key, "%s is %v, and %s is %v: remove the first, which follows from the second", key, own, source, counts)
		}
		b.Settle(key, size, source)
	}
}

// comparesGroups reports whether a normalization of AReaL's has the level of groups.
func comparesGroups(b *settings.Builder, section string) bool {
	mean, _ := b.Value(section + ".mean_level")
	std, _ := b.Value(section + ".std_level")
	return mean == "group" || std == "group"
}

// object adds a problem with a knob, an attribute or a key of AReaL's.
func (r *resolved) object(b *settings.Builder, about, format string, values ...any) {
	r.problems = append(r.problems, b.Problem(about, fmt.Sprintf(format, values...)))
}

// stageSteps are the steps of the stage, also of those that AReaL does not make.
func (r *resolved) stageSteps() int { return r.steps + r.skipped }

// defaultContext is the window of a policy that is not on this machine, which says its own only when it is loaded.
const defaultContext = 32768

// readModel looks at a policy; of one that is not on this machine nothing is known.
func readModel(policy string) python.Model {
	model, err := python.ReadModel(policy)
	if err != nil {
		return python.Model{} // Plan has said what is wrong with it
	}
	return model
}

// beginsAnew says that AReaL's own recovery is not used: its FSDP engine makes two of tied embeddings when it loads what it saved
// (measured with 1.0.4: from then on trainer and samplers differ). Such a stage goes on from the checkpoint's weights.
func beginsAnew(policy, actor string) bool {
	return readModel(policy).Tied && strings.HasPrefix(actor, "fsdp")
}

func modelType(policy string) string { return readModel(policy).Type }

// contextOf is a policy's window.
func contextOf(policy string) int {
	if most := readModel(policy).Context; most > 0 {
		return min(most, defaultContext)
	}
	return defaultContext
}

// written takes over what the user wrote: knobs, file, overrides, command line.
func (r *resolved) written(b *settings.Builder) error {
	if r.config.Config != "" {
		tree, err := settings.ReadFile(r.config.Config)
		if err != nil {
			return fmt.Errorf("config: %w", err)
		}
		b.WriteTree(tree, settings.FromFile+filepath.Base(r.config.Config))
	}
	r.writeKnobs(b, false)
	if !r.smoke { // which replaces them
		r.writeAttributes(b)
	}
	overrides, err := settings.Overrides(r.config.Overrides)
	if err != nil {
		return err
	}
	b.WriteTree(settings.Nested(overrides), "overrides")
	for key, text := range r.knobs.Overrides {
		value, err := framework.ParseValue(text)
		if err != nil {
			return fmt.Errorf("-- %s=%s: %w", key, text, err)
		}
		b.WriteTree(settings.Nested(map[string]any{strings.TrimLeft(key, "+"): value}), settings.FromCommand)
	}
	return nil
}

// writeAttributes writes the block's attributes that are AReaL keys.
func (r *resolved) writeAttributes(b *settings.Builder) {
	c := r.config
	for _, a := range []struct {
		name, key string
		set       bool
		value     any
	}{
		{"actor", "actor.backend", c.Actor != "", c.Actor},
		{"rollout", "rollout.backend", c.Rollout != "", c.Rollout},
		{"scheduler", "scheduler.type", c.Scheduler != "", c.Scheduler},
		{"nodes", "cluster.n_nodes", c.Nodes > 0, c.Nodes},
		{"gpus_per_node", "cluster.n_gpus_per_node", c.GPUsPerNode > 0 && !c.cpu(), c.GPUsPerNode},
		{"max_staleness", "rollout.max_head_offpolicyness", c.MaxStaleness != nil, value(c.MaxStaleness, 0)},
	} {
		if a.set {
			b.Write(a.key, a.value, a.name)
		}
	}
}

// writeKnobs takes over the knobs that the spec sets: the derived ones, which need the sizes, or the others. In a smoke
// run the host's numbers count.
func (r *resolved) writeKnobs(b *settings.Builder, needSizes bool) {
	for _, k := range knobs {
		switch {
		case k.write == nil || slices.Contains(derived, k.path) != needSizes:
		case r.smoke && slices.Contains(counted, k.path):
			k.write(r, func(key string, value any) { b.Replace(key, value, smokeOrigin) })
		case k.isSet(r.knobs):
			k.write(r, func(key string, value any) { b.Write(key, value, k.path) })
		}
	}
}

// recipeKeys maps keys that AReaL's examples define for their own programs to the parts of a spec that replace them.
var recipeKeys = map[string]string{
	"reward_fn_path": "a reward block", "workflow": "an agent block", "eval_workflow": "an agent block",
	"agent_builder_path": "an agent block", "agent_run_args": "an agent block",
	"tir": "the environment's tools", "econfig": "an environment block",
	"export_style": "mode and rollout.agent.export_style",
}

// Reasons for values that awhost sets.
const (
	forFolder = "the run's directory"
	forBlock  = "the adapter's block"
	forPolicy = "the train block's policy"
	forData   = "the spec's data"
	forAgent  = "the spec's agent"
	forResume = "resume, which awhost controls"
	forSteps  = "the stage's steps"
)

// needed sets the values that awhost requires.
func (r *resolved) needed(b *settings.Builder) {
	root := r.dir.areal(r.config.SharedFolder)
	for _, section := range []string{"", "actor.", "rollout.", "saver.", "recover.", "evaluator.", "stats_logger."} {
		b.Need(section+"experiment_name", experiment, forFolder)
		b.Need(section+"trial_name", r.trial, forFolder)
	}
	for _, section := range []string{"cluster.", "rollout.", "saver.", "recover.", "evaluator.", "stats_logger."} {
		b.Need(section+"fileroot", root, forFolder)
	}
	b.Need("cluster.name_resolve.type", "nfs", forFolder)
	b.Need("cluster.name_resolve.nfs_record_root", filepath.Join(root, "names"), forFolder)
	if r.knobs.Steps == nil && r.knobs.Epochs == nil { // the configuration has the length
		b.Replace("total_train_epochs", 1, "awhost")
	} else {
		b.Need("total_train_epochs", 1, forSteps)
	}
	b.Need("tokenizer_path", r.model, forPolicy)
	b.Need("actor.path", r.weights, forPolicy)
	b.Need("rollout.tokenizer_path", r.model, forPolicy)
	r.neededData(b)
	r.neededAgent(b)
	b.Need("recover.mode", "on", forResume)
}

func (r *resolved) neededData(b *settings.Builder) {
	rows := map[string]any{"path": "awhost", "type": "rl", "shuffle": false, "num_workers": 0}
	for key, value := range rows {
		b.Need("train_dataset."+key, value, forData)
	}
	b.Need("train_dataset.drop_last", true, forData)
	b.Default("train_dataset.pin_memory", false)
	if r.validationTasks == 0 {
		b.Need("valid_dataset", nil, forData)
		return
	}
	for key, value := range rows {
		b.Need("valid_dataset."+key, value, forData)
	}
	b.Need("valid_dataset.drop_last", false, forData)
	b.Default("valid_dataset.batch_size", r.prompts)
	b.Default("valid_dataset.pin_memory", false)
}

func (r *resolved) neededAgent(b *settings.Builder) {
	if r.mode != modeAgent {
		return
	}
	b.Need("rollout.agent.mode", "inline", forAgent)
	b.Need("rollout.agent.agent_cls_path", agentClass, forAgent)
	b.Need("rollout.agent.turn_discount", 1.0, forAgent)
	b.Default("rollout.agent.engine_max_tokens", r.maxContext)
	b.Default("rollout.agent.chat_template_type", "concat")
	b.Default("rollout.agent.export_style", "concat")
}

func (r *resolved) gpusPerNode() int {
	if r.config.cpu() {
		return 2 // AReaL divides by it; no worker asks for one
	}
	return r.config.GPUsPerNode
}

// experiment is AReaL's name for all of awhost's runs; trials tell them apart.
const experiment = "awhost"

func value[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}
