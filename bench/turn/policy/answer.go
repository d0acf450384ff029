package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// The reported numbers have the same size as in a real run.
const (
	promptTokens = 40
	outputTokens = 20
	chainDigest  = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
)

// Generate implements sdk.Adapter. It calls the right tool until the last turn, in which it answers. The chain's ID
// contains the question, so no state is needed.
func (a *adapter) Generate(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	chain, turn := req.Chain, (req.Base+len(req.Messages))/2 // two messages per turn, after the question
	if chain == "" {
		chain = req.Messages[len(req.Messages)-1].Content
	}
	p, err := parse(chain)
	if err != nil {
		return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: err.Error()}
	}
	out := &sdk.GenerateResponse{
		PromptTokens: promptTokens, OutputTokens: outputTokens, RemainingTokens: 1 << 20, Chain: chain,
		ChainDigest: chainDigest,
		ChainLength: req.Base + len(req.Messages) + 1, Versions: []sdk.VersionSpan{{Tokens: outputTokens}},
	}
	if turn < a.Turns-1 {
		out.Finish, out.Message = sdk.FinishToolCalls, p.call(req.CallID)
		out.Message.Content = a.said
	} else {
		out.Finish, out.Message = sdk.FinishStop, p.answer()
	}
	return out, nil
}

// problem is a calculator question.
type problem struct {
	tool string
	a, b int64
}

// parse parses "68%18=".
func parse(question string) (problem, error) {
	for sign, tool := range map[string]string{"+": "add", "-": "sub", "*": "mul", "%": "mod"} {
		left, right, found := strings.Cut(strings.TrimSuffix(question, "="), sign)
		if !found {
			continue
		}
		a, err := strconv.ParseInt(left, 10, 64)
		if err != nil {
			return problem{}, err
		}
		b, err := strconv.ParseInt(right, 10, 64)
		return problem{tool, a, b}, err
	}
	return problem{}, fmt.Errorf("%q is not a question of the calculator", question)
}

func (p problem) call(id string) sdk.Message {
	arguments, err := json.Marshal(struct {
		A int64 `json:"a"`
		B int64 `json:"b"`
	}{p.a, p.b})
	if err != nil {
		panic(err) // two numbers can always be encoded
	}
	return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: id, Name: p.tool,
		Arguments: string(arguments)}}}
}

func (p problem) answer() sdk.Message {
	var n int64
	switch p.tool {
	case "add":
		n = p.a + p.b
	case "sub":
		n = p.a - p.b
	case "mul":
		n = p.a * p.b
	case "mod":
		n = p.a % p.b
	}
	return sdk.Message{Role: sdk.RoleAssistant, Content: fmt.Sprintf("<answer>%d</answer>", n)}
}
