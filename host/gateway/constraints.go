package gateway

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/awhost/awhost/sdk"
)

// Constraints selects how requests that restrict the sampled message are handled: tool_choice, parallel_tool_calls, and
// JSON formats.
type Constraints string

// The values of decoding_constraints. Without a value, served models apply constraints, and the policy refuses them.
const (
	ConstraintsApply  Constraints = "apply"  // the engine decodes under a grammar
	ConstraintsIgnore Constraints = "ignore" // the model samples freely
	ConstraintsRefuse Constraints = "refuse"
)

// toolChoice is the value of tool_choice in any of the protocols.
type toolChoice struct {
	mode    string   // "auto", "none", or "required"; empty: absent
	tool    string   // the only tool that may be called; empty: any
	allowed []string // the tools that are offered; nil: all
	single  bool     // at most one call
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *toolChoice) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '"' {
		return jsonv2.UnmarshalDecode(dec, &c.mode)
	}
	type tool struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
		Function  struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	type allowed struct {
		Mode  string `json:"mode"`
		Tools []tool `json:"tools"`
	}
	var in struct {
		tool    `json:",inline"`
		allowed `json:",inline"`
		Type    string  `json:"type"`
		Allowed allowed `json:"allowed_tools"` // in chat completions
		Single  bool    `json:"disable_parallel_tool_use"`
	}
	if err := jsonv2.UnmarshalDecode(dec, &in, jsonOptions); err != nil {
		return err
	}
	nameOf := func(t tool) string { return flat(t.Namespace, cmp.Or(t.Name, t.Function.Name)) }
	c.mode, c.single = in.Type, in.Single
	switch in.Type {
	case "any":
		c.mode = "required"
	case "function", "tool":
		c.mode, c.tool = "required", nameOf(in.tool)
	case "allowed_tools":
		c.mode, c.allowed = cmp.Or(in.Mode, in.Allowed.Mode), []string{}
		for _, t := range append(in.Tools, in.Allowed.Tools...) {
			c.allowed = append(c.allowed, nameOf(t))
		}
	}
	return nil
}

// answerFormat is the format of a response's text in any of the protocols.
type answerFormat struct {
	Type       string         `json:"type"`
	Name       string         `json:"name"`
	Text       string         `json:"description"`
	Schema     jsontext.Value `json:"schema"`
	Strict     *bool          `json:"strict"`
	JSONSchema jsontext.Value `json:"json_schema"` // in chat completions, it contains the members above
}

// openAI returns the format as chat completions write it, or nil for text.
func (f answerFormat) openAI(param string) (json.RawMessage, *problem) {
	object := map[string]any{"type": f.Type}
	switch f.Type {
	case "", "text":
		return nil, nil
	case "json_object":
	case "json_schema":
		if f.JSONSchema == nil && f.Schema == nil {
			return nil, refused(param, "%s has no schema", param)
		}
		object["json_schema"] = f.JSONSchema
		if f.JSONSchema == nil {
			schema := map[string]any{"name": cmp.Or(f.Name, "answer"), "schema": f.Schema}
			if f.Text != "" {
				schema["description"] = f.Text
			}
			if f.Strict != nil {
				schema["strict"] = *f.Strict
			}
			object["json_schema"] = schema
		}
	default:
		return nil, refused(param, "%s of type %q is not supported: choose text, json_object, or json_schema", param,
			shorten(f.Type))
	}
	out, err := json.Marshal(object)
	if err != nil {
		return nil, refused(param, "%s cannot be read: %v", param, err)
	}
	return out, nil
}

// restriction holds the members of a request that restrict the sampled message, with the path of its format.
type restriction struct {
	choice     toolChoice
	parallel   *bool
	format     answerFormat
	formatPath string
}

// restrict sets the constraints of a request whose tools are known. Tools that may not be called are not offered.
func (a *ask) restrict(r restriction) (p *problem) {
	c, tools := r.choice, a.request.Tools
	offered := func(name string) bool {
		return slices.ContainsFunc(tools, func(t sdk.Tool) bool { return t.Name == name })
	}
	for _, name := range append(slices.Clone(c.allowed), c.tool) {
		if name != "" && !offered(name) {
			return refused("tool_choice", "tool_choice names %q, which is not in tools", shorten(name))
		}
	}
	switch c.mode {
	case "", "auto", "required":
		if c.allowed != nil {
			tools = slices.DeleteFunc(tools, func(t sdk.Tool) bool { return !slices.Contains(c.allowed, t.Name) })
		}
	case "none":
		tools = nil
	default:
		return refused("tool_choice", "tool_choice %q is not supported: choose auto, none, required, or a function",
			shorten(c.mode))
	}
	a.request.Tools = tools
	var out sdk.DecodingConstraints
	if out.ToolRequired, out.Tool = c.mode == "required", c.tool; out.ToolRequired {
		if len(tools) == 0 {
			return refused("tool_choice", "tool_choice requires a call, but the request offers no tools")
		}
		a.constraints = append(a.constraints, "tool_choice")
	}
	if out.SingleCall = len(tools) > 0 && (c.single || r.parallel != nil && !*r.parallel); out.SingleCall {
		a.constraints = append(a.constraints, "parallel_tool_calls = false")
	}
	if out.Format, p = r.format.openAI(r.formatPath); p != nil {
		return p
	}
	if out.Format != nil {
		a.constraints = append(a.constraints, r.formatPath)
	}
	if len(a.constraints) > 0 {
		a.request.Constraints = &out
	}
	return nil
}

// decides applies decoding_constraints to a request that is routed.
func (c Constraints) decides(a *ask) *problem {
	if len(a.constraints) == 0 {
		return nil
	}
	if c == "" && a.by != "" {
		c = ConstraintsApply
	}
	switch c {
	case ConstraintsApply:
		a.constraints = nil
	case ConstraintsIgnore:
		a.request.Constraints = nil
	default:
		return refused(strings.Fields(a.constraints[0])[0], "%s would restrict what the policy samples: "+
			`decoding_constraints = "ignore" in the agent's block samples freely and counts such requests; "apply" needs an `+
			"adapter whose engine decodes under a grammar", strings.Join(a.constraints, ", "))
	}
	return nil
}
