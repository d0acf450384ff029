package gateway

import (
	"encoding/json"
	"net/http"

	"github.com/awhost/awhost/sdk"
)

// dialect is a protocol that programs speak.
type dialect interface {
	// decode reads a request. It offers the policy the tools that it names, and no others.
	decode(members map[string]json.RawMessage, body []byte) (*ask, *problem)
	// whole is an answer in one piece.
	whole(replies []*sdk.ModelReply, a *ask) any
	// events are an answer as a stream, of which the last one ends it.
	events(replies []*sdk.ModelReply, a *ask) []event
	// problem is an error as a body, and trouble one as the rest of a stream that has begun.
	problem(p *problem) any
	trouble(p *problem) []event
	// tooLong has the words by which programs know that their conversation does not fit.
	tooLong(detail string) *problem
}

// event is one of a stream of server-sent events.
type event struct {
	name string // empty: it has none
	data any    // a json.RawMessage stands as it is
}

// text is the event as it is sent.
func (e event) text() []byte {
	var data []byte
	if raw, ok := e.data.(json.RawMessage); ok {
		data = raw
	} else {
		data, _ = json.Marshal(e.data) // what answers are made of has a JSON form
	}
	out := []byte("data: ")
	if e.name != "" {
		out = []byte("event: " + e.name + "\ndata: ")
	}
	return append(append(out, data...), "\n\n"...)
}

// decode reads a request in a dialect.
func (l *lease) decode(d dialect, body []byte, header http.Header) (*ask, bodyKey, *problem) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, bodyKey{}, refused("", "the request is no JSON object: %v", err)
	}
	a, p := d.decode(members, body)
	if p != nil {
		return nil, bodyKey{}, p
	}
	if len(a.foreign) > 0 && !l.DropTools {
		return nil, bodyKey{}, refused("tools", "a tool is of type %q: only functions are offered to the policy; "+
			`provider_tools = "drop" in the agent's block leaves other ones out`, a.foreign[0])
	}
	if l.Auxiliary.match(a.request, header) {
		a.request.Member = MemberAuxiliary
	}
	return a, keyOf(d, members), nil
}

// fail answers with an error.
func fail(w http.ResponseWriter, d dialect, p *problem) {
	text, _ := json.Marshal(d.problem(p)) // texts have a JSON form
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Should-Retry", "false") // what fails here fails again
	w.WriteHeader(p.status)
	_, _ = w.Write(text)
}
