package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
)

// logFlags selects lines of logs.
type logFlags struct {
	plugin string
	follow bool
	since  time.Time
}

func newLogs(a *app) *cobra.Command {
	var flags runFlags
	var o logFlags
	var since string
	cmd := &cobra.Command{
		Use:   "logs [run]",
		Short: "Print the output of a run's plugins",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			open := a.openRun
			if o.follow {
				open = func(dir string, args []string) (*runstore.Run, error) {
					r, _, err := a.openRunning(dir, args)
					return r, err
				}
			}
			r, err := open(flags.dir, args)
			if err != nil {
				return err
			}
			if o.since, err = parseSince(since); err != nil {
				return exit(run.ExitUsage, fmt.Errorf("--since: %w", err))
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return a.printLogs(ctx, r, o)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&o.plugin, "plugin", "", "print only the output of the block `ADDRESS`, such as "+
		"reward.gaia.answer")
	cmd.Flags().BoolVarP(&o.follow, "follow", "f", false, "print new output until the run ends; by "+
		"default, of the newest running run")
	cmd.Flags().StringVar(&since, "since", "", "omit lines before this `time`: 10m, \"2026-03-01 12:00\"")
	return cmd
}

// logPoll is the polling interval for new output.
const logPoll = 500 * time.Millisecond

// printLogs prints logs one after another, then, with follow, their new lines until the run ends. It reports logs that
// are empty.
func (a *app) printLogs(ctx context.Context, r *runstore.Run, o logFlags) error {
	logs := map[string]*logReader{}
	printed := 0
	for more := o.follow; ; {
		var err error
		if more { // logs of a run with a damaged journal are readable
			var summary runstore.Summary
			summary, err = r.Summary() // before the last lines are read
			more = summary.Status == runstore.StatusRunning
		}
		names := []string{o.plugin}
		if o.plugin == "" && err == nil {
			names, err = r.Logs()
		}
		if err != nil {
			return exit(run.ExitFailed, err)
		}
		for _, name := range names {
			if logs[name] == nil {
				logs[name] = &logReader{since: o.since, show: func(line string) { a.tellLog(name, line); printed++ }}
			}
			err := logs[name].read(r.LogPath(name), more)
			if errors.Is(err, fs.ErrNotExist) {
				existing, listErr := r.Logs()
				err = errors.Join(listErr, fmt.Errorf("run %s has no log of %s, but of: %s", r.Ref(), name,
					cmp.Or(strings.Join(existing, ", "), "nothing")))
			}
			if err != nil {
				return exit(run.ExitUsage, err)
			}
		}
		switch {
		case more:
			select {
			case <-time.After(logPoll):
				continue
			case <-ctx.Done():
			}
		case printed > 0:
		case len(names) == 1:
			a.tell("%s has no output in %s", names[0], r.Ref())
		default:
			a.tell("no plugin of %s has output", r.Ref())
		}
		return nil
	}
}

// logReader reads a log that may grow or be replaced by another file.
type logReader struct {
	since  time.Time // earlier lines are omitted
	show   func(line string)
	offset int64     // of the next line
	at     time.Time // of the last line that has a time
}

// read shows the lines since the last call. With more, the file and its last line may be missing or incomplete.
func (l *logReader) read(path string, more bool) error {
	f, err := os.Open(path)
	if more && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < l.offset { // another file
		l.offset = 0
	}
	reader := bufio.NewReader(io.NewSectionReader(f, l.offset, math.MaxInt64-l.offset))
	for {
		line, err := reader.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line == "" || more && err != nil {
			return nil
		}
		l.offset += int64(len(line))
		if line = strings.TrimSuffix(line, "\n"); l.isRecent(line, info.ModTime()) {
			l.show(line)
		}
	}
}

// isRecent reports whether a line is not too old. A line without a time has the time of the line before. Before the
// first time, the log's last change counts.
func (l *logReader) isRecent(line string, changed time.Time) bool {
	if l.since.IsZero() {
		return true
	}
	if at := lineTime(line); !at.IsZero() {
		l.at = at
	}
	if l.at.IsZero() {
		return !changed.Before(l.since)
	}
	return !l.at.Before(l.since)
}

// lineTime returns the time in a plugin's JSON line, or at the beginning of a plain line, or zero.
func lineTime(line string) time.Time {
	var fields map[string]any
	if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &fields) == nil {
		text, _ := fields["@timestamp"].(string)
		at, _ := time.Parse(time.RFC3339, text)
		return at
	}
	line = strings.Replace(strings.TrimLeft(line, "["), "T", " ", 1)
	at, _ := time.ParseInLocation(time.DateTime, line[:min(len(line), len(time.DateTime))], time.Local)
	return at
}

func (a *app) tellLog(name, line string) {
	_ = a.show(result.Log{Type: "log", Plugin: name, Line: line}) // errors of a closed output are ignored
}
