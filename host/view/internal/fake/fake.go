// Package fake simulates a run's events, for tests and demonstrations of the views.
package fake

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// Start is the start time of the simulated run.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Ending is the run's outcome.
type Ending int

// The endings.
const (
	Completes Ending = iota
	IsStopped        // Ctrl-C at step 31
	Fails            // the environment fails permanently at step 23
)

const (
	steps     = 60
	groups    = 32
	groupSize = 8
)

// Run returns the events for a run with 60 steps: plugin starts, a warm start, validations every ten steps, checkpoints
// every five, a plugin that crashes once, failures in several classes, and text with control sequences.
func Run(ending Ending) []event.Event {
	s := &script{now: Start, random: rand.New(rand.NewPCG(7, 7))}
	s.open()
	s.warmStart()
	s.validate(0, 0.312)
	for step := 1; step <= steps; step++ {
		if ending == Fails && step == 23 {
			s.fail()
			return s.events
		}
		s.step(step)
		if ending == IsStopped && step == 31 {
			s.add(0, event.Interrupted{Stage: event.StopFirst, Source: "SIGINT"})
			s.checkpoint(step)
			s.finish(event.RunStopped, step, "stopped by SIGINT after step 31")
			return s.events
		}
	}
	s.finish(event.RunCompleted, steps, "")
	return s.events
}

type script struct {
	now    time.Time
	random *rand.Rand
	events []event.Event
	seq    uint64
	before float64
	best   event.Value
	after  float64
	reward float64
	path   string
}

func (s *script) add(after time.Duration, payload event.Payload) {
	s.now = s.now.Add(after)
	s.seq++
	s.events = append(s.events, event.Event{Time: s.now, Run: "quickstart-1", Incarnation: 1, Seq: s.seq,
		Payload: payload})
}

var plugins = []event.PluginRef{
	{Instance: "environment.calculator.desk", Component: "calculator", Plugin: "calculator", Version: "0.1.0",
		Source: "bundled"},
	{Instance: "reward.gaia.answer", Component: "gaia", Plugin: "gaia", Version: "0.1.0", Source: "bundled"},
	{Instance: "reward.format.tags", Component: "format", Plugin: "format", Version: "0.1.0", Source: "bundled"},
	{Instance: "adapter.local.grpo", Component: "local", Plugin: "local", Version: "0.1.0", Source: "bundled"},
}

func (s *script) open() {
	s.add(0, event.RunStarted{
		Dir: ".awhost/runs/quickstart-1", Spec: "train.hcl", Mode: event.ModeNew, Plugins: plugins,
		Plan: event.PlanSummary{
			Adapter: "local", Stages: []event.StageSummary{{Name: "quickstart", Steps: steps}}, TotalSteps: steps,
			Prompts: groups, GroupSize: groupSize, TrainTasks: 512, ValidationTasks: 128, Seed: 1,
			Notes: []string{"local renders no tool schemas into its prompts: its context is too small"},
		},
	})
	s.add(0, event.Diagnostics{Diagnostics: []event.Diagnostic{{
		Severity: event.SeverityWarning, Summary: `the knob "tracking.wandb" has no effect`,
		Detail:  "The adapter local writes metrics to the run directory only. Remove the attribute, or choose another adapter.",
		Address: "train.quickstart", Snippet: "    wandb = true",
		Range: &event.Range{File: "train.hcl", Start: event.Position{Line: 41, Column: 5},
			End: event.Position{Line: 41, Column: 10}},
	}}})
	for i := range plugins {
		s.plugin(i, 0, event.PluginStarting, 0, "")
	}
	for i := range plugins {
		s.plugin(i, 60*time.Millisecond, event.PluginReady, 0, "")
	}
	s.add(10*time.Millisecond, event.StageStarted{Name: "quickstart", Total: 1, FirstStep: 1, Steps: steps})
}

