package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/toolargs"
)

// hostileText contains JSON strings that policies may generate, especially early in training. All of them are valid
// JSON, including unpaired surrogates.
type hostileText struct{ what, json string }

var hostileTexts = []hostileText{
	{"a NUL", `"\u0000"`},
	{"a NUL in a word", `"a\u0000b"`},
	{"half a surrogate pair", `"\ud800"`},
	{"the other half", `"x\udfffy"`},
	{"a surrogate pair the wrong way round", `"\udc00\ud800"`},
	{"two thousand halves of surrogate pairs", `"` + strings.Repeat(`\ud800`, 2000) + `"`},
	{"an animal, escaped", `"\ud83e\udda5"`},
	{"an animal and the last character of Unicode", `"🦥 ` + "\U0010ffff" + `"`},
	{"code points that are not characters", `"\ufffe\uffff\ufeff"`},
	{"right-to-left text", `"\u202e\u2066txet"`},
	{"line ends of Unicode", `"\u2028\u2029\u0085"`},
	{"control characters", `"\u001b[31m\u0007\b\u007f\u009b\r\n\t\f"`},
	{"digits of other scripts", `"４２ ٤٢ Ⅻ ½"`},
	{"letters whose case changes their length", `"İıẞﬁǆ"`},
	{"a family and a flag", `"👩‍👩‍👧‍👦🏳️‍🌈"`},
	{"two thousand accents", `"e` + strings.Repeat("\u0301", 2000) + `"`},
	{"twenty thousand letters beyond 16 bits", `"` + strings.Repeat("𝒳", 20_000) + `"`},
	{"formats and commands", "\"%s%n{0}{}${x}$(x)`x`\""},
	{"quotes and backslashes", `"'\"\\;--"`},
	{"a path with a NUL", `"../../../../etc/passwd\u0000.txt"`},
	{"several scripts", `"Zażółć 名前 עברית"`},
	{"no text", `""`},
}

// hostileCalls returns calls to a tool with a hostile string in each of its string arguments, in all of its arguments,
// and as its name.
func hostileCalls(tool *awhostv1.Tool, h hostileText) []*awhostv1.ToolCall {
	var schema struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(tool.GetParametersJson(), &schema) // covered by another check
	var fitting map[string]json.RawMessage
	_ = json.Unmarshal([]byte(toolargs.Generate(tool.GetParametersJson())), &fitting) // always an object
	texts, all := maps.Clone(fitting), maps.Clone(fitting)
	for name, p := range schema.Properties {
		all[name] = json.RawMessage(h.json)
		if p.Type == nil || p.Type == "string" {
			texts[name] = json.RawMessage(h.json)
		}
	}
	list := []string{object(all), `{` + h.json + `:` + h.json + `}`}
	if text := object(texts); text != list[0] {
		list = append(list, text)
	}
	var calls []*awhostv1.ToolCall
	for _, arguments := range list {
		calls = append(calls, &awhostv1.ToolCall{Id: fmt.Sprintf("hostile-%d", len(calls)), Name: tool.GetName(),
			ArgumentsJson: arguments})
	}
	return calls
}

// object returns a JSON object that preserves its values byte for byte.
func object(members map[string]json.RawMessage) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		key, _ := json.Marshal(name) // a string: never fails
		list = append(list, string(key)+":"+string(members[name]))
	}
	return "{" + strings.Join(list, ",") + "}"
}

func checkHostileArguments(t *T) {
	e := t.episode("hostile")
	tools := append(slices.Clone(e.opened.GetTools()), &awhostv1.Tool{Name: "no\u0000such 🦥\u202e tool"})
	for i, tool := range tools {
		var all []*awhostv1.ToolCall
		for k, h := range hostileTexts {
			for _, call := range hostileCalls(tool, h) {
				call.Id = fmt.Sprintf("%s/%d", call.GetId(), k)
				all = append(all, call)
			}
		}
		e := t.episode(fmt.Sprintf("hostile-%d", i))
		if err := e.stepCalls(0, all); err == nil {
			t.checkSnapshotAfter(e, tool.GetName())
			e.close()
			continue
		}
		t.findHostileCall(tool, i)
		if len(t.failures) > maxReported {
			return
		}
	}
	after := t.episode("hostile-after")
	if _, err := after.tryPlay(maxSteps); err != nil {
		t.errorf("an episode after such calls: %v", err)
	}
}

// stepCalls makes calls in one message after n messages of the script. If the results exceed the size of a message, the
// calls are made in two messages, each of a reopened episode.
func (e *episode) stepCalls(n int, calls []*awhostv1.ToolCall) error {
	if !e.advance(n) {
		return nil
	}
	_, err := e.step(assistant("", calls...))
	if status.Code(err) != codes.ResourceExhausted || len(calls) < 2 {
		return err
	}
	for half := range slices.Chunk(calls, (len(calls)+1)/2) {
		e.reopen()
		if err := e.stepCalls(n, half); err != nil {
			return err
		}
	}
	return nil
}

// checkSnapshotAfter checks that taking a snapshot of the episode works after such calls.
func (t *T) checkSnapshotAfter(e *episode, tool string) {
	if !t.component.has(NeedSnapshot) {
		return
	}
	out, err := environmentOf(e.p).Snapshot(t.call(), &awhostv1.SnapshotRequest{EpisodeId: e.id})
	switch {
	case err != nil:
		t.errorf("a snapshot after hostile text in arguments to %q: %v", tool, err)
	case !json.Valid(out.GetStateJson()):
		t.errorf("after hostile text in arguments to %q, the snapshot is not JSON: %.200q", tool, out.GetStateJson())
	}
}

// findHostileCall makes the calls one at a time to identify the one that is rejected.
func (t *T) findHostileCall(tool *awhostv1.Tool, i int) {
	found := false
	for k, h := range hostileTexts {
		e := t.episode(fmt.Sprintf("hostile-%d-%d", i, k))
		if err := e.stepCalls(0, hostileCalls(tool, h)); err != nil {
			found = true
			t.errorf("%q with %s in its arguments: %v", tool.GetName(), h.what, err)
		}
		if len(t.failures) > maxReported || e.p.Exit() != nil {
			return
		}
		e.close()
	}
	if !found {
		t.errorf("%d calls to %q in one message, each with hostile text, get no results, although each call does on "+
			"its own", 3*len(hostileTexts), tool.GetName())
	}
}
