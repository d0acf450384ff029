package catalog_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
)

// packed returns a .tar.gz of executable files.
func packed(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	plain := gzip.NewWriter(&out)
	w := tar.NewWriter(plain)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755,
			Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), plain.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// scripted returns a shell script that is a plugin and reads a file in a sibling folder.
func scripted() string {
	return "#!/bin/sh\ncat \"$(dirname \"$0\")/../data\" >/dev/null || exit 9\n" + servingPlugin() + "\n"
}

// shop serves a file that may change, and counts the requests.
type shop struct {
	*httptest.Server
	mu     sync.Mutex
	goods  []byte
	status int
	asked  atomic.Int64
}

func newShop(t *testing.T, goods []byte) *shop {
	s := &shop{goods: goods}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.asked.Add(1)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.status != 0 {
			w.WriteHeader(s.status)
			return
		}
		_, _ = w.Write(s.goods)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) offer(goods []byte, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods, s.status = goods, status
}

func (p *project) lockFile() string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, ".awhost.lock.hcl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	return string(text)
}

// TestURL_IsInstalledOnceAndHeldToTheLockFile tests the life cycle of a published plugin.
func TestURL_IsInstalledOnceAndHeldToTheLockFile(t *testing.T) {
	first := packed(t, map[string]string{"mine-1/bin/mine": scripted(), "mine-1/data": "1"})
	s := newShop(t, first)
	source := s.URL + "/mine-1.tar.gz"
	p := newProject(t, map[string]string{"mine": source})
	entry, err := p.accepted().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if entry.Origin != catalog.OriginProgram || entry.Source != source ||
		!strings.HasSuffix(entry.Command[0], "/mine-1/bin/mine") {
		t.Errorf("got %+v", entry)
	}
	mentions(t, p.lockFile(), `plugin "mine"`, `source  = "`+source+`"`, `version = "1.0.0"`, `any = "sha256:`)

	p.accepted()
	if n := s.asked.Load(); n != 1 {
		t.Errorf("what is installed was downloaded %d times", n)
	}
	s.offer(nil, http.StatusNotFound)
	p.accepted()
	if _, err := p.open().Resolve("reward", "mine"); err != nil {
		t.Errorf("without a server: %v", err)
	}

	// A colleague with the spec and the lock file gets the same content or an error.
	colleague := newProject(t, p.sources)
	colleague.write(".awhost.lock.hcl", p.lockFile())
	mentions(t, colleague.refused(), "plugin mine: download "+source+": the server responded with 404 Not Found")
	second := packed(t, map[string]string{"mine-1/bin/mine": scripted(), "mine-1/data": "2"})
	s.offer(second, 0)
	mentions(t, colleague.refused(), "does not match .awhost.lock.hcl", "awhost init --upgrade")
	s.offer(first, 0)
	if got := hash(t, colleague.accepted()); got != entry.Hash {
		t.Errorf("the colleague's hash is %s, want %s", got, entry.Hash)
	}

	// Upgrades are explicit, and the colleague is notified by the lock file.
	s.offer(second, 0)
	if err := p.open().Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hash(t, p.open()) == entry.Hash {
		t.Error("the upgrade changed nothing")
	}
	colleague.write(".awhost.lock.hcl", p.lockFile())
	_, err = colleague.open().Resolve("reward", "mine")
	if !errors.Is(err, catalog.ErrNotAccepted) {
		t.Fatalf("want ErrNotAccepted, got %v", err)
	}
	mentions(t, err.Error(), ".awhost.lock.hcl requires the checksum", "awhost init")
	if hash(t, colleague.accepted()) != hash(t, p.open()) {
		t.Error("both have not the same now")
	}

	// Sources removed from the spec are removed from the lock file.
	p.sources = map[string]string{}
	p.accepted()
	if strings.Contains(p.lockFile(), "mine") {
		t.Errorf("the lock file has\n%s", p.lockFile())
	}
}

