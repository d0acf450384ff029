package rowjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
)

var texts = []string{
	`{"id":"a","prompt":"17+25=","ground_truth":42,"nested":{"b":[1,2,{"c":null}],"a":true,"f":false}}`,
	` { "a" : -0.5e+10 , "b" : [ ] , "c" : { } } `, `"plain"`, `-0`, `0`, `1.50`, `1E5`, `[]`, `null`,
	`"\u00e4\ud83d\ude00 \ud800 \udc00x \ud800\u0041 \"\\\/\b\f\n\r\t\u0000\u2028` + "\u2029ä😀\x7f" + `"`,
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `01`, `1.`, `.5`, `-`, `+1`, `1e`, `nul`, `tru`, `{"a"}`, `{"a":}`, `{a:1}`,
	`[1,]`, `{"a":1,}`,
	`"\x"`, `"\u12"`, `"\ud800\u12"`, `"` + "\x01" + `"`, `"` + "\xff" + `"`, `"\n` + "\xff" + `"`, `"open`, `"open\`, `[`,
	`{`, ``, ` `, `1 2`, `{} x`,
	nested(150), nested(300), nested(9999), nested(10_000), nested(10_001),
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

// compare compares Parse and Append with encoding/json. It reports whether the text was valid.
func compare(t *testing.T, text string) bool {
	t.Helper()
	got, err := rowjson.Parse([]byte(text))
	var twice rowjson.RepeatedName
	isJSON := json.Valid([]byte(text)) && utf8.ValidString(text)
	if isJSON && err != nil && !errors.As(err, &twice) || !isJSON && err == nil {
		t.Fatalf("%q is JSON: %t, but rowjson returned: %v", text, isJSON, err)
	}
	if err != nil {
		return false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var want any
	if err := decoder.Decode(&want); err != nil {
		t.Fatalf("%q is read, but encoding/json returned: %v", text, err)
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

func TestWhatParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`:            `duplicate name "a" in one object`,
		`{"a":1,"\u0061":2}`:       `duplicate name "a" in one object`,
		`[{"/~":{"x":[]},"/~":2}]`: `duplicate name "/~" in one object`,
		`{"\ud800":1,"\ufffd":2}`:  `in one object`, // half a pair is U+FFFD
		`01`:                       `a second value follows the first`,
		"\"\xff\"":                 `the text is not UTF-8`,
		`{"a":1}]`:                 `invalid character ']'`,
		`{"a":1} {}`:               `a second value follows the first`,
		strings.Repeat("[", 1<<20): `exceeded max depth`,
		``:                         `EOF`,
	} {
		if value, err := rowjson.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q is read as %v, with error %v; want %s", text, value, err, want)
		}
	}
}

// A reused parser keeps nothing of the previous row.
func TestParse_ManyAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 200 {
				want := fmt.Sprintf(`{"prompt":"%d of %d ä\\"}`, n, i)
				_, _ = rowjson.Parse([]byte(want[:n%len(want)])) // cut off
				value, err := rowjson.Parse([]byte(want))
				if got := string(rowjson.Append(nil, value)); err != nil || got != want {
					t.Errorf("%s is read as %s, %v", want, got, err)
				}
			}
		})
	}
	all.Wait()
}

func TestAppendRefusesOtherTypes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float has no digits to keep, and is written")
		}
	}()
	rowjson.Append(nil, 1.5)
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
