package runstore

import (
	"context"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal"
)

// An index passes reduced records to readers, which must have the same results as with the journal.
func TestReducedRecordsSayTheSame(t *testing.T) {
	ctx := context.Background()
	s := onDisk(emptyDisk(t))
	if err := drive(ctx, s, func(int) {}); err != nil {
		t.Fatal(err)
	}
	run, err := s.Open("")
	if err != nil {
		t.Fatal(err)
	}
	var kept []Record
	for record, err := range run.Records(journal.Position{}) {
		if err != nil {
			t.Fatal(err)
		}
		if record, err = record.Reduced(); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, record)
	}
	over := run.WithSource(sourceOf(kept))

	was, err := run.Summary()
	if err != nil {
		t.Fatal(err)
	}
	is, err := over.Summary()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(was, is); diff != "" {
		t.Errorf("the summary differs: %s", diff)
	}
	if diff := cmp.Diff(rowsOf(t, run), rowsOf(t, over)); diff != "" {
		t.Errorf("the metrics differ: %s", diff)
	}
	ledger := run.NewLedger()
	for _, record := range kept {
		if err := ledger.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	standings, err := ledger.Standings()
	if err != nil {
		t.Fatal(err)
	}
	episodes := 0
	for e, err := range run.Episodes(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		again := e
		again.Standing, again.Use, again.Step = "", "", 0
		standings.Judge(&again)
		if diff := cmp.Diff(e, again); diff != "" {
			t.Errorf("episode %s differs: %s", e.EpisodeID, diff)
		}
		episodes++
	}
	if want := lastStep*perStep + lastStep/everyPass*perPass; episodes < want {
		t.Errorf("%d episodes, want %d or more", episodes, want)
	}
}

func rowsOf(t *testing.T, run *Run) (rows []MetricRow) {
	t.Helper()
	for row, err := range run.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// sourceOf returns a source that yields the records like the journal.
func sourceOf(records []Record) Source {
	return func(from journal.Position, types ...Type) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			for _, r := range records {
				if r.Seq > from.Seq && (len(types) == 0 || slices.Contains(types, r.Type)) && !yield(r, nil) {
					return
				}
			}
		}
	}
}
