package run

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// taskSource holds a stage's tasks.
type taskSource struct {
	train      *dataset.Dataset
	validation *dataset.Dataset // nil: none
	order      *dataset.Order
}

func newTaskSource(p *plan.Plan, stage plan.Stage) *taskSource {
	return &taskSource{
		train: p.Data[stage.Dataset], validation: p.Data[stage.Validation],
		order: dataset.NewOrder(p.Tasks(stage.Dataset), stage.Knobs.Seed),
	}
}

// TaskAt implements rollout.TaskSource. Training tasks are used in the seeded order, epoch after epoch. Validation
// tasks are used in file order.
func (t *taskSource) TaskAt(split sdk.Split, index int) (sdk.Task, error) {
	switch {
	case index < 0:
		return sdk.Task{}, fmt.Errorf("%s task %d does not exist", split, index)
	case split != sdk.SplitValidation:
		_, row := t.order.At(index)
		return t.train.Task(row)
	case index >= t.len(split):
		return sdk.Task{}, fmt.Errorf("validation task %d does not exist; the dataset has %d "+
			"tasks", index, t.len(split))
	}
	return t.validation.Task(index)
}

// TaskByID implements rollout.TaskSource.
func (t *taskSource) TaskByID(split sdk.Split, id string) (sdk.Task, bool) {
	d := t.of(split)
	if d == nil {
		return sdk.Task{}, false
	}
	i, ok := d.Index(id)
	if !ok {
		return sdk.Task{}, false
	}
	task, err := d.Task(i)
	return task, err == nil
}

func (t *taskSource) of(split sdk.Split) *dataset.Dataset {
	if split == sdk.SplitValidation {
		return t.validation
	}
	return t.train
}

func (t *taskSource) len(split sdk.Split) int {
	if d := t.of(split); d != nil {
		return d.Len()
	}
	return 0
}

// stream sends the adapter a dataset: either a split in the host's order, or a whole dataset block in file order.
// Private parts are removed.
func (l *trainCall) stream(ctx context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	if req.Dataset == "" {
		at := func(i int) (sdk.Task, error) { return l.tasks.TaskAt(req.Split, i) }
		return streamRows(ctx, req.Cursor, l.tasks.len(req.Split), at, yield)
	}
	d := l.run.Plan.Data[req.Dataset]
	if d == nil {
		return fmt.Errorf("this run does not use a dataset named %q", req.Dataset)
	}
	return streamRows(ctx, req.Cursor, d.Len(), d.Task, yield)
}

func streamRows(ctx context.Context, from, to int, at func(int) (sdk.Task, error), yield func(sdk.Task) bool) error {
	for i := max(from, 0); i < to; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		task, err := at(i)
		if err != nil {
			return err
		}
		task.Private = nil
		if !yield(task) {
			return nil
		}
	}
	return nil
}

var _ rollout.TaskSource = (*taskSource)(nil)
