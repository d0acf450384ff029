package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/process"
)

// guardName is the name of the guard's log file. No block has such an address.
const guardName = "guard"

// guardTimeout limits the time for ending the guard and the processes that it must end.
const guardTimeout = 30 * time.Second

// startGuard ends processes left behind by an earlier host of this run and, if a guard is configured, starts this
// host's guard. Only the holder of the run's lock may call it, because all other processes that belong to the run are
// then leftovers.
func (r *runner) startGuard(ctx context.Context) error {
	left, err := process.SweepRun(ctx, r.Writer.Info.ID)
	if len(left) > 0 {
		r.warn(event.Warning{Code: "leftovers_ended", Summary: "ended processes that an earlier host of this run left " +
			"behind", Detail: join(left)})
	}
	if err != nil {
		r.warn(event.Warning{Code: "leftovers", Summary: "processes of an earlier host of this run may still be " +
			"running", Detail: err.Error()})
	}
	if len(r.Guard) == 0 {
		return nil
	}
	logFile, err := filepath.Abs(r.Writer.LogPath(guardName)) // the guard has another working directory
	if err != nil {
		return err
	}
	r.guard, err = process.StartGuard(ctx, process.GuardConfig{
		Command: r.Guard, Run: r.Writer.Info.ID, Incarnation: r.Writer.Incarnation(), SocketDir: r.service.sockets,
		LogFile: logFile,
	})
	return err
}

// closeGuard ends the guard. All plugins have ended by then, so any remaining processes cause a warning.
func (r *runner) closeGuard(ctx context.Context) {
	if r.guard == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), guardTimeout)
	defer cancel()
	left, err := r.guard.Close(ctx)
	if len(left) > 0 {
		r.warn(event.Warning{Code: "leftovers_ended", Summary: "ended processes that plugins left " +
			"behind", Detail: join(left)})
	}
	if err != nil {
		r.warn(event.Warning{Code: "leftovers", Summary: "processes that plugins left behind may still be " +
			"running", Detail: err.Error()})
	}
}

// maxNamed limits the number of processes listed in a warning.
const maxNamed = 5

func join(left []process.Leftover) string {
	var names []string
	for _, l := range left[:min(len(left), maxNamed)] {
		names = append(names, l.String())
	}
	if more := len(left) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
