package scan

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	mostTruths    = 40  // values of a task's private part that are searched
	longTruth     = 60  // bytes of an answer that no text contains by chance
	labelReach    = 160 // bytes before an answer in which a label can stand
	recordReach   = 400 // bytes between a question and its answer in a record
	shortestList  = 10  // bytes of an answer of several words that can be given in other words
	shortestPatch = 30  // bytes of an answer that is a change of files
	shortestLine  = 20  // bytes of a question that is recognized when it is repeated
	questionTail  = 32  // bytes at the end of a question that are compared
)

// truth is a value of a task's private part.
type truth struct {
	text  string // normalized
	gate  string // a part that each spelling has
	short bool   // a letter, or a common word
}

// leaks returns messages that show the answer before the policy gives it. A tool may name it when the task has ended.
func leaks(c *conversation) (out []Hit) {
	for _, t := range truthsOf(c.Private) {
		knows := len(c.texts) // the message in which the policy gives the answer
		for i := range c.texts {
			if c.from[i] == policy && c.find(i, t, 0) != nil {
				knows = min(knows, i)
			}
		}
		for _, s := range c.steps {
			if s.call != nil && s.message < knows && t.isIn(s.text) && normalize(s.text).find(t.text, 0) != nil {
				knows = s.message
			}
		}
		for i := range min(knows, c.last) {
			// A long answer is given in other words, too.
			given := knows < len(c.texts) || len(t.text) >= shortestList && strings.Contains(t.text, " ")
			if c.from[i] == policy || c.from[i] == result && !given {
				continue
			}
			if b := c.find(i, t, 0); b != nil && c.shows(i, t, b) {
				out = append(out, Hit{Message: i})
			}
		}
	}
	return out
}

// find returns the bounds of an answer in a message, after a position in the normalized text; nil: none.
func (c *conversation) find(i int, t truth, from int) *bounds {
	if !t.isIn(c.texts[i]) {
		return nil
	}
	if c.normal[i] == nil {
		c.normal[i] = normalize(c.texts[i])
	}
	return c.normal[i].find(t.text, from)
}

// shows reports whether a message gives an answer away: with a label, in a record of the task, or from a file with
// answers. Tools may find or compute answers.
func (c *conversation) shows(i int, t truth, b *bounds) bool {
	text, s := c.texts[i], c.answers[i]
	isResult, isFeedback := c.from[i] == result, i > c.first
	finds := isResult && matches("finds", c.tools[i]) &&
		(s == nil || !matches("reads_file", s.text) || matches("computes", s.text))
	opens := isResult && s != nil && c.opens(s)
	for ; b != nil; b = c.find(i, t, b.next) {
		head := text[max(0, b.from-labelReach):b.from]
		label := patterns["gold"].FindString(head)
		if label == "" && isFeedback {
			label = patterns["expected"].FindString(head)
		}
		printed := isResult && s != nil && strings.Contains(s.text, firstWord(label)) // by the policy's program
		switch {
		case label != "" && !printed && !matches("sample", head):
			return true
		case t.short:
		case opens || isResult && matches("gold_path", head) && !matches("web", c.tools[i]):
			return true
		case !isResult && (len(t.text) >= longTruth || matches("grading", head)):
			return true
		case c.repeats(i, b) || isResult && s != nil && len(t.text) >= shortestPatch && matches("history", s.text):
			return true
		case !finds && matches("value_ends", text[b.to:]):
			if label = patterns["weak"].FindString(head); label != "" && (isResult || strings.Count(text, label) < 2) {
				return true
			}
		}
	}
	return false
}

// opens reports whether a call reads a file with answers that the policy has not created.
func (c *conversation) opens(s *step) bool {
	file := patterns["gold_path"].FindString(s.text)
	return file != "" && !c.isOwn(file, mark{message: s.message, step: s, text: s.text})
}

// repeats reports whether an answer stands together with the question of the task.
func (c *conversation) repeats(i int, b *bounds) bool {
	text := c.texts[i]
	if c.from[i] == result {
		head := strings.ToLower(text[max(0, b.from-recordReach):b.from])
		for _, question := range c.questions() {
			at := strings.LastIndex(head, question)
			if at >= 0 && matches("web", c.tools[i]) {
				head = head[at:] // a page can have other answers
			}
			if at >= 0 && matches("answers", head) {
				return true
			}
		}
		return false
	}
	line := strings.LastIndexByte(text[:b.from], '\n')
	if line < 0 {
		return false
	}
	question := strings.TrimSpace(text[strings.LastIndexByte(strings.TrimSpace(text[:line]), '\n')+1 : line])
	return len(question) >= shortestLine && strings.Count(c.prompt(), strings.ToLower(tail(question))) > 1
}

