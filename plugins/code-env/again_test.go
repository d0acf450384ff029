package codeenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/sandbox"
)

// address is code that prints an address in a server's memory. The kernel chooses a different one for each server.
const address = "import sys\nid(sys.modules)"

// printInitialState is code that prints the initial state of an episode.
const printInitialState = `
import os, resource, sys
def names(folder): return sorted(os.listdir(folder))
others = [p for p in names("/proc") if p.isdigit() and int(p) not in (1, os.getppid(), os.getpid())]
mine = {"names", "number", "others", "mine", "os", "resource", "sys"}
def number(folder):
    with open(folder + "/file", "w") as f: found = os.fstat(f.fileno()).st_ino
    os.remove(f.name)
    return found
print([number(folder) for folder in ("/tmp", "/dev/shm")], os.path.exists("/proc/%d" % os.getppid()))
print(names("."), names("/tmp"), names("/dev/shm"), oct(os.stat(".").st_mode), os.getcwd(), others,
    sorted(set(globals()) - mine), os.nice(0),
    resource.getrlimit(resource.RLIMIT_NOFILE), len(os.sched_getaffinity(os.getppid())),
    [os.stat(f).st_mtime > 1e9 for f in (".", "/tmp", "/dev/shm", "/dev/pts/ptmx")],
    [len(open("/proc/net/" + f).readlines()) for f in ("unix", "ip6_flowlabel") if os.path.exists("/proc/net/" + f)],
    open("/proc/net/dev").readlines()[-1])`

