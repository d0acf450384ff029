package dataset_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/dataset"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A golden file contains a dataset block's body (config.json) and type (type; default jsonl), data files, and the
// expected result (want): the tasks, or the error that the user sees.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { checkGolden(t, file) })
	}
	t.Logf("compared %d golden files", len(files))
}

func checkGolden(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range archive.Files {
		sections[section.Name] = string(section.Data)
	}
	t.Chdir(t.TempDir())
	for name, content := range sections {
		writeFile(t, name, content)
	}
	typ := strings.TrimSpace(sections["type"])
	if typ == "" {
		typ = dataset.TypeJSONL
	}
	got := outcome(typ, sections["config.json"])
	isError := filepath.Base(filepath.Dir(file)) == "errors"
	if failed := strings.HasPrefix(got, "error"); failed != isError {
		t.Errorf("an error: %t, want %t", failed, isError)
	}
	if !*update {
		if diff := cmp.Diff(sections["want"], got); diff != "" {
			t.Errorf("(-want +got); `go test ./host/dataset -update` accepts it:\n%s", diff)
		}
		return
	}
	for i, section := range archive.Files {
		if section.Name == "want" {
			archive.Files[i].Data = []byte(got)
		}
	}
	writeGolden(t, file, archive)
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// startDir is the directory of the golden files. The tests run in another one, so that paths in errors are short.
var startDir = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

func writeGolden(t *testing.T, file string, archive *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(startDir, file), txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func outcome(typ, config string) string {
	block, _ := dataset.Schema(typ)
	complete, err := block.Complete(json.RawMessage(config))
	if err != nil {
		return "error in the block\n" + err.Error() + "\n"
	}
	decoded, err := dataset.Decode(typ, complete)
	if err != nil {
		return "error in the block\n" + err.Error() + "\n"
	}
	data, err := dataset.Open(decoded)
	var wrong *dataset.ConfigError
	if errors.As(err, &wrong) {
		return "error in the block\n" + err.Error() + "\n"
	}
	if err != nil {
		return "error\n" + err.Error() + "\n"
	}
	defer data.Close()
	var out strings.Builder
	for i := range data.Len() {
		task, err := data.Task(i)
		if err != nil {
			return "error\n" + err.Error() + "\n"
		}
		fmt.Fprintf(&out, "%s\n  public  %s\n", task.ID, task.Public)
		if task.Private != nil {
			fmt.Fprintf(&out, "  private %s\n", task.Private)
		}
	}
	return out.String()
}
