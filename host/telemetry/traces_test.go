package telemetry_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/telemetry"
	"github.com/awhost/awhost/host/telemetry/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/traceparent"
)

// to returns settings that send all traces to a collector.
func to(c *collector) settings.Settings {
	return settings.Settings{Traces: &settings.Traces{Endpoint: c.URL + "/v1/traces", Sample: 1}}
}

// at returns a time relative to the start of the episodes.
func at(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }

// waited returns a wait of an episode.
func waited(w rollout.Wait, from, until int) rollout.Waited {
	w.Since = at(from)
	return rollout.Waited{Wait: w, Until: at(until)}
}

// playedOf returns an episode of one agent: it waits for a slot, requests a message, calls a tool, requests another
// message, and is scored.
func playedOf(id string, attempt int) *rollout.EpisodeRecord {
	e := episodeOf(id, attempt)
	e.Turns = []rollout.TurnRecord{e.Turns[0], e.Turns[2]}
	for i := range e.Turns {
		e.Turns[i].CallID = id + []string{"/1.1", "/1.2"}[i]
	}
	e.Parties = rollout.Parties{
		Agent: "agent.react.solver", Environment: "environment.calculator.desk", Model: "adapter.local.grpo",
	}
	call := sdk.ToolCall{ID: "call_1", Name: "add", Arguments: `{"a": 1, "b": 2}`}
	asks := sdk.Message{Role: sdk.RoleAssistant, Content: "let me add", ToolCalls: []sdk.ToolCall{call}}
	result := sdk.Message{Role: sdk.RoleTool, ToolCallID: "call_1", Name: "add", Content: "3"}
	generate := rollout.Wait{For: rollout.WaitGenerate, Address: "adapter.local.grpo", Call: "Generate"}
	desk := rollout.Wait{For: rollout.WaitEnvironment, Address: "environment.calculator.desk"}
	with := func(w rollout.Wait, call, callID string, x *rollout.Exchange) rollout.Wait {
		w.Call, w.ID, w.About = call, callID, x
		return w
	}
	e.Waits = []rollout.Waited{
		waited(rollout.Wait{For: rollout.WaitSlot}, -1, 0),
		waited(with(desk, "Open", "", &rollout.Exchange{}), 0, 1),
		waited(with(generate, "Generate", id+"/1.1", &rollout.Exchange{
			Asked: []sdk.Message{{Role: sdk.RoleUser, Content: "what is 1 + 2?"}}, Answered: []sdk.Message{asks},
		}), 1, 3),
		waited(with(desk, "Step", id+"/1.1", &rollout.Exchange{
			Asked: []sdk.Message{asks}, Answered: []sdk.Message{result},
		}), 3, 4),
		waited(with(generate, "Generate", id+"/1.2", &rollout.Exchange{
			Asked: []sdk.Message{result}, Answered: []sdk.Message{{Role: sdk.RoleAssistant, Content: "3"}},
		}), 4, 7),
		waited(rollout.Wait{For: rollout.WaitReward, Address: "reward.math.answer", Call: "Score", ID: "0"}, 7, 8),
	}
	return e
}

// sent runs episodes with a collector and returns the spans.
func sent(t *testing.T, c *collector, asked settings.Settings, play func(w *watched)) map[string]*tracepb.Span {
	t.Helper()
	w := start(t, asked)
	play(w)
	w.Close(t.Context())
	for _, p := range w.published() {
		if warning, ok := p.(event.Warning); ok {
			t.Errorf("warned: %s: %s", warning.Summary, warning.Detail)
		}
	}
	return c.got(t)
}

