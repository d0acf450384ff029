package decode_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/decode"
)

// A reader accepts 200 levels. shallow is a little more, as a seed for the fuzzers, and deep is far more.
const (
	shallow = 300
	deep    = 1_000_000
)

// texts returns typical model outputs and inputs that try to break readers, nested to the given depth.
func texts(deep int) []string {
	return []string{
		"", "[", "[cd(folder='documents'), ls(a=True)]", "cd('x')", "`[f(a=-1, b=[1, 2.5], c={'d': None})]`",
		"[f(a={'b': {'c': 1}})]", "[f(a={})]",
		"[f(a=2**3**2, b='x'*3, c=1//0, d=not True)]", "[f(a=2**99999999999)]", "[f(a='x'*99999999999)]", "[f(a=9**9**9)]",
		"[f(*a, **b)]", "[lambda x: x]", "[x for x in y]",
		"[f(a=b if c else d)]", "[a.b.c(d=e[1:2])]", "[f(a='\\ud800\\U0001F600\\x00')]", "[f(a=\"\"\"b\"\"\" 'c')]",
		"[f(ä=1)]", "'[f()]'", "[f(a=1e999, b=0x1F, c=1_000)]",
		strings.Repeat("[", deep), strings.Repeat("f(", deep), strings.Repeat("-", deep), "[" + strings.Repeat("not ", deep) +
			"x]", "[f(a=1" + strings.Repeat("+1", deep) + ")]",
		"[a" + strings.Repeat(".b", deep) + "()]", "[f" + strings.Repeat("()", deep) + "]", "[f(a=" +
			strings.Repeat("2**", deep) + "2)]", strings.Repeat("{'a':", deep),
		"[f(a=" + strings.Repeat("9", deep) + ")]", "[f(a=" + strings.Repeat("'x' ", deep) + ")]",
	}
}

// toolTexts returns such texts in JSON.
func toolTexts(deep int) []string {
	return []string{
		"", "null", `{"name": "cd", "arguments": {"folder": "x"}}`,
		`[{"name": "f", "arguments": {"a": [1, 2.5, null, true, {"b": {}}]}}, 1, {"name": " "}]`,
		`[{"name": "f", "arguments": {"a": NaN, "b": -Infinity, "c": 1e400}}]`,
		`[{"name": "f(", "arguments": {"a b": "\ud83d\ude00\ud800\u0000"}}]`,
		strings.Repeat("[", deep), strings.Repeat(`{"a":`, deep), `{"name":"f","arguments":{"a":` +
			strings.Repeat("9", deep) + `}}`,
	}
}

// responses returns such texts in tags.
func responses(deep int) []string {
	return []string{
		"", "<think></think><answer></answer>", "<think>a</think><tool_call>[]</tool_call>",
		"<think>a</think> x <answer>b</answer>", "<think><think></think><answer>",
		"<think>a</think><tool_call>{}</tool_call><answer></answer>", "\u00a0<think>a</think>\u2028<answer>b</answer>\u0085",
		"<answer>" + strings.Repeat("<think>", deep),
		strings.Repeat("<think></think>", deep), "<think></think><tool_call>" + strings.Repeat("[", deep) + "</tool_call>",
		"</think><think>\xff</think><answer>\xed\xa0\x80</answer>",
	}
}

// Deeply nested or unbounded input must not crash a reader.
func TestDeep(t *testing.T) {
	for _, text := range texts(deep) {
		_, _ = decode.Text(text, api.V4)
	}
	for _, text := range toolTexts(deep) {
		_, _ = decode.Tools(text)
	}
	for _, text := range responses(deep) {
		decode.Response(text)
	}
}

func FuzzText(f *testing.F) {
	for _, text := range texts(shallow) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, profile := range []api.Profile{api.V4, api.V3} {
			calls, err := decode.Text(text, profile)
			if err != nil && calls != nil {
				t.Errorf("both %d calls and %v", len(calls), err)
			}
			for _, call := range calls {
				if !strings.HasSuffix(call, ")") {
					t.Errorf("%q is no call", call)
				}
			}
		}
	})
}

func FuzzTools(f *testing.F) {
	for _, text := range toolTexts(shallow) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if calls, err := decode.Tools(text); err != nil && calls != nil {
			t.Errorf("both %d calls and %v", len(calls), err)
		}
	})
}

func FuzzResponse(f *testing.F) {
	for _, text := range responses(shallow) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		content, kind, problem := decode.Response(text)
		if (kind == "") != (problem != "") {
			t.Errorf("kind %q and problem %q", kind, problem)
		}
		if problem != "" && content != text {
			t.Errorf("a malformed response comes back changed")
		}
	})
}
