package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// The forest must match a reference that keeps all conversations whole and compares each with each.
func TestForest_MatchesReferenceModel(t *testing.T) { property.Check(t, checkForest) }

func FuzzForest(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkForest)) }

// checkForest simulates an episode: programs begin conversations, continue from any point of any of them, and change
// the form of the messages that they send back.
func checkForest(t *rapid.T) {
	p := &policy{}
	talk, reference := chat.New(p), &referenceModel{}
	var told [][]sdk.Message // conversations as kept by a program
	for n := range rapid.IntRange(1, 12).Draw(t, "calls") {
		req := draw(t, told)
		reply := message(t, sdk.RoleAssistant)
		p.say = func(int) sdk.ModelReply { return sdk.ModelReply{Message: reply} }
		want, from := reference.expect(req)
		got, err := talk.Ask(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.asked[n]); diff != "" {
			t.Fatalf("call %d (-naive +got):\n%s", n+1, diff)
		}
		reference.note(req, from, got)
		told = append(told, append(slices.Clone(req.Messages), got.Message))
	}
}

// draw returns a request that continues a conversation, a part of one, or none.
func draw(t *rapid.T, told [][]sdk.Message) chat.Request {
	req := chat.Request{
		Member: rapid.SampledFrom([]string{"", "other"}).Draw(t, "member"),
		Thread: rapid.SampledFrom([]string{"", "", "t1", "t2"}).Draw(t, "thread"),
	}
	if len(told) > 0 && rapid.IntRange(0, 3).Draw(t, "goes on") > 0 {
		whole := rapid.SampledFrom(told).Draw(t, "conversation")
		kept := rapid.OneOf(rapid.Just(len(whole)), rapid.IntRange(0, len(whole))).Draw(t, "kept")
		for _, m := range whole[:kept] {
			req.Messages = append(req.Messages, resent(t, m))
		}
	}
	if len(req.Messages) == 0 && rapid.Bool().Draw(t, "the usual question") {
		req.Messages = []sdk.Message{user("a")}
	}
	for range rapid.IntRange(0, 2).Draw(t, "new") {
		req.Messages = append(req.Messages, message(t, rapid.SampledFrom(roles).Draw(t, "role")))
	}
	if rapid.Bool().Draw(t, "calls known") {
		for range req.Messages {
			req.Calls = append(req.Calls, rapid.SampledFrom([]string{"", "call1", "call2", "call3"}).Draw(t, "call"))
		}
	}
	return req
}

var roles = []sdk.Role{sdk.RoleSystem, sdk.RoleUser, sdk.RoleTool, sdk.RoleAssistant}

var arguments = []string{
	"", " ", "{}", `{"a":1}`, `{ "a": 1.0 }`, `{"a":10e-1,"b":[-0]}`, `{"b":[0],"a":1}`, `{"a":2}`, `[1]`, `1`,
	`{"a":1}}`, "no JSON", `{"a":10000000000000001}`, `{"a":10000000000000000}`,
}

// message draws from few values, so that many messages are equal.
func message(t *rapid.T, role sdk.Role) sdk.Message {
	if role == sdk.RoleAssistant && rapid.Bool().Draw(t, "the usual") {
		id := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "id")
		return sdk.Message{Role: role, ToolCalls: []sdk.ToolCall{{ID: id, Name: "f", Arguments: "{}"}}}
	}
	m := sdk.Message{Role: role, Content: rapid.SampledFrom([]string{"", "a", "a ", "\n a", "b"}).Draw(t, "content")}
	if role == sdk.RoleAssistant {
		for range rapid.IntRange(0, 2).Draw(t, "tool calls") {
			m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{
				ID:        rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "id"),
				Name:      rapid.SampledFrom([]string{"f", "g"}).Draw(t, "name"),
				Arguments: rapid.SampledFrom(arguments).Draw(t, "arguments"),
			})
		}
	}
	return m
}

// resent returns a message as a program may send it back: the same, or nearly.
func resent(t *rapid.T, m sdk.Message) sdk.Message {
	m.ToolCalls = slices.Clone(m.ToolCalls)
	switch rapid.IntRange(0, 9).Draw(t, "resent") {
	case 0:
		m.Content += " "
	case 1:
		m.Reasoning, m.Name, m.IsError = "hm", "named", true
	case 2:
		for i := range m.ToolCalls {
			m.ToolCalls[i].ID = ""
		}
	case 3:
		for i := range m.ToolCalls {
			m.ToolCalls[i].Arguments = rapid.SampledFrom(arguments).Draw(t, "rewritten")
		}
	}
	return m
}

