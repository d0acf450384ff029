package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// The commit, as a module that a proxy serves under its version, installs without a clone, and a Go plugin that the
// installed program begins takes the SDK from the proxy.
func TestModule_Installs(t *testing.T) {
	testlevel.NeedAll(t, "it compiles awhost as another module, in 60 to 100 CPU-seconds")
	version := module.Version{Path: "github.com/awhost/awhost", Version: "v" + sdk.Version}
	home := t.TempDir()
	served := filepath.Join(home, "proxy", version.Path, "@v")
	if err := os.MkdirAll(served, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		version.Version + ".info": fmt.Sprintf(`{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version.Version),
		version.Version + ".mod":  string(mod), "list": version.Version + "\n",
	} {
		if err := os.WriteFile(filepath.Join(served, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	archive, err := os.Create(filepath.Join(served, version.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	tree := filepath.Join(home, "tree")
	extract := exec.CommandContext(t.Context(), "sh", "-c", `mkdir "$1" && git archive HEAD | tar -x -C "$1"`, "sh", tree)
	extract.Dir = "../.."
	if out, err := extract.CombinedOutput(); err != nil {
		t.Fatalf("git archive: %v\n%s", err, out)
	}
	if err := modzip.CreateFromDir(archive, version, tree); err != nil {
		t.Fatal(err)
	}

	environment := append(os.Environ(), "GOPROXY="+strings.Join([]string{
		"file://" + filepath.Join(home, "proxy"), "file://" + goEnv(t, "GOMODCACHE") + "/cache/download",
		goEnv(t, "GOPROXY"),
	}, ","), "GONOSUMDB="+version.Path, "GOMODCACHE="+filepath.Join(home, "modules"), "GOWORK=off",
		"GOFLAGS=-modcacherw -trimpath", "GOBIN="+filepath.Join(home, "bin"), "HOME="+home,
		"GOCACHE="+goEnv(t, "GOCACHE"), "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"))
	play := func(command string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", command)
		cmd.Dir, cmd.Env = home, environment
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	play("go install " + version.Path + "/cmd/awhost@" + version.Version)
	if out := play("awhost version"); !strings.HasPrefix(out, "awhost "+sdk.Version+" ") {
		t.Errorf("version: %s", out)
	}
	if out := play("awhost new spec demo && awhost plan demo"); !strings.Contains(out, "a new run of quickstart") {
		t.Errorf("plan: %s", out)
	}
	play("awhost plugin new reward mine --lang go")
	if text, err := os.ReadFile(filepath.Join(home, "mine", "go.mod")); err != nil ||
		strings.Contains(string(text), "replace") {
		t.Errorf("go.mod of the plugin: %v\n%s", err, text)
	}
	play("go -C mine mod tidy && awhost plugin test mine")
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