// questions returns the ends of the questions in the prompts, in lower case.
func (c *conversation) questions() (out []string) {
	for line := range strings.Lines(c.prompt()) {
		if line = strings.TrimSpace(line); len(line) >= shortestLine {
			out = append(out, tail(line))
		}
	}
	return out
}

func tail(text string) string { return text[max(0, len(text)-questionTail):] }

// firstWord returns the first letters and digits of a label.
func firstWord(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return r < 128 && !isWord(byte(r)) })
	return append(words, "")[0]
}

// normal is a text in lower case, without punctuation, in which numbers have no separators.
type normal struct {
	text string
	at   []int // positions in the text as it is
}

// bounds are the bounds of a found text, and the position after it in the normalized text.
type bounds struct{ from, to, next int }

func normalize(text string) *normal {
	out, at := make([]byte, 1, len(text)+2), make([]int, 1, len(text)+2)
	out[0] = ' '
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b >= 'A' && b <= 'Z':
			b |= fold
		case b == '\\' && i+1 < len(text) && (text[i+1] == 'n' || text[i+1] == 't'):
			i, b = i+1, ' '
		case b == ',' && digit(i-1) && digit(i+1) && digit(i+2) && digit(i+3) && !digit(i+4):
			continue
		case b == '.' && digit(i-1) && digit(i+1):
			end := i + 1
			for end < len(text) && text[end] == '0' {
				end++
			}
			if end == len(text) || !isWord(text[end]) {
				i = end - 1
				continue
			}
		case !isWord(b) && b < 128:
			b = ' '
		}
		if b != ' ' || out[len(out)-1] != ' ' {
			out, at = append(out, b), append(at, i)
		}
	}
	return &normal{string(append(out, ' ')), append(at, len(text))}
}

// find returns the bounds of a text that is not part of a longer word or number.
func (n *normal) find(text string, from int) *bounds {
	for {
		k := strings.Index(n.text[from:], text)
		if k < 0 {
			return nil
		}
		from += k
		end := from + len(text)
		joined := isWord(text[0]) && (isWord(n.text[from-1]) || n.text[from-1] == '.') ||
			isWord(text[len(text)-1]) && (isWord(n.text[end]) || n.text[end] == '.')
		if !joined {
			return &bounds{n.at[from], n.at[end-1] + 1, end}
		}
		from = end
	}
}

// isIn reports whether a text can contain an answer.
func (t truth) isIn(text string) bool { return strings.Contains(text, t.gate) }

// gateOf returns the longest word without its first letter, or the end of a number.
func gateOf(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 128 && !isWord(byte(r)) })
	word := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
	if strings.Trim(word, "0123456789") == "" {
		return word[max(0, len(word)-3):]
	}
	if len(word) > 3 && isWord(word[0]) {
		return word[1:]
	}
	return word
}

// truthsOf returns the values in a task's private part, also lists as a whole.
func truthsOf(private json.RawMessage) (out []truth) {
	var value any
	_ = json.Unmarshal(private, &value) // an invalid part has no values
	var add func(value any)
	add = func(value any) {
		if len(out) >= mostTruths {
			return
		}
		text, isText := value.(string)
		switch v := value.(type) {
		case map[string]any:
			for name, value := range v {
				if !matches("no_answer", name) {
					add(value)
				}
			}
			return
		case []any:
			for _, value := range v {
				add(value)
			}
			if len(v) < 2 {
				return
			}
		}
		if !isText {
			encoded, _ := json.Marshal(value) // was decoded from JSON
			text = string(encoded)
		}
		if _, last, ok := strings.Cut(text, "####"); ok { // the solutions of GSM8K
			text = last
		}
		if normal := strings.TrimSpace(normalize(text).text); normal != "" {
			out = append(out, truth{normal, gateOf(text), matches("common", normal)})
		}
	}
	add(value)
	return out
}
