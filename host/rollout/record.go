package rollout

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Sink receives final records. Both methods are called concurrently. The sink owns the record from then on. An error
// stops the run, because results that are not recorded must not count.
type Sink interface {
	// Attempt records an attempt that was abandoned in favor of another one.
	Attempt(record *AttemptRecord) error
	// Episode records an episode before its result is returned.
	Episode(record *EpisodeRecord) error
}

// CallSink is a Sink that records responses before their episodes end. Other sinks record them only with the episode.
type CallSink interface {
	// Call records a response before it is returned to the agent that requested recording. An error stops the run.
	Call(record *CallRecord) error
}

// CallRecord is a policy response in an attempt that is in progress.
type CallRecord struct {
	EpisodeID string
	Attempt   int
	TurnRecord
	Length  int // number of messages in the chain, including this one
	Message sdk.Message
}

// AttemptRecord is one try at an episode.
type AttemptRecord struct {
	EpisodeID      string
	Slot           Slot
	Attempt        int // from 1
	Draw           int // raised by the caller and by each policy retry
	TaskID         string
	Messages       []sdk.Message
	Sampled        []int        // indexes in Messages of the policy's messages
	Parts          []agent.Part // of Messages, for the members of a swarm
	Tools          []sdk.Tool   // as first offered
	Turns          []TurnRecord
	Chains         []ChainRecord
	TurnRewards    []sdk.TurnReward
	UnsampledSteps []agent.UnsampledStep // of the agent, with messages that the policy did not write
	Finish         agent.Finish
	Limit          *agent.Limit                // ended the conversation; nil unless Finish is truncated without failure
	Metadata       json.RawMessage             // from the agent
	Answer         *string                     // the agent's, if it is not the last assistant message
	SelfReport     map[string]agent.SelfReport // the agents' own results for the episode, by agent name
	Rows           []SampledRow                // of chains whose tokens the host received; never trained
	StateDigest    string                      // from the environment's Close

	MalformedCalls int
	RefusedCalls   int
	DriftCount     int
	Metrics        map[string]float64 // "environment/…", summed over the steps; "agent/…"; "gateway/…"
	Cut            bool               // ended while requests were pending, so the recorded messages depend on timing
	Endpoint       bool               // a program could request messages; its requests are counted, see ConversationStats

	Foreign       ForeignCalls            // of the policy's messages
	ServedForeign map[string]ForeignCalls // of served models' messages, by address

	// Failure explains why the attempt has no result. LostPlugin is set if the plugin was lost rather than failing.
	Failure    *sdk.Failure
	LostPlugin string
	LostDetail string

	Started time.Time
	Ended   time.Time
	Waits   []Waited // finished waits in the order of their ends; nil without a Tracer
	Parties Parties
}

// Waited is one of an episode's finished waits. For calls, About is an Exchange.
type Waited = wait.Finished

// Parties holds the addresses of an attempt's participants. An address may be empty.
type Parties struct {
	Agent       string
	Environment string
	Model       string // the model that answers unless a turn names another
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
	ChainDigest  string // of the chain's tokens, including this message
	Drift        string
	Model        time.Duration // time spent waiting for the message
	Environment  time.Duration // time spent in the following step
	Served       string        // address of the served model's block; empty: the policy
	Cost         float64       // of a served model's answer, in US dollars
	Findings     []madness.Finding

	Caller map[string]string // self-description of the requesting program, from headers; informational only
}

// ChainRecord is a conversation as the token owner sees it.
type ChainRecord struct {
	Chain  string
	Agent  string
	Digest string // of its tokens
	Train  bool
	Served bool // by a model that is not the policy; unknown to the adapter
}

// SampledRow is part of a conversation, expressed in the tokens of the server that sampled it.
type SampledRow struct {
	Chain        string    `json:"chain"`
	IDs          []int32   `json:"ids"`
	LossMask     []bool    `json:"loss_mask"` // as long as ids; true for sampled tokens
	Logprobs     []float32 `json:"logprobs"`  // as long as ids; 0 for tokens that were not sampled
	TurnIDs      []int32   `json:"turn_ids"`  // as long as ids; index of the message in the row, -1 outside of messages
	PromptLength int       `json:"prompt_length"`
}

// ScoreRecord is one reward's score for an episode.
type ScoreRecord struct {
	Address string
	sdk.Scored
}

// EpisodeRecord is an episode that has ended: its final attempt and its outcome.
type EpisodeRecord struct {
	AttemptRecord
	GroupSize       int
	PolicyVersion   int64
	EnvironmentSeed uint64
	FinalAnswer     string          // the agent's, or the content of the policy's last message
	State           json.RawMessage // state of the environment, if a reward needed it
	Scores          []ScoreRecord
	Outcome         sdk.Outcome
	Reward          *float64
	IsSuccess       *bool
	Masked          bool
	DropGroup       bool
	LoneSurvivor    bool   // masked or dropped because no other sample of its group has a reward
	Oversize        bool   // its numbers do not fit into a message: the caller receives only the failure
	CancelReason    string // for CANCELLED
	Retries         int    // attempts and scorings repeated by on_failure
	Redraws         int    // retries that sampled again
	Losses          int    // attempts and scorings repeated because a plugin was lost
	Blamed          string // the plugin that the task killed while running alone in a fresh process; empty: none
	WallClock       bool   // the outcome depends on how long an operation took
	RewardMetrics   map[string]float64
	Began           time.Time // including the wait in the queue; the last attempt's Started is later
	Spans           []Span    // of all attempts, in the order of their starts
	Timings         sdk.Timings
	Hash            string // see Canonical
}

