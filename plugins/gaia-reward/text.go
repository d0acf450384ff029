package gaiareward

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// scoredText returns the part of an episode's text that a mode reads. An item without messages, as in offline scoring
// of answers, is read unchanged.
//
// Corrected reads the final answer: the agent's own answer if it specifies one, or the policy's last message otherwise.
// Reference reads the input that verl passes to a reward: the whole response after the prompt, including tool results
// and later user messages.
func scoredText(mode compatibility, item sdk.ScoreItem) string {
	if mode == reference {
		return answertext.Response(item)
	}
	return item.FinalAnswer
}
