package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk"
)

// The inputs to an expression have ranges: a success rate is between 0 and 1, and a number of turns is at least 1. When
// the unknowns have ranges, cty can prove that outcomes are constant. Other expressions are evaluated at the ends of
// the ranges, which reveals errors such as division by zero.

// comparisons lists the operators whose constant outcome is a mistake.
var comparisons = []*hclsyntax.Operation{
	hclsyntax.OpEqual, hclsyntax.OpNotEqual, hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual, hclsyntax.OpLessThan,
	hclsyntax.OpLessThanOrEqual,
}

// checkNotConstant reports an expression, or a comparison within one, that has a single outcome although it refers to
// values that differ between episodes. If only variable values cause this, it may be a switch or a default, which
// results in a warning at most.
func (d *decoder) checkNotConstant(e *Expression, why purpose) bool {
	for _, part := range e.program.all() {
		if !d.checkComparisons(part) {
			return false
		}
	}
	if !e.program.differs() {
		return true // a constant is intended
	}
	given, settled := outcome(e.program.unknown(d.scope, asGiven))
	if !settled {
		return true
	}
	_, always := outcome(e.program.unknown(d.scope, asAnything))
	where := e.program.expr.Range()
	switch {
	case always && why.want == cty.Number:
		d.fail(where, sameReward, fmt.Sprintf("%s is %s for every episode, so no sample is better than "+
			"another.", why.argument, preview(given)))
	case always:
		d.fail(where, "Constant condition", fmt.Sprintf("%s is always %s.", why.argument, preview(given)))
	case why.want == cty.Number:
		d.warn(where, sameReward, fmt.Sprintf("%s is %s%s for every episode, so no sample is better than "+
			"another.", why.argument, preview(given), byVariables))
	}
	return !always
}

const (
	sameReward  = "Constant reward"
	byVariables = " with the current values of the variables"
)

// outcome returns the result of an evaluation with unknowns if only one value is possible.
func outcome(value cty.Value, problems hcl.Diagnostics) (cty.Value, bool) {
	return value, !problems.HasErrors() && value.IsKnown() && !value.IsNull()
}

// differs reports whether a program depends on an episode or a validation.
func (p *program) differs() bool {
	return p.episode || p.validation || len(p.uses) > 0 || len(p.owns) > 0 ||
		slices.ContainsFunc(p.locals, func(l localProgram) bool { return l.differs() })
}

func (d *decoder) checkComparisons(p *program) bool {
	node, ok := p.expr.(hclsyntax.Node)
	if !ok {
		return true // JSON: only the whole expression is checked
	}
	given, problems := p.unknowns(d.scope, asGiven)
	if problems.HasErrors() {
		return true // reported already
	}
	anything, problems := p.unknowns(d.scope, asAnything)
	if problems.HasErrors() {
		return true // missing values are not checked here
	}
	useful := true
	_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		c, ok := n.(*hclsyntax.BinaryOpExpr)
		if !ok || !slices.Contains(comparisons, c.Op) || !p.asksFor(c) {
			return nil
		}
		value, settled := truth(c, given)
		if !settled {
			return nil
		}
		says, by := d.fail, ""
		if _, always := truth(c, anything); !always {
			says, by = d.warn, byVariables
		}
		says(c.Range(), "Constant comparison", fmt.Sprintf("%s is always %s%s.%s", d.text(c.Range()), preview(value), by,
			rangesHint(c)))
		useful = useful && by != ""
		return nil
	})
	return useful
}

// truth returns the outcome of a comparison if only one is possible. The variable in a for expression has no value
// here, so the outcome is open.
func truth(c *hclsyntax.BinaryOpExpr, ctx *hcl.EvalContext) (cty.Value, bool) {
	value, settled := outcome(c.Value(ctx))
	if settled {
		return value, !value.IsMarked() && value.Type() == cty.Bool
	}
	return cty.False, beyondEnds(c, ctx)
}

// beyondEnds reports whether a comparison requires a number to be above its maximum or below its minimum. cty treats
// the ends of a range as outside the range and therefore leaves this undecided.
func beyondEnds(c *hclsyntax.BinaryOpExpr, ctx *hcl.EvalContext) bool {
	small, great := c.LHS, c.RHS
	switch c.Op {
	case hclsyntax.OpGreaterThan:
		small, great = great, small
	case hclsyntax.OpLessThan:
	default:
		return false
	}
	less, problems := small.Value(ctx)
	more, others := great.Value(ctx)
	if problems.HasErrors() || others.HasErrors() || !isNumber(less) || !isNumber(more) {
		return false
	}
	least, _ := less.Range().NumberLowerBound()
	most, _ := more.Range().NumberUpperBound()
	return least.IsKnown() && most.IsKnown() && least.GreaterThanOrEqualTo(most).True()
}

