package sdk

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Examples, and assistant messages that an agent puts into a prompt, must not count as the policy's. Known positions
// must survive the wire, including an empty list.
func TestScoreItem_Written(t *testing.T) {
	said := []Message{
		{Role: RoleUser, Content: "q"}, {Role: RoleAssistant, Content: "example"}, {Role: RoleUser, Content: "q2"},
		{Role: RoleAssistant, Content: "mine"}, {Role: RoleTool, Content: "4"},
	}
	question, err := json.Marshal(map[string]any{"messages": said[:3]})
	if err != nil {
		t.Fatal(err)
	}
	other := json.RawMessage(`{"messages":[{"role":"assistant","content":"something else"}]}`)
	elsewhere := Task{Public: other}
	mine, all := []string{"mine", "4"}, []string{"example", "q2", "mine", "4"}
	for name, c := range map[string]struct {
		item              ScoreItem
		written, response []string
	}{
		"it is known":              {ScoreItem{Messages: said, Sampled: []int{3}}, mine[:1], mine},
		"the policy wrote nothing": {ScoreItem{Messages: said, Sampled: []int{}}, nil, nil},
		"invalid places":           {ScoreItem{Messages: said, Sampled: []int{-1, 3, 9}}, mine[:1], mine},
		"by the task's question":   {ScoreItem{Messages: said, Task: Task{Public: question}}, mine[:1], mine},
		"another question":         {ScoreItem{Messages: said, Task: elsewhere}, []string{all[0], all[2]}, all},
		"the question alone":       {ScoreItem{Messages: said[:3], Task: Task{Public: question}}, nil, nil},
		"no messages":              {ScoreItem{FinalAnswer: "a"}, nil, nil},
	} {
		item := scoreRequestFromWire(scoreRequestToWire(ScoreRequest{Items: []ScoreItem{c.item}})).Items[0]
		if diff := cmp.Diff(c.written, contents(item.Written())); diff != "" {
			t.Errorf("%s: written (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(c.response, contents(item.Response())); diff != "" {
			t.Errorf("%s: response (-want +got):\n%s", name, diff)
		}
	}
}

func contents(messages []Message) (out []string) {
	for _, m := range messages {
		out = append(out, m.Content)
	}
	return out
}