// TestInstalled_ChangedCopiesAreNotRun checks that changed copies are not run, and that init restores them.
func TestInstalled_ChangedCopiesAreNotRun(t *testing.T) {
	for what, change := range map[string]func(program string) error{
		"another program": func(p string) error {
			return errors.Join(os.Remove(p),
				os.WriteFile(p, []byte("#!/bin/sh\n"), 0o555))
		},
		"another file": func(p string) error { return os.WriteFile(filepath.Join(filepath.Dir(p), "more"), nil, 0o644) },
		"a link":       func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/bin/true", p)) },
		"gone":         func(p string) error { return os.Remove(p) },
	} {
		t.Run(what, func(t *testing.T) {
			p := newProject(t, map[string]string{"mine": "mine.tgz"})
			p.write("mine.tgz", string(packed(t, map[string]string{"bin/mine": scripted(), "data": ""})))
			entry, err := p.accepted().Resolve("reward", "mine")
			if err != nil {
				t.Fatal(err)
			}
			p.unlock()
			if err := change(entry.Command[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := p.open().Resolve("reward", "mine"); err == nil || !strings.Contains(err.Error(), "awhost init") {
				t.Fatalf("got %v", err)
			}
			if got := hash(t, p.accepted()); got != entry.Hash {
				t.Errorf("init made %s of it, want %s", got, entry.Hash)
			}
			p.noScraps()
		})
	}
}

// TestArchive_APythonScriptWithAModuleBesideIt checks that Python does not write __pycache__ into the copy, whose
// hash is recorded.
func TestArchive_APythonScriptWithAModuleBesideIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: no script of Python's was installed. Install python3 and put it on PATH")
	}
	text, err := sdk.FormatDescription(plugin("mine", "mine").Describe())
	if err != nil {
		t.Fatal(err)
	}
	pack := func(comment string) string {
		return string(packed(t, map[string]string{
			"a/mine":      "#!/usr/bin/env python3\nimport helper\nhelper.say()\n",
			"a/helper.py": "def say():\n    print(" + strconv.Quote(string(text)) + ")\n# " + comment + "\n",
		}))
	}
	p := newProject(t, map[string]string{"mine": "mine.tar.gz"})
	p.write("mine.tar.gz", pack("one"))
	p.accepted()
	entry, err := p.open().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Dir(entry.Command[0])
	for _, dir := range []string{copied, filepath.Dir(copied)} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o555 {
			t.Errorf("%s: %v, %v; nothing may be written there", dir, info.Mode(), err)
		}
	}
	run := exec.Command(entry.Command[0], "describe")
	run.Env = os.Environ()
	for name, value := range entry.Env {
		run.Env = append(run.Env, name+"="+value)
	}
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if again := p.accepted(); hash(t, again) != entry.Hash {
		t.Error("running it changed it")
	}

	// Read-only copies are replaced and swept, too.
	for i := range 8 {
		p.write("mine.tar.gz", pack(strconv.Itoa(i)))
		if err := p.open().Upgrade(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(p.dir, ".awhost", "plugins", "mine", "installed", "*")); len(left) > 5 {
		t.Errorf("old copies stay: %v", left)
	}
	p.noScraps()
}

func TestArchive_UnusableOnesAreExplained(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want string
	}{
		"no program": {string(packed(t, map[string]string{"README/x/y": "hi"})), "contains no plugin"},
		"two programs": {string(packed(t, map[string]string{"a": "#!", "bin/b": "#!"})),
			"the programs a, bin/b, but none is named mine"},
		"outside":      {string(packed(t, map[string]string{"../mine": "#!"})), "is outside the folder"},
		"is truncated": {string(packed(t, map[string]string{"mine": "#!"})[:60]), "is truncated"},
		"no plugin":    {string(packed(t, map[string]string{"mine": "#!/bin/sh\nexit 3\n"})), "exit status 3"},
		"text":         {"hello", "is not executable"},
	} {
		p := newProject(t, map[string]string{"mine": "mine.tar.gz"})
		p.write("mine.tar.gz", c.file)
		message := p.refused()
		mentions(t, message, "plugin mine: ", c.want)
		if left := p.files(); len(left) > 0 {
			t.Errorf("%s left behind %v", name, left)
		}
		if p.lockFile() != "" {
			t.Errorf("%s: the lock file has\n%s", name, p.lockFile())
		}
	}
	s := newShop(t, []byte("<!DOCTYPE html><title>Sign in</title>"))
	p := newProject(t, map[string]string{"mine": s.URL})
	mentions(t, p.refused(), "neither a program nor an archive", "<!DOCTYPE html>")
}

// TestArchive_WithAGoPackageIsBuilt checks that a Go package in an archive is built once and not rebuilt by apply.
func TestArchive_WithAGoPackageIsBuilt(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine.tar.gz"})
	p.write("mine.tar.gz", string(packed(t, map[string]string{
		"mine/go.mod": "module example.com/mine\n\ngo 1.24\n", "mine/main.go": describingGo(t, `"3.0.0"`),
	})))
	c := p.accepted()
	if got := version(t, c); got != "3.0.0" {
		t.Errorf("version %s", got)
	}
	before := p.files()
	c = p.open()
	if err := c.Refresh(t.Context()); err != nil || len(c.Stale(t.Context())) > 0 {
		t.Errorf("%v; stale: %v", err, c.Stale(t.Context()))
	}
	if after := p.files(); len(after) != len(before) {
		t.Errorf("Refresh made %v of %v", after, before)
	}
}

func TestSources_ThatNothingCanBeFetchedFrom(t *testing.T) {
	for source, want := range map[string]string{
		"git::https://example.com/x": "neither a path nor a URL", "s3://bucket/key": "neither a path nor a URL",
		"https:///x":                           "neither a path nor a URL",
		"https://me:hunter2@example.com/x.zip": "user name or password", "file://elsewhere/x": "neither a path nor a URL",
		"http://%zz": "invalid source URL",
		"https://example.com/x.zip?token=hunter2": "https://example.com/x.zip?… has a query",
		"https://me:hunter2@%zz":                  "invalid source URL",
	} {
		p := newProject(t, map[string]string{"mine": source})
		message := p.refused()
		mentions(t, message, want)
		if strings.Contains(message, "hunter2") {
			t.Errorf("it says the password: %s", message)
		}
		if _, err := p.open().Resolve("reward", "mine"); err == nil || errors.Is(err, catalog.ErrNotAccepted) {
			t.Errorf("init cannot help here, but the message is %v", err)
		}
	}
}

