package bfclenv

import (
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/decode"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk"
)

// native is BFCL's own loop: in each turn, the model makes calls until a message contains none.
type native struct {
	env          *environment
	entry        *entry.Entry
	player       *backend.Backend
	truthBackend *backend.Backend
	tools        []sdk.Tool

	turn       int
	steps      [][]string // of the turn: the calls of each message
	answers    []string   // of all turns so far
	verdict    check.Verdict
	right      int // correct turns
	calls      int
	exceptions int
}

func newNative(e *environment, one *entry.Entry) (player, error) {
	s := e.setup(one)
	p, err := backend.New(s.World, s.Classes, s.Config, backend.Names(s.Player, s.ID, s.World.Profile))
	if err != nil {
		return nil, err
	}
	teacher, err := backend.New(s.World, s.Classes, s.Config,
		backend.Names(s.Player+"_ground_truth", s.ID, s.World.Profile))
	if err != nil {
		return nil, err
	}
	return &native{env: e, entry: one, player: p, truthBackend: teacher, tools: e.tools.of(one),
		verdict: check.Verdict{Valid: true}}, nil
}

func (n *native) text() bool { return n.env.config.Mode == "text" }

// textPrompt explains function calls to a model without tools.
const textPrompt = `You solve the user's requests by calling functions. To call some, answer with nothing but a list of calls in Python's syntax, with named arguments:
[first(parameter='value'), second(number=3)]
You then see what they returned, and may call more. When you are done with a request, or no function helps, answer in plain words: then the user goes on. The functions, one JSON object a line:
{functions}`

func (n *native) open() ([]sdk.Message, []sdk.Tool) {
	messages := n.question()
	if n.text() {
		return append(n.env.system(textPrompt, n.tools), messages...), nil
	}
	return append(n.env.system("", n.tools), messages...), n.tools
}

// question returns the user's messages at the start of the turn.
func (n *native) question() []sdk.Message {
	arrived := n.entry.Missed[n.turn]
	if len(arrived) > 0 {
		content := entry.MissedPrompt
		if n.text() {
			content = n.env.tools.listing(n.env.tools.named(n.entry, arrived)) + "\n" + content
		}
		return []sdk.Message{{Role: sdk.RoleUser, Content: content}}
	}
	var out []sdk.Message
	for _, text := range n.entry.Questions[n.turn] {
		out = append(out, sdk.Message{Role: sdk.RoleUser, Content: text})
	}
	return out
}

func (n *native) step(message sdk.Message) (*sdk.StepResponse, error) {
	calls, ids := n.read(message)
	if len(calls) == 0 {
		return n.next()
	}
	n.steps = append(n.steps, calls)
	response := &sdk.StepResponse{}
	results := py.NewList()
	for i, call := range calls {
		output := n.player.Execute(call)
		n.answers = append(n.answers, output)
		failed := backend.Raised(output)
		n.calls++
		if failed {
			n.exceptions++
		}
		if n.text() {
			results.Append(py.NewDict("role", "tool", "name", call, "content", output))
			continue
		}
		response.Messages = append(response.Messages, sdk.Message{
			Role: sdk.RoleTool, ToolCallID: ids[i], Name: message.ToolCalls[i].Name, Content: py.ValidText(output),
			IsError: failed,
		})
	}
	if n.text() {
		response.Messages = []sdk.Message{{Role: sdk.RoleUser, Content: py.ValidText(py.Repr(results))}}
	}
	if len(n.steps) > n.env.config.StepLimit {
		return n.forceTerminate(response)
	}
	return response, nil
}

