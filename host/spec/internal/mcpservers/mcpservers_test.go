package mcpservers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	file, problems := Parse([]byte(text), "mcp.json")
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	return file
}

// said returns the attributes of a server, one per line.
func said(s Server) string {
	var lines []string
	for name, a := range s.Attributes {
		text, _ := ctyjson.Marshal(a.Value, a.Value.Type())
		lines = append(lines, name+"="+string(text))
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

func TestParse_KnowsTheWrappers(t *testing.T) {
	const server = `{"desk": {"command": "x"}}`
	for _, text := range []string{
		server, `{"mcpServers": ` + server + `}`, `{"servers": ` + server + `, "inputs": []}`,
		"{ // of VS Code\n\"servers\": /* // */ " + server + ",}", `{"desk": {"command": "x", /* " */},}`,
		`{"mcp": {"servers": ` + server + `}, "theme": "dark"}`, "\xef\xbb\xbf" + server,
	} {
		file := parse(t, text)
		if len(file.Servers) != 1 || file.Servers[0].Name != "desk" || said(file.Servers[0]) != `command=["x"]` {
			t.Errorf("%s: %+v", text, file.Servers)
		}
	}
	if file := parse(t, `{"mcp": {"command": "x"}, "servers": {"url": "http://a/mcp"}}`); len(file.Servers) != 2 {
		t.Errorf("want two servers with the names of wrappers, got %+v", file.Servers)
	}
}

// aworld maps the keys that a server of AWorld may have to their expected results (aworld 0.3.2:
// aworld/mcp_client/utils.py, aworld/sandbox/run/mcp_servers.py).
var aworld = map[string]string{
	`"url": "http://a/mcp"`:                 `url="http://a/mcp"`,
	`"headers": {"A": "b"}`:                 `headers={"A":"b"}`,
	`"timeout": 120`:                        `connect_timeout="2m0s"`,
	`"timeout": 9999.0`:                     `connect_timeout="2h46m39s"`,
	`"timeout": 60000`:                      `refused timeout`,
	`"sse_read_timeout": 300.5`:             `idle_timeout="5m0.5s"`,
	`"client_session_timeout_seconds": 600`: `call_timeout="10m0s"`,
	`"command": "python"`:                   `command=["python"]`,
	`"command": "python", "args": ["-m"]`:   `command=["python","-m"]`,
	`"env": {"A": 1, "B": null}`:            `env={"A":"1"}`,
	`"cwd": "work"`:                         `cwd="work"`,
	`"encoding": "utf-8"`:                   `unused encoding`,
	`"disabled": true`:                      `disabled`,
	`"disabled": false`:                     ``,
	`"type": "streamable_http"`:             ``,
	`"type": "streamable-http"`:             ``,
	`"type": "stdio"`:                       ``,
	`"type": "sse"`:                         ``,
	`"type": "api"`:                         `refused type`,
	`"type": "function_tool"`:               `refused type`,
}

func TestParse_TakesEveryKeyOfAWorld(t *testing.T) {
	for text, want := range aworld {
		s := parse(t, `{"mcpServers": {"s": {`+text+`}}}`).Servers[0]
		got := said(s)
		for _, u := range s.Unused {
			got += "unused " + u.Key
		}
		for _, p := range s.Problems {
			got += "refused " + strings.Fields(p.Detail)[0]
		}
		if s.Disabled {
			got += "disabled"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestParse_ReadsOpencodeAndCopilot(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcp": {"s": {"command": ["x"], "environment": {"A": "b"}, "timeout": 5000}}}`: `command=["x"] ` +
			`connect_timeout="5s" env={"A":"b"}`,
		`{"mcp": {"servers": {"s": {"command": "x", "timeout": 5}}}}`:           `command=["x"] connect_timeout="5s"`,
		`{"servers": {"s": {"type": "local", "command": "x", "tools": ["*"]}}}`: `command=["x"]`,
		`{"mcpServers": {"s": {"command": "x", "tools": ["*", "a"]}}}`:          `command=["x"] refused tools`,
		`{"a": {"command": "x", "env": {}, "environment": {}}}`: `command=["x"] env={} ` +
			`refused environment`,
		`{"mcpServers": {"github.com/a/[b]?*": {"command": "x"}}}`: `command=["x"]`,
	} {
		s := parse(t, text).Servers[0]
		got := said(s)
		for _, p := range s.Problems {
			got += " refused " + p.Key
		}
		if got != want || strings.ContainsAny(s.Name, "/*?[") {
			t.Errorf("%s: got %s of server %q, want %s", text, got, s.Name, want)
		}
	}
	_, problems := Parse([]byte(`{"a/b": {"command": "x"}, "a_b": {"command": "y"}}`), "mcp.json")
	if len(problems) != 1 {
		t.Errorf("two servers with one name: got %v", problems)
	}
}

// Files of Zed, Codex, and Goose: problems name the line of the server in the original file.
func TestParse_ReadsZedCodexAndGoose(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string // name, line, attributes
	}{
		"settings.json": {"{\"theme\": \"dark\", \"context_servers\": {\n\"a\": {\"source\": \"custom\", \"command\": " +
			"{\"path\": \"x\", \"args\": [\"-y\"], \"env\": {\"A\": \"b\"}}},\n\"b\": {\"url\": \"http://h/mcp\"},\n" +
			"\"c\": {\"source\": \"extension\"}}}",
			[]string{`a:2 command=["x","-y"] env={"A":"b"}`, `b:3 url="http://h/mcp"`, `c:4 disabled`}},
		"config.toml": {`model = "gpt"
[mcp_servers.files]
command = "npx"
args = ["-y", "mcp-files"]
env_vars = ["TOKEN", "A"]
startup_timeout_sec = 20
[mcp_servers.files.env]
A = "b"

[mcp_servers."the web"]
url = "https://h/mcp"
bearer_token_env_var = "WEB"
http_headers = { X = "y" }
env_http_headers = { Z = "ZED" }
enabled = true
`, []string{`files:2 command=["npx","-y","mcp-files"] connect_timeout="20s" env={"A":"b","TOKEN":"${env:TOKEN}"}`,
			`the web:10 headers={"Authorization":"Bearer ${env:WEB}","X":"y","Z":"${env:ZED}"} url="https://h/mcp"`}},
		"lines.toml": {"a = \"\"\"\n[mcp_servers.b]\n\"\"\"\nb = 1\n[mcp_servers]\nb = { command = 'x' }\n",
			[]string{`b:6 command=["x"]`}},
		"config.yaml": {`git: unrelated
extensions:
  developer: {type: builtin, enabled: true, name: developer, bundled: true, timeout: 300}
  git:
    type: stdio
    cmd: uvx
    args: [mcp-git]
    envs: {A: 1.10}
    env_keys: [TOKEN]
    enabled: true
    available_tools: []
  web: {type: streamable_http, uri: "http://h/mcp", headers: {X: y}}
`, []string{`developer:3 disabled`, `git:4 command=["uvx","mcp-git"] env={"A":"1.10","TOKEN":"${env:TOKEN}"}`,
			`web:12 headers={"X":"y"} url="http://h/mcp"`}},
	} {
		text, err := JSON(test.text, name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range parse(t, text).Servers {
			line := fmt.Sprintf("%s:%d %s", s.Name, s.Where.Start.Line, said(s))
			if s.Disabled {
				line = fmt.Sprintf("%s:%d disabled", s.Name, s.Where.Start.Line)
			}
			for _, p := range s.Problems {
				line += " refused " + p.Key
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, text := range map[string]string{
		"c.toml": "[mcp_servers.a]\ncommand = 'x'\nenv = { A = 1 }", "d.toml": "[mcp_servers.a]\nbearer_token_env_var = ''",
		"e.toml": "[mcp_servers.a]\nenv_vars = [{ name = 'A' }]", "c.yaml": "extensions:\n  a: 1",
		"a.toml": "a = [", "b.toml": "a = 1", "a.yaml": "a: [", "b.yaml": "- a",
	} {
		if _, err := JSON(text, name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Every key is mapped, refused or listed for any value: none is dropped.
func TestParse_DropsNoKey(t *testing.T) {
	values := []string{`"x"`, `1`, `true`, `["x"]`, `{"A": "b"}`}
	for key := range keys {
		seen := key == "command"
		for _, value := range values {
			if seen {
				break
			}
			s := parse(t, fmt.Sprintf(`{"mcpServers": {"s": {"command": "c", %q: %s}}}`, key, value)).Servers[0]
			switch {
			case len(s.Problems) > 0, len(s.Unused) > 0, s.Disabled, len(s.Attributes) > 1:
				seen = true
			case key == "args":
				seen = said(s) != `command=["c"]`
			case keys[key].as == asTransport, keys[key].as == asDisabled:
				seen = true // a value that adds nothing to the command
			}
		}
		if !seen {
			t.Errorf("%s is missing", key)
		}
	}
	s := parse(t, `{"mcpServers": {"s": {"command": "c", "comand": "d"}}}`).Servers[0]
	if len(s.Unused) != 1 || s.Unused[0].Known || s.Unused[0].Where.Start.Line != 1 {
		t.Errorf("unknown key: got %+v", s.Unused)
	}
}

func FuzzParse(f *testing.F) {
	for text := range aworld {
		f.Add(`{"mcpServers": {"s": {` + text + `}}}`)
	}
	f.Add(`{"a": {"command": ["x", "y"], "args": ["${A}"], "env": {}}, "a": 3}`)
	f.Add(`{"a": {"command": [], "args": []}}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, problems := Parse([]byte(text), "mcp.json")
		if problems.HasErrors() {
			return
		}
		for _, s := range file.Servers {
			for name, a := range s.Attributes {
				if !a.Value.IsWhollyKnown() || a.Value == cty.NilVal {
					t.Errorf("%s of %s has no value", name, s.Name)
				}
			}
		}
	})
}
