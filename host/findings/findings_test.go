package findings_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk/metric"
)

// values is a step's metrics.
type values = map[string]float64

// story returns the metrics of a step, from 1.
type story func(step int) values

// learns returns the metrics of a policy that learns: 128 episodes per step, rewards 0 and 1.
func learns(step int) values {
	p := 0.3 + 0.6*(1-math.Exp(-float64(step)/10))
	return values{
		metric.Episodes: 128, metric.Scored: 128, metric.Judged: 128, metric.Reward: p,
		metric.RewardStd: math.Sqrt(p * (1 - p)), metric.SuccessRate: p,
		metric.Failed: 0, metric.Entropy: 0.5 * math.Exp(-float64(step)/15), metric.GradNorm: 0.5,
		metric.KL:   0.001 * float64(step),
		metric.Loss: -0.01, metric.ResponseTokens: 40, metric.FlatGroups: 0.2, metric.LogprobGap: 1e-5,
		metric.LogprobGapMean:        1e-6,
		metric.ValidationSuccessRate: p, metric.ValidationEpisodes: 200, metric.TrainedFraction: 1,
	}
}

// with changes some metrics of a story from a step on.
func with(base story, from int, change func(step int) values) story {
	return func(step int) values {
		out := base(step)
		if step >= from {
			for name, v := range change(step) {
				out[name] = v
			}
		}
		return out
	}
}

func constant(v values) func(int) values { return func(int) values { return v } }

// line falls or rises from a to b within n steps.
func line(a, b float64, n, step int) float64 {
	return a + (b-a)*math.Min(1, float64(step)/float64(n))
}

func tell(s story, steps int) *findings.Engine {
	e := findings.NewEngine()
	for i := 1; i <= steps; i++ {
		e.Step(findings.Step{Stage: "main", Step: i, Values: s(i)})
	}
	return e
}

// faults has a story for each rule, in which the fault is found within a number of steps after it begins.
var faults = map[string]struct {
	story story
	begin int
	delay int
}{
	"reward_divergence": {with(learns, 1, func(step int) values {
		return values{metric.SuccessRate: line(0.32, 0, 10, step), metric.Reward: line(0.47, 0.99, 10, step),
			metric.RewardStd: 0.2, metric.ValidationSuccessRate: line(0.32, 0, 10, step)}
	}), 1, 5},
	"surface_reward": {with(learns, 1, constant(values{metric.RewardFollows + "length": 0.9,
		metric.RewardFollows + "success": 0.2})), 1, 4},
	"success_collapse":  {with(learns, 10, constant(values{metric.SuccessRate: 0, metric.Reward: 0})), 10, 2},
	"not_finite":        {with(learns, 5, constant(values{metric.Loss: math.NaN()})), 5, 1},
	"entropy_collapse":  {with(flat, 5, constant(values{metric.Entropy: 0.0004})), 5, 3},
	"entropy_explosion": {with(flat, 5, constant(values{metric.Entropy: 3.2})), 5, 3},
	"length_collapse":   {with(flat, 5, constant(values{metric.ResponseTokens: 3})), 5, 3},
	"length_explosion":  {with(flat, 5, constant(values{metric.ResponseTokens: 200})), 5, 3},
	"kl_spike":          {with(learns, 8, constant(values{metric.KL: 2})), 8, 1},
	"gradient_spike":    {with(learns, 8, constant(values{metric.GradNorm: 40})), 8, 1},
	"equal_rewards":     {with(flat, 3, constant(values{metric.FlatGroups: 0.97})), 3, 3},
	"constant_reward": {with(flat, 3, constant(values{
		metric.RewardStd: 0, metric.Reward: 0.5, metric.FlatGroups: 1,
	})), 3, 3},
	"overfitting": {with(learns, 6, func(step int) values {
		return values{metric.ValidationSuccessRate: 0.2}
	}), 6, 2},
	"no_progress":     {flat, 16, 1},
	"unequal_rewards": {with(learns, 4, constant(values{metric.UnequalRewards: 0.3})), 4, 2},
	"unknown_success": {with(learns, 4, constant(values{metric.SuccessRate: 1, metric.Judged: 40})), 4, 2},
	"cut":             {with(learns, 4, constant(values{metric.CutBy + "message_tokens": 60})), 4, 2},
	"tool_errors": {with(learns, 4, constant(values{
		metric.Tools + "search/errors": 41, metric.Tools + "search/calls": 100,
	})), 4, 2},
	"malformed_calls":   {with(learns, 4, constant(values{metric.MalformedRate: 0.4})), 4, 2},
	"same_wrong_answer": {with(learns, 4, constant(values{metric.SameWrong: 0.3})), 4, 2},
	"slow": {with(learns, 4, constant(values{"timing/environment_seconds": 700,
		"timing/environment_p50_seconds": 0.9, "timing/episodes_seconds": 1000,
		"timing/environment_p95_seconds": 40, "timing/environment_max_seconds": 300})), 4, 2},
	"foreign_calls": {with(learns, 1, constant(values{metric.ForeignCallRate: 0.8})), 1, 1},
	"failures":      {with(learns, 4, constant(values{metric.Failed: 30, metric.FailedBy + "ENVIRONMENT": 30})), 4, 2},
	"trained_share": {with(learns, 1, constant(values{metric.TrainedFraction: 0.2})), 1, 2},
	"policy_gap": {with(learns, 2, func(step int) values {
		return values{metric.LogprobGapMean: 0.02 * float64(step)}
	}), 2, 1},
}

