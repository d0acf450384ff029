package answertext

import (
	"regexp"
	"strings"
)

// firstBox ends at the first closing brace.
var firstBox = regexp.MustCompile(`\\boxed\{([^}]*)\}`)

// FirstBox returns the same text as AgentJet's judges: from the first \boxed{ to the next closing brace, which cuts
// \boxed{\frac{1}{2}} short.
func FirstBox(text string) (string, bool) {
	match := firstBox.FindStringSubmatch(text)
	if match == nil {
		return "", false
	}
	return match[1], true
}

const boxed = `\boxed`

// LastBox returns the content of the last closed box, including nested braces. A box inside a box is part of the outer
// box. Whitespace may precede the brace; \{ and \} are not treated as braces.
func LastBox(text string) (string, bool) {
	var open []brace
	start, end, found := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], boxed):
			if at := skipSpace(text, i+len(boxed)); at < len(text) && text[at] == '{' {
				open = append(open, brace{isBox: true, inside: at + 1})
				i = at
			}
		case text[i] == '\\' && i+1 < len(text) && strings.IndexByte("{}", text[i+1]) >= 0:
			i++
		case text[i] == '{':
			open = append(open, brace{inside: i + 1})
		case text[i] == '}' && len(open) > 0:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if last.isBox {
				start, end, found = last.inside, i, true
			}
		}
	}
	return text[start:end], found
}

// brace is an open brace, which belongs to a box or to something else.
type brace struct {
	isBox  bool
	inside int // start of its text
}

func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
