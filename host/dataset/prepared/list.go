package prepared

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"

	"github.com/awhost/awhost/host/dataset"
)

// Environments provides the tasks of environments.
type Environments interface {
	// Basis returns the inputs of an environment's tasks without starting the environment.
	Basis(address string) (map[string]string, error)
	// Tasks returns the stream of tasks listed by the started environment.
	Tasks(address string) dataset.TaskStream
}

// list returns a maker that lists an environment's tasks. Their basis is the environment's block: kept tasks stay the
// same if a service later lists different tasks.
func (s Store) list(config dataset.Config) (maker, error) {
	if s.Environments == nil {
		return maker{}, errors.New("environments cannot be started here")
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

// eachTask yields each task in the format read by dataset.Kept.
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
