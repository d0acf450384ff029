package datacheck

import (
	"fmt"
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk"
)

// question is the part of a task that the policy reads first.
type question struct {
	text     string // of all messages except for system messages and the solution
	system   string // the system messages
	key      uint64 // hash of the normalized messages, without system messages, and of media
	solution string // the final message, if it is the assistant's
	wrong    []wrong
}

// wrong is a reason why a prompt is not readable text.
type wrong string

const (
	isJSON        wrong = "is the JSON text of messages"
	hasSubstitute wrong = "contains U+FFFD, which replaces half of a surrogate pair or a byte of another encoding"
	isEmpty       wrong = "is empty"
)

// seed is the seed of all hashes, which are compared only within this process.
var seed = maphash.MakeSeed()

// media lists columns that belong to the question.
var media = []string{"image", "images", "video", "videos", "audio", "audios", "file", "files", "file_name", "file_path"}

// questionOf returns the question of a task. It is empty if the environment asks it.
func questionOf(public map[string]any) (q question) {
	messages, _ := public["messages"].([]any)
	if prompt, isText := public["prompt"].(string); isText {
		messages = append([]any{map[string]any{"role": string(sdk.RoleUser), "content": prompt}}, messages...)
	}
	var key maphash.Hash
	key.SetSeed(seed)
	var texts []string
	hasMore := false
	for i, entry := range messages {
		message, _ := entry.(map[string]any)
		role, _ := message["role"].(string)
		content, _ := message["content"].(string)
		q.check(content)
		if role == string(sdk.RoleAssistant) && i > 0 && i == len(messages)-1 {
			q.solution = content
			if content == "" {
				q.solution = textOf(message) // its calls
			}
			break
		}
		if role == string(sdk.RoleSystem) {
			q.system += content + "\n"
			continue
		}
		key.WriteString(role)
		normalize(&key, content)
		if _, hasContent := message["content"]; !hasContent || len(message) > 2 {
			hasMore = true
			key.WriteString(textOf(message))
		}
		texts = append(texts, content)
	}
	for _, name := range media {
		if value, ok := public[name]; ok {
			key.WriteString(textOf(value))
			hasMore = true
		}
	}
	q.text, q.key = strings.Join(texts, "\n"), key.Sum64()
	q.cutTemplate()
	if len(messages) > 0 && !hasMore && strings.TrimSpace(q.text) == "" {
		q.wrong = append(q.wrong, isEmpty)
	}
	return q
}

func textOf(value any) string { return string(rowjson.Append(nil, value)) }

// normalize adds a text to a hash in lower case and with single spaces.
func normalize(h *maphash.Hash, text string) {
	inWord, space := false, false
	for _, c := range text {
		if unicode.IsSpace(c) {
			space = inWord
			continue
		}
		if inWord = true; space {
			h.WriteByte(' ')
			space = false
		}
		if c = unicode.ToLower(c); c < utf8.RuneSelf {
			h.WriteByte(byte(c))
		} else {
			h.WriteString(string(c))
		}
	}
	h.WriteByte(0)
}

// dumped matches the start of messages that were saved as JSON or as a Python literal.
var dumped = regexp.MustCompile(`^\[?\s*\{\s*["'](?:role|content)["']\s*:`)

func (q *question) check(text string) {
	add := func(w wrong) {
		if !slices.Contains(q.wrong, w) {
			q.wrong = append(q.wrong, w)
		}
	}
	if trimmed := strings.TrimSpace(text); trimmed != "" && strings.ContainsAny(trimmed[:1], "[{") &&
		strings.ContainsAny(trimmed[len(trimmed)-1:], "]}") && dumped.MatchString(trimmed) {
		add(isJSON)
	}
	if strings.ContainsRune(text, utf8.RuneError) {
		add(hasSubstitute)
	}
}

// turns are the texts with which chat templates begin the assistant's message, and ends those with which they end it.
var (
	turns = []string{"<|im_start|>assistant", "<|start_header_id|>assistant<|end_header_id|>", "<|assistant|>",
		"\nAssistant:"}
	ends = []string{"<|im_end|>", "<|eot_id|>", "</s>", "<|endoftext|>"}
)

// cutTemplate moves the assistant's message at the end of a text with a chat template to the solution.
func (q *question) cutTemplate() {
	for _, turn := range turns {
		if q.solution != "" || !strings.Contains(q.text, turn) { // much faster than LastIndex
			continue
		}
		at := strings.LastIndex(q.text, turn)
		rest := q.text[at+len(turn):]
		for _, end := range ends {
			rest, _, _ = strings.Cut(rest, end)
		}
		if q.solution = strings.TrimSpace(rest); q.solution != "" {
			q.text = q.text[:at]
		}
	}
}

// unreadable reports prompts that are not readable text.
func (t *Tasks) unreadable() []TaskFinding {
	f := TaskFinding{}
	f.ID, f.Severity = findings.JSONPrompt, event.FindingWarning
	var parts []string
	count := 0
	for _, w := range []wrong{isJSON, hasSubstitute, isEmpty} {
		found := t.wrong[w]
		if found == nil {
			continue
		}
		if w != hasSubstitute {
			f.Severity = "" // the rule's
		}
		count += found.count
		f.Examples = append(f.Examples, found.examples...)
		parts = append(parts, fmt.Sprintf("%d with a prompt that %s %s", found.count, w, found.list()))
	}
	if count == 0 {
		return nil
	}
	f.Summary = fmt.Sprintf("%s include %s", t.all(), strings.Join(parts, "; "))
	return []TaskFinding{t.finding(f, count)}
}
