package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// The sizes of a smoke run.
const (
	smokeSteps = 2 // of each stage: the second one starts from the first one's result

	smokePrompts = 2
	smokeGroup   = 4 // even: half of the samples are scripted
	smokeTasks   = 4 // of a validation

	smokeAbsence = 30 * time.Second // a trainer that nevertheless outlives its host exits after this time
)

// Smoke describes the differences between a smoke run and its spec.
type Smoke struct {
	Changes []string // sentences for people, without a final period

	added []string // knobs that the user has not set
}

// adds reports whether a smoke run sets a knob that the user did not set.
func (s *Smoke) adds(knob string) bool { return s != nil && slices.Contains(s.added, knob) }

// smoke returns a small version of the train block that is just long enough to execute everything once, including the
// transitions from step to step and from stage to stage. The configuration of the user's own components is unchanged.
func smoke(train *spec.Train) (*spec.Train, *Smoke) {
	small := *train
	small.Tracking = spec.Tracking{}
	small.HostAbsenceTimeout = min(train.HostAbsenceTimeout, smokeAbsence)
	small.Stages = make([]*spec.Stage, len(train.Stages))
	changes := &Smoke{}
	for i, stage := range train.Stages {
		small.Stages[i] = smokeStage(stage)
		for _, path := range small.Stages[i].Knobs.Set {
			if !slices.Contains(stage.Knobs.Set, path) {
				changes.added = append(changes.added, path)
			}
		}
	}
	changes.Changes = smokeChanges(train, &small)
	return &small, changes
}

func smokeStage(stage *spec.Stage) *spec.Stage {
	small := *stage
	// The breaker never trips, because the report lists the failures.
	small.CircuitBreaker.FailedFraction, small.CircuitBreaker.ForeignFraction = 1, 1
	k := &small.Knobs
	k.Set = slices.DeleteFunc(slices.Clone(k.Set), func(path string) bool { return path == "epochs" })
	k.Epochs = nil
	setKnob(k, "steps", &k.Steps, smokeSteps)
	setKnob(k, "batch.prompts", &k.Batch.Prompts, smallest(k.Batch.Prompts, smokePrompts))
	group := groupSize(k.Batch.GroupSize)
	smokeMiniBatch(k, group)
	setKnob(k, "batch.group_size", &k.Batch.GroupSize, group)
	if small.MinGroup != nil {
		small.MinGroup = pointer(min(*small.MinGroup, *k.Batch.GroupSize))
	}
	setKnob(k, "checkpoint.every", &k.Checkpoint.Every, 1)
	k.Checkpoint.Unit = pointer("steps")
	if small.Validation != "" {
		setKnob(k, "validate.every", &k.Validate.Every, smokeSteps)
		setKnob(k, "validate.before_train", &k.Validate.BeforeTrain, true)
		k.Validate.Samples = pointer(smallest(k.Validate.Samples, 1))
	}
	// All samples from a random policy have equal rewards, so a trainer that filters groups would never finish a step.
	// The user's setting remains in Set, so that an adapter that does not support filters still rejects it.
	k.FilterGroups = nil
	return &small
}

// setKnob sets a knob, overriding any value from the user's own files.
func setKnob[T any](k *sdk.Knobs, path string, knob **T, value T) {
	*knob = &value
	if !slices.Contains(k.Set, path) {
		k.Set = append(k.Set, path)
	}
}

func pointer[T any](v T) *T { return &v }

// smallest returns the user's number if it is smaller than the limit.
func smallest(own *int, most int) int {
	if own == nil {
		return most
	}
	return min(*own, most)
}

// groupSize returns an even number, so that half of the group can follow the script.
func groupSize(own *int) int {
	if smallest(own, smokeGroup) < smokeGroup {
		return smokeGroup / 2
	}
	return smokeGroup
}