// TestTraces checks the trace of an episode: its spans, their parents, times and attributes.
func TestTraces(t *testing.T) {
	c := newCollector(t)
	asked := to(c)
	asked.Traces.Headers = map[string]string{"Authorization": "Bearer abracadabra"}
	spans := sent(t, c, asked, func(w *watched) { w.EpisodeEnded(playedOf("e1", 1)) })
	if got := c.headers[0].Get("Authorization"); got != "Bearer abracadabra" {
		t.Errorf("the header is %q", got)
	}
	if c.resource["service.name"] != "awhost" || c.resource["service.version"] != "1.2.3" {
		t.Errorf("the resource is %v", c.resource)
	}
	root := spans["invoke_agent solver"]
	if root == nil || len(root.GetParentSpanId()) > 0 {
		t.Fatalf("no trace of the episode: %v", spans)
	}
	if want := telemetry.TraceID("e1", 1).String(); hex.EncodeToString(root.GetTraceId()) != want {
		t.Errorf("the trace is %x, not %s", root.GetTraceId(), want)
	}
	for name, times := range map[string][2]int{
		"invoke_agent solver": {-1, 8}, "wait slot": {-1, 0}, "environment open": {0, 1}, "execute_tool add": {3, 4},
		"chat policy": {4, 7}, "score reward.math.answer": {7, 8},
	} {
		s := spans[name]
		if s == nil {
			t.Errorf("span %s is missing", name)
			continue
		}
		if !slices.Equal(s.GetTraceId(), root.GetTraceId()) ||
			s != root && !slices.Equal(s.GetParentSpanId(), root.GetSpanId()) {
			t.Errorf("%s is not below the episode", name)
		}
		from, until := time.Unix(0, int64(s.GetStartTimeUnixNano())), time.Unix(0, int64(s.GetEndTimeUnixNano()))
		if !from.Equal(at(times[0])) || !until.Equal(at(times[1])) {
			t.Errorf("%s is from %s until %s", name, from, until)
		}
	}
	is(t, root, map[string]string{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "solver", "gen_ai.provider.name": "local",
		"gen_ai.conversation.id": "e1", "awhost.stage": "full", "awhost.split": "train", "awhost.step": "int_value:7",
		"awhost.group.id": "group-of-e1", "awhost.reward": "double_value:0.75", "awhost.success": "bool_value:true",
		"awhost.outcome": "SCORED", "awhost.policy.version": "int_value:6",
	})
	is(t, spans["chat policy"], map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.request.model": "policy", "gen_ai.provider.name": "local",
		"gen_ai.agent.name": "solver", "gen_ai.response.id": "e1/1.2", "gen_ai.usage.input_tokens": "int_value:20",
		"gen_ai.usage.output_tokens": "int_value:7",
	})
	is(t, spans["execute_tool add"], map[string]string{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add", "gen_ai.tool.type": "function",
		"gen_ai.tool.call.id": "call_1", "awhost.address": "environment.calculator.desk",
	})
	if spans["chat policy"].GetKind() != tracepb.Span_SPAN_KIND_CLIENT ||
		root.GetKind() != tracepb.Span_SPAN_KIND_INTERNAL {
		t.Error("the kinds of spans do not follow the convention")
	}
	if len(root.GetEvents()) != 1 || root.GetEvents()[0].GetName() != "gen_ai.evaluation.result" {
		t.Fatalf("the events are %v", root.GetEvents())
	}
	want := map[string]string{
		"gen_ai.evaluation.name": "reward.math.answer", "gen_ai.evaluation.score.value": "double_value:0.75",
	}
	if diff := cmp.Diff(want, attributes(root.GetEvents()[0].GetAttributes())); diff != "" {
		t.Error(diff)
	}
}

// is checks some attributes of a span.
func is(t *testing.T, s *tracepb.Span, want map[string]string) {
	t.Helper()
	got := attributes(s.GetAttributes())
	for name, value := range want {
		if strings.ReplaceAll(got[name], " ", "") != value {
			t.Errorf("%s of %s is %q, not %q", name, s.GetName(), got[name], value)
		}
	}
}

