package areal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/stage"
)

func scored(id string, reward float64) *sdk.EpisodeResult {
	return &sdk.EpisodeResult{EpisodeID: id, Outcome: sdk.OutcomeScored, Reward: &reward, Chains: []sdk.ChainResult{{Chain: id, Train: true}}}
}

func failed(id string) *sdk.EpisodeResult {
	return &sdk.EpisodeResult{
		EpisodeID: id, Outcome: sdk.OutcomeFailed, Masked: true, Failure: &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the desk is on fire"},
	}
}

// played is one episode of a test, with what the driver says of its group.
func request(group, slot int) sdk.EpisodeRequest {
	return sdk.EpisodeRequest{
		EpisodeID: fmt.Sprintf("d%d/s%d", group, slot), GroupID: fmt.Sprintf("d%d", group), DatasetIndex: group, SampleIndex: slot, Split: sdk.SplitTrain,
	}
}

// used is what a step reports, when that is on record.
func used(u *uses, named ...sdk.ConsumedEpisode) []sdk.ConsumedEpisode {
	listed, done := u.take(named)
	done()
	return listed
}

func TestUses(t *testing.T) {
	u := newUses(&record{GroupSize: 2})
	add := func(group, slot int, make func(string) *sdk.EpisodeResult) {
		req := request(group, slot)
		u.add(noteOf(req, make(req.EpisodeID)))
	}
	good := func(id string) *sdk.EpisodeResult { return scored(id, 1) }
	dropped := func(id string) *sdk.EpisodeResult {
		r := failed(id)
		r.Masked, r.DropGroup = false, true
		return r
	}
	add(1, 1, failed) // masked in a group that is trained
	add(1, 0, good)
	add(2, 0, failed) // a group of which nothing is left
	add(2, 1, failed)
	add(3, 0, good) // for a later step
	add(4, 0, good) // not over yet
	add(3, 1, good)
	add(5, 0, dropped)
	add(5, 1, func(id string) *sdk.EpisodeResult { r := good(id); r.DropGroup = true; return r })    // the host marks all of the group
	named := []sdk.ConsumedEpisode{{EpisodeID: "d1/s0"}, {EpisodeID: "d1/s1"}, {EpisodeID: "d9/s0"}} // d9: the host never ran it
	want := []sdk.ConsumedEpisode{
		{EpisodeID: "d1/s0", Use: sdk.ConsumedTrained}, {EpisodeID: "d1/s1", Use: sdk.ConsumedMasked},
		{EpisodeID: "d2/s0", Use: sdk.ConsumedFiltered}, {EpisodeID: "d2/s1", Use: sdk.ConsumedFiltered},
		{EpisodeID: "d5/s0", Use: sdk.ConsumedFiltered}, {EpisodeID: "d5/s1", Use: sdk.ConsumedFiltered},
	}
	if diff := cmp.Diff(want, used(u, named...)); diff != "" {
		t.Errorf("first step (-want +got):\n%s", diff)
	}
	want = []sdk.ConsumedEpisode{{EpisodeID: "d3/s0", Use: sdk.ConsumedTrained}, {EpisodeID: "d3/s1", Use: sdk.ConsumedTrained}}
	if diff := cmp.Diff(want, used(u, sdk.ConsumedEpisode{EpisodeID: "d3/s0"})); diff != "" {
		t.Errorf("second step, each episode once (-want +got):\n%s", diff)
	}
}

func TestUses_FilteredGroups(t *testing.T) {
	u := newUses(&record{GroupSize: 2, Filters: true})
	for slot := range 2 {
		u.add(noteOf(request(1, slot), scored(request(1, slot).EpisodeID, 0.5)))
		u.add(noteOf(request(2, slot), scored(request(2, slot).EpisodeID, float64(slot))))
	}
	want := []sdk.ConsumedEpisode{{EpisodeID: "d1/s0", Use: sdk.ConsumedFiltered}, {EpisodeID: "d1/s1", Use: sdk.ConsumedFiltered}}
	if diff := cmp.Diff(want, used(u)); diff != "" {
		t.Errorf("a group of equal rewards is left out by AReaL's filter, one of different rewards is not (-want +got):\n%s", diff)
	}
}

