package agent

// usage counts tokens as the model's owner reports them.
type usage struct {
	output      int // all messages together
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

// response is what came after the first prompt: messages and, where the owner reports prompt lengths, tool results.
func (u *usage) response() int { return max(u.output, u.total-u.firstPrompt) }