// smokeMiniBatch ensures that a step is still split into updates correctly, before the knobs get the group size of the
// smoke run: an update of whole groups has as many of these groups, and a size that does not divide the small batch is
// set to the whole batch.
func smokeMiniBatch(k *sdk.Knobs, group int) {
	size, all := k.MiniBatch.Size, *k.Batch.Prompts*group
	if size == nil {
		return
	}
	if own := k.Batch.GroupSize; own != nil && *own > 0 && *size%*own == 0 && *size%group != 0 {
		size = pointer(*size / *own * group)
	}
	if *size > all || all%*size != 0 {
		size = pointer(all)
	}
	k.MiniBatch.Size = size
}

// smokeChanges lists how a smoke run differs from the spec.
func smokeChanges(own, small *spec.Train) []string {
	first := small.Stages[0].Knobs
	out := []string{
		"the policy is a tiny model with random weights on the CPU; in half of the episodes a script replaces it and " +
			"calls the tools",
		fmt.Sprintf("each stage trains at most %d steps of %d prompts × %d samples, with a checkpoint after each "+
			"step", smokeSteps, *first.Batch.Prompts, largestGroup(small)),
	}
	any := func(is func(*spec.Stage) bool) bool { return slices.ContainsFunc(own.Stages, is) }
	if any(func(s *spec.Stage) bool { return s.Validation != "" }) {
		out = append(out, fmt.Sprintf("each stage validates before the first and after the last step, on at most %d "+
			"tasks", smokeTasks))
	}
	off := []string{"the circuit breaker"}
	if any(func(s *spec.Stage) bool { return s.Knobs.FilterGroups != nil }) {
		off = append(off, "filter_groups")
	}
	if own.Tracking.Any() {
		off = append(off, "tracking")
	}
	out = append(out, strings.Join(off, ", ")+map[bool]string{true: " is off", false: " are off"}[len(off) == 1])
	if any(func(s *spec.Stage) bool { return s.AdvanceWhen != nil }) {
		out = append(out, "advance_when is evaluated but ends no stage")
	}
	return append(out, "only data that explains a failure is kept")
}

func largestGroup(t *spec.Train) int {
	largest := 0
	for _, s := range t.Stages {
		largest = max(largest, *s.Knobs.Batch.GroupSize)
	}
	return largest
}

// fewTasks limits validation passes to their first tasks. The limited dataset has its own address, because the full
// dataset may also be used for training.
func (p *Plan) fewTasks() {
	for _, s := range p.Train.Stages {
		whole := p.Data[s.Validation]
		if whole == nil || whole.Len() <= smokeTasks {
			continue
		}
		address := fmt.Sprintf("%s[:%d]", s.Validation, smokeTasks)
		if p.Data[address] == nil {
			p.Data[address] = dataset.First(whole, smokeTasks)
		}
		s.Validation = address
	}
}

// describesSmoke rejects adapters that do not support smoke runs before one of them plans a different run.
func (p *Plan) describesSmoke() diag.Diagnostics {
	var problems diag.Diagnostics
	for _, c := range p.Components {
		if c.isAdapter() && !c.Description.Adapter.Smoke {
			problems = append(problems, p.noSmoke(c))
		}
	}
	return problems
}

// canSmoke rejects adapters whose installed framework does not support smoke runs. Their own diagnostics explain why.
func (p *Plan) canSmoke() diag.Diagnostics {
	var problems diag.Diagnostics
	for _, c := range p.Components {
		if answer := p.Adapters[c.Block.Address]; answer != nil && !answer.Capabilities.Smoke {
			problems = append(problems, p.noSmoke(c))
		}
	}
	return problems
}

func (p *Plan) noSmoke(c *Component) diag.Diagnostic {
	what := "does not support smoke runs. A later version of the plugin may"
	if c.Description.Adapter.Smoke {
		what = "supports smoke runs, but not with the installed framework. See its other diagnostics and awhost doctor"
	}
	return p.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
		Severity: diag.Error, Summary: "No smoke run with this adapter",
		Detail: fmt.Sprintf("Plugin %s %s %s. Instead of a smoke run, run the spec with few steps on its target machine, "+
			"or replace %s with adapter \"local\", which tests everything except the trainer.",
			c.Entry.Name, c.Entry.Description.Version, what, c.Block.Address),
	})
}
