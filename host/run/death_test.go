package run_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// The result of a run does not depend on the death of any process at any time: the same slots count once, with the
// same rewards for the same chains, and the weights are the same.
func TestApply_SurvivesEveryDeath(t *testing.T) {
	want := newRig(t).apply().completes(3)
	type deaths struct{ adapter, environment, reward []string }
	cases := map[string]deaths{
		"trainer at the start":             {adapter: []string{"train"}},
		"trainer in its warm start":        {adapter: []string{"warm start"}},
		"trainer with commit 0 written":    {adapter: []string{"written 0"}},
		"trainer with commit 0 announced":  {adapter: []string{"announced 0"}},
		"trainer in the first validation":  {adapter: []string{"validation 0"}},
		"trainer after the first boundary": {adapter: []string{"decided 0"}},
		"trainer before a rollout":         {adapter: []string{"rollout 2"}},
		"trainer while it samples":         {adapter: []string{"generate 2"}},
		"trainer in an update":             {adapter: []string{"update 2"}},
		"trainer before it announces":      {adapter: []string{"written 2"}},
		"trainer after it announced":       {adapter: []string{"announced 2"}},
		"trainer in a validation":          {adapter: []string{"validation 2"}},
		"trainer after a boundary":         {adapter: []string{"decided 2"}},
		"trainer in the last update":       {adapter: []string{"update 3"}},
		"trainer after the last boundary":  {adapter: []string{"decided 3"}},
		"trainer after its end":            {adapter: []string{"finished"}},
		"trainer four times":               {adapter: []string{"warm start", "generate 1", "announced 2", "decided 3"}},
		"environment at an open":           {environment: []string{"open 5"}},
		"environment at a step":            {environment: []string{"step 9"}},
		"environment at a close":           {environment: []string{"close 2"}},
		"reward":                           {reward: []string{"score 4"}},
		"all of them": {adapter: []string{"update 1"}, environment: []string{"open 3", "step 20"},
			reward: []string{"score 9"}},
	}
	for _, name := range testlevel.Sample(3, slices.Sorted(maps.Keys(cases))...) {
		d := cases[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.adapter, r.environment, r.reward = dying(d.adapter...), dying(d.environment...), dying(d.reward...)
			got := r.apply().completes(3)
			equal(t, want, got)
			for _, k := range payloads[event.PluginState](got) {
				if k.State == event.PluginRestarting && k.Detail == "" {
					t.Errorf("%s died of nothing", k.Instance)
				}
			}
			if !got.Exact {
				t.Error("a death makes a run inexact")
			}
		})
	}
}

// dying returns the attribute of a block that dies at these moments.
func dying(moments ...string) string {
	text, _ := json.Marshal(moments) // strings always have a JSON form
	return "die = " + string(text)
}

// equal compares the results of two runs.
func equal(t *testing.T, want, got *ended) {
	t.Helper()
	if diff := cmp.Diff(want.lineage(), got.lineage()); diff != "" {
		t.Errorf("lineage (-want +got):\n%s", diff)
	}
	if got.Digest != want.Digest {
		t.Errorf("digest %s, want %s", got.Digest, want.Digest)
	}
	measured := cmpopts.IgnoreMapEntries(func(name string, _ float64) bool { return strings.HasSuffix(name, "_seconds") })
	if diff := cmp.Diff(want.Metrics, got.Metrics, measured); diff != "" {
		t.Errorf("final metrics (-want +got):\n%s", diff)
	}
	if !want.Before.Equal(got.Before) || !want.After.Equal(got.After) {
		t.Errorf("success went from %v to %v, want from %v to %v", got.Before, got.After, want.Before, want.After)
	}
}

// hooked calls f before an operation on a path with the given suffix.
func hooked(operation, suffix string, f func()) disk.FS {
	do := once(f)
	return disk.Hooked(disk.OS, func(op disk.Op) error {
		do(!op.Done && op.Name == operation && strings.HasSuffix(op.Path, suffix))
		return nil
	})
}

// The trainer dies while the host commits its step. The commit continues, and ends before the trainer's successor
// starts. Otherwise the two would race for the lineage.
func TestApply_TrainerDiesInACommit(t *testing.T) {
	want := newRig(t).apply().completes(3)
	for _, at := range []struct{ operation, path string }{
		{disk.OpRename, "step-000002"}, {disk.OpSync, "step-000002/weights.json"},
		{disk.OpRename, "step-000002/manifest.json"},
		{disk.OpRename, "step-000000/manifest.json"}, {disk.OpRename, "step-000003/manifest.json"},
		{disk.OpSyncDir, "step-000002"},
	} {
		t.Run(at.operation+" "+strings.ReplaceAll(at.path, "/", " "), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			pid := make(chan int, 10)
			r.on = func(e event.Event) {
				if p, ok := e.Payload.(event.PluginState); ok && p.Instance == "adapter.scripted.trainer" &&
					p.State == event.PluginReady {
					pid <- p.PID
				}
			}
			r.fs = hooked(at.operation, at.path, func() { _ = syscall.Kill(<-pid, syscall.SIGKILL) })
			got := r.apply().completes(3)
			equal(t, want, got)
		})
	}
}