func init() {
	for _, id := range scan.IDs() {
		faults[id] = struct {
			story        story
			begin, delay int
		}{with(with(learns, 1, constant(values{metric.Scanned: 128})), 3, constant(values{metric.Scans + id: 2})), 3, 1}
	}
}

// flat returns the metrics of a policy that does not learn, without another fault.
func flat(step int) values {
	out := learns(1)
	out[metric.Entropy] = 0.5
	return out
}

// Each rule has a story with its fault, and finds it in time.
func TestRules_FindTheirFaultsInTime(t *testing.T) {
	for _, rule := range findings.Rules() {
		if slices.Contains([]string{findings.NothingLearned, findings.Stopped, findings.UnsolvedTasks, findings.SolvedTasks,
			findings.ScanModel, findings.ScanIncomplete}, rule.ID) {
			continue // a run reports them: TestEnd_NoVariance and TestBreaker_TripsWithoutBoundaries of host/run, scan.txtar
		}
		if slices.ContainsFunc(findings.DataRules(), func(r findings.Rule) bool { return r.ID == rule.ID }) {
			continue // evaluated by package datacheck
		}
		t.Run(rule.ID, func(t *testing.T) {
			fault, ok := faults[rule.ID]
			if !ok {
				t.Fatal("no story has this fault")
			}
			if before := ids(tell(fault.story, fault.begin-1).Findings()); slices.Contains(before, rule.ID) {
				t.Errorf("found before it begins: %v", before)
			}
			last := fault.begin + fault.delay - 1
			e := tell(fault.story, last)
			if got := ids(e.Findings()); !slices.Contains(got, rule.ID) {
				t.Fatalf("found %v in %d steps", got, last)
			}
			if unchecked := notChecked(fault.story, last); slices.Contains(unchecked, rule.ID) {
				t.Errorf("the rule is among the %d that are not checked", len(unchecked))
			}
			if rule.Remedy == "" || len(rule.Causes) == 0 || rule.Title == "" || rule.Severity == "" {
				t.Errorf("incomplete: %+v", rule)
			}
		})
	}
}

func notChecked(s story, steps int) (out []string) {
	var reported findings.Reported
	for i := 1; i <= steps; i++ {
		reported.Add("main", s(i))
	}
	for _, rule := range reported.NotChecked() {
		out = append(out, rule.ID)
	}
	return out
}

func ids(list []findings.Finding) (out []string) {
	for _, f := range list {
		out = append(out, f.ID)
	}
	return out
}

