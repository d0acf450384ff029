package answertext

import (
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Answer returns the text that the model addresses to its user in an item's final answer. Only the raw text of an item
// without messages can be a transcript. In an episode's answer, chat template markers are ordinary words.
func Answer(item sdk.ScoreItem) string {
	if len(item.Messages) == 0 {
		return ModelText(item.FinalAnswer)
	}
	return withoutMarkup(item.FinalAnswer)
}

// ModelText returns the text that the model addresses to its user in the last turn of a raw text: it omits thoughts,
// tool calls, and everything up to the end of the last tool result. From a ChatML transcript, it keeps only the
// assistant's last turn.
func ModelText(text string) string {
	text = lastTurn(text)
	return withoutMarkup(afterToolResults(text))
}

func withoutMarkup(text string) string {
	return withoutBlocks(withoutBlocks(text, "<think>", "</think>"), "<tool_call>", "</tool_call>")
}

// transcript matches the first line of a ChatML transcript.
var transcript = regexp.MustCompile(`^\s*<\|im_start\|>\w+\n`)

// lastTurn returns the assistant's last turn of a ChatML transcript. Any other text is a single turn, even if it
// contains markers.
func lastTurn(text string) string {
	const start, end = "<|im_start|>", "<|im_end|>"
	if !transcript.MatchString(text) {
		return text
	}
	_, turn, found := cutLast(text, start+"assistant\n")
	if !found {
		return ""
	}
	turn, _, _ = strings.Cut(turn, end)
	return turn
}

// afterToolResults drops everything up to the end of the last tool result: the text before it is not a final answer,
// and a result that contains its own closing tag cannot end itself early.
func afterToolResults(text string) string {
	if _, after, found := cutLast(text, "</tool_response>"); found {
		text = after
	}
	text, _, _ = strings.Cut(text, "<tool_response>")
	return text
}

// withoutBlocks removes the text between the markers. A block whose opening marker is in the prompt starts at the
// beginning of the text; a block that is never closed extends to the end of the text.
func withoutBlocks(text, opening, closing string) string {
	var kept strings.Builder
	for {
		before, rest, opened := strings.Cut(text, opening)
		kept.WriteString(before)
		if !opened {
			break
		}
		_, after, closed := strings.Cut(rest, closing)
		if !closed {
			break
		}
		text = after
	}
	if _, after, found := cutLast(kept.String(), closing); found {
		return after
	}
	return kept.String()
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
