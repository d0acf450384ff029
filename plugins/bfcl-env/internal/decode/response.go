package decode

import (
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk/pytext"
)

// Kind is the type of a response.
type Kind string

// The kinds of responses.
const (
	KindAnswer   Kind = "answer"
	KindToolCall Kind = "tool_call"
)

// Response parses a response: one <think>, then one <tool_call> with JSON or one <answer>, and nothing else. content
// is the content of the tag. If problem is not empty, it describes the error, and content is the response.
func Response(response string) (content string, kind Kind, problem string) {
	stripped := pytext.Strip(response)
	thoughts, tools, answers := between(stripped, "think"), between(stripped, "tool_call"), between(stripped, "answer")
	switch {
	case len(thoughts) == 0:
		problem = "Error: Missing <think></think> tags"
	case len(thoughts) > 1:
		problem = "Error: Multiple <think></think> tag pairs found. Only one pair is allowed."
	case len(tools) > 1:
		problem = "Error: Multiple <tool_call></tool_call> tag pairs found. Only one pair is allowed."
	case len(answers) > 1:
		problem = "Error: Multiple <answer></answer> tag pairs found. Only one pair is allowed."
	case len(tools) > 0 && len(answers) > 0:
		problem = "Error: Response cannot contain both <tool_call> and <answer> tags"
	case len(tools) == 0 && len(answers) == 0:
		problem = "Error: Response must contain either <tool_call> or <answer> tags"
	case len(tools) > 0:
		return tool(response, stripped, tools[0])
	case outside(stripped, "answer"):
		problem = outsideProblem
	default:
		return pytext.Strip(answers[0]), KindAnswer, ""
	}
	return response, "", problem
}

const outsideProblem = "Error: Response must not contain text outside the required XML tags"

// tool rewrites the JSON of a call in the format of json.dumps.
func tool(response, stripped, body string) (content string, kind Kind, problem string) {
	if outside(stripped, "tool_call") {
		return response, "", outsideProblem
	}
	v, err := py.ParseJSON([]byte(pytext.Strip(body)))
	if err != nil {
		return response, "", "Error: Invalid JSON inside <tool_call>: " + strings.TrimPrefix(err.Error(), "JSONDecodeError: ")
	}
	if content, err = py.JSON(v); err != nil {
		return response, "", err.Error()
	}
	return content, KindToolCall, ""
}

// between returns the strings between a tag and its next end tag.
func between(text, tag string) []string {
	var out []string
	cut(text, tag, func(_, inside string) { out = append(out, inside) })
	return out
}

// outside reports whether there is text outside <think> and another tag.
func outside(text, tag string) bool {
	return strings.TrimFunc(without(without(text, "think"), tag), pytext.IsSpace) != ""
}

// without returns a string with a tag and its content removed.
func without(text, tag string) string {
	var out strings.Builder
	rest := cut(text, tag, func(before, _ string) { out.WriteString(before) })
	return out.String() + rest
}

// cut calls found with the text before and inside each pair of tags, and returns the text after the last pair.
func cut(text, tag string, found func(before, inside string)) string {
	opening, closing := "<"+tag+">", "</"+tag+">"
	for {
		before, rest, ok := strings.Cut(text, opening)
		if !ok {
			return text
		}
		inside, after, ok := strings.Cut(rest, closing)
		if !ok {
			return text
		}
		found(before, inside)
		text = after
	}
}
