package codeenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
	"github.com/awhost/awhost/sdk/sdktest"
)

// testEnvironment drives one environment over the protocol.
type testEnvironment struct {
	testing.TB
	sdk.Environment
	steps int
}

func newTestEnvironment(t testing.TB, config map[string]any) *testEnvironment {
	t.Helper()
	full := map[string]any{"warm": 0}
	for name, value := range config {
		full[name] = value
	}
	if full["sandbox"] == nil {
		if missing := sandbox.Probe().Missing; missing != "" {
			t.Skip("SKIPPED: no code was run in a sandbox: " + missing)
		}
	}
	return &testEnvironment{TB: t, Environment: sdktest.Environment(t, Plugin(), "code", full)}
}

func (d *testEnvironment) open(episode string, task string) {
	d.Helper()
	_, err := d.Open(
		d.Context(),
		sdk.OpenRequest{EpisodeID: episode, Task: sdk.Task{ID: "t", Public: json.RawMessage(task)}, Seed: 7},
	)
	if err != nil {
		d.Fatal(err)
	}
}

// call calls the tool and returns its result for the model.
func (d *testEnvironment) call(episode, code string, timeout ...float64) sdk.Message {
	d.Helper()
	arguments := map[string]any{"code": code}
	if len(timeout) > 0 {
		arguments["timeout"] = timeout[0]
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		d.Fatal(err)
	}
	return d.callWith(episode, "execute_python_code", string(text))
}

func (d *testEnvironment) callWith(episode, tool, arguments string) sdk.Message {
	d.Helper()
	d.steps++
	out, err := d.Step(
		d.Context(),
		sdk.StepRequest{EpisodeID: episode, StepID: fmt.Sprint("s", d.steps), Message: sdk.Message{
			Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "c", Name: tool, Arguments: arguments}},
		}},
	)
	if err != nil {
		d.Fatal(err)
	}
	if len(out.Messages) != 1 || out.Messages[0].ToolCallID != "c" || out.Messages[0].Role != sdk.RoleTool {
		d.Fatalf("%+v", out)
	}
	return out.Messages[0]
}

func (d *testEnvironment) close(episode string) map[string]float64 {
	d.Helper()
	out, err := d.Close(d.Context(), sdk.CloseRequest{EpisodeID: episode})
	if err != nil {
		d.Fatal(err)
	}
	return out.Metrics
}

// The results of calls for the model, verbatim.
func TestCall_SaysWhatBecameOfTheCode(t *testing.T) {
	d := newTestEnvironment(t, nil)
	d.open("e", `{}`)
	same, refused, hidden := "True", "ConnectionRefusedError", "FileNotFoundError"
	if !sandbox.Probe().Own { // landlock alone
		same, refused, hidden = "False", "PermissionError", "PermissionError"
	}
	for _, test := range []struct{ code, want string }{
		{"print(1 + 2)", "3"},
		{"17 * 3", "51"},
		{"x = 4", "(the code wrote nothing)"},
		{"x + 1", "5"},
		{"None", "(the code wrote nothing)"},
		{"print('a', end='')", "a"},
		{"import sys\nprint('out')\nprint('err', file=sys.stderr)", "out\nerr"},
		{
			"def f():\n    return 1 / 0\nprint('before')\nf()",
			"before\nTraceback (most recent call last):\n  File \"<code>\", line 4, in <module>\n    f()\n",
		},
		{"print(", "SyntaxError: "},
		{"input()", "EOFError: EOF when reading a line"},
		{"import sys; sys.exit(3)", "(the code ended with status 3)"},
		{"import os; os.system('echo from a shell'); os.getcwd()", "from a shell"},
		{"import os; os.getcwd() == '/work'", same},
		{"import sys; sys.stdout = None", "(the code wrote nothing)"},
		{"print('again')", "again"},
		{"print('é', chr(0xd800))", "surrogates not allowed"},
		{"import socket; socket.create_connection(('127.0.0.1', 9), 5)", refused},
		{"open('/etc/shadow')", hidden},
	} {
		if got := d.call(
			"e",
			test.code,
		).Content; got != test.want &&
			(len(test.want) < 12 || !strings.Contains(got, test.want)) {
			t.Errorf("%s\n%q, want %q", test.code, got, test.want)
		}
	}
	if got := d.call("e", "1/0"); !got.IsError || strings.Contains(got.Content, "worker") {
		t.Errorf("%+v", got)
	}
	long := d.call("e", "print('a' * 100000 + 'z')").Content
	if len(long) > 17<<10 || !strings.HasPrefix(long, "aaa") || !strings.HasSuffix(long, "z") ||
		!strings.Contains(long, "\n[...]\n") {
		t.Errorf("%d bytes", len(long))
	}
	for _, test := range []struct{ tool, arguments, want string }{
		{"python", "{}", "error: there is no tool python: call execute_python_code"},
		{"execute_python_code", `{"code": 1}`, "error: the arguments are not as they should be"},
		{"execute_python_code", `{}`, `error: "code" is missing`},
		{"execute_python_code", `{"code": "1", "timeout": -1}`, `error: "timeout" is a number of seconds above 0`},
	} {
		if got := d.callWith("e", test.tool, test.arguments); !got.IsError || !strings.HasPrefix(got.Content, test.want) {
			t.Errorf("%+v, want %q", got, test.want)
		}
	}
}

