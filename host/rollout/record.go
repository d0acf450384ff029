package rollout

import (
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// Sink receives what happened, once it is certain. Both methods are called from many goroutines; a record belongs
// to the sink from then on. An error stops the run: what cannot be written down did not happen.
type Sink interface {
	// Attempt reports an attempt that was given up for another one.
	Attempt(record *AttemptRecord) error
	// Episode reports an episode, before anybody learns its result.
	Episode(record *EpisodeRecord) error
}

// AttemptRecord is one try at an episode.
type AttemptRecord struct {
	EpisodeID   string
	Slot        Slot
	Attempt     int // from 1
	Draw        int // raised by the caller and by each policy retry
	TaskID      string
	Messages    []sdk.Message
	Sampled     []int      // places in Messages of what the policy wrote
	Tools       []sdk.Tool // as first offered
	Turns       []TurnRecord
	Chains      []ChainRecord
	TurnRewards []sdk.TurnReward
	Finish      agent.Finish
	Metadata    json.RawMessage // from the agent
	Answer      *string         // the agent's, where it is not the last assistant message
	StateDigest string          // from the environment's Close

	MalformedCalls int
	RefusedCalls   int
	DriftCount     int
	Metrics        map[string]float64 // "environment/…", summed over the steps; "agent/…"

	// Failure says why the attempt gave no result. LostPlugin is set where it was lost rather than failed.
	Failure    *sdk.Failure
	LostPlugin string
	LostDetail string

	Started time.Time
	Ended   time.Time
}

// TurnRecord is one assistant message.
type TurnRecord struct {
	CallID       string
	Agent        string
	Chain        string
	Seed         uint64
	Finish       sdk.FinishReason
	PromptTokens int
	OutputTokens int
	Versions     []sdk.VersionSpan
	ChainDigest  string // of the chain's tokens, this message included
	Drift        string
	Model        time.Duration // spent waiting for the message
	Environment  time.Duration // spent in the step that followed
}

// ChainRecord is a conversation as the token owner knows it.
type ChainRecord struct {
	Chain  string
	Agent  string
	Digest string // of its tokens
	Train  bool
}

// ScoreRecord is what one reward says of an episode.
type ScoreRecord struct {
	Address string
	sdk.Scored
}

// EpisodeRecord is an episode that is over: its final attempt and what became of it.
type EpisodeRecord struct {
	AttemptRecord
	GroupSize       int
	PolicyVersion   int64
	EnvironmentSeed uint64
	FinalAnswer     string          // the agent's, or the content of the policy's last message
	State           json.RawMessage // of the environment, where a reward looked at it
	Scores          []ScoreRecord
	Outcome         sdk.Outcome
	Reward          *float64
	IsSuccess       *bool
	Masked          bool
	DropGroup       bool
	LoneSurvivor    bool   // masked, or dropped, because no other sample of its group has a number
	Oversize        bool   // its numbers do not fit into a message: the caller learns the failure alone
	CancelReason    string // for CANCELLED
	Retries         int    // attempts and scorings repeated by on_failure
	Redraws         int    // those of them that sampled anew
	Losses          int    // attempts and scorings repeated because a plugin was lost
	Blamed          string // the plugin that the task killed alone in a fresh process; empty: none
	WallClock       bool   // the outcome depends on how long something took
	RewardMetrics   map[string]float64
	Timings         sdk.Timings
	Hash            string // see Canonical
}

// Canonical is the digest of what an episode was, in hexadecimal. Two runs of one slot with the same seeds and the
// same policy have equal digests, whatever the concurrency and however often they were interrupted: ids, attempts,
// times, details of failures and costs are left out.
func (r *EpisodeRecord) Canonical() string {
	d := newDigester("awhost/episode/1")
	d.slot(r.Slot)
	d.int(r.Draw)
	d.text(r.TaskID)
	d.number(r.EnvironmentSeed)
	d.number(uint64(r.PolicyVersion))
	d.messages(r.Messages)
	d.int(len(r.Tools))
	for _, tool := range r.Tools {
		d.text(tool.Name)
		d.text(tool.Description)
		d.bytes(tool.Parameters)
	}
	d.int(len(r.Turns))
	for i := range r.Turns {
		d.turn(&r.Turns[i])
	}
	d.int(len(r.Chains))
	for _, chain := range r.Chains {
		d.text(chain.Agent)
		d.text(chain.Digest)
		d.flag(chain.Train)
	}
	d.int(len(r.TurnRewards))
	for _, turn := range r.TurnRewards {
		d.float(turn.Reward)
	}
	d.text(string(r.Finish))
	d.bytes(r.Metadata)
	if r.Answer != nil {
		d.text(*r.Answer)
	}
	d.text(r.StateDigest)
	d.numbers(r.Metrics)
	d.int(len(r.Scores))
	for i := range r.Scores {
		d.score(&r.Scores[i])
	}
	d.text(string(r.Outcome))
	d.optional(r.Reward)
	d.optionalFlag(r.IsSuccess)
	d.failure(r.Failure)
	d.flag(r.Masked)
	d.flag(r.DropGroup)
	d.int(r.Retries)
	d.int(r.Redraws)
	sum := d.finish()
	return hex.EncodeToString(sum[:])
}

func (d *digester) slot(s Slot) {
	d.text(s.Stage)
	d.text(string(s.Split))
	d.int(s.Step)
	d.int(s.Index)
	d.int(s.Position)
	d.int(s.Repeat)
	d.text(s.Task)
	d.int(s.Sample)
}

func (d *digester) turn(t *TurnRecord) {
	d.text(t.Agent)
	d.number(t.Seed)
	d.text(string(t.Finish))
	d.int(t.PromptTokens)
	d.int(t.OutputTokens)
	d.int(len(t.Versions))
	for _, span := range t.Versions {
		d.number(uint64(span.Version))
		d.int(span.Tokens)
	}
	d.text(t.ChainDigest)
	d.text(t.Drift)
}

func (d *digester) score(s *ScoreRecord) {
	d.text(s.Address)
	d.float(s.Score)
	d.numbers(s.Components)
	d.optionalFlag(s.IsSuccess)
	d.failure(s.Failure)
}

func (d *digester) failure(f *sdk.Failure) {
	d.flag(f != nil)
	if f != nil {
		d.text(string(f.Class))
	}
}

// result is what the caller learns of the episode.
func (r *EpisodeRecord) result() *sdk.EpisodeResult {
	result := &sdk.EpisodeResult{
		EpisodeID:   r.EpisodeID,
		Attempt:     r.Attempt,
		Draw:        r.Draw,
		Outcome:     r.Outcome,
		Reward:      r.Reward,
		Components:  components(r.Scores),
		TurnRewards: r.TurnRewards,
		IsSuccess:   r.IsSuccess,
		Failure:     r.Failure,
		Masked:      r.Masked,
		DropGroup:   r.DropGroup,
		NumTurns:    len(r.Turns),
		TaskID:      r.TaskID,
		Timings:     r.Timings,
		DriftCount:  r.DriftCount,
		Metrics:     r.Metrics,
	}
	if r.Oversize {
		return result.WithoutContent()
	}
	if r.Outcome == sdk.OutcomeDropped || r.Outcome == sdk.OutcomeCancelled {
		return result // no row: no chain
	}
	for _, chain := range r.Chains {
		result.Chains = append(result.Chains, sdk.ChainResult{Chain: chain.Chain, Agent: chain.Agent, Train: chain.Train})
	}
	return result
}

// components lists every number that a reward gave: "reward.gaia.answer" is its score, "reward.gaia.answer.exact"
// one of its components.
func components(scores []ScoreRecord) map[string]float64 {
	values := map[string]float64{}
	for i := range scores {
		s := &scores[i]
		if s.Failure != nil {
			continue
		}
		values[s.Address] = s.Score
		for name, value := range s.Components {
			values[s.Address+"."+name] = value
		}
	}
	return values
}
