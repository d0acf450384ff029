package tokenizer

// Role says who wrote a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

var roleHeaders = map[Role]int32{RoleSystem: System, RoleUser: User, RoleAssistant: Assistant, RoleTool: Tool}

// Message is one entry of a conversation.
type Message struct {
	Role    Role
	Content string // an assistant's holds markers such as <answer> as text

	Reasoning string          // an assistant's thoughts before its content, without the <think> markers
	ToolCalls []ToolCall      // an assistant's, in the order of its output
	Malformed []MalformedCall // what looks like a call and is none; also part of Content, and ignored when encoding
}

// ToolCall is one call that an assistant asks for.
type ToolCall struct {
	Name      string
	Arguments string // JSON text, byte for byte as the assistant wrote it
}

// MalformedCall is an attempted tool call that cannot be parsed.
type MalformedCall struct {
	Text   string // what the assistant wrote, markers included
	Reason string // why it is no call
}
