package result

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
)

const ms = time.Millisecond

func drawn(t *testing.T, e runstore.EpisodeRecord) (lines []string, are string) {
	t.Helper()
	spans, are := SpansOf(&e)
	var out strings.Builder
	showSpans(text.NewPrinter(&out, text.Terminal{Styles: text.Plain(), Width: 100}), spans)
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines, are
}

// The time of a retry, in which no call was active, is drawn at its position. Short spans are merged into one line.
func TestSpansOf(t *testing.T) {
	e := runstore.EpisodeRecord{
		Timings: runstore.Timings{
			QueueMillis: 100, ModelMillis: 400, EnvironmentMillis: 100, RewardMillis: 100, HostMillis: 301,
		},
		Spans: runstore.PackSpans([]runstore.Span{
			{Part: 0, Took: 100 * ms},
			{Part: 1, At: 100 * ms, Took: 200 * ms, Attempt: 1},
			{Part: 1, At: 600 * ms, Took: 200 * ms, Turn: 1, Name: "react.planner"},
			{Part: 2, At: 800 * ms, Took: 100 * ms, Turn: 1, Name: "add, mul"},
			{Part: 3, At: 901 * ms, Took: 100 * ms, Name: "math.answer"},
		}),
	}
	got, are := drawn(t, e)
	want := []string{
		"where 1002 ms went",
		"  queue     ███                                        100.0 ms  waits for a slot",
		"  model        ████████                                200.0 ms  message (attempt 1)",
		"  host                 ████████████                    300.0 ms  awhost",
		"  model                            ████████            200.0 ms  turn 1: message of react.planner",
		"  tool                                     ████        100.0 ms  turn 1: add, mul",
		"  reward                                       ████    100.0 ms  reward: math.answer",
		"  host                                             █   1.000 ms  awhost, between these",
	}
	if diff := cmp.Diff(want, got); diff != "" || are != timesAreSpans {
		t.Error(are, diff)
	}
}

// Records of earlier versions contain sums, which are drawn one after the other.
func TestSpansOf_Sums(t *testing.T) {
	got, are := drawn(t, runstore.EpisodeRecord{Timings: runstore.Timings{QueueMillis: 10, HostMillis: 30}})
	want := []string{
		"where 40.00 ms went",
		"  queue     ██████████                                 10.00 ms  waits for a slot",
		"  host                ██████████████████████████████   30.00 ms  awhost",
	}
	if diff := cmp.Diff(want, got); diff != "" || are != timesAreSums {
		t.Error(are, diff)
	}
}
