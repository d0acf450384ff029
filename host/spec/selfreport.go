package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Plugin agents may report an episode's reward themselves. Expressions refer to it as agent.TYPE.NAME.reward and
// .is_success. All other attributes of an agent come from its block.

// SelfReport is an agent's own report about an episode.
type SelfReport struct {
	Reward    *float64 // nil: not reported
	IsSuccess *bool    // nil: not reported
}

// attributeReward is the attribute name of an agent's reward. The agent's success attribute has the same name as in a
// reward block.
const attributeReward = "reward"

// ownAttributes lists the attributes of an agent's report that an expression may use.
var ownAttributes = []string{attributeReward, attributeIsSuccess}

// selfReportUse is an agent whose reported reward or success a program refers to.
type selfReportUse struct {
	typ, name  string
	address    string
	attributes []string // referenced attributes; no others are evaluated
	where      hcl.Range
}

// isOwn reports whether a traversal refers to an agent's report about an episode.
func isOwn(t hcl.Traversal) bool {
	if t.RootName() != kindAgent {
		return false
	}
	names := stepNames(t, 4)
	return len(names) == 4 && slices.Contains(ownAttributes, names[3])
}

// useOwn records an agent whose reported reward an expression uses.
func (d *decoder) useOwn(p *program, t hcl.Traversal, why purpose) bool {
	names := stepNames(t, 4)
	where := t.SourceRange()
	address := strings.Join(names[:3], ".")
	n, declared := d.nodes[address]
	switch _, hosts := builtins[kindAgent][names[1]]; {
	case !why.inEpisode:
		d.fail(where, valueOfEpisode, why.notPerEpisode())
		return false
	case !declared:
		d.reportUndeclared(address, t)
		return false
	case hosts:
		d.fail(where, "Agent without a reported reward", fmt.Sprintf(
			"Agents of type %q run awhost's built-in loop, which does not report a reward: %s never has a value. Use a reward "+
				"block, or a plugin's agent, such as python.", names[1], traversalText(t)))
		return false
	}
	if _, ok := d.value(n, where); !ok {
		d.failed = true // already reported
	}
	for i, known := range p.owns {
		if known.address == address {
			p.owns[i].attributes = sortedSet(append(known.attributes, names[3]))
			return true
		}
	}
	p.owns = append(p.owns, selfReportUse{names[1], names[2], address, []string{names[3]}, where})
	return true
}

// value returns the values that the agent reported.
func (u selfReportUse) value(own SelfReport) map[string]cty.Value {
	values := map[string]cty.Value{}
	for _, name := range u.attributes {
		switch {
		case name == attributeReward && own.Reward != nil && finite(*own.Reward):
			values[name] = number(*own.Reward)
		case name == attributeIsSuccess && own.IsSuccess != nil:
			values[name] = cty.BoolVal(*own.IsSuccess)
		}
	}
	return values
}

// unknown returns the agent's possible values as unknowns.
func (u selfReportUse) unknown() map[string]cty.Value {
	return map[string]cty.Value{
		attributeReward: cty.UnknownVal(cty.Number), attributeIsSuccess: cty.UnknownVal(cty.Bool),
	}
}

// missing explains why an agent's reward or success has no value. It returns an empty string if it has one.
func (u selfReportUse) missing(own SelfReport) string {
	for _, name := range u.attributes {
		switch {
		case name == attributeReward && own.Reward == nil:
			return "did not report a reward"
		case name == attributeReward && !finite(*own.Reward):
			return "reported a reward that is not a finite number"
		case name == attributeIsSuccess && own.IsSuccess == nil:
			return "did not report is_success"
		}
	}
	return ""
}

