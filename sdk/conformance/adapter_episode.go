package conformance

import (
	"fmt"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkEpisodes(t *T) {
	s := t.trainedStage()
	seen := map[string]*awhostv1.RunEpisodeRequest{}
	groups := map[string]map[int64]bool{}
	size := map[string]int64{}
	for _, e := range s.episodes {
		id := e.GetEpisodeId()
		if before := seen[id]; id == "" || before != nil && !proto.Equal(before, e) {
			t.errorf("the episode id %q is empty, or two different episodes share it", id)
		}
		seen[id] = e
		switch {
		case e.GetGroupId() == "" || e.GetGroupSize() < 1:
			t.errorf("episode %s has group %q with size %d", id, e.GetGroupId(), e.GetGroupSize())
		case e.SampleIndex != nil && (e.GetSampleIndex() < 0 || e.GetSampleIndex() >= e.GetGroupSize()):
			t.errorf("episode %s has sample index %d in a group of %d", id, e.GetSampleIndex(), e.GetGroupSize())
		case e.GetStage() != stageName:
			t.errorf("episode %s has stage %q; want %q", id, e.GetStage(), stageName)
		case e.GetSplit() == awhostv1.Split_SPLIT_UNSPECIFIED:
			t.errorf("episode %s has no split", id)
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
	// Only consumed groups count: groups begun ahead of time may be cut off by the end, and others may be given up
	// before everything was requested.
	for _, c := range s.consumed() {
		for _, used := range c.GetEpisodes() {
			if u := used.GetUse(); u != awhostv1.ConsumedEpisode_USE_TRAINED && u != awhostv1.ConsumedEpisode_USE_MASKED {
				continue
			}
			id := seen[used.GetEpisodeId()].GetGroupId()
			if samples := groups[id]; samples != nil && int64(len(samples)) != size[id] {
				t.errorf("step %d uses group %s, but only %d of its %d samples were "+
					"requested", c.GetStep(), id, len(samples),
					size[id])
				delete(groups, id)
			}
		}
	}
}

// failingStage is a second launch of the stage, in which some episodes fail. It is trained once.
type failingStage struct {
	stage   *stage
	failed  sync.Map // reasons by episode id: these must not be trained
	problem error    // why the training failed
}

func (t *T) failingStage() *failingStage {
	t.skipUnlessPlannable()
	u := t.component.failingStage
	if u == nil {
		u = &failingStage{stage: t.stage(t.fresh())}
		var left atomic.Int64
		left.Store(3) // not more: a trainer that draws replacement samples must still finish
		u.stage.changeResult = func(req *awhostv1.RunEpisodeRequest, out *awhostv1.EpisodeResult) {
			if req.GetSplit() == awhostv1.Split_SPLIT_VALIDATION {
				return
			}
			switch n := left.Add(-1); {
			case n == 0: // cut by a limit, therefore masked
				u.failed.Store(req.GetEpisodeId(), "which is masked")
				out.Outcome, out.Masked = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_TRUNCATED, true
				for _, c := range out.GetChains() {
					c.Train = false
				}
			case n > 0:
				u.failed.Store(req.GetEpisodeId(), "which has no reward")
				out.Outcome, out.Reward, out.Masked = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, nil, true
				out.Failure = &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT, Detail: "conformance"}
			}
		}
		u.problem = u.stage.train(t.trainContext())
		t.component.failingStage = u
	}
	t.need(u.problem, "Train")
	return u
}

func checkEpisodesFail(t *T) {
	u := t.failingStage()
	for _, c := range u.stage.consumed() {
		for _, e := range c.GetEpisodes() {
			why, failed := u.failed.Load(e.GetEpisodeId())
			if failed && e.GetUse() == awhostv1.ConsumedEpisode_USE_TRAINED {
				t.errorf("step %d trains on episode %s, %s", c.GetStep(), e.GetEpisodeId(), why)
			}
		}
	}
}

// place is a group's position in a run, from which the host derives seeds. It excludes the group's name and its step,
// which depends on timing if a trainer requests episodes ahead of time.
type place struct {
	position int64 // group_index, else dataset_index; -1: neither
	task     string
}

func placeOf(e *awhostv1.RunEpisodeRequest) place {
	switch {
	case e.GroupIndex != nil:
		return place{position: e.GetGroupIndex()}
	case e.GetTask() != nil:
		return place{position: -1, task: e.GetTask().GetId()}
	}
	return place{position: e.GetDatasetIndex()}
}

func (p place) String() string {
	if p.position < 0 {
		return "task " + p.task
	}
	return fmt.Sprintf("position %d", p.position)
}

func checkEpisodePlaces(t *T) {
	first, second := t.places(t.trainedStage()), t.places(t.failingStage().stage)
	if len(first) > len(second) { // either may have asked further ahead, or again for failed episodes
		first, second = second, first
	}
	for p := range first {
		if !second[p] {
			t.errorf("of two launches of one spec with equal numbers of groups, only one requests a group at %s, so "+
				"the environment creates different problems", p)
		}
	}
}

// places returns the places of the groups that a stage requested. The samples in a group share a place, because they
// are given the same problem.
func (t *T) places(s *stage) map[place]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	places, groups := map[place]bool{}, map[string]place{}
	for _, e := range s.episodes {
		if e.GetSplit() == awhostv1.Split_SPLIT_VALIDATION {
			continue // validation seeds are derived from tasks
		}
		here := placeOf(e)
		name := fmt.Sprint(e.GetStep(), "/", e.GetGroupId())
		if there, known := groups[name]; known && there != here {
			t.errorf("group %s is at %s, but its episode %s is at %s: samples in one group would get two different "+
				"problems", e.GetGroupId(),
				there, e.GetEpisodeId(), here)
		}
		places[here], groups[name] = true, here
	}
	return places
}