func TestBreaker_TripsOnceAndOnlyWithoutAnyReward(t *testing.T) {
	b := newBreaker(&record{Prompts: 2, GroupSize: 2})
	for i := range fewest - 1 {
		if why := b.count(failed(fmt.Sprint("e", i))); why != "" {
			t.Fatalf("tripped after %d episodes: %s", i+1, why)
		}
	}
	b.count(scored("good", 0))
	for range fewest - 1 {
		b.count(failed("later"))
	}
	if b.tripped() {
		t.Fatal("an episode with a reward in between does not count as a failure")
	}
	b.count(&sdk.EpisodeResult{Outcome: sdk.OutcomeCancelled})
	if b.tripped() {
		t.Fatal("a cancelled episode counts as a failure")
	}
	why := b.count(failed("last"))
	if !strings.Contains(why, "32 episodes in a row have no reward") || !strings.Contains(why, "episode later, ENVIRONMENT: the desk is on fire") {
		t.Errorf("the reason is %q", why)
	}
	if again := b.count(failed("more")); again != "" || !b.tripped() {
		t.Errorf("it trips again: %q", again)
	}
}

// A group that is dropped is one that AReaL cannot use, whatever its other samples are worth.
func TestBreaker_ASampleOfADroppedGroupIsNoSuccess(t *testing.T) {
	b := newBreaker(&record{Prompts: 2, GroupSize: 2})
	why := ""
	for i := range fewest {
		sibling, culprit := scored("sibling", 1), failed("culprit")
		sibling.DropGroup, culprit.DropGroup = true, true
		if i%2 == 0 {
			why = b.count(sibling)
		} else {
			why = b.count(culprit)
		}
	}
	if !strings.Contains(why, "episode culprit, ENVIRONMENT") {
		t.Errorf("the reason is %q", why)
	}
	if got := useOf(&sdk.EpisodeResult{Outcome: sdk.OutcomeScored, Reward: new(float64), DropGroup: true, Chains: []sdk.ChainResult{{Train: true}}}); got != sdk.ConsumedFiltered {
		t.Errorf("it became %s", got)
	}
}

func TestBreaker_InASmokeRunCountsAllOfAStep(t *testing.T) {
	b := newBreaker(&record{Prompts: 2, GroupSize: 4, Record: stage.Record{Request: sdk.TrainRequest{Smoke: true}}})
	for i := range fewest - 1 {
		b.count(scored("by the script", 0))
		if why := b.count(failed(fmt.Sprint("e", i))); why != "" {
			t.Fatalf("tripped after %d episodes: %s", i+1, why)
		}
	}
	b.reset()
	for range fewest - 1 {
		b.count(failed("of the next step"))
	}
	b.count(scored("by the script", 0))
	if why := b.count(failed("last")); !strings.Contains(why, "32 episodes of one step") {
		t.Errorf("the reason is %q", why)
	}
}

// common returns the shared part of a record.
func common(req sdk.TrainRequest) stage.Record { return stage.Record{Request: req} }

// relayOf is a relay with a folder of its own. What it emits goes to emit, which may be nil.
func relayOf(t *testing.T, r *record, host sdk.Host, emit func(sdk.TrainEvent)) *relay {
	t.Helper()
	out := newRelay(r, folder(t.TempDir()), host, func(e sdk.TrainEvent) error {
		if emit != nil {
			emit(e)
		}
		return nil
	})
	out.Stop = func(stage.Ending) {}
	return out
}

// busyHost has episodes that end when nobody waits for them.
type busyHost struct {
	sdk.Host
	cancelled []string
}

