package runstore

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// listener copies a Follower's updates, like a tracker.
type listener struct {
	follower  *Follower
	rows      []StepRow
	voids     []int
	committed int
}

func (l *listener) read(t *testing.T) {
	t.Helper()
	err := l.follower.Read(t.Context(), func(n Update) error {
		switch {
		case n.Row != nil:
			l.rows = append(l.rows, *n.Row)
		case n.Void != nil:
			l.voids = append(l.voids, *n.Void)
			l.rows = slices.DeleteFunc(l.rows, func(r StepRow) bool { return r.Step >= *n.Void })
		case n.Committed != nil:
			l.committed = *n.Committed
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tells compares a listener's rows with the metrics of the run from a step on.
func (l *listener) tells(t *testing.T, run *Run, from int) {
	t.Helper()
	var want, got []MetricRow
	for row, err := range run.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		if row.Step >= from {
			want = append(want, row)
		}
	}
	for _, row := range l.rows {
		got = append(got, row.MetricRow)
	}
	if len(want) == 0 {
		t.Fatal("the run has no metrics")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics of the run (-want) and of the follower (+got):\n%s", diff)
	}
}

// followedStep records a step: its episodes, their use, its numbers.
func followedStep(t *testing.T, w *Writer, n int, reward float64) {
	t.Helper()
	step(t, w, n, train(t, w, n))
	if n%everyPass == 0 {
		if _, err := runEpisodes(t.Context(), w, "l1", sdk.SplitValidation, n, perPass); err != nil {
			t.Fatal(err)
		}
		pass := ValidationRecord{LaunchID: "l1", Stage: "full", Step: n}
		if err := w.AppendValidation(t.Context(), pass); err != nil {
			t.Fatal(err)
		}
	}
	metrics(t, w, n, 0, Numbers{"train/reward": reward})
}

func TestFollow_TellsEachNumberOfARunThatIsKilledOnce(t *testing.T) {
	s, w := launched(t)
	live := &listener{follower: w.Follow(0)}
	for n := 1; n <= 2; n++ {
		followedStep(t, w, n, float64(n))
		live.read(t)
		commit(t, w, n)
		live.read(t)
		if live.committed != n {
			t.Errorf("after the commit of step %d what stays ends at %d", n, live.committed)
		}
	}
	followedStep(t, w, 3, 99) // and the host is killed
	live.read(t)
	if n := len(live.rows); n != 3 || live.rows[2].Values["train/reward"] != 99 {
		t.Errorf("an uncommitted step is missing: %+v", live.rows)
	}
	w = again(t, s, w)
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 3})
	for n := 3; n <= 4; n++ {
		followedStep(t, w, n, float64(n))
		live.read(t)
		commit(t, w, n)
	}
	live.read(t)
	live.tells(t, w.Run, 0)
	if diff := cmp.Diff([]int{3}, live.voids); diff != "" {
		t.Errorf("steps from which on nothing counted (-want +got):\n%s", diff)
	}
	for _, row := range live.rows {
		validated := map[bool]int{true: perPass}[row.Step%everyPass == 0]
		if len(row.Used) != 2 || len(row.Validated) != validated {
			t.Errorf("step %d: %d episodes used and %d validated, not 2 and %d",
				row.Step, len(row.Used), len(row.Validated), validated)
		}
	}
	whole, err := live.follower.Episode(live.rows[2].Used[1])
	if err != nil || whole.EpisodeID != live.rows[2].Used[1].EpisodeID || len(whole.Transcripts) == 0 {
		t.Errorf("the record of an episode: %+v, %v", whole, err)
	}
	for _, from := range []int{0, 2, 4} {
		late := &listener{follower: w.Follow(from)}
		late.read(t)
		late.tells(t, w.Run, from)
		if len(late.voids) > 0 {
			t.Errorf("from step %d: a reader that saw nothing of it receives events that do not count: %v", from, late.voids)
		}
	}
	closeRun(t, w)
}

// A trainer that outlives its host may repeat a number that was already reported.
func TestFollow_TellsOnceWhatATrainerThatWasTakenUpRepeats(t *testing.T) {
	s, w := launched(t)
	live := &listener{follower: w.Follow(0)}
	followedStep(t, w, 1, 1)
	commit(t, w, 1)
	followedStep(t, w, 2, 2)
	live.read(t)
	w = again(t, s, w)
	start(t, w, LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 2, Reattached: true})
	live.read(t)
	metrics(t, w, 2, 0, Numbers{"train/reward": 2, "train/loss": 7})
	commit(t, w, 2)
	live.read(t)
	live.tells(t, w.Run, 0)
	if len(live.voids) > 0 {
		t.Errorf("what was told does not count any more: %v", live.voids)
	}
	closeRun(t, w)
}

func TestFollow_GivesUpWhenItsReaderDoes(t *testing.T) {
	_, w := launched(t)
	followedStep(t, w, 1, 1)
	full := errors.New("no room")
	if err := w.Follow(0).Read(t.Context(), func(Update) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	closeRun(t, w)
}

// A long run is not read from its beginning, and has the same numbers.
func TestFollow_FromALateStepOfALongRun(t *testing.T) {
	_, w := launched(t)
	const last = OpenWindow + 20
	for n := 1; n <= last; n++ {
		metrics(t, w, n, 0, Numbers{"train/reward": float64(n)})
		if n%10 == 0 {
			commit(t, w, n)
		}
	}
	late := &listener{follower: w.Follow(last - 5)}
	late.read(t)
	late.tells(t, w.Run, last-5)
	closeRun(t, w)
}
