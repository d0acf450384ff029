package fakeplugin

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk"
)

// Remote is the folder in control with the remote data of checkpoints, and the file in a checkpoint with the name of
// its own.
const Remote = "remote"

// saveRemote writes the remote data of a checkpoint.
func (t *trainer) saveRemote(dir, name string) error {
	folder := filepath.Join(t.config.Control, Remote)
	return errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, name), nil, 0o644),
		os.WriteFile(filepath.Join(dir, Remote), []byte(name), 0o644))
}

// DeleteCheckpoint implements sdk.AdapterWithRemoteCheckpoints.
func (t *trainer) DeleteCheckpoint(ctx context.Context, dir string) error {
	t.config.at("delete " + filepath.Base(dir))
	t.config.note("deleted", filepath.Base(dir))
	switch {
	case t.does("fail to delete once") && t.config.once("failed to delete"):
		return errors.New("the server is on fire")
	case t.does("hang when it deletes"):
		<-ctx.Done()
		return context.Cause(ctx)
	}
	name, err := os.ReadFile(filepath.Join(dir, Remote))
	if err == nil {
		err = os.Remove(filepath.Join(t.config.Control, Remote, string(name)))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

var _ sdk.AdapterWithRemoteCheckpoints = (*trainer)(nil)
