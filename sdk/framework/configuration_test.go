package framework

import (
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parts are the modules of a made-up framework: its dataclasses, and a class that looks like one of them.
var parts = map[string]string{
	"made/parts.py": `
"""Words: that look like fields"""
from .other import Inner, Base

class Sampling(Base):
    _shared: ClassVar[int] = 1
    n: int = 1
    top_p: "float" = 1.0
    stop: Optional[list[str]] = None
    extra: dict[str, Any] = field(
        default_factory=dict, metadata={"help": "a: b"}
    )
    inner: Inner | None = None
    any: Any = None
    size: Union[str, float] = 1
    pair: tuple[float, float] = (0.9, 0.999)  # a: comment

    def method(self):
        local: int = 1
`,
	"made/other.py": `
class Base(Exception):
    seed: int | None = None
    n: str = ""

class Inner:
    flag: bool = False
`,
}

// made writes the made-up framework, and returns it with its installation.
func made(t *testing.T) (Framework, *Installed) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	root := t.TempDir()
	all := maps.Clone(parts)
	maps.Copy(all, distributions)
	for name, text := range all {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var tested bytes.Buffer
	zipped := gzip.NewWriter(&tested)
	_, err := zipped.Write([]byte(`{"version":"1.0","schemas":[""],"keys":[{"key":"n","takes":["int"]}]}
{"version":"2.0","schemas":[""],"keys":[{"key":"n","takes":["str"]}]}`))
	if err == nil {
		err = zipped.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	f := Framework{Name: "Made", Package: "made", Question: Question{Class: "made.parts.Sampling"}, Tested: tested.Bytes()}
	return f, &Installed{Python: "python3", Root: root}
}

func schemaOf(t *testing.T, f Framework, root string, release Release) (*Configuration, *Schema) {
	t.Helper()
	c, err := f.Configuration(root, release)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Schema("")
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// An installation that was not read has the nearest tested version's configuration, until Configure has read it.
func TestConfigure_ReadsAnInstallationOnce(t *testing.T) {
	f, installed := made(t)
	for release, want := range map[Release]string{{0, 9, 0}: "1.0", {1, 5, 0}: "1.0", {2, 1, 0}: "2.0"} {
		c, s := schemaOf(t, f, installed.Root, release)
		if c.Version != want || !c.Guessed || s.At("no.such").Kind != Free || len(f.Warning(installed, c)) != 1 {
			t.Errorf("%s has the configuration of %s (guessed: %v), want %s", release, c.Version, c.Guessed, want)
		}
	}
	if _, err := f.Configure(t.Context(), installed, Release{1, 5, 0}); err != nil {
		t.Fatal(err)
	}
	c, s := schemaOf(t, f, installed.Root, Release{1, 5, 0})
	if c.Guessed || c.Version != "1.5.0" || s.At("no.such").Kind != Unknown || len(f.Warning(installed, c)) != 0 {
		t.Errorf("after Configure, the configuration is %+v", c)
	}
	installed.Python = "/no/such/python" // which is not needed again
	if _, err := f.Configure(t.Context(), installed, Release{1, 5, 0}); err != nil {
		t.Error(err)
	}
	other := filepath.Join(installed.Root, "made", "other.py")
	if err := os.WriteFile(other, []byte("class Base:\n    a: int\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, _ := schemaOf(t, f, installed.Root, Release{1, 5, 0}); !c.Guessed {
		t.Error("the stored configuration counts although a file has changed")
	}
	fails := func(want string) {
		t.Helper()
		_, err := f.Configure(t.Context(), installed, Release{1, 5, 0})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Configure: %v, want %q", err, want)
		}
	}
	fails("/no/such/python")
	f.Question.Class = "made.parts.NoSuch"
	installed.Python = "python3"
	fails("no class made.parts.NoSuch")
}

func TestSchema_OfADataclass(t *testing.T) {
	f, installed := made(t)
	if _, err := f.Configure(t.Context(), installed, Release{1, 5, 0}); err != nil {
		t.Fatal(err)
	}
	_, s := schemaOf(t, f, installed.Root, Release{1, 5, 0})
	field := func(annotation string, takes Types) Place {
		return Place{Kind: Field, Takes: takes, Annotation: annotation}
	}
	extra := field("dict[str, Any]", Mapping)
	extra.open = true
	inner := field("Inner | None", Anything)
	inner.Kind = Section
	for key, want := range map[string]Place{
		"n": field("int", Whole), "seed": field("int | None", Whole|Null), "top_p": field("float", Real|Whole),
		"stop": field("Optional[list[str]]", List|Null), "extra": extra, "inner": inner, "any": field("Any", Anything),
		"size": field("Union[str, float]", Text|Real|Whole), "pair": field("tuple[float, float]", List),
		"inner.flag":  field("bool", Boolean),
		"extra.a.b":   {Kind: Free, Takes: Anything},
		"inner.no.x":  {Takes: Anything, Missing: "inner.no"},
		"local":       {Takes: Anything, Missing: "local"},
		"_shared":     {Takes: Anything, Missing: "_shared"},
		"any.a":       {Takes: Anything, Missing: "any.a", Strict: true},
		"Words.words": {Takes: Anything, Missing: "Words"},
	} {
		if diff := cmp.Diff(want, s.At(key), cmp.AllowUnexported(Place{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", key, diff)
		}
	}
	if near := s.Nearest("inner.flga"); near != "inner.flag" {
		t.Errorf("the nearest key is %q", near)
	}
}
