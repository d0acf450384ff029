package llmjudgereward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// verdict is a judge's verdict on an episode.
type verdict struct {
	Points map[string]int `json:"points"`
	Reason string         `json:"reason"`
}

// maxReasonBytes limits the stored length of a judge's reason, in bytes.
const maxReasonBytes = 1500

// readVerdict parses a judge's response. It returns an error unless the response contains one JSON object, in any other
// text, and the object is a verdict with the requested ID and integer points for exactly the given criteria.
func (c *config) readVerdict(text, id string) (verdict, error) {
	var answer struct {
		ID     string                     `json:"id"`
		Reason string                     `json:"reason"`
		Points map[string]json.RawMessage `json:"points"`
	}
	object, err := onlyObject(trimThought(text))
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(object))
		decoder.UseNumber()
		err = uniqueIn(decoder)
	}
	if err == nil {
		err = json.Unmarshal(object, &answer)
	}
	if err != nil {
		return verdict{}, fmt.Errorf("invalid verdict: %w", err)
	}
	if answer.ID != id {
		return verdict{}, fmt.Errorf("the id is %q, not %s", truncate(answer.ID, 40), id)
	}
	out := verdict{Points: map[string]int{}, Reason: truncate(answer.Reason, maxReasonBytes)}
	for _, name := range c.names() {
		raw, given := answer.Points[name]
		if !given {
			return verdict{}, fmt.Errorf("it has no points for %s", name)
		}
		points, ok := parsePoints(raw, c.Scale)
		if !ok {
			return verdict{}, fmt.Errorf("the points for %s are %s, not a whole number from 0 to %d",
				name, truncate(string(raw), 40), c.Scale)
		}
		out.Points[name] = points
	}
	if len(answer.Points) > len(out.Points) {
		return verdict{}, errors.New("the verdict assigns points to an unknown criterion")
	}
	return out, nil
}

// parsePoints parses an integer from 0 to most, or a string with one.
func parsePoints(raw json.RawMessage, most int) (int, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = json.RawMessage(text)
	}
	var number *float64
	if json.Unmarshal(raw, &number) != nil || number == nil || *number < 0 || *number > float64(most) {
		return 0, false
	}
	return int(*number), *number == float64(int(*number))
}

// maxBraces limits the opening braces in a response that are not part of a JSON object, because each requires a scan.
const maxBraces = 100

// onlyObject returns the only JSON object in a text. With several, the judge may have quoted one from the policy.
func onlyObject(text string) (object json.RawMessage, err error) {
	err = errors.New("it contains no JSON object")
	for range maxBraces {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return object, err
		}
		var found json.RawMessage
		decoder := json.NewDecoder(strings.NewReader(text[start:]))
		if failed := decoder.Decode(&found); failed != nil {
			text = text[start+1:]
			if object == nil {
				err = failed
			}
			continue
		}
		if object != nil {
			return nil, errors.New("it contains several JSON objects")
		}
		object, err, text = found, nil, text[start+int(decoder.InputOffset()):]
	}
	return nil, fmt.Errorf("it contains at least %d opening braces; write only the JSON object", maxBraces)
}

// uniqueIn reads one value.
func uniqueIn(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	opened, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for decoder.More() {
		if opened == '{' {
			name, err := decoder.Token()
			if err != nil {
				return err
			}
			if text, _ := name.(string); seen[text] {
				return fmt.Errorf("it has %q twice", truncate(text, 40))
			} else {
				seen[text] = true
			}
		}
		if err := uniqueIn(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// truncate returns the beginning of a string.
func truncate(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