func TestApply_SpentRestartBudget(t *testing.T) {
	want := newRig(t).apply().completes(3)
	for name, body := range map[string]func(*rig){
		"trainer":     func(r *rig) { r.adapter = `die_always = ["update 2"]` },
		"environment": func(r *rig) { r.environment = `die_always = ["open 1"]` },
		"reward":      func(r *rig) { r.reward = `die_always = ["score 1"]` },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.train = "max_restarts = 1"
			body(r)
			e := r.apply().ends(event.RunFailed, run.ExitPlugin)
			e.addsUp()
			if !e.Resumable || e.Error == nil || !strings.Contains(e.Error.Detail, "killed") ||
				!strings.Contains(e.Error.Detail, "max_restarts") {
				t.Errorf("the last words are missing: %+v", e.Error)
			}
			if len(e.records("plugin_restarting")) != 1 || len(e.records("plugin_crashed")) != 1 {
				t.Error("the deaths are not on record")
			}
			// After the cause is removed, the run continues to the same end.
			r.adapter, r.environment, r.reward, r.train = "", "", "", ""
			second := r.apply().completes(3)
			equal(t, want, second)
			if second.dir != e.dir {
				t.Error("another run was made")
			}
		})
	}
}

func TestApply_PluginThatDoesNotStart(t *testing.T) {
	r := newRig(t)
	r.plan() // which calls only the adapter
	r.reward = "strict = true"
	e := r.apply()
	if e.Code != run.ExitPlugin && e.Code != run.ExitUsage || !strings.Contains(e.Reason, "too strict") {
		t.Errorf("exit %s: %s", e.Exit, e.Reason)
	}
	if len(payloads[event.StageStarted](e)) != 0 {
		t.Error("a stage began")
	}
}

// A running plugin that loses an episode causes another attempt of that episode, and has no other effect.
func TestApply_LostSession(t *testing.T) {
	want := newRig(t).apply().completes(3)
	r := newRig(t)
	r.environment = `lost = ["sum-2", "probe-1"]`
	got := r.apply().completes(3)
	equal(t, want, got)
	given := got.records("attempt_given_up")
	if len(given) != 2 || given[0].Fields["plugin"] != "environment.scripted.desk" || given[0].Fields["attempt"] != "1" {
		t.Errorf("%+v", given)
	}
	restarted := 0
	for _, p := range payloads[event.PluginState](got) {
		restarted += p.Restarts
	}
	if restarted != 0 {
		t.Error("a plugin was restarted")
	}
}

// A trainer that is not the process of the current launch, or that violates the protocol, has no effect and is named.
func TestApply_TrainerMisbehaves(t *testing.T) {
	for misbehaviour, want := range map[string]struct {
		code run.ExitCode
		says string
	}{
		"use a stranger":             {run.ExitPlugin, `used episode "nobody", which is not on record`},
		"announce nothing real":      {run.ExitPlugin, "which is not a directory"},
		"run wild":                   {run.ExitPlugin, "completed step 3 without its checkpoint"},
		"end silently":               {run.ExitOK, ""},
		"break off":                  {run.ExitFailed, "the trainer broke off"},
		"ask for another launch":     {run.ExitFailed, "launch another has ended"},
		"fail with its token":        {run.ExitFailed, "log in with"},
		"halt after step 2":          {run.ExitGuard, "the entropy is gone"},
		"keep checkpoints":           {run.ExitOK, ""},
		"ask twice":                  {run.ExitOK, ""},
		"checkpoint at the end only": {run.ExitOK, ""},
	} {
		t.Run(misbehaviour, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.adapter = fmt.Sprintf("misbehave = [%q]", misbehaviour)
			e := r.apply()
			e.addsUp()
			if e.Code != want.code || !strings.Contains(e.Reason, want.says) {
				t.Errorf("exit %s: %s", e.Exit, e.Reason)
			}
			if want.code == run.ExitPlugin && !strings.Contains(e.Reason, "adapter.scripted.trainer") {
				t.Errorf("the adapter is not named: %s", e.Reason)
			}
		})
	}
}

var _ sdk.Host // the interface that the host serves
