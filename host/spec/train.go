package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// defaultStage is the name of the only stage in a train block without stage blocks.
const defaultStage = "main"

// trainer evaluates one train block.
type trainer struct {
	*decoder
	overrides map[string]string
}

// evaluateTrain returns nil if the block has errors, which have already been reported.
func (s *scope) evaluateTrain(b block, overrides map[string]string) *Train {
	s.checkName(b.LabelRanges[0], b.Labels[0])
	t := &trainer{decoder: newDecoder(s), overrides: overrides}
	base := t.decode(b.Body, trainSchema, b.DefRange)
	train := &Train{Places: newPlaces(b.address, b.title, base), Name: b.Labels[0]}
	train.Settings = t.settings(base)
	train.Policy, train.start = address(base, policyAttribute), base.start
	train.HostAbsenceTimeout = duration(base, "host_absence_timeout")
	train.MaxRestarts = whole(base, "max_restarts")
	train.DirMode = text(base, "dir_mode")
	train.Gateway = t.gateway(base)
	train.Tracking = t.tracking(child(base, "tracking"))
	train.Scan = t.scan(base)
	train.Stages = t.stages(b, base)
	train.Expectations = t.expectations(base, b.address)
	if !t.failed {
		t.checkStages(train)
	}
	if t.failed {
		return nil
	}
	return train
}

// tracking reads the tracking block.
func (t *trainer) tracking(own *body) Tracking {
	out := Tracking{
		TensorBoard: value(own, "tensorboard").True(), Generations: whole(own, "generations"),
		Python: text(own, "python"), Project: text(own, "project"), Experiment: text(own, "experiment"),
		Offline: value(own, "offline").True(), CloseTimeout: duration(own, "close_timeout"),
	}
	for _, name := range []string{"wandb", "swanlab", "mlflow"} {
		if value(own, name).True() {
			out.Trackers = append(out.Trackers, name)
		}
	}
	if strings.ContainsRune(out.Python, filepath.Separator) {
		out.Python = absolute(t.dir, out.Python)
	}
	if len(out.Trackers) > 0 && out.Python == "" {
		name := out.Trackers[0]
		t.fail(own.attrs[name].where, "Tracker without Python", fmt.Sprintf("awhost writes to %s through your Python. "+
			"Set python to an interpreter that has the package: python = \"venv/bin/python\". Or write %s = false, and set "+
			"the framework's logger in the adapter's config.", name, name))
	}
	return out
}

// gateway reads the gateway block.
func (t *trainer) gateway(b *body) *Gateway {
	if len(b.blocks["gateway"]) == 0 {
		return nil
	}
	own := b.blocks["gateway"][0]
	out := &Gateway{Listen: text(own, "listen"), Host: text(own, "host")}
	for name, file := range map[string]*string{"certificate": &out.Certificate, "key": &out.Key} {
		if *file = text(own, name); *file != "" {
			*file = absolute(t.dir, *file)
		}
	}
	return out
}

// stages merges each stage's settings over the settings in train.
func (t *trainer) stages(b block, base *body) []*Stage {
	found := base.blocks["stage"]
	if len(found) == 0 {
		found = []*body{{schema: stageSchema, label: defaultStage, header: base.header}}
	}
	var stages []*Stage
	for i, own := range found {
		merged := merge(base, own)
		stage := &Stage{Name: own.label, Index: i, Settings: t.settings(merged), Carry: Carry(text(merged, "carry"))}
		stage.Places = newPlaces(b.address+".stage."+own.label, fmt.Sprintf("%s, stage %q", b.title, own.label), merged)
		if w, ok := own.attrs["advance_when"]; ok {
			stage.AdvanceWhen = t.expression(w, forAdvance)
		}
		stages = append(stages, stage)
	}
	return stages
}

// merge merges a stage over train: the stage's attributes replace attributes, and its blocks replace blocks with the
// same name and label.
func merge(base, own *body) *body {
	out := &body{schema: own.schema, label: own.label, header: own.header, attrs: maps.Clone(base.attrs),
		blocks: map[string][]*body{}}
	for _, pair := range [][2]string{{"steps", "epochs"}, {"epochs", "steps"}} {
		if own.wrote(pair[0]) {
			delete(out.attrs, pair[1]) // alternative forms of the same setting
		}
	}
	for _, run := range runAttributes() {
		delete(out.attrs, run.Name)
	}
	maps.Copy(out.attrs, own.attrs)
	for _, n := range commonBlocks() {
		out.blocks[n.Name] = mergeBlocks(n.Name, base.blocks[n.Name], own.blocks[n.Name])
	}
	return out
}

