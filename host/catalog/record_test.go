package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/catalog"
)

const record = ".awhost/plugins/mine/accepted.json"

// edit changes the record of the plugin mine as text.
func (p *project) edit(change func(text string) string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, record))
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(record, change(string(text)))
}

// TestRecord_IsOnlyTakenWhole checks that a damaged, newer or forged record accepts nothing, and that init replaces
// it.
func TestRecord_IsOnlyTakenWhole(t *testing.T) {
	cases := map[string]struct {
		change func(string) string
		want   []string
	}{
		"empty":      {func(string) string { return "" }, []string{"is damaged", "awhost init"}},
		"torn":       {func(text string) string { return text[:len(text)/2] }, []string{"is damaged", "awhost init"}},
		"other json": {func(string) string { return "[1, 2]" }, []string{"is damaged"}},
		"newer": {func(text string) string { return strings.Replace(text, `"format": 1`, `"format": 7`, 1) },
			[]string{"has format 7", "reads 1"}},
		"endless": {func(string) string { return strings.Repeat(" ", 17<<20) }, []string{"more than"}},
		"other hash": {func(text string) string { return strings.Replace(text, "sha256:", "sha256:0", 1) },
			[]string{"not written by you"}},
		"other words": {func(text string) string { return strings.Replace(text, "Scores nothing", "Scores all", 1) },
			[]string{"not written by you"}},
		"without seal": {func(text string) string { return strings.Replace(text, `"seal"`, `"zeal"`, 1) },
			[]string{"not written by you"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"mine": "mine"})
			p.program("mine", servingPlugin())
			p.accepted()
			p.edit(c.change)
			_, err := p.open().Resolve("reward", "mine")
			if !errors.Is(err, catalog.ErrNotAccepted) {
				t.Fatalf("want ErrNotAccepted, got %v", err)
			}
			mentions(t, err.Error(), append(c.want, "plugin mine")...)
			p.accepted()
			if _, err := p.open().Resolve("reward", "mine"); err != nil {
				t.Errorf("after another init: %v", err)
			}
		})
	}
}

