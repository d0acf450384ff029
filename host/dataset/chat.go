package dataset

import (
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/sdk"
)

// Messages parses a list of messages in OpenAI's chat format or the format of sdk.Message, such as the value of a row's
// column.
func Messages(text []byte) ([]sdk.Message, error) {
	value, err := rowjson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("messages: %s", unreadable(text, err).reason)
	}
	settled, problem := settleMessages(value)
	if problem != nil {
		return nil, fmt.Errorf("%s: %s", problem.reason, problem.remedy)
	}
	var messages []sdk.Message
	if err := json.Unmarshal(canonical(settled), &messages); err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	return messages, nil
}
