package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/sdk/schema"
)

// purpose describes what an expression is used for, which determines the allowed references and the result type.
type purpose struct {
	argument  string // "reward", "success", "advance_when", "condition"; empty: a local, of any type
	want      cty.Type
	inEpisode bool   // evaluated for every episode; otherwise after a validation
	example   string // an example that converts the most likely wrong type to the wanted one
}

var (
	forReward  = purpose{argument: "reward", want: cty.Number, inEpisode: true, example: "CONDITION ? 1 : 0"}
	forSuccess = purpose{argument: "success", want: cty.Bool, inEpisode: true, example: "reward.TYPE.NAME.score == 1"}
	forAdvance = purpose{argument: "advance_when", want: cty.Bool, example: "validation.success_rate > 0.8"}
	forExpect  = purpose{argument: "condition", want: cty.Bool, example: "validation.success_rate > 0.8"}
)

func (p purpose) hint(got cty.Type) string {
	if got == cty.String {
		return " Write expressions without quotes; in JSON as \"${ … }\"."
	}
	return " For example: " + p.example + "."
}

const valueOfEpisode = "Value of an episode"

// notPerEpisode explains an error about a value of an episode in an expression that is evaluated after a validation.
func (p purpose) notPerEpisode() string {
	return p.argument + " is evaluated after a validation, not per episode. It may refer to validation.success_rate and " +
		"validation.reward."
}

// episodeAttributes lists the episode attributes that an expression may use.
var episodeAttributes = []string{"num_turns", "truncated"}

// compile checks an expression and prepares it for evaluation. If there are problems, it reports them and returns nil.
func (d *decoder) compile(expr hcl.Expression, why purpose) *Expression {
	p, ok := d.program(expr, why, nil)
	if !ok || !d.tryOut(p, why) {
		d.failed = true
		return nil
	}
	r := expr.Range()
	for _, address := range p.rewardAddresses() {
		d.refs[address] = d.nodes[address]
	}
	e := &Expression{program: p, source: d.text(r), where: toRange(r)}
	if !d.checkNotConstant(e, why) || !d.tryCorners(e, why) {
		d.failed = true
		return nil
	}
	return e
}

// program compiles an expression. path holds the locals that lead to the expression.
func (d *decoder) program(expr hcl.Expression, why purpose, path []*node) (*program, bool) {
	p := &program{expr: expr, constLocal: map[string]cty.Value{}}
	var constant []hcl.Traversal
	complete := true
	for _, t := range expr.Variables() {
		ok := true
		switch root := t.RootName(); {
		case root == kindReward:
			ok = d.useReward(p, t, why)
		case isOwn(t):
			ok = d.useOwn(p, t, why)
		case root == "episode":
			p.episode, ok = true, d.checkNames(t, "episode", episodeAttributes, why.inEpisode, why.notPerEpisode())
		case root == "validation":
			p.validation, ok = true, d.checkNames(t, "validation", validationMetrics, !why.inEpisode, "Only advance_when "+
				"and the condition of expect are evaluated after a validation.")
		case root == "local" && d.isEpisodeLocal(t):
			ok = d.useLocal(p, t, why, path)
		default:
			constant = append(constant, t)
		}
		complete = complete && ok
	}
	ctx, ok := d.context(constant, asObjects)
	if !ok || !complete {
		return nil, false
	}
	ctx.Functions = d.episodeFunctions
	p.constants = ctx
	if locals, ok := ctx.Variables["local"]; ok {
		p.constLocal = locals.AsValueMap()
	}
	return p, true
}