// ignoreTimeout is code that ignores the end of its time.
const ignoreTimeout = "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: time.sleep(1)"

// enough is a timeout in seconds in which code also begins on a busy machine.
const enough = 2

// Code that runs too long, uses too much or crashes loses at most its variables.
func TestCall_Limits(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"memory_bytes": 256 << 20, "processes": 8})
	d.open("e", `{}`)
	d.call("e", "kept = 1; open('file', 'w').write('kept')")
	for _, test := range []struct {
		code    string
		timeout float64
		want    string
		lost    bool
	}{
		{
			"print('half')\nwhile True: pass", enough,
			"half\nTimeoutError: The code execution exceeded the timeout of 2 seconds.", false,
		},
		{"x = bytearray(600 << 20)", 20, "MemoryError", false},
		{ignoreTimeout, enough, "it did not end when its time was up", true},
		{
			"import os, time\nfor _ in range(20):\n    if os.fork() == 0: os.execv('/bin/sleep', ['sleep', '600'])\n" +
				"time.sleep(600)",
			20, "more than processes (8)", true,
		},
		{"import ctypes; ctypes.string_at(0)", 20, "it was ended by a signal: segmentation fault", true},
		{"import os; os._exit(5)", 20, "it ended with status 5", true},
	} {
		got := d.call("e", test.code, test.timeout)
		if !got.IsError || !strings.Contains(got.Content, test.want) ||
			strings.Contains(got.Content, "variables are lost") != test.lost {
			t.Errorf("%s\n%q, want %q", test.code, got.Content, test.want)
		}
		kept := d.call("e", "print(globals().get('kept'), open('file').read())\nkept = 1").Content
		if want := map[bool]string{false: "1 kept", true: "None kept"}[test.lost]; kept != want {
			t.Errorf("%s\nafterwards %q, want %q", test.code, kept, want)
		}
	}
	metrics := d.close("e")
	if metrics[metricEnded] != 4 || metrics[metricLate] != 1 || metrics[metricFailed] != 1 || metrics[metricCalls] != 13 {
		t.Errorf("%v", metrics)
	}
}

