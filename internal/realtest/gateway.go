package realtest

import (
	"os"
	"path/filepath"
	"testing"
)

// overHTTP is a user's agent that can reach the policy only through a URL and a key. It sends several requests per
// episode: one conversation with the environment's tools and, with ASIDE, a separate conversation before it.
const overHTTP = `
import json
import urllib.request


def ask(endpoint, **body):
    request = urllib.request.Request(
        endpoint.base_url + "/chat/completions", json.dumps(dict(body, model="any")).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + endpoint.api_key})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]


def solve(messages, endpoint, tools):
    if ASIDE:
        ask(endpoint, messages=messages)
    while True:
        message = ask(endpoint, messages=messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message["content"]
        messages += results
`

// PlaysOverHTTP replaces the built-in agent in an example's spec with a Python agent that uses OpenAI's protocol at its
// episode's endpoint. With aside, it has two conversations per episode.
func PlaysOverHTTP(t *testing.T, spec string, aside bool) {
	t.Helper()
	text := "ASIDE = False\n" + overHTTP
	if aside {
		text = "ASIDE = True\n" + overHTTP
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(spec), "over_http.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	Edit(t, spec, `agent "react" "solver" {`, `agent "python" "mine" {
  file        = "over_http.py"
  name        = "solve"`)
	Edit(t, spec, "agent.react.solver", "agent.python.mine")
}
