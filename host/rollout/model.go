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

// The pauses before a paused generation is requested again.
const (
	firstPause = 50 * time.Millisecond
	mostPause  = 2 * time.Second
)

// model is the agent's view of the token owner during one attempt. It adds data that only the engine has (IDs, seeds,
// versions, the run's sampling) and records the requests.
type model struct {
	run    *episode
	record *AttemptRecord
	budget *clock.Budget

	mu      sync.Mutex // an agent with several members may send requests concurrently
	calls   int
	chains  map[string]*chain
	repeats map[digest.Digest]int
	spans   []Span
	asking  int          // requests in progress
	ended   *sdk.Failure // set if a message has ended the episode and sampling has stopped
}

// chain holds the engine's data about a conversation.
type chain struct {
	record int // index in the attempt's chains
	points []point
}

// point is the end of a sampled message, where a conversation can continue.
type point struct {
	length  int           // number of messages up to here
	prefix  digest.Digest // of the whole conversation so far
	lineage digest.Digest // of the repeats on the path to here; zero if there were none
}

// at returns the point at which a request continues, which is nearly always the end of its chain. A position where no
// message ends has the digests of the point before it.
func (c *chain) at(base int) point {
	for i := len(c.points) - 1; i > 0; i-- {
		if c.points[i].length <= base {
			return c.points[i]
		}
	}
	return c.points[0]
}

// call is a request that is in progress.
type call struct {
	id      string
	number  int           // within the attempt, from 1
	prefix  digest.Digest // of the conversation with the new messages
	lineage digest.Digest // of the repeats on the path to it
	seed    uint64
	key     string // of a served model's answer; empty: the policy answers
}

// Generate implements agent.Model. Its result depends only on data that is visible to the model.
func (m *model) Generate(ctx context.Context, req agent.Request) (*agent.Reply, error) {
	if err := m.checkEnded(); err != nil {
		return nil, err
	}
	req.Messages = sdk.WithoutAttachments(req.Messages)
	generator := m.run.stage.generator(req.Member)
	err := generator.unsupported(req)
	if err == nil {
		err = m.run.stage.checkTemplateKwargs(req)
	}
	if err != nil {
		return nil, &verdict.CallError{Class: sdk.FailureModel, Address: generator.Address, Err: err}
	}
	c := m.begin(req)
	scene := ScriptCall{EpisodeID: m.record.EpisodeID, Slot: m.record.Slot, Number: c.number, Tools: req.Tools}
	scripted := m.run.stage.scriptedMessage(scene)
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
	if m.run.stage.servedBy(req.Member) == nil {
		if err := m.run.engine.checkCodec(generator.Address, resp); err != nil {
			return nil, err
		}
	}
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
	case req.Constraints != nil && !g.Capabilities.SupportsConstraints():
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "it does not decode under a grammar: set " +
			`decoding_constraints = "ignore" in the agent's block, or use a served model`}
	case len(req.Stop) > 0 && !g.Capabilities.SupportsStop():
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "it does not support stop strings: omit stop"}
	case slices.ContainsFunc(req.Messages, pictured) && !g.Capabilities.SupportsImages():
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "it does not support images: send text only"}
	}
	return nil
}

// refusedIfTooLarge returns the error as a refusal if the request exceeds the maximum size of a message to the adapter,
// and returns other errors unchanged.
func refusedIfTooLarge(err error) error {
	var oversize *sdk.OversizeError
	if errors.As(err, &oversize) && oversize.Fault == sdk.OversizeRequest {
		return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: err.Error()}
	}
	return err
}

// bound returns the limit that cut off a message if it is not the request's own limit, or nil otherwise.
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

// repeat counts identical requests with the same prefix, unless the agent has already counted them.
func (m *model) repeat(req agent.Request, prefix digest.Digest) int {
	if req.Repeat != nil {
		return *req.Repeat
	}
	n := m.repeats[prefix]
	m.repeats[prefix] = n + 1
	return n
}

// repeated returns a lineage that distinguishes samples of the same request: their continuations differ even if their
// text is equal.
func repeated(c call, repeat int) digest.Digest {
	d := digest.New("awhost/lineage/1")
	d.Bytes(c.lineage[:])
	d.Bytes(c.prefix[:])
	d.Int(repeat)
	return d.Finish()
}

// callID returns a call's ID: "e7/1.3" is the third call in the first attempt at e7.
func callID(episode string, attempt, number int) string {
	id := make([]byte, 0, len(episode)+12)
	id = append(append(id, episode...), '/')
	id = append(strconv.AppendInt(id, int64(attempt), 10), '.')
	return string(strconv.AppendInt(id, int64(number), 10))
}

// sample sends a request to the token owner and repeats it whenever generation has been paused. The episode's clock
// stops during pauses.
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

		ChatTemplateKwargs: m.run.stage.templateKwargs(req.Member),
		Constraints:        req.Constraints,
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
		case !isPaused(err): // a pause is not a failure
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

// keep records a response before the agent receives it, if the request specifies this.
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

// end records a sampled message and returns the failure with which it ends the episode, or nil.
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
	m.record.countForeign(served, resp.Codec, req.Tools, &resp.Message)
	if resp.Drift != "" && resp.Drift != driftClean {
		m.record.DriftCount++
	}
	m.extend(req, c, resp)
	return turn, m.endsWith(&turn)
}

// driftClean marks a conversation whose messages were rewritten but have the same tokens.
const driftClean = "CLEAN"

// extend adds a point to the chain. The token owner's digest, if present, is more precise than the messages.
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

// spend records how long a request took.
func (m *model) spend(callID, member string, at time.Time, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spans = append(m.spans, Span{
		Part: PartModel, At: at, Took: took, Attempt: m.record.Attempt, CallID: callID, Name: member,
	})
}

// stepTook records how long the environment took to respond to a call's message, and the message's reward.
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