// Runs that learn, with the noise of their number of episodes, have no finding.
func TestRules_LeaveCleanRunsAlone(t *testing.T) {
	for run := range 200 {
		r := rand.New(rand.NewPCG(1, uint64(run)))
		n := []int{32, 64, 128, 512}[run%4]
		e := findings.NewEngine()
		for step := 1; step <= 80; step++ {
			v := learns(step)
			draw := func(p float64, n int) float64 {
				hits := 0
				for range n {
					if r.Float64() < p {
						hits++
					}
				}
				return float64(hits) / float64(n)
			}
			p := draw(v[metric.SuccessRate], n)
			v[metric.Episodes], v[metric.Scored], v[metric.Judged] = float64(n), float64(n), float64(n)
			v[metric.SuccessRate], v[metric.Reward] = p, p
			v[metric.RewardStd] = math.Sqrt(p * (1 - p))
			v[metric.ValidationSuccessRate] = draw(v[metric.ValidationSuccessRate], 200)
			v[metric.GradNorm] *= math.Exp(0.5 * r.NormFloat64())
			v[metric.ResponseTokens] *= 1 + 0.1*r.NormFloat64()
			if step%5 != 0 {
				delete(v, metric.ValidationSuccessRate)
				delete(v, metric.ValidationEpisodes)
			}
			e.Step(findings.Step{Stage: "main", Step: step, Values: v})
		}
		for _, f := range e.Findings() {
			t.Errorf("run %d with %d episodes per step: %s at step %d: %s", run, n, f.ID, f.First, f.Summary)
		}
	}
}

// A metric that the adapter does not report leaves its rules unchecked.
func TestEngine_SaysWhatItCannotCheck(t *testing.T) {
	got := notChecked(func(step int) values { return values{metric.Reward: 0.1, metric.Episodes: 8} }, 3)
	for _, want := range []string{"entropy_collapse", "kl_spike", "policy_gap", "overfitting"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s counts as checked: %v", want, got)
		}
	}
	if slices.Contains(got, "reward_divergence") {
		t.Errorf("the reward is reported, and is not checked: %v", got)
	}
}

// A resumed run continues findings: their first step and their examples are kept.
func TestEngine_ResumesItsFindings(t *testing.T) {
	cut := func(id string) []findings.Episode { return []findings.Episode{{ID: id, Limit: "turns"}} }
	v := values{metric.Episodes: 1, metric.CutBy + "turns": 1}
	whole, resumed := findings.NewEngine(), findings.NewEngine()
	var known []findings.Finding
	for step := 1; step <= 6; step++ {
		s := findings.Step{Stage: "main", Step: step, Values: v, Episodes: cut(fmt.Sprintf("e%d", step))}
		whole.Step(s)
		if step <= 3 {
			known = whole.Findings()
			s.Episodes = nil
		}
		resumed.Step(s)
		if step == 3 {
			for _, f := range known {
				resumed.Recall(f)
			}
		}
	}
	want, got := whole.Findings(), resumed.Findings()
	if len(want) != 1 || fmt.Sprint(want) != fmt.Sprint(got) || want[0].First != 2 || len(want[0].Episodes) != 5 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func reward(v float64) *float64 { return &v }
func success(v bool) *bool      { return &v }

// A reward that pays for the length of answers follows it within groups, and does not follow success.
func TestNumbers_SeeWhatTheRewardFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var episodes []findings.Episode
	for i := range 64 {
		tokens := 10 + r.IntN(90) + 1000*(i/8) // tasks differ in length
		text := strings.Repeat("word ", tokens) + "the end"
		episodes = append(episodes, findings.Episode{
			Group: fmt.Sprint(i / 8), Reward: reward(float64(tokens%1000) / 100), Success: success(r.IntN(2) == 0),
			Tokens: tokens, Text: findings.TextOf([]string{text}),
		})
	}
	got := findings.Numbers(episodes)
	if length := got[metric.RewardFollows+"length"]; length < 0.95 {
		t.Errorf("length: %.2f", length)
	}
	if s := got[metric.RewardFollows+"success"]; math.Abs(s) > 0.4 {
		t.Errorf("success: %.2f", s)
	}
	if _, varies := got[metric.RewardFollows+"ending"]; varies {
		t.Error("all endings are equal")
	}
}

