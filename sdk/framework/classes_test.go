package framework

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// distributions are two made-up ones. A class of the first has a base in the second, which exports it lazily.
var distributions = map[string]string{
	"made/config.py": `
from __future__ import annotations
from lazy import Arguments as Base
from .sections import (
    One,
    Two as Second,
)

class Config(One, Second, Base):
    own: "int | None" = None
    shared: ClassVar[int] = 1
`,
	"made/sections/__init__.py": "from .one import One\n",
	"made/sections/one.py":      "class One(object):\n    first: Literal['x', 'y'] = 'x'  # (\n    both: str = ''\n",
	"made/sections/two.py":      "from ..base import Deep\nclass Two(Deep):\n    both: int = 0\n",
	"made/base.py":              "class Deep:\n    deep: bool = field(default=True, metadata={'help': 'a: b'})\n",
	"made/trainer.py": `
class Trainer(Base):
    def __init__(
        self, pair: tuple[int, int] = (1, 2), *, last=None
    ): pass
    async def play(self): pass
`,
	"lazy/arguments.py": `
class Arguments:
    rate: float = 0.1
    deep: str = field(default_factory=str)
    kind: Optional[Literal["group", "none"]] = None
    bits: Literal[1, 2, 8, "float8"] = 8
    weights: bool | Literal["gaussian"] = True
    width: Literal[1] | int = 1
    auto: Literal[True, "auto"] = True
    names: Optional[List[str]] = None
    scheduler: SchedulerType | str = "linear"
`,
}

func TestClasses_InheritAcrossDistributions(t *testing.T) {
	f, installed := made(t)
	var all Classes
	for _, question := range []Question{
		{Classes: []string{"made.config.Config"}, Methods: []string{"made.trainer.Trainer"}},
		{Classes: []string{"lazy.arguments.Arguments"}},
	} {
		f.Question = question
		c, err := f.Configure(t.Context(), installed, Release{1, 5, 0})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	schema, err := all.Schema("made.config.Config")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for key := range schema.places {
		got[key] = schema.At(key).Annotation
	}
	want := map[string]string{
		"own": "int | None", "first": "Literal['x', 'y']", "both": "str", "deep": "bool", "rate": "float",
		"kind": "Optional[Literal['group', 'none']]", "bits": "Literal[1, 2, 8, 'float8']",
		"weights": "bool | Literal['gaussian']", "width": "Literal[1] | int", "auto": "Literal[True, 'auto']",
		"names": "Optional[List[str]]", "scheduler": "SchedulerType | str",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if schema.Guessed || schema.At("deep").Default != true || schema.At("rate").Default != 0.1 {
		t.Errorf("the schema is guessed (%v), or has other defaults: %+v", schema.Guessed, schema.places)
	}
	methods := map[string][]string{"__init__": {"self", "pair", "last"}, "play": {"self"}}
	if diff := cmp.Diff(methods, all.Methods("made.trainer.Trainer")); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
	if _, ok := all[0].Files[filepath.Join("lazy", "arguments.py")]; ok || len(all[0].Files) != 5 {
		t.Errorf("made consists of %v", all[0].Files)
	}
	for _, test := range []struct {
		key   string
		value any
		want  bool
	}{
		{"kind", "group", true}, {"kind", "grup", false}, {"kind", nil, true},
		{"bits", int64(8), true}, {"bits", int64(5), false}, {"bits", "8", false}, {"bits", []any{}, false},
		{"weights", true, true}, {"weights", "gaussian", true}, {"weights", "normal", false},
		{"width", int64(5), true}, {"auto", true, true}, {"auto", false, false},
		{"names", "dapo", false}, {"names", []any{"a"}, true}, {"rate", int64(1), true}, {"scheduler", "linear", true},
	} {
		if got := schema.At(test.key).Accepts(test.value); got != test.want {
			t.Errorf("%s accepts %v: %v; want %v", test.key, test.value, got, test.want)
		}
	}
	all[1].Guessed = true
	if s, err := all.Schema("made.config.Config"); err != nil || !s.Guessed {
		t.Errorf("a base is guessed, and the schema is not: %v", err)
	}
}