func (h *busyHost) RunEpisode(ctx context.Context, _ sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (h *busyHost) CancelEpisode(_ context.Context, id, _ string) error {
	h.cancelled = append(h.cancelled, id)
	return nil
}

// scoringHost gives every episode a reward.
type scoringHost struct{ sdk.Host }

func (scoringHost) RunEpisode(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return scored(req.EpisodeID, 1), nil
}

// A worker tells the tokens of an episode where the spec wants them, and the host hears of them before the step that
// trains it is reported.
func TestRelay_TellsTokensAtTheirStep(t *testing.T) {
	var said []string
	known := &record{Prompts: 1, GroupSize: 1, Tokens: 2, Record: stage.Record{Request: sdk.TrainRequest{FirstStep: 1}}}
	r := relayOf(t, known, scoringHost{}, func(e sdk.TrainEvent) {
		if e.Tokens != nil {
			said = append(said, fmt.Sprintf("tokens %d of %s", e.Tokens.Step, e.Tokens.Rows[0].EpisodeID))
		} else {
			said = append(said, fmt.Sprintf("consumed %d %v", e.Consumed.Step, e.Consumed.Episodes))
		}
	})
	for step := 1; step <= 2; step++ {
		req := request(step, 0)
		req.GroupSize, req.Step = 1, step
		result, err := r.RunEpisode(t.Context(), bridge.Worker{}, req)
		if err != nil {
			t.Fatal(err)
		}
		if wanted := result.Metrics["awhost/tokens"] == 1; wanted != (step == 2) {
			t.Errorf("step %d: tokens are wanted: %t", step, wanted)
		}
		told := sdk.TrainEvent{Tokens: &sdk.TokensEvent{Rows: []sdk.TokensRow{{EpisodeID: req.EpisodeID, IDs: []int32{1}}}}}
		if err := r.Event(t.Context(), bridge.Worker{Role: "rollout"}, told); err != nil {
			t.Fatal(err)
		}
		consumed := []sdk.ConsumedEpisode{{EpisodeID: req.EpisodeID, Use: sdk.ConsumedTrained}}
		reported := sdk.TrainEvent{Seq: uint64(step), Consumed: &sdk.ConsumedEvent{Step: step, Episodes: consumed}}
		if err := r.Event(t.Context(), bridge.Worker{Role: roleTrainer}, reported); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"consumed 1 [{d1/s0 TRAINED}]", "tokens 2 of d2/s0", "consumed 2 [{d2/s0 TRAINED}]"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRelay_CancelsWhatAWorkerLeavesBehind(t *testing.T) {
	for name, test := range map[string]struct {
		cause error
		want  []string
	}{
		"the worker is gone":        {bridge.ErrGone, []string{"d1/s0"}},
		"the worker cancels":        {&bridge.Cancelled{}, []string{"d1/s0"}},
		"this adapter itself stops": {context.Canceled, nil}, // the host knows
	} {
		t.Run(name, func(t *testing.T) {
			host := &busyHost{}
			r := relayOf(t, &record{Prompts: 1, GroupSize: 2}, host, nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(test.cause)
			if _, err := r.RunEpisode(ctx, bridge.Worker{}, request(1, 0)); err == nil {
				t.Error("an episode that nobody waited for has a result")
			}
			if diff := cmp.Diff(test.want, host.cancelled); diff != "" {
				t.Errorf("cancelled (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMetrics_NamesAndTheGap(t *testing.T) {
	got := named(map[string]float64{
		"ppo_actor/update/grad_norm": 2, "ppo_actor/update/behave_approx_kl/max": 3e-6, "ppo_actor/update/behave_approx_kl/min": -5e-6, "timeperf/rollout": 7, "something/else": 1,
	})
	want := map[string]float64{"train/grad_norm": 2, "train/rollout_seconds": 7, "train/logprob_gap": 5e-6}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	for name := range got {
		if !slices.Contains(metricNames, name) {
			t.Errorf("%s is reported and not declared", name)
		}
	}
}

// The driver repeats what it hears an error of. What is not on disk is not taken for known then, and says of the episodes what it said.
func TestRelay_WhatIsNotOnDiskIsSaidAgain(t *testing.T) {
	var emitted []sdk.TrainEvent
	r := relayOf(t, &record{Prompts: 1, GroupSize: 2}, &listener{}, func(e sdk.TrainEvent) { emitted = append(emitted, e) })
	for slot := range 2 {
		req := request(1, slot)
		req.Step = 1
		if _, err := r.RunEpisode(t.Context(), rollout, req); err != nil {
			t.Fatal(err)
		}
	}
	say := func() error {
		return r.Event(t.Context(), bridge.Worker{Role: roleTrainer}, sdk.TrainEvent{
			Seq: 1, Consumed: &sdk.ConsumedEvent{Step: 1, Episodes: []sdk.ConsumedEpisode{{EpisodeID: "d1/s0"}}},
		})
	}
	if err := os.Mkdir(r.dir.path("events.jsonl"), 0o755); err != nil { // in the way
		t.Fatal(err)
	}
	if err := say(); err == nil || len(emitted) != 0 {
		t.Fatalf("it cannot be written, and the answer is %v; the host hears %v", err, emitted)
	}
	if err := os.Remove(r.dir.path("events.jsonl")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is known
		if err := say(); err != nil {
			t.Fatal(err)
		}
	}
	want := []sdk.TrainEvent{{Consumed: &sdk.ConsumedEvent{Step: 1, Episodes: []sdk.ConsumedEpisode{
		{EpisodeID: "d1/s0", Use: sdk.ConsumedTrained}, {EpisodeID: "d1/s1", Use: sdk.ConsumedTrained},
	}}}}
	if diff := cmp.Diff(want, emitted); diff != "" {
		t.Errorf("the host hears (-want +got):\n%s", diff)
	}
	if len(r.uses.groups) != 0 || len(r.uses.known) != 0 {
		t.Errorf("it keeps %v, %v", r.uses.groups, r.uses.known)
	}
}

// What cannot be kept is no answer: neither a worker nor the driver hears of it, and both are served when there is space again.
func TestRelay_AFullDiskIsNoAnswer(t *testing.T) {
	r := relayOf(t, &record{Prompts: 1, GroupSize: 2}, &listener{}, nil)
	if err := os.Symlink("/dev/full", r.Notes()); err != nil {
		t.Fatal(err)
	}
	req, filled := request(1, 0), request(1, 1)
	filled.Step = 1
	calls := map[string]func() error{
		"an episode that is asked for": func() error { _, err := r.RunEpisode(t.Context(), rollout, req); return err },
		"an episode that is over":      func() error { _, err := r.RunEpisode(t.Context(), rollout, filled); return err },
		"a boundary": func() error {
			_, err := r.Boundary(t.Context(), bridge.Worker{Role: roleTrainer}, sdk.StepBoundaryRequest{Step: 1})
			return err
		},
	}
	for what, call := range calls {
		err := call()
		if !errors.Is(err, sdk.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) || r.Keeper.Trouble() == nil {
			t.Errorf("%s: %v, want an error because the disk is full; the trouble is %v", what, err, r.Keeper.Trouble())
		}
	}
	if len(r.uses.known) != 0 {
		t.Errorf("episodes count that are not on disk: %v", r.uses.known)
	}
	if err := os.Remove(r.Notes()); err != nil {
		t.Fatal(err)
	}
	for what, call := range calls {
		if err := call(); err != nil || r.Keeper.Trouble() != nil {
			t.Errorf("with space again, %s: %v, %v", what, err, r.Keeper.Trouble())
		}
	}
}

// A group is compared, and given up, as one: its samples are of one step, whenever they are asked for.
func TestRelay_SamplesOfAGroupAreOfOneStep(t *testing.T) {
	r := relayOf(t, &record{Record: common(sdk.TrainRequest{FirstStep: 1}), Prompts: 2, GroupSize: 2}, continuing{}, nil)
	step := func(group string) int {
		req := sdk.EpisodeRequest{GroupID: group, Split: sdk.SplitTrain}
		if _, err := r.fill(&req); err != nil {
			t.Fatal(err)
		}
		return req.Step
	}
	if got := step("a"); got != 1 {
		t.Errorf("the first sample is of step %d", got)
	}
	if _, err := r.Boundary(t.Context(), bridge.Worker{}, sdk.StepBoundaryRequest{Step: 1}); err != nil {
		t.Fatal(err)
	}
	if a, b := step("a"), step("b"); a != 1 || b != 2 {
		t.Errorf("the second sample is of step %d, another group's of step %d", a, b)
	}
}

// A group may take longer than a step, and a worker says the step by the weights that it has at that time.
func TestRelay_AGroupIsOfOneStepHoweverLongItTakes(t *testing.T) {
	r := relayOf(t, &record{Record: common(sdk.TrainRequest{FirstStep: 1}), Prompts: 2, GroupSize: 3}, continuing{}, nil)
	ask := func(sample, step int) (got int, over func()) {
		req := sdk.EpisodeRequest{EpisodeID: fmt.Sprint("a/", sample), GroupID: "a", Split: sdk.SplitTrain, Step: step, SampleIndex: sample}
		over, err := r.fill(&req)
		if err != nil {
			t.Fatal(err)
		}
		return req.Step, over
	}
	boundary := func(step int) {
		if _, err := r.Boundary(t.Context(), bridge.Worker{}, sdk.StepBoundaryRequest{Step: step}); err != nil {
			t.Fatal(err)
		}
	}
	_, first := ask(0, 1)
	boundary(1)
	boundary(2)
	boundary(3)
	got, second := ask(1, 4)
	if got != 1 {
		t.Errorf("a sample whose sibling is under way is of step %d, want 1", got)
	}
	r.uses.add(overNote{Episode: "a/0", Group: "a", Use: sdk.ConsumedTrained, Reward: new(float64)})
	first()
	second()
	boundary(4)
	got, third := ask(2, 0)
	if got != 1 {
		t.Errorf("a sample whose sibling waits for its use is of step %d, want 1", got)
	}
	third()
	used(r.uses, sdk.ConsumedEpisode{EpisodeID: "a/0"})
	boundary(5)
	if len(r.groups) != 0 {
		t.Errorf("it keeps %v", r.groups)
	}
}

// continuing is a host that lets all steps go on.
type continuing struct{ sdk.Host }

func (continuing) StepBoundary(context.Context, sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
}

// AReaL counts updates from where a launch began; in agent mode it says nothing of them at all.
func TestRelay_PolicyVersionsAreInTheHostsCount(t *testing.T) {
	known := &record{Record: common(sdk.TrainRequest{FirstStep: 33, StepsDone: 12}), Base: 32, GroupSize: 2}
	r := relayOf(t, known, nil, nil)
	for split, step := range map[sdk.Split]int{sdk.SplitTrain: 33, sdk.SplitValidation: 32} {
		req := sdk.EpisodeRequest{GroupID: string(split), Split: split}
		if _, err := r.fill(&req); err != nil || req.Step != step || req.PolicyVersion != 32 {
			t.Errorf("%s: step %d, version %d (%v); want step %d of version 32", split, req.Step, req.PolicyVersion, err, step)
		}
	}
	sampled := []sdk.VersionSpan{{Version: 0, Tokens: 5}, {Version: 1, Tokens: 2}}
	r.Count("", sampled)
	if diff := cmp.Diff([]sdk.VersionSpan{{Version: 32, Tokens: 5}, {Version: 33, Tokens: 2}}, sampled); diff != "" {
		t.Errorf("versions of a message (-want +got):\n%s", diff)
	}
}
