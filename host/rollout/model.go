package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// How long to wait before a paused generation is asked for again.
const (
	firstPause = 50 * time.Millisecond
	mostPause  = 2 * time.Second
)

// model is the agent's view of the token owner, for one attempt. It adds what only the engine knows (ids, seeds,
// versions, the run's sampling) and writes down what happens.
type model struct {
	run    *episode
	record *AttemptRecord
	budget *clock.Budget

	mu      sync.Mutex // an agent with several members may ask for several messages at a time
	calls   int
	chains  map[string]*chain
	repeats map[digest.Digest]int
	spans   []Span
	asking  int          // requests under way
	ended   *sdk.Failure // a message has ended the episode: nothing is sampled any more; nil: none has
}

// chain is what the engine knows of a conversation.
type chain struct {
	record int // its index in the attempt's chains
	points []point
}

// point is the end of a sampled message, where a conversation can go on.
type point struct {
	length  int           // messages up to here
	prefix  digest.Digest // of everything said so far
	lineage digest.Digest // of the repeats on the way here; zero where there were none
}

// at returns where a request goes on: nearly always at the end of its chain. A point that no message ends at has the
// digests of the one before.
func (c *chain) at(base int) point {
	for i := len(c.points) - 1; i > 0; i-- {
		if c.points[i].length <= base {
			return c.points[i]
		}
	}
	return c.points[0]
}

// call is a request under way.
type call struct {
	id      string
	number  int           // within the attempt, from 1
	prefix  digest.Digest // of the conversation with the new messages
	lineage digest.Digest // of the repeats that led to it
	seed    uint64
	key     string // of the answer of a served model; empty: the policy answers
}

// Generate implements agent.Model. What comes of a request depends on nothing that the model does not see.
func (m *model) Generate(ctx context.Context, req agent.Request) (*agent.Reply, error) {
	if err := m.over(); err != nil {
		return nil, err
	}
	req.Messages = sdk.WithoutAttachments(req.Messages)
	generator := m.run.stage.generator(req.Member)
	if err := generator.unsupported(req); err != nil {
		return nil, &verdict.CallError{Class: sdk.FailureModel, Address: generator.Address, Err: err}
	}
	c := m.begin(req)
	scene := ScriptCall{EpisodeID: m.record.EpisodeID, Slot: m.record.Slot, Number: c.number, Tools: req.Tools}
	scripted := m.run.stage.scripted(scene)
	started := m.run.clock().Now()
	resp, err := m.sample(ctx, req, c, scripted)
	took := m.run.clock().Now().Sub(started)
	if err != nil {
		m.spend(c.id, req.Member, started, took)
		m.mu.Lock()
		m.asking--
		m.mu.Unlock()
		return nil, &verdict.CallError{Class: sdk.FailureModel, Address: generator.Address, Err: refusedIfTooLarge(err)}
	}
	m.spend(c.id, req.Member, started, took)
	turn, ends := m.end(req, c, resp, took, m.findings(req, resp, scripted))
	if err := m.keep(req, turn, resp); err != nil {
		return nil, err
	}
	if scripted != nil {
		m.run.stage.Script.Answered(scene, scripted, resp)
	}
	return &agent.Reply{
		CallID:       c.id,
		Message:      resp.Message,
		Finish:       resp.Finish,
		PromptTokens: resp.PromptTokens,
		OutputTokens: resp.OutputTokens,
		Chain:        resp.Chain,
		ChainLength:  resp.ChainLength,
		Served:       turn.Served != "",
		Seed:         c.seed,
		Ends:         ends,
		Bound:        m.bound(req, resp),
	}, nil
}

// unsupported returns the error for a request that the adapter's capabilities exclude, or nil.
func (g GeneratorBinding) unsupported(req agent.Request) error {
	if g.Capabilities == nil {
		return nil
	}
	pictured := func(m sdk.Message) bool { return len(m.Images) > 0 }
	switch {
	case len(req.Stop) > 0 && !g.Capabilities.TakesStop():
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "it does not support stop strings: leave out stop"}
	case slices.ContainsFunc(req.Messages, pictured) && !g.Capabilities.TakesImages():
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "it does not support images: send text only"}
	}
	return nil
}

// refusedIfTooLarge returns the error of a request that is larger than a message to the adapter as a refusal, and other
// errors unchanged.
func refusedIfTooLarge(err error) error {
	var oversize *sdk.OversizeError
	if errors.As(err, &oversize) && oversize.Fault == sdk.OversizeRequest {
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: err.Error()}
	}
	return err
}

