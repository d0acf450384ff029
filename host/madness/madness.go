// Package madness finds model messages whose text is broken: chat template markers, characters that do not belong in
// text, loops, unreadable tool calls, and answers that do not have the requested form.
//
// It owns the rules, which are grouped into named profiles: AgentJet's rules, unchanged, and awhost's rules. It must
// not depend on the consequences of a finding or on the source of the messages.
//
//	rules, err := madness.New(madness.ProfileAwhost, []madness.Check{madness.Nonsense, madness.WrongToolCall})
//	for _, f := range rules.Find(&message) {
//		// f.Check is "nonsense", f.Reason "repeated_words", f.Offset the start of the loop
//	}
//
// The time is linear in the length of a message. docs/guides/madness.md describes the rules.
package madness

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
)

// Profile is the name of a set of rules. The rules identified by a name never change.
type Profile string

// The profiles.
const (
	ProfileAwhost      Profile = "awhost"
	ProfileAgentJet    Profile = "ajet-2026-01" // AgentJet at d20cce0
	ProfileAgentJetNew Profile = "ajet-head"    // AgentJet at 4c03596: more characters are text
)

// Profiles returns all profiles, with the default first.
func Profiles() []string {
	return []string{string(ProfileAwhost), string(ProfileAgentJet), string(ProfileAgentJetNew)}
}

// Check is a kind of broken message.
type Check string

// The checks.
const (
	Nonsense      Check = "nonsense"       // markers of a chat template, characters that no text contains, loops
	WrongToolCall Check = "wrong_toolcall" // calls that cannot be executed
	Repeat        Check = "repeat"         // only loops
	Format        Check = "format"         // anything but a thought and one block of Python
)

// Checks returns all checks.
func Checks() []string {
	return []string{string(Nonsense), string(WrongToolCall), string(Repeat), string(Format)}
}

// Reason identifies a check's finding.
type Reason string

// The reasons.
const (
	ReasonMarker             Reason = "template_marker"     // of Nonsense
	ReasonCharacter          Reason = "character"           // of Nonsense
	ReasonRepeatedWords      Reason = "repeated_words"      // of Nonsense and Repeat
	ReasonRepeatedCharacters Reason = "repeated_characters" // of Nonsense and Repeat

	ReasonArguments    Reason = "arguments"      // of WrongToolCall: not a JSON object
	ReasonUnreadable   Reason = "unreadable"     // of WrongToolCall: the sampler could not parse the call
	ReasonToolCallText Reason = "tool_call_text" // of WrongToolCall: the text contains the marker of a call

	ReasonThoughtFirst Reason = "thought_not_first" // of Format
	ReasonThoughtCount Reason = "thought_not_once"
	ReasonCodeFirst    Reason = "code_not_first"
	ReasonCodeLast     Reason = "code_not_last"
	ReasonCodeCount    Reason = "code_not_once"
)

// MessagePart is the part of a message that an offset refers to.
type MessagePart string

// The parts.
const (
	PartContent   MessagePart = "content"
	PartReasoning MessagePart = "reasoning"
	PartArguments MessagePart = "arguments" // of a tool call
)

// Finding is a check that a message has failed. A check produces at most one finding in each part of a message.
type Finding struct {
	Check  Check       `json:"check"`
	Reason Reason      `json:"reason"`
	Part   MessagePart `json:"part"`
	Call   int         `json:"tool_call,omitempty"` // for PartArguments: index of the tool call in the message, from 0
	Offset int         `json:"offset"`              // byte offset of its beginning
	Near   string      `json:"near,omitempty"`      // the text there
}

// found is a reason and its offset.
type found struct {
	reason Reason
	offset int
}

// Rules holds a profile and the selected checks.
type Rules struct {
	profile profile
	checks  []Check
}

// profile holds the rules that differ between profiles. Each returns nil without a finding.
type profile struct {
	marker    func(text string) *found
	character func(text string) *found
	loop      func(text string) *found
	object    func(arguments string) *found
	callText  func(text string) *found
}

// New validates the names and returns the rules.
func New(name Profile, checks []Check) (*Rules, error) {
	rules := &Rules{checks: slices.Clone(checks)}
	switch name {
	case ProfileAwhost:
		rules.profile = awhostProfile()
	case ProfileAgentJet:
		rules.profile = agentJetProfile(agentJetText)
	case ProfileAgentJetNew:
		rules.profile = agentJetProfile(agentJetNewText)
	default:
		return nil, fmt.Errorf("unknown madness profile %q; use one of %s", name, strings.Join(Profiles(), ", "))
	}
	for _, check := range checks {
		if !slices.Contains(Checks(), string(check)) {
			return nil, fmt.Errorf("unknown madness check %q; use one of %s", check, strings.Join(Checks(), ", "))
		}
	}
	return rules, nil
}

// Find returns the findings in a model message, in the order of the checks.
func (r *Rules) Find(m *sdk.Message) []Finding {
	var out []Finding
	add := func(check Check, part MessagePart, text string, f *found) {
		if f != nil {
			out = append(out, Finding{Check: check, Reason: f.reason, Part: part, Offset: f.offset, Near: near(text, f.offset)})
		}
	}
	for _, check := range r.checks {
		switch check {
		case Nonsense, Repeat:
			of := r.profile.nonsense
			if check == Repeat {
				of = r.profile.loop
			}
			add(check, PartReasoning, m.Reasoning, of(m.Reasoning))
			add(check, PartContent, m.Content, of(m.Content))
		case WrongToolCall:
			if f := r.profile.wrongToolCall(m); f != nil {
				out = append(out, *f)
			}
		case Format:
			add(check, PartContent, m.Content, format(m))
		}
	}
	return out
}

// nonsense returns the first finding of the checks for markers, characters, and loops.
func (p *profile) nonsense(text string) *found {
	for _, of := range []func(string) *found{p.marker, p.character, p.loop} {
		if f := of(text); f != nil {
			return f
		}
	}
	return nil
}

// Number of bytes quoted around a finding.
const (
	nearBefore = 24
	nearAfter  = 56
)

// near quotes the text around an offset without splitting characters.
func near(text string, offset int) string {
	from, to := max(0, offset-nearBefore), min(len(text), offset+nearAfter)
	for from < to && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > from && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	return text[from:to]
}
