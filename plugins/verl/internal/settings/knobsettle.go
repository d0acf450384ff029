package settings

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// settleKnobs turns the knobs of the stage into keys, and says what became of each that the spec sets.
func (r *resolver) settleKnobs() {
	in := knobInput{Knobs: r.req.Knobs, resolver: r}
	refused := map[string]string{}
	for _, k := range inOrder() {
		values, no := []any(nil), k.refused
		if own := framework.Knob(in.Knobs, k.path); own != nil && k.apply != nil {
			values, no = k.apply(in)
		} else if own != nil {
			values = slices.Repeat([]any{own}, len(k.keys))
		}
		if refused[k.path] = no; no == "" {
			r.settleKnob(k, values, slices.Contains(in.Set, k.path))
		}
	}
	for _, k := range knobs {
		if slices.Contains(in.Set, k.path) || slices.Contains(counted, k.path) || k.path == "overrides" && len(in.Overrides) > 0 {
			r.out.Knobs = append(r.out.Knobs, r.mapping(k, refused[k.path]))
		}
	}
	for _, path := range in.Set {
		if !slices.ContainsFunc(knobs, func(k knob) bool { return k.path == path }) && !framework.EmptyBlocks[path] {
			r.out.Knobs = append(r.out.Knobs, sdk.KnobMapping{Knob: path, Refused: "this version of the verl adapter does not know this knob"})
		}
	}
	r.out.Env = in.Env
}

// inOrder puts the sizes of a step first: others are counted in them.
func inOrder() []knob {
	out := slices.Clone(knobs)
	slices.SortStableFunc(out, func(a, b knob) int { return strings.Compare(late(a), late(b)) })
	return out
}

func late(k knob) string {
	if strings.HasPrefix(k.path, "batch.") {
		return ""
	}
	return "later"
}

// counted are the knobs whose values the host counts with, set or not.
var counted = []string{"steps", "batch.prompts", "batch.group_size"}

// hostCounts are the knobs and attributes with which awhost counts, so that an override cannot replace them.
var hostCounts = append(slices.Clone(counted), "epochs", "nodes", "gpus_per_node")

func (r *resolver) mapping(k knob, no string) sdk.KnobMapping {
	switch present := r.present(k); {
	case no != "":
		return sdk.KnobMapping{Knob: k.path, Refused: no}
	case k.does != "":
		return sdk.KnobMapping{Knob: k.path, Key: k.does}
	case k.path == "seed" && len(present) == 0:
		return sdk.KnobMapping{Knob: k.path, Key: byHost}
	case len(present) == 0:
		return sdk.KnobMapping{Knob: k.path, Refused: "verl " + r.req.Installed.Version + " has no setting for it"}
	default:
		return sdk.KnobMapping{Knob: k.path, Key: present[0]}
	}
}

// present are the keys of a knob that this release has.
func (r *resolver) present(k knob) []string {
	var out []string
	for _, key := range k.keys {
		if r.release.AtLeast(key.since) && r.schema.Has(key.key) {
			out = append(out, key.key)
		}
	}
	return out
}

// settleKnob sets the keys of a knob. A knob that the spec does not write gives way to what the user wrote for verl.
func (r *resolver) settleKnob(k knob, values []any, written bool) {
	for i, value := range values {
		key := k.keys[i].key
		if !slices.Contains(r.present(k), key) {
			continue
		}
		if !written && k.path == "validate.before_train" && r.validatesByVerl() {
			continue
		}
		s := &setting{Key: key, Value: value, Level: framework.Default, Origin: framework.FromAwhost}
		if written {
			s.Level, s.Origin, s.Path = framework.Spec, k.path, strings.Split(k.path, ".")
		}
		if r.req.Smoke && slices.Contains(madeSmall, k.path) {
			s.Level, s.Origin = framework.SmokeRun, smokeRun
		}
		epochs, user := r.req.Knobs.Epochs, r.view.Written(key)
		if k.path == "epochs" && key == "trainer.total_epochs" && epochs != nil && user != nil && framework.Equal(user.Value, *epochs) {
			s.Level, s.Yields = framework.Owned, true // the same wish; verl's epochs are shorter
		}
		r.view.Set(s)
	}
}
