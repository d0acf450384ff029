package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/awhost/awhost/sdk"
)

// sorted normalizes a member for comparison: it sorts the members of objects. Codex changes the order of
// client_metadata each time it resends a request.
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

// answered returns the call whose message ends a conversation, if the program repeats unfinished requests. Codex keeps
// the message from a stream that was cut off before its last event, and resends the request with that message appended
// to get the missing event. The caller holds the lease's lock.
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
