package property_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/internal/testlevel/property"
)

func TestCheck_DrawsTheSameValuesAgain(t *testing.T) {
	if testlevel.All() {
		t.Skip("SKIPPED: with AWHOST_SLOW=all property tests draw new values in each run")
	}
	draw := func() (drawn []uint64) {
		property.Check(t, func(rt *rapid.T) { drawn = append(drawn, rapid.Uint64().Draw(rt, "number")) })
		return drawn
	}
	if diff := cmp.Diff(draw(), draw()); diff != "" {
		t.Errorf("two runs drew different values (-first +second):\n%s", diff)
	}
}

// TestCheck_IsTheOnlyCallerOfRapid checks that all property tests use Check: rapid's own Check draws new values in
// each run.
func TestCheck_IsTheOnlyCallerOfRapid(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("SKIPPED: this is not a git checkout")
	}
	cmd := exec.Command("git", "ls-files", "*.go")
	cmd.Dir = root
	files, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.Lines(string(files)) {
		path = strings.TrimSpace(path)
		if strings.HasPrefix(path, "internal/testlevel/property/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		if os.IsNotExist(err) {
			continue // removed but not yet staged
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("rapid.Check(")) {
			t.Errorf("%s calls rapid.Check: call property.Check, which fixes the seed", path)
		}
	}
}
