package scan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// distinctive is the length of an answer that is recognized also after words that examples have, too.
const distinctive = 5

// mostTruths limits the values of a task's private part that are searched.
const mostTruths = 100

// leaks returns messages that show the answer before the policy gives it. A tool may name it when the task has ended.
func leaks(c *conversation) (out []Hit) {
	for _, truth := range truthsOf(c.Private) {
		knows := len(c.texts) // the message in which the policy gives the answer
		for i := range c.texts {
			if c.from[i] == policy && indexWord(c.texts[i], truth) >= 0 {
				knows = min(knows, i)
			}
		}
		for _, s := range c.steps {
			if indexWord(s.text, truth) >= 0 {
				knows = min(knows, s.message)
			}
		}
		for i := range knows {
			if (c.from[i] == prompt || c.from[i] == result && knows < len(c.texts)) && c.shows(i, truth) {
				out = append(out, Hit{Message: i})
			}
		}
	}
	return out
}

// shows reports whether a message gives an answer away. Tools may find answers, but not in a file with answers.
func (c *conversation) shows(i int, truth string) bool {
	text := c.texts[i]
	at := indexWord(text, truth)
	finds := c.from[i] == result && at >= 0 && matches("finds", c.tools[i])
	opens := c.from[i] == result && slices.ContainsFunc(c.hits[opensGold], func(hit Hit) bool {
		return hit.Message < i && !slices.Contains(c.from[hit.Message+1:i], policy)
	})
	for from := 0; at >= 0; at = indexWord(text[from:], truth) {
		head := text[max(0, from+at-before) : from+at]
		if opens || !finds && (matches("gold", head) || len(truth) >= distinctive && matches("weak", head)) {
			return true
		}
		from += at + len(truth)
	}
	return false
}

// indexWord returns the position of a text that is not part of a longer word or number, or -1.
func indexWord(in, text string) int {
	for from := 0; ; {
		at := strings.Index(in[from:], text)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(text)
		joined := at > 0 && (isWord(in[at-1]) || in[at-1] == '.') || end < len(in) && isWord(in[end]) ||
			end+1 < len(in) && (in[end] == '.' || in[end] == ',') && in[end+1] >= '0' && in[end+1] <= '9'
		if !joined {
			return at
		}
		from = end
	}
}

// values matches the texts and numbers in JSON, and the colon after a name.
var values = regexp.MustCompile(`"((?:\\.|[^"\\])*)"\s*(:?)|(-?\d[\d.]*)`)

// truthsOf returns the values in a task's private part except common words.
func truthsOf(private json.RawMessage) (out []string) {
	for _, value := range values.FindAllStringSubmatch(string(private), mostTruths) {
		truth := unescape(value[1] + value[3])
		if _, last, ok := strings.Cut(truth, "####"); ok { // the solutions of GSM8K
			truth = last
		}
		if truth = strings.TrimSpace(truth); value[2] == "" && !matches("common", truth) {
			out = append(out, truth)
		}
	}
	return out
}
