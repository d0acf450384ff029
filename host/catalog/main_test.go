package catalog_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// The catalog provides the schemas of plugins to the spec language.
var _ spec.SchemaSourceWithReason = (*catalog.Catalog)(nil)

// envRole makes the test binary run as another program.
const envRole = "AWHOST_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(envRole) {
	case "plugin":
		sdk.Serve(plugin("mine", "mine", "mine_strict"))
	case "accept":
		os.Exit(acceptAgain())
	}
	testlevel.Parallel(4) // they wait for compilers and interpreters
	goleak.VerifyTestMain(testlevel.InMemory(m))
}

// plugin returns a real plugin that provides rewards.
func plugin(name string, types ...string) sdk.Plugin {
	p := sdk.Plugin{Name: name, Version: "1.0.0"}
	for _, typ := range types {
		p.Rewards = append(p.Rewards, sdk.RewardComponent{
			Component: sdk.Component{Type: typ, Description: "Scores nothing."},
			New:       func(context.Context, sdk.Setup) (sdk.Reward, error) { return nil, nil },
		})
	}
	return p
}

// project is a directory with a spec, whose user has a key.
type project struct {
	t        testing.TB
	dir      string
	sources  map[string]string
	commands map[string][]string
	bundled  map[string]catalog.Bundled
	keyDir   string
	limit    time.Duration

	progress func(name, doing string)
}

func newProject(t testing.TB, sources map[string]string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir(), sources: sources, keyDir: t.TempDir(), limit: time.Minute,
		bundled: map[string]catalog.Bundled{
			"gaia-reward": {Description: plugin("gaia-reward", "gaia").Describe(),
				Command: []string{"awhost", "plugin", "serve", "gaia-reward"}, Hash: "sha256:host"},
		}}
	t.Cleanup(p.unlock) // before the directory is removed
	return p
}

// unlock makes all folders of the project writable, including folders of copies.
func (p *project) unlock() {
	_ = filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
}

func (p *project) config() catalog.Config {
	return catalog.Config{
		Bundled: p.bundled, Sources: p.sources, Commands: p.commands, SpecDir: p.dir,
		StateDir: filepath.Join(p.dir, ".awhost"), KeyDir: p.keyDir,
		DescribeTimeout: p.limit, Progress: p.progress,
	}
}

func (p *project) open() *catalog.Catalog {
	p.t.Helper()
	c, err := catalog.Open(p.config())
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// accepted does the same as `awhost init`.
func (p *project) accepted() *catalog.Catalog {
	p.t.Helper()
	c := p.open()
	if err := c.Accept(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	return c
}

// refused calls Accept and returns the error.
func (p *project) refused() string {
	p.t.Helper()
	c := p.open()
	err := c.Accept(p.t.Context())
	if err == nil {
		p.t.Fatal("Accept took it")
	}
	if _, err := c.Resolve("reward", "mine"); err == nil {
		p.t.Error("the plugin is known although Accept failed")
	}
	p.noScraps()
	return err.Error()
}

// write creates a file of the project.
func (p *project) write(name, text string) {
	p.t.Helper()
	p.writeMode(name, text, 0o644)
}

// program creates an executable shell script.
func (p *project) program(name, script string) {
	p.t.Helper()
	p.writeMode(name, "#!/bin/sh\n"+script+"\n", 0o755)
}

func (p *project) writeMode(name, text string, mode os.FileMode) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	// A child forked while the file is open for writing would prevent its execution (golang/go#22315).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	// Editors and compilers also write a new file and rename it: a running program cannot be written to.
	fresh := path + ".fresh"
	if err := os.WriteFile(fresh, []byte(text), mode); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(fresh, path); err != nil {
		p.t.Fatal(err)
	}
}

// describing returns a script that prints the given description.
func describing(t testing.TB, d sdk.Description) string {
	t.Helper()
	text, err := sdk.FormatDescription(d)
	if err != nil {
		t.Fatal(err)
	}
	return "cat <<'END'\n" + string(text) + "\nEND"
}

// servingPlugin returns a script that runs the real plugin of this test binary.
func servingPlugin() string {
	return fmt.Sprintf("%s=plugin exec %s \"$@\"", envRole, os.Args[0])
}

// files returns the files below the state directory with content and time of change.
func (p *project) files() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	root := filepath.Join(p.dir, ".awhost")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		found[name] = fmt.Sprintf("%d bytes, %x, changed %s", len(text), bytes.Clone(text[:min(len(text), 64)]),
			info.ModTime())
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

// noScraps fails if temporary files are left.
func (p *project) noScraps() {
	p.t.Helper()
	for _, root := range []string{filepath.Join(p.dir, ".awhost"), p.keyDir} {
		_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.Contains(d.Name(), "tmp") {
				p.t.Errorf("%s was left", path)
			}
			return nil
		})
	}
}

// mentions fails unless a message contains all the words.
func mentions(t testing.TB, message string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(message, word) {
			t.Errorf("%q is not in: %s", word, message)
		}
	}
}
