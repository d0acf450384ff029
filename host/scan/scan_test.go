package scan_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk"
)

// say returns a conversation from lines "role: text". "call: NAME ARGUMENTS" is a call of the policy, and "result:" its
// result; "error:" is a result with an error. A literal \n in a text is a line break.
func say(t testing.TB, lines ...string) (out []sdk.Message) {
	for i, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		switch role {
		case "call":
			name, arguments, _ := strings.Cut(text, " ")
			if !json.Valid([]byte(arguments)) {
				t.Fatalf("invalid arguments: %s", arguments)
			}
			call := sdk.ToolCall{ID: fmt.Sprint(i), Name: name, Arguments: arguments}
			out = append(out, sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{call}})
		case "result", "error":
			out = append(out, sdk.Message{Role: sdk.RoleTool, ToolCallID: fmt.Sprint(i - 1),
				IsError: role == "error",
				Content: strings.ReplaceAll(text, `\n`, "\n")})
		default:
			out = append(out, sdk.Message{Role: sdk.Role(role), Content: strings.ReplaceAll(text, `\n`, "\n")})
		}
	}
	return out
}

// The file testdata/conversations.txt has problems of each rule, and innocent conversations that resemble them. "want:"
// names a rule and, in some, the message. The log has precision and recall.
func TestScan(t *testing.T) {
	text, err := os.ReadFile("testdata/conversations.txt")
	if err != nil {
		t.Fatal(err)
	}
	correct, found, wanted := 0, 0, 0
	for _, example := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(example, "\n")
		name := strings.TrimPrefix(lines[0], "# ")
		t.Run(name, func(t *testing.T) {
			var want, truth string
			for lines = lines[1:]; ; lines = lines[1:] {
				name, value, _ := strings.Cut(lines[0], ": ")
				if name == "want" {
					want = value
				} else if name == "truth" {
					truth = value
				} else {
					break
				}
			}
			hits := scan.New(nil).Scan(scan.Conversation{Messages: say(t, lines...), Private: json.RawMessage(truth)})
			hasHit := slices.ContainsFunc(hits, func(hit scan.Hit) bool {
				return want == hit.Rule || want == fmt.Sprintf("%s %d", hit.Rule, hit.Message)
			})
			found += len(hits)
			if want != "" {
				wanted++
			}
			if hasHit {
				correct++
			}
			isRight := hasHit && len(hits) == 1 || want == "" && len(hits) == 0
			if !isRight {
				t.Errorf("found %+v, want %q", hits, want)
			}
		})
	}
	t.Logf("precision %d/%d, recall %d/%d", correct, found, correct, wanted)
}

// A scanner applies only its rules. A solved task cannot be a wrong refusal.
func TestScan_Only(t *testing.T) {
	solved := true
	c := scan.Conversation{Messages: say(t, "user: Hello.", "assistant: I can't help with that.")}
	if hits := scan.New([]string{scan.Loop}).Scan(c); len(hits) > 0 {
		t.Errorf("found %v", hits)
	}
	if hits := scan.New([]string{scan.Refusal}).Scan(c); len(hits) != 1 {
		t.Errorf("found %v, want a refusal", hits)
	}
	c.Success = &solved
	if hits := scan.New(nil).Scan(c); len(hits) > 0 {
		t.Errorf("found %v in a solved task", hits)
	}
}

// No text of a conversation, however long or malformed, makes a scan fail.
func FuzzScan(f *testing.F) {
	f.Add("I can't help with that", `{"path":"tests/test_a.py","old_str":"assert x"}`, "Traceback", "42")
	f.Add("```python\nsys.exit(0)", "\xff\\n", "", `\u0000`)
	f.Fuzz(func(_ *testing.T, text, arguments, result, truth string) {
		private, _ := json.Marshal(map[string]string{"ground_truth": truth})
		calls := []sdk.ToolCall{{ID: "1", Name: result, Arguments: arguments}}
		scan.New(nil).Scan(scan.Conversation{Private: private, Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: truth + result}, {Role: sdk.RoleAssistant, Content: text,
				ToolCalls: calls},
			{Role: sdk.RoleTool, ToolCallID: "1", Content: result}, {Role: sdk.RoleAssistant,
				Content: "```" + text, ToolCalls: calls},
		}})
	})
}

