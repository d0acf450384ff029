package scan

import "strings"

// Repeats from which on something is a loop.
const (
	callRepeats     = 3 // calls with the same results, or cycles of up to longestCycle calls
	patientRepeats  = 6 // calls that wait, or of which a user expects the same result each time
	longestCycle    = 3
	messageRepeats  = 3
	sentenceRepeats = 4
	pieceRepeats    = 8  // pieces of a text without sentences
	loopPercent     = 60 // of a message that repeated sentences must fill
)

// Bounds of what can be repeated, in bytes.
const shortestMessage, shortestSentence, shortestText, longestPiece = 20, 8, 80, 60

// loops returns the first calls, message, or sentences that the policy repeats without effect.
func loops(c *conversation) []Hit {
	out := c.repeatedCalls()
	last, repeats := "", 0
	for i, text := range c.texts {
		if c.from[i] != policy {
			continue
		}
		if repeats++; text != last || len(c.Messages[i].ToolCalls) > 0 {
			last, repeats = text, 1
		}
		if repeats >= messageRepeats && len(text) >= shortestMessage ||
			repeatsItself(text) && !matches("repeating", c.prompt()) {
			return append(out, Hit{Message: i, Quote: excerpt(text, 0)})
		}
	}
	return out
}

// repeatedCalls returns calls that are repeated with the same results. Calls whose result changes at last wait for it.
func (c *conversation) repeatedCalls() (out []Hit) {
	call := func(i int) string { return c.steps[i].call.Name + " " + c.steps[i].text }
	repeats := func(i, cycle int) bool {
		return c.steps[i].result == c.steps[i-cycle].result && call(i) == call(i-cycle)
	}
	for cycle := 1; cycle <= longestCycle; cycle++ {
		run := 0
		for i := cycle; i < len(c.steps); i++ {
			if run++; !repeats(i, cycle) {
				run = 0
			}
			if run < cycle*(callRepeats-1) {
				continue
			}
			next := i + 1
			for next < len(c.steps) && repeats(next, cycle) {
				next++
			}
			head := c.steps[i].result[:min(len(c.steps[i].result), longestResult)]
			if (next == len(c.steps) || call(next) != call(next-cycle)) &&
				(run >= cycle*(patientRepeats-1) || !matches("patient", call(i)+"\n"+head)) {
				out = append(out, Hit{Message: c.steps[i].message, Quote: excerpt(call(i), 0)})
				break
			}
		}
	}
	return out
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
