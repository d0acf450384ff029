package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Failures follow the policy: the outcome of an episode without a reward, and its use by the trainer.
func TestFailures_FollowThePolicy(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*rig)
		class    sdk.FailureClass
		outcome  sdk.Outcome
		use      sdk.Consumption
		attempts int // at least one episode had this number
		scored   bool
	}{
		"the environment fails: dropped after two retries": {
			change: func(r *rig) { r.environment = `fail = ["sum-0", "sum-1"]` },
			class:  sdk.FailureEnvironment, outcome: sdk.OutcomeDropped, use: sdk.ConsumedFiltered, attempts: 3,
		},
		"the environment fails: masked": {
			change: func(r *rig) {
				r.environment = `fail = ["sum-0", "sum-1"]`
				r.train = "on_failure \"environment\" { action = [\"mask\"] }"
			},
			class: sdk.FailureEnvironment, outcome: sdk.OutcomeFailed, use: sdk.ConsumedMasked, attempts: 1,
		},
		"the environment fails: the group goes": {
			change: func(r *rig) {
				r.environment = `fail = ["sum-0", "sum-1"]`
				r.train = "on_failure \"environment\" { action = [\"drop_group\"] }"
			},
			class: sdk.FailureEnvironment, outcome: sdk.OutcomeDropped, use: sdk.ConsumedFiltered, attempts: 1,
		},
		"the environment fails under a call by MCP, and its program does not end: masked": {
			change: func(r *rig) {
				r.agent, r.environment = "over_http = true\n  by_mcp = true", `spoil = ["sum-0", "sum-1"]`
				r.train = "on_failure \"environment\" { action = [\"mask\"] }"
			},
			class: sdk.FailureEnvironment, outcome: sdk.OutcomeFailed, use: sdk.ConsumedMasked, attempts: 1,
		},
		"the reward cannot judge": {
			change: func(r *rig) { r.reward = `fail = ["sum-0", "sum-1"]` },
			class:  sdk.FailureReward, outcome: sdk.OutcomeDropped, use: sdk.ConsumedFiltered, attempts: 1,
		},
		"the engine breaks": {
			change: func(r *rig) { r.adapter = `misbehave = ["lose the engine"]`; r.steps = 4 },
			class:  sdk.FailureModel, outcome: sdk.OutcomeDropped, use: sdk.ConsumedFiltered, attempts: 3,
		},
		"the policy mumbles: scored": {
			change: func(r *rig) { r.adapter = `misbehave = ["mumble"]` }, scored: true,
			outcome: sdk.OutcomeScored, use: sdk.ConsumedTrained, attempts: 1,
		},
		"the policy mumbles: masked": {
			change: func(r *rig) {
				r.adapter = `misbehave = ["mumble"]`
				r.train = "on_failure \"policy\" { action = [\"mask\"] }"
			},
			class: sdk.FailurePolicy, outcome: sdk.OutcomeFailed, use: sdk.ConsumedMasked, attempts: 1,
		},
		"the policy mumbles: drawn again": {
			change: func(r *rig) {
				r.adapter = `misbehave = ["mumble"]`
				r.train = "on_failure \"policy\" { action = [\"retry\", \"score\"] }"
			},
			scored: true, outcome: sdk.OutcomeScored, use: sdk.ConsumedTrained, attempts: 2,
		},
		"the policy rambles: scored": {
			change: func(r *rig) { r.adapter = `misbehave = ["ramble"]` }, scored: true,
			outcome: sdk.OutcomeTruncated, use: sdk.ConsumedTrained, attempts: 1,
		},
		"the policy rambles: masked": {
			change: func(r *rig) {
				r.adapter = `misbehave = ["ramble"]`
				r.train = "limits { overlong = \"mask\" }"
			},
			outcome: sdk.OutcomeTruncated, use: sdk.ConsumedMasked, attempts: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			c.change(r)
			r.train += "\n  circuit_breaker { failed_fraction = 1 }"
			e := r.apply().completes(r.steps)
			found, attempts := 0, 0
			for episode, err := range e.run().Episodes(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				checkNumber(t, episode)
				attempts = max(attempts, episode.Attempt)
				if episode.Slot.Split != sdk.SplitTrain || episode.Outcome != c.outcome || episode.Use != c.use {
					continue
				}
				class := sdk.FailureClass("")
				if episode.Failure != nil {
					class = episode.Failure.Class
				}
				if class == c.class && (episode.Reward != nil) == c.scored {
					found++
				}
			}
			if found == 0 || attempts < c.attempts {
				t.Errorf("no episode was %s, used as %s because of %q; most attempts %d", c.outcome, c.use, c.class, attempts)
				for _, line := range e.counted() {
					t.Log(line)
				}
			}
		})
	}
}

