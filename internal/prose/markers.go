package prose

import "regexp"

// marker is a turn of phrase that the house style rejects, and its replacement.
type marker struct {
	pattern *regexp.Regexp
	advice  string
}

func newMarker(pattern, advice string) marker {
	return marker{regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`), advice}
}

var markers = []marker{
	newMarker(`(?:says?|tells?|told) (?:whether|what|how|that|which|why|of|where|if|who)`,
		"reports whether, returns, describes, names"),
	newMarker(`(?:is|are) what|(?:is|are) none|there is none`, "name the thing, or use: is empty, is missing"),
	newMarker(`(?:that|those) of|those (?:that|who|which)`, "repeat the noun"),
	newMarker(`(?:is|are|was|were|be) no \w+`, "is not a, has no"),
	newMarker(`nobody|somebody|whoever|whichever`, "name the caller or process, or use the passive"),
	newMarker(`(?:goes|go|went|going) on`, "continues, resumes, proceeds, is running"),
	newMarker(`stands?|stood`, "is, appears, is listed, is defined"),
	newMarker(`(?:is|are|was|were) over|at an end`, "has ended, is finished"),
	newMarker(`but for`, "except for, apart from"),
	newMarker(`beside`, "next to, in addition to, compared with"),
	newMarker(`hears?|heard|in the words of`, "receives, is notified, in … format"),
	newMarker(`of (?:its|their|his|our|your) own|of (?:yours|theirs|ours)`, "its own X, a separate X"),
	newMarker(`anew|for ever|lest`, "again, forever, so that … not"),
	newMarker(`in (?:the|its) place(?: of)?`, "instead of, replaces"),
	newMarker(`held (?:to|against)`, "checked against, validated by"),
}

// properEnglish matches correct phrases that a marker would match.
var properEnglish = regexp.MustCompile(
	"(?i)\\b(?:stand-in|no longer|no more|no one|no guarantee|(?:is|are|was|were) over [0-9]+|what (?:is|are) left)\\b" +
		"|`[^`]*`|\\]\\([^)]*\\)") // code and the targets of links

// Marked returns the first phrase in a text that the house style rejects, and what to write instead. Both are empty for
// a text without such a phrase.
func Marked(text string) (phrase, advice string) {
	text = properEnglish.ReplaceAllString(text, "")
	for _, m := range markers {
		if phrase = m.pattern.FindString(text); phrase != "" {
			return phrase, m.advice
		}
	}
	return "", ""
}
