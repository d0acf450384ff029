package gateway

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/awhost/awhost/sdk"
)

// dialect is a protocol that programs speak.
type dialect interface {
	// decode reads a request. It offers the policy the tools that it names, and no others.
	decode(body []byte) (*ask, *problem)
	// whole is an answer in one piece.
	whole(replies []*sdk.ModelReply, a *ask) any
	// events are an answer as a stream, of which the last one ends it.
	events(replies []*sdk.ModelReply, a *ask) []event
	// problem is an error as a body, and trouble one as the rest of a stream that has begun.
	problem(p *problem) any
	trouble(p *problem) []event
	// finally is the status at which programs end that speak the dialect, instead of asking again: nothing that is asked
	// with their key will be answered any more.
	finally() int
	// model is one of the list of models.
	model(name string) any
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
func (l *lease) decode(d dialect, body []byte, header http.Header) (*ask, *problem) {
	a, p := d.decode(body)
	if p != nil {
		return nil, p
	}
	if len(a.foreign) > 0 && !l.DropTools {
		return nil, refused("tools", "a tool is of type %q: only functions are offered to the policy; "+
			`provider_tools = "drop" in the agent's block leaves other ones out`, a.foreign[0])
	}
	a.claims, a.retry = claimsOf(header), retryOf(header)
	a.request.Member, a.request.Thread = who(a.claims)
	a.compacts = compacts(a.request)
	auxiliary := l.Auxiliary.match(a.request, header)
	if a.compacts { // with or without tools
		auxiliary = !l.TrainCompaction
	}
	if auxiliary {
		a.request.Member = MemberAuxiliary
	}
	return a, nil
}

// fail answers with an error, and reports whether all of it was written.
func fail(w http.ResponseWriter, d dialect, p *problem) bool {
	text, _ := json.Marshal(d.problem(p)) // texts have a JSON form
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	status := p.status
	if p.final {
		status = d.finally()
	}
	if status != http.StatusTooManyRequests && status != http.StatusRequestTimeout {
		w.Header().Set("X-Should-Retry", "false") // what fails here fails again
	}
	w.WriteHeader(status)
	if _, err := w.Write(text); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}