// TestRecord_OfAnotherUserAcceptsNothing checks that cloning a repository with a state directory accepts nothing.
func TestRecord_OfAnotherUserAcceptsNothing(t *testing.T) {
	for name, keyDir := range map[string]string{"another key": t.TempDir(), "no key": filepath.Join(t.TempDir(), "none")} {
		p := newProject(t, map[string]string{"mine": "mine"})
		mark := filepath.Join(t.TempDir(), "mark")
		p.program("mine", "touch "+mark+"\n"+servingPlugin())
		p.accepted()
		if name == "another key" {
			stranger := newProject(t, map[string]string{"mine": "mine"})
			stranger.keyDir = keyDir
			stranger.program("mine", servingPlugin())
			stranger.accepted()
		}
		if err := os.Remove(mark); err != nil {
			t.Fatal(err)
		}
		p.keyDir = keyDir
		c := p.open()
		if err := c.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := c.Resolve("reward", "mine"); !errors.Is(err, catalog.ErrNotAccepted) {
			t.Errorf("%s: want ErrNotAccepted, got %v", name, err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%s: the program was executed", name)
		}
	}
}

// TestRecord_DoesNotMove checks that consent applies to one directory.
func TestRecord_DoesNotMove(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(p.dir, moved); err != nil {
		t.Fatal(err)
	}
	p.dir = moved
	_, err := p.open().Resolve("reward", "mine")
	if !errors.Is(err, catalog.ErrNotAccepted) {
		t.Fatalf("want ErrNotAccepted, got %v", err)
	}
	mentions(t, err.Error(), "was accepted at", "awhost init")
}

// TestRecord_KeepsWhatThisVersionCannotRead checks that unknown fields are kept for a later host.
func TestRecord_KeepsWhatThisVersionCannotRead(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	script := describing(t, plugin("mine", "mine").Describe())
	p.program("mine", strings.Replace(script, "{", `{"fromTheFuture": [1, "<&>"],`, 1))
	p.accepted()
	text, err := os.ReadFile(filepath.Join(p.dir, record))
	if err != nil {
		t.Fatal(err)
	}
	var stored struct {
		Description struct{ FromTheFuture []any }
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{1.0, "<&>"}, stored.Description.FromTheFuture); diff != "" {
		t.Error(diff)
	}
	if _, err := p.open().Resolve("reward", "mine"); err != nil {
		t.Error(err)
	}
}

func TestKey_ThatCannotBeWrittenIsExplained(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.write("file", "")
	p.keyDir = filepath.Join(p.dir, "file", "keys")
	mentions(t, p.refused(), "HOME", "not a directory")
}

func TestKey_IsPrivate(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	info, err := os.Stat(filepath.Join(p.keyDir, "consent.key"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() != 32 {
		t.Errorf("got mode %v, %d bytes", info.Mode(), info.Size())
	}
}

// TestAccept_TwiceChangesNothing checks that a second Accept changes no file, not even its time.
func TestAccept_TwiceChangesNothing(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	before := p.files()
	p.accepted()
	if diff := cmp.Diff(before, p.files()); diff != "" {
		t.Error(diff)
	}
}

// TestAccept_OneBadSourceDoesNotHideTheOthers checks the errors of Accept and the usable sources afterwards.
func TestAccept_OneBadSourceDoesNotHideTheOthers(t *testing.T) {
	p := newProject(t, map[string]string{"bad": "bad", "mine": "mine", "worse": "worse"})
	p.program("bad", "exit 1")
	p.program("mine", servingPlugin())
	c := p.open()
	err := c.Accept(t.Context())
	if err == nil {
		t.Fatal("Accept took them all")
	}
	mentions(t, err.Error(), "plugin bad", "plugin worse")
	for _, c := range []*catalog.Catalog{c, p.open()} {
		if _, err := c.Resolve("reward", "mine"); err != nil {
			t.Error(err)
		}
		if len(c.Pending()) != 2 {
			t.Errorf("pending: %v", c.Pending())
		}
	}
}

const (
	envProject = "AWHOST_TEST_PROJECT"
	rounds     = 8
)

// acceptAgain runs in one of several processes that accept the same source at once.
func acceptAgain() int {
	dir := os.Getenv(envProject)
	for range rounds {
		c, err := catalog.Open(catalog.Config{
			Sources: map[string]string{"mine": "mine"}, SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"),
			KeyDir: filepath.Join(dir, "keys"), DescribeTimeout: time.Minute,
		})
		if err == nil {
			err = c.Accept(context.Background())
		}
		if err == nil {
			_, err = c.Resolve("reward", "mine")
		}
		if err != nil {
			os.Stderr.WriteString(err.Error())
			return 1
		}
	}
	return 0
}

// TestAccept_BySeveralProcessesAtOnce checks that concurrent processes share key and record from the beginning.
func TestAccept_BySeveralProcessesAtOnce(t *testing.T) {
	t.Parallel()
	for kind, prepare := range map[string]func(*project){
		"program":    func(p *project) { p.program("mine", describing(t, plugin("mine", "mine").Describe())) },
		"go package": func(p *project) { p.goPackage("mine", "example.com/mine", 1) },
	} {
		t.Run(kind, func(t *testing.T) {
			p := newProject(t, map[string]string{"mine": "mine"})
			p.keyDir = filepath.Join(p.dir, "keys")
			prepare(p)
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					cmd := exec.CommandContext(t.Context(), os.Args[0])
					cmd.Env = append(os.Environ(), envRole+"=accept", envProject+"="+p.dir)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			group.Wait()
			p.noScraps()
			if _, err := p.open().Resolve("reward", "mine"); err != nil {
				t.Error(err)
			}
		})
	}
}
