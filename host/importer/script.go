package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// script evaluates the assignments and the conditions of a shell script. It runs no command.
type script struct {
	config  *config
	dir     string            // working directory
	shell   *interp.Runner    // has the variables; it refuses commands
	unknown map[string]string // by variable: why its value is not known
	lines   map[string]int    // by variable: where it is set
	started bool              // the command that starts the training was read
	skipped string            // why the branch that is walked does not count; empty: it counts
}

// argument is an argument of a command.
type argument struct {
	text    string // without a problem: expanded
	line    int
	problem string
}

// script adds the values of a launch script.
func (c *config) script(text []byte) error {
	file, err := syntax.NewParser().Parse(strings.NewReader(string(text)), c.name)
	if err != nil {
		return fmt.Errorf("%w: correct the script, or name a YAML file", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	c.layers++
	s := &script{config: c, dir: dir, unknown: map[string]string{}, lines: map[string]int{}}
	if s.shell, err = interp.New(interp.Env(s), interp.Dir(dir), interp.CallHandler(refuseCommands),
		interp.OpenHandler(refuseFiles)); err != nil {
		return err
	}
	s.shell.Reset()
	syntax.Walk(file, func(node syntax.Node) bool {
		if p, ok := node.(*syntax.ParamExp); ok && (p.Param.Value == "0" || p.Param.Value == "BASH_SOURCE") {
			p.Param, p.Index = &syntax.Lit{Value: scriptName}, nil // the shell has its own values
		}
		return true
	})
	s.walk(file.Stmts)
	if !s.started {
		return fmt.Errorf("%s: no command in it starts %s: name the script that does, or a YAML file", c.name,
			c.system.Title)
	}
	return nil
}

func (s *script) walk(statements []*syntax.Stmt) {
	for _, statement := range statements {
		s.statement(statement)
	}
}

func (s *script) statement(statement *syntax.Stmt) {
	switch command := statement.Cmd.(type) {
	case nil, *syntax.TestClause, *syntax.FuncDecl:
	case *syntax.CallExpr:
		s.call(command)
	case *syntax.DeclClause:
		for _, assign := range command.Args {
			s.assign(assign, &syntax.DeclClause{Variant: command.Variant, Args: []*syntax.Assign{assign}})
		}
	case *syntax.IfClause:
		s.branch(command)
	case *syntax.BinaryCmd:
		s.binary(command)
	case *syntax.Block:
		s.walk(command.Stmts)
	case *syntax.Subshell:
		s.walk(command.Stmts)
	case *syntax.TimeClause:
		s.statement(command.Stmt)
	case *syntax.ArithmCmd:
		if problem := cmp.Or(s.problem(command), s.evaluate(command)); problem != "" {
			s.refuse(command, problem)
		}
	default:
		s.refuse(command, s.at(command)+"loops and other control structures are not evaluated: write the "+
			"values that they set")
	}
}

// refuse lists a command that the import cannot evaluate. The variables that it sets are not known. If it starts the
// training, the arguments count that do not depend on them.
func (s *script) refuse(command syntax.Node, problem string) {
	s.list(Unresolved, source(command), command, problem)
	syntax.Walk(command, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			if node.Name != nil {
				s.unknown[node.Name.Value] = problem
			}
		case *syntax.WordIter:
			s.unknown[node.Name.Value] = problem
		case *syntax.CallExpr:
			if s.startOf(s.arguments(node)) > 0 {
				s.call(node)
			}
		}
		return true
	})
}

// list adds a command to the result.
func (s *script) list(outcome Outcome, value string, node syntax.Node, why string) {
	shown, _, _ := strings.Cut(value, "\n")
	s.config.other(outcome, line(node), strings.Fields(shown + " -")[0], strings.TrimSuffix(shown, "\\"), why)
}

// branch evaluates the branch of an if statement whose condition holds. The values of the others are listed.
func (s *script) branch(clause *syntax.IfClause) {
	for ; clause != nil; clause = clause.Else {
		if len(clause.Cond) == 0 { // else
			s.walk(clause.Then)
			return
		}
		holds, known := s.decide(clause.Cond[len(clause.Cond)-1])
		condition := source(clause.Cond[len(clause.Cond)-1])
		if known && !holds {
			s.list(NotRun, "if "+condition, clause, "the condition does not hold")
			s.skip(clause.Then, fmt.Sprintf("%sthe condition %s does not hold", s.at(clause), condition))
			continue
		}
		why := "the condition is not evaluated, and the spec has the values of its branch"
		if known {
			why = "the condition holds"
		}
		s.list(NotRun, "if "+condition, clause, why)
		s.walk(clause.Then)
		for other := clause.Else; other != nil; other = other.Else {
			s.skip(other.Then, fmt.Sprintf("an alternative of %sthe spec has the branch of %s", s.at(clause), condition))
		}
		return
	}
}

