package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/outliving"
)

const format = "awhost.test/1"

// rig is an adapter with a stage whose trainer is a shell script.
type rig struct {
	*Stage
	adapter *Adapter
	relay   *Relay
	events  []sdk.TrainEvent
}

func newRig(t *testing.T, first int) *rig {
	t.Helper()
	r := &rig{adapter: &Adapter{}}
	r.adapter.Init("Fake", sdk.Setup{Dir: t.TempDir()})
	req := sdk.TrainRequest{LaunchID: "stage" + strings.ReplaceAll(r.adapter.Dir, "/", "."), FirstStep: first}
	r.load(r.adapter.Folder(req.LaunchID), NewRecord(format, req))
	return r
}

// load starts a life of the stage.
func (r *rig) load(dir string, record Record) {
	emit := func(e sdk.TrainEvent) error { r.events = append(r.events, e); return nil }
	log := filepath.Join(dir, "log")
	r.relay = NewRelay("Fake", dir, log, record.Request, nil, emit)
	r.Stage = New(&record, r.relay, emit)
	r.relay.Stop, r.relay.Again = r.End, func(s launch.Status) bool { return s.Code != nil && *s.Code == 75 }
	r.Site = launch.Site{Framework: "Fake", Placement: launch.Placement{
		StartTimeout: "10s", AbsenceTimeout: "1m", UnreachableTimeout: "1s", StopTimeout: "5s",
	}}
	r.Dir, r.BridgeDir, r.LogFile, r.RecordFile = dir, dir, log, filepath.Join(dir, "record.json")
}

// trains runs a script as the trainer.
func (r *rig) trains(t *testing.T, script string) error {
	t.Helper()
	return r.adapter.Train(t.Context(), r.Stage, func(context.Context, string) (*Command, error) {
		return &Command{Argv: []string{"/bin/sh", "-c", script}, Message: "it starts"}, nil
	})
}

func TestCommand_KeepsTheTrainersCodeInFront(t *testing.T) {
	c := Command{Env: map[string]string{"PYTHONPATH": "/trainer", "A": "1"}}
	c.Add(map[string]string{"PYTHONPATH": "/own", "A": "2"})
	c.Add(nil)
	want := map[string]string{"PYTHONPATH": "/trainer:/own", "A": "2"}
	if !maps.Equal(c.Env, want) {
		t.Errorf("the variables are %v; want %v", c.Env, want)
	}
}

func TestTrain_ReportsHowTheTrainerEnded(t *testing.T) {
	for script, test := range map[string]struct {
		want  string
		again bool
	}{
		"echo 'RuntimeError: no memory'; exit 1": {"Fake ended with exit status 1 after step 3. Its last error: " +
			"RuntimeError: no memory", false},
		"exit 75": {"exit status 75", true},
		"exit 0":  {"exit status 0", false},
	} {
		r := newRig(t, 4)
		err := r.trains(t, script)
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, sdk.ErrUnavailable) != test.again {
			t.Errorf("%s: %v; want %q, worth another start: %v", script, err, test.want, test.again)
		}
		if len(r.events) != 2 || string(r.events[0].Handle.Handle) != r.Dir || r.events[1].Log.Message != "it starts" {
			t.Errorf("%s: events %+v", script, r.events)
		}
	}
}

func TestTrain_EndsATrainerThatDoesNotReport(t *testing.T) {
	r := newRig(t, 1)
	r.Site.StartTimeout = "1s"
	err := r.trains(t, "exec sleep 600")
	if err == nil || !strings.Contains(err.Error(), "Fake did not report within 1s (start_timeout)") {
		t.Errorf("it ends with %v", err)
	}
}

// A stage that the host has ended does not start its trainer.
func TestTrain_AnEndedStageStartsNothing(t *testing.T) {
	r := newRig(t, 4)
	r.End(Ending{sdk.FinishedHalted, "circuit breaker"})
	if err := r.trains(t, "exec sleep 600"); err != nil {
		t.Fatal(err)
	}
	finished := r.events[len(r.events)-1].Finished
	if finished == nil || finished.Outcome != sdk.FinishedHalted || finished.Step != 3 {
		t.Errorf("finished %+v", finished)
	}
}

// A recovered stage ends with the trainer's report, although its process is gone.
func TestRecover_ATrainerThatHasReported(t *testing.T) {
	for reported, want := range map[bool]error{true: nil, false: sdk.ErrNoTrainer} {
		r := newRig(t, 1)
		if err := r.trains(t, "exit 1"); err == nil {
			t.Fatal("it succeeds")
		}
		if reported {
			finished := &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}
			if err := outliving.Append(r.relay.Notes(), Note{Finished: finished}); err != nil {
				t.Fatal(err)
			}
		}
		r.events = nil
		req := sdk.RecoverRequest{LaunchID: r.common().Request.LaunchID}
		err := r.adapter.Recover(t.Context(), req, func(dir string) (*Stage, error) {
			var record Record
			err := ReadRecord(r.RecordFile, format, &record)
			r.load(dir, record)
			return r.Stage, err
		})
		if !errors.Is(err, want) {
			t.Errorf("reported %v: %v", reported, err)
		}
		if last := len(r.events) - 1; reported && (last != 2 || r.events[last].Finished == nil || r.common().Epoch != 2) {
			t.Errorf("events %+v in epoch %d", r.events, r.common().Epoch)
		}
	}
}

// silent is a launcher whose cluster does not answer.
type silent struct {
	launch.Launcher
	stops int
}

func (l *silent) Status(context.Context, launch.Handle) (launch.Status, error) {
	return launch.Status{}, fmt.Errorf("ask: %w", launch.ErrUnreachable)
}

func (l *silent) Stop(context.Context, launch.Handle, time.Duration) error {
	l.stops++
	return nil
}

// Another trainer must not start while the first one may be running.
func TestConclude_LongSilenceIsNotAnEnd(t *testing.T) {
	r, l := newRig(t, 5), &silent{}
	if err := r.adapter.enter(r.Stage); err != nil {
		t.Fatal(err)
	}
	r.launcher, r.Site.UnreachableTimeout, r.common().Job = l, "0s", &launch.Handle{Kind: launch.KindProcess}
	r.follow(t.Context())
	defer r.letGo()
	<-r.job.Ended
	_, err := r.conclude(t.Context())
	if err == nil || errors.Is(err, sdk.ErrUnavailable) || l.stops != 0 ||
		!strings.Contains(err.Error(), "after step 4") || !strings.Contains(err.Error(), "resume the run") {
		t.Errorf("%v, and the job was stopped %d times; want a text with a remedy", err, l.stops)
	}
}

func TestRecord_HoldsNoSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.json")
	r := NewRecord(format, sdk.TrainRequest{
		LaunchID: "run.i1", Config: []byte(`{"key":"hunter2"}`),
		Knobs: sdk.Knobs{Env: map[string]string{"WANDB_API_KEY": "hunter2"}},
	})
	if err := outliving.Replace(path, r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "hunter2") {
		t.Errorf("%v: %s", err, text)
	}
	var again Record
	if err := ReadRecord(path, format, &again); err != nil || again.Request.LaunchID != "run.i1" {
		t.Errorf("a later life reads %+v, %v", again, err)
	}
	if err := ReadRecord(path, "awhost.test/2", &again); err == nil || !strings.Contains(err.Error(), format) {
		t.Errorf("another format: %v", err)
	}
}
