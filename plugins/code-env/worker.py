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
import gc
import io
import json
import linecache
import os
import random
import resource
import select
import signal
import struct
import tempfile
import time
import traceback

NAME = "<code>"


class TimeUp(BaseException):
    """Is raised where the code stands when its time is up: no handler of Exception catches it."""


def main():
    control = _socket.socket(fileno=0)
    os.dup2(2, 1)  # which was the socket, too
    with os.fdopen(os.dup(0), "rb") as lines:
        worker = Worker(json.loads(lines.readline()))
    answer = worker.prepare()
    libc = library() if worker.setup["again"] and alone() else None
    answer["again"] = libc is not None
    tell(control, answer)
    while True:
        said, rights, _, _ = control.recvmsg(1, _socket.CMSG_SPACE(8))
        if not said:
            return
        pipes = struct.unpack("2i", rights[0][2][:8])
        if libc is None:
            return play(control, worker, pipes)
        pid = os.fork()
        if pid == 0:
            reachable(libc, True)
            return play(control, worker, pipes)
        for pipe in pipes:
            os.close(pipe)
        tell(control, {"ended": os.waitpid(pid, 0)[1]})


def tell(control, answer):
    control.sendall(json.dumps(answer).encode() + b"\n")


def alone():
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


def library():
    """Makes this process one that its copies cannot reach, and returns how to undo that in a copy."""
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        return libc if reachable(libc, False) == 0 else None
    except Exception:  # a Python without ctypes, or without a C library that has prctl
        return None


def reachable(libc, whether):
    return libc.prctl(4, int(whether), 0, 0, 0)  # PR_SET_DUMPABLE


def play(control, worker, pipes):
    """Plays one episode."""
    os.chdir(worker.setup["folder"])
    sys.path.insert(0, os.getcwd())  # as for a program that lies there
    for pipe in pipes:
        os.set_inheritable(pipe, False)
    requests, answers = os.fdopen(pipes[0], "rb"), os.fdopen(pipes[1], "wb")
    control.detach()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    streams = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]
    for number, stream in enumerate(streams, 1):
        os.dup2(stream.fileno(), number)
    sys.stdin = open(0, closefd=False)
    sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), encoding="utf-8", errors="backslashreplace")
    sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), encoding="utf-8", errors="backslashreplace")
    worker.begin(streams)
    for line in iter(requests.readline, b""):
        answers.write(json.dumps(worker.answer(json.loads(line))).encode() + b"\n")
        answers.flush()


class Worker:
    """Runs code, one call after the other."""

    def __init__(self, setup):
        self.setup = setup
        self.running = False
        self.names = {"__name__": "__main__", "__builtins__": __builtins__}

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

    def begin(self, streams):
        """Takes the files that the code writes to."""
        self.streams = streams
        self.own = sys.stdout, sys.stderr

    def answer(self, request):
        if "files" in request:
            return self.open(request)
        if self.setup["state"] == "fresh":
            return self.in_a_child(request)
        return self.run(request, self.names)

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

    def run(self, request, names):
        status, late = 0, False
        try:
            signal.signal(signal.SIGALRM, self.time_is_up)
            self.running = True
            signal.setitimer(signal.ITIMER_REAL, request["timeout"], 1)
            try:
                self.execute(request["code"], names)
            finally:
                self.running = False
        except TimeUp:
            status, late = 1, True
        except SystemExit as e:
            status = exit_status(e)
        except BaseException:
            status = 1
            report()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        stdout, stderr, cut = self.take()
        return {"status": status, "late": late, "stdout": stdout, "stderr": stderr, "cut": cut}

    def time_is_up(self, _signal, _frame):
        if self.running:
            raise TimeUp

    def execute(self, code, names):
        linecache.cache[NAME] = (len(code), None, code.splitlines(True), NAME)
        tree = ast.parse(code, NAME)
        last = None
        if self.setup["show_value"] and tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, NAME, "exec"), names)
        if last is not None:
            value = eval(compile(last, NAME, "eval"), names)
            if value is not None:
                print(repr(value))

    def take(self):
        """Returns what was written since the last time, the beginning and the end of what is too long."""
        most = self.setup["output_bytes"]
        texts, cut = [], False
        for stream in (sys.stdout, sys.stderr, *self.own):
            try:
                stream.flush()
            except Exception:  # the code has closed it, or put something else in its place; or the disk is full
                pass
        sys.stdout, sys.stderr = self.own
        for number in (1, 2):
            file = self.streams[number - 1].fileno()
            size = os.fstat(file).st_size
            if size <= most:
                text = os.pread(file, most, 0)
            else:
                cut = True
                text = os.pread(file, most // 2, 0) + b"\n[...]\n" + os.pread(file, most // 2, size - most // 2)
            texts.append(text.decode("utf-8", "backslashreplace"))
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
        return texts[0], texts[1], cut

    def in_a_child(self, request):
        """Runs a call in a copy of this process, which ends with the call."""
        receiving, sending = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(receiving)
            os.setsid()
            answer = self.run(request, self.names)
            with os.fdopen(sending, "wb") as f:
                f.write(json.dumps(answer).encode())
            os._exit(0)
        os.close(sending)
        text = read_until(receiving, request["timeout"] + 1)
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # it has ended, or has not begun
        _, ended = os.waitpid(pid, 0)
        if text:
            return json.loads(text)
        late = text is None
        stdout, stderr, cut = self.take()
        status = -os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else os.WEXITSTATUS(ended)
        return {"status": status, "late": late, "stdout": stdout, "stderr": stderr, "cut": cut}


def read_until(file, seconds):
    """Reads a pipe to its end. Returns None if the time is up before."""
    deadline = time.monotonic() + seconds
    parts = []
    with os.fdopen(file, "rb", buffering=0) as f:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([f], [], [], left)[0]:
                return None
            part = f.read(1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)


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
    """Prints the traceback of the code, without this file's part of it."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    try:
        print("".join(traceback.format_exception(kind, error, trace)).rstrip("\n"), file=sys.stderr)
    except BaseException:  # of a class whose text cannot be made
        print(kind.__name__, file=sys.stderr)


main()