// text returns the source text in a range.
func (s *scope) text(r hcl.Range) string {
	source := s.sources[r.Filename]
	if r.Start.Byte < 0 || r.End.Byte > len(source) || r.Start.Byte > r.End.Byte {
		return ""
	}
	text := source[r.Start.Byte:r.End.Byte]
	var quoted string
	if strings.HasSuffix(r.Filename, ".json") && json.Unmarshal(text, &quoted) == nil {
		return strings.TrimSuffix(strings.TrimPrefix(quoted, "${"), "}")
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// rewardAttributes lists the reward attributes that an expression may use.
var rewardAttributes = []string{"score", "components", "is_success"}

func (d *decoder) useReward(p *program, t hcl.Traversal, why purpose) bool {
	names := stepNames(t, 5)
	where := t.SourceRange()
	if !why.inEpisode {
		d.fail(where, valueOfEpisode, why.notPerEpisode())
		return false
	}
	if len(names) < 3 {
		d.fail(where, "Incomplete reference", fmt.Sprintf("Refer to one reward: reward.TYPE.NAME.%s",
			oneOfThese(d.addresses(kindReward+"."))))
		return false
	}
	address := strings.Join(names[:3], ".")
	n, ok := d.nodes[address]
	if !ok {
		d.reportUndeclared(address, t)
		return false
	}
	block, ok := d.value(n, where)
	if !ok {
		d.failed = true // the expression's use of it can still be checked
	}
	use := rewardUse{typ: names[1], name: names[2], address: address, bare: len(t) == 3}
	use.known, use.open = d.componentsOf(use.typ, block)
	return d.checkRewardAttribute(&use, t, names[3:]) && d.addUse(p, use, where)
}

func (d *decoder) checkRewardAttribute(use *rewardUse, t hcl.Traversal, rest []string) bool {
	where := t.SourceRange()
	if use.bare {
		return true
	}
	if len(rest) == 0 || !slices.Contains(rewardAttributes, rest[0]) {
		given := strings.Join(rest, ".")
		d.fail(where, "Unknown attribute of a reward",
			fmt.Sprintf("A reward has %s.%s", listed(rewardAttributes), didYouMean(given, rewardAttributes)))
		return false
	}
	use.attributes = []string{rest[0]}
	if rest[0] != attributeComponents || len(rest) == 1 {
		return true
	}
	use.components = []string{rest[1]}
	return d.checkComponent(*use, rest[1], where)
}

func (d *decoder) checkComponent(use rewardUse, name string, where hcl.Range) bool {
	component, ok := d.schemas.Component(kindReward, use.typ)
	if !ok || use.open || slices.Contains(use.known, name) {
		return true
	}
	declare := ""
	if attribute := component.ComponentsAttribute; attribute != "" {
		written := fmt.Sprintf("%s = [%q]", attribute, name)
		if isBlock(component.Schema, attribute) {
			written = fmt.Sprintf("%s %q { … }", attribute, name)
		}
		declare = fmt.Sprintf(" Declare it in %s: %s.", use.address, written)
	}
	if len(use.known) == 0 {
		d.fail(where, "Unknown reward component", fmt.Sprintf("The reward type %q has no components, only a score.%s",
			use.typ, declare))
		return false
	}
	hint := didYouMean(name, use.known)
	d.fail(where, "Unknown reward component", fmt.Sprintf("The reward type %q has no component %q; it has %s.%s%s",
		use.typ, name, listed(use.known), hint, declare))
	return false
}

// componentsOf returns the components of a reward block: those defined by its type and those declared in the block.
// open is set if the declared components cannot be determined.
func (d *decoder) componentsOf(typ string, block cty.Value) (names []string, open bool) {
	component, ok := d.schemas.Component(kindReward, typ)
	if !ok {
		return nil, true
	}
	names = component.RewardComponents
	if component.ComponentsAttribute == "" {
		return names, false
	}
	if !block.IsKnown() || !block.Type().IsObjectType() || !block.Type().HasAttribute(component.ComponentsAttribute) {
		return names, true
	}
	declared, _ := block.GetAttr(component.ComponentsAttribute).Unmark()
	if isBlock(component.Schema, component.ComponentsAttribute) {
		labels, known := labelsOf(declared)
		return slices.Concat(names, labels), !known
	}
	if !declared.IsWhollyKnown() {
		return names, true
	}
	if declared.IsNull() || !declared.CanIterateElements() {
		return names, false
	}
	names = slices.Clone(names)
	for _, v := range declared.AsValueSlice() {
		if v, _ = v.Unmark(); v.Type() == cty.String && !v.IsNull() {
			names = append(names, v.AsString())
		}
	}
	return names, false
}

// isBlock reports whether a schema has a nested block with this name.
func isBlock(s schema.Block, name string) bool {
	return slices.ContainsFunc(s.Blocks, func(n schema.NestedBlock) bool { return n.Name == name })
}

// labelsOf returns the labels of nested blocks. The contents of the blocks may be unknown.
func labelsOf(blocks cty.Value) (labels []string, known bool) {
	if !blocks.IsKnown() {
		return nil, false
	}
	if blocks.IsNull() || !blocks.CanIterateElements() {
		return nil, true
	}
	for it := blocks.ElementIterator(); it.Next(); {
		if label, _ := it.Element(); label.IsKnown() && label.Type() == cty.String {
			labels = append(labels, label.AsString())
		}
	}
	return labels, true
}

// addUse records that a reward is used. One expression uses a reward either alone or through its attributes, because
// the reward cannot be both a number and an object.
func (d *decoder) addUse(p *program, use rewardUse, where hcl.Range) bool {
	for i, known := range p.uses {
		if known.address != use.address {
			continue
		}
		if known.bare != use.bare {
			d.fail(where, "Ambiguous use of a reward", fmt.Sprintf("One expression uses %s both alone and with attributes. "+
				"Write %s.score to refer to its score.", use.address, use.address))
			return false
		}
		p.uses[i].attributes = sortedSet(append(known.attributes, use.attributes...))
		p.uses[i].components = sortedSet(append(known.components, use.components...))
		return true
	}
	p.uses = append(p.uses, use)
	return true
}

// checkNames checks a reference such as episode.num_turns.
func (d *decoder) checkNames(t hcl.Traversal, root string, known []string, allowed bool, otherwise string) bool {
	if !allowed {
		d.fail(t.SourceRange(), "Value of "+article(root), otherwise)
		return false
	}
	names := stepNames(t, 2)
	if len(names) == 2 && slices.Contains(known, names[1]) {
		return true
	}
	hint := ""
	if len(names) == 2 {
		hint = didYouMean(names[1], known)
	}
	d.fail(t.SourceRange(), "Unknown attribute", fmt.Sprintf("The attributes are %s.%s", listed(prefixed(root+".", known)),
		hint))
	return false
}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = prefix + name
	}
	return out
}

