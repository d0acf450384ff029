package architecture

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	listens = regexp.MustCompile(`\b(net\.Listen\w*|ListenConfig\{\}\)\.Listen|config\.Listen|net\.FileListener|` +
		`unix\.Bind|goplugin\.Serve|create_server|start_server|server\.bind|add_secure_port|debugpy\.listen|run_app|` +
		`HTTPServer)\(`)
	httpServer = regexp.MustCompile(`http\.Server\{[^}]*\}`)
	testOnly   = regexp.MustCompile(`^(bench|internal|\.[^/]+)/|/(tests?|testdata|fakeplugin|specimen|\w+test)/|` +
		`_test\.go$|/bench\.py$`)
)

// TestListeners checks that the table in docs/explain/architecture.md has every package that listens, and that a client
// of an HTTP server cannot keep a connection by sending nothing.
func TestListeners(t *testing.T) {
	text, err := os.ReadFile("../../docs/explain/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Listeners\n")
	table, _, _ = strings.Cut(table, "\n## ")
	list := exec.Command("git", "ls-files", "*.go", "*.py", "*.sh")
	list.Dir = "../.."
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		source, err := os.ReadFile("../../" + name)
		if err != nil || testOnly.MatchString(name) {
			continue // the working tree removes this file, or it is only for tests
		}
		if listens.Match(source) && !strings.Contains(table, "`"+path.Dir(name)+"`") {
			t.Errorf("%s listens: add `%s` to the table of listeners in docs/explain/architecture.md", name, path.Dir(name))
		}
		for _, server := range httpServer.FindAllString(string(source), -1) {
			if !strings.Contains(server, "ReadTimeout:") || !strings.Contains(server, "IdleTimeout:") {
				t.Errorf("%s: set ReadTimeout and IdleTimeout in %s", name, server)
			}
		}
	}
}
