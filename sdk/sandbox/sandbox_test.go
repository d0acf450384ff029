//go:build linux

package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/awhost/awhost/internal/testlevel"
)

// program returns the complete program of an escape. Its daemon starts with the argument "daemon".
func (e escape) program() string {
	const asDaemon = `
if len(sys.argv) > 1 and sys.argv[1] == "daemon":
    ready = int(sys.argv[2]); lives_on("lock")
`
	code := strings.TrimPrefix(e.code, "\n")
	if !strings.HasPrefix(code, "    ") {
		code = "    " + code
	}
	return prelude + code + asDaemon + postlude
}

// runEscape runs an escape. It reports whether the harmful action succeeded and returns the program's output.
func (f *fixture) runEscape(t *testing.T, e escape, boxed bool) (bool, ended) {
	t.Helper()
	out := f.run(t, e.program(), e.limits, boxed)
	did := out.code == 0 && out.report.Excess == ""
	switch {
	case e.after == "lock":
		lives := locked(t, filepath.Join(out.work, "lock"))
		if !boxed {
			endDaemon(t, filepath.Join(out.work, "pid"))
		}
		did = did && lives
	case e.after != "":
		path := e.after + out.token
		did = did && exists(path)
		_ = os.Remove(path)
	}
	return did, out
}

// eachEscape tests all escapes in parallel and returns when all have finished. Slow ones run alone.
func eachEscape(t *testing.T, test func(*testing.T, escape)) {
	t.Run("each", func(t *testing.T) {
		for _, e := range escapes {
			t.Run(e.name, func(t *testing.T) {
				if e.slow {
					testlevel.NeedSlow(t, "it uses much of the machine")
				} else {
					t.Parallel()
				}
				test(t, e)
			})
		}
	})
}

// proven is the environment variable of the second test run: the first one, as root, has shown that the programs
// work.
const proven = "AWHOST_TEST_PROVEN"

// TestEscapes checks that each escape succeeds without a sandbox and fails inside one.
func TestEscapes(t *testing.T) {
	f := newFixture(t)
	root, first := os.Geteuid() == 0, os.Getenv(proven) == ""
	var shown, kept atomic.Int32
	eachEscape(t, func(t *testing.T, e escape) {
		if first && (root || !e.root) {
			did, out := f.runEscape(t, e, false)
			switch {
			case out.code == cannot:
				t.Logf("not to be shown on this machine without a sandbox: %s", out.said)
			case !did:
				t.Errorf("without a sandbox it does no harm, and shows nothing: status %d: %s", out.code, out.said)
			default:
				shown.Add(1)
			}
		}
		did, out := f.runEscape(t, e, true)
		if did {
			t.Errorf("it gets out of the sandbox: %s", out.said)
		}
		if strings.Contains(out.said, "Error: ") && strings.Contains(out.said, "Traceback") {
			t.Errorf("the program is broken: %s", out.said)
		}
		kept.Add(1)
	})
	t.Logf("as user %d: of %d programs, %d were tried in a sandbox and none did its harm", os.Geteuid(), len(escapes),
		kept.Load())
	if !first {
		return
	}
	t.Logf("without a sandbox %d did", shown.Load())
	if least := map[bool]int32{true: 55, false: 28}[root]; shown.Load() < least {
		t.Errorf("%d programs have shown harm, want %d: this machine shows too little", shown.Load(), least)
	}
}

