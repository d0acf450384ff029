package rollout

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/sdk"
)

func number(f float64) *float64 { return &f }

// stepEnd returns the boundary of a step that used no episodes.
func stepEnd(stage string, step int) StepEnd {
	return StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: stage, Step: step}}
}

func truth(b bool) *bool { return &b }

// ended returns a summary for a slot of step 1.
func ended(group string, index int, outcome sdk.Outcome, class sdk.FailureClass, reward *float64) *summary {
	s := &summary{
		slot: Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: group, Sample: index}, episode: group,
		outcome: outcome, class: class, reward: reward, turns: 2, tokens: 10,
	}
	if reward != nil {
		s.success = truth(*reward > 0.5)
	}
	return s
}

func TestAggregate(t *testing.T) {
	got := aggregate("full", sdk.SplitTrain, 1, []*summary{
		ended("a", 0, sdk.OutcomeScored, "", number(1)),
		ended("a", 1, sdk.OutcomeScored, "", number(0)),
		ended("a", 2, sdk.OutcomeDropped, sdk.FailureEnvironment, nil),
		ended("b", 0, sdk.OutcomeScored, "", number(1)),
		ended("b", 1, sdk.OutcomeTruncated, "", number(1)),
		{slot: Slot{Group: "c"}, outcome: sdk.OutcomeCancelled, withdrawn: true, turns: 1},
	})
	want := Aggregate{
		Stage: "full", Split: sdk.SplitTrain, Step: 1, Episodes: 6, Withdrawn: 1,
		Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 3, sdk.OutcomeTruncated: 1, sdk.OutcomeDropped: 1,
			sdk.OutcomeCancelled: 1},
		Failures: map[sdk.FailureClass]int{sdk.FailureEnvironment: 1},
		Scored:   4, RewardMean: 0.75, RewardStd: 0.4330127018922193, RewardMax: 1, Judged: 4, Successes: 3,
		SuccessRate: 0.75,
		Turns:       10, TurnsMean: 2, OutputTokens: 50, Truncated: 1, Groups: 2, ZeroVarianceGroups: 1,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the numbers are others (-want +got):\n%s", diff)
	}
}

