package gaiareward

import (
	"strings"

	"github.com/awhost/awhost/sdk/pytext"
)

// asciiPunctuation is Python's string.punctuation. Quotes and dashes outside ASCII are not included.
const asciiPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// punctuation selects how normalise handles ASCII punctuation.
type punctuation bool

const (
	keepPunctuation punctuation = false
	dropPunctuation punctuation = true
)

// normalise removes whitespace, converts the text to lowercase, and then, if requested, removes punctuation. The order
// matters, because whether a sigma is final depends on its context without spaces but with punctuation.
func normalise(s string, p punctuation) string {
	s = pytext.Lower(remove(s, pytext.IsSpace))
	if p == keepPunctuation {
		return s
	}
	return remove(s, func(r rune) bool { return strings.ContainsRune(asciiPunctuation, r) })
}

func remove(s string, unwanted func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return -1
		}
		return r
	}, s)
}