// read returns the calls in a message as source. A message that cannot be parsed ends the turn, like one without calls.
func (n *native) read(message sdk.Message) (calls, ids []string) {
	if n.text() {
		calls, err := decode.Text(message.Content, api.V4)
		if err != nil {
			return nil, nil
		}
		return calls, nil
	}
	for _, c := range message.ToolCalls {
		call := py.NewDict("name", c.Name, "arguments", arguments(c.Arguments))
		text, err := py.JSON(py.NewList(call))
		if err != nil {
			continue // cannot fail for names and parsed arguments
		}
		source := decode.ToolsText(text)
		calls, ids = append(calls, source[1:len(source)-1]), append(ids, c.ID)
	}
	return calls, ids
}

// arguments returns the arguments of a call, or none if the string is not an object.
func arguments(text string) py.Value {
	v, err := py.ParseJSON([]byte(text))
	if d, ok := v.(*py.Dict); ok && err == nil {
		return d
	}
	return py.NewDict()
}

// next judges the turn and returns the next question.
func (n *native) next() (*sdk.StepResponse, error) {
	if err := n.judge(); err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment,
			Detail: fmt.Sprintf("judge turn %d of %s: %v", n.turn, n.entry.ID, err)}
	}
	n.turn++
	n.steps = nil
	if n.turn >= len(n.entry.Questions) {
		return &sdk.StepResponse{Done: true}, nil
	}
	response := &sdk.StepResponse{Messages: n.question()}
	if arrived := n.entry.Missed[n.turn]; len(arrived) > 0 && !n.text() {
		n.tools = append(n.tools[:len(n.tools):len(n.tools)], n.env.tools.named(n.entry, arrived)...)
		response.Tools, response.ToolsChanged = n.tools, true
	}
	return response, nil
}

// judge compares the turn with the ground truth. The first wrong turn determines the result.
func (n *native) judge() error {
	truth := n.entry.Truth[n.turn]
	wanted := make([]string, len(truth))
	for i, call := range truth {
		wanted[i] = n.truthBackend.Execute(call)
	}
	if len(truth) == 0 {
		n.right++
		return nil
	}
	found := check.Verdict{Type: check.EmptyTurn, Turn: n.turn,
		Message: fmt.Sprintf("Model response list is empty for turn %d", n.turn)}
	if !check.Empty(n.steps) {
		var err error
		if found, err = check.Turn(n.player, n.truthBackend, n.answers, wanted, n.turn); err != nil {
			return err
		}
	}
	if found.Valid {
		n.right++
	}
	if n.verdict.Valid {
		n.verdict = found
	}
	return nil
}

// forceTerminate ends an episode whose turn takes too many rounds.
func (n *native) forceTerminate(response *sdk.StepResponse) (*sdk.StepResponse, error) {
	if n.turn == len(n.entry.Questions)-1 { // the leaderboard judges the last turn as if the model had ended it
		if err := n.judge(); err != nil {
			return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
		}
		n.turn++
	} else if n.verdict.Valid {
		n.verdict = check.Verdict{Type: check.ForceTerminated, Turn: n.turn,
			Message: fmt.Sprintf("turn %d took more than %d rounds of calls", n.turn, n.env.config.StepLimit)}
	}
	response.Done, response.Truncated = true, true
	return response, nil
}

func (n *native) summary() summary {
	out := summary{
		Entry: n.entry.ID, Category: n.entry.Category, Turn: n.turn, Turns: len(n.entry.Questions), TurnsRight: n.right,
		Calls: n.calls, Exceptions: n.exceptions,
		Verdict: verdictOf(n.verdict), State: stateOf(n.player),
	}
	if out.Turn < out.Turns && out.Verdict.Valid { // the episode has not ended
		out.Verdict = verdict{Type: check.ForceTerminated, Turn: n.turn,
			Message: fmt.Sprintf("the episode ended in turn %d of %d", n.turn, out.Turns)}
	}
	return out
}

// stateOf returns the API state as JSON.
func stateOf(b *backend.Backend) json.RawMessage {
	text, err := py.JSONCompact(api.Encode(b.State()))
	if err != nil {
		return json.RawMessage("null") // cannot fail for encoded values
	}
	return json.RawMessage(py.ValidText(text))
}
