package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/awhost/awhost/sdk"
)

// sorted is a member of a request as it is compared: an object whatever the order of its members. Codex writes
// client_metadata in another order each time it sends a request again.
func sorted(value []byte) []byte {
	if trimmed := bytes.TrimLeft(value, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return value
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var members any
	if d.Decode(&members) != nil {
		return value
	}
	out, err := json.Marshal(members)
	if err != nil {
		return value
	}
	return out
}

// answered finds the call whose message a conversation ends with, where a program repeats whatever it has not got to
// the end: Codex keeps the message of a stream that was cut before its last event, and sends the request again behind
// it. It asks for nothing but that event. The caller holds the lease's lock.
func (l *lease) answered(a *ask) *call {
	last := len(a.request.Messages) - 1
	if l.Repeats != RepeatsReplay || last < 0 || last >= len(a.request.Calls) ||
		a.request.Messages[last].Role != sdk.RoleAssistant {
		return nil
	}
	c := l.known[a.request.Calls[last]]
	if c == nil || len(c.replies) != 1 {
		return nil
	}
	if c.arrived {
		return l.join(c, a, metricReplayed)
	}
	return l.join(c, a, metricJoined)
}