// timings sums the spans of an episode with the given duration. Concurrent calls count separately.
func timings(spans []Span, took time.Duration) (t sdk.Timings) {
	t.Host = took
	for i := range spans {
		s := &spans[i]
		t.Host -= s.Took
		switch s.Part {
		case PartQueue:
			t.Queue += s.Took
		case PartModel:
			t.Model += s.Took
		case PartEnvironment:
			t.Environment += s.Took
		case PartReward:
			t.Reward += s.Took
		case PartSiblings:
			t.Siblings += s.Took
		}
	}
	t.Host = max(0, t.Host)
	return t
}

// Canonical returns an episode's digest in hexadecimal. Two runs of the same slot with the same seeds and policy have
// equal digests, regardless of concurrency and of how often they were interrupted: IDs, attempts, times, failure
// details, and costs are excluded.
func (r *EpisodeRecord) Canonical() string {
	d := digest.New("awhost/episode/1")
	digestSlot(d, r.Slot)
	d.Int(r.Draw)
	d.Text(r.TaskID)
	d.Number(r.EnvironmentSeed)
	d.Number(uint64(r.PolicyVersion))
	d.Messages(r.Messages)
	d.Int(len(r.Tools))
	for _, tool := range r.Tools {
		d.Text(tool.Name)
		d.Text(tool.Description)
		d.Bytes(tool.Parameters)
	}
	d.Int(len(r.Turns))
	for i := range r.Turns {
		digestTurn(d, &r.Turns[i])
	}
	d.Int(len(r.Chains))
	for _, chain := range r.Chains {
		d.Text(chain.Agent)
		d.Text(chain.Digest)
		d.Flag(chain.Train)
	}
	d.Int(len(r.TurnRewards))
	for _, turn := range r.TurnRewards {
		d.Float(turn.Reward)
	}
	d.Text(string(r.Finish))
	d.Bytes(r.Metadata)
	if r.Answer != nil {
		d.Text(*r.Answer)
	}
	digestSelfReport(d, r.SelfReport)
	d.Text(r.StateDigest)
	d.Numbers(withoutRepeats(r.Metrics))
	d.Int(len(r.Scores))
	for i := range r.Scores {
		digestScore(d, &r.Scores[i])
	}
	d.Text(string(r.Outcome))
	d.Optional(r.Reward)
	d.OptionalFlag(r.IsSuccess)
	digestFailure(d, r.Failure)
	d.Flag(r.Masked)
	d.Flag(r.DropGroup)
	d.Int(r.Retries)
	d.Int(r.Redraws)
	sum := d.Finish()
	return hex.EncodeToString(sum[:])
}

// withoutRepeats removes the counts of a program's repeated requests because they depend on the network.
func withoutRepeats(metrics map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(metrics))
	for name, value := range metrics {
		if name != "gateway/joined" && name != "gateway/replayed" {
			out[name] = value
		}
	}
	return out
}

func digestSlot(d *digest.Digester, s Slot) {
	d.Text(s.Stage)
	d.Text(string(s.Split))
	d.Int(s.Step)
	d.Int(s.Index)
	d.Int(s.Position)
	d.Int(s.Repeat)
	d.Text(s.Task)
	d.Int(s.Sample)
}

func digestTurn(d *digest.Digester, t *TurnRecord) {
	d.Text(t.Agent)
	d.Number(t.Seed)
	d.Text(string(t.Finish))
	d.Int(t.PromptTokens)
	d.Int(t.OutputTokens)
	d.Int(len(t.Versions))
	for _, span := range t.Versions {
		d.Number(uint64(span.Version))
		d.Int(span.Tokens)
	}
	d.Text(t.ChainDigest)
	d.Text(t.Drift)
	digestFindings(d, t.Findings)
}

// digestSelfReport hashes nothing if no agent reports results, so that digests created before this feature remain
// valid.
func digestSelfReport(d *digest.Digester, own map[string]agent.SelfReport) {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		d.Text(name)
		d.Optional(own[name].Reward)
		d.OptionalFlag(own[name].IsSuccess)
	}
}

func digestScore(d *digest.Digester, s *ScoreRecord) {
	d.Text(s.Address)
	d.Float(s.Score)
	d.Numbers(s.Components)
	d.OptionalFlag(s.IsSuccess)
	digestFailure(d, s.Failure)
}

func digestFailure(d *digest.Digester, f *sdk.Failure) {
	d.Flag(f != nil)
	if f != nil {
		d.Text(string(f.Class))
	}
}

// digestFindings hashes nothing without findings, so that digests from before the checks existed stay valid.
func digestFindings(d *digest.Digester, findings []madness.Finding) {
	for _, f := range findings {
		d.Text(string(f.Check))
		d.Text(string(f.Reason))
		d.Text(string(f.Part))
		d.Int(f.Call)
		d.Int(f.Offset)
	}
}
