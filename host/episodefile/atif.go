package episodefile

import (
	"encoding/json"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// Trajectory is an episode in the Agent Trajectory Interchange Format of Harbor, version 1.7: package
// harbor.models.trajectories of harbor 0.26.
type Trajectory struct {
	SchemaVersion string         `json:"schema_version"`
	SessionID     string         `json:"session_id"`    // the run
	TrajectoryID  string         `json:"trajectory_id"` // the episode
	Agent         trajectoryName `json:"agent"`
	Steps         []step         `json:"steps"`
	FinalMetrics  finalMetrics   `json:"final_metrics"`
	Extra         extra          `json:"extra"`
}

type trajectoryName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type finalMetrics struct {
	PromptTokens     int      `json:"total_prompt_tokens,omitempty"`
	CompletionTokens int      `json:"total_completion_tokens,omitempty"`
	CostUSD          *float64 `json:"total_cost_usd,omitempty"`
	Steps            int      `json:"total_steps"`
}

// extra has the fields of an episode that ATIF does not define, as in the output of `show --episodes`.
type extra struct {
	TaskID        string              `json:"task_id"`
	Slot          runstore.Slot       `json:"slot"`
	Standing      runstore.Standing   `json:"standing"`
	Outcome       sdk.Outcome         `json:"outcome"`
	Reward        *float64            `json:"reward,omitempty"`
	Success       *bool               `json:"is_success,omitempty"`
	Components    runstore.Numbers    `json:"components,omitempty"`
	Metrics       runstore.Numbers    `json:"metrics,omitempty"`
	FinalAnswer   string              `json:"final_answer,omitempty"`
	Failure       *sdk.Failure        `json:"failure,omitempty"`
	Limit         *runstore.Limit     `json:"limit,omitempty"`
	PolicyVersion int64               `json:"policy_version"`
	Rows          []runstore.TokenRow `json:"rows,omitempty"`
}

type step struct {
	ID          int          `json:"step_id"` // from 1
	Source      string       `json:"source"`
	Message     any          `json:"message"` // a string, or content parts
	Reasoning   string       `json:"reasoning_content,omitempty"`
	Calls       []call       `json:"tool_calls,omitempty"`
	Observation *observation `json:"observation,omitempty"`
	Extra       any          `json:"extra,omitempty"`
}

type call struct {
	ID        string          `json:"tool_call_id"`
	Name      string          `json:"function_name"`
	Arguments json.RawMessage `json:"arguments"` // an object
}

type observation struct {
	Results []observed `json:"results"`
}

type observed struct {
	CallID  string `json:"source_call_id,omitempty"` // of a call of the same step
	Content any    `json:"content"`
	Extra   any    `json:"extra,omitempty"`
}

type contentPart struct {
	Type   string       `json:"type"`
	Text   string       `json:"text,omitempty"`
	Source *imageSource `json:"source,omitempty"`
}

type imageSource struct {
	MediaType string `json:"media_type"`
	Path      string `json:"path"`
}

// member marks a step of a swarm's member.
type member struct {
	Agent string `json:"agent"`
	Depth int    `json:"depth"`
}

// failedCall marks the answer of a tool that reports an error.
type failedCall struct {
	IsError bool `json:"is_error"`
}

// WriteTrajectories writes a JSON file for each episode to a directory, and returns their number. If an episode was
// repeated, its last record replaces the others.
func WriteTrajectories(dir, run string, episodes iter.Seq2[runstore.Episode, error]) (files int, err error) {
	if err := ownerfile.MkdirAll(dir); err != nil {
		return 0, err
	}
	names := map[string]bool{}
	for e, err := range episodes {
		if err != nil {
			return len(names), err
		}
		name := strings.ReplaceAll(e.EpisodeID, "/", "_") + ".json"
		names[name] = true
		text, err := json.Marshal(TrajectoryOf(run, e))
		if err != nil {
			return len(names), err
		}
		if err := ownerfile.WriteFile(filepath.Join(dir, name), text); err != nil {
			return len(names), err
		}
	}
	return len(names), nil
}

// TrajectoryOf returns an episode in ATIF. Steps of a swarm are in chronological order and name their member.
func TrajectoryOf(run string, e runstore.Episode) Trajectory {
	t := Trajectory{
		SchemaVersion: "ATIF-v1.7", SessionID: run, TrajectoryID: e.EpisodeID,
		Agent:        trajectoryName{"awhost", sdk.Version},
		FinalMetrics: finalMetrics{PromptTokens: e.PromptTokens, CompletionTokens: e.OutputTokens},
		Extra: extra{
			e.TaskID, e.Slot, e.Standing, e.Outcome, e.Reward, e.IsSuccess, e.Components, e.Metrics, e.FinalAnswer, e.Failure,
			e.Limit, e.PolicyVersion, e.Rows,
		},
	}
	for _, m := range e.Members {
		if m.CostUSD != 0 {
			if t.FinalMetrics.CostUSD == nil {
				t.FinalMetrics.CostUSD = new(float64)
			}
			*t.FinalMetrics.CostUSD += m.CostUSD
		}
	}
	for _, part := range e.Transcripts {
		if part.Agent != "" && len(e.Transcripts) == 1 {
			t.Agent.Name = part.Agent
		}
		begin := len(t.Steps)
		for i := range part.Messages {
			t.add(&part.Messages[i], begin)
		}
		if len(e.Transcripts) > 1 {
			for i := range t.Steps[begin:] {
				t.Steps[begin+i].Extra = member{part.Agent, part.Depth}
			}
		}
	}
	if len(t.Steps) == 0 { // ATIF requires a step
		t.Steps = []step{{ID: 1, Source: "system", Message: "The episode ended before its first message."}}
	}
	t.FinalMetrics.Steps = len(t.Steps)
	return t
}

// add adds a message as a step, or the answer of a tool to the step that called it. Steps before begin belong to
// another agent.
func (t *Trajectory) add(m *sdk.Message, begin int) {
	if m.Role == sdk.RoleTool {
		t.observe(m, begin)
		return
	}
	s := step{ID: len(t.Steps) + 1, Source: string(m.Role), Message: content(m)}
	if m.Role == sdk.RoleAssistant {
		s.Source, s.Reasoning = "agent", m.Reasoning
		for _, c := range m.ToolCalls {
			s.Calls = append(s.Calls, call{c.ID, c.Name, object(c.Arguments)})
		}
	}
	t.Steps = append(t.Steps, s)
}

func (t *Trajectory) observe(m *sdk.Message, begin int) {
	answer := observed{CallID: m.ToolCallID, Content: content(m)}
	if m.IsError {
		answer.Extra = failedCall{true}
	}
	at := len(t.Steps) - 1
	for at > begin && t.Steps[at].Source != "agent" {
		at--
	}
	if at < begin || t.Steps[at].Source != "agent" { // a prompt that begins with an answer
		t.Steps = append(t.Steps, step{ID: len(t.Steps) + 1, Source: "system", Message: ""})
		at = len(t.Steps) - 1
	}
	s := &t.Steps[at]
	if !slices.ContainsFunc(s.Calls, func(c call) bool { return c.ID == m.ToolCallID }) {
		answer.CallID = ""
	}
	if s.Observation == nil {
		s.Observation = &observation{}
	}
	s.Observation.Results = append(s.Observation.Results, answer)
}

// object returns a call's arguments, which ATIF requires to be an object.
func object(arguments string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &fields) == nil && fields != nil {
		return json.RawMessage(arguments)
	}
	wrapped, err := json.Marshal(map[string]string{"arguments": arguments})
	if err != nil {
		panic(err)
	}
	return wrapped
}

// mediaTypes are the types of images that ATIF allows.
var mediaTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// content returns a message's text, or its parts if it has images.
func content(m *sdk.Message) any {
	if len(m.Images) == 0 {
		return m.Content
	}
	var parts []contentPart
	for _, p := range m.Parts() {
		switch {
		case p.Image == nil:
			parts = append(parts, contentPart{Type: "text", Text: p.Text})
		case slices.Contains(mediaTypes, p.Image.MIMEType):
			source := imageSource{p.Image.MIMEType, p.Image.Address()}
			parts = append(parts, contentPart{Type: "image", Source: &source})
		default:
			parts = append(parts, contentPart{Type: "text", Text: "[" + p.Image.String() + "]"})
		}
	}
	return parts
}
