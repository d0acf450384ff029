package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// A local whose expression refers to rewards or to the episode has no fixed value. It is part of the reward, success
// and advance_when expressions that refer to it, and is compiled with them.

func (d *decoder) isEpisodeLocal(t hcl.Traversal) bool {
	names := stepNames(t, 2)
	if len(names) < 2 {
		return false
	}
	n, ok := d.nodes["local."+names[1]]
	return ok && d.mentionsEpisode(n)
}

// mentionsEpisode reports whether a local may have a different value for each episode. In such a local, a reward block
// without attributes means the block's score; everywhere else, it means a reference.
func (s *scope) mentionsEpisode(n *node) bool {
	return s.dependsOn(n, func(t hcl.Traversal) bool { return t.RootName() == kindReward || isEpisodeValue(t) })
}

// needsEpisode reports whether a local has a value only when an episode is judged: it refers to values of an episode or
// a reward, or it calculates with a reward without attributes.
func (s *scope) needsEpisode(n *node) bool {
	if n.episode == undecided {
		n.episode = ordinary // ends a cycle that returns here; it is reported when the value is evaluated
		if s.refersToEpisode(n) || s.calculatesWithReward(n) {
			n.episode = episodic
		}
	}
	return n.episode == episodic
}

func (s *scope) refersToEpisode(n *node) bool {
	for _, t := range n.expr.Variables() {
		if isEpisodeValue(t) {
			return true
		}
		if names := stepNames(t, 2); len(names) == 2 && names[0] == "local" {
			if next, ok := s.nodes["local."+names[1]]; ok && s.needsEpisode(next) {
				return true
			}
		}
	}
	return false
}

// calculatesWithReward reports whether an expression is invalid with references to rewards but valid with scores.
func (s *scope) calculatesWithReward(n *node) bool {
	if !s.mentionsEpisode(n) {
		return false
	}
	if ctx, ok := s.context(n.expr.Variables(), asObjects); !ok || makesSense(n.expr, ctx) {
		return false
	}
	if ctx, ok := s.context(n.expr.Variables(), asReferences); !ok || makesSense(n.expr, ctx) {
		return false
	}
	before := len(s.problems)
	d := newDecoder(s)
	p, ok := d.program(n.expr, purpose{inEpisode: true}, []*node{n})
	ok = ok && d.tryOut(p, purpose{})
	s.problems = s.problems[:before] // if both are invalid, the error of the ordinary evaluation is reported
	return ok
}

func makesSense(expr hcl.Expression, ctx *hcl.EvalContext) bool {
	_, problems := expr.Value(ctx)
	return !problems.HasErrors()
}

func isEpisodeValue(t hcl.Traversal) bool {
	switch t.RootName() {
	case "episode", "validation":
		return true
	case kindAgent:
		return isOwn(t)
	case kindReward:
		names := stepNames(t, 4)
		return len(names) == 4 && slices.Contains(rewardAttributes, names[3])
	}
	return false
}

// dependsOn reports whether a local refers to a matching traversal, directly or through other locals.
func (s *scope) dependsOn(n *node, is func(hcl.Traversal) bool) bool {
	found := []*node{n}
	for i := 0; i < len(found); i++ {
		for _, t := range found[i].expr.Variables() {
			if is(t) {
				return true
			}
			if names := stepNames(t, 2); len(names) == 2 && names[0] == "local" {
				if next, ok := s.nodes["local."+names[1]]; ok && !slices.Contains(found, next) {
					found = append(found, next)
				}
			}
		}
	}
	return false
}

// maxParts bounds the number of locals that make up a block's expressions. Each reference compiles its locals again.
const maxParts = 256

func (d *decoder) useLocal(p *program, t hcl.Traversal, why purpose, path []*node) bool {
	name := stepNames(t, 2)[1]
	n := d.nodes["local."+name]
	if slices.Contains(path, n) {
		d.reportLocalCycle(append(path, n), t.SourceRange())
		return false
	}
	for _, known := range p.locals {
		if known.name == name {
			return true
		}
	}
	if d.parts++; d.parts > maxParts {
		d.fail(n.expr.Range(), "Too many locals", fmt.Sprintf("The expressions of a block may refer to locals that depend "+
			"on the episode %d times, directly and through other locals. Write them with fewer locals.", maxParts))
		return false
	}
	inner, ok := d.program(n.expr, purpose{inEpisode: why.inEpisode}, append(path, n))
	if ok {
		p.locals = append(p.locals, localProgram{name: name, source: d.text(n.expr.Range()), program: inner})
	}
	return ok
}

func (d *decoder) reportLocalCycle(path []*node, where hcl.Range) {
	last := path[len(path)-1]
	var addresses []string
	for _, n := range path[slices.Index(path, last):] {
		addresses = append(addresses, n.address)
	}
	d.fail(where, "Cyclic reference", fmt.Sprintf("%s depends on itself: %s. Break the cycle by replacing one of the "+
		"references with its value.", last.address, strings.Join(addresses, " -> ")))
}
