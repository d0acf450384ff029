package conformance

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// checkStopped checks that a stage ended with outcome STOPPED and a checkpoint from its last step.
func (t *T) checkStopped(s *stage) {
	f := s.finished()
	if f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_STOPPED {
		t.errorf("the stage ended as %s (%s) after step %d; want STOPPED", f.GetOutcome(), f.GetReason(), f.GetStep())
		return
	}
	all := s.checkpoints()
	if f.GetStep() > 0 && (len(all) == 0 || all[len(all)-1].GetStep() != f.GetStep()) {
		t.errorf("the stage stopped after step %d without a checkpoint for that step", f.GetStep())
	}
}

func checkTrainStop(t *T) {
	t.skipUnlessPlannable()
	s := t.stage(t.fresh())
	s.decide = func(req *awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive {
		if req.GetStep() >= 1 {
			return awhostv1.StepBoundaryResponse_DIRECTIVE_STOP
		}
		return awhostv1.StepBoundaryResponse_DIRECTIVE_CONTINUE
	}
	t.need(s.train(t.trainContext()), "Train")
	t.checkStopped(s)
}

// control sends a control request to the trainer during its first episode. The result may be read once the stage has
// ended.
func (s *stage) control(action awhostv1.ControlRequest_Action) (told *bool) {
	var once sync.Once
	told = new(bool)
	s.changeResult = func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult) {
		once.Do(func() {
			_, err := s.adapter.Control(s.t.call(), &awhostv1.ControlRequest{LaunchId: s.request.GetLaunchId(), Action: action,
				Reason: "conformance"})
			if err != nil {
				s.addProblem(problem{text: fmt.Sprintf("Control %s: %v", action, err)})
			}
			*told = err == nil
		})
	}
	return told
}

func checkTrainDrain(t *T) {
	t.skipUnlessPlannable()
	s := t.stage(t.fresh())
	s.control(awhostv1.ControlRequest_ACTION_DRAIN)
	t.need(s.train(t.trainContext()), "Train")
	for _, complaint := range s.relevantProblems() {
		t.errorf("%s", complaint)
	}
	t.checkStopped(s)
}

func checkTrainAbort(t *T) {
	t.skipUnlessPlannable()
	p := t.fresh()
	s := t.stage(p)
	told := s.control(awhostv1.ControlRequest_ACTION_ABORT)
	err := s.train(t.trainContext())
	if !*told {
		t.fatalf("Control could not be called: %s", strings.Join(append(s.relevantProblems(), "no episode was "+
			"requested"), "; "))
	}
	if status.Code(err) == codes.DeadlineExceeded {
		t.fatalf("the stream continues after Control abort")
	}
	if p.Exit() != nil {
		t.errorf("Control abort ended the plugin: %v", p.Exit())
	}
	if f := s.finished(); f != nil && f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_FAILED &&
		f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_STOPPED {
		t.errorf("after Control abort the stage ended as %s", f.GetOutcome())
	}
	for _, c := range s.checkpoints() {
		if c.GetStep() >= s.total {
			t.errorf("after Control abort in the first step training continued to step %d", c.GetStep())
		}
	}
}

func checkControlUnknown(t *T) {
	s := t.trainedStage()
	launches := []struct{ what, id string }{{"that was never trained", "conformance/never"}, {"whose training has " +
		"ended", s.request.GetLaunchId()}}
	for _, l := range launches {
		for _, action := range []awhostv1.ControlRequest_Action{awhostv1.ControlRequest_ACTION_DRAIN,
			awhostv1.ControlRequest_ACTION_ABORT} {
			_, err := adapterOf(t.shared()).Control(t.call(),
				&awhostv1.ControlRequest{LaunchId: l.id, Action: action, Reason: "conformance"})
			t.refused(err, fmt.Sprintf("Control %s of a launch %s", action, l.what), codes.NotFound)
		}
	}
}

func checkTrainCancel(t *T) {
	t.skipUnlessPlannable()
	p := t.fresh()
	s := t.stage(p)
	ctx, cancel := context.WithCancel(t.trainContext())
	defer cancel()
	s.changeResult = func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult) { cancel() }
	_ = s.train(ctx) // canceled
	if n := t.callsAfterCancel(); n > 0 {
		t.errorf("the call was canceled %s ago, but the adapter is still requesting episodes: %d times in the last "+
			"%s", abandonments*abandoned, n, abandoned)
	}
	again := t.stage(p)
	err := again.train(t.trainContext())
	for patient := t.call(); err != nil && patient.Err() == nil && p.Exit() == nil; { // the old launch may need time
		time.Sleep(abandoned / 4)
		again = t.stage(p)
		err = again.train(t.trainContext())
	}
	if err != nil {
		t.fatalf("the next Train of the process: %v", err)
	}
	if f := again.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED {
		t.errorf("the next Train call in the process ended as %s (%s)", f.GetOutcome(), f.GetReason())
	}
}

// A trainer detects that its call has ended and then makes no more requests. On a busy machine, this takes a while: the
// trainer is given additional time, provided that it eventually stops.
const (
	abandoned    = 2 * time.Second
	abandonments = 5
)

// callsAfterCancel returns the number of requests that a canceled trainer makes. It returns 0 as soon as no request has
// arrived for a while.
func (t *T) callsAfterCancel() (n int64) {
	time.Sleep(abandoned)
	for range abandonments - 1 {
		before := t.suite.host.callsOutsideTraining.Load()
		time.Sleep(abandoned)
		if n = t.suite.host.callsOutsideTraining.Load() - before; n == 0 {
			break
		}
	}
	return n
}
