package importer

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// decide evaluates a condition. known is false if that needs a command.
func (s *script) decide(condition []*syntax.Stmt) (holds, known bool) {
	statement := condition[len(condition)-1]
	switch command := statement.Cmd.(type) {
	case *syntax.CallExpr:
		holds, known = s.testCommand(command)
	case *syntax.TestClause:
		holds, known = s.test(command.X)
	case *syntax.BinaryCmd:
		holds, known = s.decide([]*syntax.Stmt{command.X})
		if known && command.Op <= syntax.OrStmt && holds == (command.Op == syntax.AndStmt) {
			holds, known = s.decide([]*syntax.Stmt{command.Y})
		}
	}
	return holds != statement.Negated, known
}

// testCommand evaluates [ … ] and test.
func (s *script) testCommand(command *syntax.CallExpr) (holds, known bool) {
	var words []string
	for _, word := range command.Args {
		if s.problem(word) != "" {
			return false, false
		}
		fields, err := expand.Fields(s.settings(false), word) // an unset variable is empty in conditions
		if err != nil {
			return false, false
		}
		words = append(words, fields...)
	}
	switch {
	case len(words) > 1 && words[0] == "[":
		words = words[1 : len(words)-1]
	case len(words) > 0 && words[0] == "test":
		words = words[1:]
	default:
		return false, false
	}
	negated := len(words) > 1 && words[0] == "!"
	if negated {
		words = words[1:]
	}
	switch len(words) {
	case 1:
		holds, known = words[0] != "", true
	case 2:
		holds, known = s.unary(words[0], words[1])
	case 3:
		holds, known = compare(words[1], words[0], words[2])
	}
	return holds != negated, known
}

// test evaluates the expression of [[ … ]].
func (s *script) test(expression syntax.TestExpr) (holds, known bool) {
	text := func(x syntax.TestExpr) (string, bool) {
		word, ok := x.(*syntax.Word)
		if !ok || s.problem(word) != "" {
			return "", false
		}
		out, err := expand.Literal(s.settings(false), word)
		return out, err == nil
	}
	switch x := expression.(type) {
	case *syntax.ParenTest:
		return s.test(x.X)
	case *syntax.Word:
		value, ok := text(x)
		return value != "", ok
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			holds, known = s.test(x.X)
			return !holds, known
		}
		value, ok := text(x.X)
		holds, known = s.unary(x.Op.String(), value)
		return holds, known && ok
	case *syntax.BinaryTest:
		if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
			holds, known = s.test(x.X)
			if known && holds == (x.Op == syntax.AndTest) {
				return s.test(x.Y)
			}
			return holds, known
		}
		left, ok := text(x.X)
		right, both := text(x.Y)
		holds, known = compare(x.Op.String(), left, right)
		return holds, known && ok && both && !strings.ContainsAny(right, "*?[")
	}
	return false, false
}

// unary evaluates the operators for a string or a file.
func (s *script) unary(operator, operand string) (holds, known bool) {
	path := operand
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	info, err := os.Stat(path)
	switch operator {
	case "-z":
		return operand == "", true
	case "-n":
		return operand != "", true
	case "-e":
		return err == nil, true
	case "-f":
		return err == nil && info.Mode().IsRegular(), true
	case "-d":
		return err == nil && info.IsDir(), true
	}
	return false, false
}

// compare evaluates the operators for two strings or numbers.
func compare(operator, left, right string) (holds, known bool) {
	a, wrong := strconv.Atoi(left)
	b, err := strconv.Atoi(right)
	if i := slices.Index([]string{"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}, operator); i >= 0 {
		return []bool{a == b, a != b, a < b, a <= b, a > b, a >= b}[i], wrong == nil && err == nil
	}
	switch operator {
	case "=", "==":
		return left == right, true
	case "!=":
		return left != right, true
	}
	return false, false
}

// substitute returns the output of a command that only names a directory or a file: pwd, dirname, basename, and cd
// DIRECTORY && pwd. The script's working directory is the import's.
func (s *script) substitute(command *syntax.CmdSubst) (string, bool) {
	if len(command.Stmts) != 1 {
		return "", false
	}
	statement := command.Stmts[0]
	if both, ok := statement.Cmd.(*syntax.BinaryCmd); ok && both.Op == syntax.AndStmt {
		words, last := s.words(both.X), s.words(both.Y)
		words = slices.DeleteFunc(words, func(word string) bool { return word == "--" })
		if len(words) == 2 && words[0] == "cd" && len(last) > 0 && last[0] == "pwd" {
			return s.absolute(words[1]), true
		}
		return "", false
	}
	words := s.words(statement)
	switch {
	case len(words) == 1 && words[0] == "pwd":
		return s.dir, true
	case len(words) == 2 && words[0] == "dirname":
		return filepath.Dir(words[1]), true
	case len(words) == 2 && words[0] == "basename":
		return filepath.Base(words[1]), true
	case len(words) == 2 && words[0] == "realpath", len(words) == 3 && words[0] == "readlink" && words[1] == "-f":
		return s.absolute(words[len(words)-1]), true
	}
	return "", false
}

// words expands a simple command. It returns nil for any other.
func (s *script) words(statement *syntax.Stmt) (out []string) {
	call, ok := statement.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	for _, argument := range s.arguments(call) {
		if argument.problem != "" {
			return nil
		}
		out = append(out, argument.text)
	}
	return out
}

func (s *script) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	return filepath.Clean(path)
}

// writeSubstitution writes the output of a command that substitute knows.
func (s *script) writeSubstitution(out io.Writer, command *syntax.CmdSubst) error {
	text, ok := s.substitute(command)
	if !ok {
		return errors.New(source(command) + " is not run")
	}
	_, err := io.WriteString(out, text)
	return err
}