func isNumber(v cty.Value) bool {
	return !v.IsMarked() && v.Range().TypeConstraint() == cty.Number && !v.Range().CouldBeNull()
}

// asksFor reports whether part of a program depends on an episode or a validation.
func (p *program) asksFor(part hclsyntax.Expression) bool {
	return slices.ContainsFunc(part.Variables(), func(t hcl.Traversal) bool {
		switch t.RootName() {
		case kindReward, "episode", "validation":
			return true
		case kindAgent:
			return isOwn(t)
		case "local":
			names := stepNames(t, 2)
			return len(names) == 2 && slices.ContainsFunc(p.locals, func(l localProgram) bool {
				return l.name == names[1] &&
					l.differs()
			})
		}
		return false
	})
}

// rangesHint returns the ranges of a comparison's inputs for display.
func rangesHint(c *hclsyntax.BinaryOpExpr) string {
	hint := ""
	for _, t := range c.Variables() {
		switch traversalText(t) {
		case "validation." + metricSuccessRate:
			hint = " validation.success_rate is a fraction between 0 and 1. Write 0.8 for 80 %."
		case "episode.num_turns":
			hint = " episode.num_turns is 1 or more: an episode without a turn is not scored."
		}
	}
	return hint
}

// input is an input to an expression with pairs of possible values. The first pair consists of the ends of its range,
// or of likely values if it has none; the other pairs follow.
type input struct {
	name  string
	pairs [][2]float64
	set   func(*Inputs, float64)
}

var (
	// scores have no range; most are between 0 and 1.
	scores    = [][2]float64{{0, 1}, {0.5, -1}, {2, 3}, {5, 4}, {10, 100}}
	fractions = [][2]float64{{0, 1}, {0.5, 0.9}}
	turns     = [][2]float64{{1, 100}, {2, 3}, {5, 4}, {10, 50}}
	noOrYes   = [][2]float64{{0, 1}}
)

// value returns one value of a pair. If there are fewer pairs than requested, the last pair is used.
func (i input) value(pair, which int) float64 { return i.pairs[min(pair, len(i.pairs)-1)][which] }

func (p *program) inputs() []input {
	var out []input
	seen := map[string]bool{}
	add := func(name string, pairs [][2]float64, set func(*Inputs, float64)) {
		if !seen[name] {
			seen[name] = true
			out = append(out, input{name, pairs, set})
		}
	}
	for _, part := range p.all() {
		for _, use := range part.uses {
			use.inputs(add)
		}
		for _, use := range part.owns {
			use.inputs(add)
		}
		if part.episode {
			add("episode.num_turns", turns, func(in *Inputs, v float64) { in.NumTurns = int(v) })
			add("episode.truncated", noOrYes, func(in *Inputs, v float64) { in.Truncated = v != 0 })
		}
		if part.validation {
			add("validation."+metricReward, scores, func(in *Inputs, v float64) { in.Validation[metricReward] = v })
			add("validation."+metricSuccessRate, fractions, func(in *Inputs, v float64) { in.Validation[metricSuccessRate] = v })
		}
	}
	return out
}

func (u rewardUse) inputs(add func(name string, pairs [][2]float64, set func(*Inputs, float64))) {
	change := func(do func(*sdk.Scored, float64)) func(*Inputs, float64) {
		return func(in *Inputs, v float64) {
			scored := in.Rewards[u.address]
			do(&scored, v)
			in.Rewards[u.address] = scored
		}
	}
	if u.bare || slices.Contains(u.attributes, attributeScore) {
		add(u.address+".score", scores, change(func(s *sdk.Scored, v float64) { s.Score = v }))
	}
	if slices.Contains(u.attributes, attributeIsSuccess) {
		add(u.address+".is_success", noOrYes, change(func(s *sdk.Scored, v float64) { yes := v != 0; s.IsSuccess = &yes }))
	}
	if !slices.Contains(u.attributes, attributeComponents) {
		return
	}
	for _, name := range sortedSet(append(slices.Clone(u.components), u.known...)) {
		add(u.address+".components."+name, scores, change(func(s *sdk.Scored, v float64) {
			s.Components = maps.Clone(s.Components)
			if s.Components == nil {
				s.Components = map[string]float64{}
			}
			s.Components[name] = v
		}))
	}
}

