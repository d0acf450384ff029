package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/dataset/internal/spool"
	"github.com/awhost/awhost/sdk"
)

// maxCollected limits the number of an environment's tasks, because it may generate them endlessly.
const maxCollected = 1 << 20

// TaskStream calls yield for every task in a split, starting at a given position, until yield returns false, as
// sdk.EnvironmentWithTasks does.
type TaskStream func(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error

// Collect reads and keeps an environment's tasks. The environment is no longer needed afterwards.
func Collect(ctx context.Context, config Config, stream TaskStream) (*Dataset, error) {
	c := &collector{
		limit: config.Limit, spool: spool.New(), sum: newFingerprint(),
		dataset: &Dataset{name: config.Environment, byID: map[string]int{}},
	}
	err := stream(ctx, sdk.Split(config.Split), 0, c.take)
	if c.err != nil {
		err = c.err
	}
	if err == nil {
		err = c.finish()
	}
	if err != nil {
		_ = c.spool.Close()
		return nil, fmt.Errorf("read the tasks of %s: %w", config.Environment, err)
	}
	return c.dataset, nil
}

type collector struct {
	limit   int
	spool   *spool.Spool
	sum     digest
	dataset *Dataset
	err     error
}

func (c *collector) take(task sdk.Task) bool {
	d := c.dataset
	if len(d.ids) == maxCollected {
		c.err = fmt.Errorf("more than %d tasks: set limit", maxCollected)
		return false
	}
	if c.err = c.keep(task); c.err != nil {
		c.err = fmt.Errorf("task %d: %w", len(d.ids)+1, c.err)
		return false
	}
	return c.limit == 0 || len(d.ids) < c.limit
}

func (c *collector) keep(task sdk.Task) error {
	d := c.dataset
	if task.ID == "" || len(task.ID) > maxIDBytes {
		return fmt.Errorf("the id has %d bytes, but must have 1 to %d", len(task.ID), maxIDBytes)
	}
	if earlier, taken := d.byID[task.ID]; taken {
		return fmt.Errorf("the id %q is already used by task %d", task.ID, earlier+1)
	}
	var problem *problem
	if task.Public, problem = canonicalObject(task.Public); problem != nil {
		return fmt.Errorf("public part: %s", problem.reason)
	}
	if len(task.Private) > 0 {
		if task.Private, problem = canonicalObject(task.Private); problem != nil {
			return fmt.Errorf("private part: %s", problem.reason)
		}
	}
	d.byID[task.ID] = len(d.ids)
	d.ids = append(d.ids, task.ID)
	c.sum.task(task)
	if err := c.spool.Add(task.Public); err != nil {
		return err
	}
	return c.spool.Add(task.Private)
}

func canonicalObject(text []byte) ([]byte, *problem) {
	row, problem := parseRow(text)
	if problem != nil {
		return nil, problem
	}
	return canonical(row), nil
}

func (c *collector) finish() error {
	if len(c.dataset.ids) == 0 {
		return errors.New("the environment lists no tasks: choose another split, or use your own dataset")
	}
	c.dataset.tasks, c.dataset.fingerprint = collected{c.spool}, c.sum.text()
	return c.spool.Finish()
}

// collected reads tasks from the spool: the public part of each task, then the private part.
type collected struct{ spool *spool.Spool }

func (c collected) task(i int) (sdk.Task, error) {
	public, err := c.spool.Get(2 * i)
	if err != nil {
		return sdk.Task{}, err
	}
	private, err := c.spool.Get(2*i + 1)
	if err != nil {
		return sdk.Task{}, err
	}
	task := sdk.Task{Public: bytes.Clone(public)}
	if len(private) > 0 {
		task.Private = bytes.Clone(private)
	}
	return task, nil
}

func (c collected) close() error { return c.spool.Close() }

var _ tasks = collected{}
