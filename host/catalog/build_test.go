package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/catalog"
)

// goPackage writes a Go program that describes itself as a plugin. It only uses the standard library, so that it
// builds quickly.
func (p *project) goPackage(dir, module string, version int) {
	p.t.Helper()
	p.write(dir+"/go.mod", "module "+module+"\n\ngo 1.24\n")
	p.write(dir+"/main.go", describingGo(p.t, fmt.Sprintf(`"1.0.%d"`, version)))
}

// describingGo returns a Go program that prints a description with a version, which is a Go expression.
func describingGo(t testing.TB, version string, imports ...string) string {
	t.Helper()
	text := strings.TrimSuffix(strings.TrimPrefix(describing(t, plugin("mine", "mine", "mine_strict").Describe()),
		"cat <<'END'\n"), "\nEND")
	before, after, ok := strings.Cut(text, `"1.0.0"`)
	if !ok {
		t.Fatalf("no version in %s", text)
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"os\"\n\t\"strconv\"\n")
	for _, i := range imports {
		fmt.Fprintf(&b, "\t%q\n", i)
	}
	fmt.Fprintf(&b, ")\n\nfunc main() {\n\tos.Stdout.WriteString(%q + strconv.Quote(%s) + %q)\n}\n", before, version,
		after)
	return b.String()
}

func version(t testing.TB, c *catalog.Catalog) string {
	t.Helper()
	entry, err := c.Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	return entry.Description.Version
}

func hash(t testing.TB, c *catalog.Catalog) string {
	t.Helper()
	entry, err := c.Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	return entry.Hash
}

// TestGoPackage_IsBuiltAndRebuilt tests an author's cycle: edit and apply.
func TestGoPackage_IsBuiltAndRebuilt(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"mine": "./mine"})
	p.goPackage("mine", "example.com/mine", 1)
	var said []string
	p.progress = func(name, doing string) { said = append(said, name+": "+doing) }
	first := p.accepted()
	if len(said) != 2 || !strings.Contains(said[0], "mine: building ") || !strings.Contains(said[0], "may take") ||
		!strings.Contains(said[1], "MB, in "+p.dir) {
		t.Errorf("of the first build it is said: %q", said)
	}
	entry, err := first.Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if entry.Origin != catalog.OriginGo || !filepath.IsAbs(entry.Command[0]) ||
		!strings.HasPrefix(entry.Command[0], filepath.Join(p.dir, ".awhost")) {
		t.Errorf("got %+v", entry)
	}
	if out, err := exec.Command(entry.Command[0], "describe").Output(); err != nil ||
		!strings.Contains(string(out), "1.0.1") {
		t.Errorf("the program does not run: %s %v", out, err)
	}

	before := p.files()
	again := p.open()
	if err := again.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, p.files()); diff != "" {
		t.Errorf("nothing changed, and yet: %s", diff)
	}

	p.goPackage("mine", "example.com/mine", 2)
	if got := version(t, p.open()); got != "1.0.1" {
		t.Errorf("Open alone shows version %s: it has built something", got)
	}
	changed := p.open()
	if err := changed.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := version(t, changed); got != "1.0.2" {
		t.Errorf("after Refresh the version is %s", got)
	}
	if hash(t, changed) == hash(t, first) {
		t.Error("the hash is that of the program before")
	}
	if hash(t, p.open()) != hash(t, changed) {
		t.Error("the new hash is not recorded")
	}
	if _, err := os.Stat(entry.Command[0]); err != nil {
		t.Errorf("a run under way restarts its plugin from the program before: %v", err)
	}

	p.goPackage("mine", "example.com/mine", 1)
	back := p.open()
	if err := back.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(hash(t, first), hash(t, back)); diff != "" {
		t.Errorf("the same sources give another hash: %s", diff)
	}
	p.noScraps()
}

func TestGoPackage_OldBuildsAreRemoved(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 0)
	p.accepted()
	for v := range 8 {
		p.goPackage("mine", "example.com/mine", v)
		if err := p.open().Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := version(t, p.open()); got != "1.0.7" {
		t.Errorf("version %s", got)
	}
	if n := len(p.files()); n > 6 { // the record, the build, four earlier builds
		t.Errorf("%d files are kept: %v", n, p.files())
	}
}

