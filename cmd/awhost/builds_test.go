package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/internal/testlevel"
)

// builder builds executables of this module, and runs them.
type builder struct {
	t   *testing.T
	dir string
}

// build builds awhost. args are flags of go build, env variables for it.
func (b builder) build(name string, env []string, args ...string) string {
	b.t.Helper()
	out := filepath.Join(b.dir, name)
	cmd := exec.CommandContext(b.t.Context(), "go", append(append([]string{"build", "-o", out}, args...), ".")...)
	cmd.Env = append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("go build %v: %v\n%s", args, err, text)
	}
	return out
}

// run runs a build in a directory.
func (b builder) run(dir, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(b.t.Context(), program, args...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// interrupted returns a directory with a run that was killed after its first commits.
func (b builder) interrupted(program string) string {
	b.t.Helper()
	dir := b.t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "quick"))); err != nil {
		b.t.Fatal(err)
	}
	ctx, kill := context.WithCancel(b.t.Context())
	defer kill()
	cmd := exec.CommandContext(ctx, program, "apply", "--json", "--var", "steps=40")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	for decoder := json.NewDecoder(out); ; {
		var e struct{ Type string }
		if err := decoder.Decode(&e); err != nil {
			b.t.Fatalf("the run ended before its second step: %v", err)
		}
		if e.Type == "step_finished" {
			break
		}
	}
	kill()
	_ = cmd.Wait() // killed
	return dir
}

func digestIn(t *testing.T, text string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "digest" {
			return words[1]
		}
	}
	t.Fatalf("no digest in\n%s", text)
	return ""
}

// If a build cannot be kept, for example on a full disk, the leftovers must be excluded from version control.
func TestKeepBuild_LeavesNothingForVersionControl(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, ".awhost")
	if err := os.Mkdir(state, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "builds"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{}
	if _, err := a.keepBuild(t.Context(), runstore.In(dir, runstore.Options{}), nil); err == nil {
		t.Fatal("a build is kept in a file")
	}
	if ignored, err := os.ReadFile(filepath.Join(state, ".gitignore")); err != nil || string(ignored) != "*\n" {
		t.Errorf(".gitignore says %q: %v", ignored, err)
	}
}

// Builds of one commit must resume each other's runs. A later commit and another processor level must execute the
// kept build, or report that their continuation is not exact.
func TestBuilds_GoOnWithEachOthersRuns(t *testing.T) {
	if !testlevel.Slow() {
		t.Skip("builds awhost four times: AWHOST_SLOW=1")
	}
	b := builder{t, t.TempDir()}
	plain := b.build("plain", nil)
	stripped := b.build("stripped", nil, "-trimpath", "-ldflags=-s")
	v3 := b.build("v3", []string{"GOAMD64=v3"})
	later := b.build("later", nil, "-overlay", b.laterCommit())

	whole := t.TempDir()
	if err := os.CopyFS(whole, os.DirFS(filepath.Join("testdata", "quick"))); err != nil {
		t.Fatal(err)
	}
	text, err := b.run(whole, plain, "apply", "--plain", "--var", "steps=40")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := digestIn(t, text)

	for _, test := range []struct {
		name, begins, resumes string
		flags                 []string
		says, never           string
	}{
		{name: "go build -trimpath -ldflags=-s", begins: plain, resumes: stripped, never: "resumes with its original build"},
		{name: "and the other way round", begins: stripped, resumes: plain, never: "resumes with its original build"},
		{name: "a later commit", begins: plain, resumes: later, says: "resumes with its original build"},
		{name: "another level", begins: plain, resumes: v3, says: "processor level was amd64 v1 and is amd64 v3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := b.interrupted(test.begins)
			text, err := b.run(dir, test.resumes, "resume", "--plain")
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if got := digestIn(t, text); got != want {
				t.Errorf("the run came to %s, undisturbed to %s", got, want)
			}
			if strings.Contains(text, "no longer exact") || !strings.Contains(text, test.says) || test.never != "" &&
				strings.Contains(text, test.never) {
				t.Errorf("it said\n%s", text)
			}
			if kept, err := filepath.Glob(filepath.Join(dir, ".awhost", "builds", "*", "awhost")); err != nil || len(kept) > 0 {
				t.Errorf("%v is kept, though no run needs it: %v", kept, err)
			}
		})
	}

	t.Run("accepted", func(t *testing.T) {
		dir := b.interrupted(plain)
		text, err := b.run(dir, v3, "resume", "--plain", "--accept-build")
		if err != nil || !strings.Contains(text, "no longer exact") {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, args := range [][]string{{"show"}, {"show", "--audit"}} {
			if text, err := b.run(dir, v3, args...); err != nil || !strings.Contains(text, "amd64 v1") ||
				!strings.Contains(text, "amd64 v3") {
				t.Errorf("%v does not name both builds: %v\n%s", args, err, text)
			}
		}
		if text, err := b.run(dir, v3, "runs", "--json"); err != nil || !strings.Contains(text, `"exact":false`) {
			t.Errorf("runs does not say that it is not exact: %v\n%s", err, text)
		}
	})

	t.Run("the kept build is gone", func(t *testing.T) {
		dir := b.interrupted(plain)
		if err := os.RemoveAll(filepath.Join(dir, ".awhost", "builds")); err != nil {
			t.Fatal(err)
		}
		text, err := b.run(dir, later, "resume", "--plain")
		if err == nil || !strings.Contains(text, "it is not kept") ||
			!strings.Contains(text, "resume --accept-build quickstart-1") {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

// laterCommit returns an overlay with a change in a package of the host that affects results.
func (b builder) laterCommit() string {
	b.t.Helper()
	source, err := filepath.Abs(filepath.Join("..", "..", "host", "participants", "participants.go"))
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		b.t.Fatal(err)
	}
	changed, overlay := filepath.Join(b.dir, "participants.go"), filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(changed, append(text, "\nvar _ = 42\n"...), 0o600); err != nil {
		b.t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return overlay
}
