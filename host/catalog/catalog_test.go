package catalog_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
)

func TestBundled_IsKnownWithoutAStateDirectory(t *testing.T) {
	p := newProject(t, nil)
	c := p.open()
	entry, err := c.Resolve("reward", "gaia")
	if err != nil {
		t.Fatal(err)
	}
	want := &catalog.Entry{
		Name: "gaia-reward", Origin: catalog.OriginBundled, Command: []string{"awhost", "plugin", "serve", "gaia-reward"},
		Hash:        "sha256:host",
		Description: plugin("gaia-reward", "gaia").Describe(),
	}
	if diff := cmp.Diff(want, entry, cmpopts.IgnoreUnexported(catalog.Entry{})); diff != "" {
		t.Error(diff)
	}
	if err := errors.Join(c.Accept(t.Context()), c.Refresh(t.Context())); err != nil {
		t.Error(err)
	}
	if left := p.files(); len(left) > 0 {
		t.Errorf("bundled plugins need no files, got %v", left)
	}
}

func TestProgram_IsAcceptedOnceAndKnownFromThenOn(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "./bin/mine"})
	p.program("bin/mine", servingPlugin())
	p.accepted()
	p.noScraps()

	c := p.open()
	if pending := c.Pending(); len(pending) > 0 {
		t.Fatal(pending)
	}
	entry, err := c.Resolve("reward", "mine_strict")
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(p.dir, ".awhost/plugins/mine/installed", strings.TrimPrefix(entry.Hash, "sha256:")[:16],
		"mine")
	if diff := cmp.Diff([]string{installed}, entry.Command); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(installed); err != nil || info.Mode().Perm() != 0o555 {
		t.Errorf("the copy can be written to: %v, %v", info.Mode(), err)
	}
	if entry.Origin != catalog.OriginProgram || entry.Source != "./bin/mine" || entry.Description.Version != "1.0.0" {
		t.Errorf("got %+v", entry)
	}
	if diff := cmp.Diff([]string{"gaia", "mine", "mine_strict"}, c.Types("reward")); diff != "" {
		t.Error(diff)
	}
	component, ok := c.Component("reward", "mine")
	if !ok || component.Reward == nil || component.Description != "Scores nothing." {
		t.Errorf("got %+v", component)
	}
}

func TestNotAccepted_SaysToRunInit(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "bin/mine"})
	p.program("bin/mine", servingPlugin())
	c := p.open()
	_, err := c.Resolve("reward", "mine")
	if !errors.Is(err, catalog.ErrNotAccepted) {
		t.Fatalf("want ErrNotAccepted, got %v", err)
	}
	mentions(t, err.Error(), "mine", "run `awhost init`", "executes its code")
	if err := c.WhyUnknown("reward", "mine_strict"); !errors.Is(err, catalog.ErrNotAccepted) {
		t.Errorf("the spec's reader is told %v", err)
	}
	if !errors.Is(c.Pending()["mine"], catalog.ErrNotAccepted) {
		t.Errorf("Pending: %v", c.Pending())
	}
}

func TestChangedProgram_IsRefusedUntilItIsUpgraded(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	mark := filepath.Join(t.TempDir(), "mark")
	p.program("mine", "touch "+mark+"\n"+servingPlugin())
	_, err := p.open().Resolve("reward", "mine")
	if !errors.Is(err, catalog.ErrNotAccepted) {
		t.Fatalf("want ErrNotAccepted, got %v", err)
	}
	mentions(t, err.Error(), "changed since it was accepted", "awhost init --upgrade")
	if err := p.open().Refresh(t.Context()); err != nil {
		t.Errorf("Refresh has nothing to do with programs: %v", err)
	}
	err = p.open().Accept(t.Context())
	if err == nil {
		t.Fatal("Accept took another program than the lock file has")
	}
	mentions(t, err.Error(), "plugin mine", ".awhost.lock.hcl", "awhost init --upgrade")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the changed program was executed")
	}
	if _, err := p.open().Resolve("reward", "mine"); err == nil {
		t.Error("Refresh or Accept took the changed program")
	}
	if err := p.open().Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.open().Resolve("reward", "mine"); err != nil {
		t.Error(err)
	}
}

// TestProgramThatIsGone_RunsFromItsCopy checks that a removed program runs from its copy, and not without the copy.
func TestProgramThatIsGone_RunsFromItsCopy(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	if err := os.Remove(filepath.Join(p.dir, "mine")); err != nil {
		t.Fatal(err)
	}
	entry, err := p.open().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(entry.Command[0]); err != nil {
		t.Fatal(err)
	}
	_, err = p.open().Resolve("reward", "mine")
	if err == nil {
		t.Fatal("the program is missing")
	}
	mentions(t, err.Error(), entry.Command[0], "is missing", "awhost init")
}

