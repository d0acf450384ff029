package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/sdk"
)

// parseRow parses one JSON object. Numbers keep their digits. A repeated name in an object is an error, because its
// value would be ambiguous.
func parseRow(line []byte) (map[string]any, *problem) {
	value, err := rowjson.Parse(line)
	if err != nil {
		return nil, unreadable(line, err)
	}
	row, ok := value.(map[string]any)
	if !ok {
		kind := kindOf(value)
		if value == nil {
			kind = "null"
		}
		return nil, &problem{reason: "it is " + kind + ", not an object", remedy: advice(line)}
	}
	return row, nil
}

// unreadable describes why a line cannot be parsed, with encoding/json's message for a syntax error.
func unreadable(line []byte, err error) *problem {
	if errors.Is(err, rowjson.ErrNotUTF8) {
		return &problem{reason: err.Error(), remedy: "save the file as UTF-8"}
	}
	var whole json.RawMessage
	if syntax := json.Unmarshal(line, &whole); syntax != nil {
		return notJSON(line, syntax)
	}
	var twice rowjson.RepeatedName
	if errors.As(err, &twice) {
		return &problem{reason: twice.Error(), remedy: "keep one of them"}
	}
	return notJSON(line, err)
}

func notJSON(line []byte, err error) *problem {
	_, reason := sdk.DescribeDecodeError(line, err)
	where := ""
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset <= int64(len(line)) {
		where = fmt.Sprintf(" at character %d", utf8.RuneCount(line[:syntax.Offset]))
	}
	return &problem{reason: reason + where, remedy: advice(line)}
}

// advice uses a line to guess what kind of file it is from.
func advice(line []byte) string {
	line = bytes.TrimSpace(line)
	switch {
	case bytes.HasPrefix(line, []byte("[")):
		return "JSON Lines has one object per line; `jq -c '.[]' list.json > rows.jsonl` turns a list into lines"
	case len(line) > 0 && len(line) <= 2 && bytes.ContainsAny(line, "{}"):
		return "JSON Lines has one object per line; `jq -c . pretty.json > rows.jsonl` puts each on one"
	}
	return "write one JSON object per line"
}

// canonical encodes a decoded value as JSON: sorted names, no whitespace, no unnecessary escapes.
func canonical(value any) []byte { return rowjson.Append(make([]byte, 0, 256), value) }
