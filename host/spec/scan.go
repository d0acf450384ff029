package spec

import (
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk/schema"
)

// Scan selects how finished conversations are scanned. It does not affect a run's results.
type Scan struct {
	Rules     *scan.Scanner // nil: no scan by rules
	Judge     string        // address of the reward that scans; empty: no scan by a model
	Every     int           // the judge scans one of this many training episodes
	Threshold float64       // of a component, from which on it is a problem
}

// The labels of scan blocks, and which attributes they have.
const (
	scanByRules = "rules"
	scanByModel = "model"
)

var scanAttributes = map[string]string{"only": scanByRules, "judge": scanByModel, "every": scanByModel,
	"threshold": scanByModel}

func scanBlock() schema.NestedBlock {
	return labelledBlock("scan",
		"Scans finished conversations: see guides/when-it-does-not-learn. The label must be "+
			"`rules` or `model`.",
		schema.Strings("only", "For rules: the rules to apply. Default: all.").Enum(scan.IDs()...).CanResume(),
		schema.Reference("judge",
			kindReward, "For model: the reward, such as `llm_judge`, whose components are problems.").CanResume(),
		schema.Integer("every",
			"For model: scan one of this many training episodes.").Default(10).AtLeast(1).CanResume(),
		schema.Number("threshold",
			"For model: the least component that is a problem.").Default(0.5).Range(0, 1).
			CanResume())
}

// scan reads the scan blocks.
func (t *trainer) scan(base *body) (out Scan) {
	for _, own := range base.blocks["scan"] {
		if own.label != scanByRules && own.label != scanByModel {
			t.fail(own.header, "Unknown scan", "The label is rules or model, not "+quote(own.label)+".")
			continue
		}
		for name, label := range scanAttributes {
			if own.wrote(name) && label != own.label {
				t.fail(own.attrs[name].where, "Setting without effect",
					name+" belongs to scan "+quote(label)+". Remove it.")
			}
		}
		if own.label == scanByRules {
			out.Rules = scan.New(texts(own, "only"))
			continue
		}
		out.Judge, out.Every, out.Threshold = address(own, "judge"), whole(own, "every"), fraction(own, "threshold")
		if out.Judge == "" {
			t.fail(own.header, "Missing argument",
				"judge is required: the reward that scans. Write judge = reward.TYPE.NAME.")
		}
	}
	return out
}

// texts returns an attribute that is a list of strings, or nil if it is not set.
func texts(b *body, name string) (out []string) {
	if v := unmarked(value(b, name)); !v.IsNull() && v.IsKnown() {
		for _, element := range v.AsValueSlice() {
			out = append(out, element.AsString())
		}
	}
	return out
}