// TestTracesSayNothingUnasked looks for message contents in everything that is sent, with content disabled and
// enabled.
func TestTracesSayNothingUnasked(t *testing.T) {
	for _, content := range []bool{false, true} {
		c := newCollector(t)
		asked := to(c)
		asked.Traces.Content = content
		spans := sent(t, c, asked, func(w *watched) {
			e := playedOf("e1", 1)
			e.Scores[0].Notes = map[string]string{"why": "the sum is right"}
			w.EpisodeEnded(e)
		})
		var all strings.Builder
		for _, s := range c.spans {
			all.WriteString(s.String())
		}
		for _, said := range []string{"what is 1 + 2", "let me add", "the sum is right"} {
			if strings.Contains(all.String(), said) != content {
				t.Errorf("content = %v, and the traces hold %q: %v", content, said, !content)
			}
		}
		if !content {
			continue
		}
		var messages []map[string]any
		input := attributes(spans["chat policy"].GetAttributes())["gen_ai.input.messages"]
		if err := json.Unmarshal([]byte(input), &messages); err != nil {
			t.Fatal(err)
		}
		want := []map[string]any{{"role": "tool", "parts": []any{
			map[string]any{"type": "tool_call_response", "id": "call_1", "response": "3"},
		}}}
		if diff := cmp.Diff(want, messages); diff != "" {
			t.Error(diff)
		}
		is(t, spans["execute_tool add"], map[string]string{
			"gen_ai.tool.call.arguments": `{"a":1,"b":2}`, "gen_ai.tool.call.result": "3",
		})
	}
}

// TestTracesOfASwarm checks that each member has a span, with its messages as children.
func TestTracesOfASwarm(t *testing.T) {
	c := newCollector(t)
	spans := sent(t, c, to(c), func(w *watched) {
		e := playedOf("e1", 1)
		e.Parties.Agent = "swarm.round_robin.team"
		e.Turns[1].Agent = "critic"
		w.EpisodeEnded(e)
	})
	root, critic := spans["invoke_workflow team"], spans["invoke_agent critic"]
	if root == nil || critic == nil || spans["invoke_agent solver"] == nil {
		t.Fatalf("there are %v", spans)
	}
	if !slices.Equal(critic.GetParentSpanId(), root.GetSpanId()) {
		t.Error("a member is not below its swarm")
	}
	if !slices.Equal(spans["chat policy"].GetParentSpanId(), critic.GetSpanId()) {
		t.Error("a message is not below the member that asked for it")
	}
	if !slices.Equal(spans["execute_tool add"].GetParentSpanId(), spans["invoke_agent solver"].GetSpanId()) {
		t.Error("a tool call is not below the member that made it")
	}
}

// TestTracesOfFailures checks the failure classes and the link to the abandoned attempt. Failure texts must not be
// sent.
func TestTracesOfFailures(t *testing.T) {
	c := newCollector(t)
	sent(t, c, to(c), func(w *watched) {
		first := &playedOf("e1", 1).AttemptRecord
		first.Failure = &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the desk says hunter2"}
		first.Waits[3].About.(*rollout.Exchange).Err = errors.New("the desk says hunter2")
		w.AttemptEnded(first)
		w.EpisodeEnded(playedOf("e1", 2))
	})
	var first, second *tracepb.Span
	for _, s := range c.spans {
		switch {
		case s.GetName() == "execute_tool add" && s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR:
			is(t, s, map[string]string{"error.type": "ENVIRONMENT"})
		case s.GetName() == "invoke_agent solver" && len(s.GetLinks()) == 0:
			first = s
		case s.GetName() == "invoke_agent solver":
			second = s
		}
		if strings.Contains(s.String(), "hunter2") {
			t.Errorf("%s quotes a failure", s.GetName())
		}
	}
	if first == nil || second == nil {
		t.Fatal("not both attempts have a trace")
	}
	is(t, first, map[string]string{"error.type": "ENVIRONMENT", "awhost.attempt.given_up": "bool_value:true"})
	link := second.GetLinks()[0]
	if !slices.Equal(link.GetTraceId(), first.GetTraceId()) || !slices.Equal(link.GetSpanId(), first.GetSpanId()) {
		t.Error("the second attempt does not lead to the first")
	}
}

