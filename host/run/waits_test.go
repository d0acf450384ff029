package run_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/journal/disk"
)

// waitsReceiver receives the function that returns a run's waits.
type waitsReceiver struct{ look chan func() []control.Wait }

// Open implements run.Control.
func (o waitsReceiver) Open(_ string, look func() []control.Wait) error {
	o.look <- look
	return nil
}

// Shut implements run.Control.
func (o waitsReceiver) Shut() {}

// await polls until the run waits for all of want.
func await(t *testing.T, look func() []control.Wait, want []string) {
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	var seen []string
	for end := time.Now().Add(patience); time.Now().Before(end); <-again.C {
		seen = nil
		for _, w := range look() {
			seen = append(seen, fmt.Sprintf("%s: %s %s %s", w.Who, w.For, w.Address, w.Call))
		}
		if !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(seen, w) }) {
			return
		}
	}
	t.Errorf("the run waits for %q, want %q among it", seen, want)
}

// A run that is blocked reports the cause, from its first update to a commit.
func TestApply_SaysWhatItWaitsFor(t *testing.T) {
	for moment, want := range map[string][]string{
		"update 2":   {"run: trainer adapter.scripted.trainer "},
		"generate 2": {"trainer: episodes adapter.scripted.trainer ", "episodes: generate adapter.scripted.trainer Generate"},
		"open 1":     {"trainer: episodes adapter.scripted.trainer ", "episodes: environment environment.scripted.desk Open"},
		"score 1":    {"episodes: reward reward.scripted.answer Score"},
		"commit":     {"trainer: commit adapter.scripted.trainer "},
	} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			looker := waitsReceiver{make(chan func() []control.Wait, 1)}
			r.control = looker
			wait := fmt.Sprintf("\n  wait = [%q]", moment)
			r.adapter, r.environment, r.reward = wait, wait, wait
			asked := make(chan struct{})
			if moment == "commit" {
				r.fs = hooked(disk.OpRename, "step-000002/manifest.json", func() { <-asked })
			}
			go func() {
				defer close(asked)
				await(t, <-looker.look, want)
				r.write(filepath.Join("control", fakeplugin.Go(moment)), "")
			}()
			r.apply().completes(3)
			<-asked
		})
	}
}
