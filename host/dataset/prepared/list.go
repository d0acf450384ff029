package prepared

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"

	"github.com/awhost/awhost/host/dataset"
)

// Environments are those that bring tasks.
type Environments interface {
	// Basis says what the tasks of an environment depend on. It asks nobody.
	Basis(address string) (map[string]string, error)
	// Tasks are those that it lists once it has been started.
	Tasks(address string) dataset.TaskStream
}

// list makes rows by listing the tasks of an environment. They depend on its block: a service that lists other tasks
// later does not change what was kept.
func (s Store) list(config dataset.Config) (maker, error) {
	if s.Environments == nil {
		return maker{}, errors.New("nobody here starts environments")
	}
	basis, err := s.Environments.Basis(config.Environment)
	if err != nil {
		return maker{}, err
	}
	basis["split"] = config.Split
	if config.Limit > 0 {
		basis["limit"] = strconv.Itoa(config.Limit)
	}
	return maker{
		of: config.Environment + " (" + config.Split + ")", basis: basis,
		rows: func(ctx context.Context, _ *slog.Logger, yield func([]byte) error) error {
			tasks, err := dataset.Collect(ctx, config, s.Environments.Tasks(config.Environment))
			if err != nil {
				return err
			}
			defer tasks.Close()
			return eachTask(tasks, yield)
		},
	}, nil
}

// eachTask gives each task as dataset.Kept reads it.
func eachTask(tasks *dataset.Dataset, yield func([]byte) error) error {
	for i := range tasks.Len() {
		task, err := tasks.Task(i)
		if err != nil {
			return err
		}
		row, err := json.Marshal(task)
		if err != nil {
			return err
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
