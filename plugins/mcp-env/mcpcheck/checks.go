package mcpcheck

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/toolargs"
)

const (
	listed  = "MCP-LIST-01"
	oneCall = "MCP-CALL-01"
)

func newCheck(id string, level conformance.Level, title, source, remedy string, after ...string) conformance.Check {
	return conformance.Check{ID: id, Level: level, Title: title, Rule: source, Remedy: remedy, After: after}
}

const specification = "MCP, Tools"

var checks = []check{
	{newCheck(listed, conformance.Must, "starts or answers, agrees on a version, and lists its tools", specification,
		"look at what it writes on standard error"), checkList},
	{newCheck("MCP-LIST-02", conformance.Must, "lists the same tools in another session, byte for byte",
		"docs/guides/mcp.md: a server that lists other tools later fails the episode",
		"list tools in a fixed order, and nothing in them that changes", listed), checkListAgain},
	{newCheck("MCP-NAME-01", conformance.Should, "names its tools by 1 to 64 letters, digits, - and _",
		"docs/guides/mcp.md: other names are changed for models", "rename the tool", listed), checkNames},
	{newCheck("MCP-SCHEMA-01", conformance.Must, "describes the arguments of each tool by a JSON Schema of an object",
		specification, "correct inputSchema", listed), checkSchemas},
	{newCheck("MCP-UNKNOWN-01", conformance.Must, "answers a call of an unknown tool with an error of either kind",
		specification+": Error Handling", "answer with a JSON-RPC error, or a result with isError", listed), checkUnknown},
	{newCheck(oneCall, conformance.Must, "answers calls of its read-only tools, with a result or an error",
		specification, "answer every call", listed), checkCall},
	{newCheck("MCP-ARGS-01", conformance.Must, "answers a call without required arguments with an error of either kind",
		specification+": Error Handling", "validate the arguments, and answer with isError", oneCall), checkArguments},
	{newCheck("MCP-ARGS-02", conformance.Must, "answers an argument of the wrong type with an error of either kind",
		specification+": Error Handling", "validate the arguments, and answer with isError", oneCall), checkTypes},
	{newCheck("MCP-CANCEL-01", conformance.Must, "serves on when a call is cancelled",
		"MCP, Cancellation", "end what is cancelled, and nothing else", oneCall), checkCancel},
	{newCheck("MCP-SIDE-01", conformance.Should, "answers calls that come at once", "docs/guides/mcp.md: Sessions",
		"do not hold one call for another", oneCall), checkConcurrent},
	{newCheck("MCP-ENDURE-01", conformance.Should, "answers many calls in a row, and does not grow",
		"docs/guides/mcp.md: Sessions",
		"keep nothing of a call after its end", oneCall), checkMany},
	{newCheck("MCP-APART-01", conformance.Should, "keeps sessions apart", `docs/guides/mcp.md: session = "episode"`,
		"give each session a separate state, or offer only tools that change nothing, or let each episode start the server: "+
			"command instead of url", listed), checkSeparation},
}

func checkList(ctx context.Context, s *suite) (err error) {
	if s.conn, err = s.connect(ctx, ""); err != nil {
		return err
	}
	if len(s.conn.Tools()) == 0 {
		return errors.New("it lists no tool")
	}
	return nil
}

func checkListAgain(ctx context.Context, s *suite) error {
	again, err := s.connect(ctx, "")
	if err != nil {
		return err
	}
	defer again.Close()
	if a, b := len(s.conn.Tools()), len(again.Tools()); a != b {
		return fmt.Errorf("it lists %d tools at first but %d later", a, b)
	}
	for i, before := range s.conn.Tools() {
		now := again.Tools()[i]
		if before.Name != now.Name || before.Description != now.Description || !bytes.Equal(before.Schema, now.Schema) {
			return fmt.Errorf("tool %d is %s at first and %s later: its name, description, or schema differs",
				i+1, before.Name, now.Name)
		}
	}
	return nil
}

var legalName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func checkNames(_ context.Context, s *suite) error {
	for _, t := range s.conn.Tools() {
		if !legalName.MatchString(t.Name) {
			return fmt.Errorf("model APIs reject the name %q", t.Name)
		}
	}
	return nil
}

func checkSchemas(_ context.Context, s *suite) error {
	var problems []error
	for _, t := range s.conn.Tools() {
		if err := checkSchema(t); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", t.Name, err))
		}
	}
	return errors.Join(problems...)
}

