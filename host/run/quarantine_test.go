package run_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/internal/testlevel"
)

// A task that kills plugins affects only its own samples. The others are the same as if it had failed without killing
// anything, at any concurrency, and its deaths are not charged to the restart budget.
func TestApply_TaskThatKills(t *testing.T) {
	for name, poison := range map[string]struct {
		rewardType    string
		set           func(*rig, string)
		plugin, class string
		loses         bool // it loses sessions of a running plugin, as after the death of a server behind it
	}{
		"environment": {
			set: func(r *rig, body string) { r.environment = body }, plugin: "environment.scripted.desk", class: "ENVIRONMENT",
		},
		"server behind the environment": {
			set: func(r *rig, body string) { r.environment = body }, plugin: "environment.scripted.desk", class: "ENVIRONMENT",
			loses: true,
		},
		"reward": {
			rewardType: "scripted", set: func(r *rig, body string) { r.reward = body }, plugin: "reward.scripted.answer",
			class: "REWARD",
		},
		"group reward": {
			rewardType: "scripted_group", set: func(r *rig, body string) { r.reward = body },
			plugin: "reward.scripted_group.answer", class: "REWARD",
		},
		"batching reward": {
			rewardType: "scripted_batch", set: func(r *rig, body string) { r.reward = body },
			plugin: "reward.scripted_batch.answer", class: "REWARD",
		},
	} {
		poisoned := func(t *testing.T, body string, concurrency int) *rig {
			r := newRig(t)
			r.concurrency, r.steps = concurrency, 4
			if poison.rewardType != "" {
				r.rewardType = poison.rewardType
			}
			r.train = "max_restarts = 3\n" + `on_failure "environment" { action = ["drop_sample", "mask"] }` + "\n" +
				`on_failure "reward" { action = ["drop_sample", "mask"] }`
			poison.set(r, body)
			return r
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := poisoned(t, `fail = ["sum-1", "probe-1"]`, 4).apply().completes(4)
			for _, concurrency := range testlevel.Sample(2, 1, 4, 64) {
				t.Run(fmt.Sprint(concurrency, " at a time"), func(t *testing.T) {
					t.Parallel()
					body, kills := `kill = ["sum-1", "probe-1"]`, "sum-1 kills "+poison.plugin
					if poison.loses {
						body, kills = `lose = ["sum-1", "probe-1"]`, "sum-1 kills a server behind "+poison.plugin
					}
					got := poisoned(t, body, concurrency).apply().completes(4)
					if diff := cmp.Diff(want.outcomes(), got.outcomes()); diff != "" {
						t.Errorf("what counts (-failing in good order +killing):\n%s", diff)
					}
					if got.Digest != want.Digest || !got.Exact {
						t.Errorf("digest %s, exact %t, want %s", got.Digest, got.Exact, want.Digest)
					}
					blamed := got.records("task_blamed")
					if len(blamed) == 0 {
						t.Error("no warning")
					}
					for _, b := range blamed {
						if b.Fields["plugin"] != poison.plugin || !slices.Contains([]string{"sum-1", "probe-1"}, b.Fields["task"]) {
							t.Errorf("blamed: %+v", b)
						}
					}
					if !slices.ContainsFunc(payloads[event.Warning](got), func(w event.Warning) bool {
						return w.Code == "task_blamed" && strings.Contains(w.Summary, kills)
					}) {
						t.Error("nothing is shown")
					}
				})
			}
		})
	}
}

// A plugin that dies under every task is itself broken. That finally ends the run, with this reason.
func TestApply_PluginThatAlwaysDies(t *testing.T) {
	want := newRig(t).apply().completes(3)
	for _, concurrency := range []int{1, 64} {
		t.Run(fmt.Sprint(concurrency, " at a time"), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.concurrency = concurrency
			r.train = "max_restarts = 4"
			// Steps that arrive while the process dies must not be answered.
			r.environment = `die_always = ["step 1", "step 2", "step 3", "step 4"]`
			e := r.apply().ends(event.RunFailed, run.ExitPlugin)
			e.addsUp()
			if !e.Resumable || !strings.Contains(e.Reason, "killed") {
				t.Errorf("resumable %t: %s", e.Resumable, e.Reason)
			}
			r.environment = ""
			equal(t, want, r.apply().completes(3))
		})
	}
}

// The quarantine persists when the host is killed and resumed.
func TestApply_QuarantineOutlivesTheHost(t *testing.T) {
	poisoned := func(r *rig) *rig {
		r.steps, r.data = 4, 3 // the task occurs again
		r.environment = `kill = ["sum-1"]`
		return r
	}
	want := poisoned(newRig(t)).apply().completes(4)
	r := poisoned(newRig(t))
	r.on = func(e event.Event) {
		if c, ok := e.Payload.(event.CheckpointCommitted); ok && c.Step == 2 {
			close(r.abort)
		}
	}
	first := r.apply()
	if first.Outcome != event.RunAborted {
		t.Fatalf("%s: %s", first.Outcome, first.Reason)
	}
	before := len(first.records("task_blamed"))
	r.on = nil
	got := r.apply().completes(4)
	equal(t, want, got)
	if after := len(got.records("task_blamed")); before == 0 || after != before {
		t.Errorf("%d tasks were blamed before the stop, %d after the end", before, after)
	}
}

// outcomes returns the counted episodes without untrained conversations, because conversations of a quarantined task
// never begin.
func (e *ended) outcomes() []string {
	e.t.Helper()
	lines := e.counted()
	for i := range lines {
		lines[i] = untrained.ReplaceAllString(lines[i], "$1")
	}
	return lines
}

var untrained = regexp.MustCompile(`(DROPPED|FAILED)( sha256:\w+:false)+`)
