package answertext

import (
	"regexp"
	"slices"
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
	all := boxes(text, boxed)
	if len(all) == 0 {
		return "", false
	}
	last := all[len(all)-1]
	return text[last.inside:last.end], true
}

// connector matches the text between two boxes that form one answer.
var connector = regexp.MustCompile(`^[\s$]*(?:[,;][\s$]*)?(?:[,;，、；]|and|or|\\text ?\{\s*(?:and|or)\s*\})[\s$]*$`)

// lastBoxes returns the content of the last box, and of the boxes before it if only a comma or a word such as "and"
// separates them.
func lastBoxes(text, command string) []string {
	var out []string
	all := boxes(text, command)
	for i := len(all) - 1; i >= 0; i-- {
		if len(out) > 0 && !connector.MatchString(text[all[i].end+1:all[i+1].start]) {
			break
		}
		out = append(out, text[all[i].inside:all[i].end])
	}
	slices.Reverse(out)
	return out
}

// box is a place of a box, or of a group in braces.
type box struct {
	isBox              bool
	start, inside, end int
}

// boxes returns the closed boxes of a command that are not inside another one.
func boxes(text, command string) []box {
	var open, closed []box
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], command):
			if at := skipSpace(text, i+len(command)); at < len(text) && text[at] == '{' {
				open = append(open, box{isBox: true, start: i, inside: at + 1})
				i = at
			}
		case strings.HasPrefix(text[i:], `\\{`), strings.HasPrefix(text[i:], `\\}`):
			i++ // a line break: its second backslash does not escape the brace
		case text[i] == '\\' && i+1 < len(text) && strings.IndexByte("{}", text[i+1]) >= 0:
			i++
		case text[i] == '{':
			open = append(open, box{start: i, inside: i + 1})
		case text[i] == '}' && len(open) > 0:
			last := open[len(open)-1]
			open, last.end = open[:len(open)-1], i
			if last.isBox {
				for len(closed) > 0 && closed[len(closed)-1].start > last.start {
					closed = closed[:len(closed)-1]
				}
				closed = append(closed, last)
			}
		}
	}
	return closed
}

func skipSpace(text string, i int) int {
	for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i++
	}
	return i
}
