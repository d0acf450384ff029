package runstore

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEnvelope_EncodesAsJSONDoes(t *testing.T) {
	for _, at := range []time.Time{time.Unix(0, 0).UTC(), time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC), time.Date(2026, 3, 4, 5, 6, 7, 120000000, time.UTC)} {
		for _, kind := range recordTypes[1:] {
			e := envelope{Type: kind, Incarnation: 3, At: at, Data: json.RawMessage(`{"a":[1,"é"]}`)}
			want, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(e.encode())); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestNumbers_EncodeAlikeWhetherFiniteOrNot(t *testing.T) {
	for want, n := range map[string]Numbers{`{}`: nil, `{"a":0.1,"b":1e-7}`: {"b": 1e-7, "a": 0.1}} {
		got, err := json.Marshal(n)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}
