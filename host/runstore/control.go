package runstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/awhost/awhost/host/journal/disk"
)

// controlFile contains the address of the run's host.
const controlFile = "control.json"

// Control is control.json: the address at which the run's host listens for `awhost attach` and `awhost stop`. Only a
// connection attempt shows whether the host is still listening.
type Control struct {
	Format      int    `json:"format"`
	Awhost      string `json:"awhost"`
	Socket      string `json:"socket"` // absolute path of a unix socket on the owner's machine
	Incarnation int    `json:"incarnation"`
}

// RecordControl records the address at which this process listens. An empty socket means that it is no longer
// listening. The file is informational: it does not have to survive a crash, and a failure to write it does not stop
// the run.
func (w *Writer) RecordControl(socket string) error {
	path := filepath.Join(w.Dir, controlFile)
	if socket == "" {
		if err := w.fs().Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", path, err)
		}
		return nil
	}
	text, err := encode(Control{Format: FormatVersion, Awhost: w.store.opts.Version, Socket: socket,
		Incarnation: w.incarnation})
	if err != nil {
		return err
	}
	if err := disk.StageFile(w.fs(), path, text); err != nil {
		return explain("write "+path, err)
	}
	return nil
}

// Control returns the address at which the host of the run listens, or nil.
func (r *Run) Control() (*Control, error) {
	path := filepath.Join(r.Dir, controlFile)
	text, err := disk.ReadFile(r.fs(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the control address for run %s: %w", r.Ref(), err)
	}
	if err := checkFormat(path, text); err != nil {
		return nil, err
	}
	var c Control
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return &c, nil
}
