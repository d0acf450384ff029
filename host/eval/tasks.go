package eval

import (
	"fmt"
	"sync"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// rows provides the first tasks in a dataset, in file order.
type rows struct {
	data *dataset.Dataset
	most int
}

func newRows(data *dataset.Dataset, limit int) rows {
	most := data.Len()
	if limit > 0 {
		most = min(most, limit)
	}
	return rows{data, most}
}

func (r rows) len() int { return r.most }

// TaskAt implements rollout.TaskSource.
func (r rows) TaskAt(_ sdk.Split, index int) (sdk.Task, error) {
	if index < 0 || index >= r.most {
		return sdk.Task{}, fmt.Errorf("task %d does not exist: the dataset has %d tasks", index, r.most)
	}
	return r.data.Task(index)
}

// TaskByID implements rollout.TaskSource.
func (r rows) TaskByID(_ sdk.Split, id string) (sdk.Task, bool) {
	i, ok := r.data.Index(id)
	if !ok {
		return sdk.Task{}, false
	}
	task, err := r.data.Task(i)
	return task, err == nil
}

// one provides a single task.
type one struct{ task sdk.Task }

// TaskAt implements rollout.TaskSource.
func (o one) TaskAt(sdk.Split, int) (sdk.Task, error) { return o.task, nil }

// TaskByID implements rollout.TaskSource.
func (o one) TaskByID(_ sdk.Split, id string) (sdk.Task, bool) { return o.task, id == o.task.ID }

// progress counts the finished episodes.
type progress struct {
	total  int
	report func(done, total int)

	mu   sync.Mutex
	done int
}

func (p *progress) add() {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}

var (
	_ rollout.TaskSource = rows{}
	_ rollout.TaskSource = one{}
)
