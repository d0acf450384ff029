package conformance

import (
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkEpisodes(t *T) {
	s := t.trained()
	seen := map[string]*awhostv1.RunEpisodeRequest{}
	groups := map[string]map[int64]bool{}
	size := map[string]int64{}
	for _, e := range s.episodes {
		id := e.GetEpisodeId()
		if before := seen[id]; id == "" || before != nil && !proto.Equal(before, e) {
			t.errorf("the episode id %q is empty, or of two that differ", id)
		}
		seen[id] = e
		switch {
		case e.GetGroupId() == "" || e.GetGroupSize() < 1:
			t.errorf("episode %s is of the group %q, of %d", id, e.GetGroupId(), e.GetGroupSize())
		case e.SampleIndex != nil && (e.GetSampleIndex() < 0 || e.GetSampleIndex() >= e.GetGroupSize()):
			t.errorf("episode %s is sample %d of %d", id, e.GetSampleIndex(), e.GetGroupSize())
		case e.GetStage() != stageName:
			t.errorf("episode %s is of the stage %q; it should be %q", id, e.GetStage(), stageName)
		case e.GetSplit() == awhostv1.Split_SPLIT_UNSPECIFIED:
			t.errorf("episode %s is of no split", id)
		case e.GetSource() == nil:
			t.errorf("episode %s has neither a task nor a dataset_index", id)
		}
		size[e.GetGroupId()] = e.GetGroupSize()
		if e.SampleIndex == nil {
			continue
		}
		if groups[e.GetGroupId()] == nil {
			groups[e.GetGroupId()] = map[int64]bool{}
		}
		groups[e.GetGroupId()][e.GetSampleIndex()] = true
	}
	for _, c := range s.consumed() { // groups that were begun ahead may be cut by the end, those that were given up before all was asked for
		for _, used := range c.GetEpisodes() {
			if u := used.GetUse(); u != awhostv1.ConsumedEpisode_USE_TRAINED && u != awhostv1.ConsumedEpisode_USE_MASKED {
				continue
			}
			id := seen[used.GetEpisodeId()].GetGroupId()
			if samples := groups[id]; samples != nil && int64(len(samples)) != size[id] {
				t.errorf("step %d uses the group %s, of which %d samples of %d were asked for", c.GetStep(), id, len(samples), size[id])
				delete(groups, id)
			}
		}
	}
}

func checkEpisodesFail(t *T) {
	t.plannable()
	s := t.stage(t.fresh())
	failed := sync.Map{}
	var left atomic.Int64
	left.Store(2) // not more: a trainer that draws other samples instead has to come to an end
	s.judge = func(req *awhostv1.RunEpisodeRequest, out *awhostv1.EpisodeResult) {
		if req.GetSplit() != awhostv1.Split_SPLIT_VALIDATION && left.Add(-1) >= 0 {
			failed.Store(req.GetEpisodeId(), true)
			out.Outcome, out.Reward, out.Masked = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, nil, true
			out.Failure = &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT, Detail: "conformance"}
		}
	}
	t.need(s.train(t.long()), "Train")
	for _, c := range s.consumed() {
		for _, e := range c.GetEpisodes() {
			if _, without := failed.Load(e.GetEpisodeId()); without && e.GetUse() == awhostv1.ConsumedEpisode_USE_TRAINED {
				t.errorf("step %d trains episode %s, which has no reward", c.GetStep(), e.GetEpisodeId())
			}
		}
	}
}
