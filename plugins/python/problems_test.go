package pythonplugin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// problems lists common mistakes in a file, each with its one diagnostic. The last column reports whether the text
// alone shows the mistake, so that plan must report it, too.
var problems = map[string]struct {
	files   map[string]string
	config  map[string]any
	path    string
	summary string
	detail  []string
	plan    bool
}{
	"no file": {
		files: map[string]string{"other.py": ""}, path: "file", summary: "No such file",
		detail: []string{"rewards.py does not exist. Its folder has other.py."}, plan: true,
	},
	"a directory": {files: map[string]string{"rewards.py/x": ""}, path: "file", summary: "Not a file",
		detail: []string{"name a Python file"}, plan: true},
	"a syntax error": {
		files: map[string]string{"rewards.py": "x = 1\ndef score(final_answer):\n    return 1 +\n"}, path: "file",
		summary: "Syntax error in Python",
		detail:  []string{`rewards.py", line 3`, "    return 1 +", "^", "SyntaxError: invalid syntax"}, plan: true,
	},
	"a NUL byte": {files: map[string]string{"rewards.py": "x = '\x00'"}, path: "file", summary: "Syntax error in Python",
		plan: true},
	"a syntax error next door": {
		files: map[string]string{"rewards.py": "import helper\ndef score(): pass", "helper.py": "def f(:"}, path: "file",
		summary: "Syntax error in Python",
		detail:  []string{`helper.py", line 1`, "^"},
	},
	"a missing module": {
		files: map[string]string{"rewards.py": "import os\nfrom aworld.logs.util import logger\ndef score(): pass"},
		path:  "file", summary: "Missing Python module",
		detail: []string{"module aworld.logs.util is not installed in /",
			": install it there, or point `python` at the right environment.",
			"rewards.py:2: from aworld.logs.util import logger", "python3 on PATH"},
	},
	"a missing module next door": {
		files: map[string]string{"rewards.py": "import helper\ndef score(): pass", "helper.py": "import nonesuch.deep"},
		path:  "file", summary: "Missing Python module",
		detail: []string{"module nonesuch", "rewards.py:1: import helper"},
	},
	"a relative import": {
		files: map[string]string{"rewards.py": "from .helper import x\ndef score(): pass", "helper.py": "x = 1"},
		path:  "file", summary: "Relative import",
		detail: []string{"import its neighbours by their names"},
	},
	"an import that raises": {
		files: map[string]string{"rewards.py": "def f():\n    raise OSError('no disk')\nf()\ndef score(): pass"},
		path:  "file", summary: "The file cannot be imported: OSError: no disk",
		detail: []string{"Traceback", `rewards.py", line 3, in <module>`, `rewards.py", line 2, in f`},
	},
	"an import that exits": {
		files: map[string]string{"rewards.py": "import sys\ndef score(): pass\nsys.exit(0)"}, path: "file",
		summary: "The file ends Python when it is imported",
		detail:  []string{`if __name__ == "__main__"`},
	},
	"an import that kills": {
		files: map[string]string{"rewards.py": "import os\ndef score(): pass\nos._exit(3)"}, path: "file",
		summary: "The file cannot be loaded",
		detail:  []string{"exited with status 3"},
	},
	"a missing name": {
		files: map[string]string{"rewards.py": "from os import path\ndef scor(): pass\ndef other(): pass\nclass Judge: pass"},
		path:  "name", summary: "No such name in the file",
		detail: []string{"rewards.py has no score. Did you mean scor? It defines Judge, other, scor."}, plan: true,
	},
	"nothing to call": {
		files: map[string]string{"rewards.py": "x = 1"}, path: "name", summary: "No such name in the file",
		detail: []string{"It defines nothing that can be called."}, plan: true,
	},
	"a missing method": {
		files:  map[string]string{"rewards.py": "class Judge:\n    def score(self): pass"},
		config: map[string]any{"name": "Judge.scor"}, path: "name", summary: "No such name in the file",
		detail: []string{"has no scor. Did you mean score?"},
	},
	"not a function": {files: map[string]string{"rewards.py": "score = 1.0"}, path: "name", summary: "Not a function",
		detail: []string{"score is of type float"}},
	"not a class": {
		files: map[string]string{"rewards.py": "class score: pass"}, path: "name", summary: "Not a function",
		detail: []string{"a class without __call__"},
	},
	"a class that cannot be made": {
		files: map[string]string{"rewards.py": "class score:\n    def __init__(self): raise ValueError('no key')\n    def __call__(self): pass"}, path: "name",
		summary: "The object cannot be created: ValueError: no key", detail: []string{"Traceback"},
	},
	"a class that wants more": {
		files: map[string]string{"rewards.py": "class score:\n    def __init__(self, scale): pass\n    def __call__(self): pass"}, path: "name",
		summary: "Parameter that awhost does not know", detail: []string{"score wants scale"},
	},
	"an unknown parameter": {
		files:   map[string]string{"rewards.py": "def score(solution_str, groundtruth, *, scale, answer, other=1): pass"},
		path:    "name",
		summary: "Parameter that awhost does not know",
		detail: []string{"score wants answer, groundtruth, scale, which awhost has not. For groundtruth, did you mean " +
			"ground_truth?", "For answer, did you mean ground_truth?", "`task` has the columns of the data.",
			"Give it a default, set it in `arguments`", "turn_rewards"}, plan: true,
	},
	"the state of python_state": {
		files: map[string]string{"rewards.py": "def score(environment_state): pass"}, path: "name",
		summary: "Parameter that awhost does not know",
		detail:  []string{"score wants environment_state"}, plan: true,
	},
	"an argument too many": {
		files:  map[string]string{"rewards.py": "def score(final_answer): pass"},
		config: map[string]any{"arguments": map[string]any{"scale": 1}}, path: "arguments",
		summary: "Unused argument", detail: []string{"score has no parameter scale"}, plan: true,
	},
	"no such Python": {
		files: map[string]string{"rewards.py": "def score(): pass"}, config: map[string]any{"python": "/nonexistent/python3"},
		path: "python", summary: "No such Python",
		detail: []string{"does not exist", "Write the full path of a program on PATH: /"}, plan: true,
	},
	"a Python that is a directory": {
		files: map[string]string{"rewards.py": "def score(): pass"}, config: map[string]any{"python": "/"}, path: "python",
		summary: "Python is a directory", plan: true,
	},
	"not a Python": {
		files: map[string]string{"rewards.py": "def score(): pass"}, config: map[string]any{"python": "/bin/false"},
		path: "python", summary: "Python does not start",
		detail: []string{"exited with status 1", "/bin/false (set by python)"},
	},
	"no time": {files: map[string]string{"rewards.py": "def score(): pass"},
		config: map[string]any{"timeout": "0s"}, path: "timeout", summary: "Invalid timeout", plan: true},
	"a reserved name": {files: map[string]string{"rewards.py": "def score(): pass"},
		config: map[string]any{"components": []string{"score"}}, path: "components", summary: "Reserved name", plan: true},
}

