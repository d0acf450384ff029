package verl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// checkpoints is the folder that verl saves to. verl writes global_step_N and then, when all of it is there,
// latest_checkpointed_iteration.txt.
type checkpoints struct {
	dir   string
	every int // steps; 0: never
	last  int // verl's last step, which it always saves
}

const latestFile = "latest_checkpointed_iteration.txt"

// of returns the folder of verl's checkpoint of a step, or nothing when there is none.
func (c checkpoints) of(step int) (string, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, latestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("look for a checkpoint: %w", err)
	}
	latest, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return "", fmt.Errorf("look for a checkpoint: %s holds %q, which is no step", filepath.Join(c.dir, latestFile), text)
	}
	if latest != step {
		return "", nil
	}
	dir := filepath.Join(c.dir, fmt.Sprintf("global_step_%d", step))
	if _, err := os.Stat(dir); err != nil {
		return "", nil // taken over already
	}
	return dir, nil
}

// willCome says whether verl saves again before it ends.
func (c checkpoints) willCome() bool { return c.every > 0 }

// next is the step of the checkpoint after a step.
func (c checkpoints) next(step int) int { return min((step/c.every+1)*c.every, max(c.last, step+1)) }

// place prepares a folder from which verl begins, and returns it. verl reads the step from the folder's name. A resumed
// stage gets everything; a stage that begins with the weights of the one before counts its steps from 0 and reads its own
// data from the first row.
func place(dir, from string, step int, resumed bool) (string, error) {
	target := filepath.Join(dir, fmt.Sprintf("global_step_%d", step))
	if err := os.RemoveAll(target); err != nil {
		return "", fmt.Errorf("prepare the checkpoint to begin from: %w", err)
	}
	made := target
	if resumed {
		made = dir
	}
	if err := os.MkdirAll(made, 0o777); err != nil {
		return "", fmt.Errorf("prepare the checkpoint to begin from: %w", err)
	}
	if resumed {
		return target, os.Symlink(from, target)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return "", fmt.Errorf("prepare the checkpoint to begin from: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() { // data.pt: where the other stage was in its data
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(target, e.Name())); err != nil {
			return "", fmt.Errorf("prepare the checkpoint to begin from: %w", err)
		}
	}
	return target, nil
}
