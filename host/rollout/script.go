package rollout

import (
	"github.com/awhost/awhost/sdk"
)

// Script provides the policy's messages in some episodes of a smoke run. It is used concurrently.
type Script interface {
	// Next is called before a call is made and returns the policy's message. If it returns nil, the message is sampled.
	Next(call ScriptCall) *sdk.Message
	// Answered reports the token owner's response to a message that Next returned.
	Answered(call ScriptCall, scripted *sdk.Message, answer *sdk.GenerateResponse)
}

// ScriptCall describes a call to a Script.
type ScriptCall struct {
	EpisodeID string
	Slot      Slot
	Number    int // within the attempt, from 1
	Tools     []sdk.Tool
}

// scriptedMessage returns the scripted message for a call, or nil if it is sampled.
func (s *stage) scriptedMessage(call ScriptCall) *sdk.Message {
	if s.Script == nil {
		return nil
	}
	return s.Script.Next(call)
}