func TestProblems_OneDiagnosticEach(t *testing.T) {
	t.Parallel()
	for name, c := range problems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := refused(t, c.files, c.config)
			if strings.Join(got.Path, ".") != c.path || got.Summary != c.summary {
				t.Errorf("got %q at %q, want %q at %q:\n%s", got.Summary, got.Path, c.summary, c.path, got.Detail)
			}
			expect(t, "detail", got.Detail, c.detail...)
		})
	}
}

// plan must report the mistakes that the file's text shows, and no others.
func TestProblems_AtPlanTime(t *testing.T) {
	t.Parallel()
	needPython(t)
	for name, c := range problems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := validated(t, write(t, c.files), c.config)
			switch {
			case !c.plan && len(got) > 0:
				t.Errorf("plan says %+v", got)
			case c.plan && (len(got) != 1 || got[0].Summary != c.summary || strings.Join(got[0].Path, ".") != c.path):
				t.Errorf("plan says %+v, want %q at %q", got, c.summary, c.path)
			case c.plan:
				expect(t, "detail", got[0].Detail, c.detail...)
			}
		})
	}
}

// validated returns plan's diagnostics for rewards.py in a directory.
func validated(t *testing.T, dir string, config map[string]any) []sdk.Diagnostic {
	t.Helper()
	full := map[string]any{"file": filepath.Join(dir, "rewards.py"), "name": "score", "venv": filepath.Join(dir, ".venv")}
	for name, value := range config {
		full[name] = value
	}
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	component := Plugin().Rewards[0]
	if text, err = component.Schema.Complete(text); err != nil {
		t.Fatal(err)
	}
	return component.Validate(t.Context(), text)
}

