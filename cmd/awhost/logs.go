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
	"github.com/awhost/awhost/host/view/text"
)

func newLogs(a *app) *cobra.Command {
	var flags runFlags
	var instance string
	cmd := &cobra.Command{
		Use:   "logs [run]",
		Short: "Print what the plugins of a run wrote",
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
			for _, name := range names {
				if err := a.printLog(r, name); err != nil {
					return exit(run.ExitUsage, err)
				}
			}
			return nil
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&instance, "plugin", "", "only this block's plugin: `ADDRESS`, such as reward.gaia.answer")
	return cmd
}

// printLog prefixes each line with the plugin it is from, and makes it harmless.
func (a *app) printLog(r *runstore.Run, name string) error {
	f, err := os.Open(r.LogPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run %s has no log of %s", r.Ref(), name)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	reader := bufio.NewReader(f)
	for {
		line, err := reader.ReadString('\n')
		if line != "" {
			a.tellLog(name, trimNewline(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (a *app) tellLog(name, line string) {
	if a.json {
		a.print(struct {
			Type   string `json:"type"`
			Plugin string `json:"plugin"`
			Line   string `json:"line"`
		}{"log", name, line})
		return
	}
	a.say("%s | %s", name, text.Clean(line))
}

func trimNewline(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\n' {
		return s[:n-1]
	}
	return s
}
