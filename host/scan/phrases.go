package scan

import (
	"encoding/binary"
	"math"
	"strings"
)

// phrase is a phrase of some checks.
type phrase struct {
	text   string // in lower case
	window int    // position of the bytes that are looked up
	open   bool   // letters may follow
	checks []*check
}

// phrases finds a set of phrases in one pass: it looks up each four bytes of a text by their hash.
type phrases struct {
	gate  [1 << hashBits]bool // smaller than lists, for the processor's cache
	lists [1 << hashBits][]*phrase
}

const (
	width    = 4 // bytes that are looked up; no phrase is shorter
	hashBits = 15
	fold     = 'a' - 'A' // makes letters of both cases equal, and some other bytes
)

func hash(window uint32) uint32 { return window * 0x9e3779b1 >> (32 - hashBits) }

// frequent has bytes that a window had better not have.
const frequent = " etaoinsrhl"

// add adds a phrase under the window that is the rarest.
func (s *phrases) add(text string, c *check) {
	text, open := strings.CutSuffix(text, "~")
	best, least, h := 0, math.MaxInt, uint32(0)
	for at := range len(text) - width + 1 {
		window := text[at : at+width]
		next := hash(binary.BigEndian.Uint32([]byte(window)) | fold<<24 | fold<<16 | fold<<8 | fold)
		cost := width * len(s.lists[next])
		for i := range width {
			cost += strings.Count(frequent, window[i:i+1])
		}
		for _, p := range s.lists[next] {
			if p.text == text && p.open == open {
				p.checks = append(p.checks, c)
				return
			}
		}
		if cost < least {
			best, least, h = at, cost, next
		}
	}
	s.gate[h] = true
	s.lists[h] = append(s.lists[h], &phrase{text, best, open, []*check{c}})
}

// find calls yield for each phrase in a text until it returns false, in the text's order.
func (s *phrases) find(text string, yield func(p *phrase, at int) bool) {
	var window uint32
	for i := range len(text) {
		window = window<<8 | uint32(text[i]|fold)
		h := hash(window)
		if !s.gate[h] {
			continue
		}
		for _, p := range s.lists[h] {
			if at := i - width + 1 - p.window; at >= 0 && p.isAt(text, at) {
				if !yield(p, at) {
					return
				}
			}
		}
	}
}

// isAt reports whether a phrase, as whole words, is at a position of a text.
func (p *phrase) isAt(text string, at int) bool {
	end := at + len(p.text)
	return end <= len(text) && text[end-1]|fold == p.text[len(p.text)-1]|fold && strings.EqualFold(text[at:end], p.text) &&
		(at == 0 || !isWord(p.text[0]) || !isWord(text[at-1])) &&
		(p.open || end == len(text) || !isWord(text[end-1]) || !isWord(text[end]))
}

// isWord reports whether a byte is a letter or digit of ASCII.
func isWord(c byte) bool {
	return c|fold >= 'a' && c|fold <= 'z' || c >= '0' && c <= '9'
}
