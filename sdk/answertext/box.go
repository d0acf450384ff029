package answertext

import (
	"regexp"
	"strings"
)

// firstBox ends at the first brace that closes.
var firstBox = regexp.MustCompile(`\\boxed\{([^}]*)\}`)

// FirstBox takes what AgentJet's judges take: the text from the first \boxed{ to the brace that closes next, which cuts
// \boxed{\frac{1}{2}} short.
func FirstBox(text string) (string, bool) {
	match := firstBox.FindStringSubmatch(text)
	if match == nil {
		return "", false
	}
	return match[1], true
}

const boxed = `\boxed`

// LastBox takes what stands in the last box that is closed, braces in it included. A box in a box is a part of it.
// White space may stand before the brace; \{ and \} are no braces.
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

// brace is one that is open: of a box or another.
type brace struct {
	isBox  bool
	inside int // where its text begins
}

func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
