package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
)

func items(n int) sdk.ScoreRequest { return sdk.ScoreRequest{Items: make([]sdk.ScoreItem, n)} }

// NaN must become a failure of its item, never a number, and the others must keep their numbers.
func TestReward_NumbersAreFinite(t *testing.T) {
	yes := true
	r := serveReward(t, func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
		return &sdk.ScoreResponse{Items: []sdk.Scored{
			{Score: 0.5, Components: map[string]float64{"exact": 1}, IsSuccess: &yes},
			{Score: math.NaN()},
			{Score: 1, Components: map[string]float64{"form": math.Inf(-1)}},
			{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "the judge is unavailable", Retryable: true}},
			{Score: math.NaN(), Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "no number"}},
			{},
		}}, nil
	}, sdk.RewardCapabilities{})
	out, err := r.Score(t.Context(), items(6))
	if err != nil {
		t.Fatal(err)
	}
	failed := func(detail string) sdk.Scored {
		return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: detail}}
	}
	want := []sdk.Scored{
		{Score: 0.5, Components: map[string]float64{"exact": 1}, IsSuccess: &yes},
		failed("score is NaN: a number of the protocol must be finite"),
		failed("component form is -Inf: a number of the protocol must be finite"),
		{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "the judge is unavailable", Retryable: true}},
		failed("no number"),
		{},
	}
	if diff := cmp.Diff(want, out.Items); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Notes must not fill a disk, and must always be valid text.
func TestReward_NotesAreBounded(t *testing.T) {
	long := map[string]string{"a": "7\xff", "b": strings.Repeat("é", sdk.MaxNoteBytes)}
	for n := range 2 * sdk.MaxNotes {
		long[fmt.Sprintf("n%02d", n)] = "x"
	}
	r := serveReward(t, func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
		return &sdk.ScoreResponse{Items: []sdk.Scored{
			{Score: 1, Notes: long}, {Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: "no money", StopRun: true}},
		}}, nil
	}, sdk.RewardCapabilities{})
	out, err := r.Score(t.Context(), items(2))
	if err != nil {
		t.Fatal(err)
	}
	notes := out.Items[0].Notes
	if len(notes) != sdk.MaxNotes || notes["a"] != "7\uFFFD" || notes["n29"] != "x" || notes["n30"] != "" {
		t.Errorf("%d notes are kept: %q", len(notes), notes)
	}
	if cut := notes["b"]; len(cut) > sdk.MaxNoteBytes || !strings.HasSuffix(cut, "é…") {
		t.Errorf("a long note has %d bytes and ends in %q", len(cut), cut[len(cut)-6:])
	}
	if failure := out.Items[1].Failure; failure == nil || !failure.StopRun {
		t.Errorf("a failure that stops the run arrives as %+v", failure)
	}
}

func TestReward_FailsTheCall(t *testing.T) {
	for name, test := range map[string]struct {
		reward rewardFunc
		code   codes.Code
		want   string
	}{
		"too few answers": {func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			return &sdk.ScoreResponse{Items: make([]sdk.Scored, 1)}, nil
		}, codes.Internal, "1 results for 2 items"},
		"too many answers": {func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			return &sdk.ScoreResponse{Items: make([]sdk.Scored, 3)}, nil
		}, codes.Internal, "3 results for 2 items"},
		"no answer": {func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) { return nil, nil }, codes.Internal,
			"Score panicked"},
		"a metric that is not a number": {func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			return &sdk.ScoreResponse{Items: make([]sdk.Scored, 2), Metrics: map[string]float64{"cost": math.NaN()}}, nil
		}, codes.Internal, "metric cost is NaN"},
		"an error": {func(context.Context, sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
			return nil, errors.New("the judge is unavailable")
		}, codes.Unknown, "the judge is unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serveReward(t, test.reward, sdk.RewardCapabilities{}).Score(t.Context(), items(2))
			if status.Code(err) != test.code || !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %s with %q, got %v", test.code, test.want, err)
			}
		})
	}
}

func TestReward_WithholdsThePrivatePart(t *testing.T) {
	for name, needs := range map[string][]sdk.Need{"without need": nil,
		"with need": {sdk.NeedTranscript, sdk.NeedGroundTruth}} {
		t.Run(name, func(t *testing.T) {
			var got sdk.Task
			r := serveReward(t, func(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
				got = req.Items[0].Task
				return &sdk.ScoreResponse{Items: make([]sdk.Scored, 1)}, nil
			}, sdk.RewardCapabilities{Needs: needs})
			if _, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{{Task: task()}}}); err != nil {
				t.Fatal(err)
			}
			want := task()
			if needs == nil {
				want.Private = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
