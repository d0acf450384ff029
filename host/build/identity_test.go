package build

import (
	"io/fs"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/awhost/awhost"
)

func buildInfo() *debug.BuildInfo {
	return &debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "github.com/awhost/awhost", Version: "(devel)"},
		Deps:      []*debug.Module{{Path: "example.com/m", Version: "v1.0.0", Sum: "h1:abc"}},
		Settings: []debug.BuildSetting{
			{Key: "-compiler", Value: "gc"}, {Key: "GOARCH", Value: "amd64"}, {Key: "GOAMD64", Value: "v1"},
			{Key: "vcs.revision", Value: "1111"},
		},
	}
}

func sources(text string) fstest.MapFS {
	return fstest.MapFS{"host/run/run.go": {Data: []byte(text)}, "plugins/verl/shim.py": {Data: []byte("x = 1\n")}}
}

const program = `// Package run runs.
package run

import "fmt"

// Sum adds.
func Sum(a, b int) int {
	fmt.Println(a, b) // shown
	return a + b
}
`

func identity(t *testing.T, text string, change func(*debug.BuildInfo)) string {
	t.Helper()
	info := buildInfo()
	if change != nil {
		change(info)
	}
	id, err := identityOf(sources(text), info, func() (string, error) { return "sha256:self", nil })
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestIdentity_CoversTokensAndNotHowTheyAreLaidOut(t *testing.T) {
	replace := func(old, with string) string {
		if !strings.Contains(program, old) {
			t.Fatalf("the program has no %q", old)
		}
		return strings.ReplaceAll(program, old, with)
	}
	tests := []struct {
		name, text string
		same       bool
	}{
		{"another comment", replace("// Sum adds.", "// Sum returns the sum of a and b.\n// It prints them."), true},
		{"no comment", replace(" // shown", ""), true},
		{"an empty line", replace("\treturn", "\n\n\treturn"), true},
		{"arguments on lines of their own", replace("Println(a, b)", "Println(\n\t\ta,\n\t\tb,\n\t)"), true},
		{"a body on one line", replace(" // shown\n\treturn a + b\n}", "; return a + b }"), true},
		{"carriage returns", replace("\n", "\r\n"), true},
		{"another operator", replace("a + b", "a - b"), false},
		{"another name", replace("Sum(", "Add("), false},
		{"another package", replace(`"fmt"`, `"log"`), false},
		{"a directive", replace("// Sum adds.", "//go:noinline"), false},
		{"a build constraint", "//go:build race\n\n" + program, false},
		{"an argument more", replace("Println(a, b)", "Println(a, b, b)"), false},
		{"C code in a comment", "package run\n\n// int f(void) { return 1; }\nimport \"C\"\n", false},
	}
	want := identity(t, program, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if same := identity(t, test.text, nil) == want; same != test.same {
				t.Errorf("the identity is the same: %t, want %t", same, test.same)
			}
		})
	}
	if identity(t, "package run\n\n// int f(void) { return 1; }\nimport \"C\"\n", nil) == identity(t,
		"package run\n\n// int f(void) { return 2; }\nimport \"C\"\n", nil) {
		t.Error("C code in a comment does not count")
	}
}