// skip lists the values of a branch that does not count.
func (s *script) skip(statements []*syntax.Stmt, why string) {
	before := s.skipped
	if before == "" {
		s.skipped = why
	}
	s.walk(statements)
	s.skipped = before
}

// binary evaluates a pipe, or a list of commands joined by && or ||.
func (s *script) binary(command *syntax.BinaryCmd) {
	holds, known := s.decide(command.X)
	if !known {
		s.statement(command.X)
	}
	if command.Op == syntax.OrStmt && (holds || !known) || command.Op == syntax.AndStmt && known && !holds {
		s.skip([]*syntax.Stmt{command.Y}, fmt.Sprintf("%s%s decides", s.at(command), source(command.X)))
		return
	}
	s.statement(command.Y)
}

// assign evaluates an assignment with the command that consists of it alone.
func (s *script) assign(assign *syntax.Assign, command syntax.Command) {
	if assign.Name == nil {
		return // an option of declare
	}
	name := assign.Name.Value
	if s.skipped != "" {
		_, value, _ := strings.Cut(source(assign), "=")
		s.config.other(LeftOut, line(assign), name, value, s.skipped)
		return
	}
	problem := s.problem(assign)
	if problem != "" {
		assign.Value, assign.Array = nil, nil // it may be exported nevertheless
	} else if !assign.Naked && !assign.Append {
		delete(s.unknown, name)
	}
	if problem = cmp.Or(problem, s.evaluate(command)); problem != "" {
		s.unknown[name] = problem
	}
	if _, exported := s.lines[name]; !exported || !assign.Naked {
		s.lines[name] = line(assign)
	}
}

// evaluate runs a command that sets variables. It returns the reason if that fails.
func (s *script) evaluate(command syntax.Command) string {
	err := s.shell.Run(context.Background(), &syntax.Stmt{Cmd: command})
	if status := interp.ExitStatus(0); err != nil && !errors.As(err, &status) {
		return s.at(command) + err.Error()
	}
	return ""
}

// call evaluates assignments, and reads the command that starts the training. Other commands are listed.
func (s *script) call(command *syntax.CallExpr) {
	arguments := s.arguments(command)
	switch {
	case len(arguments) == 0:
		for _, assign := range command.Assigns {
			s.assign(assign, &syntax.CallExpr{Assigns: []*syntax.Assign{assign}})
		}
	case s.startOf(arguments) == 0:
		s.other(command, arguments[0].text)
	case s.skipped != "":
		s.launch(command, s.skipped)
	case s.started:
		s.launch(command, s.at(command)+"the script starts another training before: import it alone")
	default:
		s.launch(command, "")
	}
}

// other lists a command that does not start the training.
func (s *script) other(command *syntax.CallExpr, name string) {
	switch name {
	case "source", ".", "eval":
		s.list(Unresolved, source(command), command, name+" is not run: write its variables into the script")
	case "exit", "set", "echo", "printf", "true", "shift", "":
	case "unset", ":": // ${NAME:=VALUE}
		if s.problem(command) == "" && s.skipped == "" {
			s.evaluate(command)
		}
	default:
		s.list(NotRun, source(command), command, "commands other than the one that starts the training are not run")
	}
}

// arguments expands the words of a command.
func (s *script) arguments(command *syntax.CallExpr) (out []argument) {
	for _, word := range s.split(command.Args) {
		problem := s.problem(word)
		fields, err := []string{source(word)}, error(nil)
		if problem == "" {
			if fields, err = expand.Fields(&expand.Config{Env: s, CmdSubst: s.substitute}, word); err != nil {
				problem, fields = s.at(word)+err.Error(), []string{source(word)}
			}
		}
		if len(fields) == 1 && fields[0] == "" && source(word) == `"$@"` {
			continue // the script has no arguments
		}
		for _, field := range fields {
			out = append(out, argument{text: field, line: line(word), problem: problem})
		}
	}
	return out
}