func mergeBlocks(name string, base, own []*body) []*body {
	if len(own) == 0 {
		return base
	}
	if name != "on_failure" { // every other block is single; another algorithm replaces it
		return own
	}
	out := slices.Clone(own)
	for _, b := range base {
		if !slices.ContainsFunc(own, func(o *body) bool { return o.label == b.label }) {
			out = append(out, b)
		}
	}
	return out
}

// settings reads the settings that train and stage share.
func (t *trainer) settings(b *body) Settings {
	t.refuseSecrets(b)
	out := Settings{
		Agent: address(b, "agent"), Trained: addresses(b, "trained"), Dataset: address(b, "dataset"),
		Validation: address(b, "validation"), Adapter: address(b, "adapter"),
		Concurrency:     whole(b, "concurrency"),
		EpisodeTimeout:  duration(b, "episode_timeout"),
		ReconnectGrace:  duration(b, "reconnect_grace"),
		OverlongPenalty: fraction(child(b, "limits"), "overlong_penalty"),
		OnFailure:       t.onFailure(b),
		CircuitBreaker:  breakerOf(b),
		Findings:        t.findingPolicies(b),
	}
	out.TemplateKwargs = t.templateKwargs(b)
	if b.wrote("min_group") {
		smallest := whole(b, "min_group")
		out.MinGroup = &smallest
	}
	if w, ok := b.attrs["reward"]; ok {
		out.Reward = t.expression(w, forReward)
	}
	if w, ok := b.attrs["success"]; ok {
		out.Success = t.expression(w, forSuccess)
	}
	knobs, err := knobsOf(b, t.overrides)
	if err != nil {
		t.fail(b.header, "Invalid training settings", fmt.Sprintf("A number is out of range: %s.", err))
	}
	out.Knobs = knobs
	_, out.Sensitive = sensitivePaths(b.object())
	return out
}

func (t *trainer) expression(w written, why purpose) *Expression {
	if !w.later.done {
		w.later.compiled, w.later.done = t.compile(w.later.expr, why), true
	}
	return w.later.compiled
}

// refuseSecrets reports secrets in the settings, because the settings are shown and stored. Only env may contain them.
func (t *trainer) refuseSecrets(b *body) {
	for name, w := range b.attrs {
		if w.later == nil && w.value.ContainsMarked() {
			t.fail(w.where, "Secret in a training setting", fmt.Sprintf("%s is shown in plans and stored with the run, so it "+
				"cannot be sensitive. Use a variable, which can be set in the environment as %s<name>.", name, variablePrefix))
		}
	}
	for name, found := range b.blocks {
		for _, nested := range found {
			if name != "env" && name != "stage" {
				t.refuseSecrets(nested)
			}
		}
	}
}

func breakerOf(b *body) CircuitBreaker {
	found := b.blocks["circuit_breaker"]
	if len(found) == 0 {
		return defaultBreaker
	}
	own := found[0]
	return CircuitBreaker{
		FailedFraction: fraction(own, "failed_fraction"), ForeignFraction: fraction(own, "foreign_fraction"),
		Window: whole(own, "window"), MinEpisodes: whole(own, "min_episodes"), Set: true,
	}
}

// child returns an optional block, or an empty block if it is not written.
func child(b *body, name string) *body {
	if found := b.blocks[name]; len(found) > 0 {
		return found[0]
	}
	for _, n := range b.schema.Blocks {
		if n.Name == name {
			return &body{schema: n.Block}
		}
	}
	return &body{}
}

