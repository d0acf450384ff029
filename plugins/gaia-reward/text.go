package gaiareward

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// scoredText is the text of an episode that a mode reads. An item without messages, which is how answers are scored
// offline, is read as it is.
//
// Corrected reads the final answer: the agent's own where it gives one, and else the policy's last message. Reference
// reads what verl gives to a reward: the whole response, which is everything after the prompt, tool results and later
// user messages included.
func scoredText(mode compatibility, item sdk.ScoreItem) string {
	if mode == reference {
		return answertext.Response(item)
	}
	return item.FinalAnswer
}
