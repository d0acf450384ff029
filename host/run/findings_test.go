package run_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// found returns a run's recorded findings without their examples, whose ids name the launch.
func (e *ended) found() []event.Finding {
	e.t.Helper()
	list, err := e.run().Findings(math.MaxInt)
	if err != nil {
		e.t.Fatal(err)
	}
	for i := range list {
		list[i].Episodes = nil
	}
	return list
}

// A fault is found while the run continues, published once as new, and recorded.
func TestFindings_ArePublishedAndRecorded(t *testing.T) {
	r := newRig(t)
	r.steps, r.data, r.reward = 5, 2, "flat = true"
	e := r.apply().completes(5)
	var news []string
	for _, f := range payloads[event.Finding](e) {
		if f.New {
			news = append(news, f.ID)
		}
	}
	if !slices.Equal(news, []string{"validation_in_training", "constant_reward", "nothing_learned"}) {
		t.Errorf("published as new: %q", news)
	}
	recorded := e.found()
	if len(recorded) != 3 || recorded[1].First != 3 || recorded[1].Last != 5 || recorded[1].Remedy == "" {
		t.Fatalf("recorded: %+v", recorded)
	}
	// A fault in the tasks is found before the first step.
	if f := recorded[0]; f.ID != findings.ValidationInTraining || f.Stage != "main" || f.First != 0 || f.Last != 0 ||
		f.Numbers["found"] != 2 {
		t.Errorf("recorded: %+v", f)
	}
}

// A run that is killed and resumed has the findings of an uninterrupted one.
func TestFindings_SurviveAKill(t *testing.T) {
	whole := newRig(t)
	whole.steps, whole.data, whole.reward = 6, 2, "flat = true"
	want := whole.apply().completes(6).found()
	for _, step := range []string{"step-000002", "step-000004"} {
		t.Run(step, func(t *testing.T) {
			r := newRig(t)
			r.steps, r.data, r.reward = 6, 2, "flat = true"
			r.plan()
			at, err := json.Marshal(failpoint{Op: disk.OpRename, Path: step + "/manifest.json", After: true})
			if err != nil {
				t.Fatal(err)
			}
			r.killedHostAt(string(at))
			if diff := cmp.Diff(want, r.apply().completes(6).found()); diff != "" {
				t.Errorf("(-uninterrupted +resumed):\n%s", diff)
			}
		})
	}
}

// A run that is killed between two checkpoints repeats steps. Their findings count once, whether the trainer is found
// again or another one starts.
func TestFindings_CountRepeatedStepsOnce(t *testing.T) {
	rig := func(t *testing.T, script string) *rig {
		r := outliving(t, "checkpoint_every = 5", script)
		r.steps, r.data, r.reward = 9, 5, "flat = true"
		return r
	}
	want := rig(t, "").apply().completes(9).found()
	if len(want) != 3 || want[1].First != 3 || want[1].Last != 9 {
		t.Fatalf("without a kill: %+v", want)
	}
	for script, killed := range map[string]bool{
		`die = ["update 5"]`: false, `die = ["update 8"]`: false, `kill_host = ["rollout 8"]`: true,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			r := rig(t, script)
			if killed {
				r.plan()
				r.killedHost(never)
			}
			e := r.apply().completes(9)
			if diff := cmp.Diff(want, e.found()); diff != "" {
				t.Errorf("(-undisturbed +repeated):\n%s", diff)
			}
			for _, f := range payloads[event.Finding](e) {
				if f.First > f.Last {
					t.Errorf("%s from step %d to %d", f.ID, f.First, f.Last)
				}
			}
		})
	}
}

// A trainer's comparison of policies leads to a finding with the worst token, and to metrics.
func TestFindings_ComparePolicies(t *testing.T) {
	r := newRig(t)
	r.steps, r.adapter = 4, `misbehave = ["keep the sampler's weights"]`
	e := r.apply().completes(4)
	var gaps []event.Finding
	for _, f := range payloads[event.Finding](e) {
		if f.ID == "policy_gap" {
			gaps = append(gaps, f)
		}
	}
	if len(gaps) != 3 || gaps[0].First != 2 || gaps[0].Severity != event.FindingError || len(gaps[0].Episodes) != 1 {
		t.Fatalf("found %+v", gaps)
	}
	if f := gaps[0]; !strings.Contains(f.Summary, "token 7 of "+f.Episodes[0]) || f.Numbers[metric.LogprobGapMean] != 0.1 {
		t.Errorf("found %q with %v", f.Summary, f.Numbers)
	}
}

