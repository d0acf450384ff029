package awhost

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
)

func TestFollow_SaysThatARunDidNotComplete(t *testing.T) {
	for name, c := range map[string]struct{ events, want string }{
		"killed": {`{"type":"version"}`, "without the event run_finished"},
		"failed": {`{"type":"run_finished","time":"2026-01-01T00:00:00Z","outcome":"failed","reason":"a plugin died"}`,
			"a plugin died"},
		"noise": {`panic: oh`, "read an event"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Follow(strings.NewReader(c.events), func(event.Event) {}); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestFollow_TellsEachEventInItsOrder(t *testing.T) {
	var told []string
	err := Follow(strings.NewReader(`{"type":"version"}
{"type":"step_finished","time":"2026-01-01T00:00:01Z","step":1}
{"type":"run_finished","time":"2026-01-01T00:00:02Z","outcome":"completed"}
`), func(e event.Event) { told = append(told, string(e.Payload.Kind())) })
	if got := strings.Join(told, " "); err != nil || got != "step_finished run_finished" {
		t.Errorf("told %q, error %v", got, err)
	}
}
