package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
)

func newFmt(a *app) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt [file or directory...]",
		Short: "Rewrite specs in the canonical layout; `-` reads standard input",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			if len(args) == 1 && args[0] == "-" {
				return a.fmtStream()
			}
			files, err := specFiles(args)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			changed := false
			for _, file := range files {
				did, err := a.fmtFile(file, check)
				if err != nil {
					return a.cannotFormat(file, err)
				}
				changed = changed || did
			}
			if check && changed {
				return exit(run.ExitUsage, nil)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; exit with 1 if a file is not in the canonical layout")
	return cmd
}

func (a *app) fmtStream() error {
	source, err := io.ReadAll(a.in)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	out, err := spec.Format(source)
	if err != nil {
		return a.cannotFormat("standard input", err)
	}
	if !a.json {
		_, err = a.data().Write(out)
		return err
	}
	return a.show(result.Formatted{Type: "formatted", File: "-", Content: string(out)})
}

// cannotFormat shows the location of a spec's syntax error.
func (a *app) cannotFormat(file string, err error) error {
	var problems diag.Diagnostics
	if !errors.As(err, &problems) {
		return exit(run.ExitUsage, err)
	}
	for i := range problems {
		if r := problems[i].Range; r != nil {
			r.File = file
		}
	}
	return a.report(problems)
}

// fmtFile formats a file, or only checks it, and prints its name if its formatting is not canonical.
func (a *app) fmtFile(file string, check bool) (changed bool, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	out, err := spec.Format(source)
	if err != nil {
		return false, err
	}
	if bytes.Equal(source, out) {
		return false, nil
	}
	_ = a.show(result.Formatted{Type: "formatted", File: file, Written: !check}) // errors of a closed output are ignored
	if check {
		return true, nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return true, err
	}
	return true, os.WriteFile(file, out, info.Mode().Perm())
}

// specFiles returns the named files, and the *.hcl and *.awvars files of the named directories.
func specFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name := e.Name(); !e.IsDir() && (strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".awvars")) {
				files = append(files, filepath.Join(arg, name))
			}
		}
	}
	return files, nil
}
