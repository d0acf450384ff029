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

// Sink receives what happened, once it is certain. Both methods are called from many goroutines; a record belongs
// to the sink from then on. An error stops the run: what cannot be written down did not happen.
type Sink interface {
	// Attempt reports an attempt that was given up for another one.
	Attempt(record *AttemptRecord) error
	// Episode reports an episode, before anybody learns its result.
	Episode(record *EpisodeRecord) error
}

// CallSink is a Sink that keeps answers before their episodes are over. A Sink without it keeps them with the episode
// alone.
type CallSink interface {
	// Call reports an answer before the agent gets it that asked for it to be on record. An error stops the run.
	Call(record *CallRecord) error
}

// CallRecord is an answer of the policy, while its attempt goes on.
type CallRecord struct {
	EpisodeID string
	Attempt   int
	TurnRecord
	Length  int // messages of the chain, this one included
	Message sdk.Message
}

// AttemptRecord is one try at an episode.
type AttemptRecord struct {
	EpisodeID   string
	Slot        Slot
	Attempt     int // from 1
	Draw        int // raised by the caller and by each policy retry
	TaskID      string
	Messages    []sdk.Message
	Sampled     []int        // places in Messages of what the policy wrote
	Parts       []agent.Part // of Messages, where members of a swarm spoke
	Tools       []sdk.Tool   // as first offered
	Turns       []TurnRecord
	Chains      []ChainRecord
	TurnRewards []sdk.TurnReward
	OwnSteps    []agent.OwnStep // of the agent, with messages that the policy did not write
	Finish      agent.Finish
	Limit       *agent.Limit         // that ended the conversation; nil unless Finish is truncated and nothing failed
	Metadata    json.RawMessage      // from the agent
	Answer      *string              // the agent's, where it is not the last assistant message
	Own         map[string]agent.Own // what agents say of the episode themselves, by their names
	Rows        []SampledRow         // of chains that the host was given the tokens of; never trained
	StateDigest string               // from the environment's Close

	MalformedCalls int
	RefusedCalls   int
	DriftCount     int
	Metrics        map[string]float64 // "environment/…", summed over the steps; "agent/…"; "gateway/…"
	Cut            bool               // the end came while other messages were under way: which of them are here is chance
	Endpoint       bool               // a program could ask for messages: what it asked for is counted, see Forest

	// Failure says why the attempt gave no result. LostPlugin is set where it was lost rather than failed.
	Failure    *sdk.Failure
	LostPlugin string
	LostDetail string

	Started time.Time
	Ended   time.Time
	Waits   []Waited // where the time went, in the order of their ends; nil: no Tracer has asked
	Parties Parties
}

// Waited is something that an episode has waited for. Of calls, About is an Exchange.
type Waited = wait.Over

// Parties are the addresses of those who take part in an attempt; empty: there is none.
type Parties struct {
	Agent       string
	Environment string
	Model       string // that answers unless a turn says who did
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
	Served       string        // the model's block, where not the policy answered
	Cost         float64       // of a served model's answer, in US dollars
	Findings     []madness.Finding

	Caller map[string]string // what the program that asked says of itself, by headers; it decides nothing
}

// ChainRecord is a conversation as the token owner knows it.
type ChainRecord struct {
	Chain  string
	Agent  string
	Digest string // of its tokens
	Train  bool
	Served bool // by a model that is not the policy; the adapter does not know it
}

// SampledRow is a piece of a conversation in the tokens of the server that has sampled in it.
type SampledRow struct {
	Chain        string    `json:"chain"`
	IDs          []int32   `json:"ids"`
	LossMask     []bool    `json:"loss_mask"` // as long as ids: what was sampled
	Logprobs     []float32 `json:"logprobs"`  // as long as ids; 0 for what was not sampled
	TurnIDs      []int32   `json:"turn_ids"`  // as long as ids: which message of the row; -1 outside of them
	PromptLength int       `json:"prompt_length"`
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
	Began           time.Time // with the wait for a place; the last attempt has Started later
	Spans           []Span    // of all attempts, in the order in which they began
	Timings         sdk.Timings
	Hash            string // see Canonical
}

// timings are the sums of spans in an episode that took so long. Calls that were under way at the same time count each.
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

// Canonical is the digest of what an episode was, in hexadecimal. Two runs of one slot with the same seeds and the
// same policy have equal digests, whatever the concurrency and however often they were interrupted: ids, attempts,
// times, details of failures and costs are left out.
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
	digestOwn(d, r.Own)
	d.Text(r.StateDigest)
	d.Numbers(own(r.Metrics))
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

// own leaves out how often a program asked again: that is the network's.
func own(metrics map[string]float64) map[string]float64 {
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

// digestOwn adds nothing where no agent says anything, as before agents could.
func digestOwn(d *digest.Digester, own map[string]agent.Own) {
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

// digestFindings adds nothing where nothing is found, as before there were checks.
func digestFindings(d *digest.Digester, findings []madness.Finding) {
	for _, f := range findings {
		d.Text(string(f.Check))
		d.Text(string(f.Reason))
		d.Text(string(f.Part))
		d.Int(f.Call)
		d.Int(f.Offset)
	}
}
