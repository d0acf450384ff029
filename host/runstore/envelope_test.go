package runstore

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEnvelope_EncodesAsJSONDoes(t *testing.T) {
	for _, at := range []time.Time{time.Unix(0, 0).UTC(), time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC),
		time.Date(2026, 3, 4, 5, 6, 7, 120000000, time.UTC)} {
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

// The output of encode is read without parsing the data. Any other form of the same envelope has the same result.
func TestParseEnvelope(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC)
	for _, data := range []string{`{}`, `{"a":[1,{"b":"}"}],"c":"\\\"{"}`, `{"é":"\"]"}`, `[1]`, `7`, `null`} {
		want := envelope{Type: TypeEvent, Incarnation: 3, At: at, Data: json.RawMessage(data)}
		for _, raw := range []string{
			string(want.encode()),
			`{"at":"2026-03-04T05:06:07.000000089Z","type":"event","data":` + data + `,"incarnation":3}`,
			string(want.encode()[:len(want.encode())-1]) + `,"later":{"x":1}}`,
		} {
			got, err := parseEnvelope([]byte(raw))
			if err != nil {
				t.Errorf("%s: %v", raw, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", raw, diff)
			}
		}
	}
	for _, raw := range []string{
		``, `{}x`, `{"type":"event","incarnation":3,"at":"2026-03-04T05:06:07Z","data":{"a":"}`,
		`{"type":"event","incarnation":3,"at":"2026-03-04T05:06:07Z","data":{"a":1}}}`,
	} {
		if got, err := parseEnvelope([]byte(raw)); err == nil {
			t.Errorf("%s is read as %+v", raw, got)
		}
	}
}
