package jsonscan

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel/property"
)

// sample has a field for everything that a Scanner reads.
type sample struct {
	Text   string            `json:"text"`
	Int    int               `json:"int"`
	Float  float64           `json:"float"`
	Bool   bool              `json:"bool"`
	List   []sample          `json:"list"`
	Texts  map[string]string `json:"texts"`
	Other  any               `json:"other"`
	Raw    json.RawMessage   `json:"raw"`
	Maybe  *float64          `json:"maybe"`
	Absent *sample           `json:"absent,omitempty"`
}

func scanSample(s *Scanner) (out sample) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "text":
			out.Text = s.Text()
		case "int":
			out.Int = s.Int()
		case "float":
			out.Float = s.Float()
		case "bool":
			out.Bool = s.Bool()
		case "list":
			s.Array(func() { out.List = append(out.List, scanSample(s)) })
		case "texts":
			if !s.IsNull() {
				out.Texts = map[string]string{}
			}
			s.Object(func(name []byte) { out.Texts[string(name)] = s.Text() })
		case "raw":
			out.Raw = bytes.Clone(s.Raw())
		case "maybe":
			if s.IsNull() {
				s.Skip()
				return
			}
			n := s.Float()
			out.Maybe = &n
		default:
			s.Skip()
		}
	})
	return out
}

func drawSample(t *rapid.T, depth int) sample {
	odd := []string{"", `"`, `\`, `\"`, "é\n\t", "</script>&", "\u2028", "\x00\x1f", "😀"}
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom(odd))
	out := sample{
		Text: text.Draw(t, "text"), Int: rapid.IntRange(-1<<50, 1<<50).Draw(t, "int"), Bool: rapid.Bool().Draw(t, "bool"),
		Float: rapid.Float64Range(-1e300, 1e300).Draw(t, "float"),
		Other: rapid.SampledFrom([]any{nil, true, 1.5, "}]\\", []any{"{"}, map[string]any{"a": []any{}}}).Draw(t, "other"),
		Raw: rapid.SampledFrom(
			[]json.RawMessage{nil, json.RawMessage(`[1,{"a":"]"}]`), json.RawMessage(`"x"`)},
		).Draw(t, "raw"),
	}
	if rapid.Bool().Draw(t, "has") {
		out.Maybe = &out.Float
	}
	if depth > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			out.List = append(out.List, drawSample(t, depth-1))
		}
	}
	return out
}

func TestScanner_ReadsWhatJSONWrites(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(drawSample(t, 2))
		if err != nil {
			t.Fatal(err)
		}
		var want sample
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		clearOther(&want)
		s := New(data)
		got := scanSample(s)
		if !s.Done() {
			t.Fatalf("not understood: %s", data)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
		for end := range data { // no prefix of a record may be accepted
			cut := New(data[:end])
			scanSample(cut)
			if cut.Done() {
				t.Fatalf("%s is understood", data[:end])
			}
		}
	})
}

// clearOther removes the fields that scanSample skips.
func clearOther(s *sample) {
	s.Other = nil
	for i := range s.List {
		clearOther(&s.List[i])
	}
}

// Other forms and invalid JSON are left to encoding/json.
func TestScanner_LeavesOtherForms(t *testing.T) {
	for _, data := range []string{
		``, ` {}`, `{} `, `{"text": "a"}`, `{"te\u0078t":"a"}`, `{"text":"\ud83d\ude00"}`, `{"text":"` + "\xff" + `"}`,
		`{"text":"\x"}`,
		`{"text":7}`, `{"int":1e3}`, `{"int":1.0}`, `{"int":"1"}`, `{"int":99999999999999999999}`, `{"int":-}`,
		`{"float":true}`,
		`{"float":Inf}`, `{"bool":1}`, `{"list":{}}`, `{"list":[{},]}`, `{"list":[{}`, `{,}`, `{"text"}`, `[]`, `{}{}`,
		`{"other"`,
		`{"texts":["a"]}`, `{"text":"a""int":1}`,
	} {
		s := New([]byte(data))
		scanSample(s)
		if s.Done() {
			t.Errorf("%s is understood", data)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"text":"a\n\"","list":[{"int":-1}],"float":1e-7}`, `null`, `"\u003c"`, `[[[]]]`,
		`{"text":"`, `"\`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		scanSample(New(data))
		s := New(data)
		s.Skip()
		var compact bytes.Buffer
		if json.Compact(&compact, data) == nil && bytes.Equal(compact.Bytes(), data) && !s.Done() {
			t.Errorf("%s is a value", data)
		}
		var want string
		s = New(data)
		if text := s.Text(); s.Done() && json.Unmarshal(data, &want) == nil && text != want {
			t.Errorf("%s: %q, want %q", data, text, want)
		}
		var number float64
		s = New(data)
		if n := s.Float(); s.Done() && json.Unmarshal(data, &number) == nil && n != number && !math.IsNaN(n) {
			t.Errorf("%s: %v, want %v", data, n, number)
		}
	})
}
