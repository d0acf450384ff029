package spec

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/awhost/awhost/host/diag"
)

// scope holds all definitions in a spec and evaluates them on demand: a variable, local or block is evaluated when it
// is first used, and the result is cached.
type scope struct {
	dir       string           // absolute directory of the spec
	shownDir  string           // the same, as shown to the user
	nodes     map[string]*node // by address: "var.steps", "local.data", "dataset.jsonl.train"
	order     []*node          // in the order of their declarations
	functions map[string]function.Function
	// episodeFunctions holds the functions for reward, success and advance_when expressions.
	episodeFunctions map[string]function.Function
	schemas          SchemaSource
	plugins          map[string]PluginSource
	sources          diag.Sources
	redactor         redactor
	problems         hcl.Diagnostics
	stack            []*node // nodes under evaluation, outermost first
}

// node is a definition that can be referred to.
type node struct {
	address   string
	kind      string // "var", "local" or a component kind
	where     hcl.Range
	evaluate  func() (cty.Value, bool) // reports its problems; false: no value
	expr      hcl.Expression           // of a local
	episode   episodeUse               // of a local
	state     nodeState
	value     cty.Value // for a block: its object form
	reference cty.Value // of a block
	block     *Block    // of a block
}

type nodeState int

const (
	nodeNew nodeState = iota
	nodeBusy
	nodeDone
	nodeFailed // its problems have been reported
)

// episodeUse reports whether a local has a single value or one for each episode.
type episodeUse int

const (
	undecided episodeUse = iota
	ordinary
	episodic
)

// declare adds a node. A duplicate address is a problem.
func (s *scope) declare(n *node, what string) {
	if first, ok := s.nodes[n.address]; ok {
		s.fail(n.where, "Duplicate "+what, fmt.Sprintf("%s is already defined at %s. Rename one of "+
			"them.", n.address, place(first.where)))
		return
	}
	if isComponentKind(n.kind) {
		n.reference = cty.CapsuleVal(referenceType, &reference{node: n})
	}
	s.nodes[n.address] = n
	s.order = append(s.order, n)
}

// value evaluates a node. It returns false without a value; the reason has been reported.
func (s *scope) value(n *node, use hcl.Range) (cty.Value, bool) {
	switch n.state {
	case nodeDone:
		return n.value, true
	case nodeFailed:
		return cty.DynamicVal, false
	case nodeBusy:
		s.reportCycle(n, use)
		return cty.DynamicVal, false
	}
	n.state = nodeBusy
	s.stack = append(s.stack, n)
	value, ok := n.evaluate()
	s.stack = s.stack[:len(s.stack)-1]
	n.value, n.state = value, nodeFailed
	if ok {
		n.state = nodeDone
	}
	return n.value, ok
}

func (s *scope) reportCycle(n *node, use hcl.Range) {
	var path []string
	for i := len(s.stack) - 1; i >= 0; i-- {
		path = append([]string{s.stack[i].address}, path...)
		if s.stack[i] == n {
			break
		}
	}
	path = append(path, n.address)
	s.fail(use, "Cyclic reference", fmt.Sprintf("%s depends on itself: %s. Break the cycle by replacing one of the "+
		"references with its value.", n.address, strings.Join(path, " -> ")))
}

// evaluate evaluates an expression. It returns false without a value; the reason has been reported.
//
// Blocks are objects first. If that fails because a conditional chooses between blocks of different types, the
// expression is evaluated with bare references.
func (s *scope) evaluate(expr hcl.Expression) (cty.Value, bool) {
	ctx, ok := s.context(expr.Variables(), asObjects)
	if !ok {
		return cty.DynamicVal, false
	}
	value, problems := expr.Value(ctx)
	if problems.HasErrors() && usesReferences(ctx) {
		if again, ok := s.context(expr.Variables(), asReferences); ok {
			if second, secondProblems := expr.Value(again); !secondProblems.HasErrors() {
				value, problems = second, secondProblems
			}
		}
	}
	s.report(problems...)
	if problems.HasErrors() {
		return cty.DynamicVal, false
	}
	return value, true
}

func usesReferences(ctx *hcl.EvalContext) bool {
	for _, v := range ctx.Variables {
		if holdsReference(v) {
			return true
		}
	}
	return false
}

// context returns the evaluation context for an expression's references, without any other definitions.
func (s *scope) context(traversals []hcl.Traversal, want form) (*hcl.EvalContext, bool) {
	names := tree{}
	complete := true
	for _, t := range traversals {
		nodes, ok := s.resolve(t)
		complete = complete && ok
		for _, n := range nodes {
			value, ok := s.value(n, t.SourceRange())
			if !ok && n.state == nodeFailed && n.reference != cty.NilVal && len(t) == 3 {
				value, ok = n.reference, true // invalid, but still a block of its kind
			}
			complete = complete && ok
			names.put(strings.Split(n.address, "."), s.inForm(n, value, want))
		}
	}
	if !complete {
		return nil, false
	}
	return &hcl.EvalContext{Variables: names.values(), Functions: s.functions}, true
}

func (s *scope) inForm(n *node, value cty.Value, want form) cty.Value {
	if n.reference != cty.NilVal && want == asReferences {
		return n.reference
	}
	return inForm(value, want)
}

// fail reports an error at a range.
func (s *scope) fail(where hcl.Range, summary, detail string) {
	s.report(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &where})
}

// warn reports a warning at a range.
func (s *scope) warn(where hcl.Range, summary, detail string) {
	s.report(&hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: detail, Subject: &where})
}

// report adds problems without duplicates: an expression shared by several stages is evaluated for each of them.
func (s *scope) report(problems ...*hcl.Diagnostic) {
	for _, problem := range problems {
		if !s.reported(problem) {
			s.problems = append(s.problems, problem)
		}
	}
}

func (s *scope) reported(problem *hcl.Diagnostic) bool {
	for _, known := range s.problems {
		if known.Summary == problem.Summary && known.Detail == problem.Detail && sameRange(known.Subject, problem.Subject) {
			return true
		}
	}
	return false
}

func sameRange(a, b *hcl.Range) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// place returns a range in file:line form.
func place(r hcl.Range) string { return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line) }

// tree collects values by address and converts them to nested objects.
type tree map[string]any

func (t tree) put(path []string, v cty.Value) {
	for _, name := range path[:len(path)-1] {
		next, ok := t[name].(tree)
		if !ok {
			next = tree{}
			t[name] = next
		}
		t = next
	}
	t[path[len(path)-1]] = v
}

func (t tree) values() map[string]cty.Value {
	values := make(map[string]cty.Value, len(t))
	for name, item := range t {
		if sub, ok := item.(tree); ok {
			values[name] = cty.ObjectVal(sub.values())
		} else {
			values[name] = item.(cty.Value)
		}
	}
	return values
}
