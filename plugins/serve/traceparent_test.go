package serveplugin

import (
	"io"
	"net/http"
	"testing"

	"github.com/awhost/awhost/sdk/traceparent"
)

// TestAgent_PassesTheTraceOn checks that the service receives the trace of an episode, if it has one.
func TestAgent_PassesTheTraceOn(t *testing.T) {
	var got string
	a := asked(t, nil, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Traceparent")
		_, _ = io.WriteString(w, `{"final_answer":"3"}`)
	})
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, want := range []string{trace, ""} {
		if _, err := a.Run(traceparent.With(t.Context(), want), episode(), nil, nil); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("the service is told %q, not %q", got, want)
		}
	}
}
