package traceparent_test

import (
	"testing"

	"github.com/awhost/awhost/sdk/traceparent"
)

const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestWith(t *testing.T) {
	if got := traceparent.From(t.Context()); got != "" {
		t.Errorf("a context without a traceparent has %q", got)
	}
	if got := traceparent.From(traceparent.With(t.Context(), good)); got != good {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{
		"", "00", good + "0", "01" + good[2:], "00-" + good[4:] + "1",
		"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01",
		"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
		"00-4bf92f3577b34da6a3ce929d0e0e4736\n00f067aa0ba902b7-01",
	} {
		if got := traceparent.From(traceparent.With(t.Context(), bad)); got != "" {
			t.Errorf("%q was accepted as a traceparent", bad)
		}
	}
}
