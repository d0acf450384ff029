package gateway

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// claimNames lists the headers in which programs identify the caller. None of them is a credential; all other headers
// stay with the request. Their values are only a hint within a lease: the caller is authenticated by its key.
var claimNames = []string{
	headerCodexTurn, headerCodexParent, headerOpenAISubagent, "x-codex-window-id", "session-id", "thread-id", // Codex
	headerClaudeSession, "x-session-id", "x-session-affinity", // Claude Code; opencode
	"user-agent",
}

const (
	headerCodexTurn      = "x-codex-turn-metadata"
	headerCodexParent    = "x-codex-parent-thread-id"
	headerOpenAISubagent = "x-openai-subagent"
	headerClaudeSession  = "x-claude-code-session-id"
)

// mostClaimBytes is the size limit for keeping a header.
const mostClaimBytes = 2 << 10

// claimsOf returns the identifying headers of a request. It returns nil if the request has none.
func claimsOf(header http.Header) map[string]string {
	var out map[string]string
	for _, name := range claimNames {
		value := header.Get(name)
		if value == "" || len(value) > mostClaimBytes || !utf8.ValidString(value) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	return out
}

// headerRetry is the header in which the OpenAI and Anthropic clients count the retries of a request, starting at 0.
// Claude Code also sends 0 with its own retries.
const headerRetry = "x-stainless-retry-count"

// retryOf returns how many times a client has already sent a request, if the client reports it.
func retryOf(header http.Header) int {
	n, err := strconv.Atoi(header.Get(headerRetry))
	if err != nil {
		return 0
	}
	return n
}

// codexTurn holds the relevant members of the request description that Codex sends.
type codexTurn struct {
	AgentName string `json:"agent_name"` // "/root" is the agent itself
	ThreadID  string `json:"thread_id"`
}

// memberSubAgent is the member for requests that a program attributes to one of its sub-agents. The sub-agent's name is
// recorded but not used, because the policy may have chosen it.
const memberSubAgent = "sub_agent"

// who returns the calling member and the conversation named by the claims; each is "" if unknown.
func who(claims map[string]string) (member, thread string) {
	var turn codexTurn
	if text := claims[headerCodexTurn]; text != "" && json.Unmarshal([]byte(text), &turn) != nil {
		turn = codexTurn{}
	}
	named := turn.AgentName != "" && turn.AgentName != "/root"
	if named || claims[headerCodexParent] != "" || claims[headerOpenAISubagent] != "" {
		member = memberSubAgent
	}
	for _, value := range []string{
		turn.ThreadID, claims["thread-id"], claims[headerClaudeSession], claims["x-session-id"],
	} {
		if value != "" {
			return member, value
		}
	}
	return member, ""
}

// Prefixes of the prompts that request a summary of a conversation that has become too long, as in Codex 0.171.0,
// Claude Code 2.1.332, Qwen Code 0.24.4 and opencode 1.18.33.
var (
	compactionSystem = []string{
		"You are a helpful AI assistant tasked with summarizing conversations.",
		"You are the component that summarizes internal chat history into a given structure.", // Qwen Code 0.15
		"You are the component that summarizes a conversation when its context window is about to overflow.",
		"You are a context summarization agent.",
	}
	compactionUser = regexp.MustCompile(`(?m)^(You are performing a CONTEXT CHECKPOINT COMPACTION\.|` +
		`Your task is to create a detailed summary of ` +
		`(the conversation so far|this conversation|the RECENT portion of the conversation))`)
)

// compacts reports whether a request asks for a summary that will replace its conversation. It checks the first and
// last messages: the messages between them are history.
func compacts(request chat.Request) bool {
	if len(request.Messages) == 0 {
		return false
	}
	first, last := &request.Messages[0], &request.Messages[len(request.Messages)-1]
	begins := func(words string) bool { return strings.HasPrefix(strings.TrimSpace(first.Content), words) }
	return first.Role == sdk.RoleSystem && slices.ContainsFunc(compactionSystem, begins) ||
		last.Role == sdk.RoleUser && compactionUser.MatchString(last.Content)
}
