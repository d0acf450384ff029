package pyenv

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// Digest hashes the executed code: the content of a package's environment and the RECORD files that installers write
// for its dependencies, which are too large to read each time. The paths of the environments do not matter. Files
// with known sums are not read again; sums may be nil.
func Digest(root, deps string, sums *stamp.Sums) (string, error) {
	h := sha256.New()
	if err := hashRoot(h, root, deps, sums); err != nil {
		return "", err
	}
	lines, err := installed(deps)
	if err != nil {
		return "", err
	}
	for _, line := range lines {
		fmt.Fprintf(h, "%s\n", line)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// hashRoot writes the name and hash of each file in a package's environment. Python's caches are ignored.
func hashRoot(h io.Writer, root, deps string, sums *stamp.Sums) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && d.Name() == "__pycache__":
			return fs.SkipDir
		case d.IsDir():
			return nil
		case d.Name() == pathFile:
			text, err := os.ReadFile(path)
			if site, _ := filepath.Rel(root, filepath.Dir(path)); err != nil ||
				string(text) != pathLine(filepath.Join(deps, site)) {
				return fmt.Errorf("%s was changed", path)
			}
			return nil
		case name == "pyvenv.cfg":
			return hashVersion(h, path)
		case strings.HasPrefix(name, "bin/python"): // specific to the machine
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s was changed: it is not a file", path)
		}
		sum, err := sums.File(path)
		fmt.Fprintf(h, "%q %s\n", name, sum)
		return err
	})
}

// hashVersion writes the Python version.
func hashVersion(h io.Writer, config string) error {
	text, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "version" {
			fmt.Fprintf(h, "python %s\n", strings.TrimSpace(value))
		}
	}
	return nil
}

// installed lists the files of all packages in an environment with their hashes from RECORD. It skips files that depend
// on the location, such as scripts that contain the path of their Python interpreter.
func installed(dir string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(dir, markName)); err != nil {
		return nil, fmt.Errorf("%s is incomplete: %w", dir, err)
	}
	records, err := filepath.Glob(filepath.Join(globEscape(dir), "lib", "python*", "site-packages", "*.dist-info",
		"RECORD"))
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, path := range records {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		rows := csv.NewReader(bytes.NewReader(text))
		rows.FieldsPerRecord = -1
		for {
			row, err := rows.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if len(row) >= 2 && row[1] != "" && !strings.HasPrefix(row[0], "../") && !ofInstaller(row[0]) {
				lines = append(lines, fmt.Sprintf("%q %s", row[0], row[1]))
			}
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// ofInstaller reports whether a file describes how a package was installed rather than its content.
func ofInstaller(name string) bool {
	return slices.Contains([]string{"INSTALLER", "REQUESTED", "direct_url.json"}, name[strings.LastIndex(name, "/")+1:])
}

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
