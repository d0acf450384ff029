// Command go-openai is an agent that uses github.com/sashabaranov/go-openai. It reads its base URL and key from
// OPENAI_BASE_URL and OPENAI_API_KEY.
//
//	go run ./go-openai QUESTION
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/sashabaranov/go-openai"
)

var functions = map[string]func(a, b int) int{
	"add": func(a, b int) int { return a + b },
	"sub": func(a, b int) int { return a - b },
	"mul": func(a, b int) int { return a * b },
	"mod": func(a, b int) int { return a % b },
}

func main() {
	answer, asked, err := play(context.Background(), os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"answer": answer, "asked": asked})
}

func play(ctx context.Context, question string) (answer string, asked int, err error) {
	config := openai.DefaultConfig(os.Getenv("OPENAI_API_KEY"))
	config.BaseURL = os.Getenv("OPENAI_BASE_URL")
	client := openai.NewClientWithConfig(config)
	request := openai.ChatCompletionRequest{
		Model: openai.GPT4o, Tools: tools(), Messages: []openai.ChatCompletionMessage{{Role: "user", Content: question}},
	}
	for {
		completion, err := client.CreateChatCompletion(ctx, request)
		if err != nil {
			return "", asked, err
		}
		asked++
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return message.Content, asked, nil
		}
		request.Messages = append(request.Messages, message)
		for _, call := range message.ToolCalls {
			request.Messages = append(request.Messages, openai.ChatCompletionMessage{
				Role: "tool", ToolCallID: call.ID, Content: run(call.Function),
			})
		}
	}
}

func run(call openai.FunctionCall) string {
	var in struct{ A, B int }
	if err := json.Unmarshal([]byte(call.Arguments), &in); err != nil {
		return "error: " + err.Error()
	}
	function, known := functions[call.Name]
	if !known || call.Name == "mod" && in.B == 0 {
		return "error: this cannot be computed"
	}
	return strconv.Itoa(function(in.A, in.B))
}

func tools() []openai.Tool {
	integer := map[string]string{"type": "integer"}
	var out []openai.Tool
	for _, name := range []string{"add", "sub", "mul", "mod"} {
		out = append(out, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: name, Parameters: map[string]any{
				"type": "object", "properties": map[string]any{"a": integer, "b": integer}, "required": []string{"a", "b"},
			},
		}})
	}
	return out
}
