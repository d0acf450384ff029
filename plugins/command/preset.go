package commandplugin

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// preset is a known program: the way to start it offline without an account, and its settings. docs/guides/harnesses.md
// contains the table, and the tests in examples/harness run episodes with each preset.
type preset struct {
	name          string
	program       string
	testedPackage string // the npm package with the version under test
	command       []string
	resume        []string
	env           map[string]string
	// files are its settings, and mcpFiles are the settings that include the environment's tools; both are keyed by
	// name, with ~/ for its home directory.
	files, mcpFiles map[string]string
}

// mcpServer is the name under which a harness knows the server for the environment's tools. They become
// mcp__awhost__NAME, or awhost_NAME.
const mcpServer = "awhost"

const codexSettings = `model = "{{model}}"
model_provider = "awhost"

[model_providers.awhost]
name = "awhost"
base_url = "{{base_url}}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`

const codexTools = `
[mcp_servers.` + mcpServer + `]
url = "{{mcp_url}}"
bearer_token_env_var = "AWHOST_MCP_TOKEN"
`

// qwenSettings is the content of an object.
const qwenSettings = `"privacy": {"usageStatisticsEnabled": false}, "general": {"disableAutoUpdate": true, ` +
	`"disableUpdateNag": true}`

const qwenTools = `"mcpServers": {"` + mcpServer + `": {"httpUrl": "{{mcp_url}}", ` +
	`"headers": {"Authorization": "Bearer {{mcp_token}}"}, "trust": true}}`

const openCodeSettings = `"$schema": "https://opencode.ai/config.json", "autoupdate": false, "share": "disabled",
  "provider": {"awhost": {"npm": "@ai-sdk/openai-compatible",
    "options": {"baseURL": "{{base_url}}", "apiKey": "{{api_key}}"},
    "models": {"{{model}}": {"tool_call": true}}}},
  "model": "awhost/{{model}}", "small_model": "awhost/{{model}}"`

const openCodeTools = `"mcp": {"` + mcpServer + `": {"type": "remote", "url": "{{mcp_url}}", "oauth": false,
    "headers": {"Authorization": "Bearer {{mcp_token}}"}}}`

const (
	codexFile    = "~/.codex/config.toml"
	qwenFile     = "~/.qwen/settings.json"
	openCodeFile = "~/.config/opencode/opencode.json"
)

// presets are in the same order as in the documentation. The prompt is passed on standard input, because it may be long
// or begin with a dash.
var presets = []preset{
	{
		name: "codex", program: "Codex", testedPackage: "@openai/codex@0.171.0",
		command: []string{"codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-"},
		resume: []string{
			"codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "resume", "--last", "-",
		},
		env:      map[string]string{"CODEX_HOME": "{{home}}/.codex"},
		files:    map[string]string{codexFile: codexSettings},
		mcpFiles: map[string]string{codexFile: codexSettings + codexTools},
	},
	{
		name: "claude-code", program: "Claude Code", testedPackage: "@anthropic-ai/claude-code@2.1.332",
		command: []string{
			"claude",
			"-p",
			"--dangerously-skip-permissions",
			"--strict-mcp-config",
			"--mcp-config",
			"{{mcp_file}}",
		},
		resume: []string{
			"claude", "-p", "--continue", "--dangerously-skip-permissions", "--strict-mcp-config",
			"--mcp-config", "{{mcp_file}}",
		},
		env: map[string]string{
			"ANTHROPIC_MODEL": "{{model}}", "ANTHROPIC_SMALL_FAST_MODEL": "{{model}}", "CLAUDE_CONFIG_DIR": "{{home}}/.claude",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
			"ENABLE_TOOL_SEARCH": "false", // with it, MCP servers' tools are hidden until the model requests them
			"IS_SANDBOX":         "1",     // required for --dangerously-skip-permissions as root
		},
	},
	{
		name: "qwen-code", program: "Qwen Code", testedPackage: "@qwen-code/qwen-code@0.24.4",
		// tool_search hides MCP servers' tools until the model requests them.
		command:  []string{"qwen", "-y", "--auth-type", "openai", "--exclude-tools", "tool_search"},
		resume:   []string{"qwen", "--continue", "-y", "--auth-type", "openai", "--exclude-tools", "tool_search"},
		files:    map[string]string{qwenFile: "{" + qwenSettings + "}\n"},
		mcpFiles: map[string]string{qwenFile: "{" + qwenSettings + ",\n" + qwenTools + "}\n"},
	},
	{
		name: "opencode", program: "opencode", testedPackage: "opencode-ai@1.18.33",
		command: []string{"opencode", "run"},
		resume:  []string{"opencode", "run", "--continue"},
		env: map[string]string{
			"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
		},
		files:    map[string]string{openCodeFile: "{" + openCodeSettings + "}\n"},
		mcpFiles: map[string]string{openCodeFile: "{" + openCodeSettings + ",\n  " + openCodeTools + "}\n"},
	},
}