func TestOtherSource_IsNotAccepted(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.program("other", servingPlugin())
	p.accepted()
	p.sources["mine"] = "other"
	_, err := p.open().Resolve("reward", "mine")
	if !errors.Is(err, catalog.ErrNotAccepted) {
		t.Fatalf("want ErrNotAccepted, got %v", err)
	}
	mentions(t, err.Error(), `was "mine" and is now "other"`)
}

// TestReading_ExecutesNothing checks that only Accept runs a plugin. The program creates a file when it runs.
func TestReading_ExecutesNothing(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	mark := filepath.Join(t.TempDir(), "mark")
	p.program("mine", "touch "+mark+"\n"+servingPlugin())
	read := func() {
		t.Helper()
		c := p.open()
		_, _ = c.Component("reward", "mine")
		_, _ = c.Resolve("reward", "mine")
		_ = c.WhyUnknown("reward", "mine")
		_, _ = c.Types("reward"), c.Entries()
		if err := c.Refresh(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Error("the program was executed")
			_ = os.Remove(mark)
		}
	}
	read()
	p.accepted()
	if err := os.Remove(mark); err != nil {
		t.Fatalf("Accept did not execute it: %v", err)
	}
	read()
	p.program("mine", "touch "+mark+"; exit 1")
	read()
}

// TestOpen_DoesNotHangOnAPipe checks sources and records of any file type that git or tar can create.
func TestOpen_DoesNotHangOnAPipe(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "pipe", "zero": "zero", "odd": "odd"})
	makePipe := func(name string) {
		path := filepath.Join(p.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), syscall.Mkfifo(path, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	makePipe("pipe")
	makePipe(".awhost/plugins/odd/accepted.json")
	p.program("odd", servingPlugin())
	p.program("zero", servingPlugin())
	if err := errors.Join(os.MkdirAll(filepath.Join(p.dir, ".awhost/plugins/zero"), 0o755),
		os.Symlink("/dev/zero", filepath.Join(p.dir, ".awhost/plugins/zero/accepted.json"))); err != nil {
		t.Fatal(err)
	}
	for name, why := range p.open().Pending() {
		if !errors.Is(why, catalog.ErrNotAccepted) {
			t.Errorf("%s: %v", name, why)
		}
	}
	delete(p.sources, "zero")
	delete(p.sources, "odd")
	mentions(t, p.refused(), "neither a file nor a directory")
}

func TestUnusableSources_AreExplained(t *testing.T) {
	named := func(types ...string) sdk.Description { return plugin("mine", types...).Describe() }
	other := named("mine")
	other.ProtocolVersions = []int{2}
	needy := named("mine")
	needy.RequiredFeatures = []string{"time-travel"}
	// The description of a later version may have a format that this version cannot read.
	const later = `echo '{"name": "mine", "protocolVersions": [2, 3], "components": [{"kind": {"a": "judge"}}]}'`
	cases := map[string]struct {
		script string
		mode   os.FileMode
		want   []string
	}{
		"garbage": {"echo hello, I am a compiler", 0o755,
			[]string{"did not print a description", "hello, I am a compiler", "sdk.Serve"}},
		"other json": {`echo '{"results": []}'`, 0o755, []string{"no name or no component"}},
		"nothing":    {"exit 0", 0o755, []string{"did not print a description", "sdk.Serve"}},
		"exit 1": {"echo no module named torch >&2; exit 1", 0o755,
			[]string{"exit status 1", "no module named torch", "sdk.Serve"}},
		"colours": {`printf '\033[31mred\033[0m' >&2; exit 1`, 0o755, []string{"�[31mred"}},
		"endless": {"while :; do echo 0123456789012345678901234567890123456789; done", 0o755,
			[]string{"printed more than"}},
		"not executable":      {"exit 0", 0o644, []string{"is not executable", "chmod +x"}},
		"a later description": {later, 0o755, []string{"unsupported protocol versions [2 3], this host supports 1"}},
		"protocol 2": {describing(t, other), 0o755, []string{"unsupported protocol versions [2], this " +
			"host supports 1"}},
		"needs more": {describing(t, needy), 0o755, []string{"time-travel", "newer awhost"}},
		"other name": {describing(t, named("exact", "exact_strict")), 0o755,
			[]string{`reward "exact"`, `declare the plugin "exact"`}},
		"no common name":     {describing(t, named("exact", "fuzzy")), 0o755, []string{"must start with its local name"}},
		"prefix without a _": {describing(t, named("mineral")), 0o755, []string{`reward "mineral"`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"mine": "program"})
			p.writeMode("program", "#!/bin/sh\n"+c.script+"\n", c.mode)
			message := p.refused()
			mentions(t, message, append(c.want, "plugin mine: ")...)
			if left := p.files(); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestDescription_FollowsOutputOfLibraries accepts a program whose libraries print when they are loaded.
func TestDescription_FollowsOutputOfLibraries(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "program"})
	script := describing(t, plugin("mine", "mine").Describe())
	p.writeMode("program", "#!/bin/sh\necho '{\"level\": \"info\"}'\necho Loading ...\n"+script+"\n", 0o755)
	if _, err := p.accepted().Resolve("reward", "mine"); err != nil {
		t.Error(err)
	}
}

func TestMissingSource_IsExplained(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "./nowhere"})
	mentions(t, p.refused(), `source "./nowhere" does not exist`)
	_, err := p.open().Resolve("reward", "mine")
	if err == nil || errors.Is(err, catalog.ErrNotAccepted) {
		t.Errorf("init cannot help here, but the message is %v", err)
	}
}

