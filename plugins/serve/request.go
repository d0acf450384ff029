package serveplugin

import (
	"encoding/json"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// modelName is the policy's name.
const modelName = "policy"

// request is the body of the POST request. docs/guides/harnesses.md describes it.
type request struct {
	EpisodeID       string          `json:"episode_id"`
	Place           string          `json:"place"` // the same at each attempt and in equal runs
	TaskID          string          `json:"task_id"`
	Task            json.RawMessage `json:"task"` // its public part
	Messages        []message       `json:"messages"`
	Model           model           `json:"model"`
	Tools           *tools          `json:"tools"` // null: no environment
	MaxTurns        int             `json:"max_turns,omitempty"`
	DeadlineSeconds float64         `json:"deadline_seconds,omitempty"`
}

type message struct {
	Role    sdk.Role `json:"role"`
	Content any      `json:"content"` // a string, or a list of parts if it contains images
}

type model struct {
	Name    string `json:"name"`
	BaseURL string `json:"base_url"` // with /v1
	RootURL string `json:"root_url"` // without /v1, as Anthropic's clients require
	APIKey  string `json:"api_key"`
}

type tools struct {
	MCPURL string `json:"mcp_url"`
	Token  string `json:"token"`
}

func requestOf(req sdk.AgentRequest) request {
	policy := req.Models[sdk.ModelPolicy]
	out := request{
		EpisodeID: req.EpisodeID, Place: req.Place, TaskID: req.Task.ID, Task: req.Task.Public, Messages: []message{},
		Model: model{
			Name: modelName, BaseURL: policy.BaseURL, RootURL: strings.TrimSuffix(policy.BaseURL, "/v1"), APIKey: policy.APIKey,
		},
		MaxTurns: req.MaxTurns, DeadlineSeconds: req.Deadline.Seconds(),
	}
	if len(out.Task) == 0 {
		out.Task = json.RawMessage("{}")
	}
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, message{Role: m.Role, Content: contentOf(m)})
	}
	if s := req.ToolServer; s != nil {
		out.Tools = &tools{MCPURL: s.URL, Token: s.Token}
	}
	return out
}

func contentOf(m sdk.Message) any {
	if len(m.Images) == 0 {
		return m.Content
	}
	var parts []any
	for _, p := range m.Parts() {
		if p.Image == nil {
			parts = append(parts, map[string]any{"type": "text", "text": p.Text})
			continue
		}
		url := map[string]string{"url": p.Image.Address()}
		parts = append(parts, map[string]any{"type": "image_url", "image_url": url})
	}
	return parts
}

// answer is the service's final response. All fields are optional.
type answer struct {
	FinalAnswer *string            `json:"final_answer"` // missing: the last message of the model
	Reward      *float64           `json:"reward"`
	IsSuccess   *bool              `json:"is_success"`
	Metadata    json.RawMessage    `json:"metadata"`
	Metrics     map[string]float64 `json:"metrics"`
	// Error is an agent failure that is reported by the service.
	Error string `json:"error"`
}

func (a answer) response() *sdk.AgentResponse {
	if string(a.Metadata) == "null" {
		a.Metadata = nil
	}
	return &sdk.AgentResponse{
		FinalAnswer: a.FinalAnswer, Reward: a.Reward, IsSuccess: a.IsSuccess, Metadata: a.Metadata, Metrics: a.Metrics,
	}
}
