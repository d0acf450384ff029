//go:build unix

package pythonplugin

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

// If a function breaks on one item, the other items must get their scores, and the item's failure must name the cause.
func TestScore_SurvivesItsFunction(t *testing.T) {
	t.Parallel()
	const rest = "\n    return len(final_answer)"
	type hostile struct {
		does   string // for the item "bad"
		config map[string]any
		class  sdk.FailureClass // of the item; empty: it gets a score anyway
		want   []string
	}
	cases := map[string]hostile{
		"hangs": {
			does: "while True: time.sleep(1)", config: map[string]any{"timeout": "3s"}, class: sdk.FailureTimeout,
			want: []string{"rewards.py:score did not answer within 3s", "increase timeout"},
		},
		"hangs deaf to signals": {
			does:   "[signal.signal(s, signal.SIG_IGN) for s in (signal.SIGTERM, signal.SIGINT)]; time.sleep(3600)",
			config: map[string]any{"timeout": "3s"},
			class:  sdk.FailureTimeout, want: []string{"not answer within 3s"},
		},
		"stops itself": {does: "os.kill(os.getpid(), signal.SIGSTOP)", config: map[string]any{"timeout": "3s"},
			class: sdk.FailureTimeout, want: []string{"not answer within 3s"}},
		"waits forever, in C": {does: "ctypes.PyDLL(None).sleep(3600)", config: map[string]any{"timeout": "3s"},
			class: sdk.FailureTimeout, want: []string{"not answer within 3s"}},
		"reads stdin": {does: "assert input() == 'x'", class: sdk.FailureReward, want: []string{"EOFError"}},
		"exits": {does: "os._exit(7)", class: sdk.FailureReward,
			want: []string{"rewards.py:score: Python ended 3 times while it scored this item", "exited with status 7"}},
		"crashes": {does: "ctypes.string_at(0)", class: sdk.FailureReward, want: []string{"Python ended 3 times",
			"signal segmentation fault", "Fatal Python error: Segmentation fault", "rewards.py"}},
		"is killed": {does: "os.kill(os.getpid(), signal.SIGKILL)", class: sdk.FailureReward,
			want: []string{"signal killed"}},
		"says why it exits": {does: "print('my last words', file=sys.stderr); os._exit(1)", class: sdk.FailureReward,
			want: []string{"my last words"}},
		"closes descriptors": {does: "os.closerange(3, 4096)", class: sdk.FailureReward,
			want: []string{"closed descriptors that are not its own"}},
		"closes low ones":   {does: "os.closerange(0, 256)"},
		"prints":            {does: "print('{\"id\": 1, \"ok\": [{\"score\": 99}]}')"},
		"writes to 1":       {does: "os.write(1, b'\\xff\\x00{}\\n')"},
		"floods":            {does: "[sys.stdout.write('x' * 999 + '\\n') for _ in range(100_000)]"},
		"a long line":       {does: "sys.stdout.write('x' * 20_000_000)"},
		"replaces modules":  {does: "json.dumps = json.loads = json.JSONEncoder.encode = os.write = os.read = None; sys.stdout = sys.stderr = None; builtins.print = None"},
		"replaces more":     {does: "sys.modules.clear(); sys.path.clear()"},
		"makes threads":     {does: "[threading.Thread(target=time.sleep, args=(3600,)).start() for _ in range(20)]"},
		"forks and returns": {does: "os.fork()"},
		"leaves a child":    {does: "subprocess.Popen(['sleep', '3600'])"},
		"recursion limit":   {does: "sys.setrecursionlimit(10**7)"},
		"an alarm": {does: "signal.setitimer(signal.ITIMER_REAL, 0.001); time.sleep(0.2)", class: sdk.FailureReward,
			want: []string{"Alarm clock", "alarm clock"}},
	}
	for _, name := range testlevel.Sample(3, slices.Sorted(maps.Keys(cases))...) {
		c := cases[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := "import builtins, ctypes, json, os, signal, subprocess, sys, threading, time\ndef score(final_answer):\n    if final_answer == 'bad':\n        " + c.does + rest
			r := rewardOf(t, code, c.config)
			out := scoreAll(t, r, items("1", "22", "bad", "4444"))
			for i, want := range map[int]float64{0: 1, 1: 2, 3: 4} {
				if got := out.Items[i]; got.Failure != nil || got.Score != want {
					t.Errorf("item %d: %+v %v, want %v", i, got, got.Failure, want)
				}
			}
			got := out.Items[2]
			if c.class == "" {
				if got.Failure != nil || got.Score != 3 {
					t.Errorf("the item: %+v %v, want 3", got, got.Failure)
				}
				return
			}
			if got.Failure == nil || got.Failure.Class != c.class {
				t.Fatalf("the item: %+v %v, want a failure of class %s", got, got.Failure, c.class)
			}
			if name == "an alarm" { // the name of the signal depends on the system
				expect(t, "failure", strings.ToLower(got.Failure.Detail), "alarm")
				return
			}
			expect(t, "failure", got.Failure.Detail, c.want...)
			if after := scoreAll(t, r, items("55555")).Items[0]; after.Failure != nil || after.Score != 5 {
				t.Errorf("afterwards: %+v %v", after, after.Failure)
			}
		})
	}
}

