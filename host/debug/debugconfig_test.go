package debug

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var twoTargets = []Target{
	{Address: "reward.python.exact", Tool: Debugpy, Listen: "127.0.0.1:5678"},
	{Address: "environment.desk.desk", Tool: Delve, Listen: "127.0.0.1:5679"},
}

func TestWriteLaunch_AddsToWhatIsThere(t *testing.T) {
	for _, row := range []struct{ name, before string }{
		{"no file", ""},
		{"an empty list", `{"version": "0.2.0", "configurations": []}`},
		{"the user's own", "{\n\t\"configurations\": [\n\t\t{\"name\": \"mine\", \"type\": " +
			"\"go\"}\n\t],\n\t\"inputs\": []\n}\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), ".vscode", "launch.json")
			if row.before != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(row.before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			added, kept, err := WriteDebugConfig(path, twoTargets)
			if err != nil || len(added) != 3 || len(kept) != 0 {
				t.Fatalf("added %q, kept %q: %v", added, kept, err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var file struct {
				Configurations []debugConfig
				Compounds      []compound
			}
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			own := file.Configurations[len(file.Configurations)-2:]
			want := []debugConfig{
				{Name: "awhost: reward.python.exact", Type: "debugpy", Request: "attach", Connect: &connect{"127.0.0.1", 5678}},
				{Name: "awhost: environment.desk.desk", Type: "go", Request: "attach", Mode: "remote", Host: "127.0.0.1",
					Port: 5679},
			}
			if diff := cmp.Diff(want, own); diff != "" {
				t.Error(diff)
			}
			both := []compound{{compoundName, []string{"awhost: reward.python.exact", "awhost: environment.desk.desk"}}}
			if diff := cmp.Diff(both, file.Compounds); diff != "" {
				t.Error(diff)
			}
			if row.name == "the user's own" {
				before, after, _ := strings.Cut(row.before, "}\n\t]")
				if !strings.Contains(string(text), before[1:]) || !strings.HasSuffix(string(text), after) {
					t.Errorf("what was there has changed:\n%s", text)
				}
			}
			added, kept, err = WriteDebugConfig(path, twoTargets)
			again, _ := os.ReadFile(path)
			if err != nil || len(added) != 0 || len(kept) != 2 || string(again) != string(text) {
				t.Errorf("a second time: added %q, kept %q: %v", added, kept, err)
			}
		})
	}
}

func TestWriteLaunch_LeavesWhatItCannotRead(t *testing.T) {
	for _, before := range []string{
		"{\n  // mine\n  \"configurations\": []\n}", `{"configurations": {}}`, `{"version": "0.2.0"}`,
		`{"configurations": [`, `[]`, `{"configurations": []} x`,
	} {
		path := filepath.Join(t.TempDir(), "launch.json")
		if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := WriteDebugConfig(path, twoTargets)
		if err == nil || !strings.Contains(err.Error(), `"name": "awhost: reward.python.exact"`) {
			t.Errorf("%s: the error does not contain the configuration to add: %v", before, err)
		}
		if after, _ := os.ReadFile(path); string(after) != before {
			t.Errorf("%s became %s", before, after)
		}
	}
}