// value returns an attribute's effective value without marks: the user's value or the default.
func value(b *body, name string) cty.Value {
	for _, a := range b.schema.Attributes {
		if a.Name == name {
			return unmarked(b.attribute(a))
		}
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

func text(b *body, name string) string {
	if v := value(b, name); !v.IsNull() {
		return v.AsString()
	}
	return ""
}

func whole(b *body, name string) int {
	v := value(b, name)
	if v.IsNull() {
		return 0
	}
	n, _ := v.AsBigFloat().Int64()
	return int(n)
}

func fraction(b *body, name string) float64 {
	v := value(b, name)
	if v.IsNull() {
		return 0
	}
	f, _ := v.AsBigFloat().Float64()
	return f
}

// duration parses an attribute that was checked during decoding or is a default in this package.
func duration(b *body, name string) time.Duration {
	d, _ := time.ParseDuration(text(b, name))
	return d
}

func address(b *body, name string) string {
	if n, ok := asReference(value(b, name)); ok {
		return n.address
	}
	return ""
}

// addresses returns the addresses in an attribute that is a list of references, or nil if it is not set.
func addresses(b *body, name string) []string {
	v := unmarked(value(b, name))
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	out := []string{}
	for _, element := range v.AsValueSlice() {
		if n, ok := asReference(element); ok {
			out = append(out, n.address)
		}
	}
	return out
}

// checkStages checks rules that depend on both train and stage.
func (t *trainer) checkStages(train *Train) {
	for _, stage := range train.Stages {
		t.checkComplete(stage)
		t.checkSuccess(stage)
		t.checkTrained(stage)
		t.checkOwn(stage)
	}
	t.checkOneAdapter(train)
	t.checkExpectations(train)
}

func (t *trainer) checkComplete(stage *Stage) {
	where := stage.hclHeader()
	missing := func(name, why string) {
		t.fail(where, "Missing argument", fmt.Sprintf("%s is required: %s Set it in train, or in every stage.", name, why))
	}
	if stage.Agent == "" {
		missing("agent", "the agent that acts in the episodes. Write agent = agent.TYPE.NAME.")
	}
	if stage.Dataset == "" {
		missing("dataset", "the tasks to train on. Write dataset = dataset.TYPE.NAME.")
	}
	if stage.Adapter == "" {
		missing("adapter", "the trainer. Write adapter = adapter.TYPE.NAME.")
	}
	if stage.Reward == nil {
		missing("reward", "the score of an episode. Write reward = reward.TYPE.NAME.")
	}
	switch knobs := stage.Knobs; {
	case knobs.Steps == nil && knobs.Epochs == nil && !t.hasOwnConfig(stage):
		missing("steps", "the length of the training. Write steps = 60, or epochs = 1.")
	case knobs.Steps != nil && knobs.Epochs != nil:
		t.fail(toHCL(stage.At("epochs")), "Conflicting lengths",
			"steps and epochs both set the length of the training. Remove one "+
				"of them.")
	case knobs.Epochs != nil && *knobs.Epochs <= 0:
		t.fail(toHCL(stage.At("epochs")), "Invalid value", "epochs must be greater than 0.")
	}
	if stage.Reward != nil && len(stage.judges()) == 0 {
		t.fail(toHCL(stage.Reward.Range()), "Reward without a reward reference",
			"The expression does not refer to a reward block or "+
				"an agent's reward, so every episode would have the same score. For example: reward.TYPE.NAME.score.")
	}
}

// checkSuccess requires a success expression if the rewards do not determine success and a setting depends on it.
func (t *trainer) checkSuccess(stage *Stage) {
	if stage.Reward == nil || stage.Success != nil || len(stage.judges()) < 2 || stage.Validation == "" {
		return
	}
	if best := stage.Knobs.Validate.BestBy; best != nil && *best != metricSuccessRate && stage.AdvanceWhen == nil {
		return
	}
	example := stage.judges()[0] + ".is_success"
	if rewards := stage.Rewards(); len(rewards) > 0 {
		example = rewards[0] + ".score == 1"
	}
	t.fail(toHCL(stage.Reward.Range()), "Missing success expression", fmt.Sprintf("Several rewards are combined, but "+
		"validation must determine which episodes are solved. For example, add success = %s.", example))
}

// hasOwnConfig reports whether the adapter reads a configuration of the trainer, which may set the length of the
// training.
func (t *trainer) hasOwnConfig(stage *Stage) bool {
	n, ok := t.nodes[stage.Adapter]
	if !ok || n.block == nil {
		return false
	}
	var own struct {
		Config any `json:"config"`
	}
	return json.Unmarshal(n.block.Config, &own) == nil && own.Config != nil
}

func (t *trainer) checkOneAdapter(train *Train) {
	var first *node
	for _, stage := range train.Stages {
		n, ok := t.nodes[stage.Adapter]
		if !ok || n.block == nil {
			continue
		}
		if first == nil {
			first = n
		}
		if n.block.Type != first.block.Type {
			t.fail(toHCL(stage.At("adapter")), "Different adapter types", fmt.Sprintf("All stages must use the same type of "+
				"adapter: %s is of type %s, but an earlier stage uses %s. Train in two runs, or use another adapter block of "+
				"type %s.",
				n.address, n.block.Type, first.address, first.block.Type))
		}
	}
}

// hclHeader returns the range of a stage block's first line.
func (p Places) hclHeader() hcl.Range { return toHCL(p.Header) }
