package madness

import (
	"slices"
	"strings"
	"unicode"
)

// The rules of AgentJet: ajet/utils/compute_madness.py and ajet/context_tracker/multiagent_tracking.py.

// span is an inclusive range of characters.
type span struct{ first, last rune }

// agentJetText lists the non-ASCII characters that AgentJet accepts as text at d20cce0. The emoji range that starts at
// U+24C2 is a single range, so it contains Kana, Hangul, and most other characters up to U+1F251.
var agentJetText = append(spansOf("‘’“”–—…•™©®°±µ′″℉℃·×，。！？、；：（）【】《》「」『』"),
	span{0x1F300, 0x1F5FF}, span{0x1F600, 0x1F64F}, span{0x1F680, 0x1F6FF}, span{0x1F700, 0x1F77F},
	span{0x1F780, 0x1F7FF}, span{0x1F800, 0x1F8FF}, span{0x1F900, 0x1F9FF}, span{0x1FA00, 0x1FA6F},
	span{0x1FA70, 0x1FAFF}, span{0x2702, 0x27B0}, span{0x24C2, 0x1F251},
	span{0x4E00, 0x9FFF}, span{0x3400, 0x4DBF}, span{0x20000, 0x2A6DF}, span{0x2A700, 0x2B73F},
	span{0x2B740, 0x2B81F}, span{0x2B820, 0x2CEAF}, span{0xF900, 0xFAFF}, span{0x2F800, 0x2FA1F},
)

// agentJetNewText lists the characters at 4c03596.
var agentJetNewText = append(append(spansOf("²φ≥√→"), agentJetText...),
	span{0xB0, 0xBF}, span{0x2070, 0x209F}, span{0x2200, 0x22FF}, span{0x27C0, 0x27EF}, span{0x2A00, 0x2AFF},
)

func spansOf(characters string) []span {
	var out []span
	for _, r := range characters {
		out = append(out, span{r, r})
	}
	return out
}

func agentJetProfile(text []span) profile {
	return profile{
		marker:    func(text string) *found { return firstOf(text, "<|im_start|>") },
		character: func(s string) *found { return foreign(s, text) },
		loop:      agentJetLoop,
		object:    func(arguments string) *found { return notObject(pythonNumbers(arguments)) },
		callText: func(text string) *found {
			if i := strings.Index(text, toolCallMarker); i >= 0 {
				return &found{ReasonToolCallText, i}
			}
			return nil
		},
	}
}

// firstOf returns the first of several markers in the text.
func firstOf(text string, markers ...string) *found {
	var first *found
	for _, marker := range markers {
		if i := strings.Index(text, marker); i >= 0 && (first == nil || i < first.offset) {
			first = &found{ReasonMarker, i}
		}
	}
	return first
}

// foreign returns the first character that is neither ASCII nor in one of the spans.
func foreign(text string, spans []span) *found {
	for i, r := range text {
		if r >= 0x80 && !within(r, spans) {
			return &found{ReasonCharacter, i}
		}
	}
	return nil
}

func within(r rune, spans []span) bool {
	for _, s := range spans {
		if s.first <= r && r <= s.last {
			return true
		}
	}
	return false
}

// AgentJet's definition of a loop is that this many consecutive words or characters are among the last few distinct
// ones.
const (
	agentJetWords          = 5
	agentJetWordPatience   = 10
	agentJetLetters        = 4
	agentJetLetterPatience = 200
)

func agentJetLoop(text string) *found {
	words, at := words(text)
	if i := repeats(words, agentJetWords, agentJetWordPatience); i >= 0 {
		return &found{ReasonRepeatedWords, at[i]}
	}
	letters, at := characters(text)
	if i := repeats(letters, agentJetLetters, agentJetLetterPatience); i >= 0 {
		return &found{ReasonRepeatedCharacters, at[i]}
	}
	return nil
}

// repeats ports AgentJet's has_repeat. It keeps the last distinct items and allows patience consecutive items from
// that set. It returns the first item of a run that exceeds patience, or -1.
func repeats[T comparable](items []T, remember, patience int) int {
	var known []T
	left, first := patience, 0
	for i, item := range items {
		if !slices.Contains(known, item) {
			known = append(known, item)
			if len(known) > remember {
				known = known[1:]
			}
			left = patience
			continue
		}
		if left == patience {
			first = i
		}
		if left--; left <= 0 {
			return first
		}
	}
	return -1
}

// words returns the words in the text, split as by Python's split, and their offsets.
func words(text string) (out []string, at []int) {
	start := -1
	for i, r := range text {
		switch {
		case isSpace(r) && start >= 0:
			out, at, start = append(out, text[start:i]), append(at, start), -1
		case !isSpace(r) && start < 0:
			start = i
		}
	}
	if start >= 0 {
		out, at = append(out, text[start:]), append(at, start)
	}
	return out, at
}

// characters returns the characters in the text and their offsets.
func characters(text string) (out []rune, at []int) {
	for i, r := range text {
		out, at = append(out, r), append(at, i)
	}
	return out, at
}

// isSpace reports the same result as Python's isspace: true for Unicode white space and the four ASCII separators.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F }
