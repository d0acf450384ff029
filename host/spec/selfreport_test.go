package spec_test

import (
	"errors"
	"math"
	"testing"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// own loads a train block with these attributes, whose team is an agent of a plugin that leads another agent.
func own(t testing.TB, attributes string) *spec.Stage {
	t.Helper()
	dir := write(t, map[string]string{"a.jsonl": "", "train.hcl": `
dataset "jsonl" "a" { path = "a.jsonl" }
agent "script" "mine" { file = "mine" }
agent "script" "other" { max_turns = 8 }
agent "react" "solver" {}
swarm "team" "both" { members = [agent.script.mine, agent.script.other, agent.react.solver] }
reward "gaia" "answer" {}
adapter "local" "x" {}
locals {
  own = try(agent.script.mine.reward, reward.gaia.answer.score)
}
train "x" {
  agent   = swarm.team.both
  dataset = dataset.jsonl.a
  adapter = adapter.local.x
  steps   = 1
` + attributes + "\n}\n"})
	s, problems := spec.Load(dir+"/train.hcl", spec.Options{Schemas: fakePlugins{}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return s.Trains["x"].Stages[0]
}

func says(reward float64) spec.SelfReport { return spec.SelfReport{Reward: &reward} }

func no() *bool { b := false; return &b }

func TestExpression_AnAgentsOwnReward(t *testing.T) {
	inputs := func(mine spec.SelfReport, answer sdk.Scored) spec.Inputs {
		return spec.Inputs{
			Rewards: map[string]sdk.Scored{"reward.gaia.answer": answer},
			Agents:  map[string]spec.SelfReport{"agent.script.mine": mine},
		}
	}
	right := sdk.Scored{Score: 1, IsSuccess: yes()}
	solved := spec.SelfReport{Reward: says(0.25).Reward, IsSuccess: yes()}
	for _, tc := range []struct {
		expression string
		in         spec.Inputs
		want       float64
	}{
		{"agent.script.mine.reward", inputs(says(0.25), right), 0.25},
		{`2 * agent["script"].mine.reward`, inputs(says(0.25), right), 0.5},
		{"agent.script.mine.is_success ? agent.script.mine.reward : -1", inputs(solved, right), 0.25},
		{"agent.script.mine.reward / agent.script.other.max_turns", inputs(says(4), right), 0.5},
		{"agent.script.mine.reward / agent.script.mine.max_turns", inputs(says(4), right), 1},
		{"try(agent.script.mine.reward, reward.gaia.answer.score)", inputs(says(0.25), right), 0.25},
		{"try(agent.script.mine.reward, reward.gaia.answer.score)", inputs(spec.SelfReport{}, right), 1},
		{"try(agent.script.mine.reward, reward.gaia.answer.score)", inputs(says(math.NaN()), right), 1},
		{"can(agent.script.mine.reward) ? 1 : 0", inputs(spec.SelfReport{IsSuccess: yes()}, right), 0},
		{"try(agent.script.other.reward, 0) + agent.script.mine.reward", inputs(says(2), right), 2},
		{"try(local.own, -1)", inputs(says(0.25), failed("judge is down", false)), 0.25},
		{"try(local.own, -1)", inputs(spec.SelfReport{}, failed("judge is down", false)), -1},
	} {
		got, err := own(t, "reward = "+tc.expression).Reward.Number(tc.in)
		if err != nil || got != tc.want {
			t.Errorf("%s: got %v, %v; want %v", tc.expression, got, err, tc.want)
		}
	}
}

func TestExpression_AMissingRewardOfAnAgentIsAFailure(t *testing.T) {
	for _, tc := range []struct {
		expression string
		mine       spec.SelfReport
		want       string
	}{
		{"agent.script.mine.reward", spec.SelfReport{}, "agent.script.mine did not report a reward"},
		{"local.own + agent.script.mine.reward", spec.SelfReport{IsSuccess: yes()},
			"agent.script.mine did not report a reward"},
		{"agent.script.mine.reward", says(math.Inf(1)), "agent.script.mine reported a reward that is not a finite number"},
		{
			"agent.script.mine.reward + (agent.script.mine.is_success ? 1 : 0)", says(1),
			"agent.script.mine did not report is_success",
		},
	} {
		got, err := own(t, "reward = "+tc.expression).Reward.Number(spec.Inputs{
			Rewards: map[string]sdk.Scored{"reward.gaia.answer": {Score: 1}},
			Agents:  map[string]spec.SelfReport{"agent.script.mine": tc.mine},
		})
		var failure *sdk.Failure
		if !errors.As(err, &failure) || failure.Class != sdk.FailureReward || failure.Detail != tc.want {
			t.Errorf("%s: got %v, %v; want a REWARD failure: %s", tc.expression, got, err, tc.want)
		}
	}
}

func TestSettings_JudgeWithOwnRewards(t *testing.T) {
	mine := map[string]spec.SelfReport{"agent.script.mine": {Reward: says(0.5).Reward, IsSuccess: no()}}
	alone := own(t, "reward = agent.script.mine.reward")
	got, err := alone.Judge(spec.Inputs{Agents: mine})
	if err != nil || got.Reward != 0.5 || got.Success == nil || *got.Success {
		t.Errorf("success determined by the only reward: got %+v, %v", got, err)
	}
	if got := alone.OwnRewards(); len(got) != 1 || got[0] != "agent.script.mine" || len(alone.Rewards()) != 0 {
		t.Errorf("agents %v, rewards %v", got, alone.Rewards())
	}
	either := own(t, "reward = local.own\nsuccess = try(agent.script.mine.is_success, reward.gaia.answer.is_success)")
	in := spec.Inputs{Rewards: map[string]sdk.Scored{"reward.gaia.answer": {Score: 1, IsSuccess: yes()}}, Agents: mine}
	if got, err := either.Judge(in); err != nil || got.Reward != 0.5 || *got.Success {
		t.Errorf("got %+v, %v", got, err)
	}
	in.Agents = nil
	if got, err := either.Judge(in); err != nil || got.Reward != 1 || !*got.Success {
		t.Errorf("got %+v, %v", got, err)
	}
}
