package sdk

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Role is the author of a message.
type Role string

// The roles of a conversation.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation. It maps to and from the chat format of OpenAI without loss.
type Message struct {
	Role Role `json:"role" jsonschema:"enum=system,enum=user,enum=assistant,enum=tool"`
	// Content is the text. An assistant's text holds markers such as <answer> verbatim.
	Content string `json:"content,omitempty"`
	// Images are the non-text parts, in order. Image.TextAfter places them in the text.
	Images []Image `json:"images,omitempty"`
	// Reasoning is the model's reasoning text, if its format separates it from the content.
	Reasoning string `json:"reasoning,omitempty"`
	// ToolCalls holds an assistant's calls, in the order of the model's output.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID names the call that a message of role tool answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Name is the tool's name in a message of role tool. In a swarm's transcript it is the member that wrote a message
	// of role assistant.
	Name string `json:"name,omitempty"`
	// IsError marks a tool result that reports a failure of the tool to the model.
	IsError bool `json:"is_error,omitempty"`
	// Malformed lists the parts of an assistant's output that look like tool calls and cannot be parsed. Their raw
	// text is also part of Content, so nothing is lost.
	Malformed []Malformed `json:"malformed,omitempty"`
	// Attachments holds the non-text parts of an environment's answer, in order, for the record, for rewards and for
	// agents. They are not sent to adapters; a policy sees the text of Content instead.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// ToolCall is one call of an assistant.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is the JSON text exactly as the model wrote it. It parses as JSON. The environment decides whether it
	// fits the tool's schema.
	Arguments string `json:"arguments"`
}

// Malformed is an attempted tool call that cannot be parsed.
type Malformed struct {
	Text   string `json:"text"`   // the model's text
	Reason string `json:"reason"` // why it is not a call
}

// Image is a picture in a message: Data with its MIMEType, or a URL.
type Image struct {
	MIMEType string `json:"mime_type,omitempty"`
	Data     []byte `json:"data,omitempty"`
	URL      string `json:"url,omitempty"`
	// TextAfter is the number of bytes of the message's Content that follow the image. It is 0 for an image after the
	// whole text.
	TextAfter int `json:"text_after,omitempty"`
}

// Address returns the URL of the image, or a data URL if the image has Data.
func (i Image) Address() string {
	if len(i.Data) == 0 {
		return i.URL
	}
	return "data:" + i.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// Part is a text or an image of a message.
type Part struct {
	Text  string
	Image *Image // nil for a text
}

// Parts returns the texts and images of a message in order.
func (m *Message) Parts() []Part {
	var out []Part
	rest := m.Content
	text := func(end int) {
		if end > 0 {
			out, rest = append(out, Part{Text: rest[:end]}), rest[end:]
		}
	}
	for i := range m.Images {
		text(min(len(rest), len(rest)-m.Images[i].TextAfter))
		out = append(out, Part{Image: &m.Images[i]})
	}
	text(len(rest))
	return out
}

// SetParts replaces Content and Images. Consecutive texts become one.
func (m *Message) SetParts(parts []Part) {
	var texts []string
	size := 0
	m.Images = nil
	for _, p := range parts {
		if p.Image == nil {
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
			size += len(p.Text)
			continue
		}
		image := *p.Image
		image.TextAfter = size
		m.Images = append(m.Images, image)
	}
	m.Content = strings.Join(texts, "") // one text is not copied
	for i := range m.Images {
		m.Images[i].TextAfter = size - m.Images[i].TextAfter
	}
}

// String returns a short description of the picture.
func (i Image) String() string {
	words := []string{"image"}
	for _, word := range []string{i.MIMEType, i.URL} {
		if word != "" {
			words = append(words, word)
		}
	}
	if len(i.Data) > 0 {
		words = append(words, fmt.Sprintf("%d bytes", len(i.Data)))
	}
	return strings.Join(words, ", ")
}

// Tool is a tool that an agent may call.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the arguments, kept verbatim.
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Origin is the environment's source of the tool, "server/tool". Patterns of the spec match it as well as Name. No
	// other code reads it.
	Origin string `json:"-"`
}

// Task is one problem of a dataset.
type Task struct {
	// ID is unique within its dataset and stable over time.
	ID string `json:"id"`
	// Public is a JSON object that every component may see. `prompt` (text) or `messages` (a list) is the question.
	Public json.RawMessage `json:"public"`
	// Private is a JSON object that only components with NeedGroundTruth receive. `ground_truth` is the answer. It is
	// nil for all other components.
	Private json.RawMessage `json:"private,omitempty"`
	// Columns maps fields to the data columns they were taken from, if the names differ. Dots lead into nested objects
	// and lists: {"ground_truth": "metadata.answer"}.
	Columns map[string]string `json:"-"`
}

// Split is the purpose of a task.
type Split string

// The splits of a run.
const (
	SplitTrain      Split = "train"
	SplitValidation Split = "validation"
)

// FailureClass is the part of an episode that failed. The spec decides the consequences.
type FailureClass string

// The failure classes; see the table in docs/explain/architecture.md.
const (
	FailurePolicy         FailureClass = "POLICY"         // the model's output cannot be used
	FailureModel          FailureClass = "MODEL"          // the inference engine failed
	FailureEnvironment    FailureClass = "ENVIRONMENT"    // the environment failed
	FailureReward         FailureClass = "REWARD"         // the reward cannot return a number
	FailureAgent          FailureClass = "AGENT"          // the agent failed
	FailureInfrastructure FailureClass = "INFRASTRUCTURE" // a plugin exited, a connection broke
	FailureTimeout        FailureClass = "TIMEOUT"        // the episode's active budget is spent
)

// Failure is an outcome without a number. It is never turned into one.
type Failure struct {
	Class     FailureClass `json:"class"`
	Detail    string       `json:"detail"`
	Retryable bool         `json:"retryable,omitempty"`
	// StopRun reports that all further requests will fail in the same way until the user acts, as when a budget is
	// exhausted. The run then stops, resumably, whatever the spec configures for failures of the class.
	StopRun bool `json:"stop_run,omitempty"`
}

// Error implements error; errors.As finds the Failure again.
func (f *Failure) Error() string { return string(f.Class) + ": " + f.Detail }
