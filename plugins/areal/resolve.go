package areal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
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
	settings   *framework.Settings
	entries    []framework.Setting // what AReaL reads, by key, with interpolations followed
	problems   []objection
	yields     []framework.Replaced
	mode, why  string
	prompts    int
	groupSize  int
	steps      int // that AReaL makes
	epochs     int // of the user's configuration, if the steps follow from them; otherwise 0
	samples    int // per task, in validation
	maxContext int // tokens
	filter     string
}

// objection is something that is wrong with the configuration, addressed to the person who wrote it.
type objection struct {
	path []string // of the attribute or the knob
	Text string
}

// resolve puts AReaL's configuration together. An error means that there is nothing to go on from; what is wrong with single
// values is in problems.
func resolve(in inputs) (*resolved, error) {
	installed, err := settings.Find(in.config.Python, in.config.Source)
	if err != nil && in.elsewhere {
		installed, err = settings.Absent(in.config.Python)
	}
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
	r.settings = &framework.Settings{Schema: installed.Schema, DefaultOrigin: "awhost's default"}
	if in.smoke {
		r.small()
	}
	if err := r.written(); err != nil {
		return nil, err
	}
	r.adopt()
	r.sizes()
	r.writeKnobs(true)
	if r.mode, r.why, err = chooseMode(r.config, installed.Release, r.settings.Text("rollout._version")); err != nil {
		return nil, err
	}
	r.needed()
	r.defaults()
	r.settle()
	r.finish()
	r.check()
	return r, nil
}

// finish reports the user's values that do not count, and lists the values of all keys.
func (r *resolved) finish() {
	for _, p := range r.settings.Replaced() {
		s, by := p.Setting, p.By
		switch {
		case by.Level == framework.SmokeRun, by.Yields && by.Why == "":
			continue
		case by.Level == framework.Owned && !by.Yields && s.Level != framework.File:
			value, _ := r.settings.WrittenValue(s.Key)
			r.refuse(s, "%s is %s by %s, and awhost needs %s for %s: remove it", s.Key, framework.Shown(value), s.Origin,
				framework.Shown(by.Value), by.Why)
			continue
		}
		r.yields = append(r.yields, p)
	}
	for _, key := range r.settings.Keys() {
		if s, by := r.settings.Find(key, framework.Spec), r.settings.Find(key, framework.Override); s != nil && by != nil &&
			slices.Contains(hostCounts, s.Origin) && !framework.Equal(s.Value, by.Value) {
			r.refuse(s, "%s is %v by %s and %v by %s: awhost counts with the spec's value; change it there", key, s.Value,
				s.Origin, by.Value, by.Origin)
		}
		s, own := *r.settings.Get(key), r.settings.Written(key)
		s.Value, _ = r.settings.Value(key)
		null := r.nullAbove(key)
		switch {
		case null != nil && own != nil && own.Level == framework.File && null.Level == framework.Owned:
			r.yields = append(r.yields, framework.Replaced{Setting: own, By: null})
		case null != nil && own != nil:
			r.refuse(own, "%s is set by %s, and %s is null by %s: keep one of them", key, s.Origin, null.Key, null.Origin)
		case null != nil:
		default:
			if err := r.installed.Check(key, s.Value); err != nil && own == nil {
				r.refuse(&s, "%v: this awhost does not know this AReaL", err)
			}
			r.entries = append(r.entries, s)
		}
	}
}

// nullAbove returns the setting that makes a section above a key null, or nil.
func (r *resolved) nullAbove(key string) *framework.Setting {
	for above, _, ok := framework.CutLast(key); ok; above, _, ok = framework.CutLast(above) {
		if s := r.settings.Get(above); s != nil && s.Value == nil {
			return s
		}
	}
	return nil
}

// hostCounts lists the knobs that the host counts with. An override cannot replace them.
var hostCounts = []string{"steps", "epochs", "batch.prompts", "batch.group_size"}

// adopt reads the block's attributes that are AReaL keys from the merged configuration.
func (r *resolved) adopt() {
	c := &r.config
	c.Nodes = r.count("cluster.n_nodes", 1)
	if !c.cpu() {
		c.GPUsPerNode = r.count("cluster.n_gpus_per_node", 8)
	}
	c.Scheduler = cmp.Or(r.settings.Text("scheduler.type"), "local")
	if !slices.Contains(schedulers, c.Scheduler) {
		r.object("scheduler.type", "scheduler.type is %q: write one of %s", c.Scheduler, strings.Join(schedulers, ", "))
	}
	staleness := r.atLeast("rollout.max_head_offpolicyness", 0, 0)
	c.MaxStaleness = &staleness
	r.settings.Settle("cluster.n_nodes", c.Nodes, forBlock)
	r.settings.Settle("cluster.n_gpus_per_node", r.gpusPerNode(), forBlock)
	r.settings.Settle("scheduler.type", c.Scheduler, forBlock)
	r.settings.Settle("rollout.max_head_offpolicyness", staleness, forBlock)
}

