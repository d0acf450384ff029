"""The process that runs a model's code for an environment "code".

It is set up over what are standard input and output at the start, a socket: JSON, one line each way. Over that it also
gets, for each episode, two pipes for requests and answers: JSON, one per line. Where the sandbox can be reset, episodes
are played by copies of this process, one after the other, and how each ended is told over the socket; otherwise there
is one episode, which it plays itself. The code has the null device to read from, and files to write to, which are read
after each call.

This process imports everything that it needs before an episode can write a file, and never from the folder of episodes:
it starts in another folder. Only the copy that runs the code enters that folder and imports from it.
"""

import sys

sys.path[:] = [p for p in sys.path if p]  # without the current folder, which -c adds

import _socket
import ast
import atexit
import gc
import io
import json
import linecache
import os
import random
import resource
import signal
import struct
import threading
import time
import traceback
import types

NAME = "<code>"
FILE = io.IOBase.__mro__[1]  # of which every file is


class TimeUp(BaseException):
    """Is raised where the code stands when its time is up: no handler of Exception catches it."""


def main():
    control = _socket.socket(fileno=0)
    os.dup2(2, 1)  # which was the socket, too
    with os.fdopen(os.dup(0), "rb") as lines:
        worker = Worker(json.loads(lines.readline()))
    answer = worker.prepare()
    libc = hide_from_copies() if worker.setup["again"] and can_be_copied() else None
    answer["again"] = libc is not None
    send_answer(control, answer)
    while True:
        said, rights, _, _ = control.recvmsg(1, _socket.CMSG_SPACE(8))
        if not said:
            return
        pipes = struct.unpack("2i", rights[0][2][:8])
        if libc is None:
            return play(control, worker, pipes)
        pid = os.fork()
        if pid == 0:
            set_dumpable(libc, True)
            return play(control, worker, pipes)
        for pipe in pipes:
            os.close(pipe)
        send_answer(control, {"ended": os.waitpid(pid, 0)[1]})


def send_answer(control, answer):
    control.sendall(json.dumps(answer).encode() + b"\n")


def can_be_copied():
    """Whether a copy of this process has all of it, and shares nothing with it: a thread would be missing, and what one
    copy does with an open file or with shared memory of an import, the next one would see."""
    if len(os.listdir("/proc/self/task")) > 1:
        return False
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink("/proc/self/fd/" + number)
        except FileNotFoundError:  # it was that of the list
            continue
        if int(number) > 2 and target not in ("/dev/null", "/dev/urandom", "/dev/random"):
            return False
    with open("/proc/self/maps", errors="replace") as maps:
        return not any(line.split(None, 2)[1][1::2] == "ws" for line in maps)


def hide_from_copies():
    """Makes this process one that its copies cannot reach, and returns how to undo that in a copy."""
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        return libc if set_dumpable(libc, False) == 0 else None
    except Exception:  # a Python without ctypes, or without a C library that has prctl
        return None


def set_dumpable(libc, value):
    return libc.prctl(4, int(value), 0, 0, 0)  # PR_SET_DUMPABLE


def play(control, worker, pipes):
    """Plays one episode."""
    os.chdir(worker.setup["folder"])
    sys.path.insert(0, os.getcwd())  # as for a program that lies there
    for pipe in pipes:
        os.set_inheritable(pipe, False)
    requests, answers = os.fdopen(pipes[0], "rb"), os.fdopen(pipes[1], "wb")
    control.detach()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # Processes that the code starts do not hold the pipes, which end with this process.
    os.register_at_fork(after_in_child=requests.close)
    os.register_at_fork(after_in_child=answers.close)
    worker.begin()
    for line in iter(requests.readline, b""):
        answers.write(json.dumps(worker.answer(json.loads(line))).encode() + b"\n")
        answers.flush()


