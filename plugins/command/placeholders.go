package commandplugin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
	"github.com/awhost/awhost/sdk/traceparent"
)

const (
	homePrefix = "~/"
	taskPrefix = "task."
	// modelName is the name under which the program knows the policy.
	modelName = "policy"
)

// valueNames describes the values of {{NAME}} in an episode.
var valueNames = map[string]string{
	"prompt":      "the question, or the user's next turn",
	"prompt_file": "a file with it",
	"task_file":   "the public part of the task, a file in JSON",
	"base_url":    "the endpoint of OpenAI's protocol, with /v1",
	"root_url":    "the same without /v1, as Anthropic's clients want it",
	"api_key":     "its key",
	"model":       "what the policy is called",
	"mcp_url":     "the MCP server with the environment's tools; empty without tools",
	"mcp_token":   "its bearer token",
	"mcp_file":    "a file that names it, in the form mcpServers",
	"work":        "the working directory",
	"home":        "the program's home",
	"tmp":         "its folder for temporary files",
}

// placeholderValues holds the values of {{NAME}} in an episode.
type placeholderValues struct {
	values map[string]string
	task   any               // public part of the task
	tools  *sdk.ToolEndpoint // nil: no tools
	trace  string            // trace that contains the episode; empty: none
}

func newPlaceholderValues(req sdk.AgentRequest, f *folders) (*placeholderValues, error) {
	policy, ok := req.Models[sdk.ModelPolicy]
	if !ok {
		return nil, fail("the host provides no policy endpoint: this version of awhost is too old for agents of " +
			"type command")
	}
	out := &placeholderValues{values: map[string]string{
		"prompt_file": f.file("prompt.txt"), "task_file": f.file("task.json"), "mcp_file": f.file("mcp.json"),
		"base_url": policy.BaseURL, "root_url": strings.TrimSuffix(policy.BaseURL, "/v1"), "api_key": policy.APIKey,
		"model": modelName, "work": f.work, "home": f.home, "tmp": f.tmp, "mcp_url": "", "mcp_token": "",
	}}
	if s := req.ToolServer; s != nil {
		out.tools = s
		out.values["mcp_url"], out.values["mcp_token"] = s.URL, s.Token
	}
	if len(req.Task.Public) > 0 {
		if err := placeholder.Decode(req.Task.Public, &out.task); err != nil {
			return nil, fmt.Errorf("read the task: %w", err)
		}
	}
	return out, nil
}

func (f *placeholderValues) value(name string) (any, error) {
	if column, ok := strings.CutPrefix(name, taskPrefix); ok {
		v, found := placeholder.Lookup(f.task, column)
		if !found {
			return nil, fail("{{%s}}: the task has no %s", name, column)
		}
		return placeholder.Text(v), nil
	}
	return f.values[name], nil // validate has rejected unknown names
}

func (f *placeholderValues) text(text string) (string, error) {
	v, err := placeholder.Fill(text, f.value)
	if err != nil {
		return "", err
	}
	return placeholder.Text(v), nil
}

func (f *placeholderValues) texts(list []string) ([]string, error) {
	out := make([]string, len(list))
	for i, text := range list {
		var err error
		if out[i], err = f.text(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// environment returns all variables of the program. The variables in the block take precedence.
func (f *placeholderValues) environment(own map[string]string) (map[string]string, error) {
	v := f.values
	out := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": v["home"], "TMPDIR": v["tmp"], "LANG": "C.UTF-8", "TZ": "UTC",
		"OPENAI_BASE_URL": v["base_url"], "OPENAI_API_KEY": v["api_key"], "OPENAI_MODEL": v["model"],
		"ANTHROPIC_BASE_URL": v["root_url"], "ANTHROPIC_API_KEY": v["api_key"],
		"AWHOST_TASK_FILE": v["task_file"], "AWHOST_PROMPT_FILE": v["prompt_file"], "AWHOST_MCP_FILE": v["mcp_file"],
	}
	if v["mcp_url"] != "" {
		out["AWHOST_MCP_URL"], out["AWHOST_MCP_TOKEN"] = v["mcp_url"], v["mcp_token"]
	}
	if f.trace != "" {
		out[traceparent.Variable] = f.trace
	}
	for name, text := range own {
		var err error
		if out[name], err = f.text(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mcpConfig returns the configuration in the common harness format: the servers by name, or an empty object.
func (f *placeholderValues) mcpConfig() []byte {
	if f.tools == nil {
		return []byte(`{"mcpServers":{}}` + "\n")
	}
	return append(f.tools.MCPServers(mcpServer), '\n')
}

// write writes the program's input files: the task, the MCP servers, and the files from the block.
func (f *placeholderValues) write(c *config, req sdk.AgentRequest) error {
	task := req.Task.Public
	if len(task) == 0 {
		task = json.RawMessage("{}")
	}
	if err := os.WriteFile(f.values["task_file"], append(task[:len(task):len(task)], '\n'), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(f.values["mcp_file"], f.mcpConfig(), 0o600); err != nil {
		return err
	}
	files := map[string]string{}
	for name, text := range c.Files {
		files[name] = text
	}
	if f.tools != nil {
		for name, text := range c.MCPFiles {
			files[name] = text
		}
	}
	for name, text := range files {
		filled, err := f.text(text)
		if err != nil {
			return err
		}
		if err := f.put(name, filled); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file below the working directory or the home directory, and never through a template link that leads
// outside.
func (f *placeholderValues) put(name, text string) error {
	folder := f.values["work"]
	if inHome, ok := strings.CutPrefix(name, homePrefix); ok {
		folder, name = f.values["home"], inHome
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return root.WriteFile(name, []byte(text), 0o600)
}
