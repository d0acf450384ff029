package tinker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

// DeleteCheckpoint implements sdk.AdapterWithRemoteCheckpoints. The checkpoint of a smoke run, or one that was not
// saved to its end, names no state.
func (a *adapter) DeleteCheckpoint(ctx context.Context, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "tinker.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var saved struct {
		State string `json:"state"`
	}
	if err == nil {
		err = json.Unmarshal(text, &saved)
	}
	if err == nil && os.Getenv(a.config.APIKeyEnv) == "" {
		err = fmt.Errorf("the environment variable %s is not set: set it to your key (api_key_env)", a.config.APIKeyEnv)
	}
	input, errInput := json.Marshal(map[string]any{"config": a.config, "state": saved.State})
	code, errCode := fs.Sub(shim, "shim")
	if err := errors.Join(err, errInput, errCode); err != nil {
		return fmt.Errorf("delete checkpoint %s: %w", dir, err)
	}
	err = python.Module{
		Interpreter: a.config.Python, Code: []fs.FS{code}, Name: "awhost_tinker.delete", Input: input,
	}.Run(ctx)
	if err != nil {
		return fmt.Errorf("delete %s of checkpoint %s: %w", saved.State, dir, err)
	}
	return nil
}

var _ sdk.AdapterWithRemoteCheckpoints = (*adapter)(nil)