func TestNumbers_CountToolsLimitsAndFailures(t *testing.T) {
	got := findings.Numbers([]findings.Episode{
		{Tokens: 10, Limit: "turns", Tools: map[string]findings.ToolUse{"search": {Calls: 3, Errors: 1}}},
		{Tokens: 30, Failure: "TIMEOUT", Malformed: 2, Tools: map[string]findings.ToolUse{"search": {Calls: 1}}},
	})
	want := values{
		metric.ResponseTokens: 20, metric.CutBy + "turns": 1, metric.FailedBy + "TIMEOUT": 1, metric.ToolErrorRate: 0.25,
		metric.MalformedRate: 0.5, metric.Tools + "search/calls": 4, metric.Tools + "search/errors": 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Groups in which one sample differs, succeeds, or has no answer do not count, nor do small ones.
func TestNumbers_CountsGroupsWithOneWrongAnswer(t *testing.T) {
	var episodes []findings.Episode
	add := func(group string, answers ...uint64) {
		for _, answer := range answers {
			right := answer == 1
			episodes = append(episodes, findings.Episode{ID: group, Group: group, Answer: answer, Success: &right,
				Times: findings.Times{Model: 1, Environment: float64(answer)}})
		}
	}
	add("same", 7, 7, 7, 7)
	add("differs", 7, 7, 7, 8)
	add("right", 1, 1, 1, 1)
	add("silent", 0, 0, 0, 0)
	add("small", 7, 7, 7)
	add("again", 7, 7, 7, 7)
	got := findings.Numbers(episodes)
	for name, want := range map[string]float64{metric.SameWrong: 0.2, "timing/environment_p50_seconds": 0.007,
		"timing/environment_max_seconds": 0.008} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if _, ok := got["timing/reward_seconds"]; ok {
		t.Error("rewards that take no time are measured")
	}
	e := findings.NewEngine()
	for step := 1; step <= 2; step++ {
		e.Step(findings.Step{Stage: "main", Step: step, Values: values{metric.SameWrong: 0.5}, Episodes: episodes})
	}
	if found := e.Findings(); len(found) != 1 || !slices.Equal(found[0].Episodes, []string{"same", "again"}) {
		t.Errorf("found %+v", found)
	}
}

// Only equal conversations about the same task must have equal rewards.
func TestNumbers_CountsEqualConversationsWithOtherRewards(t *testing.T) {
	var episodes []findings.Episode
	for group := range 4 {
		for i, reward := range []float64{0, 1, 0, 1} {
			if group == 0 {
				reward = float64(i / 2)
			}
			e := findings.Episode{ID: fmt.Sprint(group, i), Group: fmt.Sprint(group), Reward: &reward}
			e.Text.Whole = uint64(1 + i/2) // two sets of two; in the first group, each set has one reward
			episodes = append(episodes, e)
		}
	}
	if got := findings.Numbers(episodes)[metric.UnequalRewards]; got != 0.75 {
		t.Errorf("the share is %v, want 0.75", got)
	}
}

func TestTextOf_MeasuresTheSurface(t *testing.T) {
	text := findings.TextOf([]string{"a b c d a b c d", "Yes!!"})
	if text.Chars != 20 || text.Punctuation != 0.1 || text.Repeats <= 0 {
		t.Errorf("%+v", text)
	}
	if other := findings.TextOf([]string{"Yes!!"}); other.Opening != text.Opening || other.Ending != text.Ending {
		t.Errorf("%+v and %+v begin alike", other, text)
	}
	if empty := findings.TextOf(nil); empty != (findings.Text{}) {
		t.Errorf("%+v", empty)
	}
}

func BenchmarkTextOf(b *testing.B) {
	message := strings.Repeat("The train leaves at nine, so we need three hours. ", 20)
	for b.Loop() {
		findings.TextOf([]string{message})
	}
}

// A number that is not finite has one finding, and does not count as a collapse, an explosion, or a spike.
func TestRules_OneFindingForANumberThatIsNotFinite(t *testing.T) {
	e := tell(with(flat, 8, constant(values{metric.Entropy: math.NaN(), metric.GradNorm: math.Inf(1)})), 12)
	if got := ids(e.Findings()); !slices.Equal(got, []string{"not_finite", "not_finite"}) {
		t.Errorf("found %v", got)
	}
}

// Two bad steps count only if they follow each other: a count of 0 is not reported.
func TestRules_NeedConsecutiveSteps(t *testing.T) {
	e := findings.NewEngine()
	for step := 1; step <= 20; step++ {
		v := learns(step)
		if step == 3 || step == 20 {
			v[metric.CutBy+"turns"], v[metric.MalformedRate] = 100, 0.5
			v[metric.Tools+"search/errors"] = 50
		}
		v[metric.Tools+"search/calls"] = 100
		e.Step(findings.Step{Stage: "main", Step: step, Values: v})
	}
	if got := ids(e.Findings()); got != nil {
		t.Errorf("found %v", got)
	}
}

// A run that solves its tasks without reporting success ends with equal rewards, which is not a fault.
func TestRules_ASolvedRunMayHaveAConstantReward(t *testing.T) {
	e := tell(func(step int) values {
		v := learns(step)
		delete(v, metric.SuccessRate)
		delete(v, metric.ValidationSuccessRate)
		if step > 20 {
			v[metric.Reward], v[metric.RewardStd], v[metric.FlatGroups] = 1, 0, 1
		}
		return v
	}, 40)
	if got := ids(e.Findings()); got != nil {
		t.Errorf("found %v", got)
	}
}

// A streak counts the consecutive steps that have a rule's metrics, each once.
func TestEngine_CountsConsecutiveSteps(t *testing.T) {
	e := findings.NewEngine()
	tell := func(step int, share float64, reported bool) {
		v := learns(step)
		if reported {
			v[metric.TrainedFraction] = share
		} else {
			delete(v, metric.TrainedFraction)
		}
		e.Step(findings.Step{Stage: "main", Step: step, Values: v})
	}
	want := func(steps int) {
		t.Helper()
		if got, summary := e.Streak("main", "trained_share"); got != steps || (summary != "") != (steps > 0) {
			t.Errorf("%d steps: %q; want %d", got, summary, steps)
		}
	}
	for step := 1; step <= 20; step++ {
		tell(step, 0.1, true)
	}
	found, _ := e.Streak("main", "trained_share")
	if found == 0 || found == 20 {
		t.Fatalf("%d steps after 20", found)
	}
	tell(21, 0.1, true)
	want(found + 1)
	tell(21, 0.1, true)
	want(found + 1)
	tell(22, 1, false)
	want(found + 1)
	tell(23, 1, true)
	want(0)
	for step := 24; step <= 40; step++ {
		tell(step, 0.1, true)
	}
	e.ResetStreaks()
	want(0)
	tell(41, 0.1, true)
	want(1)
}

func TestReportTasks(t *testing.T) {
	right, wrong := true, false
	// A run of 12 tasks with 16 episodes each, of which the first so many are solved or have the same wrong answer.
	report := func(never, always, same int) map[string]string {
		var tasks findings.Tasks
		for step := range 4 {
			var episodes []findings.Episode
			for i := range 12 * 4 {
				task, try := i/4, step*4+i%4
				e := findings.Episode{Task: fmt.Sprintf("t%02d", task), Success: &right}
				switch {
				case task < never:
					e.Success, e.Answer = &wrong, uint64(1000*task+try+1)
					if task < same && try%6 != 3 {
						e.Answer = 7
					}
				case task < 12-always && try == 0:
					e.Success = &wrong
				}
				episodes = append(episodes, e)
			}
			tasks.Add(step+3, episodes)
		}
		out := map[string]string{}
		for _, f := range findings.NewEngine().ReportTasks(findings.Step{Stage: "main", Step: 6}, &tasks) {
			out[f.ID] = f.Summary
		}
		return out
	}
	const counted = "of the 12 tasks with at least 16 judged episodes since step 3, "
	for _, test := range []struct {
		never, always, same int
		want                map[string]string
	}{
		{never: 2, always: 5, want: map[string]string{}},
		{never: 3, want: map[string]string{"unsolved_tasks": counted + "3 were never solved: t00, t01, t02"}},
		{never: 4, same: 1, want: map[string]string{"unsolved_tasks": counted +
			"4 were never solved: t00, t01, t02, …; 1 of these got the same wrong answer in most episodes: t00"}},
		{always: 6, want: map[string]string{"solved_tasks": counted + "6 were always solved"}},
	} {
		if got := report(test.never, test.always, test.same); !maps.Equal(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