func TestState_Fresh(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"state": "fresh", "format": "tags"})
	d.open("e", `{}`)
	for _, test := range []struct{ code, want string }{
		{"x = 1\nopen('f', 'w').write('y')\nprint(x)", "<returncode>0</returncode><stdout>1\n</stdout><stderr></stderr>"},
		{
			"print('x' in globals(), open('f').read())",
			"<returncode>0</returncode><stdout>False y\n</stdout><stderr></stderr>",
		},
		{
			"import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
			"<returncode>-11</returncode><stdout></stdout><stderr></stderr>",
		},
		{
			"import os, sys\nprint('x'); sys.stdout.flush()\nif os.fork() == 0: os.execv('/bin/sleep', ['sleep', '600'])",
			"<returncode>0</returncode><stdout>x\n</stdout><stderr></stderr>",
		},
	} {
		if got := d.call("e", test.code).Content; got != test.want {
			t.Errorf("%s\n%q, want %q", test.code, got, test.want)
		}
	}
	got := d.call(
		"e",
		"print('half', flush=True)\n"+ignoreTimeout,
		enough,
	).Content
	want := "<returncode>-1</returncode><stdout>half\n</stdout>" +
		"<stderr>TimeoutError: The code execution exceeded the timeout of 2 seconds.</stderr>"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Episodes have the files of the block and of their task, and rewards receive the files that the code leaves.
