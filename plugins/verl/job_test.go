package verl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk/framework/launch"
)

// scriptedLauncher tells one status after the other, the last for ever.
type scriptedLauncher struct {
	launch.Launcher
	said  []launch.Status
	errs  []error // nil: the status counts
	stops int
}

func (l *scriptedLauncher) Status(context.Context, launch.Handle) (launch.Status, error) {
	status, err := l.said[0], l.errs[0]
	if len(l.said) > 1 {
		l.said, l.errs = l.said[1:], l.errs[1:]
	}
	return status, err
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

func TestConclude_LongSilenceIsNotTakenForAnEnd(t *testing.T) {
	l := (&scriptedLauncher{}).then(launch.Status{}, errAway)
	h := launch.Handle{Kind: launch.KindProcess, Launch: "run.i1"}
	j := launch.Follow(t.Context(), l, h, 0, func(string) {})
	defer j.LetGo()
	<-j.Ended
	if !errors.Is(j.Lost, launch.ErrUnreachable) {
		t.Fatalf("lost: %v, want that nobody answers", j.Lost)
	}
	tr := &training{record: &record{Job: &h}, adapter: &adapter{config: config{Placement: launch.Placement{AbsenceTimeout: "10m"}}}, job: j, steps: &steps{done: 4, metrics: &tail{path: t.TempDir() + "/none"}}}
	_, err := tr.conclude(t.Context())
	var crashed *crash
	if err == nil || errors.As(err, &crashed) || !strings.Contains(err.Error(), "after step 4") || !strings.Contains(err.Error(), "resume the run") {
		t.Errorf("%v; want a text that says how to go on, and no crash: another trainer must not be started", err)
	}
	if l.stops != 0 {
		t.Error("the job was stopped, although it may go on")
	}
}
