package spec

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// load evaluates everything that the files define, even if it is not referenced, so that all errors are reported.
func (l *loader) load() *Spec {
	required := l.readRequirements()
	if l.scope.problems.HasErrors() {
		return nil
	}
	env, problems := newEnvironment(l.dir, l.options.Environ)
	l.env = env
	s := l.scope
	s.report(problems...)
	s.dir, s.shownDir, s.sources = l.dir, l.shownDir, l.sources
	s.schemas, s.plugins = l.options.Schemas, required.Plugins
	s.functions = newFunctions(s, env)
	s.episodeFunctions = episodeFunctions(s.functions)
	out := &Spec{
		env: l.env, Path: l.path, Dir: l.dir, Files: l.absoluteFiles(), Required: required, Sources: l.sources,
		Blocks: map[string]*Block{}, Trains: map[string]*Train{},
	}
	content := l.content()
	variables := l.declareVariables(content)
	l.declareLocals(content)
	for _, b := range l.places {
		if isComponentKind(b.Type) {
			s.declareBlock(b)
		}
	}
	for _, n := range s.order {
		if n.kind == "local" && s.needsEpisode(n) {
			newDecoder(s).checkEpisodeLocal(n)
			continue
		}
		s.value(n, n.where)
	}
	for _, v := range variables {
		out.Variables = append(out.Variables, *v)
	}
	l.collect(out)
	out.Env, out.secrets = env.names(), s.redactor.list()
	return out
}

// content splits the files into top-level blocks.
func (l *loader) content() []*hcl.Block {
	var blocks []*hcl.Block
	for _, file := range l.files {
		content, problems := file.Body.Content(rootSchema)
		problems = explainUnknown(problems, rootNames, "")
		l.scope.report(problems...)
		for _, b := range content.Blocks {
			blocks = append(blocks, b)
			l.places = append(l.places, newBlock(b))
		}
	}
	return blocks
}

func (l *loader) declareVariables(blocks []*hcl.Block) []*Variable {
	declared := map[string]*declaration{}
	var order []*declaration
	for _, b := range blocks {
		if b.Type == "variable" {
			d := l.scope.readDeclaration(b)
			order = append(order, d)
			if declared[d.name] == nil {
				declared[d.name] = d
			}
		}
	}
	values := l.givenValues(declared)
	slices.SortStableFunc(order, func(a, b *declaration) int {
		switch {
		case a.name < b.name:
			return -1
		case a.name > b.name:
			return 1
		}
		return 0
	})
	var variables []*Variable
	for _, d := range order {
		variables = append(variables, l.scope.bind(d, values[d.name]))
	}
	return variables
}

func (l *loader) declareLocals(blocks []*hcl.Block) {
	s := l.scope
	for _, b := range blocks {
		if b.Type != "locals" {
			continue
		}
		attributes, problems := b.Body.JustAttributes()
		s.report(problems...)
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			a := attributes[name]
			n := &node{address: "local." + name, kind: "local", where: a.NameRange, expr: a.Expr}
			n.evaluate = func() (cty.Value, bool) { return s.evaluate(a.Expr) }
			s.declare(n, "local")
		}
	}
}

// checkEpisodeLocal checks a local that is usable only in reward and success expressions, or only in advance_when.
func (d *decoder) checkEpisodeLocal(n *node) {
	validation := d.dependsOn(n, func(t hcl.Traversal) bool { return t.RootName() == "validation" })
	if p, ok := d.program(n.expr, purpose{inEpisode: !validation}, []*node{n}); ok {
		d.tryOut(p, purpose{})
	}
}

// collect evaluates train, output and telemetry blocks and gathers the results.
func (l *loader) collect(out *Spec) {
	trains := map[string]bool{}
	for _, b := range l.places {
		if b.Type == "train" {
			trains[b.Labels[0]] = true
		}
	}
	first := map[string]hcl.Range{}
	for _, b := range l.places {
		switch {
		case isComponentKind(b.Type):
			if n := l.scope.nodes[b.address]; n != nil && n.block != nil && out.Blocks[b.address] == nil {
				out.Blocks[b.address] = n.block
				out.Order = append(out.Order, b.address)
			}
		case b.Type == "train" || b.Type == "output" || b.Type == blockTelemetry:
			if earlier, twice := first[b.address]; twice {
				remedy := "Rename one of them."
				if len(b.Labels) == 0 {
					remedy = "Merge the two."
				}
				l.scope.fail(b.DefRange, "Duplicate "+b.Type, b.address+" is already defined at "+place(earlier)+". "+remedy)
				continue
			}
			first[b.address] = b.DefRange
			l.collectOne(out, b, trains)
		}
	}
	l.scope.linkTrains(out, trains)
}

func (l *loader) collectOne(out *Spec, b block, trains map[string]bool) {
	switch b.Type {
	case "train":
		if train := l.scope.evaluateTrain(b, l.options.Overrides); train != nil {
			out.Trains[train.Name] = train
		}
	case "output":
		if output := l.scope.evaluateOutput(b, trains); output != nil {
			out.Outputs = append(out.Outputs, output)
		}
	case blockTelemetry:
		out.Telemetry = l.scope.evaluateTelemetry(b)
	}
}
