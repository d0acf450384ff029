package areal

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
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
	mode, why  string
	prompts    int
	groupSize  int
	steps      int // that AReaL makes
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
	if err := r.sizes(); err != nil {
		return nil, err
	}
	b := settings.NewBuilder(installed.Schema)
	if in.smoke {
		r.small(b)
	}
	if err := r.written(b); err != nil {
		return nil, err
	}
	controller, _ := b.Value("rollout._version")
	version, _ := controller.(string)
	if r.mode, r.why, err = chooseMode(in.config, installed.Release, version); err != nil {
		return nil, err
	}
	r.needed(b)
	r.defaults(b)
	r.entries, r.problems = b.Resolve()
	r.check(b)
	return r, nil
}

// sizes are the numbers that others follow from.
func (r *resolved) sizes() error {
	k := r.knobs
	r.prompts, r.groupSize, r.samples = value(k.Batch.Prompts, 32), value(k.Batch.GroupSize, 8), value(k.Validate.Samples, 1)
	switch {
	case r.prompts < 1:
		return fmt.Errorf("batch.prompts is %d: it must be at least 1", r.prompts)
	case r.groupSize < 2:
		return fmt.Errorf("batch.group_size is %d: GRPO compares the samples of a group, so there must be at least 2", r.groupSize)
	case k.Steps != nil && *k.Steps > 0:
		r.steps = *k.Steps
	case k.Epochs != nil && *k.Epochs > 0:
		r.steps = max(1, int(math.Ceil(*k.Epochs*float64(r.trainTasks)/float64(r.prompts))))
	default:
		return fmt.Errorf("neither steps nor epochs is set: say how long to train")
	}
	r.steps -= r.skipped
	r.maxContext = r.config.MaxContext
	if r.maxContext == 0 {
		r.maxContext = contextOf(r.policy)
	}
	return nil
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
		b.WriteTree(tree, "config: "+filepath.Base(r.config.Config))
	}
	for _, k := range knobs {
		if k.write != nil && k.isSet(r.knobs) {
			k.write(r, func(key string, value any) { b.Write(key, value, k.path) })
		}
	}
	overrides, err := settings.Overrides(r.config.Overrides)
	if err != nil {
		return err
	}
	b.WriteTree(settings.Nested(overrides), "overrides")
	for key, text := range r.knobs.Overrides {
		value, err := settings.CommandLine(text)
		if err != nil {
			return fmt.Errorf("-- %s=%s: %w", key, text, err)
		}
		b.WriteTree(settings.Nested(map[string]any{strings.TrimLeft(key, "+"): value}), "command line")
	}
	return nil
}

// needed is what awhost cannot work without.
func (r *resolved) needed(b *settings.Builder) {
	root := r.dir.areal(r.config.SharedFolder)
	for _, section := range []string{"", "actor.", "rollout.", "saver.", "recover.", "evaluator.", "stats_logger."} {
		b.Need(section+"experiment_name", experiment)
		b.Need(section+"trial_name", r.trial)
	}
	for _, section := range []string{"cluster.", "rollout.", "saver.", "recover.", "evaluator.", "stats_logger."} {
		b.Need(section+"fileroot", root)
	}
	b.Need("cluster.name_resolve.type", "nfs")
	b.Need("cluster.name_resolve.nfs_record_root", filepath.Join(root, "names"))
	b.Need("cluster.n_nodes", r.config.Nodes)
	b.Need("cluster.n_gpus_per_node", r.gpusPerNode())
	b.Need("scheduler.type", r.config.Scheduler)
	b.Need("total_train_epochs", 1)
	b.Need("total_train_steps", r.steps)
	b.Need("tokenizer_path", r.model)
	b.Need("actor.path", r.weights)
	b.Need("rollout.tokenizer_path", r.model)
	b.Need("rollout.consumer_batch_size", r.prompts)
	b.Need("rollout.max_head_offpolicyness", r.config.MaxStaleness)
	r.neededData(b)
	r.neededAgent(b)
	b.Need("recover.mode", "on")
}

func (r *resolved) neededData(b *settings.Builder) {
	for key, value := range map[string]any{"path": "awhost", "type": "rl", "batch_size": r.prompts, "shuffle": false, "drop_last": true, "num_workers": 0} {
		b.Need("train_dataset."+key, value)
	}
	b.Default("train_dataset.pin_memory", false)
	if r.validationTasks == 0 {
		b.Need("valid_dataset", nil)
		return
	}
	for key, value := range map[string]any{"path": "awhost", "type": "rl", "batch_size": r.prompts, "shuffle": false, "drop_last": false, "num_workers": 0} {
		b.Need("valid_dataset."+key, value)
	}
	b.Default("valid_dataset.pin_memory", false)
}

func (r *resolved) neededAgent(b *settings.Builder) {
	if r.mode != modeAgent {
		return
	}
	b.Need("rollout.agent.mode", "inline")
	b.Need("rollout.agent.agent_cls_path", agentClass)
	b.Need("rollout.agent.turn_discount", 1.0)
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
