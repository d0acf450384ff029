package conformance

import (
	"errors"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// resumedStage trains the remaining steps from the first checkpoint of the trained stage, whose step it returns. It is
// trained once.
func (t *T) resumedStage() (s *stage, from int64) {
	all := t.trainedStage().checkpoints()
	if len(all) == 0 {
		t.fatalf("there is no checkpoint")
	}
	first := all[0]
	if s = t.component.resumed; s != nil {
		return s, first.GetStep()
	}
	t.component.resumed = t.resume(first)
	return t.component.resumed, first.GetStep()
}

// resume trains the steps that remain after a checkpoint.
func (t *T) resume(from *awhostv1.CheckpointEvent) *stage {
	s := t.stage(t.fresh())
	if from.GetStep() >= s.total {
		t.skipf("the first checkpoint belongs to the last step: set `train` in the fixtures to write one after each step")
	}
	s.request.FromCheckpoint, s.request.FirstStep, s.request.StepsDone, s.request.Resumed = from.GetPath(),
		from.GetStep()+1, from.GetStep(), true
	s.request.CarryOptimizer = true
	t.need(s.train(t.trainContext()), "Train from the checkpoint")
	return s
}

func checkResume(t *T) {
	s, from := t.resumedStage()
	for _, step := range s.requestedSteps() {
		if step <= from {
			t.errorf("resumed from the checkpoint of step %d, the adapter requests an episode for step %d", from, step)
			break
		}
	}
	t.checkAccounted(s, from+1)
	if f := s.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total {
		t.errorf("from the checkpoint of step %d the stage ended as %s after step %d; want COMPLETED after step "+
			"%d", from, f.GetOutcome(), f.GetStep(), s.total)
	}
}

func checkResumeEqual(t *T) {
	s, from := t.resumedStage()
	resumed, trained := s.lastDigest(), t.trainedStage().lastDigest()
	if resumed == trained {
		return
	}
	again := t.stage(t.fresh())
	t.need(again.train(t.trainContext()), "Train")
	if again.lastDigest() != trained {
		t.skipf("two equal stages ended with the checkpoints %s and %s", trained, again.lastDigest())
	}
	t.errorf("two equal stages ended with the checkpoint %s, but one that continued from the checkpoint of step %d with "+
		"%s", trained, from, resumed)
}

func checkRecoverNothing(t *T) {
	s := t.stage(t.fresh())
	err := s.recover(t.call(), &awhostv1.RecoverRequest{LaunchId: "conformance/never"})
	t.refused(err, "Recover of a launch that was never trained", codes.NotFound, codes.Unimplemented)
	if n := len(s.episodes); n > 0 {
		t.errorf("Recover of a launch that was never trained requested %s", plural(int64(n), "episode"))
	}
}

func checkRecover(t *T) {
	t.skipUnlessPlannable()
	own := t.ownDir()
	p := t.startIn(own, 1)
	s := t.stage(p)
	killed := s.killAfter(1)
	switch err := s.train(t.trainContext()); {
	case !killed():
		t.fatalf("the adapter did not reach step 1, after which it is killed: %v", err)
	case err == nil:
		t.fatalf("the adapter was killed after its first step, but the stream ended without an error")
	}
	var handle []byte
	for _, e := range s.events {
		if h := e.GetHandle(); h != nil {
			handle = h.GetHandle()
		}
	}
	const after = 1 // as if the host had processed the first event
	before := s.events[after:]
	s.events, s.adapter, s.onEvent, s.changeResult, s.decide = nil, adapterOf(t.startIn(own, 2)), nil, nil, nil
	t.need(s.recover(t.trainContext(), &awhostv1.RecoverRequest{LaunchId: s.request.GetLaunchId(), Handle: handle,
		AfterSeq: after}), "Recover")
	t.checkAccounted(s, 1)
	for i, e := range s.events {
		if e.GetSeq() != uint64(after+i+1) {
			t.errorf("event %d after Recover from seq %d has seq %d", i+1, after, e.GetSeq())
			break
		}
		if i < len(before)-1 && !proto.Equal(e, before[i]) && e.GetHandle() == nil {
			t.errorf("the repeated event %d differs:\n%s\nbefore\n%s", i+1, protojson.Format(e), protojson.Format(before[i]))
			break
		}
	}
	if f := s.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total {
		t.errorf("after Recover the stage ended as %s (%s) after step %d", f.GetOutcome(), f.GetReason(), f.GetStep())
	}
}

// killAfter kills the trainer's process with SIGKILL after a step has reported its episodes: in the middle of the next
// step, at the end of an episode whose result is not delivered, or at the next boundary. A trainer without boundaries
// would continue before the suite has received the event, so it is killed immediately.
func (s *stage) killAfter(step int64) (killed func() bool) {
	var armed, done atomic.Bool
	var once sync.Once
	kill := func() {
		if !armed.Load() {
			return
		}
		once.Do(func() { // concurrent callers wait for the end of the process, too
			done.Store(true) // set before the stream breaks, which is how the kill is noticed
			s.t.killProcess(s.process)
		})
	}
	s.onEvent = func(e *awhostv1.TrainEvent) {
		if e.GetConsumed().GetStep() < step {
			return
		}
		armed.Store(true)
		if !s.t.component.has(NeedBarrier) {
			kill()
		}
	}
	s.changeResult = func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult) { kill() }
	s.decide = func(req *awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive {
		if req.GetStep() > step || req.GetStep() >= s.total {
			kill()
		}
		return s.defaultDirective(req)
	}
	return done.Load
}

func checkAdapterKilled(t *T) {
	t.skipUnlessPlannable()
	own := t.ownDir()
	p := t.startIn(own, 1)
	s := t.stage(p)
	killed := s.killAfter(max(1, s.total-1))
	err := s.train(t.trainContext())
	if !killed() {
		t.fatalf("the adapter did not reach step %d, after which it is killed: %v", max(1, s.total-1), err)
	}
	p = t.startIn(own, 2)
	if t.component.has(NeedRecover) {
		t.endTrainer(p, s)
	}
	again := t.stage(p)
	if all := s.checkpoints(); len(all) > 0 && t.component.has(NeedResume) {
		last := all[len(all)-1]
		again.request.FromCheckpoint, again.request.FirstStep, again.request.StepsDone = last.GetPath(), last.GetStep()+1,
			last.GetStep()
		again.request.Resumed, again.request.CarryOptimizer = true, true
	}
	if again.request.GetFirstStep() > again.total {
		t.skipf("the adapter had written its last checkpoint before it was killed")
	}
	again.request.Incarnation = 2
	t.need(again.train(t.trainContext()), "Train in another process")
	t.checkAccounted(again, again.request.GetFirstStep())
	if f := again.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != again.total {
		t.errorf("in another process the stage ended as %s (%s) after step %d", f.GetOutcome(), f.GetReason(), f.GetStep())
	}
}

// endTrainer ends a trainer that has outlasted its adapter. Otherwise, another trainer would run at the same time.
func (t *T) endTrainer(p *client.Plugin, s *stage) {
	left := t.stageOf(p, s.request)
	var once sync.Once
	var refused error
	left.onEvent = func(*awhostv1.TrainEvent) {
		once.Do(func() {
			_, refused = left.adapter.Control(t.call(), &awhostv1.ControlRequest{LaunchId: s.request.GetLaunchId(),
				Action: awhostv1.ControlRequest_ACTION_ABORT, Reason: "conformance"})
		})
	}
	err := left.recover(t.trainContext(), &awhostv1.RecoverRequest{LaunchId: s.request.GetLaunchId()})
	if refused != nil || status.Code(err) == codes.DeadlineExceeded {
		t.errorf("Control abort after Recover does not end a trainer that has outlived its adapter: %v",
			errors.Join(refused, err))
	}
}
