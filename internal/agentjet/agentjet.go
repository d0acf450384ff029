// Package agentjet reproduces the way AgentJet merges timelines. awhost's rows are compared with the result, which is
// never used for training. Of two calls, it keeps the longer conversation, comparing only the message text, and
// replaces text with the sampled tokens of the shorter conversation. Therefore, if two tool calls differ and have no
// other text, one call's tokens precede the other call's result.
//
//	rows := agentjet.Merge(timelines, agentjet.Policy{Level: agentjet.Text, IgnoreTools: true})
//	sample := agentjet.Control{Begin: begin, End: end}.Sample(rows[0], maxPrompt)
//
// The source is AgentJet's timeline_merging.py and base_tracker.py. Tests compare it with vectors recorded from these
// files, including their quirks. Training code must not import it.
package agentjet

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
)

// authorModel is the author of a message that the model wrote.
const authorModel = "llm"

// Message is a message in a timeline, with its tokens in the chat template: header, text, end, and trailing tokens.
type Message struct {
	Author        string          `json:"author"`
	Role          string          `json:"role"`
	Content       string          `json:"content"`
	ToolCalls     json.RawMessage `json:"tool_calls"`
	Tools         json.RawMessage `json:"tools"`
	Tokens        []int32         `json:"tokens"`
	Logprobs      []float64       `json:"logprobs"`
	LackNormalEOS bool            `json:"lack_normal_eos"` // the model did not sample the end of the message
}

// The levels at which messages are compared.
const (
	Text  = "text"
	Token = "token"
)

// Policy defines when two messages are equal.
type Policy struct {
	Level       string `json:"timeline_compare_level"`
	IgnoreTools bool   `json:"ignore_tools"`
}

func (p Policy) same(a, b *Message) bool {
	if p.Level == Token {
		return slices.Equal(a.Tokens, b.Tokens)
	}
	return a.Content == b.Content
}

// extends reports whether longer begins with shorter.
func (p Policy) extends(longer, shorter []Message) bool {
	if len(longer) < len(shorter) || !p.IgnoreTools && len(shorter) > 0 && !sameTools(longer[0].Tools, shorter[0].Tools) {
		return false
	}
	for i := range shorter {
		if !p.same(&longer[i], &shorter[i]) {
			return false
		}
	}
	return true
}

func sameTools(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// Merge merges each timeline into the newest one that extends it, and returns the remaining ones, oldest first.
// Messages that the model wrote in a merged timeline also count as the model's messages in the newer one.
func Merge(timelines [][]Message, p Policy) [][]Message {
	newest := make([][]Message, len(timelines))
	for i, t := range timelines {
		newest[len(timelines)-1-i] = slices.Clone(t)
	}
	absorbed := make([]bool, len(newest))
	for i, longer := range newest {
		for j := i + 1; j < len(newest) && !absorbed[i]; j++ {
			if absorbed[j] || !p.extends(longer, newest[j]) {
				continue
			}
			for k, m := range newest[j] {
				if m.Author == authorModel && longer[k].Author != authorModel {
					longer[k].Author, longer[k].Tokens, longer[k].Logprobs = m.Author, m.Tokens, m.Logprobs
				}
			}
			absorbed[j] = true
		}
	}
	var left [][]Message
	for i := len(newest) - 1; i >= 0; i-- {
		if !absorbed[i] {
			left = append(left, newest[i])
		}
	}
	return left
}

// Control holds the tokens around the model's text.
type Control struct {
	Begin []int32 // the generation prompt
	End   []int32 // the IDs that end a message
}

// begins returns the start of the model's text, after the first header. Without a header it returns the result of
// Python's index arithmetic.
func (c Control) begins(ids []int32) int {
	for i := 0; i+len(c.Begin) <= len(ids); i++ {
		if slices.Equal(ids[i:i+len(c.Begin)], c.Begin) {
			return i + len(c.Begin)
		}
	}
	return min(len(c.Begin)-1, len(ids))
}

// ends returns the index of the last end of a message, or -1 if it has none.
func (c Control) ends(ids []int32) int {
	for i := len(ids) - 1; i >= 0; i-- {
		if slices.Contains(c.End, ids[i]) {
			return i
		}
	}
	return -1
}

// Replaced is a message whose text was replaced with sampled tokens. Mask and Logprobs may be longer than IDs if the
// message had no end, as in the original code.
type Replaced struct {
	IDs           []int32
	Logprobs      []float64
	Mask          []int
	LackNormalEOS bool
}

// Replace replaces the text of a message with sampled IDs.
func (c Control) Replace(container, sampled []int32, logprobs []float64) (Replaced, error) {
	if len(sampled) >= len(c.Begin) && slices.Equal(sampled[:len(c.Begin)], c.Begin) {
		return Replaced{}, errors.New("the sampled IDs begin with a message header")
	}
	begin, end := c.begins(container), c.ends(container)
	ended := len(sampled) > 0 && slices.Contains(c.End, sampled[len(sampled)-1])
	text, after := sampled, from(container, end)
	rest := len(after)
	if ended {
		text, rest = sampled[:len(sampled)-1], len(container)-(end+1)
	}
	out := Replaced{IDs: slices.Concat(container[:begin], text, after), LackNormalEOS: !ended}
	out.Logprobs = slices.Concat(make([]float64, begin), logprobs, make([]float64, rest))
	out.Mask = slices.Concat(make([]int, begin), slices.Repeat([]int{1}, len(sampled)), make([]int, rest))
	return out, nil
}

// from slices as in Python, where -1 is the last element.
func from(ids []int32, i int) []int32 {
	if i < 0 {
		i = max(0, len(ids)+i)
	}
	return ids[i:]
}

// Sample is a training row in AgentJet's format.
type Sample struct {
	Prompt           []int32   `json:"prompt_ids"`
	Response         []int32   `json:"response_ids"`
	ResponseMask     []int     `json:"response_loss_mask"`
	ResponseLogprobs []float64 `json:"response_logprobs"`
	Mask             []int     `json:"loss_mask"`
	Positions        []int     `json:"position_ids"`
}

// mostHeader bounds the search for the end of the prompt in the model's first message.
const mostHeader = 100

// Sample returns the row for a timeline. It omits the last message if the model did not write it.
func (c Control) Sample(timeline []Message, maxPrompt int) Sample {
	if n := len(timeline); n > 0 && timeline[n-1].Author != authorModel {
		timeline = timeline[:n-1]
	}
	var ids []int32
	var logprobs []float64
	var s Sample
	split := -1
	for i := range timeline {
		m := &timeline[i]
		mask, its := make([]int, len(m.Tokens)), make([]float64, len(m.Tokens))
		if m.Author == authorModel {
			copy(its, m.Logprobs)
			last := c.ends(m.Tokens)
			if m.LackNormalEOS {
				last--
			}
			for at := c.begins(m.Tokens); at <= last; at++ {
				mask[at] = 1
			}
			if split < 0 {
				split = len(ids) + max(0, slices.Index(mask[:min(mostHeader, len(mask))], 1))
			}
		}
		ids, logprobs, s.Mask = append(ids, m.Tokens...), append(logprobs, its...), append(s.Mask, mask...)
	}
	split = min(max(split, 0), maxPrompt, len(ids))
	s.Prompt, s.Response = ids[:split], ids[split:]
	s.ResponseMask, s.ResponseLogprobs = s.Mask[split:], logprobs[split:]
	for i := range ids {
		s.Positions = append(s.Positions, i)
	}
	return s
}
