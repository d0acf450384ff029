package score

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/sdk"
)

// item is one line of input.
type item struct {
	id       json.RawMessage
	task     sdk.Task
	messages []sdk.Message
	answer   string       // the scored text
	turns    []float64    // the environment's rewards
	failure  *sdk.Failure // the reason why it cannot be scored
}

// line is the JSON form of an item.
type line struct {
	ID       json.RawMessage `json:"id"`
	Task     json.RawMessage `json:"task"`
	Messages json.RawMessage `json:"messages"`
	Answer   json.RawMessage `json:"answer"`
	Turns    json.RawMessage `json:"turn_rewards"`
}

// parse parses a line. The error means that the line is not an item. An item that cannot be scored contains a failure.
func parse(text []byte) (item, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		_, problem := sdk.DescribeDecodeError(text, err)
		return item{}, fmt.Errorf("invalid item: %s: want {\"id\": …, \"task\": {\"ground_truth\": …}, \"messages\": "+
			"[…] or \"answer\": \"…\"}", problem)
	}
	if isNull(l.Messages) {
		l.Messages = nil
	}
	switch {
	case l.Messages == nil && l.Answer == nil:
		return item{}, errors.New("messages and answer are missing: add one of them")
	case l.Messages != nil && !isNull(l.Answer):
		return item{}, errors.New("both messages and answer are set: remove one")
	}
	i := item{id: l.ID, task: sdk.Task{ID: idText(l.ID), Public: json.RawMessage("{}")}}
	if i.id == nil {
		i.id = json.RawMessage("null")
	}
	if err := errors.Join(i.readTask(l.Task), i.readText(l), i.readTurns(l.Turns)); err != nil {
		i.failure = &sdk.Failure{Class: sdk.FailureReward, Detail: strings.ReplaceAll(err.Error(), "\n", "; ")}
	}
	return i, nil
}

// idText returns an ID in the form of a task ID: a string without its quotes.
func idText(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return text
	}
	return string(id)
}

// readTask splits a task as a dataset does: only rewards that need the ground truth receive it. Values are kept as
// written.
func (i *item) readTask(text json.RawMessage) error {
	if isNull(text) {
		return nil
	}
	var public map[string]json.RawMessage
	if err := json.Unmarshal(text, &public); err != nil {
		return fmt.Errorf("task is %s: want an object such as {\"ground_truth\": …}", kind(text))
	}
	i.task.Private = text
	delete(public, "ground_truth")
	delete(public, "answer")
	var err error
	i.task.Public, err = json.Marshal(public)
	return err
}

// readText finds the text to score: the answer, or the last assistant message that is not part of the task.
func (i *item) readText(l line) (err error) {
	if l.Messages == nil {
		if isNull(l.Answer) || json.Unmarshal(l.Answer, &i.answer) != nil {
			return fmt.Errorf("answer is %s: want the text that is to be scored", kind(l.Answer))
		}
		return nil // without a transcript, rewards receive the answer unchanged
	}
	if i.messages, err = dataset.Messages(l.Messages); err != nil {
		return err
	}
	if written := (&sdk.ScoreItem{Task: i.task, Messages: i.messages}).Written(); len(written) > 0 {
		i.answer = written[len(written)-1].Content
	}
	return nil
}

// readTurns reads the environment's rewards for the turns.
func (i *item) readTurns(text json.RawMessage) error {
	if isNull(text) {
		return nil
	}
	if json.Unmarshal(text, &i.turns) != nil {
		return errors.New("turn_rewards must be a list of numbers, such as [0, 0.5, 1]")
	}
	return nil
}

func isNull(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

// kind returns the name of a JSON value's type.
func kind(text json.RawMessage) string {
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}

// forReward returns the item with only the parts that a reward with these needs may see.
func (i *item) forReward(n int, all []sdk.Need) sdk.ScoreItem {
	out := sdk.ScoreItem{
		EpisodeID: fmt.Sprintf("offline-%d", n), Task: i.task, FinalAnswer: i.answer, TurnRewards: i.turns,
	}
	if !needs(all, sdk.NeedGroundTruth) {
		out.Task.Private = nil
	}
	if needs(all, sdk.NeedTranscript) {
		out.Messages = i.messages
	}
	return out
}

// Result is one line of output: an item's score, or a failure.
type Result struct {
	ID         json.RawMessage    `json:"id"` // of the item, unchanged
	Score      *float64           `json:"score,omitempty" jsonschema:"oneof_required=score"`
	Components map[string]float64 `json:"components,omitempty"`
	Notes      map[string]string  `json:"notes,omitempty"` // as text
	IsSuccess  *bool              `json:"is_success,omitempty"`
	Failure    *sdk.Failure       `json:"failure,omitempty" jsonschema:"oneof_required=failure"`
}

func (i *item) result(s sdk.Scored) Result {
	if s.Failure != nil {
		return Result{ID: i.id, Failure: s.Failure}
	}
	return Result{ID: i.id, Score: &s.Score, Components: s.Components, Notes: s.Notes, IsSuccess: s.IsSuccess}
}

// lineReader reads lines of limited length.
type lineReader struct {
	in     *bufio.Reader
	number int // of the last line
}

// next returns a line without surrounding white space, or io.EOF.
func (r *lineReader) next() ([]byte, error) {
	r.number++
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLineBytes:
			return nil, fmt.Errorf("the item exceeds %d MiB: split it, or remove the parts that the reward does not "+
				"read", maxLineBytes>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(text) == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read: %w", err)
		}
		return bytes.TrimSpace(text), nil
	}
}
