package manualpolicy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/standalone"
	"github.com/awhost/awhost/sdk"
)

// Choice selects a task. The zero value selects the environment's only task, or none if it provides none.
type Choice struct {
	ID      string // of a task of the environment, or of the dataset
	JSON    string // a task, as a row of a dataset: {"prompt": …, "ground_truth": …}
	Dataset string // a file with tasks: .jsonl, .csv or .parquet
}

// Given returns a task specified as JSON or in a file. It reports false if neither is given.
func (c Choice) Given() (task sdk.Task, ok bool, err error) {
	switch {
	case c.JSON != "" && (c.ID != "" || c.Dataset != ""):
		return sdk.Task{}, true, errTwoTasks
	case c.JSON != "":
		task, err = parseTask(c.JSON)
		return task, true, err
	case c.Dataset != "":
		task, err = c.inDataset()
		return task, true, err
	}
	return sdk.Task{}, false, nil
}

var errTwoTasks = errors.New("--task-json contains the whole task: remove --task and --dataset")

// chosen is a task together with its origin.
type chosen struct {
	task  sdk.Task
	split sdk.Split
	made  bool // created because the environment has no tasks
}

// fewIDs is the number of IDs shown in a message.
const fewIDs = 5

func (c Choice) find(ctx context.Context, plugin *standalone.Plugin) (chosen, error) {
	if task, ok, err := c.Given(); ok {
		return chosen{task: task, split: sdk.SplitTrain}, err
	}
	switch {
	case plugin.Component.Environment.Tasks:
		return c.inEnvironment(ctx, plugin)
	case c.ID != "":
		return chosen{}, fmt.Errorf("the environment has no built-in tasks: take %q from a file by --dataset, or write it "+
			"as --task-json", c.ID)
	}
	return chosen{task: sdk.Task{ID: "none", Public: json.RawMessage("{}")}, split: sdk.SplitTrain, made: true}, nil
}

// parseTask parses a task as if it were a dataset row: question and answer are aliases of prompt and ground_truth, and
// the answer is private.
func parseTask(text string) (sdk.Task, error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &row); err != nil || row == nil {
		return sdk.Task{}, fmt.Errorf(`--task-json is not a JSON object: want {"prompt": "…", "ground_truth": "…"}`)
	}
	task := sdk.Task{ID: "task"}
	if id, ok := row["id"]; ok {
		if json.Unmarshal(id, &task.ID) != nil {
			task.ID = string(id) // a number
		}
		delete(row, "id")
	}
	rename(row, "question", "prompt")
	rename(row, "answer", "ground_truth")
	var err error
	if truth, ok := row["ground_truth"]; ok {
		delete(row, "ground_truth")
		if task.Private, err = json.Marshal(map[string]json.RawMessage{"ground_truth": truth}); err != nil {
			return sdk.Task{}, err
		}
	}
	task.Public, err = json.Marshal(row)
	return task, err
}

func rename(row map[string]json.RawMessage, from, to string) {
	if value, ok := row[from]; ok && row[to] == nil {
		row[to] = value
		delete(row, from)
	}
}

func (c Choice) inDataset() (sdk.Task, error) {
	config, err := dataset.Decode(typeOf(c.Dataset), mustPath(c.Dataset))
	if err != nil {
		return sdk.Task{}, fmt.Errorf("read dataset %s: %w", c.Dataset, err)
	}
	d, err := dataset.Open(config)
	if err != nil {
		return sdk.Task{}, fmt.Errorf("read dataset %s: %w", c.Dataset, err)
	}
	defer d.Close() // it was only read
	i, ok := 0, d.Len() == 1
	if c.ID != "" {
		i, ok = d.Index(c.ID)
	}
	if !ok {
		var ids []string
		for i := range min(fewIDs, d.Len()) {
			ids = append(ids, d.ID(i))
		}
		return sdk.Task{}, c.unknown(c.Dataset, ids, fmt.Sprintf("%d tasks", d.Len()))
	}
	return d.Task(i)
}

// typeOf returns a dataset's format from its file name.
func typeOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv":
		return dataset.TypeCSV
	case ".parquet":
		return dataset.TypeParquet
	}
	return dataset.TypeJSONL
}

func mustPath(path string) json.RawMessage {
	text, _ := json.Marshal(map[string]string{"path": path}) // strings can always be encoded
	return text
}

// inEnvironment searches the environment's tasks, starting with training tasks.
func (c Choice) inEnvironment(ctx context.Context, plugin *standalone.Plugin) (chosen, error) {
	environment, ok := plugin.Environment().(sdk.EnvironmentWithTasks)
	if !ok {
		return chosen{}, errors.New("the environment declares tasks but returns none: report this to its author")
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var found *chosen
	var ids []string
	for _, split := range []sdk.Split{sdk.SplitTrain, sdk.SplitValidation} {
		err := environment.Tasks(ctx, split, 0, func(task sdk.Task) bool {
			if len(ids) < fewIDs {
				ids = append(ids, task.ID)
			}
			if task.ID == c.ID {
				found = &chosen{task: task, split: split}
			}
			return found == nil && (c.ID != "" || len(ids) < fewIDs)
		})
		if err != nil {
			return chosen{}, fmt.Errorf("read the tasks of the environment: %w", plugin.Explain(err))
		}
		if found != nil {
			return *found, nil
		}
	}
	return chosen{}, c.unknown("the environment", ids, "built-in tasks")
}

// unknown returns an error that lists the existing tasks.
func (c Choice) unknown(place string, ids []string, what string) error {
	if len(ids) == 0 {
		return fmt.Errorf("%s has no task: provide one with --task-json or --dataset", place)
	}
	some := strings.Join(ids, ", ")
	if c.ID == "" {
		return fmt.Errorf("%s has %s: choose one with --task; some are %s", place, what, some)
	}
	return fmt.Errorf("%s has no task %q; some are %s", place, c.ID, some)
}
