package event_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/event"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestEventsAreFlatJSONObjects(t *testing.T) {
	tests := []struct {
		name    string
		payload event.Payload
		want    string
	}{
		{
			"header first",
			event.Interrupted{Stage: event.StopFirst},
			`{"type":"interrupted","time":"2026-03-01T12:00:00Z","run":"quickstart-1","incarnation":2,"seq":7,"stage":"first"}`,
		},
		{
			"missing and non-finite numbers are null",
			event.ValidationFinished{SuccessRate: event.Known(math.NaN()), Seconds: event.Seconds(math.Inf(1)),
				Metrics: event.Metrics{"b": math.Inf(-1), "a": 0.5}},
			`{"type":"validation_finished","time":"2026-03-01T12:00:00Z","run":"quickstart-1","incarnation":2,"seq":7,` +
				`"stage":"","step":0,"success_rate":null,"reward":null,"episodes":0,"failed":0,"best":false,"seconds":null,"metrics":{"a":0.5,"b":null}}`,
		},
		{
			"what a terminal would obey is escaped, what people read is not",
			event.Log{Level: event.LevelInfo, Source: "host", Message: "<é> \x1b[2J \u202e\u009b\x7f\U000e0041 😀"},
			`{"type":"log","time":"2026-03-01T12:00:00Z","run":"quickstart-1","incarnation":2,"seq":7,` +
				`"level":"info","source":"host","message":"<é> \u001b[2J \u202e\u009b\u007f\udb40\udc41 😀"}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line, err := event.AppendLine(nil, event.Event{Time: noon, Run: "quickstart-1", Incarnation: 2, Seq: 7,
				Payload: test.payload})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want+"\n", string(line)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzAnyTextSurvivesJSON(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b]0;title\a\u202e\U000e0041\u2028")
	f.Add("\xff\xfe\\u0041\"")
	f.Fuzz(func(t *testing.T, message string) {
		line, err := event.AppendLine(nil, event.Event{Time: noon, Payload: event.Log{Message: message}})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Message string }
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if want := string([]rune(message)); got.Message != want { // invalid bytes become U+FFFD
			t.Errorf("read back %q, wrote %q", got.Message, want)
		}
		if strings.Count(string(line), "\n") != 1 {
			t.Errorf("%q is not one line", line)
		}
	})
}
