package launch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scriptedLauncher returns one status after the other, then the last one again.
type scriptedLauncher struct {
	Launcher
	said  []Status
	errs  []error // nil: the status counts
	logs  []bool  // the calls for logs: the last one or not
	stops int
}

func (l *scriptedLauncher) Status(context.Context, Handle) (Status, error) {
	status, err := l.said[0], l.errs[0]
	if len(l.said) > 1 {
		l.said, l.errs = l.said[1:], l.errs[1:]
	}
	return status, err
}

func (l *scriptedLauncher) Logs(_ context.Context, _ Handle, last bool) error {
	l.logs = append(l.logs, last)
	return nil
}

func (l *scriptedLauncher) Stop(context.Context, Handle, time.Duration) error {
	l.stops++
	return nil
}

func (l *scriptedLauncher) then(s Status, err error) *scriptedLauncher {
	l.said, l.errs = append(l.said, s), append(l.errs, err)
	return l
}

var errAway = fmt.Errorf("ask: %w", ErrUnreachable)

// followed follows a job to its end, and returns what the user was told.
func followed(t *testing.T, l *scriptedLauncher, unreachable time.Duration) (*Watch, []string) {
	t.Helper()
	var told []string
	h := Handle{Kind: KindProcess, Launch: "run.i1"}
	j := Follow(t.Context(), l, h, unreachable, func(m string) { told = append(told, m) })
	defer j.LetGo()
	select {
	case <-j.Ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the job was not seen to end")
	}
	return j, told
}

func TestJob_SilenceIsNoEnd(t *testing.T) {
	three := 3
	l := (&scriptedLauncher{}).then(Status{State: Pending, Reason: "Resources"}, nil).then(Status{}, errAway).
		then(Status{State: Running}, nil).then(Status{State: Ended, Code: &three}, nil)
	j, told := followed(t, l, time.Minute)
	if j.Lost != nil || j.Status.Code == nil || *j.Status.Code != 3 {
		t.Errorf("ended with %s, lost %v; want exit status 3", j.Status, j.Lost)
	}
	select {
	case <-j.Running:
	default:
		t.Error("it was not seen to run")
	}
	want := []string{
		"the launch run.i1 is waiting (Resources)",
		"the launch run.i1: ask: no answer; asked again for up to 1m0s",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if n := len(l.logs); n == 0 || !l.logs[n-1] {
		t.Errorf("the end of the log was not read: %v", l.logs)
	}
}

func TestJob_LongSilenceIsNotTakenForAnEnd(t *testing.T) {
	l := (&scriptedLauncher{}).then(Status{}, errAway)
	j, _ := followed(t, l, 0)
	if !errors.Is(j.Lost, ErrUnreachable) {
		t.Fatalf("lost: %v, want no answer", j.Lost)
	}
	if l.stops != 0 {
		t.Error("the job was stopped, although it may be running")
	}
}

func TestJob_LettingGoLeavesItAlone(t *testing.T) {
	l := (&scriptedLauncher{}).then(Status{State: Running}, nil)
	j := Follow(t.Context(), l, Handle{Kind: KindProcess}, time.Minute, func(string) {})
	<-j.Running
	j.LetGo()
	select {
	case <-j.Ended:
		t.Error("it counts as ended")
	default:
	}
	if l.stops != 0 {
		t.Error("it was stopped")
	}
}
