package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/internal/processes"
	"github.com/awhost/awhost/sdk/process"
)

func newTop(a *app) *cobra.Command {
	var every time.Duration
	var plain bool
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Show the progress and resource usage of all runs on this machine",
		Long: `Show all your active runs on this machine, regardless of the location of their specs: their progress, current
activity, and the CPU and memory usage of host, plugins, and trainer. At a terminal the display is refreshed until you
press q. Otherwise, and with --plain or --json, it is printed once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < leastInterval {
				return exit(run.ExitUsage, fmt.Errorf("--every %s: want %s or more", every, leastInterval))
			}
			var meter processes.Meter
			look := func(ctx context.Context) result.Top { return machineLook(ctx, &meter) }
			if options := a.viewOptions(applyOptions{plain: plain}, nil); view.CanLive(options) {
				show := func(ctx context.Context) func(*text.Printer) { return look(ctx).Text }
				if err := view.Watch(cmd.Context(), options, every, show); err != nil {
					return exit(run.ExitFailed, err)
				}
				return nil
			}
			look(cmd.Context())
			time.Sleep(leastInterval) // processor usage is the difference of two measurements
			return a.show(look(cmd.Context()))
		},
	}
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "refresh `interval`")
	cmd.Flags().BoolVar(&plain, "plain", false, "print once, even at a terminal")
	return cmd
}

const leastInterval = processes.Soonest

// machineLook requests the state of all runs on this machine, and measures the resource usage of their hosts and all
// descendants.
func machineLook(ctx context.Context, meter *processes.Meter) result.Top {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	folders := process.SocketDirs()
	runs := control.Machine(ctx, slices.Collect(maps.Keys(folders)))
	all, now := processes.List(), time.Now()
	uses := map[int]processes.Use{}
	for i, r := range runs {
		if r.Status.PID == 0 { // for a host that does not answer, assume the first user of the folder
			runs[i].Status.PID = slices.Min(folders[r.Folder])
		}
		pid := runs[i].Status.PID
		if use, known := meter.Measure(processes.Below(pid, all), now); known {
			uses[pid] = use
		}
	}
	return result.TopOf(runs, uses, now)
}
