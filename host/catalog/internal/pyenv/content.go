package pyenv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// Content covers the parts that Digest skips because reading them each time a spec is loaded would take too long: the
// contents of the dependencies' files, whether or not a RECORD lists them, and the Python interpreter that the
// environments link to. It maps paths to hashes. Files with known checksums are not read again. Python's caches are
// ignored.
func Content(root, deps string, sums *stamp.Sums) (map[string]string, error) {
	found := map[string]string{}
	links, err := filepath.Glob(filepath.Join(globEscape(root), "bin", "python*"))
	if err != nil {
		return nil, err
	}
	for _, path := range links {
		if found[path], err = linkSum(path); err != nil {
			return nil, err
		}
	}
	err = filepath.WalkDir(deps, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "__pycache__":
			return fs.SkipDir
		case d.IsDir():
		case d.Type()&fs.ModeSymlink != 0:
			found[path], err = linkSum(path)
		default:
			var sum string
			sum, err = sums.File(path)
			found[path] = "sha256:" + sum
		}
		return err
	})
	return found, err
}

// linkSum returns a description of a link's target, or of the path if it is no longer a link.
func linkSum(path string) (string, error) {
	target, err := os.Readlink(path)
	var wrong *fs.PathError
	if errors.As(err, &wrong) && !errors.Is(err, fs.ErrNotExist) {
		return "no link", nil
	}
	return fmt.Sprintf("a link to %s", strings.ToValidUTF8(target, "?")), err
}
