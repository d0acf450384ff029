package result

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

func TestShow_SumsWhatServedModelsCost(t *testing.T) {
	curves := map[string][]float64{
		"train/members/react.helper/cost_usd": {0.25, 0.5}, "train/members/react.judge/cost_usd": {0.01},
		"train/members/react.helper/output_tokens": {7, 8}, "train/reward": {1},
	}
	const want = "$0.7600 in training (react.helper $0.7500, react.judge $0.0100)"
	if got := costText(curves); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := costText(map[string][]float64{"train/reward": {1}}); got != "" {
		t.Errorf("nothing costs %q", got)
	}
}

// A framework reports more than a hundred metrics, including timings. The run's objectives must be at the top.
func TestShow_RewardAndSuccessComeFirstAndEveryRowFits(t *testing.T) {
	curves := map[string][]float64{}
	names := []string{
		"actor/entropy", "actor/pg_loss", "actor/perf/cpu_memory_used_gb", "critic/advantages/mean", "perf/throughput",
		"timing_s/update_actor", "train/reward", "train/success_rate", "train/failed",
		"train/components/reward.calculator.shape.answer",
		"validation/reward", "validation/success_rate", "response_length_non_aborted/clip_ratio_of_everything_that_there_is",
	}
	for i, name := range names {
		for step := range 40 {
			curves[name] = append(curves[name], 1e-6*float64(i+1)+float64(step%7)/3)
		}
	}
	curves["train/failed"] = make([]float64, 40)

	rows := func(table text.Table) (names []string) {
		for _, row := range table.Rows {
			names = append(names, row[0])
		}
		return names
	}
	few, hidden := curvesTable(curves, false, 100)
	want := []string{
		"train/reward", "train/success_rate", "validation/reward", "validation/success_rate", "actor/pg_loss",
		"actor/entropy",
	}
	if got := rows(few); !slices.Equal(got, want) || hidden != len(names)-len(want) {
		t.Errorf("without --all: %q and %d hidden, want %q", got, hidden, want)
	}
	for _, width := range []int{0, 80, 100} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			all, hidden := curvesTable(curves, true, width)
			got := rows(all)
			last := got[len(got)-1]
			if hidden != 0 || len(got) != len(names) || !slices.Equal(got[:6], want) || last != "timing_s/update_actor" {
				t.Errorf("with --all: %d hidden, order %q", hidden, got)
			}
			page := max(width, 80)
			if width == 0 {
				page = pageWidth
			}
			for _, line := range all.Lines(width, text.Plain()) {
				if text.Width(line) > page {
					t.Errorf("%d columns: %s", text.Width(line), line)
				}
				cells := strings.Fields(line)
				if width == 100 && cells[0] != "METRIC" && text.Width(cells[len(cells)-1]) < leastCurve {
					t.Errorf("no curve is left: %s", line)
				}
			}
		})
	}
}

func TestRuns_StepsThatAreDoneAndNotCommitted(t *testing.T) {
	for _, tc := range []struct {
		step, done    int
		status        runstore.Status
		column, shown string
	}{
		{-1, 0, runstore.StatusRunning, "-", "-"},
		{-1, 3, runstore.StatusRunning, "3", "3, none committed yet"},
		{-1, 1, runstore.StatusStopped, "1", "1, none committed yet"},
		{5, 8, runstore.StatusInterrupted, "8", "8, committed up to 5"},
		{5, 5, runstore.StatusFinished, "5", "5"},
	} {
		s := runstore.Summary{Status: tc.status, Step: tc.step, Done: tc.done}
		if got := doneText(s); got != tc.column {
			t.Errorf("runs: %q, want %q", got, tc.column)
		}
		if got := doneOf(s); got != tc.shown {
			t.Errorf("show: %q, want %q", got, tc.shown)
		}
	}
}

// Next does not suggest resuming a run that cannot be resumed.
func TestNext_OfARunThatIsOver(t *testing.T) {
	failed := runstore.Summary{
		Status: runstore.StatusFailed, Finish: &runstore.FinishRecord{Final: true}, Checkpoint: "step-000005",
	}
	if got := Next(failed); got != "" {
		t.Errorf("it says %q", got)
	}
	failed.Finish.Final = false
	if got := Next(failed); got == "" {
		t.Error("it does not report that the run can be resumed")
	}
}

// A run whose host was killed is not reported as running while its plugins are still exiting.
func TestStatusText_OfARunWithoutItsHost(t *testing.T) {
	r := runstore.Summary{Status: runstore.StatusRunning, Owner: &runstore.Owner{}}
	if got := statusText(r); got != "interrupted, still held" {
		t.Errorf("it says %q", got)
	}
	if got := Next(r); !strings.Contains(got, "awhost stop") || strings.Contains(got, "attach") {
		t.Errorf("next is %q", got)
	}
	r.OwnerAlive = true
	if got := statusText(r); got != "running" {
		t.Errorf("of a live host it says %q", got)
	}
}
