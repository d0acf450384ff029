package commandplugin

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

// alive reports whether the process is running whose id is in a file.
func alive(t *testing.T, file string) bool {
	t.Helper()
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strings.TrimSpace(string(pid))).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

// Whatever a program does, its episode ends, and none of its processes remain.
func TestAgent_ProgramsThatMisbehave(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what has left its group is found on Linux only")
	}
	pids := t.TempDir()
	all := map[string]any{"diff": true, "collect": []string{"*"}}
	for name, test := range map[string]struct {
		script string
		config map[string]any
		fails  string // empty: success
		left   string // the file with the id of a process that must have ended
	}{
		"it leaves a daemon that holds its output": {
			script: "setsid sh -c 'echo $$ >" + pids + "/daemon; exec sleep 600' & while [ ! -s " + pids + "/daemon ]; do :; " +
				"done; echo 3", left: "daemon",
		},
		"it leaves a child in the background": {
			script: "sh -c 'echo $$ >" + pids + "/child; exec sleep 600' & while [ ! -s " + pids + "/child ]; do :; done; " +
				"echo 3", left: "child",
		},
		"it never ends, and does not end when it is asked to": {
			script: "trap '' TERM INT; echo $$ >" + pids + "/deaf; while :; do sleep 1; " +
				"done", config: map[string]any{"timeout": "1s"},
			fails: "sh: it ran for longer than timeout (1s)", left: "deaf",
		},
		"it writes without end on standard output": {
			script: "echo $$ >" + pids + "/out; exec cat /dev/zero", config: map[string]any{"output_bytes": 1 << 20},
			fails: "more than output_bytes (1048576) on standard output", left: "out",
		},
		"it writes without end on standard error": {
			script: "echo $$ >" + pids + "/err; exec yes >&2", config: map[string]any{"output_bytes": 1 << 20},
			fails: "more than output_bytes (1048576) on standard error", left: "err",
		},
		"it does not read what it is " +
			"asked": {script: "exec true", config: map[string]any{"files": map[string]any{"x": "{{prompt}}"}}},
		"it closes its output and continues": {
			script: "echo $$ >" + pids + "/closed; exec >&- 2>&-; exec sleep 600",
			config: map[string]any{"timeout": "1s"}, fails: "longer than timeout", left: "closed",
		},
		"it removes its " +
			"folders": {script: `rm -rf "$HOME" "$PWD" "$TMPDIR"; echo 3`, config: all},
		"it takes the rights of its " +
			"folders": {script: `mkdir a; touch a/b; chmod 0 a "$HOME" .; echo 3`, config: all},
		"it makes pipes and " +
			"loops": {script: `mkfifo p; ln -s . loop; ln -s nowhere lost; echo 3`, config: all},
		"its answer is a " +
			"pipe": {script: "mkfifo answer", config: map[string]any{"result": "file", "result_file": "answer"}},
		"its answer belongs to another process": {
			script: "ln -s /etc/passwd answer", config: map[string]any{"result": "file", "result_file": "answer"},
		},
		"it takes much memory": {
			script: "echo $$ >" + pids + "/memory; exec python3 -c 'x = bytearray(300 << 20); import time; time.sleep(600)'",
			config: map[string]any{"memory_bytes": 200 << 20}, fails: "more than memory_bytes (209715200)", left: "memory",
		},
		"it starts many processes": {
			script: "echo $$ >" + pids + "/many; for i in 1 2 3 4 5 6 7 8; do setsid sleep 600 & done; wait",
			config: map[string]any{"processes": 5}, fails: "more than processes (5)", left: "many",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, directory := shell(t, test.script, test.config)
			request := newRequest()
			request.Messages[1].Content = strings.Repeat("a long question ", 1<<16) // more than a pipe can hold
			out, err := a.Run(t.Context(), request, nil, nil)
			var failure *sdk.Failure
			switch {
			case test.fails == "" && err != nil:
				t.Error(err)
			case test.fails == "" && out.FinalAnswer != nil && strings.Contains(*out.FinalAnswer, "root:"):
				t.Error("the answer is a file outside of its folder")
			case test.fails != "" && (!errors.As(err, &failure) || failure.Class != sdk.FailureAgent ||
				!strings.Contains(failure.Detail, test.fails)):
				t.Errorf("%+v, %v; want a failure of the agent: %s", out, err, test.fails)
			}
			if test.left != "" && alive(t, filepath.Join(pids, test.left)) {
				t.Error("it lives on")
			}
			if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// A host that gives the episode up, for example because its lease has failed for good, ends the program with all its
// processes: a child in its group, and one that has left it.
func TestAgent_EndsWithItsEpisode(t *testing.T) {
	pids := t.TempDir()
	started := []string{"child", "program"}
	script := "sh -c 'echo $$ >" + pids + "/child; trap \"\" TERM; exec sleep 600' & "
	if runtime.GOOS == "linux" { // processes outside of the group are found only there
		started = append(started, "daemon")
		script += "setsid sh -c 'echo $$ >" + pids + "/daemon; trap \"\" TERM; exec sleep 600' & "
	}
	a, directory := shell(t, script+"echo $$ >"+pids+"/program; trap '' TERM; wait", nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := a.Run(ctx, newRequest(), nil, nil)
		ended <- err
	}()
	for _, name := range started {
		for text, err := os.ReadFile(filepath.Join(pids, name)); err != nil || len(text) < 2; {
			time.Sleep(time.Millisecond)
			text, err = os.ReadFile(filepath.Join(pids, name))
		}
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("it ended well")
	}
	for { // a canceled call ends by itself
		left, err := os.ReadDir(directory)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for _, name := range started {
		if alive(t, filepath.Join(pids, name)) {
			t.Errorf("the %s lives on", name)
		}
	}
}

func TestAgent_TimeIsUpAndThatIsFine(t *testing.T) {
	a, _ := shell(t, "echo half; exec sleep 600", map[string]any{"timeout": "1s", "accept": []string{"timeout"}})
	out := play1(t, a, nil)
	if seen := seenOf(t, out).Program; *out.FinalAnswer != "half" || seen.Stopped != "timeout" || seen.ExitCode != -1 {
		t.Errorf("%q, %s", *out.FinalAnswer, out.Metadata)
	}
}
