package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// list requests all pages of tools. mcp-go selects the tools: it omits tools that the protocol excludes. Their
// descriptions are the server's original text, unchanged.
func (c *Conn) list(ctx context.Context) ([]Tool, error) {
	ctx, seen := tapped(ctx)
	listed, err := c.client.ListTools(ctx, mcp.ListToolsRequest{})
	switch {
	case c.exceeded(seen):
		return nil, &WrongAnswer{c.config.Name, "tools/list", fmt.Errorf("%w, or %d pages", tooLarge{}, maxPages)}
	case err != nil && seen.answered:
		return nil, &WrongAnswer{c.config.Name, "tools/list", err}
	case err != nil:
		return nil, fmt.Errorf("list its tools: %w", err)
	}
	usable := map[string]bool{}
	for _, tool := range listed.Tools {
		usable[tool.Name] = true
	}
	var tools []Tool
	usedNames := map[string]bool{}
	for _, page := range seen.results {
		more, err := toolsOf(page)
		if err != nil {
			return nil, &WrongAnswer{c.config.Name, "tools/list", err}
		}
		for _, tool := range more {
			if !usable[tool.Name] {
				continue
			}
			if usedNames[tool.Name] {
				err := fmt.Errorf("two tools are called %q", tool.Name)
				return nil, &WrongAnswer{c.config.Name, "tools/list", err}
			}
			usedNames[tool.Name] = true
			tools = append(tools, tool)
		}
	}
	return tools, nil
}

func toolsOf(page json.RawMessage) ([]Tool, error) {
	var listed struct {
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
			Annotations struct {
				ReadOnly   bool `json:"readOnlyHint"`
				Idempotent bool `json:"idempotentHint"`
			} `json:"annotations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(page, &listed); err != nil {
		return nil, err
	}
	tools := make([]Tool, 0, len(listed.Tools))
	for _, t := range listed.Tools {
		if t.Name == "" {
			return nil, errors.New("a tool has no name")
		}
		tools = append(tools, Tool{
			Name: t.Name, Description: t.Description, Schema: t.InputSchema,
			ReadOnly: t.Annotations.ReadOnly, Repeatable: t.Annotations.ReadOnly || t.Annotations.Idempotent,
		})
	}
	return tools, nil
}