// schedulers are AReaL's.
var schedulers = []string{"local", "ray", "slurm"}

// sizes reads the numbers that others follow from out of the merged configuration, whatever its source is.
func (r *resolved) sizes() {
	k := r.knobs
	r.prompts, r.groupSize = r.count("train_dataset.batch_size", 32), r.count("gconfig.n_samples", 8)
	r.samples = r.count("eval_gconfig.n_samples", 1)
	switch {
	case k.Steps != nil && *k.Steps > 0:
		r.steps = *k.Steps
	case k.Epochs != nil && *k.Epochs > 0:
		r.steps = framework.StepsOf(*k.Epochs, r.trainTasks, r.prompts)
	default:
		r.steps = r.ownSteps()
	}
	r.steps -= r.skipped
	r.maxContext = r.context()
}

// ownSteps returns the steps of a stage whose length the spec omits, from the user's configuration. An epoch has only
// full batches, as in AReaL.
func (r *resolved) ownSteps() int {
	if steps := r.count("total_train_steps", 0); steps > 0 {
		return steps
	}
	if r.epochs = r.count("total_train_epochs", 0); r.epochs == 0 {
		r.object("steps", "neither steps nor epochs is set: write steps = 60, or epochs = 1, in the train block")
	}
	return max(1, r.epochs*(r.trainTasks/r.prompts))
}

// count returns a number above 0 of the configuration, or the fallback if the key has none.
func (r *resolved) count(key string, fallback int) int {
	return r.atLeast(key, 1, fallback)
}

// atLeast returns a whole number of the configuration, or the fallback if the key has none.
func (r *resolved) atLeast(key string, least, fallback int) int {
	v, _ := r.settings.Value(key)
	n, ok := framework.Float(v)
	switch {
	case ok && n >= float64(least) && n == math.Trunc(n):
		return int(n)
	case ok:
		r.object(key, "%s is %v: it must be a whole number from %d", key, v, least)
	case v != nil:
		r.object(key, "%s is %v, which only AReaL can resolve, and awhost needs it, too: write the number", key, v)
	}
	return fallback
}

// context returns the window of an episode, in tokens: the smallest that is configured, or else the policy's.
func (r *resolved) context() int {
	most, engine := cmp.Or(r.config.MaxContext, contextOf(r.policy)), "sglang.context_length"
	if strings.HasPrefix(cmp.Or(r.settings.Text("rollout.backend"), r.config.Rollout), "vllm") {
		engine = "vllm.max_model_len"
	}
	for _, key := range []string{engine, "gconfig.max_tokens", "rollout.agent.engine_max_tokens"} {
		n := r.count(key, most)
		if n < r.config.MaxContext {
			r.object(key, "%s is %d, and max_context is %d: remove one of them", key, n, r.config.MaxContext)
		}
		most = min(most, n)
	}
	return most
}

// settle sets the sizes wherever AReaL reads them. A copy that the user writes must agree, before a smoke run replaces
// both.
func (r *resolved) settle() {
	r.settings.Settle("total_train_steps", r.steps, forSteps)
	r.settings.Settle("train_dataset.batch_size", r.prompts, forSteps)
	r.settings.Settle("gconfig.n_samples", r.groupSize, forSteps)
	r.settings.Settle("eval_gconfig.n_samples", r.samples, forSteps)
	copies := map[string]string{"rollout.consumer_batch_size": "train_dataset.batch_size"}
	for _, section := range []string{"actor.reward_norm", "actor.adv_norm"} {
		if r.comparesGroups(section) {
			copies[section+".group_size"] = "gconfig.n_samples"
		}
	}
	for key, source := range copies {
		size, _ := r.settings.Value(source)
		counts, known := r.settings.WrittenValue(source)
		if !known && !r.smoke {
			counts, known = size, true
		}
		own, written := r.settings.WrittenValue(key)
		isCopy := r.isFromFile(key) || own == "${"+source+"}" || framework.Equal(own, counts)
		if written && known && !isCopy {
			r.object(key, "%s is %v, and %s is %v: remove the first, which follows from the second", key, own, source, counts)
		}
		r.settings.Settle(key, size, source)
	}
}

