package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// dialect is a protocol used by programs.
type dialect interface {
	// decode parses a request of a lease. The policy is offered exactly the tools that it names.
	decode(body []byte, l *lease) (*ask, *problem)
	// whole returns a response in one piece.
	whole(replies []*sdk.ModelReply, a *ask) any
	// events returns a response as a stream. The last event ends it.
	events(replies []*sdk.ModelReply, a *ask) []event
	// problem returns an error as a body, and trouble returns it as the remainder of a stream that has already begun.
	problem(p *problem) any
	trouble(p *problem) []event
	// finally returns the status at which the dialect's programs exit instead of retrying, because no further request
	// with their key will be answered.
	finally() int
	// model returns an entry for the list of models.
	model(name string) any
	// tooLong returns the error that programs recognize as indicating a conversation that exceeds the context.
	tooLong(detail string) *problem
}

// event is a server-sent event.
type event struct {
	name string // empty: the event has no name
	data any    // a json.RawMessage is sent unchanged
}

// text returns the event in wire format.
func (e event) text() []byte {
	var data []byte
	if raw, ok := e.data.(json.RawMessage); ok {
		data = raw
	} else {
		data, _ = json.Marshal(e.data) // answers can be encoded as JSON
	}
	out := []byte("data: ")
	if e.name != "" {
		out = []byte("event: " + e.name + "\ndata: ")
	}
	return append(append(out, data...), "\n\n"...)
}

// decode parses a request in a dialect.
func (l *lease) decode(d dialect, body []byte, header http.Header) (*ask, *problem) {
	a, p := d.decode(body, l)
	if p != nil {
		return nil, p
	}
	if len(a.foreign) > 0 && !l.DropTools {
		return nil, refused("tools", "a tool is of type %q%s: only functions are offered to the policy; "+
			`provider_tools = "drop" in the agent's block leaves other ones out`, a.foreign[0], executor(a.foreign[0]))
	}
	a.claims, a.retry = claimsOf(header), retryOf(header)
	a.request.Member, a.request.Thread = who(a.claims)
	a.compacts = compacts(a.request)
	auxiliary := l.Auxiliary.match(a, header)
	if a.compacts { // with or without tools
		auxiliary = !l.TrainCompaction
	}
	if auxiliary {
		a.request.Member = MemberAuxiliary
	}
	return a, nil
}

// executedByClient are the beginnings of the types of tools that a program executes, although their schemas are the
// provider's.
var executedByClient = []string{
	"apply_patch", "bash_", "computer", "custom", "local_shell", "memory_", "shell", "text_editor_",
}

// executor describes who would execute a tool of a type that is not a function.
func executor(kind string) string {
	if slices.ContainsFunc(executedByClient, func(s string) bool { return strings.HasPrefix(kind, s) }) {
		return ", which the program executes and only the provider's models know"
	}
	return ", which the provider would execute"
}

// fail sends an error and reports whether all of it was written.
func fail(w http.ResponseWriter, d dialect, p *problem) bool {
	text, _ := json.Marshal(d.problem(p)) // texts can be encoded as JSON
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	status := p.status
	if p.final {
		status = d.finally()
	}
	if status != http.StatusTooManyRequests && status != http.StatusRequestTimeout {
		w.Header().Set("X-Should-Retry", "false") // a retry would fail again
	}
	w.WriteHeader(status)
	if _, err := w.Write(text); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}
