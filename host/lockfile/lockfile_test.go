package lockfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/lockfile"
)

var sum = "sha256:" + strings.Repeat("0a", 32)

func TestFile_IsReadAsItWasWritten(t *testing.T) {
	dir := t.TempDir()
	want := lockfile.New()
	want.Plugins = map[string]lockfile.Plugin{
		"judge": {
			Name:      "judge",
			Source:    `https://example.com/${x}/%{y}"judge".tar.gz`,
			Version:   "1.2.0",
			Checksums: map[string]string{lockfile.Any: sum},
		},
		"tool": {
			Name:      "tool",
			Source:    "./bin/tool",
			Version:   "0.1.0",
			Checksums: map[string]string{"linux_amd64": sum, "darwin_arm64": sum},
		},
	}
	for _, revision := range []string{"main", "v1.0"} {
		want.Datasets[lockfile.DatasetKey{Repo: "openai/gsm8k", Revision: revision}] = lockfile.Dataset{
			Repo: "openai/gsm8k", Revision: revision, Commit: strings.Repeat("e5", 20),
			Files: map[string]string{"README.md": sum, "main/${x}/test 0.parquet": sum},
		}
	}
	if err := want.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := lockfile.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	path := filepath.Join(dir, lockfile.Name)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Write(dir); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("nothing changed, and it was written again: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wantText := `# Written by awhost init. Keep it in version control, next to the spec.
format = 1

plugin "judge" {
  source  = "https://example.com/$${x}/%%{y}\"judge\".tar.gz"
  version = "1.2.0"
  checksums = {
    any = "` + sum + `"
  }
}
`
	if !strings.HasPrefix(string(text), wantText) {
		t.Errorf("it reads\n%s\nwant\n%s", text, wantText)
	}
}

func TestFile_WithoutPluginsIsNotMade(t *testing.T) {
	dir := t.TempDir()
	if err := (lockfile.File{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("made: %v", left)
	}
	if f, err := lockfile.Read(dir); err != nil || len(f.Plugins)+len(f.Datasets) > 0 {
		t.Errorf("got %v, %v", f, err)
	}
}

func TestRead_NamesWhatIsWrong(t *testing.T) {
	plugin := func(checksum string) string {
		return "format = 1\nplugin \"a\" {\n  source = \"a\"\n" +
			"  version = \"1\"\n  checksums = { any = \"" + checksum + "\" }\n}\n"
	}
	dataset := func(commit, file string) string {
		return "format = 1\ndataset \"a/b\" \"main\" {\n  commit = \"" + commit + "\"\n" +
			"  files = { \"" + file + "\" = \"" + sum + "\" }\n}\n"
	}
	good := dataset(strings.Repeat("0", 40), "a.csv")
	for name, c := range map[string]struct{ text, want string }{
		"no commit":       {dataset("main", "a.csv"), `has an invalid commit`},
		"a file outside":  {dataset(strings.Repeat("0", 40), "../a.csv"), "an invalid file"},
		"a dataset twice": {good + strings.TrimPrefix(good, "format = 1\n"), `dataset "a/b" "main" twice`},
		"newer":           {"format = 2\nfuture {}\n", "has format 2, but this awhost reads 1"},
		"no format":       {"", "format"},
		"torn":            {plugin(sum)[:40], lockfile.Name + ":2"},
		"no checksum":     {plugin("sha256:12"), "an invalid checksum"},
		"unknown key":     {"format = 1\nplugn \"a\" {}\n", "plugn"},
		"a plugin twice":  {plugin(sum) + strings.TrimPrefix(plugin(sum), "format = 1\n"), "twice"},
		"a function":      {"format = file(\"/etc/passwd\")\n", "Function calls not allowed"},
		"merge markers":   {"<<<<<<< HEAD\nformat = 1\n", lockfile.Name + ":1"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, lockfile.Name), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := lockfile.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/zero", filepath.Join(dir, lockfile.Name)); err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Read(dir); err == nil {
		t.Error("an endless file was read")
	}
}

func TestWrite_RemovesWhatAKilledOneLeft(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".awhost.lock.hcl.tmp-1", ".awhost.lock.hcl.tmp-2", ".awhost.lock.hcl.mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writing, err := os.Open(filepath.Join(dir, ".awhost.lock.hcl.tmp-2"))
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Close()
	if err := syscall.Flock(int(writing.Fd()), syscall.LOCK_EX); err != nil { // like the process that writes it
		t.Fatal(err)
	}
	tool := lockfile.Plugin{Name: "tool", Source: "tool", Checksums: map[string]string{lockfile.Any: sum}}
	if err := (lockfile.File{Plugins: map[string]lockfile.Plugin{"tool": tool}}).Write(dir); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{lockfile.Name, ".awhost.lock.hcl.mine", ".awhost.lock.hcl.tmp-2"}, left); diff != "" {
		t.Error(diff)
	}
}
