package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

func newLogs(a *app) *cobra.Command {
	var flags runFlags
	var instance string
	cmd := &cobra.Command{
		Use:   "logs [run]",
		Short: "Print the output of a run's plugins",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := a.openRun(flags.dir, args)
			if err != nil {
				return err
			}
			names, err := r.Logs()
			if err != nil {
				return exit(run.ExitFailed, err)
			}
			if instance != "" {
				names = []string{instance}
			}
			return a.printLogs(r, names)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&instance, "plugin", "", "print only the output of the block `ADDRESS`, such as "+
		"reward.gaia.answer")
	return cmd
}

// printLogs prints logs one after another and reports any that are empty.
func (a *app) printLogs(r *runstore.Run, names []string) error {
	printed := 0
	for _, name := range names {
		lines, err := a.printLog(r, name)
		if err != nil {
			return exit(run.ExitUsage, err)
		}
		printed += lines
	}
	switch {
	case printed > 0:
	case len(names) == 1:
		a.tell("%s has no output in %s", names[0], r.Ref())
	default:
		a.tell("no plugin of %s has output", r.Ref())
	}
	return nil
}

// printLog prints a log with the plugin's name before each line and returns the number of lines.
func (a *app) printLog(r *runstore.Run, name string) (lines int, err error) {
	f, err := os.Open(r.LogPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("run %s has no log of %s", r.Ref(), name)
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	reader := bufio.NewReader(f)
	for {
		line, err := reader.ReadString('\n')
		if line != "" {
			a.tellLog(name, trimNewline(line))
			lines++
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
	}
}

func (a *app) tellLog(name, line string) {
	_ = a.show(result.Log{Type: "log", Plugin: name, Line: line}) // errors of a closed output are ignored
}

func trimNewline(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}