class Worker:
    """Runs code, one call after the other."""

    def __init__(self, setup):
        self.setup = setup
        self.running = False
        self.exits = []  # what the code has registered with atexit, where interpreters are kept

    def prepare(self):
        """Imports what the calls are to find in memory, and says who this is."""
        limit(self.setup)
        failed = {}
        for name in self.setup["imports"]:
            try:
                __import__(name)
            except BaseException as e:  # whatever a package does when it is imported
                failed[name] = "%s: %s" % (type(e).__name__, e)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # what an import has said is nobody's output
        gc.collect()
        gc.freeze()  # a copy shares what is there
        return {"version": "%d.%d.%d" % sys.version_info[:3], "failed": failed}

    def begin(self):
        """Becomes a Python whose main module is the code, which writes to files."""
        folder = os.path.dirname(self.setup["program"])
        self.streams = [open(os.path.join(folder, name), "w+b", 0) for name in ("stdout", "stderr")]
        self.source = open(self.setup["program"], "w+b", 0)
        self.process = os.getpid()
        self.main = sys.modules["__main__"] = types.ModuleType("__main__")
        self.main.__builtins__ = __builtins__
        self.main.__annotations__ = {}
        self.main.__file__ = self.setup["program"]
        threading.excepthook = report_thread
        sys.argv = [self.main.__file__]
        sys.orig_argv = [sys.executable, "-u", self.main.__file__]
        if self.setup["state"] == "fresh":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # wait_for takes it
        else:
            register = atexit.register
            atexit.register = lambda f, *args, **kwargs: self.at_exit(register, f, args, kwargs)

    def at_exit(self, register, f, args, kwargs):
        """Is atexit.register where interpreters are kept: what the code registers runs at the end of its call."""
        if sys._getframe(2).f_globals is not vars(self.main):
            return register(f, *args, **kwargs)
        self.exits.append((f, args, kwargs))
        return f

    def answer(self, request):
        if "files" in request:
            return self.open(request)
        if self.setup["state"] == "fresh":
            self.connect()
            return self.call_in_child(request)
        return self.call(request)

    def connect(self):
        """Makes the standard streams whole again, whatever the call before did to them."""
        for number, name in ((1, "stdout"), (2, "stderr")):
            file = self.streams[number - 1].fileno()
            clear(file)  # of what daemon threads wrote after the end of their call
            os.dup2(file, number)
            stream = getattr(sys, "__%s__" % name)
            try:
                stream.flush()
            except Exception:  # it is closed, or gone
                errors = "backslashreplace" if number == 2 else "surrogateescape"
                raw = open(number, "wb", 0, closefd=False)
                stream = io.TextIOWrapper(raw, encoding="utf-8", errors=errors, write_through=True)
                setattr(sys, "__%s__" % name, stream)
            setattr(sys, name, stream)
        if getattr(sys.__stdin__, "closed", True):
            sys.__stdin__ = open(0, closefd=False)
        sys.stdin = sys.__stdin__

    def open(self, request):
        """Begins an episode: its files, and where its random numbers come from."""
        for name, text in request["files"].items():
            try:
                folder = os.path.dirname(name)
                if folder:
                    os.makedirs(folder, exist_ok=True)
                with open(name, "w", encoding="utf-8", newline="") as f:
                    f.write(text)
            except (OSError, ValueError) as e:
                return {"failed": "write the file %s: %s" % (name, e)}
        random.seed(request["seed"])
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(request["seed"] % 2**32)
        return {}

    def call(self, request):
        """Runs a call here, so that the next one finds its variables."""
        status, late = 0, False
        self.deadline = time.monotonic() + request["timeout"]
        try:
            signal.signal(signal.SIGALRM, self.on_alarm)
            signal.setitimer(signal.ITIMER_REAL, request["timeout"], 1)
            self.connect()
            self.running = True
            try:
                status = self.run(request["code"])
            finally:
                self.running = False
        except TimeUp:
            status, late = 1, True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if status == -signal.SIGINT:
            status = 1
        return self.result(status, late)

    def on_alarm(self, _signal, _frame):
        if self.running and time.monotonic() >= self.deadline:
            raise TimeUp
        if self.running:  # the code has set an alarm, and no handler
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGALRM)

    def call_in_child(self, request):
        """Runs a call in a copy of this process, which ends with the call as a Python does."""
        pid = os.fork()
        if pid == 0:
            os.setsid()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            self.run(request["code"])  # does not return
        late = not wait_for(pid, request["timeout"])
        for end in (os.killpg, os.kill):  # with what it has started; it may not have a group yet
            try:
                end(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        _, ended = os.waitpid(pid, 0)
        status = -os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else os.WEXITSTATUS(ended)
        return self.result(status, late)

    def run(self, code):
        """Runs code as the main module and returns the status that its Python would end with. Ends this process if it
        was started for the call, or by the code."""
        try:
            status = self.execute(code)
            if os.getpid() == self.process:
                wait_for_threads()
                self.run_exits()
                flush(vars(self.main).values())
                return status
        except TimeUp:
            if os.getpid() == self.process:
                raise
            status = 1
        self.end(status)

    def execute(self, code):
        try:
            self.interpret(code)
        except TimeUp:
            raise
        except SystemExit as e:
            return exit_status(e)
        except KeyboardInterrupt:
            report()
            return -signal.SIGINT
        except BaseException:
            report()
            return 1
        return 0

    def interpret(self, code):
        try:
            # For programs that read themselves, and processes that import their main module.
            file, source = self.source.fileno(), code.encode("utf-8", "surrogatepass")
            os.pwrite(file, source, 0)
            if os.fstat(file).st_size > len(source):
                os.ftruncate(file, len(source))
        except OSError:  # the code has used up the space
            pass
        linecache.cache[NAME] = (len(code), None, code.splitlines(True), NAME)
        names = vars(self.main)
        names.pop("__warningregistry__", None)  # what was warned of in the calls before
        tree = ast.parse(code, NAME)
        last = None
        if self.setup["show_value"] and tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, NAME, "exec"), names)
        if last is not None:
            value = eval(compile(last, NAME, "eval"), names)
            if value is not None:
                print(repr(value))

    def run_exits(self):
        while self.exits:
            f, args, kwargs = self.exits.pop()
            try:
                f(*args, **kwargs)
            except Exception:
                report()

    def end(self, status):
        """Ends this process as Python does: after its threads, what is registered with atexit, and its objects."""
        try:
            threading._shutdown()
            self.run_exits()
            atexit._run_exitfuncs()
            sys.modules.pop("__main__", None)
            self.main = None
            gc.collect()
        except BaseException:
            report()
        flush(gc.get_objects())
        if status == -signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        os._exit(status)

    def result(self, status, late):
        """Returns the answer, with the call's output: the beginning and the end if it is long."""
        most = self.setup["output_bytes"]
        texts, cut = [], False
        flush((sys.stdout, sys.stderr))  # the code may have put others there
        for stream in self.streams:
            file = stream.fileno()
            size = os.fstat(file).st_size
            if size <= most:
                text = os.pread(file, most, 0)
            else:
                cut = True
                text = os.pread(file, most // 2, 0) + b"\n[...]\n" + os.pread(file, most // 2, size - most // 2)
            texts.append(text.decode("utf-8", "backslashreplace"))
            clear(file)
        return {"status": status, "late": late, "stdout": texts[0], "stderr": texts[1], "cut": cut}


def clear(file):
    if os.fstat(file).st_size > 0:
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)


