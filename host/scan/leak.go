package scan

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

const (
	mostTruths   = 40  // values of a task's private part that are searched
	mostWords    = 60  // of an answer that are compared
	listLength   = 10  // bytes of an answer of several words that can be given in other words
	patchLength  = 30  // bytes of an answer that can be a change of files
	longTruth    = 60  // bytes of an answer that no text contains by chance
	labelReach   = 160 // bytes before an answer in which a label can be
	recordReach  = 400 // bytes between a question and its answer in a record
	shortestLine = 20  // bytes of a question that is recognized when it is repeated
	questionTail = 32  // bytes at the end of a question that are compared
)

// truth is a value of a task's private part.
type truth struct {
	text    string
	gate    string // a part that each spelling has
	pattern *regexp.Regexp
}

// leaks returns messages that show the answer before the policy gives it. A tool may name it when the task has ended.
func leaks(c *conversation) (out []Hit) {
	for _, t := range truthsOf(c.Private) {
		knows := len(c.texts) // the message in which the policy gives the answer
		for _, s := range c.steps {
			if s.message < knows && len(t.find(s.text)) > 0 {
				knows = s.message
			}
		}
		for i := range min(knows, c.last) {
			// A long answer is given in other words, too.
			given := knows < len(c.texts) || len(t.text) >= listLength && strings.ContainsAny(t.text, " ,\n")
			if (c.from[i] == prompt || c.from[i] == result && given) && c.shows(i, t) {
				out = append(out, Hit{Message: i})
			}
		}
	}
	return out
}

// shows reports whether a message gives an answer away: with a label, in a record of the task, or from a file with
// answers. Tools may find or compute answers.
func (c *conversation) shows(i int, t *truth) bool {
	text, s, isResult := c.texts[i], &step{call: &sdk.ToolCall{}}, c.from[i] == result
	for _, at := range t.find(text) {
		if c.answers[i] != nil && isResult {
			s = c.answers[i]
		}
		head, isFeedback := text[max(0, at[2]-labelReach):at[2]], i > c.first
		isWeb, isRead := matches("web", c.tools[i]), matches("reads_file", s.text) && !matches("computes", s.text)
		file, label := patterns["gold_path"].FindString(s.text), patterns["gold"].FindString(head)
		if label == "" && isFeedback {
			label = patterns["expected"].FindString(head)
		}
		printed := strings.Contains(s.text, strings.Trim(label, " \"':=")) // by the policy's program
		switch {
		case label != "" && !printed && !matches("sample", head):
			return true
		case matches("common", t.text):
		case file != "" && !c.isOwn(file, mark{message: s.message, step: s, text: s.text}),
			isResult && !isWeb && matches("gold_path", head),
			isResult && len(t.text) >= patchLength && matches("history", s.text),
			!isResult && (len(t.text) >= longTruth || matches("grading", head)),
			c.repeatsQuestion(i, at[2], isWeb):
			return true
		case (!isResult || isRead || !matches("finds", c.tools[i])) && matches("value_ends", text[at[3]:]):
			label = patterns["weak"].FindString(head)
			if label != "" && (isResult || strings.Count(text, label) < 2) { // more are examples
				return true
			}
		}
	}
	return false
}

// repeatsQuestion reports whether an answer is together with the question of the task.
func (c *conversation) repeatsQuestion(i, at int, isWeb bool) bool {
	text := strings.ToLower(c.texts[i])
	tail := func(line string) string { return line[max(0, len(line)-questionTail):] }
	if c.from[i] == result {
		head := text[min(len(text), max(0, at-recordReach)):min(len(text), at)]
		for line := range strings.Lines(c.prompt()) {
			line = strings.TrimSpace(line)
			k := strings.LastIndex(head, tail(line))
			if len(line) < shortestLine || k < 0 {
				continue
			}
			if !isWeb {
				k = 0 // a page can have other answers
			}
			if matches("answers", head[k:]) {
				return true
			}
		}
		return false
	}
	lines := strings.Split(strings.TrimRight(text[:min(len(text), at)], " "), "\n")
	if len(lines) < 2 {
		return false
	}
	question := strings.TrimSpace(lines[len(lines)-2])
	return len(question) >= shortestLine && strings.Count(c.prompt(), tail(question)) > 1
}

// find returns the positions of an answer in a text, as a submatch.
func (t *truth) find(text string) [][]int {
	if !strings.Contains(text, t.gate) {
		return nil
	}
	if t.pattern == nil {
		words := answerWords.FindAllString(t.text, mostWords)
		for i, word := range words {
			if words[i] = regexp.QuoteMeta(word); strings.Trim(word, "0123456789,") == "" {
				word = strings.ReplaceAll(word, ",", "")
				for k := len(word) - 3; k > 0; k -= 3 {
					word = word[:k] + ",?" + word[k:]
				}
				words[i] = word + `(?:\.0+\b)?`
			}
		}
		t.pattern = regexp.MustCompile(`(?i)(?:^|[^A-Za-z0-9.]|[^0-9]\.|[^\x00-\x7f]|\\[nt])(` +
			strings.Join(words, `(?:\\[nt]|[^\pL\pN])*`) + `)(?:$|[^A-Za-z0-9.,]|[.,](?:[^0-9]|$))`)
	}
	return t.pattern.FindAllStringSubmatchIndex(text, mostTruths)
}

// answerWords matches the numbers and words of an answer.
var answerWords = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d*[1-9])?|[\pL\pN]+`)

// truthsOf returns the values in a task's private part, also lists as a whole.
func truthsOf(private json.RawMessage) (out []*truth) {
	var value any
	_ = json.Unmarshal(private, &value) // an invalid part has no values
	var add func(value any)
	add = func(value any) {
		text, isText := value.(string)
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) { // the same values are searched each time
				if !matches("no_answer", name) {
					add(v[name])
				}
			}
			return
		case []any:
			for _, value := range v {
				add(value)
			}
		}
		if !isText {
			encoded, _ := json.Marshal(value) // was decoded from JSON
			text = string(encoded)
		}
		if _, last, ok := strings.Cut(text, "####"); ok { // the solutions of GSM8K
			text = last
		}
		words := answerWords.FindAllString(text, mostWords)
		if len(words) == 0 || len(out) >= mostTruths {
			return
		}
		gate := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
		if strings.Trim(gate, "0123456789,.") == "" {
			gate, _, _ = strings.Cut(gate, ".")
			gate = gate[max(0, len(gate)-3):]
		} else if len(gate) > 3 && isWord(gate[0]) {
			gate = gate[1:] // the first letter can have another case
		}
		out = append(out, &truth{text: strings.TrimSpace(text), gate: gate})
	}
	add(value)
	return out
}
