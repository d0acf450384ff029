package spec

import (
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// The block kinds that have a type and a name and can be referred to by other blocks.
const (
	kindDataset     = "dataset"
	kindEnvironment = "environment"
	kindModel       = "model"
	kindAgent       = "agent"
	kindSwarm       = "swarm"
	kindReward      = "reward"
	kindAdapter     = "adapter"
)

// componentKinds lists these kinds in documentation order.
var componentKinds = []string{kindDataset, kindEnvironment, kindModel, kindAgent, kindSwarm, kindReward, kindAdapter}

func isComponentKind(name string) bool {
	for _, kind := range componentKinds {
		if kind == name {
			return true
		}
	}
	return false
}

// stepName returns the name in one step of a traversal: `.name` or `["name"]`.
func stepName(step hcl.Traverser) (string, bool) {
	switch step := step.(type) {
	case hcl.TraverseRoot:
		return step.Name, true
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.IsKnown() && !step.Key.IsNull() && step.Key.Type() == cty.String {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// stepNames returns at most `most` names from the start of a traversal, up to the first step without a name.
func stepNames(t hcl.Traversal, most int) []string {
	var names []string
	for _, step := range t {
		name, ok := stepName(step)
		if !ok || len(names) == most {
			break
		}
		names = append(names, name)
	}
	return names
}

// didYouMean returns " Did you mean X?" for the candidate closest to given, or an empty string.
func didYouMean(given string, candidates []string) string {
	if best := Nearest(given, candidates); best != "" {
		return " Did you mean " + quote(best) + "?"
	}
	return ""
}

// Nearest returns the candidate that differs least from given. It returns an empty string if all of them differ a
// lot.
func Nearest(given string, candidates []string) string {
	most := max(2, len(given)/3)
	if len(given) < 4 { // words this short may differ in one letter only
		most = 1
	}
	best, distance := "", 1+most
	for _, candidate := range candidates {
		d := levenshtein.Distance(given, candidate, nil)
		if len(given) > 2 && strings.HasPrefix(candidate, given) {
			d = 1 // only the end is missing
		}
		if d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// listed returns the names as "a, b and c".
func listed(names []string) string {
	switch len(names) {
	case 0:
		return "none"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// oneOf returns the names as "a, b or c".
func oneOf(names []string) string {
	if len(names) < 2 {
		return listed(names)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
