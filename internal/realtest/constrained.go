package realtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
)

// constrained is a user's agent that restricts each of its three messages. It fails the episode if a message violates
// its restriction.
const constrained = `
import json
import urllib.request

SCHEMA = {"type": "object", "properties": {"sure": {"type": "boolean"}, "digit": {"enum": [1, 2, 3]}},
          "required": ["sure", "digit"]}


def tool(name):
    return {"type": "function", "function": {"name": name, "parameters": SCHEMA}}


def ask(endpoint, messages, **body):
    request = urllib.request.Request(
        endpoint.base_url + "/chat/completions", json.dumps(dict(body, model="any", messages=messages)).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + endpoint.api_key})
    with urllib.request.urlopen(request) as response:
        message = json.load(response)["choices"][0]["message"]
    messages.append(message)
    return message


def check(text):
    value = json.loads(text)
    assert list(value) == ["sure", "digit"] and type(value["sure"]) is bool and value["digit"] in (1, 2, 3), text
    return value


def call(message, *names):
    only, = message["tool_calls"]
    assert only["function"]["name"] in names and not (message["content"] or "").strip(), message
    return check(only["function"]["arguments"])


def solve(messages, endpoint):
    tools = [tool("pick"), tool("guess")]
    call(ask(endpoint, messages, tools=tools, tool_choice="required", parallel_tool_calls=False), "pick", "guess")
    messages.append({"role": "tool", "tool_call_id": messages[-1]["tool_calls"][0]["id"], "content": "ok"})
    named = {"type": "function", "function": {"name": "guess"}}
    call(ask(endpoint, messages, tools=tools, tool_choice=named), "guess")
    messages.append({"role": "tool", "tool_call_id": messages[-1]["tool_calls"][0]["id"], "content": "ok"})
    wanted = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
    last = ask(endpoint, messages, tools=tools, response_format=wanted, parallel_tool_calls=False)  # JSON, or a call
    value = call(last, "pick", "guess") if last.get("tool_calls") else check(last["content"])
    return f"<answer>{value['digit']}</answer>"
`

// PlaysConstrained replaces the built-in agent in an example's spec with a Python agent whose messages are restricted.
// before is as in EditForFamilies.
func PlaysConstrained(t *testing.T, dir, before string) {
	t.Helper()
	EditForFamilies(t, dir, before)
	spec := filepath.Join(dir, "train.hcl")
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		spec:                                 trainSet.ReplaceAllString(string(text), `"train" { path = "digits.jsonl" }`),
		filepath.Join(dir, "digits.jsonl"):   digits,
		filepath.Join(dir, "constrained.py"): constrained,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Edit(t, spec, `agent "react" "solver" {`, `agent "python" "mine" {
  file                 = "constrained.py"
  name                 = "solve"
  decoding_constraints = "apply"`)
	Edit(t, spec, "agent.react.solver", "agent.python.mine")
	Edit(t, spec, "reward     = reward.calculator.shape.score", "reward     = reward.gaia.answer.score")
}

var trainSet = regexp.MustCompile(`"train" \{ path = .* \}`)

// digits holds tasks for which one of the policy's three digits is right, so that the samples of a group have different
// rewards.
const digits = `{"id":"add-1-1","prompt":"1+1=","ground_truth":"2"}
{"id":"sub-3-1","prompt":"3-1=","ground_truth":"2"}
{"id":"mul-2-1","prompt":"2*1=","ground_truth":"2"}
{"id":"mod-5-3","prompt":"5%3=","ground_truth":"2"}
`

// restricted matches the three messages of the agent in a row, up to the end of each. The free parts are groups: the
// first letter of a tool, and per object the first letter of the boolean, and the digit.
var restricted = regexp.MustCompile(call("(p)ick|(g)uess") + end + call("guess") + end + `(?:` + object + `|` +
	call("(p)ick|(g)uess") + `)` + end + `$`)

const (
	end    = `(?:<\|end\|>.*<\|assistant\|>|<\|end\|>)`
	object = `\{\s*"sure"\s*:\s*(?:(t)rue|(f)alse)\s*,\s*"digit"\s*:\s*([123])\s*\}`
)

func call(name string) string {
	return `<tool_call>\n\{"name": "(?:` + name + `)", "arguments": ` + object + `\}\n</tool_call>`
}

// fixed matches the parts of a restricted message for which the grammar allows nothing else. A tag can also be spelled.
var fixed = regexp.MustCompile(`\n\{"name": "|(?:ick|uess)", "arguments": \{|sure"|digit"|rue|alse|\}\n`)

// CheckConstrained checks each recorded row: its messages keep to their restrictions, and of their tokens those without
// an alternative are not trained, but the chosen ones are. It works for models whose tokens are bytes and tags.
func CheckConstrained(t *testing.T, told []runstore.TokensRecord) {
	t.Helper()
	if len(told) == 0 {
		t.Error("no tokens were reported")
	}
	for _, row := range told {
		text := strings.Join(row.Texts, "")
		start := strings.Index(text, "<|assistant|>") + len("<|assistant|>")
		groups := restricted.FindStringSubmatchIndex(text[start:])
		if groups == nil {
			t.Errorf("the messages of episode %s violate their restrictions: %q", row.EpisodeID, text)
			continue
		}
		trained := make([]bool, 0, len(text)) // by byte
		for i, piece := range row.Texts {
			trained = append(trained, slices.Repeat([]bool{row.Trained[i]}, len(piece))...)
		}
		for i := 2; i < len(groups); i += 2 {
			if at := groups[i]; at >= 0 && !trained[start+at] {
				t.Errorf("episode %s: the choice at %d of %q is not trained", row.EpisodeID, start+at, text)
			}
		}
		for _, span := range fixed.FindAllStringIndex(text[start:], -1) {
			if slices.Contains(trained[start+span[0]:start+span[1]], true) {
				t.Errorf("episode %s: %q at %d of %q is trained", row.EpisodeID, text[start+span[0]:start+span[1]], start+span[0],
					text)
			}
		}
	}
}
