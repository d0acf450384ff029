package madness

import (
	"strings"
	"unicode"
)

// The rules of awhost. They are made for messages of any language and with any formulas, and find what cannot be meant.

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

// fewestStray is how many characters that belong in no text a message needs to be nonsense: a model may quote one from
// a file or a page.
const fewestStray = 4

// stray finds the first of the characters that belong in no text, where there are several.
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

// isStray reports whether a character belongs in no text: what stands for broken bytes, control characters that are no
// white space, those of private use, and what Unicode says is no character. All other planes and blocks are text, also
// those that are not assigned yet.
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

// What awhost takes for a loop: a piece of at most so many words or characters, over and over.
const (
	loopText    = 1 << 20 // bytes of a text that are looked at: from its beginning
	loopRepeats = 10      // fewest times that the piece is there

	loopWords       = 200  // most words of the piece
	fewestWords     = 200  // of the loop, where the piece has a letter
	fewestBareWords = 1000 // where it has none: a vector of zeros, the ruler of a table

	loopCharacters       = 64 // most characters of the piece
	fewestCharacters     = 800
	fewestBareCharacters = 4000
)

// limits are those of a loop.
type limits struct{ period, lettered, bare int }

func awhostLoop(text string) *found {
	if len(text) < fewestWords { // it has no room for a loop
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

// series are words or characters, as numbers.
type series struct {
	items   []int32
	letters []int32 // how many items with a letter there are before each place
	at      []int   // where each begins, in bytes
}

// loop finds where some items begin to come again and again in the same order, or returns -1.
func (s *series) loop(l limits) int {
	first := -1
	for period := 1; period <= min(l.period, len(s.items)/loopRepeats); period++ {
		if i := s.loopOf(period, l); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// loopOf finds a loop whose piece has so many items. It looks at the last item of the shortest possible loop first, so
// that where nothing repeats few items are looked at.
func (s *series) loopOf(period int, l limits) int {
	fewest := max(l.lettered, loopRepeats*period) - period // items that are those a period before
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

// wordsOf are the words of a text.
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

// charactersOf are the characters of a text.
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