// TestEscapesByLandlock checks that landlock alone prevents all escapes except the weak ones, which the probe
// reports.
func TestEscapesByLandlock(t *testing.T) {
	f := newFixture(t)
	if s := weaknesses(); !s.landlockSuffices() {
		t.Skipf("SKIPPED: no escape was tried by landlock, of which this kernel has version %d", s.Landlock)
	}
	f.grade = byLandlock
	eachEscape(t, func(t *testing.T, e escape) {
		did, out := f.runEscape(t, e, true)
		if did != e.weak {
			t.Errorf("it gets out: %v, want %v: %s", did, e.weak, out.said)
		}
	})
	out := f.run(t, prelude+`
    greeted(socket.AF_INET, ("127.0.0.1", int(E["GATEWAY"])))
    with open(E["WORK"] + "/answer", "w") as f: f.write("42")
    import subprocess, threading
    t = threading.Thread(target=print, args=["from a thread"]); t.start(); t.join()
    print(subprocess.run(["/bin/sh", "-c", "echo from a shell"], capture_output=True, text=True, check=True).stdout)
    subprocess.run(["touch", E["WORK"] + "/answer"], check=True)
    import shutil
    shutil.copy(E["WORK"] + "/answer", E["WORK"] + "/copy")
    shutil.copystat(E["WORK"] + "/answer", E["WORK"] + "/copy")
    subprocess.run(["git", "config", "-f", "settings", "a.b", "c"], check=True,
        cwd=E["WORK"], env={**E, "HOME": E["WORK"], "GIT_CONFIG_NOSYSTEM": "1"})
    try: socket.socket().listen(); sys.exit("it listens on a port of the machine")
    except PermissionError: pass
    sys.exit(3)
`+postlude, Limits{}, true)
	if out.code != 3 || !strings.Contains(out.said, "from a thread") || !strings.Contains(out.said, "from a shell") {
		t.Errorf("what a program needs: status %d: %s", out.code, out.said)
	}
	const many = prelude + "    for _ in range(8):\n        if os.fork() == 0: break\n    signal.pause()" + postlude
	out = f.run(t, many, Limits{Processes: 5}, true)
	if !strings.Contains(out.report.Excess, "more than processes (5)") {
		t.Errorf("%+v: %s", out.report, out.said)
	}
}

// ordinaryUser is the user ID of an ordinary user.
const ordinaryUser = 65534

// TestEscapesAsAnOrdinaryUser runs the tests again as an ordinary user.
func TestEscapesAsAnOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: this is an ordinary user, as which TestEscapes ran")
	}
	dir, err := os.MkdirTemp("/tmp", "awuser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chown(dir, ordinaryUser, ordinaryUser); err != nil {
		t.Fatal(err)
	}
	const tests = "^(TestEscapes|TestEscapesByLandlock|TestProgramRuns|TestLeavesNothingBehind)$"
	c := exec.Command("/proc/self/exe", "-test.run", tests, "-test.v")
	c.Dir = dir
	c.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir, proven+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}}
	said, err := c.CombinedOutput()
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "none did its harm") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if err != nil || strings.Contains(string(said), "SKIPPED: no ") {
		t.Errorf("as user %d: %v\n%s", ordinaryUser, err, said)
	}
}

// TestProgramRuns checks that a program has all that it needs: its folder, the gateway, temporary files and its own
// exit status.
func TestProgramRuns(t *testing.T) {
	f := newFixture(t)
	out := f.run(t, prelude+`
    greeted(socket.AF_INET, ("127.0.0.1", int(E["GATEWAY"])))
    with open(E["WORK"] + "/answer", "w") as f: f.write("42")
    import tempfile, threading, subprocess
    with tempfile.TemporaryFile() as f: f.write(b"x")
    t = threading.Thread(target=print, args=["from a thread"]); t.start(); t.join()
    shell = ["/bin/sh", "-c", "echo from a shell; id -un; hostname"]
    print(subprocess.run(shell, capture_output=True, text=True, check=True).stdout)
    assert read(E["LIB"]) and os.cpu_count() and len(os.urandom(4)) == 4 and read("/proc/meminfo")
    sys.exit(3)
`+postlude, Limits{}, true)
	if out.code != 3 || !out.report.Ended || out.report.Signal != "" {
		t.Errorf("status %d, %+v: %s", out.code, out.report, out.said)
	}
	for _, want := range []string{"from a thread", "from a shell", "sandbox"} {
		if !strings.Contains(out.said, want) {
			t.Errorf("it does not say %q: %s", want, out.said)
		}
	}
	if text, err := os.ReadFile(filepath.Join(out.work, "answer")); err != nil || string(text) != "42" {
		t.Errorf("its file has %q, %v", text, err)
	}
	out = f.run(t, prelude+"    os.kill(os.getpid(), signal.SIGSEGV)"+postlude, Limits{}, true)
	if out.report.Signal != syscall.SIGSEGV.String() || out.report.Code != -1 {
		t.Errorf("after a signal: %+v", out.report)
	}
}