def wait_for(pid, seconds):
    """Waits for the end of a process, and returns False if the time is up before."""
    deadline = time.monotonic() + seconds
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        signal.sigtimedwait({signal.SIGCHLD}, left)
    return True


def wait_for_threads():
    """Waits for what a Python waits for before it ends: threads, processes of multiprocessing, and the work of pools.
    Pools themselves stay open: the next call may use them."""
    threads = sys.modules.get("concurrent.futures.thread")
    queues = threads._threads_queues if threads else {}
    pooled = []
    joined = True
    while joined:
        joined = False
        for thread in threading.enumerate():
            if thread.daemon or thread is threading.current_thread():
                continue
            if thread in queues:
                while not queues[thread].empty() or busy(thread, threads._worker):
                    time.sleep(0.002)
            elif hasattr(thread, "pending_work_items"):  # of a pool of processes
                pooled.extend((thread.processes or {}).values())
                while thread.pending_work_items and thread.is_alive():
                    time.sleep(0.002)
            else:
                thread.join()
                joined = True
    processes = sys.modules.get("multiprocessing.process")
    for process in processes.active_children() if processes else ():
        if not process.daemon and process not in pooled:
            process.join()


def busy(thread, waiting):
    """Whether a thread of a pool is at work: it waits for some in one function."""
    frame = sys._current_frames().get(thread.ident)
    return frame is not None and frame.f_code is not waiting.__code__


def flush(objects):
    """Flushes files, where there are some among objects."""
    for file in list(objects):
        try:
            if FILE in type(file).__mro__ and not file.closed and file.writable():
                file.flush()
        except Exception:  # the disk is full, or the other end has gone
            pass


def limit(setup):
    """Sets the limits that a sandbox would have set."""
    for name, value in setup["limits"].items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))


def exit_status(e):
    if e.code is None:
        return 0
    if isinstance(e.code, int):
        return e.code & 0xFF
    print(e.code, file=sys.stderr)
    return 1


def report():
    """Prints the exception as Python does at its end, without this file's part of the traceback."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    try:
        if sys.excepthook is not sys.__excepthook__:
            return sys.excepthook(kind, error.with_traceback(trace), trace)
        print("".join(traceback.format_exception(kind, error, trace)), end="", file=sys.stderr)
    except BaseException:  # of a class whose text cannot be made
        print(kind.__name__, file=sys.stderr)


def report_thread(args):
    """Is threading.excepthook: Python's own looks for the code's lines in a file."""
    if args.exc_type is not SystemExit:
        print("Exception in thread %s:" % (args.thread and args.thread.name), file=sys.stderr)
        traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)


main()
