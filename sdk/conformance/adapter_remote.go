package conformance

import (
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkRemote(t *T) {
	t.skipUnlessPlannable()
	s := t.stage(t.fresh())
	s.announced = map[string]string{}
	t.need(s.train(t.trainContext()), "Train")
	all := s.checkpoints()
	if len(all) < 2 {
		t.skipf("the stage has fewer than two checkpoints: set `train` in the fixtures to write one after each step")
	}
	first, last := all[0], all[len(all)-1]
	for _, path := range []string{last.GetPath(), last.GetPath(), t.ownDir()} { // an empty directory is incomplete
		_, err := s.adapter.DeleteCheckpoint(t.trainContext(), &awhostv1.DeleteCheckpointRequest{Checkpoint: path})
		t.need(err, "DeleteCheckpoint")
	}
	for path, files := range s.announced {
		if filesOf(path) != files {
			t.errorf("DeleteCheckpoint of %s changes the directory %s", last.GetPath(), path)
		}
	}
	if !t.component.has(NeedResume) {
		return
	}
	resumed := t.resume(first)
	if f := resumed.finished(); f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total {
		t.errorf("after DeleteCheckpoint of step %d, a stage that continues from step %d ended as %s (%s) after step %d",
			last.GetStep(), first.GetStep(), f.GetOutcome(), f.GetReason(), f.GetStep())
	}
}