// TestFindings_ReadTheTrainersMetrics checks the rules that depend only on what a trainer reports, with a scripted one
// that reports a faulty value from a step on. The run continues.
func TestFindings_ReadTheTrainersMetrics(t *testing.T) {
	for rule, test := range map[string]struct {
		report string
		found  int // step
	}{
		"not_finite":        {"train/loss 1 then NaN from 1", 1},
		"entropy_collapse":  {"train/entropy 0.5 then 0.0001 from 3", 5},
		"entropy_explosion": {"train/entropy 0.5 then 3 from 3", 5},
		"kl_spike":          {"train/kl 0.001 then 2 from 6", 6},
		"gradient_spike":    {"train/grad_norm 0.5 then 40 from 6", 6},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.steps, r.adapter = 7, fmt.Sprintf("misbehave = [%q]", "report "+test.report)
			found := r.apply().completes(7).found()
			i := slices.IndexFunc(found, func(f event.Finding) bool { return f.ID == rule })
			if i < 0 || found[i].First != test.found {
				t.Errorf("found %+v; want %s in step %d", found, rule, test.found)
			}
		})
	}
}

// A finding with action = "stop" ends the run after its step, and a resumed run continues.
func TestFindings_StopTheRun(t *testing.T) {
	r := newRig(t)
	r.steps, r.data, r.reward = 8, 2, "flat = true"
	r.train = "findings {\n on \"constant_reward\" { action = \"stop\" }\n}"
	e := r.apply()
	if e.Code != run.ExitGuard || e.Step != 3 || !e.Resumable || !strings.Contains(e.Reason, "constant_reward, found in") {
		t.Errorf("%s after step %d, resumable %v: %s", e.Code.Name, e.Step, e.Resumable, e.Reason)
	}
	stopped := func(f event.Finding) bool { return f.ID == findings.Stopped && f.Summary == e.Reason }
	if !slices.ContainsFunc(e.found(), stopped) {
		t.Errorf("not among the findings: %+v", e.found())
	}
	if e = r.apply(); e.Code != run.ExitGuard || e.Step != 5 { // not 4, in which all is solved
		t.Errorf("resumed: %s after step %d: %s", e.Code.Name, e.Step, e.Reason)
	}
	r.train = "" // what stops may change on resume
	r.apply().completes(8)
}

// Episodes with a finding that masks are not trained. Whether one is masked depends on nothing else.
func TestFindings_Mask(t *testing.T) {
	r := newRig(t)
	r.train, r.adapter = "circuit_breaker { failed_fraction = 1 }", `misbehave = ["ramble"]`
	masked := func() (cut, masked int) {
		t.Helper()
		for e, err := range r.apply().run().Episodes(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Slot.Split != sdk.SplitTrain {
				if e.Masked {
					t.Errorf("%s is masked in validation", e.EpisodeID)
				}
				continue
			}
			if e.Limit != nil {
				cut++
			}
			if e.Masked {
				masked++
				if e.Limit == nil || e.Failure == nil || !strings.Contains(e.Failure.Detail, `on "cut"`) {
					t.Errorf("%s is masked: limit %v, failure %v", e.EpisodeID, e.Limit, e.Failure)
				}
			}
		}
		return cut, masked
	}
	if cut, masked := masked(); cut == 0 || masked != 0 {
		t.Fatalf("without the block, %d are cut and %d masked", cut, masked)
	}
	r.train += "\n findings {\n on \"cut\" { action = \"mask\" }\n}"
	if cut, masked := masked(); cut == 0 || cut != masked {
		t.Errorf("%d are cut and %d masked", cut, masked)
	}
}

// Expectations decide the exit code of a completed run, also when nothing is left to do.
func TestExpect_DecidesTheExitCode(t *testing.T) {
	r := newRig(t)
	r.train = "expect \"some\" { condition = validation.reward >= 0 }"
	for range 2 {
		if e := r.apply(); e.Code != run.ExitOK || len(e.Expected) != 1 || !e.Expected[0].Holds {
			t.Fatalf("%s: %+v", e.Code.Name, e.Expected)
		}
	}
	r.train += "\n expect \"all\" { condition = validation.reward > 100 }"
	for range 2 {
		e := r.apply()
		if e.Code != run.ExitExpectation || e.Exit != "expectation_failed" || e.Outcome != event.RunCompleted {
			t.Errorf("%s, %s: %+v", e.Code.Name, e.Outcome, e.Expected)
		}
		for _, x := range e.Expected {
			if x.Holds != (x.Name == "some") || !strings.Contains(x.Detail, "reward is ") {
				t.Errorf("%+v", x)
			}
		}
	}
}