func TestFileURL_IsAPath(t *testing.T) {
	p := newProject(t, nil)
	p.program("my tool", servingPlugin())
	p.sources = map[string]string{"mine": "file://" + strings.ReplaceAll(filepath.Join(p.dir, "my tool"), " ", "%20")}
	p.accepted()
	if _, err := p.open().Resolve("reward", "mine"); err != nil {
		t.Error(err)
	}
}

// TestLockFile_ThatIsDamagedIsNoLicence checks that nothing is installed with a damaged lock file.
func TestLockFile_ThatIsDamagedIsNoLicence(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	p.accepted()
	p.write(".awhost.lock.hcl", "<<<<<<< HEAD\n")
	if _, err := p.open().Resolve("reward", "mine"); err == nil || !strings.Contains(err.Error(), ".awhost.lock.hcl:1") {
		t.Errorf("got %v", err)
	}
	if err := p.open().Upgrade(t.Context()); err == nil || !strings.Contains(err.Error(), "restore it") {
		t.Errorf("got %v", err)
	}
	if p.lockFile() != "<<<<<<< HEAD\n" {
		t.Errorf("it was overwritten:\n%s", p.lockFile())
	}
}

// TestLockFile_KeepsOtherMachinesPrograms checks that each platform has its own build.
func TestLockFile_KeepsOtherMachinesPrograms(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.program("mine", servingPlugin())
	other := "sha256:" + strings.Repeat("ab", 32)
	p.write(".awhost.lock.hcl", "format = 1\nplugin \"mine\" {\n  source = \"mine\"\n  version = \"1.0.0\"\n  checksums = { plan9_arm = \""+other+"\" }\n}\n")
	p.accepted()
	mentions(t, p.lockFile(), "plan9_arm", other, runtime.GOOS+"_"+runtime.GOARCH)
}

// TestDirectoryWithACommand checks that a plugin in any language runs from a copy of its directory, and that changes to
// its files and to the command are noticed.
func TestDirectoryWithACommand(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "src"})
	p.commands = map[string][]string{"mine": {"sh", "main.sh"}}
	p.write("src/main.sh", `. "$(dirname "$0")/lib/serve"`)
	p.write("src/lib/serve", servingPlugin())
	p.write("src/.git/config", "not copied")
	if err := os.Symlink("lib/serve", filepath.Join(p.dir, "src/link")); err != nil {
		t.Fatal(err)
	}
	p.accepted()
	p.noScraps()
	entry, err := p.open().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Dir(entry.Command[1])
	names, err := os.ReadDir(copied)
	if err != nil || len(names) != 3 || entry.Command[0] != "sh" || entry.Origin != catalog.OriginCommand {
		t.Fatalf("command %q, copied %v (%v)", entry.Command, names, err)
	}
	p.write("src/lib/serve", servingPlugin()+"\n# edited")
	c := p.open()
	if stale := c.Stale(t.Context()); len(stale) != 1 {
		t.Errorf("stale: %v", stale)
	}
	held, err := entry.Hold()
	if err != nil {
		t.Errorf("an edit ends a run that has its copy: %v", err)
	}
	held.Release()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	fresh, err := c.Resolve("reward", "mine")
	if err != nil || fresh.Hash == entry.Hash {
		t.Fatalf("hash %s was not changed (%v)", entry.Hash, err)
	}

	p.commands["mine"] = []string{"sh", "-e", "main.sh"}
	if _, err := p.open().Resolve("reward", "mine"); !errors.Is(err, catalog.ErrNotAccepted) {
		t.Errorf("another command: %v", err)
	}
	other, err := p.accepted().Resolve("reward", "mine")
	if err != nil || other.Hash == fresh.Hash {
		t.Fatalf("the command is not part of the hash (%v)", err)
	}
	file := filepath.Join(filepath.Dir(other.Command[2]), "lib/serve")
	if err := errors.Join(os.Chmod(file, 0o644), os.WriteFile(file, []byte("exit 1"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Hold(); err == nil {
		t.Error("a changed copy was started")
	}

	p.commands["mine"] = []string{"no-such-program", "main.sh"}
	mentions(t, p.refused(), `"no-such-program" is neither a program in PATH`)
	p.commands["mine"] = []string{"sh", "main.sh"}
	if err := os.Symlink("lib", filepath.Join(p.dir, "src/folder")); err != nil {
		t.Fatal(err)
	}
	mentions(t, p.refused(), "src/folder is neither a file nor a directory")
}