// tryOut evaluates a program with unknown numbers, which reveals all type errors.
func (d *decoder) tryOut(p *program, why purpose) bool {
	value, problems := p.unknown(d.scope, asGiven)
	d.report(problems...)
	if problems.HasErrors() {
		return false
	}
	where := p.expr.Range()
	if value.ContainsMarked() {
		d.fail(where, "Secret in an expression", "Episode scores are stored and displayed, so they cannot depend on a "+
			"sensitive value.")
		return false
	}
	if why.argument == "" {
		return true
	}
	converted, err := convert.Convert(value, why.want)
	if err == nil && value.Type() != cty.DynamicPseudoType && !value.Type().Equals(why.want) {
		err = fmt.Errorf("%s required", why.want.FriendlyName()) // "1" is not accepted as a number here
	}
	if err != nil {
		d.fail(where, "Wrong type", fmt.Sprintf("%s must return a %s, but this expression returns "+
			"%s.%s", why.argument, why.want.FriendlyName(), article(value.Type().FriendlyName()), why.hint(value.Type())))
		return false
	}
	if converted.IsKnown() && (converted.IsNull() || why.want == cty.Number && converted.AsBigFloat().IsInf()) {
		d.fail(where, "Expression without a value", fmt.Sprintf("%s does not return a finite number.", why.argument))
		return false
	}
	return true
}

// variables selects the values of the spec's variables for use while an expression is checked.
type variables int

const (
	asGiven    variables = iota
	asAnything           // unknown, like all values derived from them
)

// unknown evaluates a program with all episode values unknown.
func (p *program) unknown(s *scope, vars variables) (cty.Value, hcl.Diagnostics) {
	ctx, problems := p.unknowns(s, vars)
	if problems.HasErrors() {
		return cty.DynamicVal, problems
	}
	return p.expr.Value(ctx)
}

// unknowns returns the values that a program refers to, each of them unknown within its range.
func (p *program) unknowns(s *scope, vars variables) (*hcl.EvalContext, hcl.Diagnostics) {
	ctx := p.constants.NewChild()
	names := tree{}
	if vars == asAnything {
		for root := range p.constants.Variables { // a block's attributes may come from a variable, too
			names[root] = cty.DynamicVal
		}
		delete(names, "local")
	}
	for name, v := range p.constLocal {
		if vars == asAnything && s.varies(name) {
			v = cty.DynamicVal
		}
		names.put([]string{"local", name}, v)
	}
	for _, l := range p.locals {
		v, problems := l.unknown(s, vars)
		if problems.HasErrors() {
			return nil, problems
		}
		names.put([]string{"local", l.name}, v)
	}
	for _, use := range p.uses {
		names.put([]string{kindReward, use.typ, use.name}, s.unknownReward(use))
	}
	if _, anything := names[kindAgent]; len(p.owns) > 0 && !anything {
		names[kindAgent] = p.agents(selfReportUse.unknown)
	}
	if p.episode {
		// It is 1 or more during evaluation. However, a guard against 0 is not a mistake.
		names.put([]string{"episode", "num_turns"}, cty.UnknownVal(cty.Number).Refine().NotNull().NumberRangeLowerBound(cty.Zero, true).NewValue())
		names.put([]string{"episode", "truncated"}, cty.UnknownVal(cty.Bool))
	}
	if p.validation {
		for _, metric := range validationMetrics {
			names.put([]string{"validation", metric}, unknownMetric(metric))
		}
	}
	ctx.Variables = names.values()
	hclsource.Renew(ctx)
	return ctx, nil
}

// varies reports whether a local depends on anything other than literals and other locals.
func (s *scope) varies(local string) bool {
	n, ok := s.nodes["local."+local]
	return ok && s.dependsOn(n, func(t hcl.Traversal) bool { return t.RootName() != "local" })
}

// unknownMetric returns an unknown number for a validation metric. A rate is a fraction; a reward is any number.
func unknownMetric(name string) cty.Value {
	if name == metricSuccessRate {
		return cty.UnknownVal(cty.Number).Refine().NotNull().NumberRangeInclusive(cty.Zero, cty.NumberIntVal(1)).NewValue()
	}
	return cty.UnknownVal(cty.Number)
}

func (s *scope) unknownReward(use rewardUse) cty.Value {
	if use.bare {
		return cty.UnknownVal(cty.Number)
	}
	components := map[string]cty.Value{}
	for _, name := range use.components {
		components[name] = cty.UnknownVal(cty.Number)
	}
	for _, name := range use.known {
		components[name] = cty.UnknownVal(cty.Number)
	}
	return cty.ObjectVal(map[string]cty.Value{
		"score": cty.UnknownVal(cty.Number), "components": cty.ObjectVal(components), "is_success": cty.UnknownVal(cty.Bool),
	})
}
