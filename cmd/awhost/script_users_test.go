//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/host/dataset"
)

// userFiles creates SHAPE.parquet, a user's file, SHAPE.jsonl, its tasks as written by awhost, and SHAPE.demos.jsonl,
// in which each question is answered once right and once wrong.
func userFiles(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "userfiles SHAPE")
	content, err := os.ReadFile(filepath.Join(os.Getenv("AWHOST_TESTDATA"), "users", "aworld", args[0]+".parquet"))
	ts.Check(err)
	path := ts.MkAbs(args[0] + ".parquet")
	ts.Check(os.WriteFile(path, content, 0o644))
	config := dataset.Config{Type: dataset.TypeParquet, Path: path,
		Extract: map[string]string{"ground_truth": "#### (.*)"}}
	data, err := dataset.Open(config)
	if err != nil { // the other shape
		config.Extract, config.Map = nil, map[string]string{"ground_truth": "reward_model.ground_truth"}
		data, err = dataset.Open(config)
	}
	ts.Check(err)
	defer data.Close()
	var rows, demonstrations []byte
	for i := range data.Len() {
		task, err := data.Task(i)
		ts.Check(err)
		row, shown, err := rewritten(task.ID, task.Public, task.Private)
		ts.Check(err)
		rows, demonstrations = append(rows, row...), append(demonstrations, shown...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".jsonl"), rows, 0o644))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".demos.jsonl"), demonstrations, 0o644))
}

// rewritten returns a task as a row, and as two demonstrations.
func rewritten(id string, public, private []byte) (row, demonstrations []byte, err error) {
	task := map[string]any{"id": id}
	var answer struct {
		GroundTruth string `json:"ground_truth"`
	}
	if err := json.Unmarshal(public, &task); err != nil {
		return nil, nil, err
	}
	if err := errors.Join(json.Unmarshal(private, &answer), json.Unmarshal(private, &task)); err != nil {
		return nil, nil, err
	}
	task["ground_truth"] = answer.GroundTruth
	if row, err = json.Marshal(task); err != nil {
		return nil, nil, err
	}
	messages, ok := task["messages"].([]any)
	if !ok {
		messages = []any{map[string]any{"role": "user", "content": task["prompt"]}}
	}
	number, err := strconv.Atoi(answer.GroundTruth)
	if err != nil {
		return nil, nil, fmt.Errorf("task %s: %w", id, err)
	}
	for _, said := range []int{number, number + 1} {
		line, err := json.Marshal(map[string]any{
			"messages": append(messages[:len(messages):len(messages)],
				map[string]any{"role": "assistant", "content": fmt.Sprintf("<answer>%d</answer>", said)}),
		})
		if err != nil {
			return nil, nil, err
		}
		demonstrations = append(append(demonstrations, line...), '\n')
	}
	return append(row, '\n'), demonstrations, nil
}

// learned checks that the reward of a run's last step is far above the first step's.
func learned(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "learned FILE")
	var rewards []float64
	for _, line := range lines(ts.ReadFile(args[0])) {
		var e struct {
			Type   string
			Reward float64
		}
		ts.Check(json.Unmarshal([]byte(line), &e))
		if e.Type == "step_finished" {
			rewards = append(rewards, e.Reward)
		}
	}
	if n := len(rewards); n < 2 || rewards[n-1] < rewards[0]+0.15 {
		ts.Fatalf("the rewards of the steps are %v", rewards)
	}
	ts.Logf("rewards %v", rewards)
}