// TestGoPackage_ThatDoesNotCompile checks that the compiler's errors are shown and the last good build is kept.
func TestGoPackage_ThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	p.accepted()
	p.write("mine/broken.go", "package main\n\nvar x int = \"no number\"\n")
	c := p.open()
	err := c.Refresh(t.Context())
	if err == nil {
		t.Fatal("it was built")
	}
	mentions(t, err.Error(), "plugin mine", "go build in "+filepath.Join(p.dir, "mine"), "broken.go:3", "cannot use")
	if got := version(t, c); got != "1.0.1" {
		t.Errorf("version %s", got)
	}
	p.noScraps()

	never := newProject(t, map[string]string{"mine": "mine"})
	never.goPackage("mine", "example.com/mine", 1)
	never.write("mine/broken.go", "package main\n\nfunc f() { undefinedThing() }\n")
	mentions(t, never.refused(), "broken.go:3", "undefinedThing")
}

// TestGoPackage_ReplacedAndWorkspaceModulesCount checks that go build detects changes outside of the directory.
func TestGoPackage_ReplacedAndWorkspaceModulesCount(t *testing.T) {
	library := func(p *project, v int) {
		p.write("library/go.mod", "module example.com/library\n\ngo 1.24\n")
		p.write("library/library.go", fmt.Sprintf("package library\n\nconst Version = \"1.0.%d\"\n", v))
	}
	main := describingGo(t, "library.Version", "example.com/library")
	for kind, prepare := range map[string]func(p *project){
		"replace": func(p *project) {
			p.write("mine/go.mod", "module example.com/mine\n\ngo 1.24\n\nrequire example.com/library v0.0.0\n\nreplace example.com/library => ../library\n")
		},
		"workspace": func(p *project) {
			p.write("mine/go.mod", "module example.com/mine\n\ngo 1.24\n")
			p.write("go.work", "go 1.24\n\nuse (\n\t./mine\n\t./library\n)\n")
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"mine": "mine"})
			library(p, 1)
			prepare(p)
			p.write("mine/main.go", main)
			if got := version(t, p.accepted()); got != "1.0.1" {
				t.Fatalf("version %s", got)
			}
			library(p, 2)
			c := p.open()
			if err := c.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := version(t, c); got != "1.0.2" {
				t.Errorf("after a change of the library the version is %s", got)
			}
		})
	}
}

// TestGoPackage_WithTheSDK tests a plugin as authors write it: a separate module that refers to this checkout.
func TestGoPackage_WithTheSDK(t *testing.T) {
	t.Parallel()
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t, map[string]string{"mine": "mine"})
	module, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(module), "module github.com/awhost/awhost\n", "module example.com/mine\n", 1)
	p.write("mine/go.mod", own+"\nrequire github.com/awhost/awhost v0.0.0\n\nreplace github.com/awhost/awhost => "+
		checkout+"\n")
	p.write("mine/go.sum", string(sums))
	source, err := os.ReadFile("testdata/exact/main.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	p.write("mine/main.go", string(source))
	component, ok := p.accepted().Component("reward", "mine_exact")
	if !ok || component.Reward == nil {
		t.Fatalf("got %+v", component)
	}
	if diff := cmp.Diff("ignore_case", component.Schema.Attributes[0].Name); diff != "" {
		t.Error(diff)
	}
}

// TestGoPackage_UsersSettingsCount checks that the user's flags are kept, but the program is built for this machine.
func TestGoPackage_UsersSettingsCount(t *testing.T) {
	t.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod -tags=special"))
	t.Setenv("GOOS", "plan9")
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	p.write("mine/main.go", describingGo(t, "tagged"))
	p.write("mine/special.go", "//go:build special\n\npackage main\n\nconst tagged = \"9.9.9\"\n")
	p.write("mine/plain.go", "//go:build !special\n\npackage main\n\nconst tagged = \"0.0.0\"\n")
	if got := version(t, p.accepted()); got != "9.9.9" {
		t.Errorf("version %s", got)
	}
}