// mostCorners limits how many times an expression is evaluated.
const mostCorners = 1 << 10

// corners calls yield with each combination of the pairs of n inputs, as indices. If there are too many, it uses only
// the combinations in which one input differs from all others.
func corners(n int, yield func([]int)) {
	if n < 31 && 1<<n <= mostCorners {
		for bits := range 1 << n {
			chosen := make([]int, n)
			for i := range chosen {
				chosen[i] = bits >> i & 1
			}
			yield(chosen)
		}
		return
	}
	for _, all := range []int{0, 1} {
		yield(slices.Repeat([]int{all}, n))
		for i := range n {
			chosen := slices.Repeat([]int{all}, n)
			chosen[i] = 1 - all
			yield(chosen)
		}
	}
}

// trial is the result of evaluating an expression with one pair of values for each input.
type trial struct {
	tried, failed   int
	example, detail string // of the first failure
}

func (e *Expression) tryPair(inputs []input, pair int, why purpose) trial {
	var out trial
	corners(len(inputs), func(chosen []int) {
		out.tried++
		in := Inputs{Rewards: map[string]sdk.Scored{}, Agents: map[string]SelfReport{}, Validation: map[string]float64{}}
		for _, use := range e.program.allUses() {
			in.Rewards[use.address] = sdk.Scored{}
		}
		var says []string
		for i, input := range inputs {
			v := input.value(pair, chosen[i])
			input.set(&in, v)
			says = append(says, fmt.Sprintf("%s = %s", input.name, input.text(v)))
		}
		err := e.try(in, why)
		if err == nil {
			return
		}
		if out.failed++; out.failed == 1 {
			out.example, out.detail = strings.Join(says, ", "), e.program.reason(in, err)
		}
	})
	return out
}

// works reports whether an expression has a value for any pair after the first.
func (e *Expression) works(inputs []input, why purpose) bool {
	pairs := 0
	for _, input := range inputs {
		pairs = max(pairs, len(input.pairs))
	}
	for pair := 1; pair < pairs; pair++ {
		if t := e.tryPair(inputs, pair, why); t.failed < t.tried {
			return true
		}
	}
	return false
}

// tryCorners evaluates an expression at the ends of its inputs' ranges. A failure at some of the ends may be
// intentional. An expression that fails at all of them may work between or beyond them. If it also fails there, it
// cannot work.
func (d *decoder) tryCorners(e *Expression, why purpose) bool {
	inputs := e.program.inputs()
	t := e.tryPair(inputs, 0, why)
	switch {
	case t.failed == 0:
		return true
	case t.failed == t.tried && !e.works(inputs, why):
		d.fail(toHCL(e.where), "Expression without a value", fmt.Sprintf("%s always fails: %s.", why.argument, t.detail))
		return false
	}
	d.warn(toHCL(e.where), "Expression without a value in some cases", fmt.Sprintf("For example, if %s, %s has no "+
		"value: %s. %s Add a guard, as in `x > 0 ? 1 / x : 0`.",
		t.example, why.argument, t.detail, why.consequence()))
	return true
}

func (i input) text(v float64) string {
	if strings.HasSuffix(i.name, ".is_success") || strings.HasSuffix(i.name, ".truncated") {
		return fmt.Sprint(v != 0)
	}
	return fmt.Sprint(v)
}

// consequence returns the effect of an expression that has no value.
func (p purpose) consequence() string {
	if p.inEpisode {
		return "Such an episode fails with class REWARD."
	}
	return "The run then stops."
}

func (e *Expression) try(in Inputs, why purpose) error {
	if why.want == cty.Number {
		_, err := e.Number(in)
		return err
	}
	_, err := e.Bool(in)
	return err
}

// reason explains why a program has no value: if one of its locals has none, that local is the reason.
func (p *program) reason(in Inputs, err error) string {
	for _, part := range p.all() {
		if _, problems := part.value(in); problems.HasErrors() {
			return strings.TrimSuffix(sentence(problems), ".")
		}
	}
	var f *sdk.Failure
	if errors.As(err, &f) {
		return strings.TrimSuffix(f.Detail, ".")
	}
	return err.Error()
}
