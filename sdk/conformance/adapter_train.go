package conformance

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// trainedStage returns the stage that most checks inspect. It is trained once.
func (t *T) trainedStage() *stage {
	t.skipUnlessPlannable()
	if t.component.trained == nil {
		s := t.stage(t.shared())
		s.probes = &probes{}
		s.announced = map[string]string{}
		t.component.trained, t.component.trainProblem = s, s.train(t.trainContext())
	}
	t.need(t.component.trainProblem, "Train")
	return t.component.trained
}

// trainContext returns a context with the deadline for a training run.
func (t *T) trainContext() context.Context {
	limit := 5 * t.suite.config.CallTimeout
	if f := t.component.fixture.Train; f != nil && f.Seconds > 0 {
		limit = time.Duration(f.Seconds) * time.Second
	}
	return t.within(limit)
}

func checkTrainEnds(t *T) {
	s := t.trainedStage()
	for _, complaint := range s.relevantProblems() {
		t.errorf("%s", complaint)
	}
	ends := 0
	for _, e := range s.events {
		if e.GetFinished() != nil {
			ends++
		}
	}
	switch f := s.finished(); {
	case f == nil || ends != 1:
		t.errorf("of %s %d are `finished`; want only the last one", plural(int64(len(s.events)), "event"), ends)
	case f.GetOutcome() != awhostv1.FinishedEvent_OUTCOME_COMPLETED || f.GetStep() != s.total:
		t.errorf("the stage ended as %s (%s) after step %d; want COMPLETED after step %d", f.GetOutcome(), f.GetReason(),
			f.GetStep(), s.total)
	}
	if s.answered == 0 {
		t.errorf("no episode was sampled: the adapter requested %s", plural(int64(len(s.episodes)), "episode"))
	}
}

func checkTrainSeq(t *T) {
	for i, e := range t.trainedStage().events {
		if e.GetSeq() != uint64(i)+1 {
			t.errorf("event %d has seq %d", i+1, e.GetSeq())
			return
		}
	}
}

func checkTrainConsumed(t *T) {
	s := t.trainedStage()
	t.checkAccounted(s, 1)
	if n := int64(len(s.consumed())); n != s.total {
		t.errorf("%s were trained, but %d listed their episodes", plural(s.total, "step"), n)
	}
}

// checkAccounted checks that the steps in a stage used each requested episode exactly once.
func (t *T) checkAccounted(s *stage, first int64) {
	used := map[string]int64{}
	for i, c := range s.consumed() {
		if c.GetStep() != first+int64(i) {
			t.errorf("the ConsumedEvent for step %d arrived instead of the one for step "+
				"%d", c.GetStep(), first+int64(i))
		}
		if len(c.GetEpisodes()) == 0 {
			t.errorf("step %d lists no episodes", c.GetStep())
		}
		for _, e := range c.GetEpisodes() {
			switch before, twice := used[e.GetEpisodeId()]; {
			case twice:
				t.errorf("step %d uses episode %s, which was already used in step "+
					"%d", c.GetStep(), e.GetEpisodeId(), before)
			case !s.requested(e.GetEpisodeId()):
				t.errorf("step %d uses episode %s, which was never requested", c.GetStep(), e.GetEpisodeId())
			case e.GetUse() == awhostv1.ConsumedEpisode_USE_UNSPECIFIED:
				t.errorf("step %d does not set the use of episode %s", c.GetStep(), e.GetEpisodeId())
			}
			used[e.GetEpisodeId()] = c.GetStep()
		}
	}
}

func checkTrainMetrics(t *T) {
	for _, e := range t.trainedStage().events {
		for name, v := range e.GetMetrics().GetValues() {
			if !finite(v) {
				t.errorf("metric %s at step %d is %v", name, e.GetMetrics().GetStep(), v)
			}
		}
		gap := e.GetMetrics().GetPolicyGap()
		if !finite(gap.GetMean()) || !finite(gap.GetP99()) || !finite(gap.GetMax()) || !finite(gap.GetBias()) {
			t.errorf("the policy gap at step %d is %v", e.GetMetrics().GetStep(), gap)
		}
	}
}

func checkTrainCheckpoints(t *T) {
	s := t.trainedStage()
	all := s.checkpoints()
	if len(all) == 0 || all[len(all)-1].GetStep() != s.total {
		t.errorf("the last step has no checkpoint")
	}
	for _, c := range all {
		switch info, err := os.Stat(c.GetPath()); {
		case err != nil:
			t.errorf("the checkpoint of step %d: %v", c.GetStep(), err)
		case !info.IsDir() || filepath.Dir(filepath.Clean(c.GetPath())) != filepath.Clean(s.request.GetCheckpointDir()):
			t.errorf("the checkpoint of step %d is %s; want a directory in %s", c.GetStep(), c.GetPath(),
				s.request.GetCheckpointDir())
		case c.GetDigest() == "":
			t.errorf("the checkpoint of step %d has no digest", c.GetStep())
		default:
			if then, now := s.announced[c.GetPath()], filesOf(c.GetPath()); then != now {
				t.errorf("the checkpoint of step %d was incomplete when it was announced; its files were\n%sand "+
					"are\n%s",
					c.GetStep(), then, now)
			}
		}
	}
}

// filesOf lists the files in a directory with their sizes and modification times, one per line. A rewritten file has a
// different time.
func filesOf(dir string) string {
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			name, written := strings.TrimPrefix(path, dir), info.ModTime().Format(time.StampNano)
			fmt.Fprintf(&out, "%s: %d bytes of %s\n", name, info.Size(), written)
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String()
}

func checkTrainTwice(t *T) {
	s := t.trainedStage()
	if p := t.shared(); p != s.process { // that process has ended
		s = t.stage(p)
		t.need(s.train(t.trainContext()), "Train")
	}
	again := t.stage(s.process)
	again.request.LaunchId = s.request.GetLaunchId()
	t.refused(again.train(t.call()), "a second Train of the same launch", codes.AlreadyExists)
}
