package python

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestSources_HasEveryModule checks that the wheel for plugins on other machines contains every module of the
// checkout.
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
