package gaiareward

import (
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/pytext"
)

// answerTag is what the original searches for: case-sensitive, over line breaks, the shortest text between the tags.
var answerTag = regexp.MustCompile(`(?s)<answer>(.*?)</answer>`)

// firstAnswer takes the first answer of a text, wherever it stands, as the original does: in a tool's output, in the
// model's thoughts, in an example of the format.
func firstAnswer(text string) (string, bool) {
	match := answerTag.FindStringSubmatch(text)
	if match == nil {
		return "", false
	}
	return pytext.Strip(match[1]), true
}

// finalAnswer takes the last answer that the model itself gave: of several guesses only the last counts, and what
// tools, users or thoughts say counts nothing.
func finalAnswer(text string) (string, bool) {
	text = answertext.Own(text)
	closing := strings.LastIndex(text, closeAnswer)
	if closing < 0 {
		return "", false
	}
	opening := strings.LastIndex(text[:closing], openAnswer)
	if opening < 0 {
		return "", false
	}
	answer, _, _ := strings.Cut(text[opening+len(openAnswer):], closeAnswer)
	return pytext.Strip(answer), true
}

const (
	openAnswer  = "<answer>"
	closeAnswer = "</answer>"
)
