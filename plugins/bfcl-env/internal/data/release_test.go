package data_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
)

// named matches a release of bfcl-eval that a text recommends.
var named = regexp.MustCompile(`bfcl[-_]eval(?:==|-)(20[0-9.]*[0-9])`)

// Docs, examples and benchmarks must name the same releases for download as the program.
func TestNamedReleasesFit(t *testing.T) {
	root, found := "../../../..", 0
	for _, folder := range []string{"docs", "examples", "bench", "cmd", "plugins/bfcl-env/bfcl.go"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, match := range named.FindAllStringSubmatch(string(content), -1) {
				found++
				if get := "==" + match[1] + "`"; !strings.HasSuffix(data.Download("v3"), get) &&
					!strings.HasSuffix(data.Download("v4"), get) {
					t.Errorf("%s names %s, which is neither of %s and %s", path, match[0], data.Download("v3"), data.Download("v4"))
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if found == 0 {
		t.Error("no release is named")
	}
}
