package codeenv

import (
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/sandbox"
)

// newcomer is what an episode finds when it begins.
const newcomer = `
import os, resource, sys
def names(folder): return sorted(os.listdir(folder))
others = [p for p in names("/proc") if p.isdigit() and int(p) not in (1, os.getppid(), os.getpid())]
mine = {"names", "others", "mine", "os", "resource", "sys"}
print(names("."), names("/tmp"), names("/dev/shm"), oct(os.stat(".").st_mode), os.getcwd(), others,
    sorted(set(globals()) - mine), os.nice(0),
    resource.getrlimit(resource.RLIMIT_NOFILE), len(os.sched_getaffinity(os.getppid())))`

// An interpreter is used again where nothing of the episode before is left, and otherwise there is another. What the
// next episode finds is what the first one found.
func TestInterpreters_AreUsedAgain(t *testing.T) {
	if !sandbox.Probe().Own {
		t.Skip("SKIPPED: a sandbox is reset where it has processes of its own")
	}
	d := newDesk(t, nil)
	episode := 0
	first := ""
	// play returns when the server was started, in ticks of the kernel: it is the same as long as the server is.
	play := func(code string) (server string) {
		t.Helper()
		episode++
		name := strconv.Itoa(episode)
		d.open(name, `{}`)
		defer d.close(name)
		finds := d.call(name, newcomer).Content
		if first == "" {
			first = finds
		}
		if finds != first || strings.Contains(finds, "Error") {
			t.Errorf("episode %d finds\n%s\nwant\n%s", episode, finds, first)
		}
		server = d.call(name, "print(open('/proc/%d/stat' % os.getppid()).read().split()[21])").Content
		if got := d.call(name, code); got.Content != "done" {
			t.Errorf("%s\n%s", code, got.Content)
		}
		return server
	}
	const daemon = `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            if os.fork(): os._exit(0)
    os._exit(0)
`
	const files = `
for folder in '.', '/tmp', '/dev/shm':
    os.makedirs(folder + '/a/b')
    open(folder + '/a/b/c', 'w').write('x')
    os.chmod(folder + '/a', 0)
`
	const port = `
import socket
a = socket.create_server(('127.0.0.1', 0))
b = socket.create_connection(a.getsockname())
c, _ = a.accept()
b.close(); c.close()
`
	const limits = "resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)); os.nice(5); os.sched_setaffinity(0, [0])\n"
	for _, test := range []struct {
		name, code string
		again      bool
	}{
		{"nothing", "", true},
		{"files", files, true},
		{"a program that goes from process to process", daemon, true},
		{"its own limits", limits, true},
		{"a module", "sys.modules['json'] = None\n", true},
		{"limits of the server", "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (20, 20))\n", false},
		{"the server's place", "os.sched_setaffinity(os.getppid(), [0])\n", false},
		{"the server's priority", "os.setpriority(os.PRIO_PROCESS, os.getppid(), 3)\n", false},
		{"the folder's mode", "os.chmod('.', 0o711)\n", false},
		{"the folder's attributes", "os.setxattr('.', 'user.x', b'1')\n", false},
		{"shared memory", "import ctypes\nassert ctypes.CDLL(None).shmget(5, 4096, 0o1600) >= 0\n", false},
		{"a port", port, false},
		{"the server's end", "os.kill(os.getppid(), 9)\n", false},
		{"a stop of the server", "os.kill(os.getppid(), 19)\n", true},
		{"a queue", "import ctypes\nassert ctypes.CDLL(None).mq_open(b'/q', os.O_CREAT, 0o600, None) == -1\n", true},
		{"the server's memory", "try: open('/proc/%d/mem' % os.getppid(), 'r+b'); x\nexcept PermissionError: pass\n", true},
	} {
		before := play("pass\nprint('done')")
		if test.name == "the server's end" { // nothing answers
			episode++
			name := strconv.Itoa(episode)
			d.open(name, `{}`)
			d.call(name, "import os\n"+test.code)
			d.close(name)
		} else {
			play(test.code + "print('done')")
		}
		after := play("print('done')")
		if again := after == before; again != test.again {
			t.Errorf("after %s: used again %v, want %v (%s, %s)", test.name, again, test.again, before, after)
		}
	}
}