// plan must accept code that it cannot analyze and leave it to apply.
func TestValidate_DoubtsNothingThatMayBeRight(t *testing.T) {
	t.Parallel()
	needPython(t)
	for _, code := range []string{
		"from helper import *", "globals()['score'] = print", "def __getattr__(name): return print", "import helper as score",
		"from helper import f as score",
		"try:\n    score\nexcept NameError:\n    def score(): pass", "score = lambda: 1", "for score in [print]: pass",
		"with open('x') as score: pass",
		"import functools\n@functools.cache\ndef score(whatever): pass", "def score(whatever): pass\nscore = print",
		"if True:\n    def score(whatever): pass",
		"def score(a, /, b=1, *c, d=2, **e): pass\ndef score(): pass", "class score:\n    def __call__(self, whatever): pass",
	} {
		if got := validated(t, write(t, map[string]string{"rewards.py": code}), nil); len(got) > 0 {
			t.Errorf("%q: plan says %+v", code, got)
		}
	}
}

// validate and plan must not run anything from an untrusted spec: not the file, not its modules, and not the Python
// next to it.
func TestValidate_RunsNothing(t *testing.T) {
	needPython(t)
	dir := t.TempDir()
	mark := filepath.Join(dir, "ran")
	touch := "open(" + "'" + mark + "'" + ", 'w').close()\n"
	shell := "#!/bin/sh\ntouch '" + mark + "'\nexit 1\n"
	for name, text := range map[string]string{
		"rewards.py": touch + "import helper, json\ndef score(whatever): pass", "helper.py": touch, "json.py": touch,
		"ast.py": touch, "sitecustomize.py": touch,
		".venv/bin/python": shell, ".venv/pyvenv.cfg": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	if got := validated(t, dir, nil); len(got) > 0 { // the Python comes from the spec: it is not started
		t.Errorf("%+v", got)
	}
	if got := validated(t, dir, map[string]any{"venv": filepath.Join(dir, "none")}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("something was run")
	}
}

// The virtual environment next to the spec must be preferred to the shell's, and both to the Python on PATH.
func TestFind_TakesTheNearest(t *testing.T) {
	needPython(t)
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	venv := func(name string) string {
		path := filepath.Join(dir, name, "bin", "python")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(system, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "active"))
	target := target{Venv: filepath.Join(dir, ".venv")}
	for _, step := range []struct {
		do   func() string
		why  string
		mine bool
	}{
		{func() string { return system }, "python3 on PATH", true},
		{func() string { return venv("active") }, "VIRTUAL_ENV", true},
		{func() string { return venv(".venv") }, "virtual environment next to the spec", false},
		{func() string { target.Python = system; return system }, "set by python", false},
	} {
		want := step.do()
		got, problem := target.find()
		if problem != nil || got.path != want || !strings.Contains(got.why, step.why) || got.own != step.mine {
			t.Errorf("%+v %v, want %s by %s", got, problem, want, step.why)
		}
	}
	broken := filepath.Join(dir, "broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "pyvenv.cfg"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	target.Python, target.Venv = "", broken
	if _, problem := target.find(); problem == nil || problem.Path[0] != "venv" {
		t.Errorf("a broken virtual environment: %+v", problem)
	}
}
