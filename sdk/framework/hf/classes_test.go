package hf

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// packages writes Python files below a new directory.
func packages(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestClasses_FollowImports(t *testing.T) {
	root := packages(t, map[string]string{
		"a/config.py": "from lazy import Arguments as Base\nfrom .parts import (\n    One,\n    Two as Second,\n)\n" +
			"class Config(One, Second, Base):\n    own: \"int | None\" = None\n",
		"a/parts/__init__.py": "from .one import One\n",
		"a/parts/one.py":      "class One:\n    first: Literal['x', 'y'] = 'x'  # (\n    both: str = ''\n",
		"a/parts/two.py":      "from ..base import Deep\nclass Two(Deep):\n    both: int = 0\n",
		"a/base.py":           "class Deep:\n    deep: bool = False\n",
	})
	site := packages(t, map[string]string{"lazy/arguments.py": "class Arguments:\n    rate: float = 0.1\n"})
	c := &Classes{Root: root, Sites: []string{site}}
	want := map[string]string{
		"own": "int | None", "first": "Literal['x', 'y']", "both": "str", "deep": "bool", "rate": "float",
	}
	if diff := cmp.Diff(want, c.fields("a.config.Config")); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

var spaces = regexp.MustCompile(`\s+`)

func TestClasses_Methods(t *testing.T) {
	root := packages(t, map[string]string{
		"a/trainer.py": "class Trainer(Base):\n    def __init__(\n        self, pair: tuple[int, int] = (1, 2), " +
			"last=None\n    ):\n        pass\n    async def play(self): pass\n",
	})
	want := map[string]string{"__init__": "self, pair: tuple[int, int] = (1, 2), last=None", "play": "self"}
	got := (&Classes{Root: root}).Methods("a.trainer.Trainer")
	for name, parameters := range got {
		got[name] = strings.TrimSpace(spaces.ReplaceAllString(parameters, " "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
}

func TestAccepts(t *testing.T) {
	for _, test := range []struct {
		annotation string
		value      any
		want       bool
	}{
		{"Optional[Literal['group', 'none']]", "group", true},
		{"Optional[Literal['group', 'none']]", "grup", false},
		{"Optional[Literal['group', 'none']]", nil, true},
		{"Literal[1, 2, 8, 'float8']", int64(8), true},
		{"Literal[1, 2, 8, 'float8']", int64(5), false},
		{"Literal[1, 2, 8, 'float8']", "8", false},
		{"bool | Literal['gaussian']", true, true},
		{"bool | Literal['gaussian']", "normal", false},
		{"Literal[True, 'auto']", true, true},
		{"Optional[List[str]]", "dapo", false},
		{"float", int64(1), true},
		{"SchedulerType | str", "linear", true},
	} {
		if got := accepts(test.annotation, test.value); got != test.want {
			t.Errorf("%s accepts %v: %v; want %v", test.annotation, test.value, got, test.want)
		}
	}
}
