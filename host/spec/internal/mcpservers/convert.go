package mcpservers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"
)

// JSON converts a file of Codex (TOML) or Goose (YAML). Each server is on the line that has its name. Other files stay
// unchanged.
func JSON(text, name string) (string, error) {
	var file map[string]any
	var err error
	switch filepath.Ext(name) {
	case ".toml":
		_, err = toml.Decode(text, &file)
	case ".yaml", ".yml":
		err = yaml.Unmarshal([]byte(text), &file)
	default:
		return text, nil
	}
	if err != nil {
		return "", err
	}
	for _, wrapper := range []string{"mcp_servers", "extensions", "mcpServers"} {
		if servers, ok := file[wrapper].(map[string]any); ok {
			return inLines(text, wrapper, servers)
		}
	}
	return "", fmt.Errorf("%s contains no servers: write [mcp_servers.NAME] in TOML, or extensions: in YAML", name)
}

// inLines writes the servers in the lines of their names.
func inLines(text, wrapper string, servers map[string]any) (string, error) {
	lines := map[string]int{}
	for name := range servers {
		header := `(?m)^[ \t]*(?:\[ *` + wrapper + ` *\. *)?["']?` + regexp.QuoteMeta(name) + `["']? *[\].:]`
		if found := regexp.MustCompile(header).FindStringIndex(text); found != nil {
			lines[name] = strings.Count(text[:found[0]], "\n")
		}
	}
	names := slices.SortedFunc(maps.Keys(servers), func(a, b string) int {
		return cmp.Or(cmp.Compare(lines[a], lines[b]), cmp.Compare(a, b))
	})
	out := `{"mcpServers": {`
	for i, name := range names {
		if keys, ok := servers[name].(map[string]any); ok {
			expandNames(keys)
		}
		written, err := json.Marshal(map[string]any{name: servers[name]})
		if err != nil {
			return "", fmt.Errorf("server %q: %w", name, err)
		}
		if i > 0 {
			out += ","
		}
		out += strings.Repeat("\n", max(0, lines[name]-strings.Count(out, "\n"))) + string(written[1:len(written)-1])
	}
	return out + "}}", nil
}

// expandNames replaces the keys that name environment variables, and marks what is not an MCP server.
func expandNames(keys map[string]any) {
	add := func(to, name, value string) {
		values, ok := keys[to].(map[string]any)
		if !ok {
			values = map[string]any{}
		}
		values[name] = value
		keys[to] = values
	}
	if headers, ok := keys["http_headers"]; ok && keys["headers"] == nil {
		keys["headers"] = headers
		delete(keys, "http_headers")
	}
	if variable, ok := keys["bearer_token_env_var"].(string); ok {
		add("headers", "Authorization", "Bearer ${env:"+variable+"}")
		delete(keys, "bearer_token_env_var")
	}
	if headers, ok := keys["env_http_headers"].(map[string]any); ok {
		for name, variable := range headers {
			add("headers", name, fmt.Sprintf("${env:%v}", variable))
		}
		delete(keys, "env_http_headers")
	}
	for list, to := range map[string]string{"env_vars": "env", "env_keys": "envs"} {
		if names, ok := keys[list].([]any); ok {
			for _, name := range names {
				add(to, fmt.Sprint(name), fmt.Sprintf("${env:%v}", name))
			}
			delete(keys, list)
		}
	}
	if kind, ok := keys["type"].(string); ok && slices.Contains([]string{"builtin", "platform", "frontend"}, kind) {
		delete(keys, "type") // of Goose itself
		keys["disabled"] = true
	}
}
