package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// TaskPlace identifies a task of a run.
type TaskPlace struct {
	Stage string
	Split sdk.Split
	ID    string
	Index int                 // in the host's order; -1 if the trainer provided the task
	Data  []runstore.UsedData // the run's record of its datasets
}

// PrivatePart reads a task's private part from the dataset of its stage, if the dataset has not changed since the run.
// It starts no plugin. It returns null for a task without a private part.
func PrivatePart(ctx context.Context, in Inputs, place TaskPlace) (json.RawMessage, error) {
	parts := PrivateParts{Inputs: in}
	defer parts.Close()
	return parts.Of(ctx, place)
}

// PrivateParts reads the private parts of many tasks as PrivatePart does. It keeps datasets open until Close.
type PrivateParts struct {
	Inputs
	p Plan
}

// Of returns the private part of a task.
func (t *PrivateParts) Of(ctx context.Context, place TaskPlace) (json.RawMessage, error) {
	train, problems := chooseTrain(t.Inputs)
	if problems.HasErrors() {
		return nil, worded(problems)
	}
	address, err := dataOf(train, place)
	if err != nil {
		return nil, err
	}
	data := t.p.Data[address]
	if data == nil {
		if data, err = t.open(ctx, train, address, place.Data); err != nil {
			return nil, err
		}
	}
	return privatePart(data, address, place)
}

// open opens a dataset that equals the run's.
func (t *PrivateParts) open(ctx context.Context, train *spec.Train, address string, run []runstore.UsedData,
) (*dataset.Dataset, error) {
	if err := checkFiles(t.Inputs, address); err != nil {
		return nil, err
	}
	if t.p.Data == nil {
		t.p = Plan{Spec: t.Spec, Train: train, Data: map[string]*dataset.Dataset{}}
	}
	if problems := t.p.open(ctx, t.Inputs, t.Spec.Blocks[address]); problems.HasErrors() {
		return nil, worded(problems)
	}
	data := t.p.Data[address]
	if data == nil {
		return nil, fmt.Errorf("dataset %s cannot be opened: run awhost plan to see why", address)
	}
	for _, used := range run {
		if used.Address == address && used.Fingerprint != data.Fingerprint() {
			return nil, fmt.Errorf("the tasks of %s differ from the run's tasks: restore its files", address)
		}
	}
	return data, nil
}

// Close closes the datasets.
func (t *PrivateParts) Close() { t.p.Close() }

// PrivatePart reads the private part of a task that is in progress from the evaluation's open dataset.
func (p *Plan) PrivatePart(id string, index int) (json.RawMessage, error) {
	address := p.Stages[0].Validation
	return privatePart(p.Data[address], address, TaskPlace{ID: id, Index: index})
}

// privatePart reads a task's private part by the task's index, or by its ID if the index belongs to another task.
func privatePart(data *dataset.Dataset, address string, place TaskPlace) (json.RawMessage, error) {
	i := place.Index
	if i < 0 || i >= data.Len() || data.ID(i) != place.ID {
		known := false
		if i, known = data.Index(place.ID); !known {
			return nil, fmt.Errorf("dataset %s has no task %q", address, place.ID)
		}
	}
	task, err := data.Task(i)
	if err != nil || len(task.Private) == 0 {
		return json.RawMessage("null"), err
	}
	return task.Private, nil
}

// dataOf returns the address of a task's dataset.
func dataOf(train *spec.Train, place TaskPlace) (string, error) {
	i := slices.IndexFunc(train.Stages, func(s *spec.Stage) bool { return s.Name == place.Stage })
	if i < 0 {
		return "", fmt.Errorf("the spec no longer has stage %q", place.Stage)
	}
	stage := train.Stages[i]
	if place.Split == sdk.SplitTrain {
		return stage.Dataset, nil
	}
	if stage.Validation == "" {
		return "", errors.New("the spec no longer has a validation dataset")
	}
	return stage.Validation, nil
}

// checkFiles rejects datasets whose tasks an environment lists each time, because reading them would require starting
// the environment's plugin.
func checkFiles(in Inputs, address string) error {
	b := in.Spec.Blocks[address]
	if b == nil {
		return fmt.Errorf("the spec no longer has %s", address)
	}
	config, err := dataset.Decode(b.Type, b.Config)
	if err != nil {
		return err
	}
	if config.Type == dataset.TypeEnvironment && !config.Pin {
		return fmt.Errorf("%s gets its tasks from an environment, which a viewer does not start: set pin = true to "+
			"keep them",
			address)
	}
	for _, source := range config.Sources() {
		if err := checkFiles(in, source); err != nil {
			return err
		}
	}
	return nil
}

// worded returns the first error among problems.
func worded(problems diag.Diagnostics) error {
	for _, d := range problems {
		if d.Severity == diag.Error {
			return fmt.Errorf("%s: %s", d.Summary, d.Detail)
		}
	}
	return errors.New("the spec cannot be used")
}