// TestExcessIsNamed checks that the total usage of a sandbox is limited and that the report names the exceeded limit.
func TestExcessIsNamed(t *testing.T) {
	f := newFixture(t)
	for _, test := range []struct {
		code, want string
		limits     Limits
	}{
		{
			"    held = b'x' * (150 << 20); signal.pause()", "more than memory_bytes (104857600)",
			Limits{MemoryBytes: 100 << 20, ProcessBytes: 1 << 30},
		},
		{
			"    for _ in range(8):\n        if os.fork() == 0: break\n    signal.pause()", "more than processes (5)",
			Limits{Processes: 5},
		},
		{
			"    for n in range(8):\n        with open(E['WORK'] + '/%d' % n, 'wb') as f: f.write(b'x' * (2 << 20))\n" +
				"    signal.pause()", "more than disk_bytes (10485760)",
			Limits{DiskBytes: 10 << 20},
		},
		{
			"    os.chdir(E['WORK'])\n    for _ in range(20): os.mkdir('d' * 250); os.chdir('d' * 250)\n    signal.pause()",
			"a path of more than 4096 bytes", Limits{},
		},
		{ // one page for each page table
			"    import mmap\n    m = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)\n" +
				"    m.madvise(15) # MADV_NOHUGEPAGE\n    for at in range(0, len(m), 2 << 20): m[at]\n    signal.pause()",
			"more than memory_bytes (67108864)", Limits{MemoryBytes: 64 << 20, ProcessBytes: 1 << 30},
		},
		{
			"    held = [socket.socketpair() for _ in range(1000)]\n    for a, b in held:\n        a.setblocking(False)\n" +
				"        try:\n            while True: a.send(b'x' * 65536)\n        except BlockingIOError: pass\n" +
				"    signal.pause()",
			"more than memory_bytes (134217728)", Limits{MemoryBytes: 128 << 20},
		},
		{
			"    for _ in range(16):\n        if os.fork() == 0: break\n" +
				"    held = [os.pipe() for _ in range(2000)]\n    signal.pause()",
			"more than memory_bytes (41943040)", Limits{MemoryBytes: 40 << 20},
		},
	} {
		if f.grade == byLandlock && strings.Contains(test.code, "socketpair") {
			continue // the host's sockets cannot be told apart
		}
		if out := f.run(t, prelude+test.code+postlude, test.limits, true); !strings.Contains(out.report.Excess, test.want) {
			t.Errorf("%+v: want %q: %s", out.report, test.want, out.said)
		}
	}
}

