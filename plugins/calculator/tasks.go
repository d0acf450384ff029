package calculator

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
	"github.com/awhost/awhost/sdk"
)

// taskSeed determines the order of the tasks. It must never change, because a cursor from an old run must refer to the
// same task in a new run.
const taskSeed = 20

// Tasks implements sdk.EnvironmentWithTasks: every problem with the configured operations and operands below 100, about
// 9,000 per operation for training and 1,000 for validation.
func (e *environment) Tasks(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	if split != sdk.SplitTrain && split != sdk.SplitValidation {
		return fmt.Errorf("list tasks: unknown split %q: want %s or %s", split, sdk.SplitTrain, sdk.SplitValidation)
	}
	problems := arithmetic.Problems(e.operations, split == sdk.SplitValidation, taskSeed)
	if cursor < 0 {
		return fmt.Errorf("list tasks: the cursor is %d: it counts from 0", cursor)
	}
	for _, problem := range problems[min(cursor, len(problems)):] {
		if err := ctx.Err(); err != nil {
			return err
		}
		task, err := taskOf(problem)
		if err != nil {
			return err
		}
		if !yield(task) {
			return nil
		}
	}
	return nil
}

func taskOf(problem arithmetic.Problem) (sdk.Task, error) {
	answer, err := problem.Answer()
	if err != nil {
		return sdk.Task{}, fmt.Errorf("list task %s: %w", problem.ID(), err)
	}
	public, err := json.Marshal(map[string]string{"prompt": problem.Question()})
	if err != nil {
		return sdk.Task{}, fmt.Errorf("list task %s: %w", problem.ID(), err)
	}
	private, err := json.Marshal(map[string]string{"ground_truth": strconv.FormatInt(answer, 10)})
	if err != nil {
		return sdk.Task{}, fmt.Errorf("list task %s: %w", problem.ID(), err)
	}
	return sdk.Task{ID: problem.ID(), Public: public, Private: private}, nil
}
