package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/toolargs"
)

// hostileNumbers lists numbers that policies may generate. All of them are valid JSON.
var hostileNumbers = []string{
	"0", "-1", "0.5", "2147483648", "-2147483649", "4294967296", "9007199254740993", "9223372036854775808",
	"-9223372036854775809", "18446744073709551616", "1e30", "1" + strings.Repeat("0", 400),
	"1e308", "1e999", "-0.0", "1e-320",
}

// toolSchema holds the fields of a tool's schema that are used for checking arguments.
type toolSchema struct {
	Properties map[string]struct {
		Type     any               `json:"type"`
		Enum     []json.RawMessage `json:"enum"`
		MinItems int               `json:"minItems"`
		Pattern  string            `json:"pattern"`
		Format   string            `json:"format"`
	} `json:"properties"`
	Required             []string        `json:"required"`
	AdditionalProperties json.RawMessage `json:"additionalProperties"`
	PatternProperties    json.RawMessage `json:"patternProperties"`
}

// numeric reports whether a schema's type is, or includes, a number.
func numeric(kind any) bool {
	list, ok := kind.([]any)
	if !ok {
		list = []any{kind}
	}
	return slices.Contains(list, any("integer")) || slices.Contains(list, any("number"))
}

// schemaOf returns the schema of one of the episode's tools, or false if it is missing or unreadable.
func (e *episode) schemaOf(name string) (s toolSchema, ok bool) {
	for _, tool := range e.opened.GetTools() {
		if tool.GetName() == name {
			return s, json.Unmarshal(tool.GetParametersJson(), &s) == nil
		}
	}
	return s, false
}

// numberVariants returns calls in which each numeric argument that is given or permitted by the schema is replaced with
// each hostile number.
func (e *episode) numberVariants(call *awhostv1.ToolCall) []*awhostv1.ToolCall {
	var given map[string]json.RawMessage
	if json.Unmarshal([]byte(call.GetArgumentsJson()), &given) != nil {
		return nil
	}
	names := map[string]bool{}
	for name, value := range given {
		names[name] = len(value) > 0 && strings.ContainsRune("-0123456789", rune(value[0]))
	}
	schema, _ := e.schemaOf(call.GetName())
	for name, p := range schema.Properties {
		names[name] = names[name] || numeric(p.Type)
	}
	var calls []*awhostv1.ToolCall
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, number := range hostileNumbers {
			if !names[name] {
				continue
			}
			with := maps.Clone(given)
			if with == nil {
				with = map[string]json.RawMessage{}
			}
			with[name] = json.RawMessage(number)
			id := fmt.Sprintf("%s/%d", call.GetId(), len(calls))
			calls = append(calls, &awhostv1.ToolCall{Id: id, Name: call.GetName(), ArgumentsJson: object(with)})
		}
	}
	return calls
}

// callsToVary returns the calls to vary: the script's calls, each with the number of messages before it, and one call
// to each tool.
func (e *episode) callsToVary() (calls []*awhostv1.ToolCall, after []int) {
	for i, m := range e.scripted[:min(len(e.scripted), maxSteps)] {
		for _, call := range m.GetToolCalls() {
			calls, after = append(calls, call), append(after, i)
		}
	}
	for i, tool := range e.opened.GetTools() {
		id, fitting := fmt.Sprintf("fitting-%d", i), toolargs.Generate(tool.GetParametersJson())
		calls = append(calls, &awhostv1.ToolCall{Id: id, Name: tool.GetName(), ArgumentsJson: fitting})
		after = append(after, 0)
	}
	return calls, after
}

func checkHostileNumbers(t *T) {
	calls, after := t.episode("numbers-in-calls").callsToVary()
	any := false
	for i, call := range calls {
		e := t.episode(fmt.Sprintf("numbers-in-calls-%d", i))
		odd := e.numberVariants(call)
		if len(odd) == 0 {
			e.close()
			continue
		}
		any = true
		if err := e.stepCalls(after[i], odd); err != nil {
			t.findNumber(fmt.Sprintf("numbers-in-calls-%d", i), odd, after[i])
		}
		e.close()
		if e.p.Exit() != nil || len(t.failures) > maxReported {
			return
		}
	}
	if !any {
		t.skipf("no tool takes a number")
	}
}

