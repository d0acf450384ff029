package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// restrictedBody returns a request in a protocol, with two tools and further members.
func restrictedBody(d dialect, more string) string {
	switch d.(type) {
	case completions:
		return `{"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"f"}},` +
			`{"type":"function","function":{"name":"g"}}],` + more + "}"
	case responses:
		return `{"input":"q","tools":[{"type":"function","name":"f"},{"type":"function","name":"g"}],` + more + "}"
	}
	return `{"messages":[{"role":"user","content":"q"}],"tools":[{"name":"f"},{"name":"g"}],` + more + "}"
}

// TestConstraints_AreReadInEachProtocol checks which tools are offered, and what restricts the message.
func TestConstraints_AreReadInEachProtocol(t *testing.T) {
	schema := `{"type":"object"}`
	format := func(name string) string {
		return fmt.Sprintf(`{"json_schema":{"name":%q,"schema":%s,"strict":true},"type":"json_schema"}`, name, schema)
	}
	for _, c := range []struct {
		d     dialect
		more  string
		tools string
		want  *sdk.DecodingConstraints
	}{
		{completions{}, `"tool_choice":"none"`, "", nil},
		{completions{}, `"tool_choice":"auto","parallel_tool_calls":true`, "f g", nil},
		{completions{}, `"tool_choice":"required"`, "f g", &sdk.DecodingConstraints{ToolRequired: true}},
		{completions{}, `"tool_choice":{"type":"function","function":{"name":"g"}}`, "f g",
			&sdk.DecodingConstraints{ToolRequired: true, Tool: "g"}},
		{completions{}, `"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[` +
			`{"type":"function","function":{"name":"g"}}]}}`, "g", nil},
		{completions{}, `"parallel_tool_calls":false`, "f g", &sdk.DecodingConstraints{SingleCall: true}},
		{completions{}, `"parallel_tool_calls":false,"tool_choice":"none"`, "", nil},
		{completions{}, `"response_format":{"type":"json_object"}`, "f g",
			&sdk.DecodingConstraints{Format: []byte(`{"type":"json_object"}`)}},
		{completions{}, `"response_format":` + format("n"), "f g", &sdk.DecodingConstraints{Format: []byte(format("n"))}},
		{completions{}, `"response_format":{"type":"text"}`, "f g", nil},

		{responses{}, `"tool_choice":"none"`, "", nil},
		{responses{}, `"tool_choice":{"type":"function","name":"g"}`, "f g",
			&sdk.DecodingConstraints{ToolRequired: true, Tool: "g"}},
		{responses{}, `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"g"}]}`,
			"g", &sdk.DecodingConstraints{ToolRequired: true}},
		{responses{}, `"parallel_tool_calls":false`, "f g", &sdk.DecodingConstraints{SingleCall: true}},
		{responses{}, `"text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":` + schema + `}}`, "f g",
			&sdk.DecodingConstraints{Format: []byte(format("n"))}},
		{responses{}, `"text":{"format":{"type":"json_schema","name":"n","description":"d","strict":false,"schema":` +
			schema + `}}`, "f g", &sdk.DecodingConstraints{Format: []byte(`{"json_schema":{"description":"d","name":"n",` +
			`"schema":` + schema + `,"strict":false},"type":"json_schema"}`)}},

		{messages{}, `"tool_choice":{"type":"none"}`, "", nil},
		{messages{}, `"tool_choice":{"type":"any"}`, "f g", &sdk.DecodingConstraints{ToolRequired: true}},
		{messages{}, `"tool_choice":{"type":"tool","name":"g","disable_parallel_tool_use":true}`, "f g",
			&sdk.DecodingConstraints{ToolRequired: true, Tool: "g", SingleCall: true}},
		{messages{}, `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`, "f g",
			&sdk.DecodingConstraints{SingleCall: true}},
		{messages{}, `"output_config":{"effort":"low","format":{"type":"json_schema","schema":` + schema + `}}`, "f g",
			&sdk.DecodingConstraints{Format: []byte(format("answer"))}},
		{messages{}, `"output_format":{"type":"json_schema","schema":` + schema + `}`, "f g",
			&sdk.DecodingConstraints{Format: []byte(format("answer"))}},
	} {
		body := restrictedBody(c.d, c.more)
		a, p := decoded(c.d, body)
		if p == nil {
			p = ConstraintsApply.decides(a)
		}
		if p != nil {
			t.Errorf("%s: %v", body, p)
			continue
		}
		var names []string
		for _, tool := range a.request.Tools {
			names = append(names, tool.Name)
		}
		if got := strings.Join(names, " "); got != c.tools {
			t.Errorf("%s: offered %q, want %q", body, got, c.tools)
		}
		if diff := cmp.Diff(c.want, a.request.Constraints); diff != "" {
			t.Errorf("%s: -want +got\n%s", body, diff)
		}
	}
}

