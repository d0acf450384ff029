package spec

import (
	"slices"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/schema"
)

// FindingAction is the reaction to a finding.
type FindingAction string

// The supported values.
const (
	FindingWarns FindingAction = "warn"
	FindingMasks FindingAction = "mask" // episodes that show it are not trained
	FindingStops FindingAction = "stop" // the run stops and can be resumed
)

// FindingPolicy defines the reaction to the findings of a rule.
type FindingPolicy struct {
	Action FindingAction `json:"action"`
	// After is the number of consecutive steps with the finding before the run stops.
	After int `json:"after"`
}

func findingsBlock() schema.NestedBlock {
	n := single("findings", "Reactions to findings. By default, they only warn.")
	n.Block.Blocks = []schema.NestedBlock{labelledBlock("on", "The reaction to the findings of a "+
		"rule. Label: the rule's id, as in guides/when-it-does-not-learn.",
		schema.String("action", "warn only reports; mask excludes episodes that show it from training, for rules that "+
			"depend on the episode alone ("+oneOf(maskingRules())+"); stop stops the run after the step, so that it can be "+
			"resumed.").Default(string(FindingWarns)).
			Enum(string(FindingWarns), string(FindingMasks), string(FindingStops)),
		schema.Integer("after", "Number of consecutive steps with the finding before the run stops. A resumed run starts "+
			"at 0.").Default(1).AtLeast(1))}
	return n
}

// findingPolicies reads the findings block. Rules without an entry warn.
func (d *decoder) findingPolicies(b *body) map[string]FindingPolicy {
	var out map[string]FindingPolicy
	for _, block := range child(b, "findings").blocks["on"] {
		rules := findings.Rules()
		i := slices.IndexFunc(rules, func(r findings.Rule) bool { return r.ID == block.label })
		if i < 0 {
			d.fail(block.header, "Unknown rule of findings", "The engine has no rule with the id "+
				quote(block.label)+"."+didYouMean(block.label, ruleIDs())+" All rules: awhost docs "+findings.Page+".")
			continue
		}
		policy := FindingPolicy{FindingAction(text(block, "action")), whole(block, "after")}
		if policy.Action == FindingMasks && rules[i].Shows == nil {
			d.fail(block.attrs["action"].where, "Rule that cannot mask", "Whether "+block.label+" holds depends on more than "+
				"one episode, so no episode can be excluded for it. These rules can mask: "+listed(maskingRules())+".")
		}
		if policy.Action == FindingStops && !rules[i].OnSteps() {
			d.fail(block.attrs["action"].where, "Rule that cannot stop", block.label+" is not found after a step, but before "+
				"the first or after the last one. Remove the block. awhost data check finds faults in the tasks before a run.")
		}
		if policy.Action != FindingStops && block.wrote("after") {
			d.fail(block.attrs["after"].where, "Setting without effect", `after counts the steps before action = "stop". `+
				"Remove it, or set the action.")
		}
		if out == nil {
			out = map[string]FindingPolicy{}
		}
		out[block.label] = policy
	}
	return out
}

// Masks returns the sorted ids of the rules that mask episodes.
func (s *Settings) Masks() (out []string) {
	for id, policy := range s.Findings {
		if policy.Action == FindingMasks {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func ruleIDs() (out []string) {
	for _, r := range findings.Rules() {
		out = append(out, r.ID)
	}
	return out
}

func maskingRules() (out []string) {
	for _, r := range findings.Rules() {
		if r.Shows != nil {
			out = append(out, r.ID)
		}
	}
	return out
}

// Expectation is a condition on the result of a run that decides the exit code.
type Expectation struct {
	Places
	Name      string
	Condition *Expression
}

func expectBlock() schema.NestedBlock {
	return labelledBlock("expect", "A condition on the run's last validation. If it does not hold when the run has "+
		"completed, the exit code is 19.",
		expression("condition", "The condition: validation.success_rate > 0.8."))
}

// expectations reads the expect blocks of a train block.
func (t *trainer) expectations(base *body, address string) (out []Expectation) {
	for _, own := range base.blocks["expect"] {
		w, ok := own.attrs["condition"]
		if !ok {
			t.fail(own.header, "Missing argument", "condition is required: validation.success_rate > 0.8.")
			continue
		}
		e := Expectation{Name: own.label, Condition: t.expression(w, forExpect)}
		e.Places = newPlaces(address+".expect."+own.label, "expect "+quote(own.label), own)
		out = append(out, e)
	}
	return out
}

// checkExpectations requires a validation at the end of the run.
func (t *trainer) checkExpectations(train *Train) {
	last := train.Stages[len(train.Stages)-1]
	for _, e := range train.Expectations {
		if last.Validation == "" {
			t.fail(e.hclHeader(), "Expectation without a validation", "The last stage has no held-out tasks, so that there is "+
				"no result to compare. Set validation = dataset.TYPE.NAME.")
		}
	}
}
