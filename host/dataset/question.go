package dataset

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxIDBytes limits the length of an ID, which is part of every record of an episode.
const maxIDBytes = 256

// settleQuestion checks that the row has a question. A prompt that is a list is treated as messages.
func settleQuestion(row map[string]any) *problem {
	if list, ok := row[fieldPrompt].([]any); ok {
		if _, both := row[fieldMessages]; both {
			return &problem{reason: "both prompt and messages are lists of messages",
				remedy: "map one of them in the dataset block, or drop it"}
		}
		delete(row, fieldPrompt)
		row[fieldMessages] = list
	}
	prompt, hasPrompt := row[fieldPrompt]
	messages, hasMessages := row[fieldMessages]
	if !hasPrompt && !hasMessages {
		return &problem{
			reason: "the row has no question: prompt, question and messages are missing",
			remedy: "name the column in the dataset block, map = { prompt = \"…\" }; " + columnNames(row),
		}
	}
	if text, isText := prompt.(string); hasPrompt && (!isText || text == "") {
		return &problem{reason: "the prompt is " + kindOf(prompt), remedy: "write a text, or a list of messages"}
	}
	if !hasMessages {
		return nil
	}
	settled, p := settleMessages(messages)
	if p != nil {
		return p
	}
	row[fieldMessages] = settled
	return nil
}

// mediaNames lists the columns whose contents a placeholder in the question, such as <image>, refers to.
var mediaNames = []string{"image", "images", "video", "videos", "audio", "audios"}

const mediaRemedy = `write pictures into messages as parts of type image_url with a data: URL, for example in ` +
	`dataset "python"; without them, the model is trained on the text only`

// checkMedia rejects a question that contains a placeholder for an image that is missing from the messages: the model
// would not see it.
func (m *mapping) checkMedia(row map[string]any) *problem {
	for _, name := range mediaNames {
		if _, given := row[name]; !given && !slices.ContainsFunc(m.drop, column(name).covers) {
			continue
		}
		question := string(canonical([]any{row[fieldPrompt], row[fieldMessages]}))
		placeholder := "<" + strings.TrimSuffix(name, "s") + ">"
		if strings.Contains(question, placeholder) && !strings.Contains(question, `"images":[`) {
			reason := "the question has " + placeholder + ", but its messages have no picture"
			return &problem{reason: reason, remedy: mediaRemedy}
		}
	}
	return nil
}

// takeID removes the ID from the row, because the task already contains it.
func takeID(row map[string]any) (string, *problem) {
	value, ok := row[fieldID]
	if !ok {
		return "", nil
	}
	delete(row, fieldID)
	var id string
	switch v := value.(type) {
	case string:
		id = strings.Clone(v) // a copy, because the ID is kept longer than the row's text
	case json.Number:
		id = strings.Clone(v.String())
	default:
		return "", &problem{reason: "the id is " + kindOf(value),
			remedy: "write a text or a number, or drop the column to generate ids"}
	}
	if id == "" || len(id) > maxIDBytes {
		return "", &problem{
			reason: fmt.Sprintf("the id has %d bytes", len(id)),
			remedy: fmt.Sprintf("write 1 to %d, or drop the column to generate ids", maxIDBytes),
		}
	}
	return id, nil
}

// kindOf describes a value for an error, without quoting it.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "missing"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case string:
		if v == "" {
			return "empty"
		}
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("a %T", value)
}
