package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// stateFile holds the state of a resumed stage other than the policy. All randomness is derived from seeds and step
// numbers, so no generator state is stored.
const (
	stateFile    = "trainer.json"
	stateVersion = 1
)

type trainerState struct {
	Version int          `json:"version"`
	Step    int          `json:"step"` // counted over all stages
	Health  healthCounts `json:"health"`
}

// checkpoint writes the state after a step into a new directory and announces it. The host commits it. The policy is
// written last, because saving it syncs the directory; at that point, the entire checkpoint is on disk.
func (t *trainer) checkpoint(step int) error {
	dir := filepath.Join(t.checkpoints, fmt.Sprintf("step-%06d", step))
	if err := t.write(dir, step); err != nil {
		return fmt.Errorf("write checkpoint %s: %w", dir, err)
	}
	t.lastStep = step
	return t.emit(sdk.TrainEvent{Checkpoint: &sdk.CheckpointEvent{Step: step, Path: dir, Digest: "sha256:" +
		t.policy.Digest()}})
}

func (t *trainer) write(dir string, step int) error {
	if err := os.RemoveAll(dir); err != nil { // left by an interrupted attempt
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	files, err := tokenizer.HuggingFaceFiles()
	if err != nil {
		return err
	}
	if files[stateFile], err = json.Marshal(trainerState{Version: stateVersion, Step: step,
		Health: t.health.counts}); err != nil {
		return err
	}
	for name, content := range files {
		if err := writeSynced(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return t.policy.Save(dir)
}

func readState(dir string) (trainerState, error) {
	var state trainerState
	path := filepath.Join(dir, stateFile)
	content, err := os.ReadFile(path)
	if err != nil {
		return state, fmt.Errorf("read the trainer's state: %w", err)
	}
	if err := json.Unmarshal(content, &state); err != nil {
		return state, fmt.Errorf("read the trainer's state: %s: %w", path, err)
	}
	if state.Version != stateVersion {
		return state, fmt.Errorf("read the trainer's state: %s has format %d, this awhost reads %d: resume with the awhost that wrote it", path, state.Version, stateVersion)
	}
	return state, nil
}

func writeSynced(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}