// split separates overrides that a line continuation without a space joins, as in PATH="$file"\ and NAME=x on the next
// line: bash would pass them as one argument.
func (s *script) split(words []*syntax.Word) (out []*syntax.Word) {
	for _, word := range words {
		from := 0
		for i := 1; i < len(word.Parts); i++ {
			literal, ok := word.Parts[i].(*syntax.Lit)
			if ok && line(literal) > int(word.Parts[i-1].End().Line()) && override.MatchString(literal.Value) {
				out = append(out, &syntax.Word{Parts: word.Parts[from:i]})
				from = i
			}
		}
		out = append(out, &syntax.Word{Parts: word.Parts[from:]})
	}
	return out
}

// problem reports why a node cannot be expanded without running the script, or returns an empty string.
func (s *script) problem(node syntax.Node) (problem string) {
	syntax.Walk(node, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			if !s.substitutes(node) && problem == "" {
				problem = fmt.Sprintf("%s%s is not run: write its output into the script", s.at(node), source(node))
			}
			return problem == ""
		case *syntax.ProcSubst:
			problem = cmp.Or(problem, fmt.Sprintf("%s%s is not run: name a file", s.at(node), source(node)))
		case *syntax.ParamExp:
			name := node.Param.Value
			problem = cmp.Or(problem, s.unknown[name])
			if problem == "" && node.Exp == nil && !s.Get(name).IsSet() {
				problem = fmt.Sprintf("%s%s is not set: import again with %s=VALUE in the environment, or write the value",
					s.at(node), name, name)
				if secret.MatchString(name) {
					problem = fmt.Sprintf("%s%s is a secret: set it in train.env as env(%q), or in .env", s.at(node), name, name)
				}
			}
		}
		return problem == ""
	})
	return problem
}

// scriptName is the variable that replaces $0 and $BASH_SOURCE.
const scriptName = "AWHOST_IMPORTED_SCRIPT"

// secret matches names of variables that are not read from the environment.
var secret = regexp.MustCompile(`(?i)(^|_)(key|token|secret|password)$`)

// Get implements expand.Environ: the script's variables, and then the environment's.
func (s *script) Get(name string) expand.Variable {
	text := func(value string) expand.Variable { return expand.Variable{Set: true, Kind: expand.String, Str: value} }
	v, ok := s.shell.Vars[name]
	switch {
	case ok:
		return v
	case name == "@" || name == "*":
		return expand.Variable{Set: true, Kind: expand.Indexed}
	case name == scriptName:
		return text(s.config.name)
	case name == "#":
		return text("0")
	case name == "PWD":
		return text(s.dir)
	case secret.MatchString(name):
		return expand.Variable{}
	}
	if value, ok := os.LookupEnv(name); ok {
		return text(value)
	}
	if name == "PYTHONPATH" || name == "LD_LIBRARY_PATH" { // extended by scripts that do not need it
		return text("")
	}
	return expand.Variable{}
}

// Each implements expand.Environ.
func (s *script) Each(yield func(string, expand.Variable) bool) {
	for _, pair := range append(os.Environ(), scriptName+"=") {
		name, _, _ := strings.Cut(pair, "=")
		if v := s.Get(name); v.IsSet() && !yield(name, v) {
			return
		}
	}
}

var _ expand.Environ = (*script)(nil)

// at returns a node's line as the beginning of a reason.
func (s *script) at(node syntax.Node) string {
	return fmt.Sprintf("%s:%d: ", filepath.Base(s.config.name), line(node))
}

func line(node syntax.Node) int { return int(node.Pos().Line()) }

// source returns the text of a node.
func source(node syntax.Node) string {
	var out strings.Builder
	if err := syntax.NewPrinter().Print(&out, node); err != nil {
		return fmt.Sprintf("%T", node)
	}
	return strings.TrimSpace(out.String())
}

// put stores a value from a command line. The last one counts.
func (s *script) put(name, prefix string, a argument, text string) {
	node := yamlOf(text)
	if a.problem != "" {
		node = textNode(text)
	}
	node.Line = a.line
	c := s.config
	v := value{file: c.name, line: a.line, layer: c.layers, node: node, prefix: prefix, problem: a.problem}
	if before, ok := c.values[name]; ok {
		c.replaced(name, before, v)
		c.values[name] = v
		return
	}
	c.values[name] = v
	c.order = append(c.order, name)
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}
