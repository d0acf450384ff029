package sdk

import "testing"

func TestToolEndpoint_MCPServers(t *testing.T) {
	const want = `{"mcpServers":{"desk":{"type":"streamable-http","url":"http://127.0.0.1:1/mcp",` +
		`"headers":{"Authorization":"Bearer aw-1"}}}}`
	if got := string(ToolEndpoint{URL: "http://127.0.0.1:1/mcp", Token: "aw-1"}.MCPServers("desk")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
