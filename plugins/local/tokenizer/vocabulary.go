package tokenizer

import "strings"

// vocab is the number of token IDs.
const vocab = 256

// The control tokens. Each uses a byte that never occurs in UTF-8.
const (
	Pad         int32 = 0xC0
	End         int32 = 0xC1 // ends every message
	System      int32 = 0xF5 // headers: the role of the message that follows
	User        int32 = 0xF6
	Assistant   int32 = 0xF7
	Tool        int32 = 0xF8
	CallOpen    int32 = 0xF9
	CallClose   int32 = 0xFA
	AnswerOpen  int32 = 0xFB
	AnswerClose int32 = 0xFC
	ThinkOpen   int32 = 0xFD
	ThinkClose  int32 = 0xFE
	Reserved    int32 = 0xFF
)

// controlToken is a control token together with the text used when displaying and scoring messages.
type controlToken struct {
	id     int32
	text   string
	marker bool // an assistant may write it in its content, unlike roles and the end of a message
}

var control = []controlToken{
	{Pad, "<|pad|>", false},
	{End, "<|end|>", false},
	{System, "<|system|>", false},
	{User, "<|user|>", false},
	{Assistant, "<|assistant|>", false},
	{Tool, "<|tool|>", false},
	{CallOpen, "<tool_call>", true},
	{CallClose, "</tool_call>", true},
	{AnswerOpen, "<answer>", true},
	{AnswerClose, "</answer>", true},
	{ThinkOpen, "<think>", true},
	{ThinkClose, "</think>", true},
	{Reserved, "<|reserved|>", false},
}

// controlText holds the text of each control token; it is empty for bytes.
var controlText = func() (text [vocab]string) {
	for _, c := range control {
		text[c.id] = c.text
	}
	return text
}()

// isControl reports whether an ID is a control token rather than a byte of text.
func isControl(id int32) bool { return id >= 0 && id < vocab && controlText[id] != "" }

// render returns IDs as text, with control tokens written out. Invalid UTF-8 becomes U+FFFD.
func render(ids []int32) string {
	var out strings.Builder
	var raw []byte
	flush := func() {
		out.WriteString(validText(string(raw)))
		raw = raw[:0]
	}
	for _, id := range ids {
		if isControl(id) {
			flush()
			out.WriteString(controlText[id])
			continue
		}
		raw = append(raw, byte(id))
	}
	flush()
	return out.String()
}

// Text returns the text of a token: a control token written out, or a byte. A byte that does not form a character on
// its own becomes U+FFFD.
func Text(id int32) string { return render([]int32{id}) }

// validText replaces invalid UTF-8 with U+FFFD, so that text never contains a byte used for a control token.
func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// appendText appends the bytes of a string. None of them is a control token.
func appendText(ids []int32, text string) []int32 {
	for _, b := range []byte(validText(text)) {
		ids = append(ids, int32(b))
	}
	return ids
}

// appendMarked appends an assistant's text: markers become their tokens, and everything else becomes bytes.
func appendMarked(ids []int32, text string) []int32 {
	for text != "" {
		at, id, length := nextMarker(text)
		ids = appendText(ids, text[:at])
		if length > 0 {
			ids = append(ids, id)
		}
		text = text[at+length:]
	}
	return ids
}

// nextMarker finds the first marker in a string. Without one, at is the end of the text and length is 0.
func nextMarker(text string) (at int, id int32, length int) {
	for from := 0; from < len(text); from++ {
		if text[from] != '<' {
			continue
		}
		for _, c := range control {
			if c.marker && strings.HasPrefix(text[from:], c.text) {
				return from, c.id, len(c.text)
			}
		}
	}
	return len(text), 0, 0
}