// TestTracesUseTheTableOfNames checks all sent names against names.go, and names.go against the prefixes of the
// conventions.
func TestTracesUseTheTableOfNames(t *testing.T) {
	table := namesOfTable(t)
	c := newCollector(t)
	asked := to(c)
	asked.Traces.Content = true
	sent(t, c, asked, func(w *watched) {
		e := playedOf("e1", 2)
		e.Turns[1].Agent = "critic"
		yes := true
		e.Scores[0].IsSuccess, e.Scores[0].Notes = &yes, map[string]string{"why": "it is"}
		e.Waits[3].About.(*rollout.Exchange).Answered[0].IsError = true
		w.EpisodeEnded(e)
	})
	used := map[string]bool{}
	note := func(names map[string]string) {
		for name := range names {
			used[name] = true
		}
	}
	for _, s := range c.spans {
		note(attributes(s.GetAttributes()))
		for _, e := range s.GetEvents() {
			note(map[string]string{e.GetName(): ""})
			note(attributes(e.GetAttributes()))
		}
	}
	for name := range used {
		if !slices.Contains(table, name) {
			t.Errorf("%s is sent, and not in the table", name)
		}
	}
	for _, name := range table {
		if !strings.HasPrefix(name, "gen_ai.") && !strings.HasPrefix(name, "awhost.") && name != "error.type" {
			t.Errorf("%s is neither of a convention nor awhost's own", name)
		}
		if !used[name] && !strings.HasPrefix(name, "awhost.run") && name != "awhost.attempt.given_up" {
			t.Errorf("%s is in the table, and never sent", name)
		}
	}
}

// namesOfTable reads the names with dots from names.go.
func namesOfTable(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if _, imports := n.(*ast.ImportSpec); imports {
			return false
		}
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.Contains(l.Value, ".") {
			names = append(names, strings.Trim(l.Value, `"`))
		}
		return true
	})
	if len(names) < 30 {
		t.Fatalf("the table has %d names", len(names))
	}
	return names
}

// TestTracer checks that plugins receive the ids of the spans that are written after the episode.
func TestTracer(t *testing.T) {
	c := newCollector(t)
	w := start(t, to(c))
	e := playedOf("e1", 1)
	w.EpisodeEnded(e)
	under := traceparent.From(w.Tracer().Under(t.Context(), "e1", 1, e.Waits[3].Wait))
	w.Close(t.Context())
	tool := c.got(t)["execute_tool add"]
	want := "00-" + hex.EncodeToString(tool.GetTraceId()) + "-" + hex.EncodeToString(tool.GetSpanId()) + "-01"
	if under != want {
		t.Errorf("the plugin is told %s, and the span is %s", under, want)
	}
}

// TestSample checks that the requested fraction of traces is sent, with the SDK's selection.
func TestSample(t *testing.T) {
	c := newCollector(t)
	asked := to(c)
	asked.Traces.Sample = 0.5
	chosen := map[string]bool{}
	sampler := sdktrace.TraceIDRatioBased(0.5)
	sent(t, c, asked, func(w *watched) {
		for i := range 100 {
			id := "e" + strings.Repeat("x", i)
			w.EpisodeEnded(playedOf(id, 1))
			if sampler.ShouldSample(sdktrace.SamplingParameters{
				ParentContext: context.Background(), TraceID: telemetry.TraceID(id, 1),
			}).Decision == sdktrace.RecordAndSample {
				chosen[telemetry.TraceID(id, 1).String()] = true
			}
		}
	})
	got := map[string]bool{}
	for _, s := range c.spans {
		got[hex.EncodeToString(s.GetTraceId())] = true
	}
	if diff := cmp.Diff(chosen, got); diff != "" {
		t.Error(diff)
	}
	if len(got) < 30 || len(got) > 70 {
		t.Errorf("%d of 100 traces are sent", len(got))
	}
}