// agents returns the root object for references to agents: the blocks that the program refers to and the agents'
// reports.
func (p *program) agents(says func(selfReportUse) map[string]cty.Value) cty.Value {
	types := map[string]map[string]cty.Value{}
	if blocks, ok := p.constants.Variables[kindAgent]; ok {
		for typ, named := range blocks.AsValueMap() {
			types[typ] = named.AsValueMap()
		}
	}
	for _, use := range p.owns {
		if types[use.typ] == nil {
			types[use.typ] = map[string]cty.Value{}
		}
		types[use.typ][use.name] = withOwn(types[use.typ][use.name], says(use))
	}
	values := make(map[string]cty.Value, len(types))
	for typ, names := range types {
		values[typ] = cty.ObjectVal(names)
	}
	return cty.ObjectVal(values)
}

// withOwn merges an agent's report over its block's attributes.
func withOwn(block cty.Value, says map[string]cty.Value) cty.Value {
	attributes := map[string]cty.Value{}
	if block != cty.NilVal {
		plain, _ := block.Unmark() // a secret's mark stays on its attribute
		if plain.IsKnown() && !plain.IsNull() && plain.Type().IsObjectType() {
			for name, v := range plain.AsValueMap() {
				attributes[name] = v
			}
		}
	}
	for _, name := range ownAttributes {
		delete(attributes, name)
	}
	for name, v := range says {
		attributes[name] = v
	}
	return cty.ObjectVal(attributes)
}

// selfReportUses returns the agents whose reports a program and its locals refer to, each once.
func (p *program) selfReportUses() []selfReportUse {
	var out []selfReportUse
	for _, part := range p.all() {
		for _, use := range part.owns {
			i := slices.IndexFunc(out, func(o selfReportUse) bool { return o.address == use.address })
			if i < 0 {
				out = append(out, use)
				continue
			}
			out[i].attributes = sortedSet(append(slices.Clone(out[i].attributes), use.attributes...))
		}
	}
	return out
}

func (u selfReportUse) inputs(add func(name string, pairs [][2]float64, set func(*Inputs, float64))) {
	change := func(do func(*SelfReport, float64)) func(*Inputs, float64) {
		return func(in *Inputs, v float64) {
			own := in.Agents[u.address]
			do(&own, v)
			in.Agents[u.address] = own
		}
	}
	if slices.Contains(u.attributes, attributeReward) {
		add(u.address+"."+attributeReward, scores, change(func(o *SelfReport, v float64) { o.Reward = &v }))
	}
	if slices.Contains(u.attributes, attributeIsSuccess) {
		add(u.address+"."+attributeIsSuccess, noOrYes, change(func(o *SelfReport, v float64) {
			yes := v != 0
			o.IsSuccess = &yes
		}))
	}
}

// OwnRewards returns the sorted addresses of the agents whose reported reward or success the expressions refer to.
func (s *Settings) OwnRewards() []string {
	var all []string
	for _, e := range []*Expression{s.Reward, s.Success} {
		if e != nil {
			for _, use := range e.program.selfReportUses() {
				all = append(all, use.address)
			}
		}
	}
	return sortedSet(all)
}

// checkOwn reports an expression that uses the reward of an agent that is not part of the stage.
func (t *trainer) checkOwn(stage *Stage) {
	playing := t.playing(stage)
	if playing == nil {
		return
	}
	for _, e := range []*Expression{stage.Reward, stage.Success} {
		if e == nil {
			continue
		}
		for _, use := range e.program.selfReportUses() {
			if !slices.Contains(playing, use.address) {
				t.fail(use.where, "Reward of an agent outside the stage", fmt.Sprintf(
					"%s does not act in the episodes of stage %q, whose agents are %s, so it reports nothing about them.",
					use.address, stage.Name, listed(playing)))
			}
		}
	}
}

// playing returns the addresses of a stage's agents, or nil if their blocks have errors.
func (t *trainer) playing(stage *Stage) []string {
	actor := t.actor(stage)
	if actor == nil {
		return nil
	}
	var out []string
	for _, a := range actor.Agents() {
		out = append(out, a.Block.Address)
	}
	return out
}
