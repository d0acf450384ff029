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

// guardName is the name of the guard's log. No block has such an address.
const guardName = "guard"

// guardTimeout bounds the end of the guard and of the processes that it must end.
const guardTimeout = 30 * time.Second

// startGuard ends processes that an earlier host of this run left behind, and starts this host's guard, if one is
// configured. Only the holder of the run's lock may call it: all other processes of the run are then left over.
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

// closeGuard ends the guard. All plugins have ended by then, so remaining processes cause a warning.
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

// maxNamed bounds the number of processes in a warning.
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
