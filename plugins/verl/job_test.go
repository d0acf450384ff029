package verl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/verl/internal/launch"
)

// scriptedLauncher tells one status after the other, the last for ever.
type scriptedLauncher struct {
	launcher
	said  []launch.Status
	errs  []error // nil: the status counts
	logs  []bool  // the calls for logs: the last one or not
	stops int
}

func (l *scriptedLauncher) Status(context.Context, launch.Handle) (launch.Status, error) {
	status, err := l.said[0], l.errs[0]
	if len(l.said) > 1 {
		l.said, l.errs = l.said[1:], l.errs[1:]
	}
	return status, err
}

func (l *scriptedLauncher) Logs(_ context.Context, _ launch.Handle, last bool) error {
	l.logs = append(l.logs, last)
	return nil
}

func (l *scriptedLauncher) Stop(context.Context, launch.Handle, time.Duration) error {
	l.stops++
	return nil
}

func (l *scriptedLauncher) then(s launch.Status, err error) *scriptedLauncher {
	l.said, l.errs = append(l.said, s), append(l.errs, err)
	return l
}

var errAway = fmt.Errorf("ask: %w", launch.ErrUnreachable)

// followed follows a job to its end, and returns what the user was told.
func followed(t *testing.T, l *scriptedLauncher, unreachable time.Duration) (*job, []string) {
	t.Helper()
	var told []string
	j := followJob(t.Context(), l, launch.Handle{Kind: launch.KindProcess, Launch: "run.i1"}, unreachable, func(m string) { told = append(told, m) })
	defer j.letGo()
	select {
	case <-j.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the job was not seen to end")
	}
	return j, told
}

func TestJob_SilenceIsNoEnd(t *testing.T) {
	three := 3
	l := (&scriptedLauncher{}).then(launch.Status{State: launch.Pending, Reason: "Resources"}, nil).then(launch.Status{}, errAway).
		then(launch.Status{State: launch.Running}, nil).then(launch.Status{State: launch.Ended, Code: &three}, nil)
	j, told := followed(t, l, time.Minute)
	if j.lost != nil || j.status.Code == nil || *j.status.Code != 3 {
		t.Errorf("ended with %s, lost %v; want exit status 3", j.status, j.lost)
	}
	select {
	case <-j.running:
	default:
		t.Error("it was not seen to run")
	}
	want := []string{"the launch run.i1 is waiting (Resources)", "the launch run.i1: ask: no answer; asked again for up to 1m0s"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if n := len(l.logs); n == 0 || !l.logs[n-1] {
		t.Errorf("the end of the log was not read: %v", l.logs)
	}
}

func TestJob_LongSilenceIsNotTakenForAnEnd(t *testing.T) {
	l := (&scriptedLauncher{}).then(launch.Status{}, errAway)
	j, _ := followed(t, l, 0)
	if !errors.Is(j.lost, launch.ErrUnreachable) {
		t.Fatalf("lost: %v, want that nobody answers", j.lost)
	}
	tr := &training{record: &record{}, adapter: &adapter{config: config{AbsenceTimeout: "10m"}}, job: j, steps: &steps{done: 4, metrics: &tail{path: t.TempDir() + "/none"}}}
	_, err := tr.conclude(t.Context())
	var crashed *crash
	if err == nil || errors.As(err, &crashed) || !strings.Contains(err.Error(), "after step 4") || !strings.Contains(err.Error(), "resume the run") {
		t.Errorf("%v; want a text that says how to go on, and no crash: another trainer must not be started", err)
	}
	if l.stops != 0 {
		t.Error("the job was stopped, although it may go on")
	}
}

func TestJob_LettingGoLeavesItAlone(t *testing.T) {
	l := (&scriptedLauncher{}).then(launch.Status{State: launch.Running}, nil)
	j := followJob(t.Context(), l, launch.Handle{Kind: launch.KindProcess}, time.Minute, func(string) {})
	<-j.running
	j.letGo()
	select {
	case <-j.ended:
		t.Error("it counts as ended")
	default:
	}
	if l.stops != 0 {
		t.Error("it was stopped")
	}
}
