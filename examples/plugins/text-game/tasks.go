package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// task is the public part of a task.
type task struct {
	Prompt string `json:"prompt"`
	Rooms  int    `json:"rooms"`
	Locks  int    `json:"locks"`
	Castle uint64 `json:"castle"` // index among the castles of this size, mixed with the episode's seed
}

const prompt = "A treasure is hidden in this castle. Find it and take it. Look around, and use the tools to walk, take things and unlock doors."

// readTask reads a task provided by this environment or by a dataset.
func readTask(t sdk.Task) (task, error) {
	out := task{Prompt: prompt, Rooms: 5, Locks: 1}
	if err := json.Unmarshal(t.Public, &out); err != nil {
		return out, fmt.Errorf("task %s: its public part should be {\"rooms\": 5, \"locks\": 1, \"castle\": 0}: %w", t.ID,
			err)
	}
	return out, nil
}

// counts is the number of castles of each size per split.
var counts = map[sdk.Split]int{sdk.SplitTrain: 200, sdk.SplitValidation: 20}

// Tasks implements sdk.EnvironmentWithTasks. It lists castles from 3 rooms without a lock to 12 rooms with 4 locks,
// small ones first.
func (e *environment) Tasks(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	count, ok := counts[split]
	if !ok || cursor < 0 {
		return fmt.Errorf("list tasks: unknown split %q with cursor %d", split, cursor)
	}
	sizes := []task{{Rooms: 3}, {Rooms: 5, Locks: 1}, {Rooms: 7, Locks: 2}, {Rooms: 9, Locks: 3}, {Rooms: 12, Locks: 4}}
	for i := cursor; i < count*len(sizes) && ctx.Err() == nil; i++ {
		t := sizes[i/count]
		t.Prompt, t.Castle = prompt, uint64(i%count)
		if split == sdk.SplitValidation {
			t.Castle += 1 << 32 // different castles than in training
		}
		public, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("list tasks: %w", err)
		}
		if !yield(sdk.Task{ID: fmt.Sprintf("%d-rooms-%d-locks-%d", t.Rooms, t.Locks, t.Castle), Public: public}) {
			return nil
		}
	}
	return ctx.Err()
}
