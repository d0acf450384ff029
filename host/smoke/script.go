package smoke

import (
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/toolargs"
)

// The contents of the script.
const (
	callsPerEpisode = 2 // then it answers: episodes are short, and contexts may be small
	finalAnswer     = "scripted answer"
)

// Script implements rollout.Script and records the results.
type Script struct {
	mu     sync.Mutex
	starts map[string]int // by episode: the first tool of its script
	stages map[string]*reading
}

// reading holds data about a stage's calls that its episode records do not contain.
type reading struct {
	Tools   int // maximum number offered in a call
	Calls   int // scripted messages with a tool call that were answered
	Misread int // scripted messages that were parsed differently
	Example string
}

// NewScript returns an empty script.
func NewScript() *Script {
	return &Script{starts: map[string]int{}, stages: map[string]*reading{}}
}

// scripted reports whether a sample follows the script: every second sample in a group, and every second group in a
// validation with one sample per task.
func scripted(index, sample int) bool { return (index+sample)&1 == 1 }

// Next implements rollout.Script.
func (s *Script) Next(call rollout.ScriptCall) *sdk.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	stage := s.stage(call.Slot.Stage)
	stage.Tools = max(stage.Tools, len(call.Tools))
	if !scripted(call.Slot.Index, call.Slot.Sample) {
		return nil
	}
	if len(call.Tools) == 0 || call.Number > callsPerEpisode {
		return &sdk.Message{Role: sdk.RoleAssistant, Content: finalAnswer}
	}
	first, known := s.starts[call.EpisodeID]
	if !known { // each episode continues where the previous one ended, so that all tools are used
		first = len(s.starts) * callsPerEpisode
		s.starts[call.EpisodeID] = first
	}
	tool := call.Tools[(first+call.Number-1)%len(call.Tools)]
	return &sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{
		ID: fmt.Sprintf("call_%d", call.Number), Name: tool.Name, Arguments: toolargs.Generate(tool.Parameters),
	}}}
}

// Answered implements rollout.Script.
func (s *Script) Answered(call rollout.ScriptCall, wanted *sdk.Message, answer *sdk.GenerateResponse) {
	if len(wanted.ToolCalls) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stage := s.stage(call.Slot.Stage)
	stage.Calls++
	difference := compare(wanted.ToolCalls[0], answer)
	if difference == "" {
		return
	}
	stage.Misread++
	if stage.Example == "" {
		stage.Example = difference
	}
}

func (s *Script) stage(name string) *reading {
	if s.stages[name] == nil {
		s.stages[name] = &reading{}
	}
	return s.stages[name]
}

// of returns the data about a stage's calls.
func (s *Script) of(stage string) reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.stage(stage)
}

var _ rollout.Script = (*Script)(nil)
