package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/awhost/awhost/host/journal/disk"
)

// Label holds what a user adds to a run. It may change at any time, even while the run is being written.
type Label struct {
	Format int      `json:"format"`
	Name   string   `json:"name,omitempty"` // commands that take a run accept it
	Note   string   `json:"note,omitempty"`
	Tags   []string `json:"tags,omitempty"` // sorted
}

// labelWord matches names and tags. A run's number does not match.
var labelWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]{0,63}$`)

// Label reads the run's label. It is empty if the user has not set one.
func (r *Run) Label() (label Label, err error) {
	path := filepath.Join(r.Dir, labelFile)
	data, err := disk.ReadFile(r.fs(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return label, nil
	}
	if err == nil {
		err = checkFormat(path, data)
	}
	if err == nil {
		err = json.Unmarshal(data, &label)
	}
	if err != nil {
		return label, fmt.Errorf("read the label of run %s: %w; to set it again, remove %s", r.Ref(), err, path)
	}
	return label, nil
}

// SetLabel changes the run's label. A concurrent change by another process is not lost.
func (r *Run) SetLabel(ctx context.Context, change func(*Label)) (label Label, err error) {
	lock, err := r.store.lock.acquire(ctx, filepath.Join(r.Dir, labelLock))
	if errors.Is(err, errHeld) {
		err = errors.New("another awhost is changing it: try again")
	}
	if err != nil {
		return label, explain("lock the label of run "+r.Ref(), err)
	}
	defer func() { err = errors.Join(err, closeLock(lock)) }()
	if label, err = r.Label(); err != nil {
		return label, err
	}
	before := label.Name
	change(&label)
	slices.Sort(label.Tags)
	label.Tags, label.Format = slices.Compact(label.Tags), FormatVersion
	if err := r.checkLabel(label, before); err != nil {
		return label, err
	}
	data, err := encode(label)
	if err != nil {
		return label, err
	}
	return label, explain("write the label of run "+r.Ref(), disk.WriteFile(r.fs(), filepath.Join(r.Dir, labelFile), data))
}

// checkLabel returns an error if a name or tag is invalid, or if a new name already denotes a run.
func (r *Run) checkLabel(label Label, before string) error {
	for _, word := range append([]string{label.Name}, label.Tags...) {
		if word != "" && !labelWord.MatchString(word) {
			return fmt.Errorf("invalid name or tag %q: begin with a letter, and use at most 64 letters, digits, and ._-", word)
		}
	}
	if label.Name == "" || label.Name == before {
		return nil
	}
	other, err := r.store.Open(label.Name)
	if block, _, ok := splitRef(label.Name); ok && block == r.Info.Name && errors.Is(err, ErrNoRun) {
		return fmt.Errorf("the name %q will denote a later run of %s: choose another", label.Name, block)
	}
	if errors.Is(err, ErrNoRun) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("the name %q already denotes run %s: choose another", label.Name, other.Ref())
	}
	return err
}
