package sdk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteExport creates an export directory, either completely or not at all. fill writes to a temporary directory next
// to the target, which is synced and then renamed. The response lists the files in the directory, of which there must
// be at least one. If the target exists, the error wraps fs.ErrExist, and the target remains unchanged.
func WriteExport(req ExportRequest, fill func(dir string) error) (_ *ExportResponse, err error) {
	target := filepath.Clean(req.Target)
	if _, err := os.Lstat(target); err == nil {
		return nil, fmt.Errorf("export to %s: %w; choose another name or remove it", target, fs.ErrExist)
	}
	parent, name := filepath.Dir(target), filepath.Base(target)
	partial, err := os.MkdirTemp(parent, "."+name+".partial-")
	if err != nil {
		return nil, fmt.Errorf("export to %s: %w", target, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := fill(partial); err != nil {
		return nil, err
	}
	files, err := syncFiles(partial)
	if err == nil && len(files) == 0 {
		err = errors.New("nothing was written")
	}
	if err == nil {
		err = os.Rename(partial, target)
	}
	if err == nil {
		err = syncPath(parent)
	}
	if err != nil {
		return nil, fmt.Errorf("export to %s: %w", target, err)
	}
	return &ExportResponse{Files: files}, nil
}

// syncFiles lists a directory's files by name, syncs them, and makes them readable, because some writers create private
// files.
func syncFiles(dir string) ([]ExportedFile, error) {
	var files []ExportedFile
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return errors.Join(os.Chmod(path, 0o755), syncPath(path))
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files = append(files, ExportedFile{Name: filepath.ToSlash(name), Bytes: info.Size()})
		return errors.Join(os.Chmod(path, 0o644), syncPath(path))
	})
	return files, err
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
