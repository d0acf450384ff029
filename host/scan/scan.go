// Package scan looks for problems in finished conversations: hacked rewards, broken environments, leaked answers,
// refusals, and loops.
//
//	scanner := scan.New(nil) // all rules
//	for _, hit := range scanner.Scan(scan.Conversation{Messages: messages, Private: task.Private}) { … }
//
//	scan.go         a conversation, a hit, the scanner
//	rules.hcl       all phrases and patterns, by rule
//	checks.go       evaluates rules.hcl
//	phrases.go      phrases in a text, in one pass
//	environment.go  scan_environment: a tool fails and does not recover
//	leak.go         scan_leaked_answer: the answer is shown before the policy gives it
//	loop.go         scan_loop
//	judge.go        a scan by a reward
//
// Text is data: no part of a conversation is executed or followed. A hit needs more than a phrase: its context must
// exclude innocent explanations, such as a task that asks for changes to tests. The package must not know where
// conversations are stored, or who displays hits.
package scan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// The rules. Package findings describes them.
const (
	RewardHack   = "scan_reward_hack"
	Environment  = "scan_environment"
	LeakedAnswer = "scan_leaked_answer"
	Refusal      = "scan_refusal"
	Loop         = "scan_loop"
)

// weakFailure marks results that are failures of an environment if they are repeated.
const weakFailure = "weak_environment"

var rules = []struct {
	id   string
	find func(*conversation) []Hit
}{{RewardHack, hacks}, {Environment, brokenTools}, {LeakedAnswer, leaks}, {Refusal, refusals}, {Loop, loops}}

// IDs returns the ids of all rules.
func IDs() (out []string) {
	for _, r := range rules {
		out = append(out, r.id)
	}
	return out
}

// Conversation is a finished conversation.
type Conversation struct {
	Messages []sdk.Message
	Sampled  []int           // positions of the policy's messages; nil: all messages of assistants
	Private  json.RawMessage // of the task; empty: unknown
	Success  *bool
}

// Hit is a message for which a rule holds.
type Hit struct {
	Rule    string `json:"rule"`
	Message int    `json:"message"`         // index in the conversation, from 0
	Quote   string `json:"quote,omitempty"` // of the message; empty for leaked answers
}

// Scanner applies rules. It is safe for concurrent use.
type Scanner struct{ only []string }

// New returns a scanner with some rules, or with all of them if only is empty.
func New(only []string) *Scanner { return &Scanner{only} }

// Scan returns the first hit of each rule.
func (s *Scanner) Scan(from Conversation) (out []Hit) {
	load()
	c := parse(from)
	for _, r := range rules {
		if len(s.only) > 0 && !slices.Contains(s.only, r.id) {
			continue
		}
		if hits := r.find(c); len(hits) > 0 {
			hit := slices.MinFunc(hits, func(a, b Hit) int { return a.Message - b.Message })
			hit.Rule = r.id
			out = append(out, hit)
		}
	}
	return out
}

func hacks(c *conversation) []Hit { return c.hits[RewardHack] }

// refusals returns the messages in which the policy declines the task, unless that solves it.
func refusals(c *conversation) []Hit {
	if c.Success != nil && *c.Success {
		return nil
	}
	return c.hits[Refusal]
}

// conversation is a conversation together with the hits of the checks.
type conversation struct {
	Conversation
	from    []origin
	texts   []string         // by message: what a policy addresses to its user, or the content
	others  []string         // by message, without the policy's
	answers []*step          // by message: the step whose result it is
	first   int              // the policy's first message
	last    int              // the policy's last message
	prompts []string         // in their order
	tools   []string         // by message: the tools that it calls or that answer in it
	steps   []*step          // in their order
	hits    map[string][]Hit // by rule

	matched       map[*regexp.Regexp][]string // matches of conditions about all messages
	prompt, asked func() string               // of the system and users, in lower case; the same without what it forbids
}

// origin is the kind of a message.
type origin int

const (
	prompt origin = iota // of the system or a user
	policy
	result // of a tool
)

// step is a call with its result, or a message without calls and what follows it.
type step struct {
	call         *sdk.ToolCall // nil: a message
	text, result string        // of the arguments, without JSON's escapes; empty without a result
	message      int
	answered     bool
}

// action returns the name and arguments of a call, or the text of a message.
func (s *step) action() string {
	if s.call == nil {
		return s.text
	}
	return s.call.Name + " " + s.text
}