// bound is the limit on the tokens of a message that was cut, where it is not that of the request; nil: it is.
func (m *model) bound(req agent.Request, resp *sdk.GenerateResponse) *agent.Limit {
	if resp.Finish != sdk.FinishLength {
		return nil
	}
	if by := m.run.stage.servedBy(req.Member); by != nil && by.MaxTokens > 0 {
		return &agent.Limit{Name: agent.LimitServedTokens, Value: by.MaxTokens, Of: by.Address}
	}
	if most := m.run.stage.sampling(m.record.Slot.Split, req).MaxTokens; most != req.MaxTokens {
		return &agent.Limit{Name: agent.LimitMessageTokens, Value: most}
	}
	return nil
}

func (m *model) begin(req agent.Request) call {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := call{}
	d := digest.New("awhost/prefix/1")
	if known := m.chains[req.Chain]; known != nil {
		from := known.at(req.Base)
		d.Bytes(from.prefix[:])
		c.lineage = from.lineage
	}
	d.Messages(req.Messages)
	c.prefix = d.Finish()
	repeat := m.repeat(req, c.prefix)
	if repeat > 0 {
		c.lineage = repeated(c, repeat)
	}
	m.calls++
	m.asking++
	c.number = m.calls
	c.seed = m.run.seeds.Sampling(m.record.Draw, req.Member, c.prefix, repeat)
	c.id = callID(m.record.EpisodeID, m.record.Attempt, m.calls)
	if m.run.stage.servedBy(req.Member) != nil {
		c.key = m.answerKey(req.Member, c, repeat)
	}
	return c
}

// repeat counts identical requests on one prefix, unless the agent has counted them.
func (m *model) repeat(req agent.Request, prefix digest.Digest) int {
	if req.Repeat != nil {
		return *req.Repeat
	}
	n := m.repeats[prefix]
	m.repeats[prefix] = n + 1
	return n
}

// repeated keeps samples of one request apart for good: what follows them differs although they may say the same.
func repeated(c call, repeat int) digest.Digest {
	d := digest.New("awhost/lineage/1")
	d.Bytes(c.lineage[:])
	d.Bytes(c.prefix[:])
	d.Int(repeat)
	return d.Finish()
}

// callID names a call: "e7/1.3" is the third of the first attempt of e7.
func callID(episode string, attempt, number int) string {
	id := make([]byte, 0, len(episode)+12)
	id = append(append(id, episode...), '/')
	id = append(strconv.AppendInt(id, int64(attempt), 10), '.')
	return string(strconv.AppendInt(id, int64(number), 10))
}

// sample asks the token owner, again after each pause of its generation, during which the episode's clock stands.
func (m *model) sample(
	ctx context.Context, req agent.Request, c call, scripted *sdk.Message,
) (*sdk.GenerateResponse, error) {
	ask := sdk.GenerateRequest{
		EpisodeID:  m.record.EpisodeID,
		Attempt:    m.record.Attempt,
		CallID:     c.id,
		Agent:      req.Member,
		Chain:      req.Chain,
		Base:       req.Base,
		Messages:   req.Messages,
		Tools:      req.Tools,
		Sampling:   m.run.stage.sampling(m.record.Slot.Split, req),
		Trainable:  m.run.stage.Trainable(req.Member),
		Seed:       c.seed,
		Validation: m.record.Slot.Split == sdk.SplitValidation,
		Scripted:   scripted,
	}
	address := m.run.stage.generator(req.Member).Address
	by, callID := m.run.trace.Attempt(m.record.Attempt), ask.CallID
	for paused := 0; ; paused++ {
		ask.Deadline = m.budget.Remaining()
		said := by.Exchange(ask.Messages...)
		call := wait.Wait{
			For: wait.Generate, Address: address, Call: "Generate", ID: callID, Try: paused, About: said,
		}
		answered := m.run.entry.Waits.Begin(call)
		resp, err := m.ask(by.Under(ctx, call), req, c, ask)
		switch {
		case err == nil:
			said.End(nil, resp.Message)
		case !isPaused(err): // a pause is no failure
			said.End(err)
		}
		answered()
		if !isPaused(err) {
			return resp, err
		}
		m.budget.Hold()
		resume := m.run.entry.Waits.Begin(wait.Wait{For: wait.Paused, Address: address})
		err = clock.Pause(ctx, m.run.clock(), clock.Backoff(firstPause, mostPause, paused))
		resume()
		m.budget.Resume()
		if err != nil {
			return nil, err
		}
		ask.CallID = c.id + "~" + strconv.Itoa(paused+1) // the record of the paused call must not answer
	}
}

