package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Agents of plugins may say what an episode is worth themselves. Expressions refer to it as agent.TYPE.NAME.reward and
// .is_success; every other attribute of an agent is that of its block.

// Own is what an agent says of an episode itself.
type Own struct {
	Reward    *float64 // nil: it says nothing
	IsSuccess *bool    // nil: it says nothing
}

// attributeReward is the reward of an agent; its success has the name that a reward's has.
const attributeReward = "reward"

// ownAttributes are what an expression may ask of an agent about an episode.
var ownAttributes = []string{attributeReward, attributeIsSuccess}

// ownUse is an agent whose own reward or success a program refers to.
type ownUse struct {
	typ, name  string
	address    string
	attributes []string // that are referred to: no others are made
	where      hcl.Range
}

// isOwn reports whether a traversal asks for what an agent says of an episode.
func isOwn(t hcl.Traversal) bool {
	if t.RootName() != kindAgent {
		return false
	}
	names := stepNames(t, 4)
	return len(names) == 4 && slices.Contains(ownAttributes, names[3])
}

// useOwn notes an agent whose own reward an expression counts.
func (d *decoder) useOwn(p *program, t hcl.Traversal, why purpose) bool {
	names := stepNames(t, 4)
	where := t.SourceRange()
	address := strings.Join(names[:3], ".")
	n, declared := d.nodes[address]
	switch _, hosts := builtins[kindAgent][names[1]]; {
	case !why.inEpisode:
		d.fail(where, valueOfEpisode, notInAdvance)
		return false
	case !declared:
		d.reportUndeclared(address, t)
		return false
	case hosts:
		d.fail(where, "Agent without a reward of its own", fmt.Sprintf(
			"An agent %q is awhost's own loop, which has no opinion of an episode: %s never has a value. Use a reward block, "+
				"or an agent of a plugin, such as python.", names[1], traversalText(t)))
		return false
	}
	if _, ok := d.value(n, where); !ok {
		d.failed = true // reported
	}
	for i, known := range p.owns {
		if known.address == address {
			p.owns[i].attributes = sortedSet(append(known.attributes, names[3]))
			return true
		}
	}
	p.owns = append(p.owns, ownUse{names[1], names[2], address, []string{names[3]}, where})
	return true
}

// value is what the agent says, as far as it says something.
func (u ownUse) value(own Own) map[string]cty.Value {
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

// unknown is what the agent may say.
func (u ownUse) unknown() map[string]cty.Value {
	return map[string]cty.Value{
		attributeReward: cty.UnknownVal(cty.Number), attributeIsSuccess: cty.UnknownVal(cty.Bool),
	}
}

// missing says why an agent's own reward, or success, has no value; empty: it has one.
func (u ownUse) missing(own Own) string {
	for _, name := range u.attributes {
		switch {
		case name == attributeReward && own.Reward == nil:
			return "gave no reward of its own"
		case name == attributeReward && !finite(*own.Reward):
			return "gave a reward that is not a finite number"
		case name == attributeIsSuccess && own.IsSuccess == nil:
			return "does not say whether it succeeded"
		}
	}
	return ""
}

// agents is the root of references to agents: the blocks that the program refers to, with what the agents say.
func (p *program) agents(says func(ownUse) map[string]cty.Value) cty.Value {
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

// withOwn puts what an agent says over the attributes of its block.
func withOwn(block cty.Value, says map[string]cty.Value) cty.Value {
	attributes := map[string]cty.Value{}
	if block != cty.NilVal {
		plain, _ := block.Unmark() // a secret keeps the mark of its own attribute
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

// own are the agents whose own rewards a program and its locals refer to, each once.
func (p *program) own() []ownUse {
	var out []ownUse
	for _, part := range p.all() {
		for _, use := range part.owns {
			i := slices.IndexFunc(out, func(o ownUse) bool { return o.address == use.address })
			if i < 0 {
				out = append(out, use)
				continue
			}
			out[i].attributes = sortedSet(append(slices.Clone(out[i].attributes), use.attributes...))
		}
	}
	return out
}

func (u ownUse) inputs(add func(name string, pairs [][2]float64, set func(*Inputs, float64))) {
	change := func(do func(*Own, float64)) func(*Inputs, float64) {
		return func(in *Inputs, v float64) {
			own := in.Agents[u.address]
			do(&own, v)
			in.Agents[u.address] = own
		}
	}
	if slices.Contains(u.attributes, attributeReward) {
		add(u.address+"."+attributeReward, scores, change(func(o *Own, v float64) { o.Reward = &v }))
	}
	if slices.Contains(u.attributes, attributeIsSuccess) {
		add(u.address+"."+attributeIsSuccess, noOrYes, change(func(o *Own, v float64) { yes := v != 0; o.IsSuccess = &yes }))
	}
}

// OwnRewards are the addresses of the agents whose own reward or success the expressions refer to, sorted.
func (s *Settings) OwnRewards() []string {
	var all []string
	for _, e := range []*Expression{s.Reward, s.Success} {
		if e != nil {
			for _, use := range e.program.own() {
				all = append(all, use.address)
			}
		}
	}
	return sortedSet(all)
}

// checkOwn refuses to count the reward of an agent that does not play.
func (t *trainer) checkOwn(stage *Stage) {
	playing := t.playing(stage)
	if playing == nil {
		return
	}
	for _, e := range []*Expression{stage.Reward, stage.Success} {
		if e == nil {
			continue
		}
		for _, use := range e.program.own() {
			if !slices.Contains(playing, use.address) {
				t.fail(use.where, "Reward of an agent that does not play", fmt.Sprintf(
					"%s has no part in the episodes of stage %q, whose agents are %s, so it says nothing of them.",
					use.address, stage.Name, listed(playing)))
			}
		}
	}
}

// playing are the addresses of the agents that play in a stage; nil where their blocks have errors of their own.
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
