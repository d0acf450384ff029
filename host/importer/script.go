package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// script evaluates the assignments and the conditions of a shell script. It runs no command.
type script struct {
	config  *config
	dir     string // working directory
	vars    map[string]*variable
	started bool   // the command that starts the training was read
	skipped string // why the branch that is walked does not count; empty: it counts
}

// variable is a variable of a script.
type variable struct {
	expand.Variable
	line    int
	problem string // why its value is not known; empty: it is known
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
	s := &script{config: c, dir: dir, vars: map[string]*variable{}}
	s.walk(file.Stmts)
	if !s.started {
		return fmt.Errorf("%s: no command in it starts %s: name the script that does, or a YAML file", c.name, c.system.Title)
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
			s.assign(assign, command.Variant.Value == "export")
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
		if problem := s.problem(command); problem != "" {
			s.refuse(command, problem)
		} else if _, err := expand.Arithm(s.settings(), command.X); err != nil {
			s.refuse(command, s.at(command)+err.Error())
		}
	default:
		s.refuse(command, s.at(command)+"loops and other control structures are not evaluated: write the values that they set")
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
				s.vars[node.Name.Value] = &variable{line: line(node), problem: problem}
			}
		case *syntax.WordIter:
			s.vars[node.Name.Value] = &variable{line: line(node), problem: problem}
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
	first, _, _ := strings.Cut(value, "\n")
	s.config.others = append(s.config.others, ImportedKey{
		Key: strings.Fields(first + " -")[0], Line: line(node), Value: strings.TrimSuffix(first, "\\"), Outcome: outcome, Why: why,
	})
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
		why := "the condition does not hold"
		switch {
		case holds && known:
			why = "the condition holds"
		case !known:
			why = "the condition is not evaluated, and the spec has the values of its branch"
		}
		s.list(NotRun, "if "+condition, clause, why)
		if known && !holds {
			s.skip(clause.Then, fmt.Sprintf("%sthe condition %s does not hold", s.at(clause), condition))
			continue
		}
		s.walk(clause.Then)
		for other := clause.Else; other != nil; other = other.Else {
			s.skip(other.Then, fmt.Sprintf("an alternative of %sthe spec has the values of the branch of %s", s.at(clause), condition))
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
	switch {
	case !known:
		s.statement(command.X)
	case holds == (command.Op == syntax.OrStmt):
		s.skip([]*syntax.Stmt{command.Y}, fmt.Sprintf("%sthe condition %s decides", s.at(command), source(command.X)))
		return
	}
	if !known && command.Op == syntax.OrStmt {
		s.skip([]*syntax.Stmt{command.Y}, s.at(command)+"it runs only if the command before || fails")
		return
	}
	s.statement(command.Y)
}

// assign evaluates an assignment, or the export of a variable.
func (s *script) assign(assign *syntax.Assign, exported bool) {
	if assign.Name == nil {
		return // an option of declare
	}
	name := assign.Name.Value
	if s.skipped != "" {
		if !assign.Naked {
			_, value, _ := strings.Cut(source(assign), "=")
			s.config.others = append(s.config.others, ImportedKey{
				Key: name, Line: line(assign), Value: value, Outcome: LeftOut, Why: s.skipped,
			})
		}
		return
	}
	before := s.vars[name]
	if assign.Naked {
		if before != nil {
			before.Exported = before.Exported || exported
		}
		return
	}
	v := &variable{line: line(assign), problem: s.problem(assign)}
	v.Set, v.Exported = true, exported || before != nil && before.Exported
	if assign.Index != nil {
		v.problem = s.at(assign) + "assignments to single elements are not evaluated: write the whole array"
	}
	if v.problem == "" {
		var err error
		if assign.Array != nil {
			v.Kind = expand.Indexed
			for _, element := range assign.Array.Elems {
				var fields []string
				if fields, err = expand.Fields(s.settings(), element.Value); err != nil {
					break
				}
				v.List = append(v.List, fields...)
			}
		} else {
			v.Kind = expand.String
			if assign.Value != nil {
				v.Str, err = expand.Literal(s.settings(), assign.Value)
			}
		}
		v.problem = s.unset(assign, err)
	}
	if assign.Append && before != nil {
		v.problem, v.Str, v.List = first(before.problem, v.problem), before.Str+v.Str, slices.Concat(before.List, v.List)
	}
	s.vars[name] = v
}

func first(problems ...string) string {
	for _, problem := range problems {
		if problem != "" {
			return problem
		}
	}
	return ""
}

// call evaluates assignments, and reads the command that starts the training. Other commands are listed.
func (s *script) call(command *syntax.CallExpr) {
	arguments := s.arguments(command)
	switch {
	case len(arguments) == 0:
		for _, assign := range command.Assigns {
			s.assign(assign, false)
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
		s.list(Unresolved, source(command), command, name+" is not run: write the variables that it sets into the script")
	case "exit", "set", "echo", "printf", ":", "true", "shift", "":
	case "unset":
		for _, argument := range s.arguments(command)[1:] {
			delete(s.vars, argument.text)
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
			if fields, err = expand.Fields(s.settings(), word); err != nil {
				problem, fields = s.unset(word, err), []string{source(word)}
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
			if _, ok := s.substitute(node); !ok && problem == "" {
				problem = fmt.Sprintf("%s%s is not run: write its output into the script", s.at(node), source(node))
			}
			return false
		case *syntax.ProcSubst:
			problem = first(problem, fmt.Sprintf("%s%s is not run: name a file", s.at(node), source(node)))
		case *syntax.ParamExp:
			if v := s.vars[node.Param.Value]; v != nil && v.problem != "" {
				problem = first(problem, v.problem)
			}
		}
		return problem == ""
	})
	return problem
}

// unset returns the text for an error of an expansion.
func (s *script) unset(node syntax.Node, err error) string {
	var unset expand.UnsetParameterError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &unset):
		name := unset.Node.Param.Value
		if secret.MatchString(name) {
			return fmt.Sprintf("%s%s is a secret: set it in train.env as env(%q), or in .env", s.at(node), name, name)
		}
		return fmt.Sprintf("%s%s is not set: import again with %s=VALUE in the environment, or write the value", s.at(node), name, name)
	}
	return s.at(node) + err.Error()
}

// settings returns the rules of expansions. No file and no command is read.
func (s *script) settings() *expand.Config {
	return &expand.Config{Env: s, NoUnset: true, CmdSubst: s.writeSubstitution}
}

// secret matches names of variables that are not read from the environment.
var secret = regexp.MustCompile(`(?i)key|token|secret|passw`)

// Get implements expand.Environ: the script's variables, and then those of the environment.
func (s *script) Get(name string) expand.Variable {
	text := func(value string) expand.Variable { return expand.Variable{Set: true, Kind: expand.String, Str: value} }
	switch v := s.vars[name]; {
	case v != nil:
		return v.Variable
	case name == "@" || name == "*" || name == "BASH_SOURCE":
		v := expand.Variable{Set: true, Kind: expand.Indexed}
		if name == "BASH_SOURCE" {
			v.List = []string{s.config.name}
		}
		return v
	case name == "0":
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
func (s *script) Each(func(string, expand.Variable) bool) {}

// Set implements expand.WriteEnviron for ${NAME:=VALUE} and arithmetic.
func (s *script) Set(name string, v expand.Variable) error {
	s.vars[name] = &variable{Variable: v}
	return nil
}

var _ expand.WriteEnviron = (*script)(nil)

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