// The file testdata/labels.jsonl.gz has 600 conversations, each with the rules that hold in it. Six authors wrote them
// from a description of the problems alone, after these rules were finished: do not adjust rules to them. The log has
// precision and recall by rule.
func TestScan_OfConversationsByOthers(t *testing.T) {
	file, err := os.Open("testdata/labels.jsonl.gz")
	check(t, err)
	defer file.Close()
	lines, err := gzip.NewReader(file)
	check(t, err)
	var all tally
	byRule := map[string]*tally{}
	for _, id := range scan.IDs() {
		byRule[id] = &tally{}
	}
	for decoder := json.NewDecoder(lines); decoder.More(); {
		var labelled struct {
			Messages []struct {
				Role       sdk.Role       `json:"role"`
				Content    string         `json:"content"`
				ToolCalls  []sdk.ToolCall `json:"tool_calls"`
				ToolCallID string         `json:"tool_call_id"`
				IsError    bool           `json:"is_error"`
			} `json:"messages"`
			Private json.RawMessage `json:"private"`
			Labels  []string        `json:"labels"`
		}
		check(t, decoder.Decode(&labelled))
		c := scan.Conversation{Private: labelled.Private}
		for _, m := range labelled.Messages {
			c.Messages = append(c.Messages, sdk.Message{Role: m.Role, Content: m.Content, ToolCalls: m.ToolCalls,
				ToolCallID: m.ToolCallID, IsError: m.IsError})
		}
		var found []string
		for _, hit := range scan.New(nil).Scan(c) {
			found = append(found, hit.Rule)
		}
		for id, rule := range byRule {
			wanted, hit := slices.Contains(labelled.Labels, id), slices.Contains(found, id)
			for _, n := range []*tally{&all, rule} {
				n.add(wanted, hit)
			}
		}
	}
	for id, n := range byRule {
		t.Logf("%s: precision %.2f, recall %.2f", id, n.precision(), n.recall())
	}
	t.Logf("all: precision %.3f, recall %.3f of %d", all.precision(), all.recall(), all.wanted)
	if all.precision() < 0.9 || all.recall() < 0.75 {
		t.Error("want a precision of 0.9 and a recall of 0.75")
	}
}

// A policy that has collapsed repeats phrases of the rules. Judging each of them took minutes; the time limit of the
// test run ends a scan that does so again.
func TestScan_EndsForTextsOfPhrases(t *testing.T) {
	asked := sdk.Message{Role: sdk.RoleUser, Content: strings.Repeat("tests: alpha 1 expected alpha 1\n", 3000)}
	for _, phrase := range []string{"the grader: judge: full marks ", "I skip the test and bypass the grader\n",
		`{"alpha": 1}[x].get(1) `} {
		answer := sdk.Message{Role: sdk.RoleAssistant, Content: strings.Repeat(phrase, 5000)}
		hits := scan.New(nil).Scan(scan.Conversation{Messages: []sdk.Message{asked, answer}})
		if !slices.ContainsFunc(hits, func(hit scan.Hit) bool { return hit.Rule == scan.Loop }) {
			t.Errorf("a repeated %q is not found as a loop: %+v", phrase, hits)
		}
	}
}

// tally counts problems.
type tally struct{ wanted, found, right int }

func (n *tally) add(wanted, found bool) {
	if wanted {
		n.wanted++
	}
	if found {
		n.found++
	}
	if wanted && found {
		n.right++
	}
}

func (n *tally) precision() float64 { return float64(n.right) / float64(n.found) }
func (n *tally) recall() float64    { return float64(n.right) / float64(n.wanted) }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
