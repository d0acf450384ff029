package gaiareward

import (
	"regexp"

	"github.com/awhost/awhost/sdk/answertext"
	"github.com/awhost/awhost/sdk/pytext"
)

// answerTag is the original's pattern: case-sensitive, matching across line breaks, with the shortest text between the
// tags.
var answerTag = regexp.MustCompile(`(?s)<answer>(.*?)</answer>`)

// firstAnswer returns the first answer anywhere in a text, as the original does, even if it is in a tool's output, in
// the model's thoughts, or in an example of the format.
func firstAnswer(text string) (string, bool) {
	match := answerTag.FindStringSubmatch(text)
	if match == nil {
		return "", false
	}
	return pytext.Strip(match[1]), true
}

// finalAnswer returns the model's own last answer: if there are several guesses, only the last one counts, and text
// from tools, users, or thoughts does not count.
func finalAnswer(text string) (string, bool) {
	answer, found := answertext.LastTag(answertext.ModelText(text))
	return pytext.Strip(answer), found
}