func TestNoInterpreter_IsExplained(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.writeMode("mine", "#!/no/such/interpreter\n", 0o755)
	mentions(t, p.refused(), "no such file or directory", "sdk.Serve")
}

// TestNames_OfBundledPluginsAreReserved checks that neither a bundled plugin nor one of its types can be replaced.
func TestNames_OfBundledPluginsAreReserved(t *testing.T) {
	for _, name := range []string{"gaia-reward", "gaia"} {
		p := newProject(t, map[string]string{name: "mine"})
		_, err := catalog.Open(p.config())
		if err == nil {
			t.Fatalf("%s may be replaced", name)
		}
		mentions(t, err.Error(), name, "bundled plugin gaia-reward", "required_plugins")
	}
	p := newProject(t, map[string]string{"mine": "mine"})
	p.bundled["extra"] = catalog.Bundled{Description: plugin("extra", "extra", "mine_strict").Describe()}
	p.program("mine", servingPlugin())
	mentions(t, p.refused(), `"mine_strict"`, "bundled plugin extra")
}

func TestNames_CannotLeaveTheStateDirectory(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/x", ".hidden"} {
		if _, err := catalog.Open(newProject(t, map[string]string{name: "mine"}).config()); err == nil {
			t.Errorf("%q may be a local name", name)
		}
	}
}

// TestNames_TheLongestOwnsAType checks that mine and mine_strict may both be plugins.
func TestNames_TheLongestOwnsAType(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine", "mine_strict": "strict"})
	p.program("mine", servingPlugin())
	p.program("strict", describing(t, plugin("mine_strict", "mine_strict").Describe()))
	entry, err := p.accepted().Resolve("reward", "mine_strict")
	if err != nil || entry.Name != "mine_strict" {
		t.Errorf("got %+v, %v", entry, err)
	}
}

func TestWhyUnknown_PointsElsewhere(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	c := p.accepted()
	if err := c.WhyUnknown("reward", "nobodys"); err != nil {
		t.Errorf("there is nothing to say of it: %v", err)
	}
	for _, c := range []struct {
		err  error
		want []string
	}{
		{c.WhyUnknown("environment", "gaia"), []string{`has reward "gaia"`}},
		{c.WhyUnknown("reward", "mine_lenient"), []string{"plugin mine has no reward", "mine, mine_strict"}},
		{c.WhyUnknown("adapter", "mine_x"), []string{"plugin mine has no adapter"}},
	} {
		if c.err == nil {
			t.Error("no reason is given")
			continue
		}
		mentions(t, c.err.Error(), c.want...)
	}
	_, err := c.Resolve("reward", "nobodys")
	mentions(t, err.Error(), "nobodys", "gaia, mine, mine_strict", "required_plugins")
}

// Installed sources run from their copies. Every other source must exist at the path in the spec, whether it is used
// or not.
func TestMissing_NamesSourcesThatAreNotThere(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "program"})
	p.program("program", servingPlugin())
	p.accepted()
	if err := os.Remove(filepath.Join(p.dir, "program")); err != nil {
		t.Fatal(err)
	}
	p.sources["gone"], p.sources["here"], p.sources["far"] = "./nowhere", ".", "https://example.com/far"
	missing := p.open().Missing()
	if len(missing) != 1 || missing["gone"] == nil {
		t.Fatalf("missing are %v", missing)
	}
	mentions(t, missing["gone"].Error(), `source "./nowhere" does not exist`)
}
