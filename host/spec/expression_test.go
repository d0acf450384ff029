package spec_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
)

// settings loads a train block with these attributes and returns the settings of its stage.
func settings(t testing.TB, attributes string) *spec.Stage {
	t.Helper()
	dir := write(t, map[string]string{"a.jsonl": "", "train.hcl": `
dataset "jsonl" "a" { path = "a.jsonl" }
agent "react" "solver" {}
reward "gaia" "answer" {}
reward "format" "tags" {}
adapter "local" "x" {}
locals {
  weight = 0.25
  shaped = local.weight * reward.gaia.answer + 0.75 * reward.format.tags
}
train "x" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.a
  adapter = adapter.local.x
  steps   = 1
` + attributes + "\n}\n"})
	s, problems := spec.Load(dir+"/train.hcl", spec.Options{Schemas: fakePlugins{}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s.Trains["x"].Stages[0]
}

func yes() *bool { b := true; return &b }

func scores(answer, tags sdk.Scored) spec.Inputs {
	return spec.Inputs{Rewards: map[string]sdk.Scored{"reward.gaia.answer": answer, "reward.format.tags": tags}}
}

func failed(detail string, retryable bool) sdk.Scored {
	return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: detail, Retryable: retryable}}
}

func TestExpression_Number(t *testing.T) {
	good := scores(sdk.Scored{Score: 1, Components: map[string]float64{"exact": 0.5}, IsSuccess: yes()},
		sdk.Scored{Score: 0.1})
	long := good
	long.NumTurns, long.Truncated = 7, true
	for _, tc := range []struct {
		expression string
		in         spec.Inputs
		want       float64
	}{
		{"0.9 * reward.gaia.answer.score + 0.1 * reward.format.tags.score", good, 0.91},
		{"reward.gaia.answer", good, 1},
		{"reward.gaia[\"answer\"].components[\"exact\"]", good, 0.5},
		{"reward.gaia.answer.is_success ? 2 : 3", good, 2},
		{"local.shaped", good, 0.325},
		{"1 - local.shaped + local.weight", good, 0.925},
		{"max(reward.gaia.answer, reward.format.tags)", good, 1},
		{"min([for r in [reward.gaia.answer, reward.format.tags] : r * 2]...)", good, 0.2},
		{"reward.gaia.answer - 0.1 * episode.num_turns - (episode.truncated ? 1 : 0)", long, -0.7},
		{"reward.format.tags.score == 0.1 ? 1 : 0", good, 1}, // 0.1 is 0.1, not its nearest binary fraction
		{"try(reward.gaia.answer.score, -1)", scores(failed("judge is down", true), sdk.Scored{}), -1},
		{"try(reward.gaia.answer, 0) + reward.format.tags", scores(failed("judge is down", true), sdk.Scored{Score: 2}), 2},
		{"try(local.shaped, 5)", scores(failed("judge is down", true), sdk.Scored{Score: 2}), 5},
		{"reward.format.tags.score > 0 ? reward.format.tags.score : reward.gaia.answer.score",
			scores(failed("x", false), sdk.Scored{Score: 2}), 2},
	} {
		t.Run(tc.expression, func(t *testing.T) {
			got, err := settings(t, "reward = "+tc.expression).Reward.Number(tc.in)
			if err != nil || got != tc.want {
				t.Errorf("got %v, %v; want %v", got, err, tc.want)
			}
		})
	}
}

func TestExpression_FailsInsteadOfInventing(t *testing.T) {
	for name, tc := range map[string]struct {
		expression string
		in         spec.Inputs
		want       string
		retryable  bool
	}{
		"a reward failed": {"reward.gaia.answer.score", scores(failed("judge is down", true), sdk.Scored{}),
			"reward.gaia.answer: judge is down", true},
		"a bare reward failed": {"2 * reward.gaia.answer", scores(failed("no answer", false), sdk.Scored{}),
			"reward.gaia.answer: no answer", false},
		"inside a local": {"local.shaped", scores(sdk.Scored{}, failed("no tags", false)),
			"reward.format.tags: no tags", false},
		"not scored": {"reward.gaia.answer.score", spec.Inputs{}, "reward.gaia.answer was not scored", false},
		"score is not a number": {"reward.gaia.answer.score", scores(sdk.Scored{Score: math.NaN()}, sdk.Scored{}),
			"not a finite number", false},
		"component is infinite": {"reward.gaia.answer.score",
			scores(sdk.Scored{Components: map[string]float64{"exact": math.Inf(1)}}, sdk.Scored{}),
			"component exact is not a finite number", false},
		"component is missing": {"reward.gaia.answer.components.exact", scores(sdk.Scored{Score: 1}, sdk.Scored{}),
			"reward.gaia.answer " +
				"did not report component exact", false},
		"division by zero": {"1 / reward.gaia.answer.score", scores(sdk.Scored{}, sdk.Scored{}),
			"not return a finite number", false},
		"infinite result": {"pow(10, 400 * reward.gaia.answer.score)", scores(sdk.Scored{Score: 1}, sdk.Scored{}),
			"not return a finite number", false},
		"logarithm of zero": {"log(reward.gaia.answer.score, 10)", scores(sdk.Scored{}, sdk.Scored{}),
			"not return a finite number", false},
		"success is not known": {"reward.gaia.answer.is_success ? 1 : 0", scores(sdk.Scored{Score: 1}, sdk.Scored{}),
			"is_success", false},
		"too large for the wire": {"reward.gaia.answer.score * 1e300 * 1e300", scores(sdk.Scored{Score: 1}, sdk.Scored{}),
			"not return a finite number", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := settings(t, "reward = "+tc.expression).Reward.Number(tc.in)
			var failure *sdk.Failure
			if !errors.As(err, &failure) {
				t.Fatalf("got %v, %v; want a failure", got, err)
			}
			if failure.Class != sdk.FailureReward || !strings.Contains(failure.Detail, tc.want) ||
				failure.Retryable != tc.retryable {
				t.Errorf("got %+v; want a REWARD failure with %q, retryable %v", failure, tc.want, tc.retryable)
			}
		})
	}
}