func TestIdentity_CoversWhatMayComputeOtherwise(t *testing.T) {
	set := func(key, value string) func(*debug.BuildInfo) {
		return func(info *debug.BuildInfo) {
			for i := range info.Settings {
				if info.Settings[i].Key == key {
					info.Settings[i].Value = value
					return
				}
			}
			info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
		}
	}
	tests := []struct {
		name   string
		change func(*debug.BuildInfo)
		same   bool
	}{
		{"another commit on record", set("vcs.revision", "2222"), true},
		{"changed files on record", set("vcs.modified", "true"), true},
		{"-trimpath", set("-trimpath", "true"), true},
		{"a version stamp", set("-ldflags", "-X main.version=1"), true},
		{"a version of the main module", func(i *debug.BuildInfo) { i.Main.Version = "v0.1.1-0.2026" }, true},
		{"another level of the processor", set("GOAMD64", "v3"), false},
		{"another architecture", set("GOARCH", "arm64"), false},
		{"flags of the compiler", set("-gcflags", "all=-N"), false},
		{"tags", set("-tags", "purego"), false},
		{"another Go", func(i *debug.BuildInfo) { i.GoVersion = "go1.26.9" }, false},
		{"another version of a module", func(i *debug.BuildInfo) { i.Deps[0].Version = "v1.0.1" }, false},
		{"other content of a module", func(i *debug.BuildInfo) { i.Deps[0].Sum = "h1:def" }, false},
		{"a replaced module", func(i *debug.BuildInfo) {
			i.Deps[0].Replace = &debug.Module{Path: "example.com/fork", Version: "v1.0.0", Sum: "h1:fork"}
		}, false},
	}
	want := identity(t, program, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if same := identity(t, program, test.change) == want; same != test.same {
				t.Errorf("the identity is the same: %t, want %t", same, test.same)
			}
		})
	}
}

// A module replaced by a directory has no sum: only the executable identifies its content.
func TestIdentity_OfAModuleWithoutASumCoversTheExecutable(t *testing.T) {
	info := buildInfo()
	info.Deps[0].Replace = &debug.Module{Path: "../m"}
	of := func(executable string) string {
		id, err := identityOf(sources(program), info, func() (string, error) { return executable, nil })
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if of("sha256:1") == of("sha256:2") {
		t.Error("two executables have one identity, although nothing is known of a module")
	}
}

func TestIdentity_LeavesOutWhatDoesNotDecide(t *testing.T) {
	want := identity(t, program, nil)
	add := func(path, text string) bool {
		fsys := sources(program)
		fsys[path] = &fstest.MapFile{Data: []byte(text)}
		id, err := identityOf(fsys, buildInfo(), self)
		if err != nil {
			t.Fatal(err)
		}
		return id == want
	}
	for _, path := range []string{"host/run/run_test.go", "host/run/testdata/x.json", "plugins/verl/README.md",
		"plugins/verl/__pycache__/shim.pyc", "sdk/conformance/suite.go", "sdk/python/tests/test_a.py",
		"sdk/proto/image.binpb"} {
		if !add(path, "package run") {
			t.Errorf("%s counts", path)
		}
	}
	for _, path := range []string{"host/run/more.go", "plugins/verl/more.py", "plugins/verl/__init__.py"} {
		if add(path, "package run") {
			t.Errorf("%s does not count", path)
		}
	}
}

func TestIdentity_NeedsSources(t *testing.T) {
	if _, err := identityOf(fstest.MapFS{}, buildInfo(), self); err == nil {
		t.Error("a build without sources has an identity")
	}
	broken := fstest.MapFS{"host/run/run.go": {Data: []byte("package run\nvar x = `")}}
	if _, err := identityOf(broken, buildInfo(), self); err == nil {
		t.Error("a file that is no Go has tokens")
	}
}

// The sources of this module can be hashed and include all inputs that affect results, even files that //go:embed
// excludes by default.
func TestThis_KnowsItsSources(t *testing.T) {
	for _, name := range []string{"plugins/local/tinylm/kernels.go", "host/rollout/engine.go",
		"sdk/python/awhost/__init__.py"} {
		if _, err := awhost.Deciding.Open(name); err != nil {
			t.Error(err)
		}
	}
	b, err := This(awhost.Deciding, "", "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.Identity, "sha256:") || b.Go == "" || b.Target == "" {
		t.Errorf("the build is %+v", b)
	}
}

func BenchmarkThis(b *testing.B) {
	for b.Loop() {
		if _, err := This(awhost.Deciding, "", ""); err != nil {
			b.Fatal(err)
		}
	}
}

func identityOf(sources fs.FS, info *debug.BuildInfo, executable func() (string, error)) (string, error) {
	digest, err := SourcesDigest(sources)
	if err != nil {
		return "", err
	}
	return identify(digest, info, executable)
}
