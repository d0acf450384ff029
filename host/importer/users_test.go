package importer_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/host/importer"
)

// files are the configurations of users that are imported.
var files = map[string][]string{
	"verl": {
		"verl/*.sh", "verl/*.yaml", "aworld/run.sh", "aworld/grpo_trainer.yaml", "envtuning/scripts/*.sh",
		"envtuning/config/*stage*.yaml",
	},
	"areal": {"areal/*.yaml"},
	"ajet":  {"agentjet/*.yaml"},
}

var counts = "testdata/users.txt"

// Each key of each user's file is accounted for, and the outcomes are the recorded ones.
func TestUsersFiles(t *testing.T) {
	dir := os.Getenv("AWHOST_TESTDATA")
	if dir == "" {
		t.Skip("SKIPPED, files of users are not read: set AWHOST_TESTDATA to the reference data")
	}
	t.Setenv("HOME", "/home/user")
	want, err := os.ReadFile(counts)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if counts, err = filepath.Abs(counts); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // the working directory of scripts
	got := "# Outcomes of the keys in users' files: go generate ./host/importer\n"
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, pattern := range files[name] {
			paths, err := filepath.Glob(filepath.Join(dir, "users", pattern))
			if err != nil || len(paths) == 0 {
				t.Fatalf("%s: %v", pattern, cmp.Or(err, os.ErrNotExist))
			}
			for _, path := range paths {
				short := strings.TrimPrefix(path, filepath.Join(dir, "users")+"/")
				got += fmt.Sprintf("%-8s %-52s %s\n", name, short, outcomes(t, importer.Systems[name], path))
			}
		}
	}
	if *update {
		err = os.WriteFile(counts, []byte(got), 0o644)
	} else if string(want) != got {
		t.Errorf("got\n%s\nwant\n%s\nafter a look at the change: go generate ./host/importer", got, want)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// outcomes imports a file and returns the number of keys for each outcome.
func outcomes(t *testing.T, system *importer.System, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := system.Import(path, text, importer.Options{Adapter: system.Adapters[len(system.Adapters)-1]})
	if err != nil {
		t.Fatal(err)
	}
	count := map[importer.Outcome]int{}
	listed := map[string]bool{}
	for _, key := range spec.Keys {
		count[key.Outcome]++
		listed[fmt.Sprintf("%s:%d", cmp.Or(key.File, path), key.Line)] = true
		carried := key.Outcome == importer.Mapped || key.Outcome == importer.Kept
		if carried != (key.To != "") || !carried && key.Why == "" {
			t.Errorf("%s:%d: %s is %s, to %q, because %q", path, key.Line, key.Key, key.Outcome, key.To, key.Why)
		}
	}
	for _, line := range linesOf(t, path, string(text)) {
		if !listed[fmt.Sprintf("%s:%d", path, line)] {
			t.Errorf("%s:%d is in no result", path, line)
		}
	}
	var out []string
	for _, outcome := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s %d", outcome, count[outcome]))
	}
	return strings.Join(out, ", ")
}

// linesOf returns the lines with a key: the leaves of a YAML file, or KEY=VALUE of a script's command.
func linesOf(t *testing.T, path, text string) (out []int) {
	t.Helper()
	if filepath.Ext(path) != ".yaml" {
		for i, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(line)
			key, _, found := strings.Cut(line, "=")
			if found && strings.Contains(key, ".") && !strings.ContainsAny(key, " #$") {
				out = append(out, i+1)
			}
		}
		return out
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	var walk func(node *yaml.Node)
	walk = func(node *yaml.Node) {
		if node.Kind != yaml.MappingNode || len(node.Content) == 0 {
			out = append(out, node.Line)
			return
		}
		for i := 1; i < len(node.Content); i += 2 {
			walk(node.Content[i])
		}
	}
	walk(document.Content[0])
	return out
}
