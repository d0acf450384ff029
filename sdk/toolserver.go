package sdk

import "encoding/json"

// ToolEndpoint gives a program access to an episode's tools through an MCP server over streamable HTTP.
type ToolEndpoint struct {
	URL   string
	Token string // secret; sent as Authorization: Bearer
}

// Headers returns the headers that every request needs.
func (e ToolEndpoint) Headers() map[string]string {
	return map[string]string{"Authorization": "Bearer " + e.Token}
}

// MCPServers returns the configuration of a program's MCP client in the form that most clients read, including Claude
// Code (.mcp.json), AWorld (mcp_config), fastmcp.Client, and mcp_use.MCPClient: the server under a name. It contains
// the token, so store it in a file that only its owner can read.
//
// AWorld accepts no other type for streamable HTTP, Claude Code accepts this one and "http", and the other two read
// only the URL.
//
//	{"mcpServers": {"awhost": {"type": "streamable-http", "url": "…", "headers": {"Authorization": "Bearer …"}}}}
func (e ToolEndpoint) MCPServers(name string) json.RawMessage {
	type server struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	text, _ := json.Marshal(map[string]map[string]server{ // strings can always be encoded
		"mcpServers": {name: {Type: "streamable-http", URL: e.URL, Headers: e.Headers()}},
	})
	return text
}
