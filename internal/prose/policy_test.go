package prose

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// policyFiles contain texts that a policy can read: tools, results, refusals, and limits. Some of their texts are for
// users only.
var policyFiles = []string{
	"host/agent/*.go", "host/agent/swarm/*.go",
	"plugins/bfcl-env/*.go", "plugins/bfcl-env/internal/*/*.go",
	"plugins/calculator/*.go", "plugins/calculator/internal/arithmetic/*.go",
	"plugins/code-env/*.go", "plugins/code-env/*.py",
	"plugins/env-service/*.go", "plugins/mcp-env/*.go", "plugins/mcp-env/internal/server/*.go",
	"sdk/sandbox/*.go",
}

var update = flag.Bool("update", false, "write "+policyGolden)

const policyGolden = "testdata/policy.txt"

var quoted = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'`)

// A changed text changes tokens and digests. Write the golden file again with -update only after a look at each
// line of the difference: the text is for users, or the digests of the examples are written again, too.
func TestTexts_ThatAPolicyReads(t *testing.T) {
	root := "../.."
	found := map[string]bool{}
	for _, pattern := range policyFiles {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range messages(t, path, source) {
				found[fmt.Sprintf("%s: %s\n", filepath.ToSlash(path[len(root)+1:]), text)] = true
			}
		}
	}
	got := strings.Join(slices.Sorted(maps.Keys(found)), "")
	if *update {
		if err := os.WriteFile(policyGolden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(policyGolden)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range slices.Sorted(maps.Keys(found)) {
		if !strings.Contains(string(want), line) {
			t.Errorf("new: %s", line)
		}
	}
	for line := range strings.Lines(string(want)) {
		if !found[line] {
			t.Errorf("missing: %s", line)
		}
	}
}

func messages(t *testing.T, path string, source []byte) (out []string) {
	t.Helper()
	if filepath.Ext(path) == ".py" {
		for _, literal := range quoted.FindAllString(string(source), -1) {
			if words.MatchString(literal) {
				out = append(out, literal)
			}
		}
		return out
	}
	texts, err := Texts(path, source)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if text.Kind == Message {
			out = append(out, text.Text)
		}
	}
	return out
}
