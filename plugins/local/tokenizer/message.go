package tokenizer

// Role is the author of a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

var roleHeaders = map[Role]int32{RoleSystem: System, RoleUser: User, RoleAssistant: Assistant, RoleTool: Tool}

// Message is one entry in a conversation.
type Message struct {
	Role    Role
	Content string // an assistant's contains markers such as <answer> as text

	Reasoning string          // an assistant's thoughts before its content, without the <think> markers
	ToolCalls []ToolCall      // an assistant's, in the order of its output
	Malformed []MalformedCall // invalid calls; also part of Content, and ignored by encoding
}

// ToolCall is a tool call by an assistant.
type ToolCall struct {
	Name      string
	Arguments string // JSON text, byte for byte as the assistant wrote it
}

// MalformedCall is an attempted tool call that cannot be parsed.
type MalformedCall struct {
	Text   string // the assistant's text, including markers
	Reason string // why it is invalid
}