// comparesGroups reports whether a normalization of AReaL's has the level of groups.
func (r *resolved) comparesGroups(section string) bool {
	return r.settings.Text(section+".mean_level") == "group" || r.settings.Text(section+".std_level") == "group"
}

// object adds a problem with a knob, an attribute or a key of AReaL's.
func (r *resolved) object(about, format string, values ...any) {
	s := r.settings.Written(about)
	if s == nil {
		s = &framework.Setting{Path: strings.Split(about, ".")}
	}
	r.refuse(s, format, values...)
}

// refuse adds a problem with a setting.
func (r *resolved) refuse(s *framework.Setting, format string, values ...any) {
	r.problems = append(r.problems, objection{path: s.Path, Text: fmt.Sprintf(format, values...)})
}

// isFromFile reports whether the user's file has the value of a key.
func (r *resolved) isFromFile(key string) bool {
	s := r.settings.Written(key)
	return s != nil && s.Level == framework.File
}

// writes reports whether the user sets a section, or a key below it.
func (r *resolved) writes(section string) bool {
	return slices.ContainsFunc(r.settings.Keys(), func(key string) bool {
		s := r.settings.Written(key)
		return s != nil && (key == section && s.Value != nil || strings.HasPrefix(key, section+"."))
	})
}

// inherit makes what the user writes in a section the default of another section.
func (r *resolved) inherit(section, from string) {
	for _, key := range r.settings.Keys() {
		if name, ok := strings.CutPrefix(key, from+"."); ok && r.settings.Written(key) != nil {
			r.settings.Default(section+"."+name, r.settings.Written(key).Value)
		}
	}
}

// need sets a value that awhost requires for a reason.
func (r *resolved) need(key string, value any, why string) {
	r.settings.Set(&framework.Setting{
		Key: key, Value: value, Level: framework.Owned, Origin: framework.FromAwhost, Why: why,
	})
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

// written takes over what the user wrote: file, knobs, overrides, command line.
func (r *resolved) written() error {
	if r.config.Config != "" {
		all, err := readFile(r.config.Config)
		if err != nil {
			return fmt.Errorf("config: %w", err)
		}
		r.write(all...)
	}
	r.writeKnobs(false)
	if !r.smoke { // which replaces them
		r.writeAttributes()
	}
	var overrides map[string]json.RawMessage
	if err := json.Unmarshal([]byte(cmp.Or(string(r.config.Overrides), "null")), &overrides); err != nil {
		return fmt.Errorf("overrides must be a mapping of keys to values (%w)", err)
	}
	var unread error
	r.write(framework.Overrides(overrides, r.knobs.Overrides, func(_ []string, shown string, err error) {
		unread = cmp.Or(unread, fmt.Errorf("override %s: %w", shown, err))
	})...)
	return unread
}

// readFile reads a configuration of the user's.
func readFile(path string) ([]*framework.Setting, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all, err := framework.FileSettings(filepath.Base(path), text)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: correct the YAML", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if slices.ContainsFunc(all, func(s *framework.Setting) bool { return s.Key == "defaults" }) {
		return nil, fmt.Errorf("%s: it has a list of `defaults`, from which Hydra puts files together: give one complete file", path)
	}
	return all, nil
}

// write adds settings of the user that AReaL takes.
func (r *resolved) write(all ...*framework.Setting) {
	for _, s := range all {
		if s.Origin == framework.FromCommand {
			s.Origin = "the command line"
		}
		first, _, _ := strings.Cut(s.Key, ".")
		object, isMapping := s.Value.(map[string]any)
		why, foreign := recipeKeys[first]
		err := r.installed.Check(s.Key, s.Value)
		switch text := ""; {
		case foreign && s.Level == framework.File:
			s.Key = first
			r.yields = append(r.yields, framework.Replaced{Setting: s, By: &framework.Setting{Why: why}})
		case foreign:
			text = fmt.Sprintf("%s is a key of AReaL's example programs, which awhost does not run: write %s instead",
				first, why)
			fallthrough
		case err != nil:
			text = cmp.Or(text, fmt.Sprint(err))
			if !slices.ContainsFunc(r.problems, func(o objection) bool { return o.Text == text }) { // one for a section
				r.refuse(s, "%s", text)
			}
		case isMapping && len(object) == 0 && r.installed.Schema.At(s.Key).Kind == framework.Section:
		default:
			r.settings.Set(s)
		}
	}
}

