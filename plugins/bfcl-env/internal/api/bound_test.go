package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// largestState is the size of a written file system at its bound, if no character is escaped.
const largestState = 20 << 20

// fileSystem is a file system under attack by a model.
type fileSystem struct {
	testing.TB
	instance api.Instance
	profile  api.Profile
	refused  int // calls refused because of the bounds
}

func newFileSystem(t testing.TB, profile api.Profile) *fileSystem {
	t.Helper()
	config, err := expr.Evaluate(`{'root': {'home': {'type': 'directory', 'contents': {}}}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	instance := api.Classes["GorillaFileSystem"].New(&api.World{Profile: profile})
	if err := instance.Load(config.(*py.Dict)); err != nil {
		t.Fatal(err)
	}
	return &fileSystem{TB: t, instance: instance, profile: profile}
}

// call returns the answer as text.
func (f *fileSystem) call(method string, args ...py.Value) string {
	f.Helper()
	v, err := api.Classes["GorillaFileSystem"].Method(method, f.profile).Call(f.instance, args, nil, nil)
	if err != nil {
		return err.Error()
	}
	if v == nil {
		return ""
	}
	text, err := py.JSON(v)
	if err != nil {
		f.Fatal(err)
	}
	if strings.Contains(text, "would have more than") {
		f.refused++
	}
	return text
}

func (f *fileSystem) state() string {
	f.Helper()
	text, err := py.JSONCompact(api.Encode(f.instance.Public()))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// bounded checks that calls were refused and that the remaining state is within the bounds.
func (f *fileSystem) bounded() {
	f.Helper()
	if f.refused == 0 {
		f.Error("no call was refused")
	}
	for what, text := range map[string]string{"state": f.state(), "find": f.call("find"), "du": f.call("du")} {
		if len(text) > largestState {
			f.Errorf("%s: %d bytes", what, len(text))
		}
	}
}

func everyProfile(t *testing.T, test func(t *testing.T, profile api.Profile)) {
	for name, profile := range map[string]api.Profile{"v4": api.V4, "v3": api.V3, "envtuning": api.EnvTuning} {
		t.Run(name, func(t *testing.T) { test(t, profile) })
	}
}

// doubled builds a tree of 2^n entries with about n*n/2 calls.
func (f *fileSystem) doubled(n int, name func(i int) string) {
	for i := range n {
		f.call("mkdir", name(i))
	}
	for j := range n {
		for i := range j {
			f.call("cp", name(i), name(j))
		}
	}
}

func short(i int) string { return fmt.Sprint("d", i) }

func TestCopiesThatDouble(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		for _, n := range testlevel.Sample(2, 23, 60, 80) {
			f := newFileSystem(t, profile)
			f.doubled(n, short)
			f.bounded()
			if got, want := f.call("cp", "d22", "copy"), `{"error": "cp: the file system would have more than 10000 entries"}`; n == 23 && got != want {
				t.Errorf("cp answers %s, want %s", got, want)
			}
			if got := f.call("rm", "d22"); !strings.Contains(got, "removed") {
				t.Errorf("what is full cannot be emptied: %s", got)
			}
		}
	})
}

// Copies within the bound must give the same result as before.
func TestCopiesWithinTheBound(t *testing.T) {
	f := newFileSystem(t, api.V4)
	f.doubled(12, short)
	if f.refused > 0 {
		t.Errorf("%d calls were refused", f.refused)
	}
	if n := strings.Count(f.state(), "__dir__"); n != 1<<12 {
		t.Errorf("%d directories, want %d", n, 1<<12)
	}
}

func TestLongNamesThatDouble(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		f := newFileSystem(t, profile)
		f.doubled(20, func(i int) string { return strings.Repeat("x", 5000) + short(i) })
		f.bounded()
	})
}

// The name of a directory's first parent is written with it, even after it was copied and the parent removed.
func TestLongNamesOfParents(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		f := newFileSystem(t, profile)
		long := strings.Repeat("x", 100_000)
		f.call("mkdir", long)
		f.call("cd", long)
		f.call("mkdir", "child")
		f.call("cd", "..")
		f.call("cp", long, "d0")
		f.call("rm", long)
		f.doubled(15, short)
		f.bounded()
	})
}

// A shared file is written once for each directory that contains it.
func TestContentsThatDouble(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		f := newFileSystem(t, profile)
		f.call("mkdir", "d0")
		f.call("cd", "d0")
		f.call("touch", "f")
		f.call("cd", "..")
		f.doubled(12, short)
		f.call("cd", "d0")
		f.call("echo", "small", "f")
		if f.refused > 0 {
			t.Errorf("%d calls were refused", f.refused)
		}
		got, want := f.call("echo", strings.Repeat("x", 10_000), "f"),
			`{"error": "echo: the file system would have more than 8388608 bytes"}`
		if got != want {
			t.Errorf("echo answers %s, want %s", got, want)
		}
		if got := f.call("cat", "f"); got != `{"file_content": "small"}` {
			t.Errorf("the refused call wrote: %s", got)
		}
		f.bounded()
	})
}

// Calls can be nested in the arguments of other calls, so a content can contain itself many times.
func TestNestedContentsThatDouble(t *testing.T) {
	f := newFileSystem(t, api.V3)
	f.call("echo", "x", "f")
	for range 100 {
		content := api.Classes["GorillaFileSystem"].Method("cat", f.profile)
		v, err := content.Call(f.instance, []py.Value{"f"}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f.call("echo", py.NewList(v, v), "f")
	}
	f.bounded()
}

// A ticket that an edit puts into itself is an infinite content.
func TestContentThatContainsItself(t *testing.T) {
	f := newFileSystem(t, api.V4)
	d := py.NewDict()
	d.Set("description", py.NewList(d, d))
	f.call("touch", "f")
	f.call("echo", d, "f")
	f.bounded()
}

// A refused move leaves the entry where it was.
func TestMovesThatDouble(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		f := newFileSystem(t, profile)
		f.doubled(12, short)
		f.call("cd", "d1") // its d0 occurs in 1,024 directories
		f.call("mkdir", "x")
		f.call("cd", "x")
		for i := range 20 {
			f.call("touch", short(i))
		}
		f.call("cd", "..")
		f.call("mkdir", "y")
		before := f.state()
		got, want := f.call("mv", "x", "d0"), `{"error": "mv: the file system would have more than 10000 entries"}`
		if got != want || f.state() != before {
			t.Errorf("mv answers %s, want %s; the state changed: %v", got, want, f.state() != before)
		}
		if got := f.call("mv", "y", "d0"); !strings.Contains(got, "moved") {
			t.Errorf("what fits cannot be moved: %s", got)
		}
		f.bounded()
	})
}

// In version 4 a directory can be created that contains its own parent.
func TestCycles(t *testing.T) {
	f := newFileSystem(t, api.V4)
	for i := range 9 {
		f.call("mkdir", short(i))
		f.call("mkdir", ".")
		f.call("mv", ".", short(i))
	}
	f.bounded()
	if got := f.call("find"); !strings.Contains(got, "maximum recursion depth exceeded") {
		t.Errorf("find answers %.200s", got)
	}
	if got := f.call("du"); !strings.Contains(got, "maximum recursion depth exceeded") {
		t.Errorf("du answers %.200s", got)
	}
}

// A removed directory can still be the current directory.
func TestRemovedDirectory(t *testing.T) {
	everyProfile(t, func(t *testing.T, profile api.Profile) {
		f := newFileSystem(t, profile)
		f.call("mkdir", "a")
		f.call("cd", "a")
		f.call("mkdir", "inner")
		f.call("cd", "..")
		f.call("cp", "a", "b")
		f.call("rm", "a")
		f.call("cd", "b")
		f.call("cd", "inner")
		f.call("cd", "..") // to a
		f.doubled(23, short)
		f.bounded()
	})
}

func BenchmarkCopiesThatDouble(b *testing.B) {
	for b.Loop() {
		newFileSystem(b, api.V4).doubled(60, short)
	}
}
