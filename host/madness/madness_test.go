package madness_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/sdk"
)

func rules(t testing.TB, profile string, checks ...madness.Check) *madness.Rules {
	t.Helper()
	out, err := madness.New(madness.Profile(profile), checks)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// table returns a Markdown table with the given size and the same text in every cell.
func table(columns, rows int, cell string) string {
	line := func(of func(column int) string) string {
		cells := make([]string, columns)
		for i := range cells {
			cells[i] = of(i)
		}
		return "| " + strings.Join(cells, " | ") + " |\n"
	}
	out := line(func(i int) string { return fmt.Sprintf("column %d", i) }) + line(func(int) string { return "---" })
	for row := range rows {
		out += line(func(i int) string {
			if i == 0 {
				return fmt.Sprintf("row %d", row)
			}
			return cell
		})
	}
	return out
}

// Examples that AgentJet reports and awhost does not, and examples that all profiles report. docs/guides/madness.md
// contains the same examples.
func TestFind_Profiles(t *testing.T) {
	const old, head, own = "ajet-2026-01", "ajet-head", "awhost"
	ajet, all := []string{old, head}, []string{old, head, own}
	for _, test := range []struct {
		name, content string
		mad           []string // profiles that report it
		reason        madness.Reason
	}{
		{"plain", "The answer is 12.", nil, ""},
		{"Greek", "Let α be the angle, and π the ratio.", ajet, madness.ReasonCharacter},
		{"Cyrillic", "Ответ: двенадцать.", ajet, madness.ReasonCharacter},
		{"accents", "naïve café in Łódź", ajet, madness.ReasonCharacter},
		{"arithmetic signs", "√16 ≤ 4 ∞", []string{old}, madness.ReasonCharacter},
		{"division", "12 ÷ 4 = 3", ajet, madness.ReasonCharacter},
		{"family emoji", "👨\u200d👩\u200d👧", ajet, madness.ReasonCharacter},
		{"wide table", table(40, 12, "yes"), ajet, madness.ReasonRepeatedWords},
		{"zeros", "[" + strings.Repeat("0, ", 500) + "1]", ajet, madness.ReasonRepeatedWords},
		{"ruler", strings.Repeat("-", 300), ajet, madness.ReasonRepeatedCharacters},
		{"quoted broken bytes", "the file says caf\uFFFD", nil, ""},
		{"broken bytes", "\uFFFD\uFFFDx\uFFFD \uFFFD", []string{own}, madness.ReasonCharacter},
		{"private use", strings.Repeat("\uE000x", 4), []string{own}, madness.ReasonCharacter},
		{"template", "done <|im_start|>user", all, madness.ReasonMarker},
		{"template of Llama", "done <|start_header_id|>user", []string{own}, madness.ReasonMarker},
		{"word loop", "So " + strings.Repeat("no ", 250), all, madness.ReasonRepeatedWords},
		{"sentence loop", strings.Repeat("I try the next tool now. ", 40), []string{own}, madness.ReasonRepeatedWords},
		{"Chinese loop", strings.Repeat("我再试一次这个工具", 120), []string{own}, madness.ReasonRepeatedCharacters},
		{"no spaces", strings.Repeat("ha", 500), all, madness.ReasonRepeatedCharacters},
		{"long ruler", strings.Repeat("=", 5000), all, madness.ReasonRepeatedCharacters},
	} {
		var mad []string
		for _, profile := range all {
			for _, f := range rules(t, profile, madness.Nonsense).Find(&sdk.Message{Content: test.content}) {
				mad = append(mad, profile)
				if f.Reason != test.reason {
					t.Errorf("%s, %s: %s, want %s", test.name, profile, f.Reason, test.reason)
				}
			}
		}
		if diff := cmp.Diff(test.mad, mad, cmpEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

var cmpEmpty = cmp.Transformer("list", func(in []string) string { return strings.Join(in, " ") })

func TestFind_SaysWhere(t *testing.T) {
	call := func(arguments ...string) sdk.Message {
		m := sdk.Message{}
		for _, a := range arguments {
			m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{Arguments: a})
		}
		return m
	}
	unread := sdk.Message{Content: "so <call>{", Malformed: []sdk.Malformed{{Text: "<call>{"}}}
	rounds, pairs := strings.Repeat(" y", 12), strings.Repeat("a b ", 200)
	for _, test := range []struct {
		name, profile string
		check         madness.Check
		message       sdk.Message
		reason        madness.Reason
		part          madness.MessagePart
		call, offset  int
		near          string // empty: the whole text
	}{
		{"a character", "ajet-2026-01", madness.Nonsense, sdk.Message{Content: "两个 é"},
			madness.ReasonCharacter, madness.PartContent, 0, 7, ""},
		{"the loop begins after its text", "awhost", madness.Repeat, sdk.Message{Content: "First: " + pairs},
			madness.ReasonRepeatedWords, madness.PartContent, 0, 7, "First: " + pairs[:56]},
		{"AgentJet's begins behind its first round", "ajet-head", madness.Repeat, sdk.Message{Content: "x" + rounds},
			madness.ReasonRepeatedWords, madness.PartContent, 0, 4, ""},
		{"a thought", "awhost", madness.Nonsense, sdk.Message{Content: "yes", Reasoning: "hm <|im_start|>"},
			madness.ReasonMarker, madness.PartReasoning, 0, 3, "hm <|im_start|>"},
		{"arguments", "awhost", madness.WrongToolCall, call("{}", `{"a": NaN}`),
			madness.ReasonArguments, madness.PartArguments, 1, 6, `{"a": NaN}`},
		{"a list", "awhost", madness.WrongToolCall, call("[1]"),
			madness.ReasonArguments, madness.PartArguments, 0, 0, "[1]"},
		{"a call that was not parsed", "awhost", madness.WrongToolCall, unread,
			madness.ReasonUnreadable, madness.PartContent, 0, 3, ""},
		{"the marker of a call", "awhost", madness.WrongToolCall, sdk.Message{Content: "`<tool_call>` it is:\n <tool_call>"},
			madness.ReasonToolCallText, madness.PartContent, 0, 22, ""},
		{"no thought", "awhost", madness.Format, sdk.Message{Content: " hello"},
			madness.ReasonThoughtFirst, madness.PartContent, 0, 1, ""},
		{"words behind the code", "awhost", madness.Format, sdk.Message{Reasoning: "a", Content: "```python\nx\n``` so"},
			madness.ReasonCodeLast, madness.PartContent, 0, 18, ""},
	} {
		if test.near == "" {
			test.near = test.message.Content
		}
		got := rules(t, test.profile, test.check).Find(&test.message)
		want := []madness.Finding{{
			Check: test.check, Reason: test.reason, Part: test.part, Call: test.call, Offset: test.offset, Near: test.near,
		}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestFind_PassesWhatIsMeant(t *testing.T) {
	for name, message := range map[string]sdk.Message{
		"a word about calls":   {Content: "Write `<tool_call>` before it."},
		"a call":               {Content: "<tool_call>", ToolCalls: []sdk.ToolCall{{Arguments: `{"a": [1, 2]}`}}},
		"a thought apart":      {Reasoning: "I see", Content: "```python\nx = 1\n```"},
		"the thought within":   {Content: "<think>I see</think>\n```python\nx = 1\n```\n"},
		"a list with a number": {Content: "<think>" + strings.Repeat("next\n", 9) + "</think>```python\nx\n```"},
	} {
		checks := []madness.Check{madness.Nonsense, madness.WrongToolCall, madness.Repeat}
		if strings.Contains(message.Content, "python") {
			checks = append(checks, madness.Format)
		}
		if got := rules(t, "awhost", checks...).Find(&message); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNew_RefusesUnknownNames(t *testing.T) {
	_, err := madness.New("ajet", nil)
	if err == nil || !strings.Contains(err.Error(), "awhost, ajet-2026-01, ajet-head") {
		t.Errorf("%v", err)
	}
	_, err = madness.New("awhost", []madness.Check{"non_ascii"})
	if err == nil || !strings.Contains(err.Error(), "nonsense, wrong_toolcall") {
		t.Errorf("%v", err)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a b a b", "{}", "")
	f.Add(table(3, 2, "yes"), `{"a": -Infinity, "b": "\"NaN"}`, "<tool_call>")
	f.Add(strings.Repeat("no ", 300), "nul", "\n<tool_call>{")
	f.Add("<think>x</think> ```python\n```", "\xff", "\uFFFD\uFFFD\uFFFD\x00")
	var all []*madness.Rules
	for _, profile := range madness.Profiles() {
		all = append(all, rules(f, profile, madness.Nonsense, madness.WrongToolCall, madness.Repeat, madness.Format))
	}
	f.Fuzz(func(t *testing.T, content, arguments, reasoning string) {
		if len(content)+len(arguments)+len(reasoning) > 1<<13 {
			return // longer texts add no coverage and take longer
		}
		m := sdk.Message{Content: content, Reasoning: reasoning}
		if arguments != "" {
			m.ToolCalls = []sdk.ToolCall{{Arguments: arguments}}
		}
		texts := map[madness.MessagePart]string{
			madness.PartContent: content, madness.PartReasoning: reasoning, madness.PartArguments: arguments,
		}
		for _, r := range all {
			found := r.Find(&m)
			if again := r.Find(&m); !slices.Equal(found, again) {
				t.Fatalf("%+v, and the second time %+v", found, again)
			}
			if len(found) > 6 { // nonsense and loops in two texts, a call, the form
				t.Fatalf("%d findings", len(found))
			}
			for _, f := range found {
				text := texts[f.Part]
				if f.Offset < 0 || f.Offset > len(text) || len(f.Near) > 96 || !strings.Contains(text, f.Near) {
					t.Fatalf("%+v of %q", f, text)
				}
				if utf8.ValidString(text) && !utf8.ValidString(f.Near) {
					t.Fatalf("%+v cuts a character", f)
				}
			}
		}
	})
}

// A message with all slow properties: no loop, few distinct words.
func BenchmarkFind(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "%d%s ", i*i%7, strings.Repeat("a", i%5))
	}
	m := sdk.Message{Content: text.String()}
	r := rules(b, "awhost", madness.Nonsense)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r.Find(&m)
	}
}
