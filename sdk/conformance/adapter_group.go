package conformance

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// checkGroupOfOne trains a stage in which only one sample of a group has a reward: twice with one reward and once with
// a different one. Nothing else differs, and no other group carries a signal. The checkpoints therefore differ only if
// that reward was used for training.
func checkGroupOfOne(t *T) {
	t.skipUnlessPlannable()
	knobs, _ := t.knobs()
	var k sdk.Knobs
	t.need(json.Unmarshal(knobs.GetJson(), &k), "read the knobs")
	if k.Batch.GroupSize != nil && *k.Batch.GroupSize < 2 {
		t.skipf("the groups have one sample: set batch.group_size in the fixtures")
	}
	declared := t.plan(nil).GetCapabilities()
	first, again, other := t.trainLoneGroup(declared, 0), t.trainLoneGroup(declared, 0), t.trainLoneGroup(declared, 1)
	switch {
	case first != again:
		t.skipf("two equal stages ended with the checkpoints %s and %s, so the trained samples cannot be "+
			"detected", first, again)
	case first == other:
	case declared.GetGroupOfOne() == rawGroupOfOne:
		t.errorf("the only sample of a group with a number is trained although the host marks it: with the reward "+
			"0 the checkpoint is %s, with 1 it is %s", first, other)
	default:
		t.errorf("the only sample of a group with a number is trained: with the reward 0 the checkpoint is %s, "+
			"with 1 it is %s; is group_of_one raw?", first, other)
	}
}

// rawGroupOfOne is the capability of a trainer that uses a lone sample's reward as its advantage.
const rawGroupOfOne = "raw"

// trainLoneGroup trains a stage in which the groups for one task keep only one sample, and returns the digest of the
// last checkpoint.
func (t *T) trainLoneGroup(declared *awhostv1.AdapterCapabilities, reward float64) string {
	s := t.stage(t.fresh())
	group := &loneGroup{t: t, stage: s, declared: declared, reward: reward, samples: map[string]int{},
		second: map[string]chan struct{}{}}
	s.changeResult = group.judge
	ctx, cancel := context.WithCancel(t.trainContext())
	defer cancel()
	group.giveUp = cancel
	err := s.train(ctx)
	if group.stuckGroup != "" {
		t.fatalf("while the host withheld the first sample of group %s, the adapter requested no other one: raw "+
			"requires group_semantics", group.stuckGroup)
	}
	t.need(err, "Train")
	digest := s.lastDigest()
	if digest == "" {
		t.fatalf("there is no checkpoint")
	}
	return digest
}

// loneGroup scores samples like a host whose environment fails for all samples of a task except the first.
type loneGroup struct {
	t        *T
	stage    *stage
	declared *awhostv1.AdapterCapabilities
	reward   float64 // of the first sample
	giveUp   func()  // ends the stage

	mu         sync.Mutex
	samples    map[string]int           // judged samples, by group
	second     map[string]chan struct{} // closed when a second sample of the group has ended
	stuckGroup string                   // a group whose first sample waited in vain
}

func (g *loneGroup) judge(req *awhostv1.RunEpisodeRequest, out *awhostv1.EpisodeResult) {
	if req.GetSplit() == awhostv1.Split_SPLIT_VALIDATION {
		return
	}
	if out.GetTaskId() != g.stage.tasks[0].GetId() {
		out.Reward = proto.Float64(0.5) // equal to all others: no variance
		return
	}
	if survives, second := g.number(req); !survives {
		out.Outcome, out.Reward, out.Masked, out.Chains = awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, nil, true, nil
		out.Failure = &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_ENVIRONMENT, Detail: "conformance"}
	} else {
		out.Reward = proto.Float64(g.reward)
		if g.declared.GetGroupOfOne() == rawGroupOfOne {
			g.awaitSecondSample(req, second)
			g.mark(out)
		}
	}
}

// number reports whether a sample is the one that survives in its group: the first by number, or by arrival.
func (g *loneGroup) number(req *awhostv1.RunEpisodeRequest) (survives bool, second chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := req.GetGroupId()
	if g.second[id] == nil {
		g.second[id] = make(chan struct{})
	}
	index := int64(g.samples[id])
	g.samples[id]++
	if g.samples[id] == 2 {
		close(g.second[id])
	}
	if req.SampleIndex != nil {
		index = req.GetSampleIndex()
	}
	return index == 0, g.second[id]
}

// awaitSecondSample waits, as the host does, until another sample in the group is known.
func (g *loneGroup) awaitSecondSample(req *awhostv1.RunEpisodeRequest, second <-chan struct{}) {
	if req.GetGroupSize() < 2 {
		return
	}
	late := time.NewTimer(g.t.suite.config.CallTimeout)
	defer late.Stop()
	select {
	case <-second:
	case <-g.stage.ctx.Done():
	case <-late.C:
		g.mu.Lock()
		g.stuckGroup = req.GetGroupId()
		g.mu.Unlock()
		g.giveUp()
	}
}

// mark excludes the sample in the same way as the host.
func (g *loneGroup) mark(out *awhostv1.EpisodeResult) {
	for _, c := range out.GetChains() {
		c.Train = false
	}
	if u := g.declared.GetUnscorable(); u == "exact" || u == "group_lost" {
		out.DropGroup = true
		return
	}
	out.Masked = true
}