func TestFiles(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{
		"files": map[string]any{
			"a.txt":       "a",
			"lib/mine.py": "x = 5\n",
		},
		"files_column":  "attached",
		"collect":       []string{"*.txt", "out/*"},
		"collect_bytes": 100,
	})
	d.open("e", `{"attached": {"b.txt": "b"}}`)
	if got := d.call(
		"e",
		"from lib import mine\nprint(open('a.txt').read() + open('b.txt').read(), mine.x)",
	).Content; got != "ab 5" {
		t.Error(got)
	}
	d.call(
		"e",
		"import os\nos.mkdir('out')\nopen('out/r', 'w').write('result')\nopen('out/large', 'w').write('x' * 200)\n"+
			"os.symlink('/etc/passwd', 'stolen.txt')\nos.mkfifo('pipe.txt')",
	)
	raw, err := d.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), "e")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"calls":2,"calls_failed":0,"files":{"a.txt":"a","b.txt":"b","out/r":"result"},` +
		`"files_left_out":["out/large"]}`
	if string(raw) != want {
		t.Errorf("%s, want %s", raw, want)
	}
	for task, want := range map[string]string{
		`{"attached": {"../x": ""}}`:                `"../x" leads out of the working directory`,
		`{"attached": {"both": "", "both/x": "y"}}`: "begin an episode: write the file both",
	} {
		_, err = d.Open(
			t.Context(), sdk.OpenRequest{EpisodeID: "f", Task: sdk.Task{ID: "t", Public: json.RawMessage(task)}},
		)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
}

// Episodes share no state, and equal seeds draw equal numbers.
func TestEpisodes_AreApart(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"warm": 2, "imports": []string{"json", "decimal"}})
	var drawn [3]string
	var playing sync.WaitGroup
	for n := range drawn {
		d.open(fmt.Sprint(n), `{}`)
	}
	for n := range drawn {
		playing.Go(func() {
			e := &testEnvironment{TB: t, Environment: d.Environment, steps: 100 * n}
			name := fmt.Sprint(n)
			e.call(name, "mine = "+name+"; open('mine', 'w').write('"+name+"')")
			drawn[n] = e.call(
				name,
				"import os, random, sys\nprint(random.random(), hash('x'), sorted(os.listdir()), 'decimal' in sys.modules)",
			).Content
			if got := e.call(name, "print(mine, open('mine').read())").Content; got != name+" "+name {
				t.Errorf("episode %s finds %q", name, got)
			}
		})
	}
	playing.Wait()
	if drawn[0] != drawn[1] || drawn[1] != drawn[2] || !strings.HasSuffix(drawn[0], "['mine'] True") {
		t.Errorf("%q", drawn)
	}
	for n := range drawn {
		d.close(fmt.Sprint(n))
	}
}

// Without a sandbox everything works except for the isolation.
func TestWithoutASandbox(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"sandbox": "none", "memory_bytes": 256 << 20})
	d.open("e", `{}`)
	if got := d.call("e", "x = 2\nx * 21").Content; got != "42" {
		t.Error(got)
	}
	if got := d.call("e", "bytearray(600 << 20)").Content; !strings.Contains(got, "MemoryError") {
		t.Error(got)
	}
	if got := d.call("e", "import os; os._exit(5)").Content; !strings.Contains(got, "it ended with status 5") {
		t.Error(got)
	}
	d.close("e")
}

func TestConfiguration(t *testing.T) {
	for _, test := range []struct {
		config config
		want   string
	}{
		{config{Tool: "run code"}, "tool"},
		{config{Imports: []string{"os; evil"}}, "imports"},
		{config{Files: map[string]string{"../x": ""}}, "files"},
		{config{Collect: []string{"/etc/*"}}, "collect"},
		{config{Read: []string{"/"}}, "read"},
		{config{Sandbox: "none", Read: []string{"/opt"}}, "sandbox"},
	} {
		if got := test.config.check(); len(got) != 1 || got[0].Path[0] != test.want {
			t.Errorf("%+v, want %s", got, test.want)
		}
	}
	got := (&config{Sandbox: "none"}).describeSandbox()
	if !strings.Contains(got.Summary, "not enforced: processes, and") {
		t.Errorf("%+v", got)
	}
	raw := json.RawMessage(`{"python": "/no/such/python"}`)
	if got := probe(t.Context(), raw, sdk.ProbeAsk).Diagnostics; got[len(got)-1].Summary != "No such Python" {
		t.Errorf("%+v", got)
	}
	_, err := newEnvironment(t.Context(), sdk.Setup{
		Config: json.RawMessage(
			`{"sandbox": "none", "imports": ["no_such_module"], "timeout": "1s", "output_bytes": 100, "tool": "t"}`,
		),
		Dir: t.TempDir(),
		Log: sdk.NewLogger(os.Stderr),
	})
	if err == nil || !strings.Contains(err.Error(), "import no_such_module in ") ||
		!strings.Contains(err.Error(), "ModuleNotFoundError") {
		t.Error(err)
	}
}

// A stopped environment leaves neither processes nor folders. The leftovers of a killed one are removed at the next
// start, and leftovers of others are kept.
func TestStop(t *testing.T) {
	if missing := sandbox.Probe().Missing; missing != "" {
		t.Skip("SKIPPED: no code was run in a sandbox: " + missing)
	}
	dir := t.TempDir()
	folders := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "episodes", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	start := func() *environment {
		e, err := newEnvironment(t.Context(), sdk.Setup{
			Config: json.RawMessage(
				`{"timeout": "9s", "output_bytes": 100, "tool": "t", "warm": 1, "memory_bytes": 1000000000, ` +
					`"disk_bytes": 1000000000, "processes": 9}`,
			),
			Dir: dir,
			Log: sdk.NewLogger(os.Stderr),
		})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	killed := filepath.Join(dir, "episodes", "1", "work", "a")
	if err := errors.Join(os.MkdirAll(killed, 0o755), os.Chmod(filepath.Dir(killed), 0)); err != nil {
		t.Fatal(err)
	}
	e := start()
	mine := folders()
	if slices.Contains(mine, filepath.Join(dir, "episodes", "1")) {
		t.Error("what was left by one that was killed is there")
	}
	other := start()
	if now := folders(); len(mine) == 0 || !slices.Contains(now, mine[0]) {
		t.Errorf("one that lives has lost its folder: from %q to %q", mine, now)
	}
	if err := other.Stop(t.Context(), func(string) {}); err != nil {
		t.Error(err)
	}
	if _, err := e.Open(
		t.Context(),
		sdk.OpenRequest{EpisodeID: "e", Task: sdk.Task{ID: "t", Public: json.RawMessage(`{}`)}},
	); err != nil {
		t.Fatal(err)
	}
	if err := e.Stop(t.Context(), func(string) {}); err != nil {
		t.Error(err)
	}
	if left := folders(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// kill returns code that sends a signal to the interpreter, or to the process that it is a copy of.
func kill(whose, signal string) string {
	return "import os, signal, time\nos.kill(os." + whose + "(), signal." + signal + ")\ntime.sleep(60)"
}

// stepKill plays a call that ends the interpreter in a new episode, and returns the failure of the attempt.
func (d *testEnvironment) stepKill(episode, task, code string) (content string, failure *sdk.Failure) {
	d.Helper()
	_, err := d.Open(d.Context(), sdk.OpenRequest{EpisodeID: episode, Task: sdk.Task{ID: task, Public: []byte("{}")}})
	if err != nil {
		d.Fatal(err)
	}
	defer d.close(episode)
	arguments, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		d.Fatal(err)
	}
	out, err := d.Step(d.Context(), sdk.StepRequest{EpisodeID: episode, StepID: "s", Message: sdk.Message{
		Role:      sdk.RoleAssistant,
		ToolCalls: []sdk.ToolCall{{ID: "c", Name: "execute_python_code", Arguments: string(arguments)}},
	}})
	if err != nil {
		if !errors.As(err, &failure) {
			d.Fatal(err)
		}
		return "", failure
	}
	return out.Messages[0].Content, nil
}

// An external kill is a failure of the infrastructure once per task, in any episode. The next kill at the task, and
// every signal raised by a fault of the code, counts as the code's own end.
func TestKill_IsTheInfrastructuresOnce(t *testing.T) {
	for state, wants := range map[string]map[string]string{
		"kept": {
			"SIGKILL": "a signal: killed", "SIGTERM": "a signal: terminated",
			"SIGSEGV": "a signal: segmentation fault",
			"SIGABRT": "a signal: aborted", "SIGBUS": "a signal: bus error",
		},
		"fresh": {"SIGKILL": "status -9)", "SIGTERM": "status -15)", "SIGSEGV": "status -11)", "SIGBUS": "status -7)"},
	} {
		d := newTestEnvironment(t, map[string]any{"state": state})
		for signal, want := range wants {
			code := kill("getpid", signal)
			if signal == "SIGKILL" || signal == "SIGTERM" {
				_, failure := d.stepKill("first "+signal, "task "+signal, code)
				if failure == nil || failure.Class != sdk.FailureInfrastructure {
					t.Errorf("%s, %s, the first time: %v", state, signal, failure)
				}
			}
			got, failure := d.stepKill("second "+signal, "task "+signal, code)
			if failure != nil || !strings.Contains(got, want) {
				t.Errorf("%s, %s: %q, %v, want %q", state, signal, got, failure, want)
			}
		}
	}
	d := newTestEnvironment(t, nil)
	for n, code := range []string{kill("getppid", "SIGKILL"), kill("getppid", "SIGKILL"), "pass"} {
		_, failure := d.stepKill(fmt.Sprint(n), "t", code)
		if first := n == 0; first != (failure != nil) || first && failure.Class != sdk.FailureInfrastructure {
			t.Errorf("kill %d of the server: %v", n+1, failure)
		}
	}
}

// An interpreter ended by awhost itself does not count as killed externally.
func TestKill_IsNotAwhosts(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"memory_bytes": 256 << 20, "timeout": "1s"})
	for name, code := range map[string]string{
		"a limit": "import os, time\nfor _ in range(9):\n    if os.fork() == 0: held = b'x' * (99 << 20); time.sleep(99)\n" +
			"os.wait()",
		"time":  ignoreTimeout,
		"pipes": "import os\nos.closerange(3, 99)\nwhile True: pass",
	} {
		if got, failure := d.stepKill(name, name, code); failure != nil {
			t.Errorf("%s: %q, %v", name, got, failure)
		}
	}
}

// Processes that an episode leaves behind do not change the collected files.
func TestFiles_AreCollectedWhenNothingRuns(t *testing.T) {
	for _, config := range []map[string]any{nil, {"sandbox": "none"}, {"imports": []string{"threading"}}} {
		full := map[string]any{"collect": []string{"*"}}
		for name, value := range config {
			full[name] = value
		}
		d := newTestEnvironment(t, full)
		for n := range 3 {
			name := fmt.Sprint(n)
			d.open(name, `{}`)
			d.call(name, `
