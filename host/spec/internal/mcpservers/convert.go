package mcpservers

import (
	"encoding/json"
	"errors"
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
	var servers []converted
	var err error
	switch filepath.Ext(name) {
	case ".toml":
		servers, err = fromTOML(text)
	case ".yaml", ".yml":
		servers, err = fromYAML(text)
	default:
		return text, nil
	}
	if err == nil && len(servers) == 0 {
		err = errors.New("the file contains no servers: write [mcp_servers.NAME] in TOML, or extensions: in YAML")
	}
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(`{"mcpServers": {`)
	line := 1
	for i, s := range servers {
		err := s.expandNames()
		var written []byte
		if err == nil {
			written, err = json.Marshal(map[string]any{s.name: s.keys})
		}
		if err != nil {
			return "", fmt.Errorf("server %q: %w", s.name, err)
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString(strings.Repeat("\n", max(0, s.line-line)))
		out.Write(written[1 : len(written)-1])
		line = max(line, s.line)
	}
	return out.String() + "}}", nil
}

// converted is a server in a file that is not JSON.
type converted struct {
	name string
	line int // 0: unknown
	keys map[string]any
}

// textKeys are the keys whose values are objects of strings.
var textKeys = []string{"env", "envs", "headers", "http_headers", "env_http_headers"}

func fromTOML(text string) (out []converted, err error) {
	var file struct {
		Servers map[string]map[string]any `toml:"mcp_servers"`
	}
	if _, err := toml.Decode(text, &file); err != nil {
		return nil, fmt.Errorf("this is not TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	lines := tomlLines(text)
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		s := converted{name, lines[name], file.Servers[name]}
		for _, key := range textKeys {
			values, _ := s.keys[key].(map[string]any)
			for name, value := range values {
				if _, ok := value.(string); !ok {
					return nil, fmt.Errorf("line %d: %s.%s of server %q is not a string: quote it", s.line, key, name, s.name)
				}
			}
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b converted) int { return a.line - b.line })
	return out, nil
}

// tomlServer matches the beginning of a line with a server's name: in a table's name, or in [mcp_servers].
var tomlServer = regexp.MustCompile(`^\s*(\[?\s*mcp_servers\s*\.)?\s*("[^"]*"|'[^']*'|[\w-]+)\s*[].=]`)

// tomlLines returns the first lines of servers. The parser does not report them.
func tomlLines(text string) map[string]int {
	out, number, in, quoted := map[string]int{}, 0, "", false
	for line := range strings.Lines(text) {
		number++
		inside := quoted
		quoted = quoted != ((strings.Count(line, `"""`)+strings.Count(line, "'''"))%2 == 1)
		if table := strings.TrimSpace(line); !inside && strings.HasPrefix(table, "[") {
			in = table
		}
		m := tomlServer.FindStringSubmatch(line)
		if inside || m == nil || m[1] == "" && in != "[mcp_servers]" {
			continue
		}
		if name := strings.Trim(m[2], `"'`); out[name] == 0 {
			out[name] = number
		}
	}
	return out
}

func fromYAML(text string) (out []converted, err error) {
	var file struct {
		Extensions yaml.Node `yaml:"extensions"`
		MCPServers yaml.Node `yaml:"mcpServers"`
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("this is not YAML: %s",
			backquoted.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "…"))
	}
	servers := contentOf(&file.Extensions)
	if len(servers) == 0 {
		servers = contentOf(&file.MCPServers)
	}
	for i := 0; i+1 < len(servers); i += 2 {
		s := converted{name: servers[i].Value, line: servers[i].Line, keys: map[string]any{}}
		if err := servers[i+1].Decode(&s.keys); err != nil {
			return nil, fmt.Errorf("line %d: server %q: %s", s.line, s.name, backquoted.ReplaceAllString(err.Error(), "…"))
		}
		keys := contentOf(servers[i+1])
		for j := 0; j+1 < len(keys); j += 2 {
			if slices.Contains(textKeys, keys[j].Value) {
				s.keys[keys[j].Value] = textsOf(contentOf(keys[j+1]))
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// backquoted matches a value in an error of the YAML package, which may be a secret.
var backquoted = regexp.MustCompile("`[^`]*`")

// contentOf returns the keys and values of an object.
func contentOf(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n.Content
}

// textsOf returns the scalars of an object as they are written: 1.10 does not become 1.1.
func textsOf(object []*yaml.Node) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(object); i += 2 {
		if value := object[i+1]; value.Kind == yaml.ScalarNode && value.Tag != "!!null" {
			out[object[i].Value] = value.Value
		}
	}
	return out
}

// expandNames replaces the keys that name environment variables, and disables what is not an MCP server.
func (s converted) expandNames() error {
	add := func(to, name string, variable any, before string) error {
		text, ok := variable.(string)
		if !ok || text == "" {
			return fmt.Errorf("%v is not the name of a variable", variable)
		}
		values, ok := s.keys[to].(map[string]any)
		if !ok {
			values = map[string]any{}
		}
		if _, set := values[name]; !set || to == "headers" {
			values[name] = before + "${env:" + text + "}"
		}
		s.keys[to] = values
		return nil
	}
	var problems []error
	if headers, ok := s.keys["http_headers"]; ok && s.keys["headers"] == nil {
		s.keys["headers"] = headers
		delete(s.keys, "http_headers")
	}
	if variable, ok := s.keys["bearer_token_env_var"]; ok {
		problems = append(problems, add("headers", "Authorization", variable, "Bearer "))
	}
	headers, _ := s.keys["env_http_headers"].(map[string]any)
	for name, variable := range headers {
		problems = append(problems, add("headers", name, variable, ""))
	}
	for list, to := range map[string]string{"env_vars": "env", "env_keys": "envs"} {
		names, _ := s.keys[list].([]any)
		for _, name := range names {
			problems = append(problems, add(to, fmt.Sprint(name), name, ""))
		}
	}
	for _, key := range []string{"bearer_token_env_var", "env_http_headers", "env_vars", "env_keys"} {
		delete(s.keys, key)
	}
	if kind, ok := s.keys["type"].(string); ok && slices.Contains([]string{"builtin", "platform", "frontend"}, kind) {
		delete(s.keys, "type") // of Goose itself
		s.keys["disabled"] = true
	}
	return errors.Join(problems...)
}
