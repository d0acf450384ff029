package manualpolicy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// consoleInput reads assistant messages that a user types at a console.
type consoleInput struct {
	out          *text.Printer
	console      Console
	currentTools func() []sdk.Tool
	commands     []string // in addition to messages
}

// read converts a line to a message: a call if it starts with a tool and its arguments, JSON if it is valid JSON, and
// text otherwise.
func (p *consoleInput) read(line string) (sdk.Message, error) {
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	isTool := slices.ContainsFunc(p.currentTools(), func(t sdk.Tool) bool { return t.Name == name })
	switch {
	case strings.HasPrefix(line, "{"):
		return parseMessage([]byte(line))
	case !isTool || rest != "" && !strings.HasPrefix(rest, "{"):
		return sdk.Message{Role: sdk.RoleAssistant, Content: line}, nil
	case rest == "":
		rest = "{}"
	}
	var arguments map[string]json.RawMessage
	if err := json.Unmarshal([]byte(rest), &arguments); err != nil {
		return sdk.Message{}, fmt.Errorf("the arguments of %s are not a JSON object: %w", name, err)
	}
	return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: name, Arguments: rest}}}, nil
}

// complete completes a command or a tool name, unless the name contains terminal control characters.
func (p *consoleInput) complete(line string) string {
	words := slices.Clone(p.commands)
	for _, tool := range p.currentTools() {
		if text.Clean(tool.Name) == tool.Name {
			words = append(words, tool.Name+" {")
		}
	}
	var fitting []string
	for _, word := range words {
		if strings.HasPrefix(word, line) {
			fitting = append(fitting, word)
		}
	}
	if line == "" || len(fitting) == 0 {
		return ""
	}
	common := fitting[0]
	for _, word := range fitting[1:] {
		for !strings.HasPrefix(word, common) {
			common = common[:len(common)-1]
		}
	}
	return common[len(line):]
}

func (p *consoleInput) showMessages(messages []sdk.Message) {
	for _, m := range messages {
		label := string(m.Role)
		if m.Role == sdk.RoleTool && m.Name != "" {
			label = m.Name
		}
		style := p.out.Styles.Accent
		if m.IsError {
			label, style = label+" (error)", p.out.Styles.Bad
		}
		for _, part := range m.Parts() {
			words := part.Text
			if part.Image != nil {
				words = "+ " + part.Image.String()
			}
			p.printLabeled(style, label, words)
		}
		for _, attachment := range m.Attachments {
			p.printLabeled(style, label, "+ "+attachment.String())
		}
	}
}

// printLabeled prints text after a label that names its author.
func (p *consoleInput) printLabeled(style text.Style, label, words string) {
	label = text.Clean(label)
	indent := text.Width(label) + 2
	width := 0
	if p.out.Width > 0 {
		width = max(20, p.out.Width-indent)
	}
	for i, line := range text.Wrap(words, width) {
		if i == 0 {
			p.out.Line(strings.TrimRight(style(label)+"  "+line, " "))
			continue
		}
		p.out.Line(strings.TrimRight(strings.Repeat(" ", indent)+line, " "))
	}
}