// checkNumber checks that a failure never has a reward, and that an episode without a reward is not trained.
func checkNumber(t *testing.T, e runstore.Episode) {
	t.Helper()
	trained := false
	for _, c := range e.Chains {
		trained = trained || c.Train
	}
	switch {
	case e.Failure != nil && e.Reward != nil:
		t.Errorf("%s failed with %s and has the reward %v", e.EpisodeID, e.Failure.Class, *e.Reward)
	case e.Reward == nil && trained, e.Masked && trained, e.Slot.Split == sdk.SplitValidation && trained:
		t.Errorf("%s is %s and its chains are trained", e.EpisodeID, e.Outcome)
	case e.Use == sdk.ConsumedTrained && e.Reward == nil:
		t.Errorf("%s was trained without a reward", e.EpisodeID)
	}
}

// In validation a failed episode stays in the denominator as unsolved, and is counted separately.
func TestFailures_InValidation(t *testing.T) {
	r := newRig(t)
	r.environment = `fail = ["probe-1"]`
	e := r.apply().completes(3)
	for _, pass := range payloads[event.ValidationFinished](e) {
		rate, _ := pass.SuccessRate.Get()
		if pass.Episodes != 3 || pass.Failed != 1 || pass.Failures[sdk.FailureEnvironment] != 1 || rate > 2.0/3 {
			t.Errorf("%+v", pass)
		}
	}
	if e.addsUp().Validated != 9 {
		t.Error("failed episodes do not count")
	}
}

// A group-relative reward is called for the survivors of a group.
func TestFailures_GroupReward(t *testing.T) {
	r := newRig(t)
	r.rewardType = "scripted_group"
	r.adapter = `misbehave = ["lose the engine"]`
	r.steps = 4
	r.train = "min_group = 1\n  circuit_breaker { failed_fraction = 1 }"
	e := r.apply().completes(4)
	outcomes := map[sdk.Outcome]int{}
	for _, step := range payloads[event.StepFinished](e) {
		for outcome, n := range step.Outcomes {
			outcomes[outcome] += n
		}
	}
	if outcomes[sdk.OutcomeScored] == 0 || outcomes[sdk.OutcomeDropped] == 0 {
		t.Errorf("outcomes: %v", outcomes)
	}
}

// An outcome that depended on the duration of an operation makes the run inexact. The reason is reported, even after
// a resume.
func TestFailures_OfTimeMakeARunInexact(t *testing.T) {
	r := newRig(t)
	r.environment = `hang = ["sum-3"]`
	r.train = `episode_timeout = "3s"
  on_failure "timeout" { action = ["mask"] }`
	r.steps = 3
	e := r.apply().completes(3)
	if e.Exact || !strings.Contains(e.Reason, "how long") {
		t.Errorf("exact: %t, %q", e.Exact, e.Reason)
	}
	if f := e.summary().Finish; f.Exact || f.Inexact == "" {
		t.Errorf("on record: %+v", f)
	}
}

// A trainer without boundaries is asked to end. Its work after the step that tripped the breaker does not count.
func TestBreaker_TripsWithoutBoundaries(t *testing.T) {
	r := newRig(t)
	r.steps, r.adapter = 1000, "barrier = false"
	r.reward = `fail = ["sum-1", "sum-2", "sum-3", "sum-4", "sum-0"]`
	r.train = `circuit_breaker {
    failed_fraction = 0.4
    window          = 6
    min_episodes    = 5
  }`
	e := r.apply().ends(event.RunFailed, run.ExitGuard)
	e.addsUp()
	if e.Step != 2 || !strings.Contains(e.Reason, "circuit breaker") || !strings.Contains(e.Reason, ", the newest: ") ||
		e.summary().Step != 2 { // four episodes a step
		t.Errorf("it stopped at step %d: %s", e.Step, e.Reason)
	}
	stopped := func(f event.Finding) bool { return f.ID == findings.Stopped && f.Last == 2 && f.Summary == e.Reason }
	if !slices.ContainsFunc(e.found(), stopped) {
		t.Errorf("not among the findings: %+v", e.found())
	}
}

