package bfclenv

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk"
)

// functionDocs holds the function documents for use by models.
type functionDocs struct {
	byClass map[string][]sdk.Tool
	lines   map[string]string // by name: the function as a line of JSON
}

func newFunctionDocs(functions map[string][]data.Function) (functionDocs, error) {
	out := functionDocs{map[string][]sdk.Tool{}, map[string]string{}}
	for class, all := range functions {
		for _, f := range all {
			parameters, err := py.JSON(jsonSchema(f.Parameters))
			if err != nil {
				return out, fmt.Errorf("describe %s: %w", f.Name, err)
			}
			tool := sdk.Tool{Name: f.Name, Description: f.Description, Parameters: json.RawMessage(parameters)}
			line, err := json.Marshal(tool)
			if err != nil {
				return out, fmt.Errorf("describe %s: %w", f.Name, err)
			}
			out.byClass[class], out.lines[f.Name] = append(out.byClass[class], tool), string(line)
		}
	}
	return out, nil
}

// of returns the tools that an entry has at its start, without functions that are added later.
func (t functionDocs) of(one *entry.Entry) []sdk.Tool {
	var out []sdk.Tool
	for _, class := range one.Classes {
		for _, tool := range t.byClass[class] {
			if !isAddedLater(one, tool.Name) {
				out = append(out, tool)
			}
		}
	}
	return out
}

func isAddedLater(one *entry.Entry, name string) bool {
	for _, names := range one.Missed {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// named returns the tools of an entry that have these names.
func (t functionDocs) named(one *entry.Entry, names []string) []sdk.Tool {
	var out []sdk.Tool
	for _, class := range one.Classes {
		for _, tool := range t.byClass[class] {
			if slices.Contains(names, tool.Name) {
				out = append(out, tool)
			}
		}
	}
	return out
}

// schemaTypes maps BFCL's type names to JSON Schema's where they differ.
var schemaTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array", "list": "array",
	"any": "string"}

// jsonSchema converts a parameter description to JSON Schema.
func jsonSchema(v py.Value) py.Value {
	switch v := v.(type) {
	case *py.List:
		out := py.NewList()
		for _, item := range v.Items {
			out.Append(jsonSchema(item))
		}
		return out
	case *py.Dict:
		out := py.NewDict()
		for i, key := range v.Keys() {
			value := v.Values()[i]
			if name, ok := value.(string); ok && key == "type" && schemaTypes[name] != "" {
				value = schemaTypes[name]
			}
			out.Set(key, jsonSchema(value))
		}
		return out
	}
	return v
}

// functionsMark is the placeholder for the functions in a system prompt.
const functionsMark = "{functions}"

// system returns the system prompt: the one from the block, or the default one. It returns nil if the prompt is empty.
func (e *environment) system(usual string, tools []sdk.Tool) []sdk.Message {
	if e.config.SystemPrompt != nil {
		usual = *e.config.SystemPrompt
	}
	if usual == "" {
		return nil
	}
	return []sdk.Message{{Role: sdk.RoleSystem, Content: strings.ReplaceAll(usual, functionsMark, e.tools.listing(tools))}}
}

// listing returns tool documents as text, for models that receive them in a prompt.
func (t functionDocs) listing(tools []sdk.Tool) string {
	lines := make([]string, len(tools))
	for i, tool := range tools {
		lines[i] = t.lines[tool.Name]
	}
	return strings.Join(lines, "\n")
}
