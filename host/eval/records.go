package eval

import (
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/rollout"
)

// records is the sink of every engine. It removes the spec's secrets from the plugins' messages about an episode, warns
// about unread tool calls, and notifies the sampler that the episode has ended.
type records struct {
	rollout.Sink
	sampler sampler
	redact  func(text string) string
	unread  *unreadCalls
}

// unreadCalls warns about tool calls that are text, once per model.
type unreadCalls struct {
	log    func(level, source, message string, fields map[string]string) // may be nil
	mu     sync.Mutex
	warned map[string]bool // by address
}

func (u *unreadCalls) check(address string, calls rollout.ForeignCalls, remedy string, redact func(string) string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if calls.Calls == 0 || u.warned[address] || u.log == nil {
		return
	}
	u.warned[address] = true
	u.log("warn", address, redact(fmt.Sprintf("a message contains a tool call as text, which is not read as a call, for "+
		"example %q. %s", calls.Example, remedy)), nil)
}

func (r records) warn(record *rollout.AttemptRecord) {
	remedy := "Set tool_format of the adapter: awhost docs reference/tool-formats"
	if _, endpoint := r.sampler.(served); endpoint {
		remedy = rollout.ServedRemedy
	}
	r.unread.check(r.sampler.address(), record.Foreign, remedy, r.redact)
	for address, calls := range record.ServedForeign {
		r.unread.check(address, calls, rollout.ServedRemedy, r.redact)
	}
}

// Attempt implements rollout.Sink.
func (r records) Attempt(record *rollout.AttemptRecord) error {
	r.warn(record)
	return r.Sink.Attempt(record)
}

// Call implements rollout.CallSink.
func (r records) Call(record *rollout.CallRecord) error {
	if keep, ok := r.Sink.(rollout.CallSink); ok {
		return keep.Call(record)
	}
	return nil
}

// Episode implements rollout.Sink.
func (r records) Episode(record *rollout.EpisodeRecord) error {
	r.sampler.release(record.EpisodeID)
	r.warn(&record.AttemptRecord)
	if record.Failure != nil {
		record.Failure.Detail = r.redact(record.Failure.Detail)
	}
	for i := range record.Scores {
		for name, note := range record.Scores[i].Notes {
			record.Scores[i].Notes[name] = r.redact(note)
		}
	}
	return r.Sink.Episode(record)
}

var _ rollout.CallSink = records{}
