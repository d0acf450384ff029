//go:build linux

package sandbox

// escape is a Python program that attempts a harmful action. It exits with 0 if the action succeeded, with cannot if
// this machine offers no target for it, and with any other status if it was prevented.
type escape struct {
	name string
	code string
	// root: the action needs root outside a sandbox, so other users try it only inside.
	root   bool
	limits Limits
	// slow escapes use much of the machine.
	slow bool
	// weak escapes succeed in a sandbox built only of landlock.
	weak bool
	// after names the trace that the test looks for outside once the program has exited successfully, and removes.
	after string
}

const cannot = 77

// prelude precedes each program. call makes a system call by its number on x86-64 and arm64.
const prelude = `
import ctypes, errno, fcntl, os, resource, signal, socket, stat, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
E = os.environ
KEY = "key-of-another-lease"
CANNOT = 77
def call(x86, arm, *arguments):
    number = x86 if os.uname().machine == "x86_64" else arm
    ctypes.set_errno(0)
    as_c = lambda a: a if isinstance(a, (bytes, ctypes.Array)) else ctypes.c_long(a)
    result = libc.syscall(ctypes.c_long(number), *map(as_c, arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def greeted(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as s:
        s.settimeout(20)
        s.connect(address)
        if kind == socket.SOCK_DGRAM:
            s.send(b"x")
        assert s.recv(5) == b"hello"
def read(path):
    with open(path, errors="replace") as f:
        return f.read()
def first(pattern):
    import glob # here: it takes a third of a program's start
    found = glob.glob(pattern)
    if not found:
        sys.exit(CANNOT)
    return found[0]
def changes(path, change):
    before = os.stat(path).st_ctime_ns
    time.sleep(0.02) # the clock of files is coarse
    change(path)
    assert os.stat(path).st_ctime_ns != before
def refused(x86, arm, *arguments):
    """Whether a call that cannot succeed is refused for want of a right, before anything else is looked at."""
    try:
        call(x86, arm, *arguments)
    except OSError as e:
        return e.errno == errno.EPERM
    return False
def lives_on(name):
    """Runs a process that keeps a lock and nothing of its parent."""
    lock = open(E["WORK"] + "/" + name, "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    with open(E["WORK"] + "/pid", "w") as f:
        f.write(str(os.getpid()))
    os.write(ready, b"x")
    for number in (0, 1, 2, ready):
        os.close(number)
    while True:
        signal.pause()
def harm():
    global ready
`

const postlude = `
try:
    harm()
except (OSError, MemoryError, AssertionError, ValueError, resource.error) as e:
    print(type(e).__name__, e, file=sys.stderr)
    sys.exit(CANNOT if getattr(e, "errno", None) == errno.ENOSYS else 1)
`