// writeAttributes writes the block's attributes that are AReaL keys.
func (r *resolved) writeAttributes() {
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
		{"max_staleness", "rollout.max_head_offpolicyness", c.MaxStaleness != nil, sdk.ValueOr(c.MaxStaleness, 0)},
	} {
		if a.set {
			r.writeValue(a.key, a.value, a.name)
		}
	}
}

// writeKnobs takes over the knobs that the spec sets: the derived ones, which need the sizes, or the others. In a smoke
// run the host's numbers count.
func (r *resolved) writeKnobs(needSizes bool) {
	for _, k := range knobs {
		write := k.write
		if write == nil {
			write = func(r *resolved, set func(string, any)) {
				if v := framework.Knob(r.knobs, k.path); v != nil {
					set(k.key, v)
				}
			}
		}
		switch {
		case k.refused != "" || k.key == byHost || slices.Contains(derived, k.path) != needSizes:
		case r.smoke && slices.Contains(counted, k.path):
			write(r, r.replace)
		case k.isSet(r.knobs):
			write(r, func(key string, value any) { r.writeValue(key, value, k.path) })
		}
	}
}

// writeValue writes a knob, or an attribute of the block.
func (r *resolved) writeValue(key string, value any, path string) {
	value, _ = framework.Normal(value) // a type of the SDK
	at := strings.Split(path, ".")
	r.write(&framework.Setting{Key: key, Value: value, Level: framework.Spec, Origin: path, Path: at})
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
func (r *resolved) needed() {
	root, names := r.dir.areal(r.config.SharedFolder), []string{"saver.", "recover.", "evaluator.", "stats_logger."}
	if r.writes("perf_tracer") {
		names = append(names, "perf_tracer.") // absent by default, and without defaults
	}
	for _, section := range append([]string{"", "actor.", "rollout."}, names...) {
		r.need(section+"experiment_name", experiment, forFolder)
		r.need(section+"trial_name", r.trial, forFolder)
	}
	for _, section := range append([]string{"cluster.", "rollout."}, names...) {
		r.need(section+"fileroot", root, forFolder)
	}
	r.need("cluster.name_resolve.type", "nfs", forFolder)
	r.need("cluster.name_resolve.nfs_record_root", filepath.Join(root, "names"), forFolder)
	if r.knobs.Steps == nil && r.knobs.Epochs == nil { // the configuration has the length
		r.settings.Settle("total_train_epochs", 1, "")
	} else {
		r.need("total_train_epochs", 1, forSteps)
	}
	r.need("tokenizer_path", r.model, forPolicy)
	r.need("actor.path", r.weights, forPolicy)
	r.need("rollout.tokenizer_path", r.model, forPolicy)
	r.neededData()
	r.neededAgent()
	r.need("recover.mode", "on", forResume)
}

func (r *resolved) neededData() {
	rows := map[string]any{"path": "awhost", "type": "rl", "shuffle": false, "num_workers": 0}
	for key, value := range rows {
		r.need("train_dataset."+key, value, forData)
	}
	r.need("train_dataset.drop_last", true, forData)
	r.settings.Default("train_dataset.pin_memory", false)
	if r.validationTasks == 0 {
		r.need("valid_dataset", nil, forData)
		return
	}
	for key, value := range rows {
		r.need("valid_dataset."+key, value, forData)
	}
	r.need("valid_dataset.drop_last", false, forData)
	r.settings.Default("valid_dataset.batch_size", r.prompts)
	r.settings.Default("valid_dataset.pin_memory", false)
}

func (r *resolved) neededAgent() {
	if r.mode != modeAgent {
		return
	}
	r.need("rollout.agent.mode", "inline", forAgent)
	r.need("rollout.agent.agent_cls_path", agentClass, forAgent)
	r.need("rollout.agent.turn_discount", 1.0, forAgent)
	r.settings.Default("rollout.agent.engine_max_tokens", r.maxContext)
	r.settings.Default("rollout.agent.chat_template_type", "concat")
	r.settings.Default("rollout.agent.export_style", "concat")
}

func (r *resolved) gpusPerNode() int {
	if r.config.cpu() {
		return 2 // AReaL divides by it; no worker asks for one
	}
	return r.config.GPUsPerNode
}

// experiment is AReaL's name for all of awhost's runs; trials tell them apart.
const experiment = "awhost"
