package runstore

import (
	"testing"

	"github.com/awhost/awhost/sdk"
)

// endsDuringRead is a lock whose run ends exactly when it is read.
type endsDuringRead struct {
	locker
	end func()
}

func (l *endsDuringRead) held(path string) (bool, error) {
	if end := l.end; end != nil {
		l.end = nil
		end()
	}
	return l.locker.held(path)
}

func TestSummary_RunThatEndsMeanwhileIsNotInterrupted(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	s.lock = &endsDuringRead{s.lock, func() {
		if err := w.Finish(t.Context(), FinishRecord{Outcome: StatusStopped}); err != nil {
			t.Error(err)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}}
	summary, err := newest(t, s).Summary()
	if err != nil || summary.Status == StatusInterrupted {
		t.Errorf("%s, %v", summary.Status, err)
	}
}

// A trainer that commits every fifth step has completed the other steps, too. They are lost with it.
func TestSummary_StepsAreDoneBeforeTheyAreCommitted(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	defer closeRun(t, w)
	expect := func(done, committed int) {
		t.Helper()
		summary, err := newest(t, s).Summary()
		if err != nil || summary.Done != done || summary.Step != committed {
			t.Errorf("%d steps done and %d committed, want %d and %d: %v", summary.Done, summary.Step, done, committed, err)
		}
	}
	do := func(launch string, steps ...int) {
		t.Helper()
		if err := w.AppendLaunch(t.Context(), LaunchRecord{LaunchID: launch, Stage: "full",
			FirstStep: steps[0]}); err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			used, err := runEpisodes(t.Context(), w, launch, sdk.SplitTrain, step, perStep)
			if err == nil {
				err = w.AppendStep(t.Context(), StepRecord{LaunchID: launch, Stage: "full", Step: step, Consumed: used})
			}
			if err == nil {
				err = w.Sync(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	expect(0, -1)
	do("launch-1", 1, 2, 3)
	expect(3, -1)
	do("launch-2", 1)
	expect(1, -1)
	if err := commitStep(t.Context(), w, 1, Numbers{}); err != nil {
		t.Fatal(err)
	}
	expect(1, 1)
	do("launch-3", 2, 3)
	expect(3, 1)
}