func TestExpression_AdvanceWhen(t *testing.T) {
	stage := settings(t, "reward = reward.gaia.answer\nstage \"one\" { advance_when = validation.success_rate > 0.8 && validation.reward >= 0.5 }")
	for _, tc := range []struct {
		rate, reward float64
		want         bool
	}{{0.81, 0.5, true}, {0.8, 1, false}, {1, 0.4, false}} {
		got, err := stage.AdvanceWhen.Bool(spec.Inputs{Validation: map[string]float64{"success_rate": tc.rate,
			"reward": tc.reward}})
		if err != nil || got != tc.want {
			t.Errorf("%+v: got %v, %v", tc, got, err)
		}
	}
}

func TestSettings_Judge(t *testing.T) {
	alone := settings(t, "reward = 0.5 * reward.gaia.answer")
	if got, err := alone.Judge(scores(sdk.Scored{Score: 1, IsSuccess: yes()}, sdk.Scored{})); err != nil ||
		got.Reward != 0.5 || got.Success == nil || !*got.Success {
		t.Errorf("success determined by the only reward: got %+v, %v", got, err)
	}
	if got, err := alone.Judge(scores(sdk.Scored{Score: 1}, sdk.Scored{})); err != nil || got.Success != nil {
		t.Errorf("undetermined success: got %+v, %v", got, err)
	}
	both := settings(t, "reward = reward.gaia.answer\nsuccess = reward.format.tags.score >= 1")
	if got := strings.Join(both.Rewards(), " "); got != "reward.format.tags reward.gaia.answer" {
		t.Errorf("the episode must require both rewards: got %s", got)
	}
	if got, err := both.Judge(scores(sdk.Scored{Score: 1, IsSuccess: yes()}, sdk.Scored{})); err != nil ||
		got.Success == nil || *got.Success {
		t.Errorf("success determined by the expression: got %+v, %v", got, err)
	}
	if _, err := both.Judge(scores(sdk.Scored{Score: 1}, failed("down", false))); err == nil {
		t.Error("success is determined without its reward")
	}
}

// Many goroutines judge episodes at once.
func TestExpression_ConcurrentResultsAreIndependent(t *testing.T) {
	stage := settings(t, "reward = try(local.shaped, -1) + min([for r in [reward.gaia.answer, reward.format.tags] : r]...)\nsuccess = reward.gaia.answer.score > 0.5")
	property.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1, 1), 16, 16).Draw(t, "scores")
		var wg sync.WaitGroup
		results := make([]error, len(values))
		for i, v := range values {
			wg.Go(func() { results[i] = judgeOne(stage, v) })
		}
		wg.Wait()
		if err := errors.Join(results...); err != nil {
			t.Fatal(err)
		}
	})
}

func judgeOne(stage *spec.Stage, v float64) error {
	got, err := stage.Judge(scores(sdk.Scored{Score: v}, sdk.Scored{Score: -v}))
	if err != nil {
		return err
	}
	want := 0.25*v + 0.75*-v + math.Min(v, -v)
	if math.Abs(got.Reward-want) > 1e-12 || *got.Success != (v > 0.5) {
		return fmt.Errorf("score %v: got %v %v, want %v", v, got.Reward, *got.Success, want)
	}
	return nil
}

func BenchmarkSettings_Judge(b *testing.B) {
	stage := settings(b, "reward = 0.9 * reward.gaia.answer.score + 0.1 * reward.format.tags.score\nsuccess = reward.gaia.answer.score == 1")
	in := scores(sdk.Scored{Score: 1, Components: map[string]float64{"exact": 1, "numeric": 0, "list": 0}},
		sdk.Scored{Score: 0.5})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stage.Judge(in); err != nil {
			b.Fatal(err)
		}
	}
}
