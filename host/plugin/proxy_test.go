package plugin_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// TestEnvironment_ReachesWhateverProcessServes also covers optional methods.
func TestEnvironment_ReachesWhateverProcessServes(t *testing.T) {
	s := newStage(t, 1)
	i := s.start(block(sdk.KindEnvironment, "desk", settings{}))
	env := i.Environment().(sdk.EnvironmentWithSnapshot)
	play := func() {
		t.Helper()
		opened, err := env.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e"})
		if err != nil || opened.InstanceID == "" {
			t.Fatalf("open: %+v %v", opened, err)
		}
		if snapshot, err := env.Snapshot(t.Context(), "e"); err != nil || string(snapshot) != `{"pid":true}` {
			t.Errorf("snapshot: %s %v", snapshot, err)
		}
		stepped, err := env.Step(t.Context(), sdk.StepRequest{EpisodeID: "e", InstanceID: opened.InstanceID, StepID: "1",
			Message: sdk.Message{Role: sdk.RoleAssistant, Content: "pid"}})
		if err != nil || !stepped.Done {
			t.Errorf("step: %+v %v", stepped, err)
		}
		if closed, err := env.Close(t.Context(), sdk.CloseRequest{EpisodeID: "e"}); err != nil || closed.StateDigest != "d" {
			t.Errorf("close: %+v %v", closed, err)
		}
	}
	play()
	opened, err := env.Open(t.Context(), sdk.OpenRequest{EpisodeID: "fatal"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = env.Step(t.Context(), sdk.StepRequest{EpisodeID: "fatal", InstanceID: opened.InstanceID, StepID: "1",
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "exit 5"}})
	if !errors.Is(err, sdk.ErrUnavailable) {
		t.Fatalf("want ErrUnavailable, got %v", err)
	}
	mentions(t, err, "status 5")
	awaits(t, i)
	play()

	var ids []string
	err = env.(sdk.EnvironmentWithTasks).Tasks(t.Context(), sdk.SplitTrain, 1, func(task sdk.Task) bool {
		ids = append(ids, task.ID)
		return true
	})
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"1", "2"}, ids); diff != "" {
		t.Error(diff)
	}
}

// TestAdapter_LosesItsTrainingWithItsProcess checks that earlier events arrive, followed by the end.
func TestAdapter_LosesItsTrainingWithItsProcess(t *testing.T) {
	s := newStage(t, 1)
	i := s.start(block(sdk.KindAdapter, "trainer", settings{}))
	trainer := i.Adapter()
	train := func(launch, order string, onPhase func() error) error {
		return trainer.Train(t.Context(), sdk.TrainRequest{LaunchID: launch, Stage: order}, nil,
			func(e sdk.TrainEvent) error {
				if e.Phase != nil {
					return onPhase()
				}
				return nil
			})
	}
	err := train("l-1", "wait", func() error {
		return syscall.Kill(s.last("adapter.obedient.trainer").PID,
			syscall.SIGKILL)
	})
	if !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("want ErrUnavailable, got %v", err)
	}
	mentions(t, err, "signal killed")
	awaits(t, i)
	heard := 0
	if err := train("l-2", "pid", func() error { heard++; return nil }); err != nil || heard != 1 {
		t.Errorf("%d phases reported, %v", heard, err)
	}
	var handle string
	err = errors.Join(
		trainer.Control(t.Context(), sdk.ControlRequest{}),
		trainer.(sdk.AdapterWithEvaluate).Evaluate(t.Context(), "l-2"),
		trainer.(sdk.AdapterWithRecover).Recover(t.Context(), sdk.RecoverRequest{LaunchID: "l-2", Handle: []byte("slurm-7")},
			nil, func(e sdk.TrainEvent) error {
				if e.Phase != nil {
					handle = e.Phase.Name
				}
				return nil
			}),
	)
	if err != nil || handle != "slurm-7" {
		t.Errorf("handle %q, %v", handle, err)
	}
	if _, err := trainer.Plan(t.Context(), sdk.PlanRequest{}); err != nil {
		t.Error(err)
	}
	_, err = trainer.Generate(t.Context(), sdk.GenerateRequest{EpisodeID: "e", CallID: "c"})
	mentions(t, err, "there is no model")
	if i, ok := s.Find("adapter.obedient.trainer"); !ok || i == nil {
		t.Error("it cannot be found")
	}
}