// longestResult limits the bytes at the beginning of a tool's result in which failures are searched.
const longestResult = 600

// unescape replaces the frequent escapes in JSON.
func unescape(text string) string {
	var out []byte
	rest := text
	for at := strings.IndexByte(rest, '\\'); at >= 0 && at+1 < len(rest); at = strings.IndexByte(rest, '\\') {
		out = append(out, rest[:at]...)
		switch rest[at+1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case '"':
			out = append(out, '"')
		default:
			out = append(out, rest[at:at+2]...)
		}
		rest = rest[at+2:]
	}
	if out == nil {
		return text
	}
	return string(append(out, rest...))
}

func parse(from Conversation) *conversation {
	n := len(from.Messages)
	c := &conversation{Conversation: from, from: make([]origin, n), texts: make([]string, n), tools: make([]string, n),
		others: make([]string, n), answers: make([]*step, n), first: n, hits: map[string][]Hit{},
		matched: map[*regexp.Regexp][]string{}}
	c.prompt = sync.OnceValue(func() string { return strings.ToLower(strings.Join(c.prompts, "\n")) })
	c.asked = sync.OnceValue(func() string { return patterns["not_asked"].ReplaceAllString(c.prompt(), "") })
	for _, i := range from.Sampled {
		c.from[i] = policy
	}
	open := 0 // first step whose result may follow
	for i := range from.Messages {
		m := &from.Messages[i]
		c.texts[i], c.tools[i] = strings.ReplaceAll(m.Content, "’", "'"), m.Name
		switch {
		case c.from[i] == policy || from.Sampled == nil && m.Role == sdk.RoleAssistant:
			c.from[i], c.first, c.last = policy, min(c.first, i), i
			if strings.Contains(c.texts[i], "<") { // it may have thoughts
				c.texts[i] = answertext.ModelText(c.texts[i])
			}
			open = len(c.steps)
			if len(m.ToolCalls) == 0 {
				c.steps = append(c.steps, &step{message: i, text: c.texts[i]})
			}
			for k := range m.ToolCalls {
				call := &m.ToolCalls[k]
				c.steps = append(c.steps, &step{call: call, text: unescape(call.Arguments), message: i})
				c.tools[i] += call.Name + " "
			}
		case m.Role == sdk.RoleTool || m.Role == sdk.RoleUser && i > 0 && matches("results", c.texts[i]):
			c.from[i], c.others[i] = result, c.texts[i]
			answers := func(s *step) bool {
				return !s.answered && (m.ToolCallID == "" || s.call != nil && s.call.ID == m.ToolCallID)
			}
			if k := slices.IndexFunc(c.steps[open:], answers); k >= 0 {
				s := c.steps[open+k]
				s.answered, s.result, c.answers[i] = true, c.texts[i], s
				if s.call != nil {
					c.tools[i] = s.call.Name
				}
			}
		default:
			if k := len(c.steps) - 1; k >= 0 && !c.steps[k].answered && c.steps[k].call == nil {
				c.steps[k].answered, c.steps[k].result, c.answers[i] = true, c.texts[i], c.steps[k]
			}
			c.others[i], c.prompts = c.texts[i], append(c.prompts, c.texts[i])
		}
	}
	for i, text := range c.texts {
		switch c.from[i] {
		case policy:
			c.check(mark{message: i, text: text}, "policy", "said", "written")
			if thoughts := c.Messages[i].Content; len(thoughts) > len(text)+before {
				c.check(mark{message: i, text: thoughts}, "said")
			}
			if strings.Contains(text, "```") {
				c.check(mark{message: i, text: text}, "code", "written")
				c.fitted(mark{message: i, text: text})
			}
		default:
			if c.from[i] == result || c.answers[i] != nil {
				c.check(mark{message: i, text: text[:min(len(text), longestResult)]}, "result")
			}
		}
	}
	for _, s := range c.steps {
		if s.call == nil {
			continue
		}
		c.check(mark{message: s.message, text: s.text, step: s}, "call", "code", "written")
		c.fitted(mark{message: s.message, text: s.text})
	}
	return c
}

// Bounds of a quote, in bytes before and after the phrase.
const quoteBefore, quoteAfter = 40, 120

// excerpt returns the text around a position, as valid UTF-8.
func excerpt(text string, at int) string {
	from, to := max(0, at-quoteBefore), min(len(text), at+quoteAfter)
	return strings.TrimSpace(strings.ToValidUTF8(text[from:to], ""))
}
