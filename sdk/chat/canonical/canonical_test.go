package canonical_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat/canonical"
)

func digest(m sdk.Message) canonical.Digest { return canonical.Digest{}.With(&m) }

// The test checks the table of the package comment, row by row.
func TestWith_TheRules(t *testing.T) {
	call := func(arguments string) sdk.Message {
		one := sdk.ToolCall{ID: "a", Name: "add", Arguments: arguments}
		return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{one}}
	}
	assistant := func(text string) sdk.Message { return sdk.Message{Role: sdk.RoleAssistant, Content: text} }
	user := func(text string) sdk.Message { return sdk.Message{Role: sdk.RoleUser, Content: text} }
	result := sdk.Message{Role: sdk.RoleTool, ToolCallID: "a", Name: "add", Content: "3"}
	two := call("{}")
	two.ToolCalls = append(two.ToolCalls, sdk.ToolCall{Name: "sub", Arguments: "{}"})
	swapped := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{two.ToolCalls[1], two.ToolCalls[0]}}
	subtracts := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: two.ToolCalls[1:]}
	renamed := sdk.Message{Role: sdk.RoleTool, ToolCallID: "z", Content: "3"}
	thinks := assistant("hm")
	thinks.Reasoning = "let me think"
	picture := func(data string) sdk.Message {
		return sdk.Message{Role: sdk.RoleUser, Images: []sdk.Image{{MIMEType: "image/png", Data: []byte(data)}}}
	}
	for name, c := range map[string]struct {
		a, b sdk.Message
		same bool
	}{
		"another role":              {user("a"), assistant("a"), false},
		"a user's white space":      {user("a"), user("a "), false},
		"the assistant's spaces":    {assistant("\n a"), assistant("a "), true},
		"white space within":        {assistant("a b"), assistant("a  b"), false},
		"an answer of white space":  {assistant("\n\n"), assistant(""), true},
		"another text":              {assistant("a"), assistant("a!"), false},
		"without reasoning":         {thinks, assistant("hm"), true},
		"another picture":           {picture("a"), picture("b"), false},
		"one call fewer":            {two, call("{}"), false},
		"calls in another order":    {two, swapped, false},
		"another tool":              {call("{}"), subtracts, false},
		"spaces and order":          {call(`{"b": 1, "a": "x"}`), call(`{"a":"x","b":1}`), true},
		"order within":              {call(`{"a":[{"b":1,"c":2}]}`), call(`{"a":[{"c":2,"b":1}]}`), true},
		"a number in other words":   {call(`{"a":1.0,"b":120,"c":-0.0}`), call(`{"a":1e0,"b":1.2e2,"c":0}`), true},
		"a number JavaScript loses": {call(`{"a":10000000000000001}`), call(`{"a":10000000000000000}`), false},
		"another sign":              {call(`{"a":1}`), call(`{"a":-1}`), false},
		"a number and a text":       {call(`{"a":1}`), call(`{"a":"1e0"}`), false},
		"beyond all numbers":        {call(`{"a":1e99999999999}`), call(`{"a":1e99999999998}`), false},
		"escapes":                   {call(`{"a":"\u00e9<"}`), call(`{"a":"é\u003c"}`), true},
		"no arguments":              {call(``), call(`{}`), true},
		"no JSON":                   {call(`{"a":`), call(`{"a": `), false},
		"JSON and more":             {call(`{}}`), call(`{}`), false},
		"other ids":                 {result, renamed, true},
		"marks of a result":         {result, sdk.Message{Role: sdk.RoleTool, Content: "3", IsError: true}, true},
	} {
		if got := digest(c.a) == digest(c.b); got != c.same {
			t.Errorf("%s: same is %t, want %t", name, got, c.same)
		}
	}
}

// The digest must include lengths, so that one text cannot equal two.
func TestPrefixes_TellWhereAMessageEnds(t *testing.T) {
	a := canonical.Prefixes([]sdk.Message{{Role: sdk.RoleUser, Content: "ab"}, {Role: sdk.RoleUser, Content: "c"}})
	b := canonical.Prefixes([]sdk.Message{{Role: sdk.RoleUser, Content: "a"}, {Role: sdk.RoleUser, Content: "bc"}})
	if len(a) != 3 || a[0] != (canonical.Digest{}) || a[2] == b[2] {
		t.Errorf("%x and %x", a, b)
	}
}

// Arguments that the Messages API cannot express come back as an empty object. The message must still be recognized.
func TestForms_WhatIsNoObject(t *testing.T) {
	for arguments, forms := range map[string]int{`{"a":1}`: 1, ``: 1, `{"a":`: 2, `[1]`: 2, `"x"`: 2, `null`: 2} {
		said := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: "f", Arguments: arguments}}}
		told := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{Name: "f", Arguments: "{}"}}}
		got := canonical.Digest{}.Forms(&said)
		if len(got) != forms || got[0] != digest(said) || forms == 2 && got[1] != digest(told) {
			t.Errorf("%s has %d forms", arguments, len(got))
		}
	}
}

// The form of a form must be itself, and another notation of a value must have the same form.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{
		`{"a":[1.50,-0,1e5]}`, "", "{}}", `{"a":1e-999999999999}`, `{"b":{"c":"\ud800"}}`, "no JSON",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := canonical.Arguments(text)
		if twice := canonical.Arguments(once); twice != once {
			t.Fatalf("%q is %q, and that is %q", text, once, twice)
		}
		if !json.Valid([]byte(text)) {
			if once != text && strings.TrimSpace(text) != "" {
				t.Fatalf("%q is not JSON, but gives %q", text, once)
			}
			return
		}
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(text), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if spaced := canonical.Arguments(b.String()); spaced != once {
			t.Fatalf("%q is %q with spaces, and %q without", text, spaced, once)
		}
	})
}
