package rollout

import (
	"github.com/awhost/awhost/sdk"
)

// Script says in a smoke run what the policy says in some of the episodes. It is used by many goroutines.
type Script interface {
	// Next is told of a call before it is made, and gives what the policy says; nil: it is sampled.
	Next(call ScriptCall) *sdk.Message
	// Answered tells what the token owner made of a message that Next gave.
	Answered(call ScriptCall, scripted *sdk.Message, answer *sdk.GenerateResponse)
}

// ScriptCall is a call as a Script sees it.
type ScriptCall struct {
	EpisodeID string
	Slot      Slot
	Number    int // within the attempt, from 1
	Tools     []sdk.Tool
}

// scripted is what the policy says in a call; nil: it is sampled.
func (s *stage) scripted(call ScriptCall) *sdk.Message {
	if s.Script == nil {
		return nil
	}
	return s.Script.Next(call)
}
