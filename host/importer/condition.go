package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

var errRefused = errors.New("commands are not run")

// refuseCommands lets only the builtin commands run that conditions consist of, that set variables, or that name a
// directory.
func refuseCommands(ctx context.Context, words []string) ([]string, error) {
	if name := directories[words[0]]; name != nil && len(words) > 1 {
		_, err := fmt.Fprintln(interp.HandlerCtx(ctx).Stdout, name(words[len(words)-1]))
		return []string{"true"}, err
	}
	if !slices.Contains([]string{"[", "test", "true", "false", ":", "unset", "cd", "pwd"}, words[0]) {
		return nil, errRefused
	}
	return words, nil
}

func refuseFiles(context.Context, string, int, os.FileMode) (io.ReadWriteCloser, error) {
	return nil, errRefused
}

// decide evaluates a condition. known is false if that needs a command.
func (s *script) decide(statement *syntax.Stmt) (holds, known bool) {
	switch statement.Cmd.(type) {
	case *syntax.CallExpr, *syntax.TestClause, *syntax.BinaryCmd, *syntax.ArithmCmd:
	default:
		return false, false
	}
	known = true
	syntax.Walk(statement, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.ParamExp:
			known = known && s.unknown[node.Param.Value] == ""
		case *syntax.CmdSubst:
			known = known && s.substitutes(node)
		}
		return known
	})
	if !known {
		return false, false
	}
	err := s.shell.Subshell().Run(context.Background(), &syntax.Stmt{Cmd: statement.Cmd, Negated: statement.Negated})
	var status interp.ExitStatus
	return err == nil, err == nil || errors.As(err, &status)
}

// directories are the commands that only name a directory or a file. The script's working directory is the import's.
var directories = map[string]func(string) string{
	"dirname": filepath.Dir, "basename": filepath.Base, "realpath": func(path string) string {
		if absolute, err := filepath.Abs(path); err == nil {
			return absolute
		}
		return path
	},
}

// substitutes reports whether a command substitution only names a directory: pwd, dirname, or cd DIRECTORY && pwd.
func (s *script) substitutes(substitution *syntax.CmdSubst) (only bool) {
	only = true
	syntax.Walk(substitution, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok {
			name := ""
			if len(call.Args) > 0 {
				name = call.Args[0].Lit()
			}
			only = only && (directories[name] != nil || name == "cd" || name == "pwd")
		}
		return only
	})
	return only
}

// substitute writes the output of a command substitution.
func (s *script) substitute(out io.Writer, substitution *syntax.CmdSubst) error {
	shell := s.shell.Subshell()
	if err := interp.StdIO(nil, out, nil)(shell); err != nil {
		return err
	}
	return shell.Run(context.Background(), &syntax.Block{Stmts: substitution.Stmts})
}
