package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
)

// parseRow reads one JSON object. Numbers keep their digits, and a name that occurs twice in an object is an error: which
// of the two would count is anybody's guess.
func parseRow(line []byte) (map[string]any, *problem) {
	if value, ok := rowjson.Parse(string(line)); ok {
		if row, ok := value.(map[string]any); ok {
			return row, nil
		}
	}
	return explainRow(line)
}

// explainRow reads what rowjson does not, or says what is wrong with it.
func explainRow(line []byte) (map[string]any, *problem) {
	if !utf8.Valid(line) {
		return nil, &problem{reason: "it is not UTF-8", remedy: "save the file as UTF-8"}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(line, &whole); err != nil {
		return nil, notJSON(line, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	value, err := parseValue(decoder)
	var twice repeatedName
	if errors.As(err, &twice) {
		return nil, &problem{reason: twice.Error(), remedy: "keep one of them"}
	}
	if err != nil {
		return nil, notJSON(line, err)
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

type repeatedName string

func (r repeatedName) Error() string {
	return fmt.Sprintf("the name %q occurs twice in one object", string(r))
}

// parseValue reads a value whose syntax has been checked.
func parseValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return parseObject(decoder)
	case json.Delim('['):
		return parseList(decoder)
	}
	return token, nil
}

func parseObject(decoder *json.Decoder) (any, error) {
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if _, taken := object[name]; taken {
			return nil, repeatedName(name)
		}
		if object[name], err = parseValue(decoder); err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	return object, err
}

func parseList(decoder *json.Decoder) (any, error) {
	list := []any{}
	for decoder.More() {
		value, err := parseValue(decoder)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := decoder.Token()
	return list, err
}

func notJSON(line []byte, err error) *problem {
	where := ""
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset <= int64(len(line)) {
		where = fmt.Sprintf(" at character %d", utf8.RuneCount(line[:syntax.Offset]))
	}
	return &problem{reason: fmt.Sprintf("it is no JSON: %v%s", err, where), remedy: advice(line)}
}

// advice guesses from a line what kind of file it comes from.
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

// canonical encodes a decoded value: sorted names, no white space, no escapes that JSON does not need.
func canonical(value any) []byte { return rowjson.Append(make([]byte, 0, 256), value) }
