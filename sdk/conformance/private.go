package conformance

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// All of a plugin's output is searched for the private part of a task. A string from the fixtures may appear by chance,
// such as "42" as the result of a sum. Each episode and item is therefore run twice: with the original values, and with
// unique marks in place of private values.

// leaf is a string or a number in a JSON value.
type leaf struct {
	path string // "answer.text"; list elements have the list's path
	text string
	bare bool // a number, not a text
}

// decoded returns a JSON value with numbers kept as text, or nil if the input is invalid.
func decoded(text []byte) any {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

// leavesOf returns the strings and numbers in a JSON value.
func leavesOf(text []byte) []leaf {
	var out []leaf
	replaced(decoded(text), "", func(l leaf) any {
		out = append(out, l)
		return nil
	})
	return out
}

// replaced returns a JSON value with its leaves replaced.
func replaced(value any, path string, by func(leaf) any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out[name] = replaced(v[name], strings.TrimPrefix(path+"."+name, "."), by)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = replaced(v[i], path, by)
		}
		return out
	case string:
		return by(leaf{path, v, false})
	case json.Number:
		return by(leaf{path, v.String(), true})
	}
	return value
}

// secret is a text to search for.
type secret struct {
	path string // of the member that holds it
	text string
	// counts only before the first message of the policy, and not in log lines: it could be a computed result
	onlyEarly bool
	unique    bool // unique, so that encoded forms count as well
}

// secondMark is the first number of a second set of marks.
const secondMark = 6211

// isRevealed reports whether policies are meant to see a given member or one of its parents.
func (c *component) isRevealed(path string) bool {
	return slices.ContainsFunc(c.fixture.Reveals, func(r string) bool {
		return path == r ||
			strings.HasPrefix(path, r+".")
	})
}

// originalSecrets returns the secrets of a private part that are conclusive. It omits values that also occur in the
// public part or in the fixture's own messages, and values that are too short to be distinguished from other words.
func (c *component) originalSecrets(private []byte, known string) []secret {
	var out []secret
	for _, l := range leavesOf(private) {
		_, isNumber := number(l.text)
		switch n := utf8.RuneCountInString(l.text); {
		case c.isRevealed(l.path), contains(known, l.text), isNumber && n < 2, !isNumber && n < 4, l.text == "true" ||
			l.text == "false":
			continue
		}
		out = append(out, secret{path: l.path, text: l.text, onlyEarly: isNumber})
	}
	return out
}

// firstMark is the usual first mark for numbers.
const firstMark = 4793

// textMarks makes markedSecrets replace texts that are numbers by texts that are not numbers.
const textMarks = -1

// markedSecrets returns a private part with marks instead of texts and numbers, and the secrets for them. Marks for
// numbers begin with a small number, because a value may be used as a size; 0: numbers keep their values.
func (c *component) markedSecrets(private []byte, first int) ([]byte, []secret) {
	var secrets []secret
	value := replaced(decoded(private), "", func(l leaf) any {
		_, isNumber := number(l.text)
		if c.isRevealed(l.path) || isNumber && l.bare && first <= 0 {
			if l.bare {
				return json.Number(l.text)
			}
			return l.text
		}
		n := len(secrets)
		mark := secret{path: l.path, text: fmt.Sprintf("Quxzov%cjyk%cwem", 'a'+n/26%26, 'a'+n%26), unique: true}
		switch {
		case l.bare:
			mark.text, mark.onlyEarly = fmt.Sprint(first+n), true
		case isNumber && first != textMarks:
			mark.text = fmt.Sprint(573_194 + n)
		}
		secrets = append(secrets, mark)
		if l.bare {
			return json.Number(mark.text)
		}
		return mark.text
	})
	text, err := json.Marshal(value)
	if err != nil || len(secrets) == 0 {
		return private, nil
	}
	return text, secrets
}

// contains reports whether a string contains another as whole words.
func contains(text, part string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+at])
		after, _ := utf8.DecodeRuneInString(text[from+at+len(part):])
		if !isWordRune(before) && !isWordRune(after) {
			return true
		}
		from += at + 1
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// foundIn describes how a text contains a secret, or returns "" if it does not.
func (n secret) foundIn(text string) string {
	if contains(text, n.text) {
		return "unchanged"
	}
	if !n.unique || n.onlyEarly {
		return ""
	}
	switch lower, mark := strings.ToLower(text), strings.ToLower(n.text); {
	case strings.Contains(lower, mark):
		return "with other capitals, or within a word"
	case strings.Contains(lower, reversed(mark)):
		return "backwards"
	case strings.Contains(lower, hex.EncodeToString([]byte(n.text))),
		strings.Contains(lower, hex.EncodeToString([]byte(mark))):
		return "in hexadecimal"
	case slices.ContainsFunc([]int{0, 1, 2}, func(shift int) bool {
		return strings.Contains(text,
			base64At(n.text, shift))
	}):
		return "in base64"
	}
	return ""
}

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// base64At returns the base64 encoding of a string that follows shift other bytes, without the characters that depend
// on adjacent bytes.
func base64At(text string, shift int) string {
	code := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), text...))
	first := []int{0, 2, 3}[shift]
	return code[first : len(code)-1]
}

// outputText is a piece of a plugin's output and its location.
type outputText struct {
	where string
	early bool // before the policy's first message
	text  string
}

// textsOf returns all strings and bytes in a message, including names in maps.
func textsOf(m proto.Message) string {
	var out strings.Builder
	walkTexts(m.ProtoReflect(), &out)
	return out.String()
}

func walkTexts(m protoreflect.Message, out *strings.Builder) {
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				fmt.Fprintln(out, k.String())
				writeText(field.MapValue(), v, out)
				return true
			})
		case field.IsList():
			for i := range v.List().Len() {
				writeText(field, v.List().Get(i), out)
			}
		default:
			writeText(field, v, out)
		}
		return true
	})
}

func writeText(field protoreflect.FieldDescriptor, v protoreflect.Value, out *strings.Builder) {
	switch field.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		walkTexts(v.Message(), out)
	case protoreflect.StringKind:
		fmt.Fprintln(out, v.String())
	case protoreflect.BytesKind:
		fmt.Fprintln(out, string(v.Bytes()))
	}
}

// lines holds a process's log for a check to search.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

// Enabled implements slog.Handler. All levels count.
func (l *lines) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() > maxOutputBytes {
		return nil
	}
	l.text.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(&l.text, " %s=%s", a.Key, a.Value)
		return true
	})
	l.text.WriteString("\n")
	return nil
}

// WithAttrs implements slog.Handler. The suite does not add any relevant attributes.
func (l *lines) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler.
func (l *lines) WithGroup(string) slog.Handler { return l }

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// reportSecrets reports each private member that appears in a plugin's output, once per location.
func (t *T) reportSecrets(secrets []secret, texts []outputText) {
	for _, n := range secrets {
		shown := map[string]bool{}
		for _, s := range texts {
			if n.onlyEarly && !s.early || shown[s.where] {
				continue
			}
			if how := n.foundIn(s.text); how != "" {
				shown[s.where] = true
				t.errorf("its task's private member %s appears in %s, %s: "+
					"%s", n.path, s.where, how, excerpt(s.text, n.text))
			}
		}
	}
}

// excerpt returns the text surrounding part of it.
func excerpt(text, part string) string {
	const shown = 60
	at := max(strings.Index(text, part), 0)
	return fmt.Sprintf("%.*q", 2*shown+len(part), text[max(0, at-shown):])
}