func checkSchema(t server.Tool) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(t.Schema))
	if err != nil {
		return err
	}
	object, ok := document.(map[string]any)
	if !ok || object["type"] != "object" {
		return errors.New(`inputSchema has to be an object with "type": "object"`)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool:///inputSchema", document); err != nil {
		return err
	}
	_, err = c.Compile("tool:///inputSchema")
	return err
}

// answered rejects a call that received no response. A result that was made up because of a limit is not the server's
// response.
func answered(result *server.Result, err error) error {
	if err == nil && result.Unanswered {
		return errors.New(said(result))
	}
	return err
}

// refused rejects a call that was not answered with an error of either kind.
func refused(result *server.Result, err error) error {
	if err := answered(result, err); err != nil {
		return err
	}
	if !result.IsError {
		return errors.New("it was answered as if it had succeeded")
	}
	return nil
}

func checkUnknown(ctx context.Context, s *suite) error {
	return refused(s.conn.Call(ctx, "no_such_tool_of_awhost", json.RawMessage(`{}`)))
}

// call calls a tool with arguments that match its schema.
func (s *suite) call(ctx context.Context, t server.Tool) error {
	return answered(s.conn.Call(ctx, t.Name, json.RawMessage(toolargs.Generate(t.Schema))))
}

func checkCall(ctx context.Context, s *suite) error {
	tools, err := s.readOnly()
	if err != nil {
		return err
	}
	for _, t := range tools {
		began := time.Now()
		if err := s.call(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		s.timed = append(s.timed, timed{t, time.Since(began)})
	}
	slices.SortStableFunc(s.timed, func(a, b timed) int { return cmp.Compare(a.elapsed, b.elapsed) })
	return nil
}

func checkArguments(ctx context.Context, s *suite) error {
	tools, err := s.readOnly()
	if err != nil {
		return err
	}
	held := false
	for _, t := range tools {
		var schema struct {
			Required []string `json:"required"`
		}
		if json.Unmarshal(t.Schema, &schema) != nil || len(schema.Required) == 0 {
			continue
		}
		held = true
		if err := refused(s.conn.Call(ctx, t.Name, json.RawMessage(`{}`))); err != nil {
			return fmt.Errorf("%s without %s: %w", t.Name, strings.Join(schema.Required, ", "), err)
		}
	}
	if !held {
		return skip("no read-only tool has required arguments")
	}
	return nil
}

// checkTypes calls each read-only tool with one argument of the wrong type.
func checkTypes(ctx context.Context, s *suite) error {
	tools, err := s.readOnly()
	if err != nil {
		return err
	}
	held := false
	for _, t := range tools {
		arguments, name := mistyped(t.Schema)
		if name == "" {
			continue
		}
		held = true
		if err := refused(s.conn.Call(ctx, t.Name, arguments)); err != nil {
			return fmt.Errorf("%s with %s: %w", t.Name, arguments, err)
		}
	}
	if !held {
		return skip("no read-only tool has an argument whose type its schema says")
	}
	return nil
}

// wrongValues are unambiguous: no program that checks types accepts them as a different type.
var wrongValues = map[string]any{
	"string": map[string]any{"of": "another type"}, "number": "no number", "integer": "no number", "boolean": "neither",
	"array": "no list", "object": "no object",
}

// mistyped returns arguments for a tool that match its schema except for one, and the name of that argument. The name
// is empty if the schema contains no type that can be violated.
func mistyped(schema json.RawMessage) (arguments json.RawMessage, name string) {
	var described struct {
		Properties map[string]struct {
			Type any `json:"type"` // or a list of types, any of which is allowed
		} `json:"properties"`
	}
	fitting := map[string]any{}
	if json.Unmarshal(schema, &described) != nil || json.Unmarshal([]byte(toolargs.Generate(schema)), &fitting) != nil {
		return nil, ""
	}
	for _, name := range slices.Sorted(maps.Keys(described.Properties)) {
		kind, _ := described.Properties[name].Type.(string)
		if wrong, ok := wrongValues[kind]; ok {
			fitting[name] = wrong
			arguments, _ = json.Marshal(fitting) // all of it came from JSON
			return arguments, name
		}
	}
	return nil, ""
}

func checkCancel(ctx context.Context, s *suite) error {
	if len(s.timed) == 0 {
		return skip("no tool is declared read-only (readOnlyHint), so none is called")
	}
	quick, slow := s.timed[0], s.timed[len(s.timed)-1]
	const attempts, enough = 30, 3
	cancelled := 0
	for n := 0; n < attempts && cancelled < enough; n++ {
		part := time.Duration(n%3 + 1) // quarters of the time: an answer may be faster
		short, cancel := context.WithTimeout(ctx, slow.elapsed*part/4)
		err := s.call(short, slow.tool)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			cancelled++
		}
		if err := s.call(ctx, quick.tool); err != nil {
			return fmt.Errorf("the call after a canceled call to %s: %w", slow.tool.Name, err)
		}
	}
	if cancelled == 0 {
		return skip("all calls of %s were answered before they could be cancelled", slow.tool.Name)
	}
	return nil
}