// maxCallsAlone limits the number of episodes with one call each.
const maxCallsAlone = 128

// callsAlone yields variants of the episode's calls, each after its messages in a restarted episode.
func (e *episode) callsAlone(variants func(*awhostv1.ToolCall) []*awhostv1.ToolCall) iter.Seq[*awhostv1.ToolCall] {
	return func(yield func(*awhostv1.ToolCall) bool) {
		calls, after := e.callsToVary()
		for i, n := 0, 0; i < len(calls); i++ {
			for _, odd := range variants(calls[i]) {
				if n++; n > maxCallsAlone || e.p.Exit() != nil {
					return
				}
				e.reopen()
				if e.advance(after[i]) && !yield(odd) {
					return
				}
			}
		}
	}
}

func checkNumbersAlone(t *T) {
	e := t.episode("numbers-alone")
	any := false
	for call := range e.callsAlone(e.numberVariants) {
		any = true
		out, err := e.step(assistant("", call))
		if err != nil || !finite(out.GetTurnReward()) {
			t.errorf("%s(%.100s) alone gets the reward %v, and the error %v", call.GetName(), call.GetArgumentsJson(),
				out.GetTurnReward(), err)
		}
		if len(t.failures) > maxReported {
			return
		}
	}
	if !any {
		t.skipf("no tool takes a number")
	}
}

// advance runs n messages of the script and reports whether the episode can continue.
func (e *episode) advance(n int) bool {
	for range n {
		if out, err := e.step(e.next()); err != nil || out.GetDone() {
			return false // covered by another check
		}
	}
	return true
}

// findNumber makes the calls one at a time to identify the one that is rejected.
func (t *T) findNumber(id string, odd []*awhostv1.ToolCall, after int) {
	found := false
	for k, call := range odd {
		e := t.episode(fmt.Sprintf("%s/%d", id, k))
		e.advance(after)
		if _, err := e.step(assistant("", call)); err != nil {
			found = true
			t.errorf("%s(%.100s): %v", call.GetName(), call.GetArgumentsJson(), err)
		}
		if len(t.failures) > maxReported || e.p.Exit() != nil {
			return
		}
		e.close()
	}
	if !found {
		t.errorf("%d calls to %s in one message, each with different numbers, get no results, although each call "+
			"does on its own",
			len(odd), odd[0].GetName())
	}
}

func checkFittingCalls(t *T) {
	t.eachCall(func(c fixtureCall) {
		if c.executed && c.mismatch != "" {
			t.errorf("%s succeeds, but %s", c.where, c.mismatch)
		}
	})
}

// checkFittingTools fails if no call of a tool matches its schema: a policy that follows it cannot use the tool.
func checkFittingTools(t *T) {
	usable, wrong := map[string]bool{}, map[string]string{}
	t.eachCall(func(c fixtureCall) {
		if !c.executed {
			return
		}
		usable[c.tool] = usable[c.tool] || c.mismatch == ""
		if c.mismatch != "" {
			wrong[c.tool] = fmt.Sprintf("%s succeeds, but %s; no call of %s in the fixtures matches its schema", c.where,
				c.mismatch, c.tool)
		}
	})
	for _, tool := range slices.Sorted(maps.Keys(wrong)) {
		if !usable[tool] {
			t.errorf("%s", wrong[tool])
		}
	}
}