// Calls of an async function must overlap. A late call is cancelled, and the process continues. A call that cannot be
// cancelled ends with its process. The other calls must get their scores.
func TestScore_AsyncCallsOverlap(t *testing.T) {
	t.Parallel()
	code := `import asyncio, os
started = asyncio.Event()
count = 0
async def score(final_answer):
    global count
    count += 1
    if count >= 4: started.set()
    if final_answer == "late": await asyncio.sleep(3600)
    if final_answer == "raise": raise ValueError("no")
    if final_answer == "exit": raise SystemExit(3)
    while final_answer == "deaf":
        try: await asyncio.sleep(3600)
        except asyncio.CancelledError: pass
    if final_answer in ("1", "55555"): await started.wait()
    return {"score": len(final_answer), "pid": os.getpid()}
`
	r := rewardOf(t, code, map[string]any{"timeout": "3s", "concurrency": 8})
	first := scoreAll(t, r, items("1", "late", "raise", "exit", "55555"))
	second := scoreAll(t, r, items("22", "late", "deaf", "4444"))
	for what, s := range map[string]sdk.Scored{"first 1": first.Items[0], "first 5": first.Items[4],
		"second 2": second.Items[0], "second 4": second.Items[3]} {
		if s.Failure != nil || s.Score != float64(what[len(what)-1]-'0') {
			t.Errorf("%s: %+v %v", what, s, s.Failure)
		}
	}
	for want, s := range map[string]sdk.Scored{
		"TIMEOUT: rewards.py:score did not answer within 3s, and was cancelled":        first.Items[1],
		"REWARD: rewards.py:score: ValueError: no":                                     first.Items[2],
		"REWARD: rewards.py:score: the code called sys.exit(3)":                        first.Items[3],
		"TIMEOUT: rewards.py:score did not answer within 3s":                           second.Items[1],
		"TIMEOUT: rewards.py:score did not answer within 3s, and its Python was ended": second.Items[2],
	} {
		if s.Failure == nil || !strings.HasPrefix(s.Failure.Error(), want) {
			t.Errorf("%+v %v, want %q", s, s.Failure, want)
		}
	}
	if first.Metrics[metricTimeouts] != 1 {
		t.Errorf("metrics %v, want one timeout", first.Metrics)
	}
}

// If the process is killed from outside, the item must be scored again without a failure.
func TestScore_AgainAfterAKill(t *testing.T) {
	t.Parallel()
	once := filepath.Join(t.TempDir(), "once")
	code := fmt.Sprintf("import os, signal\ndef score(final_answer):\n    if final_answer == 'b' and not os.path.exists(%q):\n        open(%q, 'w').close()\n        os.kill(os.getpid(), signal.SIGKILL)\n    return 1", once, once)
	out := scoreAll(t, rewardOf(t, code, nil), items("a", "b", "c"))
	for i, got := range out.Items {
		if got.Failure != nil || got.Score != 1 {
			t.Errorf("item %d: %+v %v", i, got, got.Failure)
		}
	}
	if out.Metrics[metricDeaths] != 1 {
		t.Errorf("metrics %v, want one death", out.Metrics)
	}
}

// A replacement process must run the original code, even if the file has changed.
func TestScore_KeepsTheCode(t *testing.T) {
	t.Parallel()
	needPython(t)
	dir := write(t, map[string]string{"rewards.py": "import os\ndef score(final_answer):\n    if final_answer == 'bad': os._exit(1)\n    return 1"})
	r := rewardOf(t, "", map[string]any{"file": filepath.Join(dir, "rewards.py")})
	if err := os.WriteFile(filepath.Join(dir, "rewards.py"), []byte("syntax error"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := scoreAll(t, r, items("bad", "good")).Items[1]; got.Failure != nil || got.Score != 1 {
		t.Errorf("%+v %v", got, got.Failure)
	}
}

// If a process cannot be restarted, the items' failures must report it.
func TestScore_CannotStartAgain(t *testing.T) {
	t.Parallel()
	code := "import os\nif os.path.exists(__file__ + '.broken'): raise OSError('the disk is gone')\ndef score(final_answer):\n    if final_answer == 'bad':\n        open(__file__ + '.broken', 'w').close()\n        os._exit(1)\n    return 1"
	got := scoreAll(t, rewardOf(t, code, nil), items("bad", "good"))
	for _, s := range got.Items {
		if s.Failure == nil || !s.Failure.Retryable {
			t.Fatalf("%+v", s)
		}
		expect(t, "failure", s.Failure.Detail, "restart its Python", "the disk is gone")
	}
}

// Several processes must work concurrently, and one that hangs must not block the others.
func TestScore_Workers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code := fmt.Sprintf("import os, time\ndef score(final_answer):\n    open(os.path.join(%q, str(os.getpid())), 'w').close()\n    end = time.time() + 20\n    while len(os.listdir(%q)) < 3 and time.time() < end: time.sleep(0.01)\n    return len(os.listdir(%q)) >= 3", dir, dir, dir)
	out := scoreAll(t, rewardOf(t, code, map[string]any{"workers": 3}), items("1", "2", "3"))
	for i, got := range out.Items {
		if got.Failure != nil || got.Score != 1 {
			t.Errorf("item %d: %+v %v: the three processes did not run at the same time", i, got, got.Failure)
		}
	}
}

// No process that a function has started may survive the reward.
func TestStop_LeavesNoProcess(t *testing.T) {
	t.Parallel()
	needPython(t)
	code := "import os, subprocess\nchild = subprocess.Popen(['sleep', '3600'])\ndef score(final_answer):\n    return {'score': 0, 'own': os.getpid(), 'child': child.pid}"
	var pids []int
	t.Run("life", func(t *testing.T) {
		got := scoreOne(t, rewardOf(t, code, nil), item("x", "y"))
		pids = []int{int(got.Components["own"]), int(got.Components["child"])}
	})
	for _, pid := range pids {
		if pid == 0 || !gone(pid) {
			t.Errorf("process %d lives on", pid)
		}
	}
}

// gone reports whether a process has ended. A zombie counts as ended.
func gone(pid int) bool {
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil && syscall.Kill(pid, 0) == syscall.ESRCH || strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}