var escapes = []escape{
	// The key of another lease.
	{name: "a key in a file", code: `assert read(E["KEY"]) == KEY`},
	{name: "a key in the environment of another", code: `assert KEY in read("/proc/%s/environ" % E["VICTIM"])`},
	{name: "a key in the arguments of another", weak: true, code: `assert KEY in read("/proc/%s/cmdline" % E["VICTIM"])`},
	{name: "a key in any process", code: `
    import glob
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if KEY in read(path): return
        except OSError: pass
    raise ValueError("none has it")`},
	{name: "a key in the memory of another", code: `
    with open("/proc/%s/mem" % E["VICTIM"], "rb") as f:
        f.seek(int(E["ADDRESS"])); assert f.read(len(KEY)) == KEY.encode()`},
	{name: "a key by process_vm_readv", code: `
    buffer = ctypes.create_string_buffer(len(KEY))
    pair = ctypes.c_size_t * 2
    mine, theirs = pair(ctypes.addressof(buffer), len(KEY)), pair(int(E["ADDRESS"]), len(KEY))
    call(310, 270, int(E["VICTIM"]), mine, 1, theirs, 1, 0); assert buffer.raw == KEY.encode()`},
	{name: "a key in shared memory of System V", code: `
    libc.shmat.restype = ctypes.c_void_p
    at = libc.shmat(int(E["SEGMENT"]), None, 0o10000)
    if at in (None, ctypes.c_void_p(-1).value): raise OSError(ctypes.get_errno(), "shmat")
    assert ctypes.string_at(at, len(KEY)) == KEY.encode()`},
	{name: "a key in an inherited file", code: `
    for number in range(3, 256):
        try:
            if os.pread(number, 64, 0) == KEY.encode(): return
        except OSError: pass
    raise ValueError("there is none")`},

	// The host's files, sockets and folders.
	{name: "ground truth", code: `assert read(E["TRUTH"])`},
	{name: "ground truth, open in another", code: `assert read("/proc/%s/fd/9" % E["VICTIM"])`},
	{name: "the root folder of another", code: `assert read("/proc/%s/root%s" % (E["VICTIM"], E["KEY"]))`},
	{name: "the working directory of another", code: `assert os.listdir("/proc/%s/cwd" % E["VICTIM"])`},
	{name: "the root folder of process 1", root: true, code: `
    try: assert read("/proc/1/root" + E["KEY"])
    except PermissionError:
        if os.geteuid() == 0: sys.exit(CANNOT)
        raise`},
	{name: "the run directory", code: `assert "manifest.json" in os.listdir(E["RUN"])`},
	{name: "a socket of the host", code: `greeted(socket.AF_UNIX, E["HOST_SOCKET"])`},
	{name: "an abstract socket", code: `greeted(socket.AF_UNIX, "\0" + E["ABSTRACT"])`},
	{name: "a reward written beforehand", code: `
    with open(E["RUN"] + "/reward.json", "w") as f: f.write("1.0")`},
	{name: "the mode of a file", code: `changes(E["BASHRC"], lambda p: os.chmod(p, 0o644))`},
	{name: "the owner of a file", code: `changes(E["BASHRC"], lambda p: os.chown(p, os.getuid(), -1))`},
	{name: "the times of a file", code: `changes(E["BASHRC"], os.utime)`},
	{name: "the changes in a folder", code: `call(254, 27, call(294, 26, 0), E["RUN"].encode(), 0xfff)`},
	{name: "a datagram to the host", code: `
    a, _ = socket.socketpair(type=socket.SOCK_DGRAM); a.sendto(b"x", E["HOST_DATAGRAMS"])`},
	{name: "the interpreter's files", code: `
    with open(E["LIB"], "a") as f: f.write("")`},
	{name: "the start of the user's shell", code: `
    with open(E["BASHRC"], "a") as f: f.write("")`},
	{name: "a way up", code: `assert read(E["WORK"] + "/../secret/key") == KEY`},
	{name: "a link out of the folder", code: `
    os.symlink(E["KEY"], E["WORK"] + "/link"); assert read(E["WORK"] + "/link") == KEY`},
	{name: "a hard link to a file outside", code: `
    os.link(E["KEY"], E["WORK"] + "/hard"); assert read(E["WORK"] + "/hard") == KEY`},
	{name: "a file in the machine's /tmp", after: "/tmp/", code: `
    with open("/tmp/" + E["TOKEN"], "w") as f: f.write("x")`},
	{name: "a file in the machine's shared memory", after: "/dev/shm/", code: `
    with open("/dev/shm/" + E["TOKEN"], "w") as f: f.write("x")`},
	{name: "the system's files", root: true, code: `open("/etc/passwd", "r+").close()`},
	{name: "the system's secrets", root: true, code: `assert read("/etc/shadow")`},
	{name: "a way out of chroot", root: true, code: `
    os.mkdir(E["WORK"] + "/jail"); os.chroot(E["WORK"] + "/jail"); os.chroot("../" * 50)
    assert read(E["KEY"]) == KEY`},

	// The network.
	{name: "a port of the loopback device", code: `greeted(socket.AF_INET, ("127.0.0.1", int(E["PORT"])))`},
	{name: "a port by the address of all", code: `greeted(socket.AF_INET, ("0.0.0.0", int(E["PORT"])))`},
	{
		name: "a port of the loopback device, by UDP",
		code: `greeted(socket.AF_INET, ("127.0.0.1", int(E["UDP"])), socket.SOCK_DGRAM)`,
	},
	{name: "packets", root: true, code: `socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()`},
	{name: "the machine below", code: `
    try: socket.socket(40, socket.SOCK_STREAM).close()
    except OSError as e: sys.exit(CANNOT if e.errno == errno.EAFNOSUPPORT else 1)`},

	// Other processes.
	{name: "a signal to another", code: `os.kill(int(E["VICTIM"]), signal.SIGWINCH)`},
	{name: "a signal to a group", code: `os.killpg(os.getpgid(int(E["VICTIM"])), signal.SIGWINCH)`},
	{name: "ptrace", code: `call(101, 117, 0x4206, int(E["VICTIM"]), 0, 0)`},
	{name: "an open file of another", code: `call(438, 438, call(434, 434, int(E["VICTIM"]), 0), 0, 0)`},
	{name: "who dies when memory runs out", code: `
    path = "/proc/%s/oom_score_adj" % E["VICTIM"]; now = read(path)
    with open(path, "w") as f: f.write(now)`},
	{name: "the processors of another", code: `os.sched_setaffinity(int(E["VICTIM"]), os.sched_getaffinity(0))`},
	{name: "the state of shared memory", code: `
    call(31, 195, int(E["SEGMENT"]), 2, ctypes.create_string_buffer(256))`},
	{name: "priority", root: true, code: `os.setpriority(os.PRIO_PROCESS, 0, -5)`},
	{name: "a daemon left behind", after: "lock", code: `
    waiting, ready = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: lives_on("lock")
        os._exit(0)
    assert os.read(waiting, 1) == b"x"`},
	{name: "a daemon without environment", after: "lock", code: `
    waiting, ready = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.set_inheritable(ready, True)
            again = [sys.executable, "-I", "-S", __file__, "daemon", str(ready)]
            os.execve(sys.executable, again, {"WORK": E["WORK"]})
        os._exit(0)
    assert os.read(waiting, 1) == b"x"`},
	{name: "a process that ignores signals", after: "lock", code: `
    waiting, ready = os.pipe()
    for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT): signal.signal(s, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid(); lives_on("lock")
    assert os.read(waiting, 1) == b"x"`},

	// The machine's resources.
	{name: "memory at once", limits: Limits{MemoryBytes: 256 << 20}, code: `assert len(bytearray(600 << 20))`},
	{name: "a large file", limits: Limits{DiskBytes: 64 << 20}, code: `
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open(E["WORK"] + "/large", "w") as f: f.truncate(1 << 30)`},
	{name: "a fork bomb", slow: true, limits: Limits{Processes: 20}, code: `
    waiting, ready = os.pipe()
    for _ in range(500):
        if os.fork() == 0:
            os.close(ready); os.read(waiting, 1); os._exit(0)`},
	{name: "memory by many", slow: true, limits: Limits{MemoryBytes: 256 << 20}, code: `
    waiting, ready = os.pipe(); full, filled = os.pipe()
    for _ in range(8):
        if os.fork() == 0:
            os.close(ready); held = b"x" * (100 << 20); os.write(filled, b"x"); os.read(waiting, 1); os._exit(0)
    for _ in range(8): assert os.read(full, 1) == b"x"
    time.sleep(float(E["PATIENCE"]))`},
	{name: "memory in files", slow: true, limits: Limits{MemoryBytes: 256 << 20}, code: `
    with open("/dev/shm/" + E["TOKEN"], "wb") as f:
        os.unlink(f.name)
        for _ in range(600): f.write(b"x" * (1 << 20))`},
	{name: "a full disk", slow: true, limits: Limits{DiskBytes: 64 << 20}, code: `
    for n in range(20):
        with open(E["WORK"] + "/file%d" % n, "wb") as f: f.write(b"x" * (10 << 20))
    time.sleep(float(E["PATIENCE"]))`},
	{name: "shared memory that nothing maps", slow: true, limits: Limits{MemoryBytes: 256 << 20}, code: `
    import mmap
    held = [mmap.mmap(-1, 100 << 20) for _ in range(6)]
    for m in held:
        for at in range(0, len(m), 4096): m[at] = 1
        m.madvise(mmap.MADV_DONTNEED)
    time.sleep(float(E["PATIENCE"]))`},
	{name: "memory in a pipe", code: `
    page = ctypes.create_string_buffer(1)
    assert call(278, 75, os.pipe()[1], (ctypes.c_size_t * 2)(ctypes.addressof(page), 1), 1, 0) == 1`},
	{name: "a file in a pipe", code: `
    with open(__file__) as f: assert os.splice(f.fileno(), os.pipe()[1], 1) == 1`},
	{name: "a file in a socket", code: `
    a, b = socket.socketpair()
    with open(__file__) as f: assert os.sendfile(a.fileno(), f.fileno(), 0, 1) == 1`},
	{name: "deleted files", slow: true, limits: Limits{DiskBytes: 64 << 20}, code: `
    held = []
    for _ in range(20):
        f = open(E["WORK"] + "/file", "wb", 0); os.unlink(f.name); f.write(b"x" * (10 << 20)); held.append(f)
    time.sleep(float(E["PATIENCE"]))`},
	{name: "the limits of its control group", root: true, code: `
    path = "/sys/fs/cgroup" + read("/proc/self/cgroup").rpartition("::")[2].strip() + "/memory.max"
    if not os.path.exists(path): sys.exit(CANNOT)
    open(path, "r+").close()`},
	{name: "the machine's requests of asynchronous I/O", code: `call(206, 0, 100, ctypes.create_string_buffer(8))`},
	{name: "the user's instances of inotify", code: `
    for _ in range(20): call(294, 26, 0)`},
	{name: "many open files", limits: Limits{OpenFiles: 64}, code: `
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200)); held = [os.dup(0) for _ in range(100)]`},

	// Rights.
	{name: "programs that gain rights", code: `assert "NoNewPrivs:\t0" in read("/proc/self/status")`},
	{name: "a program that gives rights", code: `
    path = E["WORK"] + "/give"; open(path, "w").close(); os.chmod(path, 0o4755)
    assert os.stat(path).st_mode & stat.S_ISUID`},
	{name: "a program that gives rights from its start", code: `
    path = E["WORK"] + "/give"
    def gave():
        try: return os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)
        except FileNotFoundError: return False
        finally: os.path.exists(path) and os.remove(path)
    ways = [
        lambda: os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o4755)),
        lambda: os.mknod(path, stat.S_IFREG | 0o2755),
        lambda: os.close(call(437, 437, -100, path.encode(), struct.pack("QQQ", 65, 0o4755, 0), 24)),
    ]
    if os.uname().machine == "x86_64":
        ways.append(lambda: os.close(call(85, 0, path.encode(), 0o4755)))
        ways.append(lambda: os.close(call(2, 0, path.encode(), 65, 0o4755)))
    for way in ways:
        try: way()
        except OSError: pass
        if gave(): return
    raise ValueError("none gives any")`},
	{name: "to become root", root: true, code: `os.setresuid(1, 1, 0); os.setresuid(0, 0, 0)`},
	{name: "a user namespace", code: `call(272, 97, 0x10000000)`},
	{name: "a user namespace by clone", code: `
    pid = call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)`},
	{name: "a mount namespace", root: true, code: `call(272, 97, 0x00020000)`},
	{name: "the namespaces of another", root: true, code: `
    with open("/proc/%s/ns/net" % E["VICTIM"]) as f: call(308, 268, f.fileno(), 0)`},
	{name: "a mount", root: true, code: `
    m = (E["WORK"] + "/m").encode(); os.mkdir(m); call(165, 40, b"none", m, b"tmpfs", 0, 0); call(166, 39, m, 2)`},
	{name: "a mount by open_tree", root: true, code: `os.close(call(428, 428, -100, b"/", 1))`},
	{name: "a device", root: true, code: `os.mknod(E["WORK"] + "/dev", stat.S_IFCHR | 0o666, os.makedev(1, 3))`},
	{name: "the disk itself", root: true, code: `
    import glob
    for path in glob.glob("/dev/*"):
        if stat.S_ISBLK(os.stat(path).st_mode):
            open(path, "rb").close(); return
    sys.exit(CANNOT if os.path.exists("/dev/kmsg") else 1)`},
	{name: "core dumps for the machine's handler", code: `resource.setrlimit(resource.RLIMIT_CORE, (0, 0))`},
	{name: "core dumps", code: `
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if hard == 0: sys.exit(CANNOT)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))`},

	// The kernel.
	{name: "a key of the kernel's keyring", code: `call(248, 217, b"user", b"awhost-test", b"x", 1, -2)`},
	{name: "io_uring", code: `
    try: os.close(call(425, 425, 1, ctypes.create_string_buffer(120)))
    except PermissionError:
        switch = "/proc/sys/kernel/io_uring_disabled"
        if os.path.exists(switch) and read(switch).strip() != "0": sys.exit(CANNOT)
        raise`},
	{name: "userfaultfd", code: `os.close(call(323, 282, 1))`},
	{name: "bpf", root: true, code: `
    os.close(call(321, 280, 0, ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1) + bytes(112), 128), 128))`},
	{name: "perf_event_open", root: true, code: `
    event = ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 0) + bytes(96), 112)
    os.close(call(298, 241, event, 0, -1, -1, 0))`},
	{name: "the clock", root: true, code: `
    now = ctypes.create_string_buffer(208); call(159, 171, now)
    struct.pack_into("I", now, 0, 0x10); call(159, 171, now)`},
	{name: "the host name", root: true, code: `socket.sethostname(socket.gethostname())`},
	{name: "a switch of the kernel", root: true, code: `open("/proc/sys/vm/overcommit_memory", "r+").close()`},
	{name: "the magic key", root: true, code: `os.close(os.open(first("/proc/sysrq-trigger"), os.O_WRONLY))`},
	{name: "the kernel's memory", root: true, code: `
    if not os.path.exists("/proc/kcore"): sys.exit(CANNOT)
    assert len(open("/proc/kcore", "rb").read(4)) == 4`},
	{name: "the kernel's messages", root: true, code: `call(103, 116, 10, 0, 0)`},
	{name: "switches in /sys", root: true, code: `open(first("/sys/kernel/mm/*/enabled"), "r+").close()`},
	{name: "groups of the kernel", root: true, code: `
    import glob
    found = glob.glob("/sys/fs/cgroup/cgroup.procs") or glob.glob("/sys/fs/cgroup/*/cgroup.procs")
    open(found[0] if found else first("/sys/fs/cgroup/*/tasks"), "r+").close()`},
	{name: "input of a terminal", root: true, code: `
    import pty, termios
    pid, terminal = pty.fork()
    if pid == 0:
        try: fcntl.ioctl(0, termios.TIOCSTI, b"x")
        except OSError: os._exit(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0`},
	{name: "modules of the kernel", root: true, code: `assert not refused(175, 105, 0, 0, 0)`},
	{name: "another kernel", root: true, code: `assert not refused(246, 104, 0, 0, 0, 0x7fff0000)`},
	{name: "a reboot", root: true, code: `assert not refused(169, 142, 1, 1, 1, 0)`},
	{name: "swap", root: true, code: `assert not refused(168, 225, b"/nothing")`},
}