// checkFixtureCalls fails if a call names a tool that the episode does not offer, if no call of a tool matches its
// schema, or if the environment executes none of the calls: the other checks then play nothing but mistakes.
func checkFixtureCalls(t *T) {
	fits, wrong, refused, executed := map[string]bool{}, map[string]string{}, "", false
	t.eachCall(func(c fixtureCall) {
		executed = executed || c.executed
		switch {
		case !c.offered:
			wrong[c.tool] = cmp.Or(wrong[c.tool], fmt.Sprintf("%s names no tool of the episode; %s", c.where, c.tools))
		case c.mismatch != "":
			wrong[c.tool] = cmp.Or(wrong[c.tool], fmt.Sprintf("%s does not fit: %s; %s", c.where, c.mismatch, c.tools))
		default:
			fits[c.tool] = true
		}
		if c.offered && !c.executed {
			refused = cmp.Or(refused, fmt.Sprintf("%s gets the error %q; %s", c.where, c.result, c.tools))
		}
	})
	for _, tool := range slices.Sorted(maps.Keys(wrong)) {
		if !fits[tool] {
			t.errorf("%s", wrong[tool])
		}
	}
	if len(t.failures) == 0 && !executed && refused != "" {
		t.errorf("no call of the fixtures succeeds: %s", refused)
	}
}

// fixtureCall is a call of the fixtures that was made in an episode.
type fixtureCall struct {
	where, tool string
	offered     bool   // the episode has this tool
	mismatch    string // why it does not match its tool's schema; "": it does
	executed    bool   // without an error
	result      string
	tools       string // of the episode, with their arguments
}

// eachCall plays the episodes of the fixtures and reports their calls.
func (t *T) eachCall(report func(fixtureCall)) {
	if len(t.component.fixture.Episodes) == 0 {
		t.skipf("the fixtures of %s contain no episodes, so no calls are known to be right", t.component.address())
	}
	for n := range min(len(t.component.fixture.Episodes), maxBadAnswerTasks) {
		e := t.episodeIn(t.shared(), fmt.Sprintf("fitting-%d", n), n)
		for step := range min(len(e.scripted), maxSteps) {
			message := e.next()
			out, err := e.step(message)
			if err != nil {
				break // covered by another check
			}
			for i, call := range message.GetToolCalls() {
				place := t.component.fixture.at("episodes", n, "messages", step, "tool_calls", i)
				result := resultOf(out, call.GetId())
				_, offered := e.schemaOf(call.GetName())
				report(fixtureCall{
					where: fmt.Sprintf("%s: the call %s(%.200s)", place, call.GetName(), call.GetArgumentsJson()),
					tool:  call.GetName(), offered: offered, mismatch: e.schemaMismatch(call), tools: e.describeTools(),
					executed: result != nil && !result.GetIsError(), result: textOf(result),
				})
			}
			if out.GetDone() || len(out.GetToolsChanged().GetTools()) > 0 {
				break
			}
		}
		e.close()
	}
}

// schemaMismatch returns the reason why a call does not match its tool's schema, or "" if its names match or the schema
// or arguments are unreadable.
func (e *episode) schemaMismatch(call *awhostv1.ToolCall) string {
	schema, ok := e.schemaOf(call.GetName())
	var given map[string]json.RawMessage
	if !ok || json.Unmarshal([]byte(call.GetArgumentsJson()), &given) != nil {
		return ""
	}
	for _, name := range schema.Required {
		if _, has := given[name]; !has {
			return fmt.Sprintf("its schema requires %s", name)
		}
	}
	more := schema.AdditionalProperties
	open := more != nil && string(more) != "false" || schema.PatternProperties != nil
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, has := schema.Properties[name]; !has && !open && schema.Properties != nil {
			return fmt.Sprintf("its schema does not contain %s", name)
		}
	}
	return ""
}

// describeTools lists the episode's tools with the names of their arguments.
func (e *episode) describeTools() string {
	var list []string
	for _, tool := range e.opened.GetTools() {
		schema, _ := e.schemaOf(tool.GetName())
		list = append(list, fmt.Sprintf("%s(%s)", tool.GetName(), strings.Join(slices.Sorted(maps.Keys(schema.Properties)),
			", ")))
	}
	if len(list) == 0 {
		return "the episode has no tools"
	}
	return "the tools are " + strings.Join(list, ", ")
}

// resultOf returns the result of a call, or nil.
func resultOf(out *awhostv1.StepResponse, id string) *awhostv1.Message {
	for _, m := range out.GetMessages() {
		if m.GetRole() == awhostv1.Role_ROLE_TOOL && m.GetToolCallId() == id {
			return m
		}
	}
	return nil
}
