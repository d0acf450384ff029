package llmjudgereward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// verdict is a judge's verdict on an episode.
type verdict struct {
	Points map[string]int `json:"points"`
	Reason string         `json:"reason"`
}

// maxReasonBytes limits the stored length of a judge's reason, in bytes.
const maxReasonBytes = 1500

// readVerdict parses a judge's response. It returns an error unless the response is one complete verdict that contains
// the requested ID and integer points for exactly the given criteria.
func (c *config) readVerdict(text, id string) (verdict, error) {
	var answer struct {
		ID     string                     `json:"id"`
		Reason string                     `json:"reason"`
		Points map[string]json.RawMessage `json:"points"`
	}
	object := []byte(trimFence(trimThought(text)))
	if err := uniqueNames(object); err != nil {
		return verdict{}, err
	}
	if err := json.Unmarshal(object, &answer); err != nil {
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

// parsePoints parses an integer from 0 to most.
func parsePoints(raw json.RawMessage, most int) (int, bool) {
	var number *float64
	if json.Unmarshal(raw, &number) != nil || number == nil || *number < 0 || *number > float64(most) {
		return 0, false
	}
	return int(*number), *number == float64(int(*number))
}

// trimFence removes the Markdown fence around a string if the fence encloses the entire string.
func trimFence(text string) string {
	text = strings.TrimSpace(text)
	inner, begun := strings.CutPrefix(text, "```")
	inner, ended := strings.CutSuffix(inner, "```")
	if !begun || !ended {
		return text
	}
	return strings.TrimSpace(strings.TrimPrefix(inner, "json"))
}

// uniqueNames rejects an object with duplicate names, because JSON readers use the last one, and any text after the
// object.
func uniqueNames(object []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	if err := uniqueIn(decoder); err != nil {
		return fmt.Errorf("invalid verdict: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text follows the JSON object")
	}
	return nil
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
