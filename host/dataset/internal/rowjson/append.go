package rowjson

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends a value to out as canonical JSON: sorted names, no whitespace, no unnecessary JSON escapes. The bytes
// are identical to encoding/json's output without HTML escapes. It accepts the types that Parse returns, and panics for
// others.
func Append(out []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, v)
	case json.Number:
		return append(out, v...)
	case string:
		return appendString(out, v)
	case []any:
		return appendList(out, v)
	case map[string]any:
		return appendObject(out, v)
	}
	panic(fmt.Sprintf("rowjson: unsupported type %T in a row", value))
}

func appendList(out []byte, list []any) []byte {
	out = append(out, '[')
	for i, value := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = Append(out, value)
	}
	return append(out, ']')
}

func appendObject(out []byte, object map[string]any) []byte {
	var few [16]string
	names := slices.AppendSeq(few[:0], maps.Keys(object))
	slices.Sort(names)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, name), ':')
		out = Append(out, object[name])
	}
	return append(out, '}')
}

// lineEnds escapes JavaScript line terminators as encoding/json does; jsontext does not.
var lineEnds = strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`)

func appendString(out []byte, text string) []byte {
	start := len(out)
	out, _ = jsontext.AppendQuote(out, text) // invalid UTF-8, which Parse never returns, becomes U+FFFD
	if strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029") {
		out = append(out[:start], lineEnds.Replace(string(out[start:]))...)
	}
	return out
}
