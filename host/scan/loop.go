package scan

import (
	"slices"
	"strings"
)

// Repeats from which on something is a loop.
const (
	callRepeats     = 3 // calls with the same results
	textRepeats     = 4 // short texts with the same answers
	patientRepeats  = 6 // calls that wait, or of which a user expects the same result each time
	messageRepeats  = 3
	mostDifferent   = 4 // actions that alternate
	sentenceRepeats = 4
	pieceRepeats    = 8  // pieces of a text without sentences
	loopPercent     = 60 // of a message that repeated sentences must fill
)

// Bounds of what can be repeated, in bytes.
const shortestMessage, shortestSentence, shortestText, longestPiece = 20, 8, 80, 60

// loops returns the first actions, message, or sentences that the policy repeats without effect.
func loops(c *conversation) (out []Hit) {
	var actions, messages []*turn
	for _, s := range c.steps {
		t := &turn{message: s.message, action: s.action(), effect: s.result, least: callRepeats}
		if s.call == nil {
			t.least, t.isText = textRepeats, true
		}
		actions = append(actions, t)
	}
	for i, text := range c.texts {
		if c.from[i] != policy {
			continue
		}
		if repeatsItself(text) && !matches("repeating", c.prompt()) {
			out = append(out, Hit{Message: i, Quote: excerpt(text, 0)})
			break
		}
		t := &turn{message: i, action: text, least: messageRepeats}
		if len(c.Messages[i].ToolCalls) > 0 || len(text) < shortestMessage || !matches("sentence", text[len(text)-4:]) {
			t.least = 0
		}
		messages = append(messages, t)
	}
	return append(append(out, repeated(actions)...), repeated(messages)...)
}

// turn is an action of the policy and its effect.
type turn struct {
	action, effect string
	message, least int    // repeats that are a loop; 0: none
	isText         bool   // no call
	squeezed       string // the effect without what differs between equal effects
}

// repeats reports whether two turns have the same action and effect.
func (t *turn) repeats(other *turn) bool {
	if t.action != other.action || t.effect == other.effect {
		return t.action == other.action
	}
	return t.squeeze() == other.squeeze()
}

func (t *turn) squeeze() string {
	if t.squeezed == "" {
		t.squeezed = " " + strings.TrimSpace(patterns["varies"].ReplaceAllString(t.effect, ""))
	}
	return t.squeezed
}

// patience returns how often a turn must be repeated among a number of different ones.
func (t *turn) patience(different int) int {
	head := func(text string) string { return text[:min(len(text), longestResult)] }
	text := head(t.action) + "\n" + head(t.effect)
	if matches("patient", text) || different == 1 && matches("moves", text) {
		return max(t.least, patientRepeats)
	}
	return t.least
}

// repeated returns a turn in which a few actions have been repeated with the same effects. Actions whose effect changes
// at last wait for it.
func repeated(turns []*turn) []Hit {
	counts, most := map[string]int{}, 0
	for _, t := range turns {
		counts[t.action]++
		most = max(most, counts[t.action])
	}
	if most < callRepeats { // the frequent case
		return nil
	}
	for different := 1; different <= mostDifferent; different++ {
		for first := range turns {
			var seen []*turn
			next := first
			for ; next < len(turns) && turns[next].least > 0; next++ {
				if slices.ContainsFunc(seen, turns[next].repeats) {
					continue
				} else if len(seen) == different {
					break
				}
				seen = append(seen, turns[next])
			}
			if len(seen) < different || next-first < callRepeats*different {
				continue
			}
			least := 0
			for _, t := range seen {
				least = max(least, different*t.patience(different))
			}
			// The last effect of all may be the end of the episode.
			ends := next >= len(turns)-1 && (next == len(turns) || turns[next].isText || next-first >= patientRepeats)
			waits := func(t *turn) bool { return t.action == turns[next].action && t.effect != "" }
			if next-first >= least && (ends || next-first >= least+patientRepeats || !slices.ContainsFunc(seen, waits)) {
				at := turns[first+least-1]
				return []Hit{{Message: at.message, Quote: excerpt(at.action, 0)}}
			}
		}
	}
	return nil
}

// repeatsItself reports whether most of a text repeats sentences or, at its end, a piece. Code and tables may.
func repeatsItself(text string) bool {
	if len(text) < shortestText || strings.Contains(text, "```") {
		return false
	}
	counts, repeated := map[string]int{}, 0
	for sentence := range strings.FieldsFuncSeq(text, endsSentence) {
		sentence = strings.TrimSpace(sentence)
		if len(sentence) >= shortestSentence && sentence[0] != '|' {
			counts[sentence]++
		}
	}
	for sentence, n := range counts {
		if n >= sentenceRepeats && matches("letters", sentence) {
			repeated += n * len(sentence)
		}
	}
	if 100*repeated >= loopPercent*len(text) {
		return true
	}
	for period := 2; period <= longestPiece && period*pieceRepeats <= len(text); period++ {
		end := text[len(text)-min(len(text), max(period*pieceRepeats, shortestText)):]
		if end[period:] == end[:len(end)-period] && matches("letters", end[:period]) {
			return true
		}
	}
	return false
}

func endsSentence(r rune) bool {
	switch r {
	case '\n', '.', '!', '?', ';', '。', '！', '？', '；':
		return true
	}
	return false
}