func (s *script) plugin(i int, after time.Duration, state event.PluginPhase, restarts int, detail string) {
	ref := plugins[i]
	p := event.PluginState{Instance: ref.Instance, Component: ref.Component, Plugin: ref.Plugin, Version: ref.Version,
		State: state, Restarts: restarts, Detail: detail}
	if state == event.PluginReady {
		p.PID = 41210 + i + 10*restarts
	}
	s.add(after, p)
}

func (s *script) warmStart() {
	for done := 0; done <= 400; done += 10 {
		s.add(300*time.Millisecond, event.Phase{Stage: "quickstart", Name: event.PhaseWarmStart, Done: done, Total: 400,
			Ended: done == 400})
	}
	s.add(0, event.Log{Level: event.LevelInfo, Source: "adapter.local.grpo",
		Message: "warm start: loss 3.91 -> 0.84 over 400 steps"})
	s.checkpoint(0)
}

func (s *script) checkpoint(step int) {
	s.path = fmt.Sprintf(".awhost/runs/quickstart-1/checkpoints/step-%d", step)
	s.add(20*time.Millisecond, event.CheckpointCommitted{Stage: "quickstart", Step: step, Path: s.path,
		Digest: "sha256:1f0c9a", IsKept: step%5 == 0})
}

func (s *script) validate(step int, rate float64) {
	for done := 0; done <= 128; done += 16 {
		s.add(40*time.Millisecond, event.Phase{Stage: "quickstart", Name: event.PhaseValidation, Step: step, Done: done,
			Total: 128, Ended: done == 128})
	}
	if step == 0 {
		s.before = rate
	}
	isBest := step > 0 && rate > s.after
	if isBest {
		s.best = event.Known(float64(step))
	}
	s.after = rate
	failed := 0
	if step == 30 {
		failed = 2
	}
	s.add(0, event.ValidationFinished{
		Stage: "quickstart", Step: step, SuccessRate: event.Known(rate), Reward: event.Known(0.9*rate + 0.05), Episodes: 128,
		Failed: failed, IsBest: isBest, Seconds: 0.36, Metrics: event.Metrics{metric.ValidationSuccessRate: rate},
	})
}

func (s *script) step(step int) {
	for done := 0; done <= groups*groupSize; done += 16 {
		s.add(25*time.Millisecond, event.Phase{Stage: "quickstart", Name: event.PhaseRollout, Step: step, Done: done,
			Total: groups * groupSize})
		if step == 22 && done == 128 {
			s.plugin(0, 0, event.PluginRestarting, 1, "signal: killed")
			s.plugin(0, 120*time.Millisecond, event.PluginReady, 1, "")
		}
	}
	for done := 0; done <= 4; done++ {
		s.add(50*time.Millisecond, event.Phase{Stage: "quickstart", Name: event.PhaseUpdate, Step: step, Done: done,
			Total: 4})
	}
	s.trouble(step)
	s.add(5*time.Millisecond, s.report(step))
	if step%5 == 0 {
		s.checkpoint(step)
	}
	if step%10 == 0 {
		s.validate(step, learned(step)-0.02*s.random.Float64())
	}
}

// trouble adds warnings and errors to the log.
func (s *script) trouble(step int) {
	switch step {
	case 3:
		s.add(0, event.Log{Level: event.LevelWarn, Source: "environment.calculator.desk",
			Message: "tool mod: division by zero, answered as a tool error"})
	case 12:
		s.add(0, event.Log{Level: event.LevelWarn, Source: "reward.gaia.answer", Message: "answer " +
			"\x1b[2J\x1b[31m\u202egnp.exe\u202c is not a number"})
	case 18:
		s.add(0, event.Warning{Code: "token_drift", Summary: "a conversation did not extend its chain " +
			"unchanged", Detail: "a new chain was started", Count: 1})
	}
}

// learned returns the policy's success rate at a step.
func learned(step int) float64 { return 0.31 + 0.64/(1+math.Exp(-(float64(step)-28)/7)) }