// The circuit breaker stops a run after the same step in every repetition, and the step counts.
func TestBreaker_TripsRepeatably(t *testing.T) {
	broken := func(t *testing.T, concurrency int, more string) *ended {
		r := newRig(t)
		r.steps, r.concurrency, r.data = 8, concurrency, 40
		r.reward = `fail = ["sum-1", "sum-2", "sum-3", "sum-5", "sum-8", "sum-13", "sum-21", "sum-34", "sum-7", "sum-11", "sum-17", "sum-19"]`
		r.train = `circuit_breaker {
    failed_fraction = 0.4
    window          = 6
    min_episodes    = 5
  }` + more
		return r.apply().ends(event.RunFailed, run.ExitGuard)
	}
	want := broken(t, 1, "")
	if want.Step < 1 || want.Step > 7 || !strings.Contains(want.Reason, "circuit breaker") ||
		!strings.Contains(want.Reason, "REWARD") {
		t.Fatalf("it stopped at step %d: %s", want.Step, want.Reason)
	}
	if want.Error == nil || want.Error.Summary == "" || !want.Resumable {
		t.Errorf("%+v", want.RunFinished)
	}
	for _, concurrency := range []int{4, 64} {
		equal(t, want, broken(t, concurrency, ""))
	}
	if want.summary().Step != want.Step {
		t.Error("the step does not count")
	}
}

// The breaker's window is part of a commit: interrupted or not, it trips at the same step. It trips once.
func TestBreaker_RemembersAcrossResume(t *testing.T) {
	make := func(t *testing.T) *rig {
		r := newRig(t)
		r.steps, r.data = 8, 40
		r.reward = `fail = ["sum-1", "sum-2", "sum-3", "sum-5", "sum-8", "sum-13", "sum-21", "sum-34", "sum-7", "sum-11", "sum-17", "sum-19"]`
		r.train = `circuit_breaker {
    failed_fraction = 0.4
    window          = 12
    min_episodes    = 12
  }`
		return r
	}
	want := make(t).apply().ends(event.RunFailed, run.ExitGuard)
	if want.Step < 2 {
		t.Fatalf("it trips at step %d, too early for this test", want.Step)
	}
	stopped := make(t)
	stopped.gate(event.PhaseRollout, want.Step-1, func() { close(stopped.stop) })
	stopped.apply().ends(event.RunStopped, run.ExitStopped)
	stopped.on = nil
	equal(t, want, stopped.apply().ends(event.RunFailed, run.ExitGuard))

	killed := make(t)
	killed.adapter = dying(fmt.Sprintf("update %d", want.Step), fmt.Sprintf("decided %d", want.Step))
	equal(t, want, killed.apply().ends(event.RunFailed, run.ExitGuard))
}

// fail_run ends the run with the failure.
func TestFailures_FailRun(t *testing.T) {
	r := newRig(t)
	r.environment = `fail = ["sum-0", "sum-1", "sum-2"]`
	r.train = `on_failure "environment" { action = ["fail_run"] }`
	e := r.apply().ends(event.RunFailed, run.ExitFailed)
	if !strings.Contains(e.Reason, "the desk is broken") || !strings.Contains(e.Reason, "fail_run") || !e.Resumable {
		t.Errorf("%+v", e.RunFinished)
	}
}

// A full disk stops the run, which can be resumed. The error includes the remedy.
func TestApply_DiskFull(t *testing.T) {
	want := newRig(t).apply().completes(3)
	for name, full := range map[string]func(op disk.Op, writes int) bool{
		"the journal":    func(op disk.Op, n int) bool { return strings.HasSuffix(op.Path, "/journal") && n > 25 },
		"the metrics":    func(op disk.Op, _ int) bool { return strings.HasSuffix(op.Path, "/metrics.jsonl") },
		"a manifest":     func(op disk.Op, _ int) bool { return strings.HasSuffix(op.Path, "step-000002/manifest.json.tmp") },
		"nearly nothing": func(op disk.Op, n int) bool { return strings.HasSuffix(op.Path, "/journal") && n > 12 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			writes := 0
			r.fs = disk.Hooked(disk.OS, func(op disk.Op) error {
				if op.Done || op.Name != disk.OpWrite {
					return nil
				}
				if writes++; full(op, writes) {
					return &fs.PathError{Op: "write", Path: op.Path, Err: syscall.ENOSPC}
				}
				return nil
			})
			first := r.apply()
			r.receivedNothingFinal()
			if first.Outcome != event.RunFailed || first.Code != run.ExitFailed || !first.Resumable ||
				!strings.Contains(first.Reason, "free some disk space") {
				t.Errorf("it ended as %s, exit %s: %s", first.Outcome, first.Exit, first.Reason)
			}
			first.addsUp()
			r.fs = nil
			equal(t, want, r.apply().completes(3))
		})
	}
}

