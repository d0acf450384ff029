package agent

// usage counts the tokens reported by the model's owner.
type usage struct {
	output      int // of all messages
	firstPrompt int
	total       int // prompt and message of the last call
}

func (u *usage) add(reply *Reply) {
	if u.total == 0 {
		u.firstPrompt = reply.PromptTokens
	}
	u.output += reply.OutputTokens
	u.total = reply.PromptTokens + reply.OutputTokens
}

// response returns the number of tokens after the first prompt: messages and, if the owner reports prompt lengths, tool
// results.
func (u *usage) response() int { return max(u.output, u.total-u.firstPrompt) }
