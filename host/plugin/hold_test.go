package plugin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// installed is the test plugin after a user accepted it from a source.
type installed struct {
	t       *testing.T
	entry   *catalog.Entry
	program string // written by Accept
	mark    string // a file that replaced content writes when it is executed
}

// install accepts a source that the function writes into the spec's directory.
func install(t *testing.T, source string, write func(dir string) error) *installed {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { unlock(dir) })
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(catalog.Config{
		Sources: map[string]string{"obedient": source}, SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"),
		KeyDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Accept(t.Context()); err != nil {
		t.Fatal(err)
	}
	entry, err := c.Resolve("reward", "obedient")
	if err != nil {
		t.Fatal(err)
	}
	unlock(filepath.Join(dir, ".awhost"))
	return &installed{t: t, entry: entry, program: entry.Command[0], mark: filepath.Join(t.TempDir(), "executed")}
}

// unlock makes the folders of copies writable, as required to change them.
func unlock(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
}

// script returns the test plugin as a shell script.
func script(more string) string {
	return fmt.Sprintf("#!/bin/sh\n%s\nexec '%s' %s \"$@\"\n", more, os.Args[0], playPlugin)
}

func ofProgram(t *testing.T) *installed {
	return install(t, "judge", func(dir string) error {
		return writeProgram(filepath.Join(dir, "judge"), script(""))
	})
}

func ofArchive(t *testing.T) *installed {
	return install(t, "judge.tar.gz", func(dir string) error {
		var b bytes.Buffer
		packed := gzip.NewWriter(&b)
		files := tar.NewWriter(packed)
		main := script(`. "$(dirname "$0")/helper.sh"`)
		for name, text := range map[string]string{"obedient": main, "helper.sh": ":\n"} {
			header := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg}
			if err := files.WriteHeader(header); err != nil {
				return err
			}
			if _, err := files.Write([]byte(text)); err != nil {
				return err
			}
		}
		err := errors.Join(files.Close(), packed.Close())
		return errors.Join(err, os.WriteFile(filepath.Join(dir, "judge.tar.gz"), b.Bytes(), 0o644))
	})
}

func ofGoPackage(t *testing.T) *installed {
	return install(t, "./judge", func(dir string) error {
		text := fmt.Sprintf("package main\n\nimport (\n\t\"os\"\n\t\"syscall\"\n)\n\nfunc main() {\n"+
			"\tpanic(syscall.Exec(%q, append([]string{%q, %q}, os.Args[1:]...), os.Environ()))\n}\n",
			os.Args[0], os.Args[0], playPlugin)
		dir = filepath.Join(dir, "judge")
		return errors.Join(os.Mkdir(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/judge\n\ngo 1.24\n"), 0o644),
			os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644))
	})
}

// writeProgram replaces the program at a path.
func writeProgram(path, text string) error {
	// A child forked while the file is open for writing would prevent its execution (golang/go#22315).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return errors.Join(os.WriteFile(path+".fresh", []byte(text), 0o755), os.Rename(path+".fresh", path))
}

// other returns an equivalent plugin that creates the marker file.
func (p *installed) other() string { return script("echo >> '" + p.mark + "'") }

func (p *installed) block() plugin.Block {
	b := block(sdk.KindReward, "one", settings{})
	b.Entry = p.entry
	return b
}

// notExecuted fails if replaced content was executed.
func (p *installed) notExecuted() {
	p.t.Helper()
	if _, err := os.Stat(p.mark); err == nil {
		p.t.Error("what the plugin was replaced with was executed")
	}
}

// editInPlace changes a file and keeps its inode.
func editInPlace(path, text string) error {
	return errors.Join(os.Chmod(path, 0o755), os.WriteFile(path, []byte(text), 0o755))
}