// TestDeadCollector checks that an unreachable collector does not block. Lost spans are counted and reported once
// during the run and once at its end.
func TestDeadCollector(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String() + "/v1/traces"
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w := start(t, settings.Settings{Metrics: anywhere, Traces: &settings.Traces{Endpoint: nobody, Sample: 1}})
	w.EpisodeEnded(playedOf("e1", 1))
	w.Close(t.Context())
	var warnings []event.Warning
	for _, p := range w.published() {
		if warning, ok := p.(event.Warning); ok {
			warnings = append(warnings, warning)
		}
	}
	if len(warnings) != 2 || warnings[1].Count != 7 {
		t.Errorf("warned %+v", warnings)
	}
}

// TestPartialSuccess checks that exactly the rejected spans are counted, regardless of the collector's message.
func TestPartialSuccess(t *testing.T) {
	for rejected, said := range map[int64]string{2: "these (999 spans rejected)\nare too old", 0: "this was hard"} {
		c := newCollector(t)
		c.answer = &collectorpb.ExportTraceServiceResponse{PartialSuccess: &collectorpb.ExportTracePartialSuccess{
			RejectedSpans: rejected, ErrorMessage: said,
		}}
		asked := to(c)
		asked.Metrics = anywhere
		w := start(t, asked)
		w.EpisodeEnded(playedOf("e1", 1))
		w.Telemetry.Close(t.Context())
		var warnings []event.Warning
		for _, p := range w.published() {
			if warning, ok := p.(event.Warning); ok {
				warnings = append(warnings, warning)
			}
		}
		if len(warnings) == 0 || !strings.Contains(warnings[0].Detail, said) {
			t.Fatalf("%d rejected: the collector's message is not logged: %+v", rejected, warnings)
		}
		lost := 0
		for _, w := range warnings[1:] {
			lost += w.Count
		}
		if lost != int(rejected) {
			t.Errorf("%d rejected, and the end says %d: %+v", rejected, lost, warnings)
		}
	}
}

// TestTracesOfHostileTexts checks that a collector accepts all texts. It would reject invalid UTF-8 and long texts.
func TestTracesOfHostileTexts(t *testing.T) {
	c := newCollector(t)
	asked := to(c)
	asked.Traces.Content = true
	hostile := "\xff\x00" + strings.Repeat("é", 1<<20)
	sent(t, c, asked, func(w *watched) {
		e := playedOf("e1", 1)
		e.TaskID = "task \xc3"
		calls := e.Waits[2].About.(*rollout.Exchange).Answered[0].ToolCalls
		calls[0].Name, calls[0].Arguments = hostile, `{"a": "`+hostile
		e.Waits[3].About.(*rollout.Exchange).Answered[0].Content = hostile
		w.EpisodeEnded(e)
	})
	if len(c.spans) != 7 {
		t.Errorf("%d spans have come", len(c.spans))
	}
	for _, s := range c.spans {
		if len(s.GetName()) > 300 {
			t.Errorf("the name of a span has %d bytes", len(s.GetName()))
		}
		for name, value := range attributes(s.GetAttributes()) {
			if !utf8.ValidString(value) || len(value) > 100<<10 {
				t.Errorf("%s has %d bytes", name, len(value))
			}
		}
	}
}

