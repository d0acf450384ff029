package rollout

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
)

// The model test simulates an unreliable adapter: it requests samples, loses its connection, asks again, cancels,
// waits, and ends steps, in any order, while plugins fail and die. These rules must hold. An id is run and recorded
// once, and again only if no caller had waited for it. An episode counts once, in the step in which it ends if all
// are used. A result is a number or a failure, repeats receive the first result, and nothing is kept forever.

// move is an action of the adapter.
type move struct {
	Kind   string // "ask", "hang up", "cancel", "wait", "boundary"
	Group  int
	Sample int
	Again  int // index of the slot's id: ids of one slot differ as after a lost connection
	Long   time.Duration
}

func moves(t *rapid.T) []move {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) move {
		return move{
			Kind: rapid.SampledFrom([]string{"ask", "ask", "ask", "ask", "hang up", "cancel", "wait", "wait",
				"boundary"}).Draw(t, "kind"),
			Group:  rapid.IntRange(0, 2).Draw(t, "group"),
			Sample: rapid.IntRange(0, 1).Draw(t, "sample"),
			Again:  rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "again"),
			Long:   time.Duration(rapid.IntRange(1, 3000).Draw(t, "ms")) * time.Millisecond,
		}
	}), 1, 60).Draw(t, "moves")
}

func TestAnUnreliableAdapterCannotConfuseTheEngine(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		steps, grouped, seed := moves(rt), rapid.Bool().Draw(rt, "grouped"), rapid.Uint64().Draw(rt, "faults")
		var problems []string
		synctest.Test(t, func(t *testing.T) { problems = play(t, steps, grouped, seed) })
		if len(problems) > 0 {
			rt.Fatalf("%v", problems)
		}
	})
}

// player simulates the adapter and its state.
type player struct {
	*rig
	step     int
	counted  int                             // records that have counted
	lines    map[string][]context.CancelFunc // connections by episode id
	answers  chan answer
	got      map[string]*sdk.EpisodeResult
	problems []string
}

type answer struct {
	id     string
	result *sdk.EpisodeResult
	err    error
}

func (p *player) wrong(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

func play(t *testing.T, steps []move, grouped bool, seed uint64) []string {
	p := &player{
		rig: faultyRig(grouped, seed), step: 1, lines: map[string][]context.CancelFunc{},
		answers: make(chan answer, len(steps)), got: map[string]*sdk.EpisodeResult{},
	}
	p.start(t)
	for _, m := range steps {
		p.do(m)
	}
	for _, lines := range p.lines {
		for _, hangUp := range lines {
			hangUp()
		}
	}
	time.Sleep(3 * time.Hour) // longer than every limit
	synctest.Wait()
	p.collect()
	p.endStep()
	p.checkRecords()
	if k := p.kept(); k.groups != 0 || k.summaries != 0 || k.entries > p.options.MaxResults {
		p.wrong("at the end there are %+v", k)
	}
	if live := p.Live(); live.Queued+live.Running+live.Waiting != 0 {
		p.wrong("at the end the engine does %+v", live)
	}
	if open := p.env.open.Load(); open != 0 {
		p.wrong("%d environments are open at the end", open)
	}
	return p.problems
}

// faultyRig returns a rig that fails by the seeds of calls, and whose plugins sometimes die.
func faultyRig(grouped bool, seed uint64) *rig {
	r := newRig()
	if grouped {
		r = groupRig(groupFunc(rankByAnswer))
		r.setup.MinGroup = 1
	}
	revive(r)
	r.options.RunSeed = int64(seed)
	r.options.ReconnectGrace = time.Second
	r.options.SiblingTimeout = time.Hour
	r.options.MaxResults = 16 // more than the number of ids in a step
	r.setup.Concurrency = 2
	r.setup.ActiveBudget = time.Minute
	var deaths uint64
	r.policy.before = func(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		if err := clock.Pause(ctx, clock.System{}, time.Duration(req.Seed%1500)*time.Millisecond); err != nil {
			return nil, err
		}
		r.policy.mu.Lock()
		defer r.policy.mu.Unlock()
		deaths++
		switch {
		case (deaths^seed)%13 == 0:
			return nil, verdict.ErrPluginLost
		case req.Seed%17 == 0:
			return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine}
		}
		return nil, nil
	}
	r.env.onStep = func(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
		if len(req.Message.Content)%5 == 4 {
			return nil, errors.New("the desk collapsed")
		}
		return nil, nil
	}
	return r
}

