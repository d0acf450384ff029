package codeenv

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/tools/txtar"
)

// plain runs a program as AgentScope's tool does, with python3 -u in an empty folder, and returns the tool's answer.
func plain(t *testing.T, code string) string {
	t.Helper()
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "main.py")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-u", file)
	c.Dir = folder
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "PYTHONUTF8=1", "PYTHONHASHSEED=0", "LANG=C.UTF-8", "TZ=UTC",
	}
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	status := 0
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatal(err)
		}
		ended := exit.Sys().(syscall.WaitStatus)
		if status = ended.ExitStatus(); ended.Signaled() {
			status = -int(ended.Signal())
		}
	}
	s := session{config: &config{Format: formatTags}}
	said := s.formatResult(outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}, request{})
	return strings.ReplaceAll(said, file, "<code>")
}

// varying matches parts that differ between two runs of a program: durations, the path of the file, and the note
// about an interpreter that the program has ended.
var varying = regexp.MustCompile(`\d\.\d\d\ds|/program/main\.py|\n?The interpreter was ended: [^<]*`)

func mask(found string) string {
	switch {
	case strings.HasSuffix(found, "s"):
		return "0s"
	case strings.HasPrefix(found, "/"):
		return "<code>"
	}
	return ""
}

// different lists programs that differ by design if variables are kept: their objects outlast the call.
var different = map[string]bool{"kept/del-at-exit": true}

// Programs behave in both states as they do with python3 and AgentScope's tool: the same output and status.
func TestPrograms(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/programs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]string{}
	for _, state := range []string{stateKept, stateFresh} {
		d := newTestEnvironment(t, map[string]any{
			"state": state, "format": formatTags, "show_value": false, "output_bytes": 1 << 20,
		})
		for _, program := range archive.Files {
			t.Run(state+"/"+program.Name, func(t *testing.T) {
				d.open(program.Name, `{}`)
				got := varying.ReplaceAllStringFunc(d.call(program.Name, string(program.Data)).Content, mask)
				d.close(program.Name)
				if _, known := expected[program.Name]; !known {
					expected[program.Name] = varying.ReplaceAllStringFunc(plain(t, string(program.Data)), mask)
				}
				want := expected[program.Name]
				if got != want && !different[state+"/"+program.Name] {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// Processes, closed streams and handlers left by a call do not change the output of the next call, which still has
// the variables.
func TestPrograms_ShareVariables(t *testing.T) {
	d := newTestEnvironment(t, nil)
	d.open("e", `{}`)
	for _, test := range []struct{ code, want string }{
		{"import os\nx = 1\nif os.fork() == 0: x = 2\nelse: os.wait()\nprint(x)", "2\n1"},
		{"x", "1"},
		{"class C:\n    x = 1\nimport pickle\nsaved = pickle.dumps(C())", "(the code wrote nothing)"},
		{"pickle.loads(saved).x, C.__module__", "(1, '__main__')"},
		{
			"import threading, time\nstop = threading.Event()\ndef late():\n    stop.wait()\n    print('late')\n" +
				"t = threading.Thread(target=late, daemon=True)\nt.start()",
			"(the code wrote nothing)",
		},
		{"stop.set(); t.join(); print('now')", "late\nnow"},
		{"from concurrent.futures import *\npool = ThreadPoolExecutor(1)\npool.submit(print, 'pooled').result()", "pooled"},
		{"pool.submit(print, 'again').result()", "again"},
		{"many = ProcessPoolExecutor(1)\nmany.submit(pow, 2, 3).result()", "8"},
		{"many.submit(pow, 2, 4).result()", "16"},
		{"import atexit\natexit.register(print, 'exit') and None", "exit"},
		{"import os, sys\nsys.stdout.close(); os.close(1); os.close(2); exit()", "(the code wrote nothing)"},
		{"print('out'); print('err', file=sys.stderr); os.system('echo shell')", "out\nshell\n0\nerr"},
		{"f = open('unclosed', 'w'); f.write('data') and None", "(the code wrote nothing)"},
		{"open('unclosed').read()", "'data'"},
		{"import signal\nsignal.signal(signal.SIGALRM, print) and None", "(the code wrote nothing)"},
		{"import warnings\nwarnings.warn('w')", "<code>:2: UserWarning: w\n  warnings.warn('w')"},
		{"import warnings\nwarnings.warn('w')", "<code>:2: UserWarning: w\n  warnings.warn('w')"},
		{
			"print('written'); os._exit(5)",
			"written\nThe interpreter was ended: it ended with status 5. Its variables are lost, its files are not.",
		},
	} {
		if got := d.call("e", test.code).Content; got != test.want {
			t.Errorf("%s\n%q, want %q", test.code, got, test.want)
		}
	}
}

// Output that a daemon thread writes between two calls does not appear in the second one.
func TestPrograms_OutputBetweenCalls(t *testing.T) {
	d := newTestEnvironment(t, nil)
	d.open("e", `{}`)
	// The thread may be suspended between its look at the timer and its output. Only a line for which it found the same
	// gap before and after counts.
	d.call("e", `
import signal, threading, time
calls, gap = 0, ''
def between():
    global gap
    for n in range(1_000_000):
        while signal.getitimer(signal.ITIMER_REAL)[0]: time.sleep(0.001)  # the time limit of a call
        before = calls
        print('between', n)
        if calls == before and not signal.getitimer(signal.ITIMER_REAL)[0]:
            gap = f'between {n}'
            return
threading.Thread(target=between, daemon=True).start()`)
	// Each call leaves a gap in which the thread may write. Output at the end of a call belongs to that call.
	var shown []string
	for range 100_000 {
		got := d.call("e", "calls += 1; print('next', gap)").Content
		lead, rest, _ := strings.Cut("\n"+got, "\nnext ")
		shown = append(shown, strings.Split(lead, "\n")...)
		if gap, _, _ := strings.Cut(rest, "\n"); gap != "" {
			if slices.Contains(shown, gap) {
				t.Errorf("a call shows the output %q of a thread between calls", gap)
			}
			return
		}
	}
	t.Error("the thread found no gap between calls")
}
