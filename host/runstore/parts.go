package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
)

// Part is one of the files and directories that a run leaves on disk.
type Part struct {
	// Name is the part's name in the run directory, such as "journal". It is empty for the run directory itself, and
	// "checkpoints/step-000010" for a checkpoint that is stored elsewhere.
	Name    string
	Path    string
	Bytes   int64 // the sum of the sizes of its files
	Missing bool  // it is on record, but not on this machine
}

// parts lists the names in a run directory that take up space, in the order used in docs/reference/run-directory.md.
var parts = []string{journalFile, answersFile, attachmentsDir, metricsFile, checkpointsDir, logsDir, pluginsDir}

// Parts returns the run directory, which contains all files, then its existing parts, then the checkpoints that a
// framework stores elsewhere. It works while the run is being written.
func (r *Run) Parts() ([]Part, error) {
	out := []Part{{Path: r.Dir}}
	for _, name := range parts {
		out = append(out, Part{Name: name, Path: filepath.Join(r.Dir, name)})
	}
	elsewhere, err := r.external()
	if err != nil {
		return nil, err
	}
	kept := out[:0]
	for _, p := range append(out, elsewhere...) {
		follow := 1
		if p.Path == r.Dir {
			follow = 2 // its parts may be links, too
		}
		p.Bytes, err = r.measure(p.Path, follow)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if _, gone := r.fs().Lstat(p.Path); gone != nil && filepath.Dir(p.Path) == r.Dir {
				continue // a run does not have all parts
			}
			p.Missing = true
		case err != nil:
			return nil, fmt.Errorf("measure run %s: %w", r.Ref(), err)
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// external returns the checkpoints that a framework stores in its own location, without their sizes.
func (r *Run) external() ([]Part, error) {
	present, err := r.Checkpoints()
	if err != nil {
		return nil, err
	}
	var out []Part
	for _, c := range present {
		if c.Path != c.Dir {
			out = append(out, Part{Name: checkpointsDir + "/" + filepath.Base(c.Dir), Path: c.Path})
		}
	}
	return out, nil
}

// measure returns the total size of the files below path. It follows links to directories for the given number of
// levels, the first of which is path: users store checkpoints on larger disks in this way. A file that a concurrent
// prune removes is not counted.
func (r *Run) measure(path string, follow int) (int64, error) {
	info, err := r.fs().Lstat(path)
	if err != nil {
		return 0, err
	}
	linked := info.Mode()&fs.ModeSymlink != 0 && follow > 0
	if !info.IsDir() && !linked {
		return info.Size(), nil
	}
	entries, err := r.fs().ReadDir(path)
	if linked && errors.Is(err, syscall.ENOTDIR) {
		return info.Size(), nil // a link to a file
	}
	if err != nil {
		return 0, err
	}
	var total int64
	for _, entry := range entries {
		bytes, err := r.measure(filepath.Join(path, entry.Name()), follow-1)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		total += bytes
	}
	return total, nil
}