func (p *player) do(m move) {
	id := fmt.Sprintf("s%d-g%d-%d-%d", p.step, m.Group, m.Sample, m.Again)
	switch m.Kind {
	case "ask":
		p.ask(id, m)
	case "hang up":
		for _, hangUp := range p.lines[id] {
			hangUp()
		}
	case "cancel":
		if err := p.CancelEpisode(context.Background(), id, "stale"); err != nil {
			p.wrong("cancel %s: %v", id, err)
		}
	case "wait":
		time.Sleep(m.Long)
	case "boundary":
		p.endStep()
	}
	synctest.Wait()
	p.collect()
}

func (p *player) ask(id string, m move) {
	req := sample(p.step, m.Group, m.Sample)
	req.EpisodeID, req.GroupSize, req.Draw = id, 2, m.Again
	ctx, hangUp := context.WithCancel(context.Background())
	p.lines[id] = append(p.lines[id], hangUp)
	go func() {
		defer hangUp()
		result, err := p.RunEpisode(ctx, req)
		p.answers <- answer{id, result, err}
	}()
}

// collect checks the received answers.
func (p *player) collect() {
	for len(p.answers) > 0 {
		a := <-p.answers
		if a.err != nil {
			continue // a lost connection, or a sample that already has another id
		}
		p.checkResult(a.result)
		if first := p.got[a.id]; first == nil {
			p.got[a.id] = a.result
		} else if first.Outcome != a.result.Outcome || first.Attempt != a.result.Attempt {
			p.wrong("a repeat of %s got %s, the first %s", a.id, a.result.Outcome, first.Outcome)
		}
	}
}

func (p *player) checkResult(result *sdk.EpisodeResult) {
	scored := result.Outcome == sdk.OutcomeScored || result.Outcome == sdk.OutcomeTruncated
	if scored != (result.Reward != nil) || (scored && result.Failure != nil) {
		p.wrong("%s is %s with the reward %v and the failure %v", result.EpisodeID, result.Outcome, result.Reward,
			result.Failure)
	}
	for _, chain := range result.Chains {
		if chain.Train && !scored {
			p.wrong("%s is %s, but chain %s is trained", result.EpisodeID, result.Outcome, chain.Chain)
		}
	}
}

// endStep ends the step and checks its numbers against the records.
func (p *player) endStep() {
	slots := map[Slot]bool{}
	p.sink.mu.Lock()
	for _, record := range p.sink.episodes[p.counted:] {
		slots[record.Slot] = true // of an earlier step if the episode was longer than that
	}
	p.counted = len(p.sink.episodes)
	p.sink.mu.Unlock()
	report := p.boundary(p.step, false)
	if got := report.Train.Episodes; got != len(slots) {
		p.wrong("in step %d episodes of %d different slots ended, but %d count", p.step, len(slots), got)
	}
	total := 0
	for _, n := range report.Train.Outcomes {
		total += n
	}
	if total != report.Train.Episodes {
		p.wrong("%d outcomes of %d episodes", total, report.Train.Episodes)
	}
	p.step++
}

// checkRecords checks that only episodes without a waiting caller are recorded twice.
func (p *player) checkRecords() {
	last := map[string]*EpisodeRecord{}
	for _, record := range p.sink.episodes {
		if before := last[record.EpisodeID]; before != nil && before.CancelReason != verdict.ErrNoWaiters.Error() {
			p.wrong("%s is on record as %s, and again as %s", record.EpisodeID, before.Outcome, record.Outcome)
		}
		last[record.EpisodeID] = record
		if record.Reward != nil && record.Failure != nil {
			p.wrong("%s is on record with a reward and a failure", record.EpisodeID)
		}
		if record.Hash != record.Canonical() {
			p.wrong("the hash of %s does not match its content", record.EpisodeID)
		}
	}
}

// chooser requests the same message twice and takes the second.
type chooser struct{}

func (chooser) Run(ctx context.Context, e agent.Episode) (*agent.Result, error) {
	question := []sdk.Message{{Role: sdk.RoleUser, Content: "?"}}
	for range 2 {
		if _, err := e.Model.Generate(ctx, agent.Request{Member: "chooser", Messages: question}); err != nil {
			return nil, err
		}
	}
	return &agent.Result{Messages: question, Finish: agent.FinishAnswered}, nil
}

func TestBestOfTwoDrawsTwoSamples(t *testing.T) {
	r := newRig()
	r.setup.Agent = chooser{}
	r.start(t)
	result := r.run(t, sample(1, 1, 0))
	if len(result.Chains) != 2 || r.policy.seen[0].Seed == r.policy.seen[1].Seed {
		t.Errorf("two identical requests gave %d chains with the seeds %d and %d",
			len(result.Chains), r.policy.seen[0].Seed, r.policy.seen[1].Seed)
	}
}
