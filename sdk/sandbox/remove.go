package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Remove removes a folder with all that a program may have made of it: folders without permissions, too. Links are
// removed and not followed. A folder that is not there is no error.
func Remove(folder string) error {
	if err := os.RemoveAll(folder); err == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) // before it is read
		}
		return nil //nolint:nilerr // the removal says what is wrong
	})
	return os.RemoveAll(folder)
}