// TestLeavesNothingBehind checks that all processes of a sandbox end when its owner is killed.
func TestLeavesNothingBehind(t *testing.T) {
	if dir := os.Getenv("AWHOST_TEST_OWNER"); dir != "" {
		ownAndWait(t, dir)
		return
	}
	f := newFixture(t)
	dir := f.path("owner")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/proc/self/exe", "-test.run", "^TestLeavesNothingBehind$")
	c.Env = append(os.Environ(), "AWHOST_TEST_OWNER="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 1)
	if n, err := out.Read(buffer); n != 1 || buffer[0] != '+' {
		t.Fatalf("%q, %v", buffer, err)
	}
	lock := filepath.Join(dir, "work1", "lock")
	if !locked(t, lock) {
		t.Fatalf("no process holds %s", lock)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	file, err := os.OpenFile(lock, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil { // waits for the daemon's end
		t.Error(err)
	}
}

// ownAndWait runs the owner's sandbox, in which a daemon holds a lock.
func ownAndWait(t *testing.T, dir string) {
	f := newFixture(t)
	if err := os.Mkdir(filepath.Join(dir, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.dir = dir
	code := prelude + `
    waiting, ready = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: lives_on("lock")
        os._exit(0)
    assert os.read(waiting, 1) == b"x"
    greeted(socket.AF_INET, ("127.0.0.1", int(E["GATEWAY"])))
    signal.pause()
` + postlude
	announced := f.announce(t)
	f.env["GATEWAY"] = announced
	f.run(t, code, Limits{}, true)
}

// announce listens on the port that the program connects to when it is ready, and writes "+" to standard output then.
func (f *fixture) announce(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the process, which is killed
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte(greeting))
			c.Close()
			fmt.Print("+")
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// TestProcess1IsProtected checks that the program cannot use the additional rights of process 1 and inherits only
// three files.
func TestProcess1IsProtected(t *testing.T) {
	f := newFixture(t)
	out := f.run(t, prelude+`
    got = []
    for name, attempt in {
        "memory": lambda: open("/proc/1/mem", "rb"), "environment": lambda: read("/proc/1/environ"),
        "files": lambda: os.listdir("/proc/1/fd"), "program": lambda: open("/proc/1/exe", "rb"),
        "root": lambda: os.listdir("/proc/1/root"), "ptrace": lambda: call(101, 117, 0x4206, 1, 0, 0),
        "signal": lambda: os.kill(1, signal.SIGTERM) or 1 / 0,
    }.items():
        try: attempt(); got.append(name)
        except ZeroDivisionError: pass
        except OSError: pass
    files = [n for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)]
    status = dict(line.split(":	", 1) for line in read("/proc/self/status").splitlines() if ":	" in line)
    rights = {status[n].strip() for n in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    print("got", got, "files", sorted(files, key=int), "rights", rights, "filter", status["Seccomp"])
    print("network", sorted(n for _, n in socket.if_nameindex()), "root", sorted(os.listdir("/")))
`+postlude, Limits{}, true)
	for _, want := range []string{
		"got [] files ['0', '1', '2'] rights {'0000000000000000'} filter 2", "network ['lo'] root ['bin', 'dev', 'etc', ",
	} {
		if !strings.Contains(out.said, want) {
			t.Errorf("%q is not in %s", want, out.said)
		}
	}
	if strings.Contains(out.said, "'home'") || strings.Contains(out.said, "'.machine'") {
		t.Errorf("the root has too much: %s", out.said)
	}
}

// TestProbe_WithoutNamespaces checks that the probe reports missing namespaces, as in a sandbox, and the remaining
// protection.
func TestProbe_WithoutNamespaces(t *testing.T) {
	if os.Getenv("AWHOST_TEST_PROBE") != "" {
		fmt.Println(Probe())
		return
	}
	f := newFixture(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := f.run(t, prelude+`
    import subprocess
    again = ["`+self+`", "-test.run", "^TestProbe_WithoutNamespaces$"]
    print(subprocess.run(again, env={"AWHOST_TEST_PROBE": "1"}, capture_output=True, text=True))
`+postlude, Limits{}, true, self)
	for _, want := range []string{
		"landlock ", " and a filter of system calls; without namespaces (",
		"limits that are not enforced here: memory_bytes for the buffers of sockets, memory_bytes for kernel memory",
		"(this process may not create control groups (v2)",
		"operation not permitted", "They see the names",
		"User namespaces are switched off: sysctl -w user.max_user_namespaces=15000",
	} {
		if !strings.Contains(out.said, want) {
			t.Errorf("%q is not in %s", want, out.said)
		}
	}
}

// TestPolicyIsChecked checks that New rejects policies that would expose forbidden paths or addresses.
func TestPolicyIsChecked(t *testing.T) {
	for _, p := range []Policy{
		{Read: []string{"/"}}, {Read: []string{"relative"}}, {Write: []string{"/proc"}}, {Read: []string{"/dev/mem"}},
		{Dial: []string{"10.0.0.1:80"}}, {Dial: []string{"127.0.0.1"}}, {Limits: Limits{Processes: -1}},
		{Reusable: true, Dial: []string{"127.0.0.1:80"}},
	} {
		if box, err := New(p); err == nil {
			box.Close()
			t.Errorf("%+v is taken", p)
		}
	}
}

// TestProgramThatIsNotThere checks that the error for a program that is not visible in its sandbox contains a remedy.
func TestProgramThatIsNotThere(t *testing.T) {
	f := newFixture(t)
	hidden := f.path("secret/program")
	if err := os.WriteFile(hidden, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	report := f.tryProgram(t, hidden)
	if want := "it is not among the files that can be read there"; !strings.Contains(report.Failure, want) {
		t.Errorf("%+v; want %q", report, want)
	}
}

// TestOpenSockets checks that sockets are counted while they use a port and that the other numbers are ignored.
func TestOpenSockets(t *testing.T) {
	const quiet = "sockets: used 4\nTCP: inuse 0 orphan 3 tw 0 alloc 5 mem 2\nUDP: inuse 0 mem 1\nRAW: inuse 0\n" +
		"FRAG: inuse 0 memory 0\n"
	for list, want := range map[string]string{
		quiet: "", "": "",
		strings.Replace(quiet, "tw 0", "tw 1", 1):                 "TCP: inuse 0 orphan 3 tw 1 alloc 5 mem 2",
		strings.Replace(quiet, "UDP: inuse 0", "UDP: inuse 2", 1): "UDP: inuse 2 mem 1",
		"TCP6: inuse 1\nUDP6: inuse 0\n":                          "TCP6: inuse 1",
	} {
		if got := openSockets(list); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}