import os, time
if os.fork() == 0:
    count = os.open("count", os.O_CREAT | os.O_RDWR)
    for n in range(1 << 62): os.pwrite(count, b"%020d" % n, 0)
while not os.path.exists("count"): time.sleep(0.001)
`)
			first := d.snapshot(name)
			if again := d.snapshot(name); again != first {
				t.Errorf("%v: the files have changed from %s to %s", config, first, again)
			}
			if got := d.call(name, "print(6 * 7)").Content; got != "42" {
				t.Errorf("%v: a call afterwards: %q", config, got)
			}
			d.close(name)
		}
	}
}

func (d *testEnvironment) snapshot(episode string) string {
	d.Helper()
	raw, err := d.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(d.Context(), episode)
	if err != nil {
		d.Fatal(err)
	}
	return string(raw)
}

// Code that forges its answer, or writes very many files, does not exceed the limits of the output.
func TestOutput_IsBounded(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"output_bytes": 100, "collect": []string{"*"}})
	d.open("e", `{}`)
	for number := 3; number < 20; number++ { // one of these is the pipe of the answers
		got := d.call("e", fmt.Sprintf(`
import json, os
answer = json.dumps({"status": 0, "stdout": "a" * 999 + "z", "stderr": "", "cut": False}) + "\n"
try: os.write(%d, answer.encode())
except OSError: pass
`, number)).Content
		if len(got) > 107 {
			t.Errorf("%d bytes are shown: %q", len(got), got)
		}
	}
	d.call("e", "for n in range(3000): open('file%d' % n, 'w').close()")
	d.call("e", "for n in range(3000): open('other%d' % n, 'w').close()")
	var seen state
	if err := json.Unmarshal([]byte(d.snapshot("e")), &seen); err != nil {
		t.Fatal(err)
	}
	if len(seen.Files) != 1000 || !slices.Equal(seen.FilesLeftOut, []string{"more files"}) {
		t.Errorf("%d files, and %q", len(seen.Files), seen.FilesLeftOut)
	}
}

// An episode whose files prevent any interpreter from starting is scored: its calls fail, and its state is read.
func TestFiles_CannotBreakTheEnvironment(t *testing.T) {
	if !sandbox.Probe().Own {
		t.Skip("SKIPPED: the sandbox does not notice deep folders at the start of an interpreter")
	}
	for name, code := range map[string]string{
		"too much": "for n in range(4): open('file%d' % n, 'wb').write(bytes(20 << 20))",
		"too deep": "import os\nfor _ in range(2400): os.mkdir('d'); os.chdir('d')",
	} {
		d := newTestEnvironment(t, map[string]any{"disk_bytes": 32 << 20, "collect": []string{"*"}})
		d.open("e", `{}`)
		d.call("e", code+"\nwhile True: pass")
		for range 2 {
			d.call("e", "while True: pass") // it may start before the sandbox has checked the files
		}
		d.snapshot("e")
		if got := d.close("e"); got[metricEnded] != 3 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The state fits into its message for any names and contents of files, and only folders that a pattern can match are
// read.
func TestFiles_StateFitsItsMessage(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"collect": []string{"*", "out/*"}, "collect_bytes": 100})
	d.open("e", `{}`)
	d.call("e", `
import os
for name, text in {"a": "\1" * 16, "b": "\1" * 17, b"n\xff": "x", b"n\xfe": "x"}.items(): open(name, "w").write(text)
os.makedirs("out/deep"); open("out/c", "w").write("c"); open("out/deep/d", "w").write("d")
os.chmod(".", 0)
`)
	var seen state
	if err := json.Unmarshal([]byte(d.snapshot("e")), &seen); err != nil {
		t.Fatal(err)
	}
	if len(seen.Files) != 2 || seen.Files["a"] != strings.Repeat("\x01", 16) || seen.Files["out/c"] != "c" ||
		!slices.Equal(seen.FilesLeftOut, []string{"b", "n\ufffd", "n\ufffd"}) {
		t.Errorf("%+v", seen)
	}
}
