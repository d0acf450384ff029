package madness

import (
	"strings"
	"unicode"
)

// The rules of awhost. They accept messages in any language and with any formulas, and flag only text that cannot be
// intentional.

func awhostProfile() profile {
	return profile{
		marker: func(text string) *found {
			return firstOf(text, "<|im_start|>", "<|start_header_id|>", "<|begin_of_text|>", "<start_of_turn>")
		},
		character: stray,
		loop:      awhostLoop,
		object:    notObject,
		callText:  callAtLine,
	}
}

// fewestStray is the minimum number of invalid characters that constitute a finding, because a model may quote one from
// a file or a page.
const fewestStray = 4

// stray returns the first character that does not belong in text, if there are at least fewestStray such characters.
func stray(text string) *found {
	first, n := -1, 0
	for i, r := range text {
		if !isStray(r) {
			continue
		}
		if first < 0 {
			first = i
		}
		if n++; n >= fewestStray {
			return &found{ReasonCharacter, first}
		}
	}
	return nil
}

// isStray reports whether a character does not belong in text: the replacement character, control characters that are
// not white space, private-use characters, and Unicode noncharacters. Characters in all other planes and blocks are
// text, even if they are not assigned yet.
func isStray(r rune) bool {
	switch {
	case r < 0x20:
		return r < '\t' || r > '\r'
	case r >= 0x7F && r < 0xA0:
		return r != 0x85
	case r >= 0xE000 && r <= 0xF8FF, r >= 0xF0000:
		return true
	case r >= 0xFDD0 && r <= 0xFDEF:
		return true
	}
	return r == unicode.ReplacementChar || r&0xFFFE == 0xFFFE
}

// awhost's definition of a loop is repetition of a sequence of at most this many words or characters.
const (
	loopText    = 1 << 20 // bytes checked from the beginning of a text
	loopRepeats = 10      // minimum number of repetitions

	loopWords       = 200  // maximum words of the piece
	fewestWords     = 200  // minimum words of the loop if the piece contains a letter
	fewestBareWords = 1000 // minimum without a letter: a vector of zeros, the ruler of a table

	loopCharacters       = 64 // maximum characters of the piece
	fewestCharacters     = 800
	fewestBareCharacters = 4000
)

// limits holds the limits that define a loop.
type limits struct{ period, lettered, bare int }

func awhostLoop(text string) *found {
	if len(text) < fewestWords { // too short for a loop
		return nil
	}
	text = text[:min(len(text), loopText)]
	s := wordsOf(text)
	if i := s.loop(limits{loopWords, fewestWords, fewestBareWords}); i >= 0 {
		return &found{ReasonRepeatedWords, s.at[i]}
	}
	s = charactersOf(text)
	if i := s.loop(limits{loopCharacters, fewestCharacters, fewestBareCharacters}); i >= 0 {
		return &found{ReasonRepeatedCharacters, s.at[i]}
	}
	return nil
}

// series holds words or characters as numbers.
type series struct {
	items   []int32
	letters []int32 // number of items with a letter before each position
	at      []int   // byte offset of each item
}

// loop returns the start of a repeating sequence of items, or -1.
func (s *series) loop(l limits) int {
	first := -1
	for period := 1; period <= min(l.period, len(s.items)/loopRepeats); period++ {
		if i := s.loopOf(period, l); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// loopOf finds a loop whose repeated sequence has period items. It checks the last item of the shortest possible loop
// first, so that few items are checked in text without repetitions.
func (s *series) loopOf(period int, l limits) int {
	fewest := max(l.lettered, loopRepeats*period) - period // items equal to those one period earlier
	for start := period; start+fewest <= len(s.items); {
		i := start + fewest - 1
		for i >= start && s.items[i] == s.items[i-period] {
			i--
		}
		if i >= start {
			start = i + 1
			continue
		}
		if s.letters[start] > s.letters[start-period] {
			return start - period
		}
		end := start + fewest
		for end < len(s.items) && s.items[end] == s.items[end-period] {
			end++
		}
		if end-start+period >= max(l.bare, loopRepeats*period) {
			return start - period
		}
		start = end
	}
	return -1
}

// wordsOf returns the words in the text as a series.
func wordsOf(text string) *series {
	numbers := map[string]int32{}
	list, at := words(text)
	s := &series{at: at, letters: make([]int32, 1, len(list)+1)}
	for _, word := range list {
		n, known := numbers[word]
		if !known {
			n = int32(len(numbers))
			numbers[word] = n
		}
		s.add(n, strings.ContainsFunc(word, unicode.IsLetter))
	}
	return s
}

// charactersOf returns the characters in the text as a series.
func charactersOf(text string) *series {
	list, at := characters(text)
	s := &series{at: at, letters: make([]int32, 1, len(list)+1)}
	for _, r := range list {
		s.add(r, unicode.IsLetter(r))
	}
	return s
}

func (s *series) add(item int32, letter bool) {
	before := s.letters[len(s.items)]
	if letter {
		before++
	}
	s.items, s.letters = append(s.items, item), append(s.letters, before)
}
