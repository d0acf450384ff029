// Package madness finds messages of a model that are broken as text: markers of a chat template, characters that no
// text has, loops, tool calls that nobody can read, and answers that are not in the form that was asked for.
//
// It owns the rules, by named profiles: those of AgentJet as they are, and awhost's own. What follows from a finding,
// and who is asked for messages, it must not know.
//
//	rules, err := madness.New(madness.ProfileAwhost, []madness.Check{madness.Nonsense, madness.WrongToolCall})
//	for _, f := range rules.Find(&message) {
//		// f.Check is "nonsense", f.Reason "repeated_words", f.Offset where the loop begins
//	}
//
// A message is looked through in time linear in its length; see docs/madness.md for the rules in words.
package madness

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/sdk"
)

// Profile names a set of rules. What a name means never changes.
type Profile string

// The profiles.
const (
	ProfileAwhost      Profile = "awhost"
	ProfileAgentJet    Profile = "ajet-2026-01" // AgentJet at d20cce0
	ProfileAgentJetNew Profile = "ajet-head"    // AgentJet at 4c03596: more characters are text
)

// Profiles are all of them, the default first.
func Profiles() []string {
	return []string{string(ProfileAwhost), string(ProfileAgentJet), string(ProfileAgentJetNew)}
}

// Check is a kind of madness.
type Check string

// The checks.
const (
	Nonsense      Check = "nonsense"       // markers of a chat template, characters that no text has, loops
	WrongToolCall Check = "wrong_toolcall" // calls that cannot be carried out
	Repeat        Check = "repeat"         // loops alone
	Format        Check = "format"         // anything but a thought and one block of Python
)

// Checks are all of them.
func Checks() []string {
	return []string{string(Nonsense), string(WrongToolCall), string(Repeat), string(Format)}
}

// Reason says what of a check was found.
type Reason string

// The reasons.
const (
	ReasonMarker             Reason = "template_marker"     // of Nonsense
	ReasonCharacter          Reason = "character"           // of Nonsense
	ReasonRepeatedWords      Reason = "repeated_words"      // of Nonsense and Repeat
	ReasonRepeatedCharacters Reason = "repeated_characters" // of Nonsense and Repeat

	ReasonArguments    Reason = "arguments"      // of WrongToolCall: they are no JSON object
	ReasonUnreadable   Reason = "unreadable"     // of WrongToolCall: who sampled could not parse the call
	ReasonToolCallText Reason = "tool_call_text" // of WrongToolCall: the marker of a call stands in the text

	ReasonThoughtFirst Reason = "thought_not_first" // of Format
	ReasonThoughtCount Reason = "thought_not_once"
	ReasonCodeFirst    Reason = "code_not_first"
	ReasonCodeLast     Reason = "code_not_last"
	ReasonCodeCount    Reason = "code_not_once"
)

// MessagePart says which text of a message an offset counts in.
type MessagePart string

// The parts.
const (
	PartContent   MessagePart = "content"
	PartReasoning MessagePart = "reasoning"
	PartArguments MessagePart = "arguments" // of a tool call
)

// Finding is a check that a message has not passed. A check has one at most in each part of a message.
type Finding struct {
	Check  Check       `json:"check"`
	Reason Reason      `json:"reason"`
	Part   MessagePart `json:"part"`
	Call   int         `json:"tool_call,omitempty"` // of PartArguments: which tool call of the message, from 0
	Offset int         `json:"offset"`              // in bytes, where it begins
	Near   string      `json:"near,omitempty"`      // what stands there
}

// found is a reason and where it holds.
type found struct {
	reason Reason
	offset int
}

// Rules are the checks of a profile that somebody wants.
type Rules struct {
	profile profile
	checks  []Check
}

// profile is what profiles differ in. Each returns nil where there is nothing.
type profile struct {
	marker    func(text string) *found
	character func(text string) *found
	loop      func(text string) *found
	object    func(arguments string) *found
	callText  func(text string) *found
}

// New checks the names.
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
		return nil, fmt.Errorf("there is no profile %q of madness; there are %s", name, strings.Join(Profiles(), ", "))
	}
	for _, check := range checks {
		if !slices.Contains(Checks(), string(check)) {
			return nil, fmt.Errorf("there is no check %q for madness; there are %s", check, strings.Join(Checks(), ", "))
		}
	}
	return rules, nil
}

// Find returns what is mad about a message of a model, in the order of the checks.
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

// nonsense is the first of its reasons.
func (p *profile) nonsense(text string) *found {
	for _, of := range []func(string) *found{p.marker, p.character, p.loop} {
		if f := of(text); f != nil {
			return f
		}
	}
	return nil
}

// Bytes around a finding that are quoted.
const (
	nearBefore = 24
	nearAfter  = 56
)

// near quotes a text around a place, in whole characters.
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
