package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/view/text"
)

// .ci/plugins must run the conformance suite against each bundled plugin, or print its name and the reason.
func TestBundled_AreAllPlayedByTheConformanceSuite(t *testing.T) {
	script := readText(t, "../../.ci/plugins")
	for _, name := range pluginNames() {
		if !regexp.MustCompile(`(?m)^\s*bundled ` + regexp.QuoteMeta(name) + ` `).MatchString(script) {
			t.Errorf(".ci/plugins does not play the conformance suite against %s: add `bundled %s FOLDER`", name, name)
		}
	}
}

// Each bundled plugin must be in the documentation: its page in the index, its types in the manual.
func TestBundled_AreAllInTheDocumentation(t *testing.T) {
	_, index, found := strings.Cut(readText(t, "../../docs/README.md"), "\n## Bundled plugins\n")
	if !found {
		t.Fatal("docs/README.md has no section Bundled plugins")
	}
	index, _, _ = strings.Cut(index, "\n## ")
	for _, name := range pluginNames() {
		if !strings.Contains(index, "`"+name+"`") {
			t.Errorf("docs/README.md, Bundled plugins, does not name %s", name)
		}
	}
	_, shown, _ := strings.Cut(readText(t, "../../docs/reference/cli/plugin.md"), "$ awhost plugin list\n")
	shown, _, _ = strings.Cut(shown, "```")
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	root := newRoot(&app{in: &bytes.Buffer{}, out: text.NewOutput(&out), err: text.NewOutput(&bytes.Buffer{})})
	root.SetArgs([]string{"plugin", "list"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if out.String() != shown {
		t.Errorf("docs/reference/cli/plugin.md does not show the output of plugin list:\n%s", out.String())
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
