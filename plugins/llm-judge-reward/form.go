package llmjudgereward

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// Ways to enforce the form of a verdict.
const (
	formAuto   = "auto"
	formSchema = "schema"
	formTool   = "tool"
	formText   = "text"
)

// formOrder lists the forms in the order in which they are tried.
var formOrder = []string{formSchema, formTool, formText}

// acceptedForm holds the form that a server has accepted before; empty: none yet.
type acceptedForm struct{ form atomic.Pointer[string] }

// forms returns the forms to try, in order.
func (r *reward) forms() []string {
	if r.config.Form != formAuto {
		return []string{r.config.Form}
	}
	if known := r.form.form.Load(); known != nil {
		return []string{*known}
	}
	return formOrder
}

// setForm stores the form that a server has accepted.
func (r *reward) setForm(form string, refused error) {
	if r.config.Form != formAuto || !r.form.form.CompareAndSwap(nil, &form) || refused == nil {
		return
	}
	r.log.Warn("the judge's server rejected a verdict format; another will be used from now on",
		"form", form, "refused", refused.Error())
}

// refusesForm reports whether a server may have refused a request because of its form.
func refusesForm(refusal *openai.AskError) bool {
	return slices.Contains([]int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented,
	}, refusal.Status)
}

// toolName is the name of the tool with which a judge returns its verdict.
const toolName = "give_verdict"

// question returns a request in the given form.
func (c *config) question(form string, messages []sdk.Message, seed uint64) openai.Question {
	q := openai.Question{Messages: messages, Seed: seed, Extra: map[string]json.RawMessage{}}
	switch form {
	case formSchema:
		q.Extra["response_format"] = json.RawMessage(fmt.Sprintf(
			`{"type":"json_schema","json_schema":{"name":"verdict","strict":true,"schema":%s}}`, c.verdictSchema()))
	case formTool:
		q.Tools = []sdk.Tool{{Name: toolName, Description: "Gives the verdict.", Parameters: c.verdictSchema()}}
		q.Extra["tool_choice"] = json.RawMessage(`{"type":"function","function":{"name":"` + toolName + `"}}`)
	}
	return q
}

// verdictSchema returns the JSON Schema for a verdict. The reason comes first: a model that gives its reasons before
// the points is a better judge.
func (c *config) verdictSchema() json.RawMessage {
	type object struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
		Additional bool            `json:"additionalProperties"`
	}
	points := []byte{'{'}
	for i, name := range c.names() {
		if i > 0 {
			points = append(points, ',')
		}
		points = fmt.Appendf(points, `%q:{"type":"integer","minimum":0,"maximum":%d}`, name, c.Scale)
	}
	points = append(points, '}')
	inner, err := json.Marshal(object{"object", points, c.names(), false})
	if err != nil {
		panic(err) // made of names: never fails
	}
	properties := fmt.Appendf(nil, `{"id":{"type":"string"},"reason":{"type":"string"},"points":%s}`, inner)
	outer, err := json.Marshal(object{"object", properties, []string{"id", "reason", "points"}, false})
	if err != nil {
		panic(err)
	}
	return outer
}

// verdictText returns the text of the response that is expected to contain the verdict.
func verdictText(answer *sdk.GenerateResponse) string {
	for _, c := range answer.Message.ToolCalls {
		if c.Name == toolName {
			return c.Arguments
		}
	}
	return answer.Message.Content
}
