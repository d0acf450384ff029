package sdk

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Role is the author of a message.
type Role string

// The roles in a conversation.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of a conversation. It can be converted to and from OpenAI's chat format without loss.
type Message struct {
	Role Role `json:"role" jsonschema:"enum=system,enum=user,enum=assistant,enum=tool"`
	// Content is the text. An assistant's text contains markers such as <answer> verbatim.
	Content string `json:"content,omitempty"`
	// Images contains the non-text parts, in order. Image.TextAfter places them in the text.
	Images []Image `json:"images,omitempty"`
	// Reasoning is the model's reasoning text, if the model's format separates it from the content.
	Reasoning string `json:"reasoning,omitempty"`
	// ToolCalls contains an assistant's calls, in the order of the model's output.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID identifies the call to which a message with the role tool responds.
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Name is the name of the tool in a message with the role tool. In a swarm's transcript, it is the member that
	// wrote a message with the role assistant.
	Name string `json:"name,omitempty"`
	// IsError marks a tool result that reports a tool failure to the model.
	IsError bool `json:"is_error,omitempty"`
	// Malformed lists the parts of an assistant's output that look like tool calls but cannot be parsed. Their raw text
	// is also part of Content, so nothing is lost.
	Malformed []Malformed `json:"malformed,omitempty"`
	// Attachments contains the non-text parts of an environment's response, in order, for use in the record and by
	// rewards and agents. They are not sent to adapters; a policy sees the text in Content instead.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// ToolCall is a single call by an assistant.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is the JSON text exactly as the model wrote it. It parses as JSON. The environment determines whether
	// it matches the tool's schema.
	Arguments string `json:"arguments"`
}

// Malformed is an attempted tool call that cannot be parsed.
type Malformed struct {
	Text   string `json:"text"`   // the model's text
	Reason string `json:"reason"` // why it is not a call
}

// Image is an image in a message: Data with its MIMEType, or a URL.
type Image struct {
	MIMEType string `json:"mime_type,omitempty"`
	Data     []byte `json:"data,omitempty"`
	URL      string `json:"url,omitempty"`
	// TextAfter is the number of bytes in the message's Content that follow the image. It is 0 for an image that
	// follows the entire text.
	TextAfter int `json:"text_after,omitempty"`
}

// Address returns the image's URL, or a data URL if the image has Data.
func (i Image) Address() string {
	if len(i.Data) == 0 {
		return i.URL
	}
	return "data:" + i.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// Part is text or an image in a message.
type Part struct {
	Text  string
	Image *Image // nil for a text
}

// Parts returns a message's text and images in order.
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

// String returns a short description of the image.
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
	// Parameters is the JSON Schema for the arguments, stored verbatim.
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Origin identifies where the environment obtained the tool, as "server/tool". Patterns in the spec match against
	// it as well as against Name. No other code reads it.
	Origin string `json:"-"`
}

// Task is one problem in a dataset.
type Task struct {
	// ID is unique within its dataset and stable over time.
	ID string `json:"id"`
	// Public is a JSON object that every component may see. `prompt` (a string) or `messages` (a list) is the question.
	Public json.RawMessage `json:"public"`
	// Private is a JSON object that only components with NeedGroundTruth receive. `ground_truth` is the answer. It is
	// nil for all other components.
	Private json.RawMessage `json:"private,omitempty"`
	// Columns maps fields to the data columns from which they were taken, if the names differ. Dots refer to positions
	// in nested objects and lists: {"ground_truth": "metadata.answer"}.
	Columns map[string]string `json:"-"`
}

// Split is the purpose of a task.
type Split string

// The splits in a run.
const (
	SplitTrain      Split = "train"
	SplitValidation Split = "validation"
)

// FailureClass is the part of an episode that failed. The spec determines the consequences.
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

// Failure is an outcome that has no number. It is never converted to a number.
type Failure struct {
	Class     FailureClass `json:"class"`
	Detail    string       `json:"detail"`
	Retryable bool         `json:"retryable,omitempty"`
	// StopRun means that all further requests will fail in the same way until the user intervenes, for example when a
	// budget is exhausted. The run then stops and can be resumed, regardless of what the spec configures for failures
	// of the class.
	StopRun bool `json:"stop_run,omitempty"`
}

// Error implements error; the Failure can be recovered with errors.As.
func (f *Failure) Error() string { return string(f.Class) + ": " + f.Detail }