// TestSecretsOfContent checks that secrets are removed from everything that is sent.
func TestSecretsOfContent(t *testing.T) {
	c := newCollector(t)
	asked := to(c)
	asked.Traces.Content = true
	w := startWith(t, telemetry.Config{Settings: asked, Version: "1.2.3", Redact: func(text string) string {
		return strings.ReplaceAll(text, "hunter2", "(sensitive)")
	}})
	e := playedOf("e1", 1)
	e.Scores[0].Notes = map[string]string{"why": "hunter2"}
	for i := range e.Waits {
		if x, ok := e.Waits[i].About.(*rollout.Exchange); ok {
			for _, m := range append(x.Asked, x.Answered...) {
				for k := range m.ToolCalls {
					m.ToolCalls[k].Arguments = `{"password": "hunter2"}`
				}
			}
			for k := range x.Answered {
				x.Answered[k].Content, x.Answered[k].Reasoning = "hunter2", "hunter2"
			}
		}
	}
	w.EpisodeEnded(e)
	w.Close(t.Context())
	c.got(t)
	all := ""
	for _, s := range c.spans {
		all += s.String()
	}
	if strings.Contains(all, "hunter2") || strings.Count(all, "(sensitive)") < 6 {
		t.Errorf("a secret is sent, or nothing is:\n%s", all)
	}
}

// TestTracesOfACallForSeveral checks that episodes sharing a reward call link to the episode whose id the reward
// received.
func TestTracesOfACallForSeveral(t *testing.T) {
	c := newCollector(t)
	sent(t, c, to(c), func(w *watched) {
		ask := rollout.Wait{For: rollout.WaitReward, Address: "reward.math.answer", Call: "Score"}
		told := traceparent.From(w.Tracer().Under(t.Context(), "e1", 1, ask))
		for _, id := range []string{"e1", "e2"} {
			e := playedOf(id, 1)
			e.Waits[5].Wait.About = &rollout.Exchange{Under: told}
			w.EpisodeEnded(e)
		}
	})
	first, second := telemetry.TraceID("e1", 1), telemetry.TraceID("e2", 1)
	for _, s := range c.spans {
		switch {
		case s.GetName() != "score reward.math.answer":
		case slices.Equal(s.GetTraceId(), first[:]) && len(s.GetLinks()) > 0:
			t.Error("the first episode leads to itself")
		case slices.Equal(s.GetTraceId(), second[:]):
			if len(s.GetLinks()) != 1 || !slices.Equal(s.GetLinks()[0].GetTraceId(), first[:]) {
				t.Errorf("the second episode leads to %v", s.GetLinks())
			}
		}
	}
}

// TestProtocolOfTheEnvironment checks that protobuf is used even if the environment requests another protocol.
func TestProtocolOfTheEnvironment(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
	c := newCollector(t)
	if spans := sent(t, c, to(c), func(w *watched) { w.EpisodeEnded(playedOf("e1", 1)) }); len(spans) == 0 {
		t.Error("no spans")
	}
}

