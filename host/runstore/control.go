package runstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/awhost/awhost/host/journal/disk"
)

// controlFile says where the host of the run can be asked.
const controlFile = "control.json"

// Control is control.json: where the host that writes the run listens for `awhost attach` and `awhost stop`. Whether it
// still does, only an attempt says.
type Control struct {
	Format      int    `json:"format"`
	Awhost      string `json:"awhost"`
	Socket      string `json:"socket"` // absolute path of a unix socket on the owner's machine
	Incarnation int    `json:"incarnation"`
}

// RecordControl writes down where this process listens; an empty socket means that it does not any more. The file is no
// part of what counts: it need not survive a crash, and a failure to write it does not stop the run.
func (w *Writer) RecordControl(socket string) error {
	path := filepath.Join(w.Dir, controlFile)
	if socket == "" {
		if err := w.fs().Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", path, err)
		}
		return nil
	}
	text, err := encode(Control{Format: FormatVersion, Awhost: w.store.opts.Version, Socket: socket, Incarnation: w.incarnation})
	if err != nil {
		return err
	}
	if err := disk.StageFile(w.fs(), path, text); err != nil {
		return explain("write "+path, err)
	}
	return nil
}

// Control says where the host of the run listens; nil where none does.
func (r *Run) Control() (*Control, error) {
	path := filepath.Join(r.Dir, controlFile)
	text, err := disk.ReadFile(r.fs(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read where run %s listens: %w", r.Ref(), err)
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