// When run ends for any reason, its trainer only learns that the host no longer exists: no episode fails or is canceled
// because of that. The resumed run has the same result.
func TestApply_WhatEndsTheRunIsNoResult(t *testing.T) {
	want := newRig(t).apply().completes(3)
	for name, end := range map[string]struct {
		set  func(*rig)
		code run.ExitCode
	}{
		"fail_run": {func(r *rig) {
			r.environment = `fail = ["sum-1"]`
			r.train = `on_failure "environment" { action = ["fail_run"] }`
		}, run.ExitFailed},
		"a spent restart budget": {func(r *rig) {
			r.environment = `die_always = ["step 9"]`
			r.train = "max_restarts = 0"
		}, run.ExitPlugin},
		"an abort": {func(r *rig) {
			abort := once(func() { close(r.abort) })
			r.on = func(e event.Event) {
				c, ok := e.Payload.(event.CheckpointCommitted)
				abort(ok && c.Step == 1)
			}
		}, run.ExitAborted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			end.set(r)
			if first := r.apply(); first.Code != end.code || !first.Resumable {
				t.Errorf("it ended as %s, exit %s: %s", first.Outcome, first.Exit, first.Reason)
			}
			r.receivedNothingFinal()
			if name == "fail_run" { // it continues as it began: the reaction to failures is part of the run's identity
				return
			}
			r.environment, r.train, r.on = "", "", nil
			equal(t, want, r.apply().completes(3))
		})
	}
}

// receivedNothingFinal checks the answers that the trainer received instead of results.
func (r *rig) receivedNothingFinal() {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "control", fakeplugin.Answers))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != fakeplugin.Unavailable {
			r.t.Errorf("the trainer received %q", line)
		}
	}
}

// A secret of the spec is in no file of the run and in no event, although plugins log and return it.
func TestApply_KeepsSecrets(t *testing.T) {
	const secret = "hunter2-canary\"x"
	r := newRig(t)
	r.environ = map[string]string{"TOKEN": secret}
	r.verbose = true
	r.adapter = `token = env("TOKEN")
  misbehave = ["lose the engine"]
  die = ["update 2"]`
	r.environment = `token = env("TOKEN")
  fail = ["sum-1"]`
	r.reward = `token = env("TOKEN")
  fail = ["sum-2"]`
	r.train = "circuit_breaker { failed_fraction = 1 }"
	e := r.apply().completes(3)
	told := 0
	for _, published := range e.events {
		text, err := json.Marshal(published.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("hunter2-canary")) {
			t.Errorf("in an event: %s", text)
		}
		told += strings.Count(string(text), "(sensitive)")
	}
	if told == 0 {
		t.Error("no plugin told the secret: the test shows nothing")
	}
	for record, err := range e.run().Records(position) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(record.Data, []byte("hunter2-canary")) {
			t.Errorf("in the journal: %s", record.Data)
		}
	}
	err := filepath.WalkDir(e.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Base(filepath.Dir(path)) == "logs" { // the plugin's own output
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("hunter2-canary")) {
			t.Errorf("in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	failing := newRig(t)
	failing.environ = r.environ
	failing.adapter = `token = env("TOKEN")
  misbehave = ["fail with its token"]`
	f := failing.apply().ends(event.RunFailed, run.ExitFailed)
	if strings.Contains(f.Reason+f.Error.Detail+f.summary().Finish.Reason, "hunter2") ||
		!strings.Contains(f.Reason, "(sensitive)") {
		t.Errorf("the reason tells it: %s", f.Reason)
	}
}

// The private part of a task is passed only to rewards that need it, and is not recorded.
func TestApply_HidesTheAnswer(t *testing.T) {
	r := newRig(t)
	r.write("data/demos.jsonl", `{"id":"d","prompt":"x","ground_truth":"truth-canary"}`)
	r.more = `dataset "jsonl" "demos" { path = "data/demos.jsonl" }`
	r.adapter = `dataset = dataset.jsonl.demos`
	r.verbose = true
	e := r.apply().completes(3)
	same := newRig(t)
	same.write("data/demos.jsonl", `{"id":"d","prompt":"x","ground_truth":"something else"}`)
	same.more, same.adapter = r.more, r.adapter
	if other := same.apply().completes(3); other.Digest != e.Digest {
		t.Error("the trainer has seen the private part of a task")
	}
	for record, err := range e.run().Records(position) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(record.Data, []byte("ground_truth")) {
			t.Errorf("on record: %s", record.Data)
		}
	}
}
