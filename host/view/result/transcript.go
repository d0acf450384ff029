package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// transcript is the conversation of an episode, in human-readable form. A swarm's transcript is a tree: a member that
// is called appears below its caller.
type transcript struct {
	parts   []part
	members []eval.Member
}

// part holds consecutive messages from one member.
type part struct {
	member   string // empty: the episode has a single member
	depth    int
	messages []sdk.Message
}

func (t transcript) show(out *text.Printer) {
	last := ""
	for i, p := range t.parts {
		margin := strings.Repeat("│ ", p.depth)
		if p.member != "" && (i == 0 || p.member != last) {
			out.Quote(out.Styles.Dim(margin) + out.Styles.Title(text.Clean(p.member)))
		}
		last = p.member
		if p.member != "" {
			margin += "  "
		}
		for _, m := range p.messages {
			showMessage(out, m, margin)
		}
	}
	if len(t.members) > 0 {
		out.Blank()
		out.Table(t.table())
	}
}

// table returns a row for each member.
func (t transcript) table() text.Table {
	table := text.Table{Columns: []text.Column{
		{Title: "MEMBER", Shrink: true}, {Title: "TURNS", Right: true}, {Title: "PROMPT TOKENS", Right: true},
		{Title: "OUTPUT TOKENS", Right: true}, {Title: "SECONDS", Right: true},
	}}
	served := slices.ContainsFunc(t.members, func(m eval.Member) bool { return m.Model != "" })
	if served {
		table.Columns = append(table.Columns,
			text.Column{Title: "MODEL", Shrink: true}, text.Column{Title: "COST", Right: true})
	}
	for _, m := range t.members {
		row := []string{
			text.Clean(m.Agent), fmt.Sprint(m.Turns), fmt.Sprint(m.PromptTokens), fmt.Sprint(m.OutputTokens),
			text.Number(m.Seconds),
		}
		switch {
		case !served:
		case m.Model == "":
			row = append(row, "the policy", "")
		default:
			row = append(row, text.Clean(m.Model), dollars(m.CostUSD))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// showUnsampledSteps prints the steps that the agent itself took in the environment: over MCP, or without the policy.
func showUnsampledSteps(out *text.Printer, steps []runstore.UnsampledStep) {
	if len(steps) == 0 {
		return
	}
	out.Blank()
	for i, s := range steps {
		title := fmt.Sprintf("the agent's own step %d", i+1)
		for _, c := range s.Calls {
			title += ", for " + text.Clean(c.ToolCallID) + " of " + text.Clean(c.CallID)
		}
		out.Quote(out.Styles.Title(title))
		for _, m := range s.Messages {
			showMessage(out, m, "  ")
		}
	}
}

// dollars formats an amount to a hundredth of a cent, and small amounts with seven decimals. It returns "" for zero, in
// which case the block has no prices, or the server does not count tokens.
func dollars(amount float64) string {
	switch {
	case amount == 0:
		return ""
	case amount >= 0.001:
		return fmt.Sprintf("$%.4f", amount)
	}
	return fmt.Sprintf("$%.7f", amount)
}

// about describes an attachment and its location: a file in the run directory, or JSON if it differs from the text.
func about(a sdk.Attachment, content string) string {
	switch {
	case a.File != "":
		return a.String() + ": " + a.File
	case a.SHA256 != "":
		return a.String() + ": not kept, sha256 " + a.SHA256
	case a.JSON != nil && string(a.JSON) != content:
		return a.String() + ": " + string(a.JSON)
	}
	return a.String()
}

// roleWidth is the width of the role column.
const roleWidth = len("assistant") + 2

// showMessage prints one message of the conversation, including its calls and reasoning, to the right of a margin.
func showMessage(page *text.Printer, m sdk.Message, margin string) {
	label := string(m.Role)
	say := func(s string) {
		width := 0
		if page.Width > 0 {
			width = max(page.Width-roleWidth-text.Width(margin), roleWidth)
		}
		for _, line := range text.CleanLines(s) {
			for _, part := range text.Wrap(line, width) {
				page.Quote(page.Styles.Dim(margin+text.Fit(label, roleWidth)) + part)
				label = ""
			}
		}
	}
	if m.Reasoning != "" {
		say("(thinks) " + m.Reasoning)
	}
	for _, part := range m.Parts() {
		words := part.Text
		if part.Image != nil {
			words = "+ " + part.Image.String()
		}
		say(words)
	}
	for _, a := range m.Attachments {
		say("+ " + about(a, m.Content))
	}
	for _, c := range m.ToolCalls {
		say("→ " + c.Name + " " + c.Arguments)
	}
	for _, bad := range m.Malformed {
		say("(not a call: " + bad.Reason + ")")
	}
	if label != "" {
		say("(nothing)")
	}
}