// An interpreter is reused if nothing of the previous episode remains, and replaced otherwise. Every episode finds
// the same initial state as the first one.
func TestInterpreters_AreUsedAgain(t *testing.T) {
	if !sandbox.Probe().Own {
		t.Skip("SKIPPED: a sandbox is reset where it has processes of its own")
	}
	d := newTestEnvironment(t, nil)
	episode := 0
	first := ""
	// play returns an address in the server's memory, which identifies the server.
	play := func(code string) (server string) {
		t.Helper()
		episode++
		name := strconv.Itoa(episode)
		d.open(name, `{}`)
		defer d.close(name)
		finds := d.call(name, printInitialState).Content
		if first == "" {
			first = finds
		}
		if finds != first || strings.Contains(finds, "Error") {
			t.Errorf("episode %d finds\n%s\nwant\n%s", episode, finds, first)
		}
		server = d.call(name, address).Content
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
	const sent = `
import array, socket
for n in range(20):
    a = socket.socket(socket.AF_UNIX)
    a.bind('\0said to the next one %d' % n)
    a.listen()
    b = socket.socket(socket.AF_UNIX)
    b.connect(a.getsockname())
    b.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [a.fileno(), b.fileno()]))])
    a.close(); b.close()
`
	const label = `
import socket, struct
a = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
address = socket.inet_pton(socket.AF_INET6, '::1')
request = address + struct.pack('!I', 0xabcde) + struct.pack('BBHHHI', 0, 255, 1, 6, 6, 0)
a.setsockopt(socket.IPPROTO_IPV6, 32, request)  # IPV6_FLOWLABEL_MGR
`
	const slice = `
import ctypes, struct
libc = ctypes.CDLL(None)
attributes = ctypes.create_string_buffer(56)
number = {'x86_64': 314, 'aarch64': 274}[os.uname().machine]
assert libc.syscall(number + 1, os.getppid(), attributes, 56, 0) == 0
struct.pack_into('Q', attributes, 24, 12345678)
assert libc.syscall(number, os.getppid(), attributes, 0) == 0
`
	const generation = `
import fcntl, struct
f = os.open('.', os.O_RDONLY)
try:
    fcntl.ioctl(f, 0x40087602, struct.pack('l', 4711))  # FS_IOC_SETVERSION
except OSError:  # a file system without it
    os.chmod('.', 0o711)
`
	const datagram = `
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.sendto(b'x', ('127.0.0.1', 9))
`
	const sibling = `
import ctypes
number = {'x86_64': 56, 'aarch64': 220}[os.uname().machine]
if ctypes.CDLL(None).syscall(number, 0x8011, 0, 0, 0, 0) != -1: os._exit(1)  # CLONE_PARENT
`
	const limits = "resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)); os.nice(5); os.sched_setaffinity(0, [0])\n"
	type outcome int
	const (
		no outcome = iota
		yes
		unsettled
	)
	for _, test := range []struct {
		name, code string
		again      outcome
	}{
		{"nothing", "", yes},
		{"files", files, yes},
		{"a program that goes from process to process", daemon, yes},
		{"its own limits", limits, yes},
		{"a module", "sys.modules['json'] = None\n", yes},
		{"limits of the server", "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (20, 20))\n", no},
		{"the server's place", "os.sched_setaffinity(os.getppid(), [0])\n", no},
		{"the server's slice of time", slice, no},
		{"the server's priority", "os.sched_setscheduler(os.getppid(), os.SCHED_BATCH, os.sched_param(0))\n", no},
		{"the folder's mode", "os.chmod('.', 0o711)\n", no},
		{"the folder's generation", generation, no},
		{"the folder's times", "os.utime('.', (5, 5))\nos.utime('/dev/pts/ptmx')\n", yes},
		{"the folder's attributes", "os.setxattr('.', 'user.x', b'1')\n", no},
		{"shared memory", "import ctypes\nassert ctypes.CDLL(None).shmget(5, 4096, 0o1600) == -1\n", yes},
		{"semaphores", "import ctypes\nassert ctypes.CDLL(None).semget(5, 1, 0o1600) == -1\n", yes},
		{"messages", "import ctypes\nassert ctypes.CDLL(None).msgget(5, 0o1600) == -1\n", yes},
		{"a sibling", sibling, yes},
		{"a port", port, no},
		// The kernel closes sockets that are referenced only by messages to each other at some later time. The next
		// episode finds none of them either way.
		{"sockets that were sent", sent, unsettled},
		{"a label for IPv6", label, no},
		{"a datagram", datagram, no},
		{"the server's end", "os.kill(os.getppid(), 9)\n", no},
		{"a stop of the server", "os.kill(os.getppid(), 19)\n", yes},
		{"a queue", "import ctypes\nassert ctypes.CDLL(None).mq_open(b'/q', os.O_CREAT, 0o600, None) == -1\n", yes},
		{"the server's memory", "try: open('/proc/%d/mem' % os.getppid(), 'r+b'); x\nexcept OSError: pass\n", yes},
	} {
		before := play("pass\nprint('done')")
		if test.name == "the server's end" { // no answer arrives
			episode++
			name := strconv.Itoa(episode)
			d.stepKill(name, name, "import os\n"+test.code)
		} else {
			play(test.code + "print('done')")
		}
		after := play("print('done')")
		if again := after == before; test.again != unsettled && again != (test.again == yes) {
			t.Errorf("after %s: used again %v, want %v (%s, %s)", test.name, again, !again, before, after)
		}
	}
}

// Servers whose imports hold open resources are not reused, because copies would share the resources.
func TestInterpreters_ShareNothingOfImports(t *testing.T) {
	if !sandbox.Probe().Own {
		t.Skip("SKIPPED: a sandbox is reset where it has processes of its own")
	}
	venv := filepath.Join(t.TempDir(), "venv")
	if out, err := exec.Command("python3", "-m", "venv", "--without-pip", venv).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packages, err := filepath.Glob(filepath.Join(venv, "lib", "python*", "site-packages"))
	if err != nil || len(packages) != 1 {
		t.Fatal(packages, err)
	}
	for name, code := range map[string]string{
		"nothing_kept": "import os\nkept = os.devnull\n",
		"memory_kept": "import mmap, tempfile\nwith tempfile.TemporaryFile() as f:\n" +
			"    f.truncate(4096)\n    kept = mmap.mmap(f.fileno(), 4096)\n",
		"file_kept":     "import tempfile\nkept = tempfile.TemporaryFile()\n",
		"sockets_kept":  "import socket\nkept = socket.socketpair()\n",
		"a_thread_kept": "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n",
	} {
		if err := os.WriteFile(filepath.Join(packages[0], name+".py"), []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
		d := newTestEnvironment(t, map[string]any{"python": filepath.Join(venv, "bin", "python"), "imports": []string{name}})
		served := map[string]bool{}
		for _, episode := range []string{"1", "2"} {
			d.open(episode, `{}`)
			served[d.call(episode, address).Content] = true
			d.close(episode)
		}
		if again := len(served) == 1; again != (name == "nothing_kept") {
			t.Errorf("%s: used again %v (%v)", name, again, served)
		}
	}
}
