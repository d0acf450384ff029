package gaiareward

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// scoredText returns the text of an episode that a mode reads. An item without messages, as in offline scoring of
// answers, is read unchanged.
//
// Corrected reads the final answer: the agent's own if it names one, else the policy's last message. Reference reads
// the input that verl passes to a reward: the whole response after the prompt, including tool results and later user
// messages.
func scoredText(mode compatibility, item sdk.ScoreItem) string {
	if mode == reference {
		return answertext.Response(item)
	}
	return item.FinalAnswer
}
