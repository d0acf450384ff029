package sdk

import "encoding/json"

// ToolEndpoint is how a program reaches the tools of an episode: an MCP server over streamable HTTP.
type ToolEndpoint struct {
	URL   string
	Token string // secret; sent as Authorization: Bearer
}

// Headers are those of every request.
func (e ToolEndpoint) Headers() map[string]string {
	return map[string]string{"Authorization": "Bearer " + e.Token}
}

// MCPServers returns the configuration of a program's MCP client in the form that most of them read, as .mcp.json of
// Claude Code, mcp_config of AWorld, fastmcp.Client and mcp_use.MCPClient do: the server under a name. It holds the
// token: a file of it is for its owner alone.
//
// AWorld takes no other type for streamable HTTP, and Claude Code takes this one and "http"; the other two look at the
// URL alone.
//
//	{"mcpServers": {"awhost": {"type": "streamable-http", "url": "…", "headers": {"Authorization": "Bearer …"}}}}
func (e ToolEndpoint) MCPServers(name string) json.RawMessage {
	type server struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	text, _ := json.Marshal(map[string]map[string]server{ // texts have a JSON form
		"mcpServers": {name: {Type: "streamable-http", URL: e.URL, Headers: e.Headers()}},
	})
	return text
}
