package areal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/outliving"
)

// died is a training whose driver has ended, after a step.
func died(t *testing.T, script string, first, last int) *training {
	t.Helper()
	dir := folder(t.TempDir())
	r := &record{Request: sdk.TrainRequest{LaunchID: "died" + strings.ReplaceAll(string(dir), "/", "."), FirstStep: first}, Prompts: 2, GroupSize: 2, Local: true}
	training := newAdapter(config{}, sdk.Setup{}).newTraining(r, dir, nil, func(sdk.TrainEvent) error { return nil })
	training.relay.last = last
	id, err := training.adapter.processes.Start(outliving.Command{
		LaunchID: r.Request.LaunchID, Argv: []string{"/bin/sh", "-c", "echo 'RuntimeError: no more memory'; " + script}, Env: os.Environ(), Dir: string(dir), LogFile: dir.log(),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Process = &id
	training.follow(t.Context())
	t.Cleanup(training.letGo)
	<-training.exited
	return training
}

func TestConclude_ADriverThatDiesAfterAStepIsWorthAnotherStart(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		last   int // FirstStep is 4
		again  bool
	}{
		"after a step":           {"kill -9 $$", 4, true},
		"before any step":        {"kill -9 $$", 3, false},
		"an error after a step":  {"exit 1", 6, true},
		"an error at the start":  {"exit 3", 3, false},
		"a busy machine":         {"echo 'Readiness timeout at 192.0.2.2:20239'; exit 1", 3, true},
		"a port that is taken":   {"echo 'torch.distributed.DistNetworkError: EADDRINUSE, message: address already in use'; exit 1", 3, true},
		"it says nothing at all": {"exit 0", 5, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := died(t, test.script, 4, test.last).conclude(t.Context())
			if err == nil || errors.Is(err, sdk.ErrUnavailable) != test.again || !strings.Contains(err.Error(), "no more memory") && !strings.Contains(err.Error(), "a machine that is busy") && !strings.Contains(err.Error(), "A port is taken") {
				t.Errorf("the error is %v; worth another start: %v", err, test.again)
			}
		})
	}
}

func TestConclude_WhatTheHostHasDecidedStands(t *testing.T) {
	training := died(t, "kill -9 $$", 4, 5)
	training.stop(ending{sdk.FinishedHalted, "circuit breaker"})
	finished, err := training.conclude(t.Context())
	if err != nil || finished.Outcome != sdk.FinishedHalted || finished.Step != 5 {
		t.Errorf("finished %+v, error %v", finished, err)
	}
}

// A policy with tied embeddings begins anew from a checkpoint's weights: AReaL counts the steps that are left, the learning rate
// goes by all of them.
func TestLaunch_AResumedStageKeepsItsSchedule(t *testing.T) {
	for name, test := range map[string]struct {
		tied                         bool
		steps, counted, scheduleDone int // of AReaL
		base                         int // the host's number of AReaL's version 0
	}{
		"tied embeddings":       {true, 3, 0, 12, 32},
		"embeddings of its own": {false, 15, 12, 12, 20},
	} {
		t.Run(name, func(t *testing.T) {
			policy := model(t)
			write(t, filepath.Join(policy, "config.json"), strings.NewReader(fmt.Sprintf(`{"max_position_embeddings":512,"tie_word_embeddings":%v}`, test.tied)))
			knobs := valid() // 15 steps of 16 prompts
			knobs.Optimizer.WarmupSteps = pointer(5)
			knobs.Set = append(knobs.Set, "optimizer.warmup_steps")
			req := sdk.TrainRequest{
				LaunchID: "l", Knobs: knobs, Policy: json.RawMessage(fmt.Sprintf(`{"path":%q}`, policy)), TrainTasks: 700,
				FromCheckpoint: t.TempDir(), Resumed: true, StepsDone: 12, FirstStep: 33, // another stage had 20
			}
			plan, err := newAdapter(configured(t, "1.0.4", nil), sdk.Setup{Dir: t.TempDir()}).settle(req)
			if err != nil {
				t.Fatal(err)
			}
			launch := plan.launch(req, "")
			if launch.Rows != 15*16 || launch.FirstRow != 12*16 || launch.StepsDone != test.counted || launch.ScheduleDone != test.scheduleDone {
				t.Errorf("the launch is %+v", launch)
			}
			if r := newRecord(req, plan); launch.Settings.StepsBefore != test.base || r.Base != test.base {
				t.Errorf("AReaL's version 0 is of step %d for its workers, and of %d for the adapter; want %d", launch.Settings.StepsBefore, r.Base, test.base)
			}
			for key, want := range map[string]any{"total_train_steps": test.steps, "actor.optimizer.warmup_steps_proportion": 5.0 / 15} {
				at := slices.IndexFunc(plan.entries, func(e settings.Entry) bool { return e.Key == key })
				if at < 0 || !framework.Equal(plan.entries[at].Value, want) {
					t.Errorf("%s is not %v", key, want)
				}
			}
		})
	}
}
