package rowjson_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
)

var texts = []string{
	`{"id":"a","prompt":"17+25=","ground_truth":42,"nested":{"b":[1,2,{"c":null}],"a":true,"f":false}}`,
	` { "a" : -0.5e+10 , "b" : [ ] , "c" : { } } `, `"plain"`, `-0`, `0`, `1.50`, `1E5`, `[]`, `null`,
	`"\u00e4\ud83d\ude00 \ud800 \udc00x \ud800\u0041 \"\\\/\b\f\n\r\t\u0000\u2028` + "\u2029ä😀\x7f" + `"`,
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `01`, `1.`, `.5`, `-`, `+1`, `1e`, `nul`, `tru`, `{"a"}`, `{"a":}`, `{a:1}`, `[1,]`, `{"a":1,}`,
	`"\x"`, `"\u12"`, `"\ud800\u12"`, `"` + "\x01" + `"`, `"` + "\xff" + `"`, `"\n` + "\xff" + `"`, `"open`, `"open\`, `[`, `{`, ``, ` `, `1 2`, `{} x`,
	strings.Repeat("[", 150) + strings.Repeat("]", 150), strings.Repeat("[", 300) + strings.Repeat("]", 300),
}

func TestSameAsEncodingJSON(t *testing.T) {
	read := 0
	for _, text := range texts {
		if compare(t, text) {
			read++
		}
	}
	if read < 10 {
		t.Errorf("only %d of %d texts were read", read, len(texts))
	}
}

func FuzzSameAsEncodingJSON(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compare(t, text) })
}

// compare holds Parse and Append to encoding/json. It reports whether the text was read.
func compare(t *testing.T, text string) bool {
	t.Helper()
	got, ok := rowjson.Parse(text)
	if !ok {
		return false // the caller asks encoding/json
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var want any
	if err := decoder.Decode(&want); err != nil || !json.Valid([]byte(text)) {
		t.Fatalf("%q is read, but encoding/json says: %v", text, err)
	}
	if !reflect.DeepEqual(want, got) { // cmp.Diff takes exponentially long for deep values
		t.Fatalf("%q is read as %#v, encoding/json reads %#v", text, got, want)
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSuffix(encoded.String(), "\n"), string(rowjson.Append(nil, got))); diff != "" {
		t.Fatalf("%q (-encoding/json +rowjson):\n%s", text, diff)
	}
	return true
}

func TestWhatParseLeavesToTheCaller(t *testing.T) {
	for _, text := range []string{`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `01`, "\"\xff\"", `{"a":1}]`, strings.Repeat("[", 1<<20)} {
		if value, ok := rowjson.Parse(text); ok {
			t.Errorf("%.40q is read as %v", text, value)
		}
	}
}

func TestAppendRefusesOtherTypes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float has no digits to keep, and is written")
		}
	}()
	rowjson.Append(nil, 1.5)
}
