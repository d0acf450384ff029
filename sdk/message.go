package sdk

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Role says who wrote a message.
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
	// Reasoning is the text that a model thinks aloud, where its format separates it from the content.
	Reasoning string `json:"reasoning,omitempty"`
	// ToolCalls are what an assistant asks for, in the order of the model's output.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID names the call that a message of role tool answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Name is the tool's name in a message of role tool. In the transcript of a swarm it is, in a message of role
	// assistant, the member that spoke.
	Name string `json:"name,omitempty"`
	// IsError marks a tool result that reports a failure of the tool to the model.
	IsError bool `json:"is_error,omitempty"`
	// Malformed lists the parts of an assistant's output that look like tool calls and cannot be parsed. Their raw
	// text is also part of Content, so nothing is lost.
	Malformed []Malformed `json:"malformed,omitempty"`
	// Attachments are what an environment answered as something else than text, in order: for the record, for rewards and
	// for agents. Adapters are not sent them; a policy sees what stands in Content instead.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// ToolCall is one call that an assistant asks for.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is the JSON text exactly as the model wrote it. It parses as JSON; whether it fits the tool's
	// schema is the environment's to say.
	Arguments string `json:"arguments"`
}

// Malformed is an attempted tool call that cannot be parsed.
type Malformed struct {
	Text   string `json:"text"`   // what the model wrote
	Reason string `json:"reason"` // why it is no call
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

// Address returns the URL of the image: a data URL where the image has Data.
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
	var text strings.Builder
	m.Images = nil
	for _, p := range parts {
		if p.Image == nil {
			text.WriteString(p.Text)
			continue
		}
		image := *p.Image
		image.TextAfter = text.Len()
		m.Images = append(m.Images, image)
	}
	m.Content = text.String()
	for i := range m.Images {
		m.Images[i].TextAfter = text.Len() - m.Images[i].TextAfter
	}
}

// String says in a few words what the picture is.
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

// Tool is something that an agent may call.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the arguments, kept verbatim.
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Origin is where an environment has the tool from, "server/tool": patterns of the spec match that as well as Name.
	// Nobody else sees it.
	Origin string `json:"-"`
}

// Task is one problem of a dataset.
type Task struct {
	// ID is unique within its dataset and stable over time.
	ID string `json:"id"`
	// Public is a JSON object that everybody may see. `prompt` (text) or `messages` (a list) is the question.
	Public json.RawMessage `json:"public"`
	// Private is a JSON object that only components with NeedGroundTruth receive. `ground_truth` is the answer.
	// Nil for everybody else.
	Private json.RawMessage `json:"private,omitempty"`
	// Columns names the columns of the data that fields were taken from, where the names differ. Dots lead into nested
	// objects and lists: {"ground_truth": "metadata.answer"}.
	Columns map[string]string `json:"-"`
}

// Split says what a task is used for.
type Split string

// The splits of a run.
const (
	SplitTrain      Split = "train"
	SplitValidation Split = "validation"
)

// FailureClass says which part of an episode failed. The spec decides what follows from it.
type FailureClass string

// The failure classes; see the table in docs/architecture.md.
const (
	FailurePolicy         FailureClass = "POLICY"         // the model's output cannot be used
	FailureModel          FailureClass = "MODEL"          // the inference engine failed
	FailureEnvironment    FailureClass = "ENVIRONMENT"    // the environment failed
	FailureReward         FailureClass = "REWARD"         // the reward has no number to give
	FailureAgent          FailureClass = "AGENT"          // the agent failed
	FailureInfrastructure FailureClass = "INFRASTRUCTURE" // a plugin died, a connection broke
	FailureTimeout        FailureClass = "TIMEOUT"        // the episode's active budget is spent
)

// Failure is an outcome without a number. It is never turned into one.
type Failure struct {
	Class     FailureClass `json:"class"`
	Detail    string       `json:"detail"`
	Retryable bool         `json:"retryable,omitempty"`
	// StopRun says that what is asked next will fail in the same way until a person has acted, as when a budget is spent:
	// the run stops, resumably, whatever the spec makes of failures of the class.
	StopRun bool `json:"stop_run,omitempty"`
}

// Error makes a Failure usable as an error; errors.As finds it again.
func (f *Failure) Error() string { return string(f.Class) + ": " + f.Detail }