// Model requests are summed by member, in any order of the episodes.
func TestAggregate_SumsMembers(t *testing.T) {
	episode := func(cost float64) *summary {
		r := &EpisodeRecord{AttemptRecord: AttemptRecord{Turns: []TurnRecord{
			{Agent: "react.planner", PromptTokens: 5, OutputTokens: 2, Served: "model.openai.x", Cost: cost},
			{Agent: "react.solver", PromptTokens: 7, OutputTokens: 3}, {Agent: "react.solver", PromptTokens: 9, OutputTokens: 4},
		}}}
		return summarise(r)
	}
	one := AttemptRecord{Turns: []TurnRecord{{Agent: "react.solver", OutputTokens: 1}}}
	alone := summarise(&EpisodeRecord{AttemptRecord: one})
	got := aggregate("main", sdk.SplitTrain, 1, []*summary{episode(0.5), alone, episode(0.25)}).Members
	want := []MemberRecord{
		{Agent: "react.planner", Turns: 2, PromptTokens: 10, OutputTokens: 4, Served: "model.openai.x", Cost: 0.75},
		{Agent: "react.solver", Turns: 4, PromptTokens: 32, OutputTokens: 14},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := aggregate("main", sdk.SplitTrain, 1, []*summary{alone}).Members; got != nil {
		t.Errorf("the policy alone: %+v", got)
	}
}

func TestFailedValidationEpisodesStayInTheDenominator(t *testing.T) {
	r := newRig()
	fail := times(1, errors.New("the desk collapsed"))
	onStep(fail)(r)
	r.setup.Compose = func(ComposeInputs) (ComposeResult, error) {
		return ComposeResult{Reward: 1, Success: truth(true)},
			nil
	}
	r.start(t)
	for task := range 4 {
		r.run(t, probe(task))
	}
	got := r.boundary(1, true).Validation
	if got == nil || got.SuccessRate != 0.75 || got.Failures[sdk.FailureEnvironment] != 1 || got.RewardMean != 1 {
		t.Errorf("%+v; want 3 of 4 solved, one failed, and a mean of the scored ones only", got)
	}
	if again := r.boundary(1, true).Validation; again.Episodes != 0 {
		t.Errorf("a pass is reported twice: %+v", again)
	}
	if none := r.boundary(2, false).Validation; none != nil {
		t.Errorf("a step without validation reports one: %+v", none)
	}
}

func TestSumsDoNotDependOnTheOrderOfArrival(t *testing.T) {
	var all []*summary
	for group := range 20 {
		for i := range 4 {
			s := ended(strings.Repeat("g", group+1), i, sdk.OutcomeScored, "", number(1/float64(3+7*group+i)))
			s.metrics = map[string]float64{"environment/x": 1 / float64(7+group*3+i)}
			all = append(all, s)
		}
	}
	var want *Aggregate
	for shuffle := range uint64(5) {
		rand.New(rand.NewPCG(shuffle, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		l := newLedger()
		for _, s := range all {
			l.add(s)
		}
		got := aggregate("full", sdk.SplitTrain, 1, l.takeTrain(stepEnd("full", 1)))
		if want == nil {
			want = &got
		}
		if diff := cmp.Diff(*want, got); diff != "" {
			t.Fatalf("another order, other numbers:\n%s", diff)
		}
	}
}

func TestASlotCountsOnce(t *testing.T) {
	scored := func(id string, draw int) *summary {
		return &summary{slot: Slot{Split: sdk.SplitTrain, Step: 1}, episode: id, draw: draw, outcome: sdk.OutcomeScored,
			reward: number(1)}
	}
	gone := &summary{slot: Slot{Split: sdk.SplitTrain, Step: 1}, episode: "z", draw: 9, outcome: sdk.OutcomeCancelled}
	for _, row := range []struct {
		name string
		in   []*summary
		want string
	}{
		{"the later draw", []*summary{scored("b", 0), scored("a", 1)}, "a"},
		{"not one that was cancelled", []*summary{scored("b", 0), gone}, "b"},
		{"of equals always the same", []*summary{scored("a", 0), scored("b", 0)}, "b"},
	} {
		for range 2 {
			l := newLedger()
			for _, s := range row.in {
				l.add(s)
			}
			if got := l.takeTrain(stepEnd("", 1)); len(got) != 1 || got[0].episode != row.want {
				t.Errorf("%s: %d episodes count, want %q alone", row.name, len(got), row.want)
			}
			row.in[0], row.in[1] = row.in[1], row.in[0]
		}
	}
}

func TestBreaker(t *testing.T) {
	scored := func() *summary { return ended("a", 0, sdk.OutcomeScored, "", number(1)) }
	failed := func(class sdk.FailureClass) *summary { return ended("a", 0, sdk.OutcomeDropped, class, nil) }
	repeat := func(n int, make func() *summary) (list []*summary) {
		for i := range n {
			s := make()
			s.slot.Index = i
			list = append(list, s)
		}
		return list
	}
	settings := BreakerSettings{FailedFraction: 0.5, Window: 10, MinEpisodes: 4}
	for _, row := range []struct {
		name     string
		settings BreakerSettings
		steps    [][]*summary
		trips    int // the step that trips, from 1; 0: none
	}{
		{"off", BreakerSettings{}, [][]*summary{repeat(20, func() *summary { return failed(sdk.FailureModel) })}, 0},
		{"too few to judge", settings, [][]*summary{repeat(3, func() *summary { return failed(sdk.FailureModel) })}, 0},
		{"over several steps", settings, [][]*summary{repeat(3, func() *summary { return failed(sdk.FailureModel) }),
			repeat(1, func() *summary { return failed(sdk.FailureReward) })}, 2},
		{"exactly the fraction is fine", settings, [][]*summary{append(repeat(5, scored),
			repeat(5, func() *summary { return failed(sdk.FailureAgent) })...)}, 0},
		{"above it", settings, [][]*summary{append(repeat(4, scored),
			repeat(5, func() *summary { return failed(sdk.FailureTimeout) })...)}, 1},
		{"a bad patch within a step", settings, [][]*summary{append(append(repeat(4, scored),
			repeat(9, func() *summary { return failed(sdk.FailureEnvironment) })...), repeat(30, scored)...)}, 1},
		{"the past is forgotten", settings, [][]*summary{append(repeat(4, scored),
			repeat(4, func() *summary { return failed(sdk.FailureEnvironment) })...), repeat(10, scored),
			repeat(5, func() *summary { return failed(sdk.FailureEnvironment) })}, 0},
		{"the policy's own failures", settings, [][]*summary{repeat(20,
			func() *summary { return failed(sdk.FailurePolicy) })}, 0},
		{"infrastructure", settings, [][]*summary{repeat(20, func() *summary { return failed(sdk.FailureInfrastructure) })},
			0},
		{"truncated", settings, [][]*summary{repeat(20,
			func() *summary { return ended("a", 0, sdk.OutcomeTruncated, "", nil) })}, 0},
		{"cancelled", settings, [][]*summary{repeat(20,
			func() *summary { return ended("a", 0, sdk.OutcomeCancelled, sdk.FailureTimeout, nil) })}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			whole := &breaker{settings: row.settings}
			resumed := &breaker{settings: row.settings}
			trips := 0
			for i, step := range row.steps {
				trip := whole.feed(step)
				again := resumed.feed(step)
				if diff := cmp.Diff(trip, again); diff != "" {
					t.Errorf("a resumed run trips otherwise:\n%s", diff)
				}
				resumed = &breaker{settings: row.settings, window: append([]sdk.FailureClass(nil), resumed.window...)}
				if trip != nil && trips == 0 {
					trips = i + 1
					if !strings.Contains(trip.Reason(), "of the last") {
						t.Errorf("the reason is %q", trip.Reason())
					}
				}
			}
			if trips != row.trips {
				t.Errorf("it tripped at step %d, want %d", trips, row.trips)
			}
		})
	}
}

func TestValidationNeverTripsTheBreaker(t *testing.T) {
	r := newRig()
	onStep(times(always, errors.New("the desk collapsed")))(r)
	r.setup.Breaker = BreakerSettings{FailedFraction: 0.1, Window: 10, MinEpisodes: 1}
	r.start(t)
	for task := range 5 {
		r.run(t, probe(task))
	}
	if report := r.boundary(1, false); report.Trip != nil {
		t.Errorf("it tripped: %s", report.Trip.Reason())
	}
	r.run(t, sample(2, 1, 0))
	if report := r.boundary(2, false); report.Trip == nil {
		t.Error("a failed training episode did not trip it")
	}
	if got := r.BreakerWindow(); len(got) != 1 {
		t.Errorf("the breaker remembers %v, want one episode", got)
	}
}

func TestTimingsAddUp(t *testing.T) {
	r := newRig()
	r.start(t)
	began := time.Now()
	got := r.run(t, sample(1, 1, 0)).Timings
	if sum := got.Queue + got.Model + got.Environment + got.Reward + got.Siblings + got.Host; sum <= 0 ||
		sum > time.Since(began) {
		t.Errorf("the parts take %v together, more than the whole: %+v", sum, got)
	}
}

// Dropped samples do not count as members of groups, whatever their reward.
func TestAggregate_GroupsAreOfWhatMayBeTrained(t *testing.T) {
	var episodes []*summary
	for i, reward := range []float64{1, 0} {
		s := ended("a", i, sdk.OutcomeDropped, "", number(reward))
		s.dropped = true
		episodes = append(episodes, s)
	}
	got := aggregate("full", sdk.SplitTrain, 1, append(episodes,
		ended("a", 2, sdk.OutcomeDropped, sdk.FailureReward, nil)))
	if got.Dropped != 2 || got.Groups != 0 {
		t.Errorf("%d dropped, %d groups; want 2 and 0", got.Dropped, got.Groups)
	}
	if got := summarise(&EpisodeRecord{DropGroup: true}); !got.dropped {
		t.Error("a sample that goes with its group is not counted as dropped")
	}
	if got := summarise(&EpisodeRecord{LoneSurvivor: true}); !got.dropped {
		t.Error("the only survivor of its group is not counted as dropped")
	}
}
