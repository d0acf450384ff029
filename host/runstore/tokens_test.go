package runstore

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/host/journal"
)

// The recorded tokens are the reported ones, within the limits.
func TestAppendTokens_IsBounded(t *testing.T) {
	_, w := launched(t)
	nan := float32(math.NaN())
	long := make([]int32, mostTokens+5)
	rows := []TokensRecord{
		{LaunchID: "l1", EpisodeID: "e1", Step: 1, Chain: "c", IDs: []int32{1, 2, 3},
			Texts: []string{"a", "é", strings.Repeat("x", 5000)}, Trained: []bool{false, true, true},
			SamplerLogprobs: Column{nan, -0.5, -1e-7}, TrainerLogprobs: Column{nan, -0.25, 0},
			Advantages: Column{nan, 1, -1}},
		{LaunchID: "l1", EpisodeID: "e2", Step: 1, IDs: long, Trained: make([]bool, len(long)), Advantages: Column{1}},
	}
	left, err := w.AppendTokens(t.Context(), rows)
	if err != nil || left != 0 {
		t.Fatalf("%d left out, %v", left, err)
	}
	var many []TokensRecord
	for i := range mostTokenRows {
		many = append(many, TokensRecord{LaunchID: "l1", EpisodeID: fmt.Sprint("m", i), Step: 1, IDs: []int32{1}})
	}
	if left, err = w.AppendTokens(t.Context(), many); err != nil || left != 2 {
		t.Errorf("%d left out of step 1, want 2; %v", left, err)
	}
	later := []TokensRecord{{LaunchID: "l1", EpisodeID: "later", Step: 2, IDs: []int32{1}}}
	if left, err = w.AppendTokens(t.Context(), later); err != nil || left != 0 {
		t.Errorf("%d left out of step 2, %v", left, err)
	}
	if err := w.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	var kept []TokensRecord
	for record, err := range w.Records(journal.Position{}, TypeTokens) {
		if err != nil {
			t.Fatal(err)
		}
		row, err := Decode[TokensRecord](record)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, row)
	}
	if len(kept) != mostTokenRows+1 {
		t.Fatalf("%d rows are kept", len(kept))
	}
	rows[0].Texts[2], rows[0].Total = rows[0].Texts[2][:mostTokenText], 3
	if diff := cmp.Diff(rows[0], kept[0], cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if r := kept[1]; len(r.IDs) != mostTokens || len(r.Trained) != mostTokens || r.Advantages != nil ||
		r.Total != len(long) {
		t.Errorf("%d of %d tokens, %d flags, %d advantages", len(r.IDs), r.Total, len(r.Trained), len(r.Advantages))
	}
}
