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
	answer   string       // that is scored
	turns    []float64    // the environment's rewards
	failure  *sdk.Failure // why it cannot be judged
}

// line is an item as it is written.
type line struct {
	ID       json.RawMessage `json:"id"`
	Task     json.RawMessage `json:"task"`
	Messages json.RawMessage `json:"messages"`
	Answer   json.RawMessage `json:"answer"`
	Turns    json.RawMessage `json:"turn_rewards"`
}

// parse reads a line. The error means that it is no item; an item that cannot be judged says so itself.
func parse(text []byte) (item, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return item{}, fmt.Errorf("it is no item: %w: want {\"id\": …, \"task\": {\"ground_truth\": …}, \"messages\": […] or \"answer\": \"…\"}", err)
	}
	if isNull(l.Messages) {
		l.Messages = nil
	}
	switch {
	case l.Messages == nil && l.Answer == nil:
		return item{}, errors.New("it has neither messages nor answer: add one of them")
	case l.Messages != nil && !isNull(l.Answer):
		return item{}, errors.New("it has messages and answer: which text is meant? leave one out")
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

// idText is an id as the id of a task: a text without its quotes.
func idText(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return text
	}
	return string(id)
}

// readTask splits a task as a dataset does: the answer is for rewards that need it. Values stay as they were written.
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

// readText finds what is scored: the answer, or the last thing that the assistant said and the task does not.
func (i *item) readText(l line) (err error) {
	if l.Messages == nil {
		if isNull(l.Answer) || json.Unmarshal(l.Answer, &i.answer) != nil {
			return fmt.Errorf("answer is %s: want the text that is to be scored", kind(l.Answer))
		}
		return nil // there is no transcript: rewards read the answer as it is
	}
	if i.messages, err = dataset.Messages(l.Messages); err != nil {
		return err
	}
	if written := (&sdk.ScoreItem{Task: i.task, Messages: i.messages}).Written(); len(written) > 0 {
		i.answer = written[len(written)-1].Content
	}
	return nil
}

// readTurns reads what an environment gave for the turns.
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

// kind names a JSON value.
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

// forReward is the item as a reward with these needs may see it.
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

// Result is one line of output: what came of an item, a number or a failure.
type Result struct {
	ID         json.RawMessage    `json:"id"` // of the item, as it was written
	Score      *float64           `json:"score,omitempty" jsonschema:"oneof_required=score"`
	Components map[string]float64 `json:"components,omitempty"`
	Notes      map[string]string  `json:"notes,omitempty"` // in words
	IsSuccess  *bool              `json:"is_success,omitempty"`
	Failure    *sdk.Failure       `json:"failure,omitempty" jsonschema:"oneof_required=failure"`
}

func (i *item) result(s sdk.Scored) Result {
	if s.Failure != nil {
		return Result{ID: i.id, Failure: s.Failure}
	}
	return Result{ID: i.id, Score: &s.Score, Components: s.Components, Notes: s.Notes, IsSuccess: s.IsSuccess}
}

// lineReader reads lines of bounded length.
type lineReader struct {
	in     *bufio.Reader
	number int // of the last line
}

// next returns a line without the white space around it, or io.EOF.
func (r *lineReader) next() ([]byte, error) {
	r.number++
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLineBytes:
			return nil, fmt.Errorf("it has more than %d MiB: split it, or leave out what the reward does not read", maxLineBytes>>20)
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