// TestConstraints_ThatCannotBeRead checks that the error names the member.
func TestConstraints_ThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		d    dialect
		more string
		want string
	}{
		{completions{}, `"tool_choice":{"type":"function","function":{"name":"h"}}`, `tool_choice names "h", which is`},
		{completions{}, `"tool_choice":"sometimes"`, `tool_choice "sometimes" is not supported`},
		{completions{}, `"tool_choice":7`, "tool_choice must be an object"},
		{completions{}, `"response_format":{"type":"grammar"}`, `response_format of type "grammar" is not supported`},
		{completions{}, `"response_format":{"type":"json_schema"}`, "response_format has no schema"},
		{completions{}, `"parallel_tool_calls":"no"`, "parallel_tool_calls must be a boolean"},
		{responses{}, `"tool_choice":{"type":"web_search"}`, `tool_choice "web_search" is not supported`},
		{messages{}, `"output_config":{"format":{"type":"json_schema"}}`, "output_config.format has no schema"},
	} {
		if a, p := decoded(c.d, restrictedBody(c.d, c.more)); p == nil || !strings.Contains(p.text, c.want) {
			t.Errorf("%s: %+v, %v; want %s", c.more, a, p, c.want)
		}
	}
	if _, p := decoded(completions{}, `{"messages":[{"role":"user","content":"q"}],"tool_choice":"required"}`); p == nil ||
		!strings.Contains(p.text, "offers no tools") {
		t.Errorf("%v", p)
	}
}

// TestConstraints_Decide checks the values of decoding_constraints: the policy refuses constraints by default, and a
// served model applies them.
func TestConstraints_Decide(t *testing.T) {
	for _, c := range []struct {
		constraints Constraints
		model       string
		status      int
		applied     bool
	}{
		{"", "policy", http.StatusBadRequest, false},
		{ConstraintsRefuse, "policy", http.StatusBadRequest, false},
		{ConstraintsIgnore, "policy", http.StatusOK, false},
		{ConstraintsApply, "policy", http.StatusOK, true},
		{"", "big", http.StatusOK, true},
		{ConstraintsRefuse, "big", http.StatusBadRequest, false},
		{ConstraintsIgnore, "big", http.StatusOK, false},
	} {
		p := &policy{}
		g, err := Listen(Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		e, end := g.Grant(t.Context(), Lease{
			Model: p, Constraints: c.constraints, Served: map[string]string{"big": "big"},
		})
		status, text := post(t, e, fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"q"}],`+
			`"response_format":{"type":"json_object"}}`, c.model), nil)
		metrics := end()
		if status != c.status {
			t.Errorf("%+v: %d: %s", c, status, text)
			continue
		}
		if status != http.StatusOK {
			for _, part := range []string{"response_format would restrict", `decoding_constraints = \"ignore\"`,
				`"param":"response_format"`} {
				if !strings.Contains(text, part) {
					t.Errorf("%+v: no %s in %s", c, part, text)
				}
			}
			continue
		}
		if got := p.asked()[0].Constraints != nil; got != c.applied {
			t.Errorf("%+v: applied %t", c, got)
		}
		if want := float64(len(p.asked())); (c.constraints == ConstraintsIgnore) != (metrics[metricIgnored] == want) {
			t.Errorf("%+v: metrics %v", c, metrics)
		}
	}
}
