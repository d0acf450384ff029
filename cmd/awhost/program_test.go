package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

func TestCalling_ProgramCanBeTyped(t *testing.T) {
	dir := t.TempDir()
	installed := filepath.Join(dir, "awhost")
	if err := os.WriteFile(installed, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	const pkg = "github.com/awhost/awhost/cmd/awhost"
	cached := "/home/u/.cache/go-build/5b/" + strings.Repeat("5b", 32) + "-d/awhost"
	for name, c := range map[string]struct {
		calling
		want string
	}{
		"by its name":               {calling{arg0: "awhost", executable: installed}, "awhost"},
		"by another name":           {calling{arg0: "aw", executable: "/opt/aw"}, "aw"},
		"by a path":                 {calling{arg0: "./bin/awhost", executable: "/x/bin/awhost"}, "./bin/awhost"},
		"by a path with spaces":     {calling{arg0: "./my bin/awhost", executable: "/x/my bin/awhost"}, "'./my bin/awhost'"},
		"by a path that is on PATH": {calling{arg0: installed, executable: installed, onPath: installed}, "awhost"},
		"go run in the module": {calling{arg0: "/tmp/go-build123/b001/exe/awhost",
			executable: "/tmp/go-build123/b001/exe/awhost", pkg: pkg, isModule: true}, "go run ./cmd/awhost"},
		"a kept build, by go run": {
			calling{arg0: cached, executable: "/w/.awhost/builds/ab/awhost", pkg: pkg, isModule: true}, "go run ./cmd/awhost",
		},
		"go run from the build cache": {calling{arg0: cached, executable: cached, pkg: pkg, isModule: true},
			"go run ./cmd/awhost"},
		"go run in a folder below": {calling{arg0: cached, executable: cached, pkg: pkg, version: "v0.0.0-2026+dirty"},
			"go run " + pkg},
		"go run of a version": {calling{arg0: cached, executable: cached, pkg: pkg, version: "v1.2.3"}, "go run " +
			pkg + "@v1.2.3"},
	} {
		if got := c.program(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestOutput_NamesCommandsAsTheyCanBeTyped(t *testing.T) {
	var out bytes.Buffer
	shown := text.NewOutput(&out)
	a := &app{out: shown, err: shown}
	root := newRoot(a)
	shown.Commands = typeable(root, "go run ./cmd/awhost")
	page := text.NewPrinter(shown, text.Terminal{Styles: text.Coloured()})
	page.Line(page.Styles.Accent("awhost resume x-1"))
	a.say("x-1 is stopped; awhost resume x-1 goes on, `awhost plugin list` too; awhost is a host, see /opt/awhost show")
	page = a.page()
	page.Width = 30
	page.Paragraph("Try awhost show x-1 then.")
	want := "\x1b[36mgo run ./cmd/awhost resume x-1\x1b[m\nx-1 is stopped; go run ./cmd/awhost resume x-1 goes on, `go run ./cmd/awhost plugin list` too; awhost is a host, see /opt/awhost show\n" +
		"Try go run ./cmd/awhost show\nx-1 then.\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// Only commands in awhost's own lines may be rewritten. Text of a model, a plugin or a task must stay unchanged.
func TestOutput_LeavesCommandsInForeignWords(t *testing.T) {
	var out bytes.Buffer
	shown := text.NewOutput(&out)
	a := &app{out: shown, err: shown}
	shown.Commands = typeable(newRoot(a), "go run ./cmd/awhost")
	said := []sdk.Message{{Role: sdk.RoleAssistant, Content: "type awhost resume x-1"}}
	if err := a.show(result.AskedOf(eval.Episode{Messages: said}, eval.Loaded{Name: "m"}, nil, false)); err != nil {
		t.Fatal(err)
	}
	a.pluginLine()("info", "reward.a", "see awhost show x-1", nil)
	for _, want := range []string{"\nassistant  type awhost resume x-1\n", "\ninfo  reward.a  see awhost show x-1\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q has no %q", out.String(), want)
		}
	}
}