// referenceModel keeps every conversation.
type referenceModel struct {
	ends  []*end
	asked []question
}

// end is a conversation up to a message of the policy.
type end struct {
	before      []sdk.Message // as they were sent
	reply       sdk.Message
	call, chain string
	thread      string
	length      int
	taken       bool
}

type question struct {
	member   string
	from     *end
	messages []sdk.Message
}

func (n *referenceModel) expect(req chat.Request) (asked, *end) {
	from, known := n.find(req)
	want := asked{New: len(req.Messages) - known}
	if from != nil {
		want.Chain, want.Base = from.chain, from.length
		from.taken = true
	}
	for _, q := range n.asked {
		if q.member == req.Member && q.from == from && sameAll(q.messages, req.Messages) {
			want.Repeat++
		}
	}
	n.asked = append(n.asked, question{req.Member, from, req.Messages})
	return want, from
}

// find returns the longest known beginning. Among equal ones it prefers the call, the ids, the thread, and a free
// one.
func (n *referenceModel) find(req chat.Request) (*end, int) {
	for known := len(req.Messages); known > 0; known-- {
		back := req.Messages[known-1]
		var found []*end
		for _, e := range n.ends {
			if len(e.before) == known-1 && sameAll(e.before, req.Messages[:known-1]) &&
				(same(e.reply, back) || same(objectOnly(e.reply), back)) {
				found = append(found, e)
			}
		}
		if len(found) == 0 {
			continue
		}
		for _, prefers := range []func(*end) bool{
			func(e *end) bool { return known <= len(req.Calls) && e.call == req.Calls[known-1] },
			func(e *end) bool { return hasIDs(e.reply) && idsOf(e.reply) == idsOf(back) },
			func(e *end) bool { return req.Thread != "" && e.thread == req.Thread },
			func(e *end) bool { return !e.taken },
		} {
			if slices.ContainsFunc(found, prefers) {
				found = slices.DeleteFunc(found, func(e *end) bool { return !prefers(e) })
			}
		}
		return found[0], known
	}
	return nil, 0
}

func (n *referenceModel) note(req chat.Request, _ *end, reply *sdk.ModelReply) {
	n.ends = append(n.ends, &end{
		before: req.Messages, reply: reply.Message, thread: req.Thread,
		call: reply.CallID, chain: reply.Chain, length: reply.ChainLength,
	})
}

func hasIDs(m sdk.Message) bool {
	return len(m.ToolCalls) > 0 && !slices.ContainsFunc(m.ToolCalls, func(c sdk.ToolCall) bool { return c.ID == "" })
}

func idsOf(m sdk.Message) string {
	var ids []string
	for _, c := range m.ToolCalls {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ",")
}

func sameAll(a, b []sdk.Message) bool { return slices.EqualFunc(a, b, same) }

func same(a, b sdk.Message) bool {
	if a.Role == sdk.RoleAssistant {
		a.Content, b.Content = strings.TrimSpace(a.Content), strings.TrimSpace(b.Content)
	}
	return a.Role == b.Role && a.Content == b.Content && reflect.DeepEqual(a.Images, b.Images) &&
		slices.EqualFunc(a.ToolCalls, b.ToolCalls, func(x, y sdk.ToolCall) bool {
			return x.Name == y.Name && reflect.DeepEqual(normalized(x.Arguments), normalized(y.Arguments))
		})
}

// normalized returns the value of arguments, with numbers as fractions.
func normalized(text string) any {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	if !json.Valid([]byte(text)) {
		return text
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return text
	}
	return fmt.Sprintf("%T", value) + describeValue(value)
}

func describeValue(value any) string {
	switch v := value.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(string(v))
		return r.String()
	case []any:
		out := "["
		for _, item := range v {
			out += describeValue(item) + ","
		}
		return out + "]"
	case map[string]any:
		var members []string
		for name, item := range v {
			members = append(members, fmt.Sprintf("%q:%s", name, describeValue(item)))
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	}
	return fmt.Sprintf("%#v", value)
}

func objectOnly(m sdk.Message) sdk.Message {
	m.ToolCalls = slices.Clone(m.ToolCalls)
	for i, c := range m.ToolCalls {
		var object map[string]any
		if json.Unmarshal([]byte(c.Arguments), &object) != nil || object == nil {
			m.ToolCalls[i].Arguments = "{}"
		}
	}
	return m
}
