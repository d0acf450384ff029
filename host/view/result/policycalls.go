package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// The terminal and the `awhost ui` page draw a program's calls from the same data.

// PolicyCall is a response from the policy to a program.
type PolicyCall struct {
	CallID       string           `json:"call_id"`
	Attempt      int              `json:"attempt"`
	Parent       string           `json:"parent,omitempty"` // the call whose answer this call continues
	Chain        string           `json:"chain"`
	Agent        string           `json:"agent,omitempty"`
	Train        bool             `json:"train"`
	Auxiliary    bool             `json:"auxiliary"` // of a chain that is not trained
	Finish       sdk.FinishReason `json:"finish,omitempty"`
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	OutputTokens int              `json:"output_tokens,omitempty"`
	Text         string           `json:"text,omitempty"` // first 200 characters
}

// PolicyCallsOf returns an episode's calls as a forest. A call's parent is the call in its chain whose response is the
// last preceding message.
func PolicyCallsOf(calls []runstore.CallRecord, chains []runstore.Chain) []PolicyCall {
	trained := map[string]bool{}
	for _, c := range chains {
		trained[c.Chain] = c.Train
	}
	var out []PolicyCall
	for i, c := range calls {
		call := PolicyCall{
			CallID: c.CallID, Attempt: c.Attempt, Chain: c.Chain, Agent: c.Agent, Train: trained[c.Chain],
			Auxiliary: !trained[c.Chain], Finish: c.Finish, PromptTokens: c.PromptTokens, OutputTokens: c.OutputTokens,
			Text: firstCharacters(c.Message.Content),
		}
		for _, before := range slices.Backward(calls[:i]) {
			if before.Chain == c.Chain && before.Attempt == c.Attempt && before.Length < c.Length {
				call.Parent = before.CallID
				break
			}
		}
		out = append(out, call)
	}
	return out
}

func firstCharacters(s string) string {
	runes := 0
	for i := range s {
		if runes == 200 {
			return s[:i]
		}
		runes++
	}
	return s
}

// showCalls draws the forest of a program's calls, each below the call that it continues.
func showCalls(out *text.Printer, calls []PolicyCall) {
	if len(calls) == 0 {
		return
	}
	out.Blank()
	out.Line(out.Styles.Title("calls of the program"))
	depth := map[string]int{}
	for _, c := range calls {
		below := 0
		if c.Parent != "" {
			below = min(depth[c.Parent]+1, 30)
		}
		depth[c.CallID] = below
		kind := "trained"
		if c.Auxiliary {
			kind = "not trained"
		}
		tokens := fmt.Sprintf("%d → %d tokens", c.PromptTokens, c.OutputTokens)
		facts := text.Join(", ", "chain "+c.Chain, c.Agent, kind, tokens, strings.ToLower(string(c.Finish)))
		if c.Attempt > 1 {
			facts += fmt.Sprintf(", attempt %d", c.Attempt)
		}
		out.Quote("  " + out.Styles.Dim(strings.Repeat("│ ", below)+"├ ") + text.Clean(c.CallID+": "+facts))
	}
}
