package run

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// testService returns a service, and a channel of the lines that plugins log through it.
func testService(t *testing.T) (*service, chan string) {
	t.Helper()
	logged := make(chan string, 1)
	s, err := startService(nil, func(level, source, message string, _ map[string]string) {
		logged <- level + " " + source + " " + message
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s, logged
}

// as returns a client of the service with the identity of a block's plugin.
func as(t *testing.T, s *service, address string) sdk.Host {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tls")
	if _, err := s.authority.Issue(address, dir); err != nil {
		t.Fatal(err)
	}
	identity, err := mtls.LoadPlugin(dir)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient("unix:"+s.socket, grpc.WithTransportCredentials(credentials.NewTLS(identity.Client())))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return sdk.RemoteHost(conn)
}

// testLaunch returns a launch of a two-step stage without any components.
func testLaunch() *trainCall {
	r := &runner{
		state:  &runState{now: state{Stages: []int{0}}},
		Config: Config{Writer: &runstore.Writer{Run: &runstore.Run{}}},
	}
	r.Plan = &plan.Plan{Spec: &spec.Spec{}, Train: &spec.Train{},
		Stages: []plan.Stage{{Stage: &spec.Stage{Name: "full"}, Steps: 2}}}
	l := &trainCall{run: r, id: "launch-2", ended: make(chan struct{}), failed: make(chan struct{}), reports: newReports()}
	l.stage = r.Plan.Stages[0]
	l.stage.Settings.Adapter = "adapter.local.grpo"
	return l
}

func TestService_OnlyTheAdapterOfTheStageDrivesTheRun(t *testing.T) {
	s, _ := testService(t)
	call := func(h sdk.Host) map[string]error {
		_, episode := h.RunEpisode(t.Context(), sdk.EpisodeRequest{EpisodeID: "e", GroupID: "g", Split: sdk.SplitTrain})
		_, boundary := h.StepBoundary(t.Context(), sdk.StepBoundaryRequest{LaunchID: "launch-1", Stage: "full"})
		return map[string]error{
			"RunEpisode": episode, "StepBoundary": boundary, "CancelEpisode": h.CancelEpisode(t.Context(), "e", "no"),
			"Tasks": h.Tasks(t.Context(), sdk.TasksRequest{Dataset: "dataset.jsonl.train"}, func(sdk.Task) bool { return true }),
		}
	}
	adapter := as(t, s, "adapter.local.grpo")
	for method, err := range call(adapter) {
		if err == nil || !strings.Contains(err.Error(), "no stage is being trained") {
			t.Errorf("%s between stages: %v", method, err)
		}
	}
	s.current.Store(testLaunch())
	for _, stranger := range []string{"reward.gaia.answer", "adapter.local.other", "adapter.local.grpo.x", ""} {
		for method, err := range call(as(t, s, stranger)) {
			if status.Code(errors.Unwrap(err)) != codes.PermissionDenied && status.Code(err) != codes.PermissionDenied {
				t.Errorf("%s by %q: %v", method, stranger, err)
			}
		}
	}
	for want, req := range map[string]sdk.StepBoundaryRequest{
		"launch launch-1 has ended": {LaunchID: "launch-1", Stage: "full"},
		`stage "form" is not`:       {LaunchID: "launch-2", Stage: "form"},
		"step -1 has ended":         {LaunchID: "launch-2", Stage: "full", Step: -1},
	} {
		if _, err := adapter.StepBoundary(t.Context(), req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", req, err)
		}
	}
	close(s.current.Load().ended)
	if _, err := adapter.StepBoundary(t.Context(), sdk.StepBoundaryRequest{LaunchID: "launch-2",
		Stage: "full"}); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a boundary after the end of the launch: %v", err)
	}
}

// A trainer that is taken up to be ended repeats the call of its last boundary, like a continuing one.
func TestService_ATrainerThatIsEndedIsToldSo(t *testing.T) {
	s, _ := testService(t)
	s.ending.Store(&ended{launch: "launch-1", adapter: "adapter.local.grpo"})
	adapter, req := as(t, s, "adapter.local.grpo"), sdk.StepBoundaryRequest{LaunchID: "launch-1", Stage: "full", Step: 3}
	answer, err := adapter.StepBoundary(t.Context(), req)
	if err != nil || answer.Directive != sdk.DirectiveAbort || answer.Reason == "" {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	if _, err := as(t, s, "reward.gaia.answer").StepBoundary(t.Context(),
		req); status.Code(errors.Unwrap(err)) != codes.PermissionDenied && status.Code(err) != codes.PermissionDenied {
		t.Errorf("an unknown caller receives %v", err)
	}
	for what, err := range map[string]error{
		"another launch": func() error {
			_, err := adapter.StepBoundary(t.Context(), sdk.StepBoundaryRequest{LaunchID: "launch-2", Stage: "full", Step: 3})
			return err
		}(),
		"an episode": func() error {
			_, err := adapter.RunEpisode(t.Context(), sdk.EpisodeRequest{EpisodeID: "e", GroupID: "g", Split: sdk.SplitTrain})
			return err
		}(),
	} {
		if err == nil || !strings.Contains(err.Error(), "no stage is being trained") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A plugin of another host, or a process without identity, cannot connect.
func TestService_RefusesStrangers(t *testing.T) {
	s, _ := testService(t)
	other, _ := testService(t)
	s.current.Store(testLaunch())
	other.socket = s.socket
	host := as(t, other, "adapter.local.grpo")
	if _, err := host.StepBoundary(t.Context(), sdk.StepBoundaryRequest{LaunchID: "launch-2",
		Stage: "full"}); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a plugin of another host: %v", err)
	}
}

// A boundary waits only for the events before it.
func TestReports_WaitForEvents(t *testing.T) {
	l := testLaunch()
	for seq := uint64(1); seq <= 2; seq++ {
		l.reports.begin()
		l.reports.end(sdk.TrainEvent{Seq: seq, Metrics: &sdk.MetricsEvent{Step: 1,
			Values: map[string]float64{"a": float64(seq)}}})
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the caller is gone"))
	if _, err := l.reports.take(ended, l.ended, 3); err == nil || !strings.Contains(err.Error(), "the caller is gone") {
		t.Errorf("%v", err)
	}
	done := make(chan pendingEvents)
	go func() {
		events, err := l.reports.take(t.Context(), l.ended, 3)
		if err != nil {
			t.Error(err)
		}
		done <- events
	}()
	l.reports.begin()
	l.reports.end(sdk.TrainEvent{Seq: 3, Checkpoint: &sdk.CheckpointEvent{Step: 1}})
	if events := <-done; len(events.metrics) != 2 || events.checkpoint == nil || events.seq != 3 {
		t.Errorf("%+v", events)
	}
	if again, _, _ := l.reports.takeNow(0); !again.isEmpty() {
		t.Error("events are taken once")
	}
	close(l.ended)
	if _, err := l.reports.take(t.Context(), l.ended, 4); !errors.Is(err, errTrainCallEnded) {
		t.Errorf("%v", err)
	}
}

func TestDecide(t *testing.T) {
	trip := &rollout.Trip{Failed: 3, Episodes: 4}
	closed := make(chan struct{})
	close(closed)
	for name, c := range map[string]struct {
		step      int
		trip      *rollout.Trip
		stop      bool
		directive sdk.Directive
		ends      bool
		guard     bool
	}{
		"in the middle":              {step: 1, directive: sdk.DirectiveContinue},
		"at the end":                 {step: 2, directive: sdk.DirectiveContinue, ends: true},
		"stopped":                    {step: 1, stop: true, directive: sdk.DirectiveStop},
		"stopped at the end":         {step: 2, stop: true, directive: sdk.DirectiveContinue, ends: true},
		"tripped":                    {step: 1, trip: trip, directive: sdk.DirectiveStop, guard: true},
		"tripped and stopped":        {step: 1, trip: trip, stop: true, directive: sdk.DirectiveStop, guard: true},
		"tripped at the end":         {step: 2, trip: trip, directive: sdk.DirectiveStop, ends: true, guard: true},
		"stopped before anything":    {step: 0, stop: true, directive: sdk.DirectiveStop},
		"before anything, no reason": {step: 0, directive: sdk.DirectiveContinue},
	} {
		t.Run(name, func(t *testing.T) {
			l := testLaunch()
			if c.stop {
				l.run.Stop = closed
			}
			d := l.decide(c.step, rollout.BoundaryReport{Trip: c.trip})
			var guard *GuardError
			if d.directive != c.directive || d.stageEnds != c.ends || errors.As(d.err, &guard) != c.guard ||
				(d.err != nil) != (c.guard || d.directive == sdk.DirectiveStop) {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestRunState(t *testing.T) {
	b := &runState{committed: state{Exact: true, Stages: []int{0, 0}}}
	b.rollBack()
	b.now.Stages[1] = 4
	b.count(0, rollout.Aggregate{Episodes: 2, Groups: 1, Outcomes: map[sdk.Outcome]int{sdk.OutcomeScored: 1},
		Failures: map[sdk.FailureClass]int{sdk.FailureReward: 1}}, 1)
	at := func(step int) validation {
		return validation{step: step, set: "dataset.jsonl.held_out", by: "success_rate"}
	}
	if !b.validated(at(1), rollout.Aggregate{SuccessRate: 0.3}) ||
		b.validated(at(2), rollout.Aggregate{SuccessRate: 0.3}) {
		t.Error("of equal validations the first is the best")
	}
	b.add(runstore.Numbers{"train/loss": math.NaN(), "train/update_seconds": 3},
		rollout.BoundaryReport{Train: rollout.Aggregate{WallClock: 1}})
	text, err := json.Marshal(b.at([]sdk.FailureClass{"", sdk.FailureReward}, []rollout.Quarantined{{Task: "sum-1"}}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"breaker":["","REWARD"],"quarantine":[{"stage":"","split":"","task":"sum-1","step":0,"address":"","class":""}],"stages":[0,4],` +
		`"training":[{"episodes":2,"trained":1,"judged":2,"broken":{"REWARD":1},"groups":1},{}],"best":{"stage":0,"step":1,"value":0.3,"star":true},` +
		`"before":0.3,"set":"dataset.jsonl.held_out","exact":false,` +
		`"inexact":"the outcome of an episode depended on how long something took","last":{"train/loss":"NaN"}}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	b.rollBack()
	if !b.now.Exact || b.now.Best != nil || b.now.Before != nil || b.now.Stages[1] != 0 || len(b.now.Last) != 0 {
		t.Errorf("not rolled back: %+v", b.now)
	}
	b.now.Stages[1] = 4
	b.commit(&runstore.Checkpoint{Step: 4})
	b.now.Stages[1] = 9
	b.rollBack()
	if b.now.Stages[1] != 4 {
		t.Error("what was committed is gone")
	}
	if b.validated(validation{step: 4, by: "reward"}, rollout.Aggregate{}) {
		t.Error("without a reward nothing is the best by reward")
	}
}

func TestKept(t *testing.T) {
	one, epochs := 1, "epochs"
	two, prompts := 2, 3
	for name, c := range map[string]struct {
		checkpoint sdk.CheckpointKnobs
		want       []int
	}{
		"never":        {sdk.CheckpointKnobs{}, nil},
		"every step":   {sdk.CheckpointKnobs{Every: &one}, []int{10, 11, 12, 13, 14}},
		"every second": {sdk.CheckpointKnobs{Every: &two}, []int{10, 12, 14}},
		"every epoch":  {sdk.CheckpointKnobs{Every: &one, Unit: &epochs}, []int{10, 11, 12, 13, 14}}, // an empty dataset has short epochs
	} {
		t.Run(name, func(t *testing.T) {
			l := testLaunch()
			l.run.state.now.Stages[0] = 10
			l.stage.Settings.Knobs.Checkpoint, l.stage.Settings.Knobs.Batch.Prompts = c.checkpoint, &prompts
			var got []int
			for step := 10; step < 15; step++ {
				if l.kept(step) {
					got = append(got, step)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
		})
	}
}