// TestHungCollector uses a collector that never responds. Records are dropped and counted once too many are queued,
// and the end of the run waits no longer than requested.
func TestHungCollector(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // connections are not accepted
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	w := start(t, settings.Settings{
		Metrics: anywhere,
		Traces:  &settings.Traces{Endpoint: "http://" + listener.Addr().String() + "/v1/traces", Sample: 1},
	})
	const episodes = 6000 // more than fit into the queue and one batch
	for i := range episodes {
		w.EpisodeEnded(playedOf("e"+strings.Repeat("x", i%10)+string(rune('A'+i%26)), i))
	}
	got := w.scrape(t, formatText)
	const dropped = `awhost_trace_spans_total{result="dropped"}`
	if strings.Contains(got, dropped+" 0") || !strings.Contains(got, dropped) {
		t.Error("nothing is dropped, or it is not counted")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w.Close(ended)
	said := w.published()
	last, ok := said[len(said)-1].(event.Warning)
	if !ok || last.Count != 7*episodes {
		t.Errorf("the end says %+v of %d spans", said[len(said)-1], 7*episodes)
	}
}

// TestExemplars checks that buckets contain the ids of traces, in the format that supports them.
func TestExemplars(t *testing.T) {
	c := newCollector(t)
	asked := to(c)
	asked.Metrics = anywhere
	w := start(t, asked)
	w.EpisodeEnded(playedOf("e1", 1))
	exemplar := `# {trace_id="` + telemetry.TraceID("e1", 1).String() + `"}`
	if got := w.scrape(t, formatOpenMetrics); !strings.Contains(got, exemplar) {
		t.Errorf("there is no %s in\n%s", exemplar, got)
	}
	if got := w.scrape(t, formatText); strings.Contains(got, "trace_id") {
		t.Error("the old format has exemplars")
	}
}

// TestTracesOfTheEnvironment checks that missing settings of the spec come from the variables of OpenTelemetry.
func TestTracesOfTheEnvironment(t *testing.T) {
	half := 0.5
	for name, c := range map[string]struct {
		spec     spec.TelemetryTraces
		env      map[string]string
		want     settings.Traces
		problems int
	}{
		"defaults": {want: settings.Traces{Endpoint: "http://localhost:4318/v1/traces", Sample: 1}},
		"general": {
			env: map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318/otlp/", "OTEL_EXPORTER_OTLP_HEADERS": "a=b%20c, d=e",
				"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25",
			},
			want: settings.Traces{
				Endpoint: "http://c:4318/otlp/v1/traces", Headers: map[string]string{"a": "b c", "d": "e"}, Sample: 0.25,
			},
		},
		"of traces": {
			env: map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:1/x",
				"OTEL_EXPORTER_OTLP_HEADERS": "a=b", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=c",
			},
			want: settings.Traces{Endpoint: "http://c:1/x", Headers: map[string]string{"a": "c"}, Sample: 1},
		},
		"the spec wins": {
			spec: spec.TelemetryTraces{Endpoint: "https://d", Headers: map[string]string{"a": "z"}, Sample: &half,
				Content: true},
			env: map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_HEADERS": "a=b,c=d",
				"OTEL_TRACES_SAMPLER": "always_off",
			},
			want: settings.Traces{
				Endpoint: "https://d/v1/traces", Headers: map[string]string{"a": "z", "c": "d"}, Sample: 0.5, Content: true,
			},
		},
		"batches": {
			env: map[string]string{
				"OTEL_BSP_MAX_QUEUE_SIZE": "100", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "10", "OTEL_BSP_SCHEDULE_DELAY": "1500",
				"OTEL_BSP_EXPORT_TIMEOUT": "soon",
			},
			want: settings.Traces{
				Endpoint: "http://localhost:4318/v1/traces", Sample: 1,
				Batches: settings.Batches{Waiting: 100, Spans: 10, Delay: 1500 * time.Millisecond},
			},
			problems: 1,
		},
		"what is not spoken": {
			env: map[string]string{
				"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_TRACES_SAMPLER": "xray", "OTEL_EXPORTER_OTLP_HEADERS": "nothing",
			},
			want: settings.Traces{Endpoint: "http://localhost:4318/v1/traces", Sample: 1}, problems: 3,
		},
	} {
		c.spec.Protocol = "http/protobuf"
		got := settings.Of(&spec.Telemetry{Traces: &c.spec}, func(name string) (string, bool) {
			value, ok := c.env[name]
			return value, ok
		})
		if c.want.Headers == nil {
			c.want.Headers = map[string]string{}
		}
		if diff := cmp.Diff(&c.want, got.Traces); diff != "" || len(got.Problems) != c.problems {
			t.Errorf("%s: %v\n%s", name, got.Problems, diff)
		}
	}
	off := settings.Of(&spec.Telemetry{Traces: &spec.TelemetryTraces{}}, func(name string) (string, bool) {
		return "true", name == "OTEL_SDK_DISABLED"
	})
	if off.Traces != nil || len(off.Problems) != 1 {
		t.Errorf("OTEL_SDK_DISABLED: %+v", off)
	}
}