func (s *script) report(step int) event.StepFinished {
	noise := func(scale float64) float64 { return scale * s.random.NormFloat64() }
	success := math.Min(1, math.Max(0, learned(step)+noise(0.03)))
	s.reward = 0.9*success + 0.08 + noise(0.004)
	failures := map[sdk.FailureClass]int{}
	outcomes := map[sdk.Outcome]int{sdk.OutcomeScored: groups*groupSize - 3, sdk.OutcomeTruncated: 2, sdk.OutcomeFailed: 1}
	failures[sdk.FailurePolicy] = 1
	if step == 22 {
		failures = map[sdk.FailureClass]int{sdk.FailurePolicy: 1, sdk.FailureEnvironment: 2, sdk.FailureTimeout: 1}
		outcomes = map[sdk.Outcome]int{sdk.OutcomeScored: groups*groupSize - 6, sdk.OutcomeTruncated: 2, sdk.OutcomeFailed: 2,
			sdk.OutcomeDropped: 2}
	}
	return event.StepFinished{
		Stage: "quickstart", Step: step, Total: steps, Reward: event.Known(s.reward), Success: event.Known(success),
		Episodes: groups * groupSize, Seconds: 0.68, Outcomes: outcomes, Failures: failures, Retries: step / 20,
		Rates: event.Rates{EpisodesPerSecond: event.Known(376 + noise(6)), TokensPerSecond: event.Known(12150 + noise(200))},
		Metrics: event.Metrics{
			metric.Reward: s.reward, metric.Loss: -0.01 + noise(0.002),
			metric.Entropy: 1.4*math.Exp(-float64(step)/40) + noise(0.01),
			metric.KL:      0.0004*float64(step) + math.Abs(noise(0.0004)), metric.ClipFraction: 0.02 + math.Abs(noise(0.01)),
			metric.GradNorm: 0.8 + math.Abs(noise(0.2)), metric.LearningRate: 1e-3 * (1 - float64(step)/70),
			metric.RewardStd: 0.4 * (1 - success), metric.LogprobGap: 3e-6, metric.ZeroVarianceGroups: math.Floor(20 * success),
		},
	}
}

func (s *script) fail() {
	s.plugin(0, 300*time.Millisecond, event.PluginCrashed, 5,
		"exit status 2: panic: runtime error: index out of range [4] with length 4")
	s.finish(event.RunFailed, 22, "environment.calculator.desk died 6 times")
}

func (s *script) finish(outcome event.RunOutcome, step int, reason string) {
	end := event.RunFinished{
		Outcome: outcome, Dir: ".awhost/runs/quickstart-1", Checkpoint: s.path, Digest: "sha256:1f0c9a5be77d20", Step: step,
		TotalSteps: steps,
		Metrics: event.Metrics{metric.Reward: s.reward, metric.ValidationSuccessRate: s.after,
			metric.TrainedFraction: 0.453},
		Before: event.Known(s.before), After: event.Known(s.after), Best: s.best,
		Seconds: event.SecondsOf(s.now.Sub(Start)),
		Exact:   true, Reason: reason, Resumable: outcome != event.RunCompleted, Exit: "ok",
	}
	if outcome == event.RunFailed {
		end.Exit = "plugin_crashed"
		end.Error = &event.Diagnostic{
			Severity: event.SeverityError, Summary: "the environment calculator.desk died 6 times",
			Detail: "Its last words:\n  panic: runtime error: index out of range [4] with length 4\n  calculator.(*Environment).Step(…)\n" +
				"Its whole log is in .awhost/runs/quickstart-1/logs/environment.calculator.desk.log. Repair the plugin, then resume the run.",
			Address: "environment.calculator.desk", Snippet: `environment "calculator" "desk" {}`,
			Range: &event.Range{File: "train.hcl", Start: event.Position{Line: 9, Column: 1},
				End: event.Position{Line: 9, Column: 32}},
		}
	}
	for i := range plugins {
		s.plugin(i, 0, event.PluginStopped, 0, "")
	}
	s.add(50*time.Millisecond, end)
}