// TestChangedPlugin_IsNotRestarted checks that each restart of a run starts the hashed content.
func TestChangedPlugin_IsNotRestarted(t *testing.T) {
	replaced := func(p *installed) error { return writeProgram(p.program, p.other()) }
	for _, c := range []struct {
		what   string
		plugin func(*testing.T) *installed
		change func(*installed) error
		words  []string
	}{
		{"program replaced", ofProgram, replaced, []string{"is now sha256:"}},
		{"program edited", ofProgram, func(p *installed) error {
			return editInPlace(p.program, p.other())
		}, []string{"is now sha256:"}},
		{"program linked", ofProgram, func(p *installed) error {
			other := p.program + ".other"
			err := errors.Join(writeProgram(other, p.other()), os.Remove(p.program))
			return errors.Join(err, os.Symlink(other, p.program))
		}, []string{"no hash"}},
		{"program gone", ofProgram, func(p *installed) error {
			return os.Remove(p.program)
		}, []string{"is missing", "no such file"}},
		{"directory swapped", ofProgram, func(p *installed) error {
			dir := filepath.Dir(p.program)
			err := errors.Join(os.Rename(dir, dir+".old"), os.Mkdir(dir, 0o755))
			return errors.Join(err, writeProgram(p.program, p.other()))
		}, []string{"is now sha256:"}},
		{"Go package replaced", ofGoPackage, replaced, []string{"is now sha256:"}},
		{"archive's program replaced", ofArchive, replaced, []string{"is now sha256:"}},
		{"archive's other file edited", ofArchive, func(p *installed) error {
			return editInPlace(filepath.Join(filepath.Dir(p.program), "helper.sh"), "echo >> '"+p.mark+"'\n")
		}, []string{"is now sha256:"}},
		{"archive with one file more", ofArchive, func(p *installed) error {
			more := filepath.Join(filepath.Dir(p.program), "sitecustomize.py")
			return os.WriteFile(more, nil, 0o644)
		}, []string{"is now sha256:"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := c.plugin(t)
			s := newStage(t, 5)
			one := s.start(p.block())
			if err := c.change(p); err != nil {
				t.Fatal(err)
			}
			dies(t, one, "exit 3")
			s.untilPhase(p.block().Address, plugin.Crashed, 1)
			err := one.Await(t.Context())
			var changed *catalog.ChangedError
			if !errors.As(err, &changed) {
				t.Fatalf("want a ChangedError, got %v", err)
			}
			mentions(t, err, append(c.words, "plugin obedient", p.entry.Hash, "awhost init", "awhost resume")...)
			p.notExecuted()
			if got := strings.Join(s.history(p.block().Address), ", "); got != "starting 0, ready 0, restarting 1, crashed 1" {
				t.Errorf("it was tried again: %s", got)
			}
		})
	}
}

// TestChangedPlugin_IsNotStarted checks a change between the plan and the start of the run's plugins.
func TestChangedPlugin_IsNotStarted(t *testing.T) {
	p := ofProgram(t)
	if err := writeProgram(p.program, p.other()); err != nil {
		t.Fatal(err)
	}
	_, err := newStage(t, 5).Start(t.Context(), p.block())
	mentions(t, err, "plugin obedient", p.entry.Hash, "is now sha256:")
	p.notExecuted()
}

// TestChangedPlugin_IsNotStartedOutsideARun checks that `awhost plan`, which calls plugins before a run, does not
// start changed ones.
func TestChangedPlugin_IsNotStartedOutsideARun(t *testing.T) {
	p := ofProgram(t)
	room, err := plugin.OpenWorkspace(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer room.Close()
	if err := writeProgram(p.program, p.other()); err != nil {
		t.Fatal(err)
	}
	_, err = room.Start(t.Context(), p.entry, client.Config{Name: "plan.one"})
	mentions(t, err, "plugin obedient", p.entry.Hash, "is now sha256:")
	p.notExecuted()
}

// TestUnchangedPlugin_IsRestarted checks the restart, and that no copy of the executed files is left.
func TestUnchangedPlugin_IsRestarted(t *testing.T) {
	for what, of := range map[string]func(*testing.T) *installed{"program": ofProgram, "archive": ofArchive} {
		t.Run(what, func(t *testing.T) {
			p := of(t)
			s := newStage(t, 5)
			one := s.start(p.block())
			if err := os.Chmod(p.program, 0o700); err != nil { // not its content
				t.Fatal(err)
			}
			dies(t, one, "exit 3")
			awaits(t, one)
			if err := s.StopAll(t.Context(), 0, "the test has ended"); err != nil {
				t.Fatal(err)
			}
			state := strings.Split(p.program, ".awhost")[0] + ".awhost"
			left, err := filepath.Glob(filepath.Join(state, "plugins", "obedient", "started", "*"))
			if err != nil || len(left) > 0 {
				t.Errorf("%v, %v were left", left, err)
			}
		})
	}
}
