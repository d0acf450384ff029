package run_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/internal/testlevel"
)

// failpoint identifies a disk operation: the n-th on a path with the given suffix, just before or just after it.
type failpoint struct {
	Op, Path string
	N        int64
	After    bool
}

func (f failpoint) String() string {
	when := "before"
	if f.After {
		when = "after"
	}
	return fmt.Sprintf("%s %s %s %d", when, f.Op, strings.ReplaceAll(f.Path, "/", " "), f.N)
}

// disk returns a file system that calls reached at the failpoint, once.
func (f failpoint) disk(reached func()) disk.FS {
	var seen atomic.Int64
	return disk.Hooked(disk.OS, func(op disk.Op) error {
		if op.Name == f.Op && op.Done == f.After && strings.HasSuffix(op.Path, f.Path) && seen.Add(1) == max(1, f.N) {
			reached()
		}
		return nil
	})
}

// failpoints returns the points at which the host commits data: a record, its sync, the manifest.
func failpoints() []failpoint {
	var out []failpoint
	for _, f := range []failpoint{
		{Op: disk.OpWrite, Path: "/journal", N: 4},  // the launch
		{Op: disk.OpSync, Path: "/journal", N: 4},   // its sync, after which the trainer starts
		{Op: disk.OpWrite, Path: "/journal", N: 17}, // an episode, before its result is returned
		{Op: disk.OpSync, Path: "/journal", N: 7},
		{Op: disk.OpSync, Path: "step-000002/manifest.json.tmp"},
		{Op: disk.OpRename, Path: "step-000002/manifest.json"},
		{Op: disk.OpSyncDir, Path: "/step-000002"},
		{Op: disk.OpSyncDir, Path: "/checkpoints", N: 3},
		{Op: disk.OpRename, Path: "step-000004/manifest.json"},
	} {
		after := f
		after.After = true
		out = append(out, f, after)
	}
	return out
}

// setting holds the concurrency and processor count of a run whose processes are killed.
type setting struct{ concurrency, procs int }

// settingsOf returns all settings with AWHOST_SLOW=all, otherwise one of them, in rotation.
func settingsOf(n int) []setting {
	all := []setting{{64, 1}, {1, 2}, {64, 4}, {1, 1}, {64, 2}, {1, 4}}
	if testlevel.All() {
		return all
	}
	return all[n%len(all):][:1]
}

func (s setting) String() string { return fmt.Sprintf("%d at a time on %d", s.concurrency, s.procs) }

func (s setting) rig(t *testing.T) *rig {
	r := newRig(t)
	r.steps, r.concurrency = 4, s.concurrency
	return r
}

// victimsOf returns all processes with AWHOST_SLOW=1, otherwise one of them per failpoint, in rotation.
func victimsOf(n int) []string {
	all := []string{"host", "adapter.scripted.trainer", "environment.scripted.desk", "reward.scripted.answer"}
	if testlevel.Slow() {
		return all
	}
	return all[n%len(all):][:1]
}

// The result of a four-step run does not depend on which process is killed at which failpoint, and each slot counts
// once.
func TestApply_SurvivesDeathsAtFailpoints(t *testing.T) {
	want := setting{4, 2}.rig(t).apply().completes(4)
	n, kills := 0, countKills(t)
	for place, f := range testlevel.Sample(3, failpoints()...) {
		for _, victim := range victimsOf(place + place/4) { // other victims for before and after
			for _, s := range settingsOf(n) {
				kills.rows.Add(1)
				t.Run(fmt.Sprintf("%s %s %s", victim, f, s), func(t *testing.T) {
					t.Parallel()
					r := s.rig(t)
					if victim == "host" {
						r.plan()
						text, err := json.Marshal(f)
						if err != nil {
							t.Fatal(err)
						}
						r.killedHostAt(string(text), fmt.Sprintf("GOMAXPROCS=%d", s.procs))
						kills.done.Add(1)
					} else {
						r.killPluginAt(f, victim, kills)
					}
					equal(t, want, r.apply().completes(4))
				})
			}
			n++
		}
	}
}

// killPluginAt installs a file system that kills the newest process of a plugin at the failpoint, if one is running
// by then.
func (r *rig) killPluginAt(f failpoint, address string, kills *kills) {
	var pid atomic.Int64
	r.on = func(e event.Event) {
		if p, ok := e.Payload.(event.PluginState); ok && p.Instance == address && p.State == event.PluginReady {
			pid.Store(int64(p.PID))
		}
	}
	r.fs = f.disk(func() {
		if victim := pid.Load(); victim > 0 && syscall.Kill(int(victim), syscall.SIGKILL) == nil {
			kills.done.Add(1)
		}
	})
}

// The host is killed while a plugin handles one of its calls, or just after its response.
func TestApply_SurvivesItsDeathInACall(t *testing.T) {
	want := setting{4, 2}.rig(t).apply().completes(4)
	type calls struct{ adapter, environment, reward string }
	n, kills := 0, countKills(t)
	cases := map[string]calls{
		"Train, before any event":  {adapter: "train"},
		"the first checkpoint":     {adapter: "written 0"},
		"Open":                     {environment: "open 6"},
		"Step":                     {environment: "step 15"},
		"Close":                    {environment: "close 4"},
		"Score":                    {reward: "score 5"},
		"Generate":                 {adapter: "generate 2"},
		"the answer of RunEpisode": {adapter: "answered 2"},
		"an update":                {adapter: "update 3"},
		"an announced checkpoint":  {adapter: "announced 3"},
		"the answer of a boundary": {adapter: "decided 2"},
		"the end":                  {adapter: "finished"},
	}
	for _, name := range testlevel.Sample(2, slices.Sorted(maps.Keys(cases))...) {
		c := cases[name]
		for _, s := range settingsOf(n) {
			kills.rows.Add(1)
			t.Run(fmt.Sprintf("%s %s", name, s), func(t *testing.T) {
				t.Parallel()
				r := s.rig(t)
				r.adapter, r.environment, r.reward = killing(c.adapter), killing(c.environment), killing(c.reward)
				r.plan()
				r.killedHostAt("0", fmt.Sprintf("GOMAXPROCS=%d", s.procs))
				kills.done.Add(1)
				equal(t, want, r.apply().completes(4))
			})
		}
		n++
	}
}

// killing returns the attribute of a block that kills the host at a moment.
func killing(moment string) string {
	if moment == "" {
		return ""
	}
	return fmt.Sprintf("kill_host = [%q]", moment)
}

// Plugins die in their own calls, at low and high concurrency.
func TestApply_SurvivesDeathsInCallsAtAnyConcurrency(t *testing.T) {
	want := setting{4, 2}.rig(t).apply().completes(4)
	n := 0
	for name, set := range map[string]func(*rig){
		"trainer in Generate":      func(r *rig) { r.adapter = dying("generate 3") },
		"trainer with an answer":   func(r *rig) { r.adapter = dying("answered 3") },
		"trainer before any event": func(r *rig) { r.adapter = dying("train") },
		"environment in Open":      func(r *rig) { r.environment = dying("open 7") },
		"environment in Step":      func(r *rig) { r.environment = dying("step 11") },
		"reward in Score":          func(r *rig) { r.reward = dying("score 6") },
		"environment twice, reward once": func(r *rig) {
			r.environment, r.reward = dying("open 3", "step 30"),
				dying("score 2")
		},
	} {
		for _, s := range settingsOf(n) {
			t.Run(fmt.Sprintf("%s %s", name, s), func(t *testing.T) {
				t.Parallel()
				r := s.rig(t)
				set(r)
				equal(t, want, r.apply().completes(4))
			})
		}
		n++
	}
}
