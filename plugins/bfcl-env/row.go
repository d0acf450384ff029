package bfclenv

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk"
)

// row is a task in EnvTuning's columns, as in its Parquet files. It contains everything needed to play the task.
type row struct {
	Prompt   []rowMessage `json:"prompt"`
	Messages []rowMessage `json:"messages"` // a dataset's column for a prompt that is a list
	Extra    struct {
		Arguments *struct {
			ID        string          `json:"id"`
			Config    string          `json:"initial_config"` // JSON
			Classes   []string        `json:"involved_classes"`
			Truth     [][]string      `json:"ground_truth"`
			Later     []string        `json:"processed_question"` // of the turns after the first
			Questions json.RawMessage `json:"question"`           // in BFCL's format
		} `json:"interaction_kwargs"`
	} `json:"extra_info"`
}

// rowMessage is a message of a row.
type rowMessage struct {
	Role    sdk.Role `json:"role"`
	Content string   `json:"content"`
}

// entryOfRow returns the entry for a task in EnvTuning's columns, each of which may be public or private. ok is false
// if columns are missing.
func entryOfRow(task sdk.Task) (one *entry.Entry, ok bool, err error) {
	var r row
	for _, part := range []json.RawMessage{task.Public, task.Private} {
		if len(part) == 0 {
			continue
		}
		if err := json.Unmarshal(part, &r); err != nil {
			return nil, false, nil // other columns, with other types
		}
	}
	a := r.Extra.Arguments
	if a != nil && a.ID == "" {
		a.ID = task.ID // a dataset that maps the id removes its column
	}
	if a == nil || a.ID == "" || a.Config == "" || len(a.Classes) == 0 || a.Truth == nil {
		return nil, false, nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("read the columns of task %s: %w", a.ID, err)
		}
	}()
	config, err := py.ParseJSON([]byte(a.Config))
	if err != nil {
		return nil, true, fmt.Errorf("initial_config: %w", err)
	}
	first, system := r.opening()
	if first == "" {
		return nil, true, errors.New("prompt has no message of the user")
	}
	one = &entry.Entry{ID: a.ID, Category: entry.Category(a.ID), Classes: a.Classes, Questions: [][]string{{first}},
		Truth: a.Truth, System: system}
	if one.Config, ok = config.(*py.Dict); !ok {
		return nil, true, errors.New("initial_config is no object")
	}
	py.Freeze(one.Config)
	for _, text := range a.Later {
		one.Questions = append(one.Questions, []string{text})
	}
	if len(one.Truth) < len(one.Questions) {
		return nil, true, fmt.Errorf("there are %d questions and %d turns of ground truth", len(one.Questions),
			len(one.Truth))
	}
	one.Truth = one.Truth[:len(one.Questions)]
	return one, true, nil
}

// opening returns the first question and the system prompt.
func (r row) opening() (first, system string) {
	for _, m := range append(r.Prompt, r.Messages...) {
		switch m.Role {
		case sdk.RoleSystem:
			system = m.Content
		case sdk.RoleUser:
			first = m.Content
		}
	}
	return first, system
}