func presetNames() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.name
	}
	return names
}

func presetOf(name string) *preset {
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &presets[i]
}

// defaults returns the attributes that the preset sets, by name.
func (p *preset) defaults() map[string]any {
	out := map[string]any{
		"command": p.command, "resume_command": p.resume, "stdin": stdinPrompt, "result": resultStdout, "repeats": "replay",
		"provider_tools": "drop", "auxiliary": []string{"no_tools"},
	}
	for name, values := range map[string]map[string]string{"env": p.env, "files": p.files, "mcp_files": p.mcpFiles} {
		if len(values) > 0 {
			out[name] = values
		}
	}
	return out
}

// compareVersion warns if the program is in an npm package of another version than the tested one.
func (p *preset) compareVersion(program string) []sdk.Diagnostic {
	at := strings.LastIndex(p.testedPackage, "@")
	program, err := filepath.EvalSymlinks(program)
	for dir := filepath.Dir(program); err == nil && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		var manifest struct{ Name, Version string }
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil || json.Unmarshal(text, &manifest) != nil || manifest.Name != p.testedPackage[:at] {
			continue
		}
		if manifest.Version == p.testedPackage[at+1:] {
			break
		}
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityWarning, Summary: "Untested version of " + p.program, Path: []string{"command"},
			Detail: fmt.Sprintf("%s has version %s, and the preset is tested with %s. Its requests may differ; look at a few "+
				"episodes, or run npm install -g %s.", program, manifest.Version, p.testedPackage[at+1:], p.testedPackage),
		}}
	}
	return nil
}

// summary describes the preset's settings that the block does not override.
func (p *preset) summary(c *config) string {
	var own []string
	say := func(name string, asPreset bool, value string) string {
		if !asPreset {
			own = append(own, name)
		}
		return name + " = " + value
	}
	parts := []string{
		say("command", slices.Equal(c.Command, p.command), fmt.Sprintf("%q", c.Command)),
		say("repeats", c.Repeats == "replay", fmt.Sprintf("%q", c.Repeats)),
		say("provider_tools", c.ProviderTools == "drop", fmt.Sprintf("%q", c.ProviderTools)),
		say("auxiliary", slices.Equal(c.Auxiliary, []string{"no_tools"}), fmt.Sprintf("%q", c.Auxiliary)),
		say("env", maps.Equal(c.Env, p.env), strings.Join(slices.Sorted(maps.Keys(c.Env)), ", ")),
		say("files", maps.Equal(c.Files, p.files), strings.Join(slices.Sorted(maps.Keys(c.Files)), ", ")),
	}
	text := fmt.Sprintf("preset %q, made for %s: %s", p.name, p.testedPackage, strings.Join(parts, "; "))
	if len(own) > 0 {
		text += "; the block's own, in whole or in part: " + strings.Join(own, ", ")
	}
	return text
}
