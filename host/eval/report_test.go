package eval

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// record returns an episode with a reward that solved its task or not.
func record(task, sample int, solved bool) *rollout.EpisodeRecord {
	reward := 0.25
	if solved {
		reward = 1
	}
	r := &rollout.EpisodeRecord{Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &solved}
	r.Slot.Index, r.Slot.Sample, r.TaskID = task, sample, string(rune('a'+task))
	r.Turns = []rollout.TurnRecord{{PromptTokens: 10, OutputTokens: 4}, {PromptTokens: 20, OutputTokens: 2}}
	r.Scores = []rollout.ScoreRecord{{Address: "reward.gaia.answer",
		Scored: sdk.Scored{Score: reward, Components: map[string]float64{"exact": 1}}}}
	return r
}

func failure(task, sample int, class sdk.FailureClass, detail string) *rollout.EpisodeRecord {
	r := record(task, sample, false)
	r.Outcome, r.Reward, r.IsSuccess, r.Scores, r.Failure = sdk.OutcomeFailed, nil, nil, nil,
		&sdk.Failure{Class: class, Detail: detail}
	return r
}

func uncategorized(int) string { return "" }

func TestSummary_CountsFailuresAsUnsolvedAndApart(t *testing.T) {
	tally := newTally(2, 2, uncategorized)
	cut := record(1, 1, false)
	cut.Finish = agent.FinishMaxTurns
	for _, r := range []*rollout.EpisodeRecord{record(0, 0, true), failure(0, 1, sdk.FailureModel, "no answer"),
		failure(1, 0, sdk.FailureModel, "no answer again"), cut} {
		tally.add(r)
	}
	got := summarise(2, tally.tasks, tally.categories)
	want := Summary{
		Tasks: 2, Episodes: 4, Solved: 1, Success: &Interval{Value: 0.25, Method: methodBootstrap},
		PassAt: []Interval{{Value: 0.25, Method: methodBootstrap}, {Value: 0.5, Method: methodBootstrap}},
		Scored: 2, Reward: &Interval{Value: 0.625, Method: methodBootstrap},
		Components: map[string]float64{"reward.gaia.answer": 0.625, "reward.gaia.answer.exact": 1},
		Turns:      2, PromptTokens: 30, OutputTokens: 6, Truncated: 1, Failed: 2,
		Failures: map[sdk.FailureClass]int{sdk.FailureModel: 2},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Interval{}, "Low", "High")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Example{{sdk.FailureModel, "a", 1, "no answer"}}, tally.examples); diff != "" {
		t.Errorf("examples (-want +got):\n%s", diff)
	}
}

// TestSummary_ClaimsNoCertainty checks that a few solved tasks do not imply a success rate of exactly 1.
func TestSummary_ClaimsNoCertainty(t *testing.T) {
	tally := newTally(3, 2, uncategorized)
	for task := range 3 {
		for sample := range 2 {
			tally.add(record(task, sample, true))
		}
	}
	s := summarise(2, tally.tasks, tally.categories)
	for _, got := range append(s.PassAt, *s.Success) {
		if want := wilson(3, 3); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestSummary_SaysWhatIsNotKnown(t *testing.T) {
	unjudged := record(0, 0, true)
	unjudged.IsSuccess = nil
	tally := newTally(1, 1, uncategorized)
	tally.add(unjudged)
	if s := summarise(1, tally.tasks, tally.categories); s.Success != nil || s.PassAt != nil || s.Reward == nil {
		t.Errorf("without a judgement: %+v", s)
	}
	tally = newTally(1, 1, uncategorized)
	tally.add(failure(0, 0, sdk.FailureReward, "no number"))
	if s := summarise(1, tally.tasks, tally.categories); s.Reward != nil || s.Failed != 1 || s.Success != nil {
		t.Errorf("with failures only: %+v", s)
	}
}

func TestTally_KnowsCategories(t *testing.T) {
	tasks := []string{`{"category":"sums"}`, `{"category":2}`, `{"category":null}`, `{"prompt":"?"}`,
		`{"category":"sums"}`}
	tally := newTally(len(tasks), 1, func(i int) string { return categoryOf(sdk.Task{Public: []byte(tasks[i])}) })
	for i := range tasks {
		tally.add(record(i, 0, i < 3))
	}
	var got []string
	for _, c := range tally.byCategory() {
		got = append(got, fmt.Sprintf("%s: %d of %d, turns %g, reward %g", c.Name, c.Solved, c.Tasks, c.Turns,
			c.Reward.Value))
	}
	if diff := cmp.Diff([]string{"2: 1 of 1, turns 2, reward 1", "sums: 1 of 2, turns 2, reward 0.625"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOrdered_HandsRecordsOnInTheOrderOfTheirSlots(t *testing.T) {
	var got []int
	out := newOrdered(2, func(r *rollout.EpisodeRecord) error {
		got = append(got, 2*r.Slot.Index+r.Slot.Sample)
		if len(got) == 4 {
			return errors.New("disk full")
		}
		return nil
	})
	var err error
	for _, slot := range [][2]int{{1, 1}, {0, 1}, {0, 0}, {1, 0}} {
		err = errors.Join(err, out.Episode(record(slot[0], slot[1], true)))
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err == nil || len(out.waiting) != 0 {
		t.Errorf("error %v, %d records kept", err, len(out.waiting))
	}
}

func TestTally_SumsMembers(t *testing.T) {
	tally := newTally(1, 2, uncategorized)
	for sample := range 2 {
		r := record(0, sample, true)
		r.Turns[0].Agent, r.Turns[1].Agent = "react.planner", "react.critic"
		r.Turns[1].Served, r.Turns[1].Cost = "model.openai.big", 0.25
		tally.add(r)
	}
	want := []Member{
		{Agent: "react.planner", Turns: 2, PromptTokens: 20, OutputTokens: 8},
		{Agent: "react.critic", Turns: 2, PromptTokens: 40, OutputTokens: 4, Model: "model.openai.big", CostUSD: 0.5},
	}
	if diff := cmp.Diff(want, tally.members); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