func isPaused(err error) bool {
	var failed *sdk.GenerateError
	return errors.As(err, &failed) && failed.Kind == sdk.GeneratePaused
}

// keep puts an answer on record, where the agent wants it there before it gets it.
func (m *model) keep(req agent.Request, turn TurnRecord, resp *sdk.GenerateResponse) error {
	sink, keeps := m.run.engine.options.Sink.(CallSink)
	if !req.OnRecord || !keeps {
		return nil
	}
	recorded := m.run.entry.Waits.Begin(wait.Wait{For: wait.Record})
	err := sink.Call(&CallRecord{
		EpisodeID: m.record.EpisodeID, Attempt: m.record.Attempt, TurnRecord: turn, Length: resp.ChainLength,
		Message: resp.Message,
	})
	if recorded(); err != nil {
		err = fmt.Errorf("record call %s: %w", turn.CallID, err)
		m.run.engine.lifetime.Fail(err)
	}
	return err
}

// end writes a sampled message down, and returns the failure with which it ends the episode.
func (m *model) end(
	req agent.Request, c call, resp *sdk.GenerateResponse, took time.Duration, findings []madness.Finding,
) (TurnRecord, *sdk.Failure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asking--
	served, cost := "", 0.0
	if by := m.run.stage.servedBy(req.Member); by != nil {
		served, cost = by.Address, by.cost(resp.PromptTokens, resp.OutputTokens)
	}
	turn := TurnRecord{
		Served:       served,
		Cost:         cost,
		CallID:       c.id,
		Agent:        req.Member,
		Chain:        resp.Chain,
		Seed:         c.seed,
		Finish:       resp.Finish,
		PromptTokens: resp.PromptTokens,
		OutputTokens: resp.OutputTokens,
		Versions:     resp.Versions,
		ChainDigest:  resp.ChainDigest,
		Drift:        resp.Drift,
		Model:        took,
		Findings:     findings,
	}
	m.record.Turns = append(m.record.Turns, turn)
	if resp.Drift != "" && resp.Drift != driftClean {
		m.record.DriftCount++
	}
	m.extend(req, c, resp)
	return turn, m.endsWith(&turn)
}

// driftClean is a conversation that was rewritten into the same tokens.
const driftClean = "CLEAN"

// extend moves the chain on. The token owner's digest, where it gives one, says more than the messages do.
func (m *model) extend(req agent.Request, c call, resp *sdk.GenerateResponse) {
	known := m.chains[resp.Chain]
	if known == nil {
		known = &chain{record: len(m.record.Chains)}
		m.chains[resp.Chain] = known
		m.record.Chains = append(m.record.Chains, ChainRecord{
			Chain: resp.Chain, Agent: req.Member, Served: m.run.stage.servedBy(req.Member) != nil,
		})
	}
	m.record.Chains[known.record].Digest = resp.ChainDigest
	d := digest.New("awhost/chain/1")
	if resp.ChainDigest != "" {
		d.Text(resp.ChainDigest)
	} else {
		d.Bytes(c.prefix[:])
		d.Message(&resp.Message)
	}
	if c.lineage != (digest.Digest{}) {
		d.Bytes(c.lineage[:])
	}
	known.points = append(known.points, point{length: resp.ChainLength, prefix: d.Finish(), lineage: c.lineage})
}

// spend notes how long somebody waited for a message.
func (m *model) spend(callID, member string, at time.Time, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spans = append(m.spans, Span{
		Part: PartModel, At: at, Took: took, Attempt: m.record.Attempt, CallID: callID, Name: member,
	})
}

// stepTook notes how long the environment took to answer the message of a call, and what it was worth.
func (m *model) stepTook(callID string, took time.Duration, reward *float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if reward != nil {
		m.record.TurnRewards = append(m.record.TurnRewards, sdk.TurnReward{CallID: callID, Reward: *reward})
	}
	for i := len(m.record.Turns) - 1; i >= 0; i-- { // nearly always the last
		if m.record.Turns[i].CallID == callID {
			m.record.Turns[i].Environment = took
			return
		}
	}
}

var _ agent.Model = (*model)(nil)
