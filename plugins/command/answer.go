package commandplugin

import (
	"encoding/json"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// answer is a program's result as JSON.
type answer struct {
	FinalAnswer *string            `json:"final_answer"`
	Reward      *float64           `json:"reward"`
	IsSuccess   *bool              `json:"is_success"`
	Metadata    map[string]any     `json:"metadata"`
	Metrics     map[string]float64 `json:"metrics"`
}

// response reads the answer and collects the information for rewards.
func (p *episode) response(ended *end) (*sdk.AgentResponse, error) {
	said, err := p.parseAnswer(ended)
	if err != nil && ended.killed() { // it is scored anyway
		said, err = &answer{FinalAnswer: new(string)}, nil
	}
	if err != nil {
		return nil, err
	}
	seen, err := p.config.collect(p.folders.work)
	if err != nil {
		return nil, err
	}
	seen.ExitCode, seen.Stopped, seen.Turns = ended.exit.Code, "", p.turns
	if ended.late {
		seen.ExitCode, seen.Stopped = -1, acceptTimeout
	}
	if ended.killed() {
		seen.ExitCode, seen.Stopped = -1, stoppedKilled
	}
	metadata := said.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["program"] = seen
	text, err := json.Marshal(metadata)
	if err != nil {
		return nil, fail("its JSON output cannot be stored: %v", err)
	}
	return &sdk.AgentResponse{
		FinalAnswer: said.FinalAnswer, Reward: said.Reward, IsSuccess: said.IsSuccess, Metadata: text, Metrics: said.Metrics,
	}, nil
}

func (p *episode) parseAnswer(ended *end) (*answer, error) {
	var text []byte
	switch p.config.Result {
	case resultMessage:
		return &answer{}, nil
	case resultStdout:
		text = ended.stdout
	case resultFile:
		var err error
		if text, err = readBelow(p.folders.work, p.config.ResultFile, p.config.OutputBytes); err != nil {
			return nil, fail("it left no answer in %s: %v", p.config.ResultFile, err)
		}
	}
	text = []byte(strings.ToValidUTF8(string(text), "�"))
	if p.config.ResultFormat == formatText {
		whole := strings.TrimSpace(string(text))
		return &answer{FinalAnswer: &whole}, nil
	}
	out := &answer{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fail("the answer is not a JSON object with final_answer and other members: %v: %.200q", err, text)
	}
	return out, nil
}
