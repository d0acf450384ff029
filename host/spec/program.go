package spec

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/sdk"
)

// program is a compiled expression. Its references to the spec are already evaluated; value fills in the values that
// differ between episodes.
type program struct {
	expr       hcl.Expression
	constants  *hcl.EvalContext // variables, constant locals, attributes of blocks, functions
	uses       []rewardUse
	owns       []selfReportUse      // agents whose reported reward or success it uses
	locals     []localProgram       // locals that depend on the episode
	constLocal map[string]cty.Value // the other referenced locals
	episode    bool                 // it refers to episode
	validation bool                 // it refers to validation
}

// rewardUse is a reward that a program refers to, either by name alone or through its attributes. A reference by name
// alone means the score.
type rewardUse struct {
	typ, name  string
	address    string
	bare       bool
	attributes []string // referenced attributes; no others are evaluated
	components []string // components referenced by name
	known      []string // components of the block
	open       bool     // the block may have others
}

const (
	attributeScore      = "score"
	attributeIsSuccess  = "is_success"
	attributeComponents = "components"
)

type localProgram struct {
	name   string
	source string // source text
	*program
}

// value evaluates the program.
func (p *program) value(in Inputs) (cty.Value, hcl.Diagnostics) {
	ctx := p.constants.NewChild()
	ctx.Variables = map[string]cty.Value{}
	hclsource.Renew(ctx)
	if len(p.locals) > 0 {
		locals := maps.Clone(p.constLocal)
		for _, l := range p.locals {
			v, problems := l.value(in)
			if problems.HasErrors() {
				continue // no value: a reference to it fails, unless it is inside try()
			}
			locals[l.name] = v
		}
		ctx.Variables["local"] = cty.ObjectVal(locals)
	}
	if len(p.uses) > 0 {
		ctx.Variables[kindReward] = p.rewards(in)
	}
	if len(p.owns) > 0 {
		says := func(u selfReportUse) map[string]cty.Value { return u.value(in.Agents[u.address]) }
		ctx.Variables[kindAgent] = p.agents(says)
	}
	if p.episode {
		ctx.Variables["episode"] = episodeValue(in)
	}
	if p.validation {
		ctx.Variables["validation"] = numbers(in.Validation)
	}
	return p.expr.Value(ctx)
}

// rewards returns the rewards, keyed by type and name. Failed rewards are omitted.
func (p *program) rewards(in Inputs) cty.Value {
	types := map[string]map[string]cty.Value{}
	for _, use := range p.uses {
		if types[use.typ] == nil {
			types[use.typ] = map[string]cty.Value{}
		}
		if scored, ok := in.Rewards[use.address]; ok && unusable(scored) == "" {
			types[use.typ][use.name] = use.value(scored)
		}
	}
	values := make(map[string]cty.Value, len(types))
	for typ, names := range types {
		values[typ] = cty.ObjectVal(names)
	}
	return cty.ObjectVal(values)
}

func (u rewardUse) value(scored sdk.Scored) cty.Value {
	if u.bare {
		return number(scored.Score)
	}
	attributes := map[string]cty.Value{}
	for _, name := range u.attributes {
		switch {
		case name == attributeScore:
			attributes[name] = number(scored.Score)
		case name == attributeComponents:
			attributes[name] = numbers(scored.Components)
		case name == attributeIsSuccess && scored.IsSuccess != nil:
			attributes[name] = cty.BoolVal(*scored.IsSuccess)
		}
	}
	return cty.ObjectVal(attributes)
}

// unusable explains why a reward has no value. It returns an empty string if it has one.
func unusable(scored sdk.Scored) string {
	if scored.Failure != nil {
		return scored.Failure.Detail
	}
	if !finite(scored.Score) {
		return "its score is not a finite number"
	}
	for _, name := range slices.Sorted(maps.Keys(scored.Components)) {
		if !finite(scored.Components[name]) {
			return fmt.Sprintf("its component %s is not a finite number", name)
		}
	}
	return ""
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// number converts a float64 in the way the spec writes it: 0.1 is the decimal 0.1, so that comparisons with literals
// work.
func number(f float64) cty.Value {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return cty.NumberIntVal(int64(f))
	}
	v, err := cty.ParseNumberVal(strconv.FormatFloat(f, 'g', -1, 64))
	if err != nil {
		return cty.NumberFloatVal(f)
	}
	return v
}

// numbers returns an object with the finite numbers.
func numbers(m map[string]float64) cty.Value {
	values := make(map[string]cty.Value, len(m))
	for name, f := range m {
		if finite(f) {
			values[name] = number(f)
		}
	}
	return cty.ObjectVal(values)
}

func episodeValue(in Inputs) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"num_turns": cty.NumberIntVal(int64(in.NumTurns)),
		"truncated": cty.BoolVal(in.Truncated)})
}

// all returns the programs that make up this one, starting with its locals' programs.
func (p *program) all() []*program {
	var out []*program
	for _, l := range p.locals {
		out = append(out, l.all()...)
	}
	return append(out, p)
}

func (p *program) allUses() []rewardUse {
	var uses []rewardUse
	for _, part := range p.all() {
		uses = append(uses, part.uses...)
	}
	return uses
}

func (p *program) rewardAddresses() []string {
	var addresses []string
	for _, use := range p.allUses() {
		addresses = append(addresses, use.address)
	}
	return sortedSet(addresses)
}

func sortedSet(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// explain returns the failure for an evaluation without a value. The most likely reason is a failed reward, followed by
// an agent without a report.
func (p *program) explain(in Inputs, problems hcl.Diagnostics) error {
	for _, use := range p.allUses() {
		scored, ok := in.Rewards[use.address]
		if !ok {
			return failure("%s was not scored", use.address)
		}
		if scored.Failure != nil {
			f := *scored.Failure
			f.Class, f.Detail = sdk.FailureReward, use.address+": "+f.Detail
			return &f
		}
		if why := unusable(scored); why != "" {
			return failure("%s: %s", use.address, why)
		}
		for _, name := range use.components {
			if _, ok := scored.Components[name]; !ok {
				return failure("%s did not report component %s", use.address, name)
			}
		}
	}
	for _, use := range p.selfReportUses() {
		if why := use.missing(in.Agents[use.address]); why != "" {
			return failure("%s %s", use.address, why)
		}
	}
	return failure("%s", sentence(problems))
}

func failure(format string, args ...any) *sdk.Failure {
	return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(format, args...)}
}

// sentence returns the first error in an evaluation on one line.
func sentence(problems hcl.Diagnostics) string {
	for _, p := range problems {
		if p.Severity == hcl.DiagError {
			where := ""
			if p.Subject != nil {
				where = " at " + place(*p.Subject)
			}
			return strings.Join(strings.Fields(p.Summary+where+": "+p.Detail), " ")
		}
	}
	return "the expression has no value"
}
