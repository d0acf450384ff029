// Package answertext extracts answers from a model's text: the part addressed to its user, the content of its last box,
// and LaTeX mathematics as plain text.
//
//	text := answertext.ModelText(item.FinalAnswer)      // no thoughts, no calls of tools
//	box, found := answertext.LastBox(text)        // "\frac{1}{2}" of "so \boxed{\frac{1}{2}}"
//	plain, err := answertext.Plain(box)           // "(1⁄2)"
//
// Its input was written by a model that is trained to maximize the score. Each function takes time proportional to the
// length of the text, and rejects deep nesting. The package must not depend on the value of an answer.
package answertext

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// GroundTruth returns the private ground_truth of a task as decoded by encoding/json with UseNumber. It returns nil
// if it is null or missing.
func GroundTruth(task sdk.Task) (any, error) {
	if len(task.Private) == 0 {
		return nil, nil
	}
	var private map[string]any
	decoder := json.NewDecoder(bytes.NewReader(task.Private))
	decoder.UseNumber()
	if err := decoder.Decode(&private); err != nil {
		const want = "want a JSON object with ground_truth"
		return nil, fmt.Errorf("read the private part of task %q: %w; %s", task.ID, err, want)
	}
	return private["ground_truth"], nil
}

// Score judges an answer by the task's ground truth. If that is a list, its elements are accepted answers: the result
// is the first error, else the highest score.
func Score(task sdk.Task, judge func(truth any) (sdk.Scored, error)) (sdk.Scored, error) {
	truth, err := GroundTruth(task)
	if err != nil {
		return sdk.Scored{}, err
	}
	list, _ := truth.([]any)
	if len(list) == 0 {
		return judge(truth)
	}
	var best sdk.Scored
	for i, accepted := range list {
		scored, err := judge(accepted)
		if err != nil {
			return sdk.Scored{}, err
		}
		if i == 0 || scored.Score > best.Score {
			best = scored
		}
	}
	return best, nil
}

// TypeName returns a readable name for the type of a decoded JSON value.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "null or missing"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}
