package importer

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// conditions are the only commands that are evaluated.
var conditions = []string{"[", "test", "true", "false", ":"}

// decide evaluates a condition. known is false if that needs a command.
func (s *script) decide(statement *syntax.Stmt) (holds, known bool) {
	known = s.problem(statement) == ""
	refused := errors.New("commands are not run")
	runner, err := interp.New(interp.Env(s), interp.Dir(s.dir),
		interp.CallHandler(func(_ context.Context, words []string) ([]string, error) {
			if !slices.Contains(conditions, words[0]) {
				return nil, refused
			}
			return words, nil
		}),
		interp.OpenHandler(func(context.Context, string, int, os.FileMode) (io.ReadWriteCloser, error) { return nil, refused }))
	switch statement.Cmd.(type) {
	case *syntax.CallExpr, *syntax.TestClause, *syntax.BinaryCmd, *syntax.ArithmCmd:
	default:
		known = false
	}
	if err != nil || !known {
		return false, false
	}
	err = runner.Run(context.Background(), &syntax.Stmt{Cmd: statement.Cmd, Negated: statement.Negated})
	_, fails := interp.IsExitStatus(err)
	return err == nil, err == nil || fails
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