func TestGoPackage_UnusableDirectoriesAreExplained(t *testing.T) {
	cases := map[string]struct {
		files map[string]string
		want  []string
	}{
		"no Go": {map[string]string{"mine/README": "hello"}, []string{"contains neither Go files nor a pyproject.toml"}},
		"no program": {map[string]string{"mine/go.mod": "module example.com/mine\n", "mine/mine.go": "package mine\n"},
			[]string{"name the package main", "sdk.Serve"}},
		"only tests": {map[string]string{"mine/go.mod": "module example.com/mine\n", "mine/mine_test.go": "package main\n"},
			[]string{"go build in", "no non-test Go files"}},
		"no module": {map[string]string{"mine/main.go": "package main\n\nfunc main() {}\n"},
			[]string{"go build in", "go.mod"}},
		"no plugin": {map[string]string{"mine/go.mod": "module example.com/mine\n",
			"mine/main.go": "package main\n\nfunc main() {}\n"}, []string{"did not print a description"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"mine": "mine"})
			for path, text := range c.files {
				p.write(path, text)
			}
			mentions(t, p.refused(), append(c.want, "plugin mine: ")...)
		})
	}
}

func TestGoPackage_WithoutTheGoCommand(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	mentions(t, p.refused(), "requires the go command, which is not in PATH", "https://go.dev/dl", "program as the source")
}

// TestGoPackage_TamperedBuildIsNotRun checks Open and Refresh, which must not reuse a tampered build.
func TestGoPackage_TamperedBuildIsNotRun(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	entry, err := p.accepted().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(entry.Command[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(entry.Command[0]),
		os.WriteFile(entry.Command[0], append(program, "malice"...), 0o755)); err != nil {
		t.Fatal(err)
	}
	c := p.open()
	if _, err := c.Resolve("reward", "mine"); !errors.Is(err, catalog.ErrNotAccepted) {
		t.Errorf("want ErrNotAccepted, got %v", err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := hash(t, c); got != entry.Hash {
		t.Errorf("the sources are the same, but the hash is %s", got)
	}
}

// TestGoPackage_LostBuildIsMadeAgain checks that consent applies to the directory, not to the build.
func TestGoPackage_LostBuildIsMadeAgain(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	entry, err := p.accepted().Resolve("reward", "mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(entry.Command[0]); err != nil {
		t.Fatal(err)
	}
	c := p.open()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := version(t, c); got != "1.0.1" || len(c.Pending()) > 0 {
		t.Errorf("version %s, pending %v", got, c.Pending())
	}
}

// TestGoPackage_ThatBecameAProgramIsNotAccepted checks that consent to build a directory does not cover a program.
func TestGoPackage_ThatBecameAProgramIsNotAccepted(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	p.accepted()
	if err := os.RemoveAll(filepath.Join(p.dir, "mine")); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "mark")
	p.program("mine", "touch "+mark+"\n"+servingPlugin())
	if err := p.open().Refresh(t.Context()); !errors.Is(err, catalog.ErrNotAccepted) {
		t.Errorf("want ErrNotAccepted, got %v", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the program was executed")
	}
}

// TestGoPackage_ScrapsOfKilledBuildsAreSweptUp checks that temporary files are removed once they are too old to be in
// use.
func TestGoPackage_ScrapsOfKilledBuildsAreSweptUp(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	scrap := filepath.Join(p.dir, ".awhost/plugins/mine/.tmp-1")
	p.write(".awhost/plugins/mine/.tmp-1/mine", "half a program")
	old := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(scrap, old, old); err != nil {
		t.Fatal(err)
	}
	p.accepted()
	p.noScraps()
}

// BenchmarkRefresh_Unchanged measures the cost of an accepted Go package in each apply.
func BenchmarkRefresh_Unchanged(b *testing.B) {
	p := newProject(b, map[string]string{"mine": "mine"})
	p.goPackage("mine", "example.com/mine", 1)
	c := p.accepted()
	for b.Loop() {
		if err := c.Refresh(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
