package manualpolicy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

// InputError reports a line that is not a valid message. Earlier messages have received responses.
type InputError struct {
	Line int
	Err  error
}

// Error implements error.
func (e *InputError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *InputError) Unwrap() error { return e.Err }

// Opened is the first line of the output.
type Opened struct {
	Type        string `json:"type"`
	Environment string `json:"environment"`
	Task        string `json:"task"`
	// A string, because many JSON readers round large numbers.
	Seed     uint64        `json:"seed,string" jsonschema:"type=string"`
	Messages []sdk.Message `json:"messages"`
	Tools    []sdk.Tool    `json:"tools"`
	// The environment's limit of assistant messages; absent: no limit.
	MaxTurns int `json:"max_turns,omitempty" jsonschema:"minimum=1"`
}

// Answer is the environment's response to one assistant message.
type Answer struct {
	Type         string             `json:"type"`
	Turn         int                `json:"turn" jsonschema:"minimum=1"`
	Messages     []sdk.Message      `json:"messages"`
	TurnReward   *float64           `json:"turn_reward,omitempty"`
	Done         bool               `json:"done"`
	Truncated    bool               `json:"truncated,omitempty"`
	ToolsChanged bool               `json:"tools_changed,omitempty"`
	Tools        []sdk.Tool         `json:"tools,omitempty"` // all tools, if they changed
	Metrics      map[string]float64 `json:"metrics,omitempty"`
}

// Closed ends the episode.
type Closed struct {
	Type   string `json:"type"`
	Reason string `json:"reason" jsonschema:"enum=done,enum=truncated,enum=max_turns,enum=left"`
	Turns  int    `json:"turns" jsonschema:"minimum=0"`
	// The state shown to rewards; absent if the environment does not provide a snapshot.
	State       json.RawMessage    `json:"state,omitempty"`
	StateDigest string             `json:"state_digest,omitempty"`
	Metrics     map[string]float64 `json:"metrics,omitempty"`
}

// Scored is the last line if a reward is configured, and contains a score or a failure.
type Scored struct {
	Type       string             `json:"type"`
	Reward     string             `json:"reward"`
	Score      *float64           `json:"score,omitempty" jsonschema:"oneof_required=score"`
	Components map[string]float64 `json:"components,omitempty"`
	Notes      map[string]string  `json:"notes,omitempty"` // as text
	IsSuccess  *bool              `json:"is_success,omitempty"`
	Failure    *sdk.Failure       `json:"failure,omitempty" jsonschema:"oneof_required=failure"`
}

// Lines runs an episode using one JSON object per line: it reads assistant messages and writes responses. It returns
// when the episode or the input ends. An invalid line causes an *InputError after the episode has been closed and
// reported.
func Lines(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	e, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer e.close()
	w := writer{out}
	err = w.write(Opened{
		Type: "opened", Environment: c.Type, Task: e.task.ID, Seed: c.Seed, Messages: list(e.first),
		Tools: list(e.tools), MaxTurns: e.opened.MaxTurns,
	})
	if err != nil {
		return err
	}
	wrong := e.runLines(ctx, in, w)
	var input *InputError
	if wrong != nil && !errors.As(wrong, &input) {
		return wrong
	}
	if err := e.writeEnd(ctx, c, w); err != nil {
		return err
	}
	return wrong
}

func (e *episode) runLines(ctx context.Context, in io.Reader, w writer) error {
	reader := lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	for e.over == "" {
		text, err := readContext(ctx, reader.next)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var message sdk.Message
		if err == nil {
			message, err = parseMessage(text)
		}
		if err != nil {
			return &InputError{reader.number, err}
		}
		answer, err := e.say(ctx, message)
		if err != nil {
			return err
		}
		if err := w.write(answerLine(e.turns, answer)); err != nil {
			return err
		}
	}
	return nil
}

func answerLine(turn int, answer *sdk.StepResponse) Answer {
	out := Answer{
		Type: "answer", Turn: turn, Messages: list(answer.Messages), TurnReward: answer.TurnReward, Done: answer.Done,
		Truncated: answer.Truncated, ToolsChanged: answer.ToolsChanged, Metrics: answer.Metrics,
	}
	if answer.ToolsChanged {
		out.Tools = list(answer.Tools)
	}
	return out
}

func (e *episode) writeEnd(ctx context.Context, c Config, w writer) error {
	ended, err := e.finish(ctx)
	if ended != nil && ended.closed != nil {
		line := Closed{
			Type: "closed", Reason: e.over, Turns: e.turns, State: ended.state, StateDigest: ended.closed.StateDigest,
			Metrics: ended.closed.Metrics,
		}
		if err := w.write(line); err != nil {
			return err
		}
	}
	if err != nil || ended.scored == nil {
		return err
	}
	line := Scored{Type: "scored", Reward: c.Reward, Failure: ended.scored.Failure}
	if s := ended.scored; s.Failure == nil {
		line.Score, line.Components, line.Notes, line.IsSuccess = &s.Score, s.Components, s.Notes, s.IsSuccess
	}
	return w.write(line)
}

// list returns an empty list instead of nil, so that readers of the output always find a list.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// writer writes JSON lines without terminal control characters.
type writer struct{ out io.Writer }

func (w writer) write(v any) error {
	line, err := event.AppendLine(nil, v)
	if err == nil {
		_, err = w.out.Write(line)
	}
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// maxLineBytes limits a message.
const maxLineBytes = 64 << 20

// lineReader reads nonblank lines.
type lineReader struct {
	in     *bufio.Reader
	number int // of the last line
}

// next returns a line without surrounding white space, or io.EOF.
func (r *lineReader) next() ([]byte, error) {
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLineBytes:
			r.number++
			return nil, fmt.Errorf("it has more than %d MiB", maxLineBytes>>20)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(bytes.TrimSpace(text)) == 0:
			return nil, err
		}
		r.number++
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
	}
}

// readContext reads, unless ctx ends first. A read that has started cannot be canceled: it ends with the input or the
// process.
func readContext[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

var _ error = (*InputError)(nil)
