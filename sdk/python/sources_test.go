package python

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestSources_HasEveryModule: what the checkout has, a plugin on another machine finds.
func TestSources_HasEveryModule(t *testing.T) {
	for _, name := range []string{"awhost", "awhost_bridge"} {
		err := fs.WalkDir(os.DirFS("."), name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") {
				return err
			}
			if _, err := fs.Stat(Sources, path); err != nil {
				t.Errorf("the wheel lacks %s: name its folder in sources.go", path)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
