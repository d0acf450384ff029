package bfclenv

import (
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/tuning"
	"github.com/awhost/awhost/sdk"
)

// tuned is EnvTuning's loop.
type tuned struct {
	env      *environment
	entry    *entry.Entry
	dialogue *tuning.Dialogue
}

func newTuned(e *environment, one *entry.Entry) (player, error) {
	d, err := tuning.New(tuning.Setup{
		Entry: e.setup(one), Truth: one.Truth, Questions: e.later(one), SkipsTruth: e.config.Compatibility == "reference",
	})
	return &tuned{env: e, entry: one, dialogue: d}, err
}

// later returns the questions after the first. Added functions are listed in the question of their turn.
func (e *environment) later(one *entry.Entry) []string {
	out := one.Later()
	for turn, names := range one.Missed {
		if turn > 0 && turn <= len(out) {
			out[turn-1] = e.tools.listing(e.tools.named(one, names)) + "\n" + out[turn-1]
		}
	}
	return out
}

// tunedPrompt explains the tags to a model. EnvTuning's own prompt text is not published with its code.
const tunedPrompt = `You solve the user's requests by calling functions. Each of your messages first thinks, then either calls or answers, and holds nothing else:
<think>what to do and why</think>
<tool_call>[{"name": "function", "arguments": {"parameter": "value"}}]</tool_call>
or
<think>why the request is done, or cannot be</think>
<answer>a short summary</answer>
A list may hold several calls; they run in order, and you see what they returned. Answer when a request is done; then the user goes on. Do not call anything when a function or a parameter that is needed is missing. The functions, one JSON object a line:
{functions}`

func (t *tuned) open() ([]sdk.Message, []sdk.Tool) {
	usual := tunedPrompt
	if t.entry.System != "" {
		usual = t.entry.System
	}
	messages := t.env.system(usual, t.env.tools.of(t.entry))
	for _, text := range t.entry.Questions[0] {
		messages = append(messages, sdk.Message{Role: sdk.RoleUser, Content: text})
	}
	return messages, nil
}

func (t *tuned) step(message sdk.Message) (*sdk.StepResponse, error) {
	reply := t.dialogue.Respond(written(message))
	score := reply.Score
	response := &sdk.StepResponse{TurnReward: &score, Done: reply.Done}
	if !reply.Done {
		response.Messages = []sdk.Message{{Role: sdk.RoleUser, Content: py.ValidText(reply.User)}}
	}
	return response, nil
}

// written returns a message as the model wrote it, because frameworks may separate its thoughts.
func written(message sdk.Message) string {
	if message.Reasoning == "" {
		return message.Content
	}
	return "<think>" + message.Reasoning + "</think>" + message.Content
}

func (t *tuned) summary() summary {
	scores := append([]float64{}, t.dialogue.Scores()...) // empty, not null, before the first message
	out := summary{
		Entry: t.entry.ID, Category: t.entry.Category, Turn: t.dialogue.Turn(), Turns: len(t.entry.Questions), Scores: scores,
		Reference: t.env.config.Compatibility == "reference", State: stateOf(t.dialogue.Player()),
	}
	out.Calls, out.Exceptions = t.dialogue.Calls()
	for _, score := range scores {
		if score == 1 {
			out.TurnsRight++
		}
	}
	out.Verdict = verdict{Valid: out.TurnsRight == out.Turns}
	if !out.Verdict.Valid {
		out.Verdict.Type, out.Verdict.Message = check.StateMismatch,
			fmt.Sprintf("%d of %d turns were right", out.TurnsRight, out.Turns)
	}
	return out
}
