package envservice

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Tasks implements sdk.EnvironmentWithTasks: it returns the service's list for a split, in the service's order.
func (e *environment) Tasks(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	name := e.config.split(split)
	ids, err := e.client.profile(ctx, name)
	if err != nil {
		return classified(err)
	}
	if len(ids) == 0 {
		return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf(
			"%s lists no tasks of env_type %q in the split %q: correct env_type, or %s_split",
			e.client.url(callProfile), e.config.EnvType, name, split)}
	}
	for i := cursor; i < len(ids); i++ {
		task, err := e.client.task(ids[i])
		if err != nil {
			return classified(err)
		}
		if !yield(task) {
			return nil
		}
	}
	return nil
}

// profile requests the IDs of the tasks in a split.
func (c *client) profile(ctx context.Context, split string) ([]json.RawMessage, error) {
	params, err := json.Marshal(map[string]string{"split": split})
	if err != nil {
		return nil, err
	}
	data, err := c.ask(ctx, callProfile, body{EnvType: c.config.EnvType, Messages: map[string]any{}, Params: params})
	if err != nil {
		return nil, err
	}
	var ids []json.RawMessage
	if err := json.Unmarshal(data, &ids); err != nil {
		return nil, c.problem(callProfile, kindUnreadable, "data is no list of ids of tasks: "+excerpt(data))
	}
	return ids, nil
}

// task returns the task with an ID, which is a string or a number. The task's question is in its initial state.
func (c *client) task(id json.RawMessage) (sdk.Task, error) {
	id = bytes.TrimSpace(id)
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(id, &text) == nil && text != "":
	case len(id) > 0 && id[0] != '"' && json.Unmarshal(id, &number) == nil && number != "":
		text = number.String()
	default:
		why := "the id of a task is a text or a number, and not " + excerpt(id)
		return sdk.Task{}, c.problem(callProfile, kindUnreadable, why)
	}
	public, err := json.Marshal(map[string]any{"task_id": id, "env_type": c.config.EnvType})
	return sdk.Task{ID: text, Public: public}, err
}
