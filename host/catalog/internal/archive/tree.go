package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// HashTree hashes the names, contents and executable bits of all files under dir in the order of their names, and
// returns the hash as "sha256:…". A path that is neither a file nor a directory causes an error. Files with known
// checksums are not read again; sums may be nil.
func HashTree(dir string, sums *stamp.Sums) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", path)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		sum, err := sums.File(path)
		fmt.Fprintf(h, "%q %t %s\n", filepath.ToSlash(name), info.Mode()&0o111 != 0, sum)
		return err
	})
	if err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
