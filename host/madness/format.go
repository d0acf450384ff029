package madness

import (
	"strings"

	"github.com/awhost/awhost/sdk"
)

const (
	thought    = "<think>"
	thoughtEnd = "</think>"
	code       = "```python"
	fence      = "```"
)

// format implements AgentJet's format_type_1 for all profiles: a thought, followed by exactly one block of Python code
// and nothing else. If the server has removed a thought from the text, it is inserted again first.
func format(m *sdk.Message) *found {
	before := ""
	if m.Reasoning != "" {
		before = thought + m.Reasoning + thoughtEnd
	}
	f := formatOf(before + m.Content)
	if f != nil {
		f.offset = min(max(0, f.offset-len(before)), len(m.Content))
	}
	return f
}

func formatOf(text string) *found {
	start := len(text) - len(strings.TrimLeftFunc(text, isSpace))
	closed := strings.Index(text, thoughtEnd)
	switch {
	case !strings.HasPrefix(text[start:], thought):
		return &found{ReasonThoughtFirst, start}
	case strings.Count(text, thought) != 1 || strings.Count(text, thoughtEnd) != 1:
		return &found{ReasonThoughtCount, start}
	}
	return codeAlone(text, closed+len(thoughtEnd))
}

// codeAlone returns the reason why the rest of the text is not exactly one block of Python code, or nil if it is.
func codeAlone(text string, from int) *found {
	rest := strings.TrimFunc(text[from:], isSpace)
	at := from + strings.Index(text[from:], rest)
	switch {
	case !strings.HasPrefix(rest, code):
		return &found{ReasonCodeFirst, at}
	case !strings.HasSuffix(rest, fence):
		return &found{ReasonCodeLast, at + len(rest)}
	case strings.Count(rest, code) != 1 || strings.Count(rest, fence) != 2:
		return &found{ReasonCodeCount, at}
	}
	return nil
}