func checkConcurrent(ctx context.Context, s *suite) error {
	if len(s.timed) == 0 {
		return skip("no tool is declared read-only (readOnlyHint), so none is called")
	}
	const calls = 16
	results := make(chan error, calls)
	for range calls {
		go func() { results <- s.call(ctx, s.timed[0].tool) }()
	}
	var first error
	for range calls {
		first = cmp.Or(first, <-results)
	}
	return first
}

// The allowed memory growth of a process after its start.
const (
	maxGrowth        = 32 << 20 // bytes
	growthRatio      = 1.5
	manyCallsTimeout = time.Minute
)

func checkMany(ctx context.Context, s *suite) error {
	if len(s.timed) == 0 {
		return skip("no tool is declared read-only (readOnlyHint), so none is called")
	}
	tools := s.timed[:1]
	for _, t := range s.timed[1:] {
		if t.elapsed*time.Duration(s.Calls) <= manyCallsTimeout { // it can be called that often within manyCallsTimeout
			tools = append(tools, t)
		}
	}
	var early int64
	began := time.Now()
	for n := range s.Calls {
		tool := tools[n%len(tools)].tool
		if n == s.Calls/5 {
			early = residentBytes(s.conn.PID())
		}
		if time.Since(began) > manyCallsTimeout {
			return skip("%d calls took %s: it is too slow for %d", n, manyCallsTimeout, s.Calls)
		}
		if err := s.call(ctx, tool); err != nil {
			return fmt.Errorf("call %d, to %s: %w", n+1, tool.Name, err)
		}
	}
	late := residentBytes(s.conn.PID())
	if early > 0 && late-early > maxGrowth && float64(late) > growthRatio*float64(early) {
		return fmt.Errorf("its memory grew from %d to %d MiB between calls %d and %d",
			early>>20, late>>20, s.Calls/5, s.Calls)
	}
	return nil
}

func checkSeparation(ctx context.Context, s *suite) error {
	if s.Write == "" {
		return skip("not shown: --write TOOL{…} and --read TOOL{…} name calls that change something and show it")
	}
	one, err := s.connect(ctx, "one")
	if err != nil {
		return err
	}
	defer one.Close()
	two, err := s.connect(ctx, "two")
	if err != nil {
		return err
	}
	defer two.Close()
	before, err := s.read(ctx, two)
	if err != nil {
		return err
	}
	tool, arguments, _ := parseCall(s.Write) // Verify has checked it
	result, err := one.Call(ctx, tool, json.RawMessage(arguments))
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	if result.IsError {
		return fmt.Errorf("--write failed: %s", said(result))
	}
	own, err := s.read(ctx, one)
	if err != nil {
		return err
	}
	after, err := s.read(ctx, two)
	switch {
	case err != nil:
		return err
	case own == before:
		return skip("not shown: --read shows nothing of what --write has changed")
	case after != before:
		return errors.New("one session reads what another one wrote")
	}
	return nil
}

// read returns the state that is visible to a session.
func (s *suite) read(ctx context.Context, conn *server.Conn) (string, error) {
	tool, arguments, _ := parseCall(s.Read)
	result, err := conn.Call(ctx, tool, json.RawMessage(arguments))
	if err != nil {
		return "", fmt.Errorf("--read: %w", err)
	}
	if result.IsError {
		return "", fmt.Errorf("--read failed: %s", said(result))
	}
	return said(result), nil
}

// said returns the whole content of a result.
func said(result *server.Result) string {
	var texts []string
	for _, c := range result.Content {
		texts = append(texts, c.Text+string(c.Data))
	}
	return strings.Join(texts, "\n") + string(result.Structured)
}
