package eval

import (
	"encoding/json"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Episode is the result of one episode, in a form for both users and programs.
type Episode struct {
	Task   string `json:"task"`
	Sample int    `json:"sample" jsonschema:"minimum=0"`

	Outcome sdk.Outcome `json:"outcome" jsonschema:"enum=SCORED,enum=TRUNCATED,enum=FAILED,enum=DROPPED,enum=CANCELLED"`

	Finish     string             `json:"finish,omitempty"` // the reason for the end of the conversation
	Success    *bool              `json:"success,omitempty"`
	Reward     *float64           `json:"reward,omitempty"`
	Components map[string]float64 `json:"components,omitempty"` // by address of the reward
	Notes      map[string]string  `json:"notes,omitempty"`      // the rewards' text notes, by the same names
	Failure    *EpisodeFailure    `json:"failure,omitempty"`
	Answer     string             `json:"answer"` // the content of the last assistant message
	Turns      int                `json:"turns" jsonschema:"minimum=0"`

	PromptTokens int             `json:"prompt_tokens" jsonschema:"minimum=0"` // over all calls
	OutputTokens int             `json:"output_tokens" jsonschema:"minimum=0"`
	Messages     []sdk.Message   `json:"messages"`
	Parts        []agent.Part    `json:"parts,omitempty"`    // of messages, if members of a swarm sent them
	Members      []Member        `json:"members,omitempty"`  // if there are several, in the order of their first calls
	Metadata     json.RawMessage `json:"metadata,omitempty"` // of the agent

	Madness []rollout.MadnessFinding `json:"madness,omitempty"` // messages that failed their checks

	Rows []rollout.SampledRow `json:"rows,omitempty"` // in the tokens of served models whose blocks request them
}

// EpisodeFailure is the reason why an episode or its scoring failed.
type EpisodeFailure struct {
	Class  sdk.FailureClass `json:"class"`
	Detail string           `json:"detail"`
}

// Member describes a swarm member's calls to its model.
type Member struct {
	Agent        string  `json:"agent"` // "react.planner"
	Turns        int     `json:"turns"`
	PromptTokens int     `json:"prompt_tokens"` // over all turns
	OutputTokens int     `json:"output_tokens"`
	Seconds      float64 `json:"seconds"`            // spent waiting for the model
	Model        string  `json:"model,omitempty"`    // the block of the served model that responds
	CostUSD      float64 `json:"cost_usd,omitempty"` // of its responses, by the prices of that block
}

// Describe returns the Episode for a record.
func Describe(r *rollout.EpisodeRecord) Episode {
	out := Episode{
		Task: r.TaskID, Sample: r.Slot.Sample, Outcome: r.Outcome, Finish: string(r.Finish), Success: r.IsSuccess,
		Reward: r.Reward,
		Answer: r.FinalAnswer, Turns: len(r.Turns), Messages: r.Messages, Metadata: r.Metadata, Components: r.Scored(),
	}
	out.Parts, out.Rows, out.Madness, out.Notes = r.Parts, r.Rows, r.Findings(), r.Notes()
	for _, m := range r.Members() {
		out.Members = append(out.Members, Member{
			m.Agent, m.Turns, m.PromptTokens, m.OutputTokens, m.Model.Seconds(), m.Served, m.Cost,
		})
	}
	if out.Messages == nil {
		out.Messages = []sdk.Message{}
	}
	if r.Failure != nil {
		out.Failure = &EpisodeFailure{r.Failure.Class, r.Failure.Detail}
	}
	for _, t := range r.Turns {
		out.PromptTokens, out.OutputTokens = out.PromptTokens+t.PromptTokens, out.OutputTokens+t.OutputTokens
	}
	return out
}
