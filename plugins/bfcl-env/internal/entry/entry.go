// Package entry represents a single task in BFCL's data: its questions, its initial configuration, and the calls that
// solve it.
//
//	e, err := entry.Parse(line)
//	e.Questions[0] // the user's first messages
//
// The package parses records. It does not depend on the location of the data.
package entry

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Entry is a task.
type Entry struct {
	ID        string // "multi_turn_base_0"
	Category  string // "base", "miss_func", "miss_param", "long_context"
	Classes   []string
	Config    *py.Dict
	Questions [][]string       // of the user, by turn; empty for a turn in which functions are added
	Missed    map[int][]string // functions added at a turn
	Truth     [][]string       // calls, by turn
	System    string           // the system prompt; empty: no special one
}

// MissedPrompt is the user's message in a turn in which functions are added.
const MissedPrompt = "I have updated some more functions you can choose from. What about now?"

// LongContext reports whether the classes behave as in long contexts.
func (e *Entry) LongContext() bool { return strings.Contains(e.ID, "long_context") }

// Later returns the questions of the turns after the first, one string per turn.
func (e *Entry) Later() []string {
	var out []string
	for _, messages := range e.Questions[1:] {
		text := MissedPrompt
		if len(messages) > 0 {
			text = messages[0]
		}
		out = append(out, text)
	}
	return out
}

// Shorten keeps only the first turns; 0 means all turns. Functions from later turns are not added.
func (e *Entry) Shorten(turns int) {
	if turns <= 0 || turns >= len(e.Questions) {
		return
	}
	e.Questions, e.Truth = e.Questions[:turns], e.Truth[:turns]
}

// Parse parses a question record and the record of its answer.
func Parse(question, answer []byte) (*Entry, error) {
	q, err := object(question)
	if err != nil {
		return nil, err
	}
	e := &Entry{Missed: map[int][]string{}}
	if e.ID, err = text(q, "id"); err != nil {
		return nil, err
	}
	e.Category = Category(e.ID)
	a, err := object(answer)
	if err != nil {
		return nil, fmt.Errorf("%s: the answer: %w", e.ID, err)
	}
	if err := errors.Join(e.read(q), e.readTruth(a)); err != nil {
		return nil, fmt.Errorf("%s: %w", e.ID, err)
	}
	if len(e.Truth) < len(e.Questions) {
		return nil, fmt.Errorf("%s: there are %d turns of questions and %d of ground truth", e.ID, len(e.Questions),
			len(e.Truth))
	}
	e.Truth = e.Truth[:len(e.Questions)] // one release has an entry with an additional last turn in its ground truth
	return e, nil
}

// Category returns the category of an ID: "base" for multi_turn_base_0.
func Category(id string) string {
	name := strings.TrimPrefix(id, "multi_turn_")
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		name = name[:i]
	}
	return name
}

func object(line []byte) (*py.Dict, error) {
	v, err := py.ParseJSON(line)
	if err != nil {
		return nil, err
	}
	d, ok := v.(*py.Dict)
	if !ok {
		return nil, errors.New("the record is no object")
	}
	return d, nil
}

func text(d *py.Dict, name string) (string, error) {
	s, ok := d.Or(name, nil).(string)
	if !ok {
		return "", fmt.Errorf("%s is missing, or no text", name)
	}
	return s, nil
}

func list(d *py.Dict, name string) ([]py.Value, error) {
	l, ok := d.Or(name, nil).(*py.List)
	if !ok {
		return nil, fmt.Errorf("%s is missing, or no list", name)
	}
	return l.Items, nil
}

func texts(items []py.Value, what string) ([]string, error) {
	out := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("%s holds something that is no text", what)
		}
		out[i] = s
	}
	return out, nil
}

func (e *Entry) read(q *py.Dict) error {
	classes, err := list(q, "involved_classes")
	if err != nil {
		return err
	}
	if e.Classes, err = texts(classes, "involved_classes"); err != nil {
		return err
	}
	var ok bool
	if e.Config, ok = q.Or("initial_config", nil).(*py.Dict); !ok {
		return errors.New("initial_config is missing, or no object")
	}
	py.Freeze(e.Config)
	turns, err := list(q, "question")
	if err != nil {
		return err
	}
	for i, turn := range turns {
		messages, err := userTexts(turn)
		if err != nil {
			return fmt.Errorf("question, turn %d: %w", i, err)
		}
		e.Questions = append(e.Questions, messages)
	}
	if len(e.Questions) == 0 {
		return errors.New("question has no turn")
	}
	return e.readMissed(q)
}

func userTexts(turn py.Value) ([]string, error) {
	messages, ok := turn.(*py.List)
	if !ok {
		return nil, errors.New("it is no list of messages")
	}
	out := []string{}
	for _, m := range messages.Items {
		d, ok := m.(*py.Dict)
		if !ok {
			return nil, errors.New("a message is no object")
		}
		content, err := text(d, "content")
		if err != nil {
			return nil, err
		}
		out = append(out, content)
	}
	return out, nil
}

func (e *Entry) readMissed(q *py.Dict) error {
	missed, ok := q.Or("missed_function", py.NewDict()).(*py.Dict)
	if !ok {
		return errors.New("missed_function is no object")
	}
	for i, key := range missed.Keys() {
		turn, err := py.Int(key)
		if err != nil {
			return fmt.Errorf("missed_function: %w", err)
		}
		names, ok := missed.Values()[i].(*py.List)
		at, fits := turn.(int)
		if !ok || !fits {
			return errors.New("missed_function holds something that is no list of names")
		}
		if e.Missed[at], err = texts(names.Items, "missed_function"); err != nil {
			return err
		}
	}
	return nil
}

func (e *Entry) readTruth(a *py.Dict) error {
	turns, err := list(a, "ground_truth")
	if err != nil {
		return err
	}
	for _, turn := range turns {
		calls, ok := turn.(*py.List)
		if !ok {
			return errors.New("ground_truth has a turn that is no list")
		}
		step, err := texts(calls.Items, "ground_truth")
		if err != nil {
			return err
		}
		e.Truth = append(e.Truth, step)
	}
	return nil
}
