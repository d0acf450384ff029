"""The Python side of awhost's plugin "python": it serves calls over two pipes, one JSON object per line.

    in   {"id": 7, "op": "score", ...}
    out  {"id": 7, "ok": ...}  or  {"id": 7, "error": {...}}

An operation is a function that other parts of the driver register in OPERATIONS. It gets the request and returns the
answer, raises Refused, or returns LATER and calls answer() itself, from any thread. A user's code runs in this process,
so everything here is prepared for what it may do: print, write to descriptors, close them, fork, replace modules.
Standard library only; Python 3.8 and newer.
"""

import fcntl
import json
import os
import resource
import sys
import threading
import traceback

LATER = object()
OPERATIONS = {}

# What is bound here stays what it is when somebody replaces json.dumps or os.write.
_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
_read, _write, _fstat, _getpid, _exit = os.read, os.write, os.fstat, os.getpid, os._exit

MOST_DETAIL = 6000  # characters of an error
MOST_ANSWER = 4 << 20  # bytes of a line


class Refused(Exception):
    """An error that is an answer: `about` becomes its JSON."""

    def __init__(self, **about):
        super().__init__(about)
        self.about = about


class Pipe:
    """A descriptor that only the driver uses. Its number is high, out of the way of code that closes all low ones, and
    it is checked before use, because a closed number may come to belong to a file of the user's."""

    def __init__(self, descriptor):
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY or soft > 4096:
            soft = 4096
        self.descriptor = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, max(8, soft - 32))
        os.close(descriptor)
        self.identity = self._look()

    def _look(self):
        about = _fstat(self.descriptor)
        return about.st_dev, about.st_ino

    def check(self):
        try:
            if self._look() == self.identity:
                return
        except OSError:
            pass
        end("the code has closed descriptors that are not its own: close only what you have opened")


def end(why):
    """Gives up: whoever started the interpreter sees why, and starts another."""
    try:
        _write(2, ("awhost: " + why + "\n").encode("utf-8", "backslashreplace"))
    finally:
        _exit(70)


class Channel:
    """Both pipes."""

    def __init__(self, requests, answers):
        self.requests, self.answers = Pipe(requests), Pipe(answers)
        self.owner = _getpid()
        self.lock = threading.Lock()
        self.rest = b""  # the beginning of a line

    def receive(self):
        """Waits for input and returns its complete lines, or None at its end."""
        self.requests.check()
        piece = _read(self.requests.descriptor, 1 << 18)
        if not piece:
            return None  # the plugin is gone, or wants nothing more
        if b"\n" not in piece:
            self.rest += piece  # of a long line
            return []
        lines = (self.rest + piece).split(b"\n")
        self.rest = lines.pop()
        return lines

    def send(self, message):
        data = _encode(message).encode("ascii") + b"\n"
        if len(data) > MOST_ANSWER:
            about = {"summary": "The answer is too large", "detail": "it has %d bytes of JSON, and %d are allowed" % (len(data), MOST_ANSWER)}
            data = _encode({"id": message.get("id"), "error": about}).encode("ascii") + b"\n"
        if _getpid() != self.owner:
            _exit(0)  # a fork that came back from the user's code is not who was asked
        with self.lock:
            self.answers.check()
            view = memoryview(data)
            while view:
                view = view[_write(self.answers.descriptor, view):]


channel = None  # set by main


def answer(request, ok):
    channel.send({"id": request.get("id"), "ok": ok})


def refuse(request, about):
    channel.send({"id": request.get("id"), "error": about})


loop = None  # the event loop that reads the requests, if the user's code is async


def serve():
    """Serves until the input ends. With an event loop, the loop waits for the input: a second thread that waits would
    compete with it for the interpreter."""
    while loop is None:
        serve_input()
    loop.add_reader(channel.requests.descriptor, serve_input)
    while True:
        try:
            loop.run_forever()
        except BaseException:  # SystemExit of a task: nothing ends the interpreter but its plugin
            pass


def serve_input():
    """Waits for input and serves its lines."""
    lines = channel.receive()
    if lines is None:
        _exit(0)
    for line in lines:
        serve_line(line)


def serve_line(line):
    request = {"id": int(line[6:line.index(b",")])}  # for a line that cannot be decoded, such as one nested too deeply
    try:
        request = _decode(line.decode("utf-8", "replace"))
        result = OPERATIONS[request["op"]](request)
        if result is not LATER:
            answer(request, result)
    except Refused as refused:
        refuse(request, refused.about)
    except BaseException as error:  # also SystemExit: nothing ends the interpreter but its plugin
        refuse(request, described(error))


def main(requests=3, answers=4):
    global channel
    channel = Channel(requests, answers)
    leave_stdin()
    channel.send({"id": 0, "ok": {"version": "%d.%d.%d" % sys.version_info[:3], "executable": sys.executable or "", "prefix": sys.prefix}})
    serve()


def leave_stdin():
    """Gives the user's code an empty standard input. The real one ends with the plugin; where the kernel does not end
    orphans, a thread watches it."""
    lifeline = os.dup(0)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    if sys.platform.startswith("linux"):
        os.close(lifeline)
        return
    threading.Thread(target=lambda: (_read(lifeline, 1), _exit(3)), daemon=True).start()


def described(error):
    """An exception as an error: what kind it is, and its traceback without the driver's own frames."""
    kinds = []
    for kind in type(error).__mro__:
        kinds.append(kind.__qualname__)
        kinds.append(kind.__module__ + "." + kind.__qualname__)
    return {"summary": one_line(error), "detail": trimmed(error), "kinds": kinds}


def one_line(error):
    if isinstance(error, SystemExit):
        return "the code called sys.exit(%s)" % ("" if error.code is None else repr(error.code)[:200])
    try:
        text = str(error)
    except BaseException:
        text = "its text cannot be made"
    lines = text.strip().splitlines()
    text = type(error).__name__ + (": " + lines[0] if lines else "")
    return text if len(text) <= 500 else text[:500] + "…"


def trimmed(error):
    """The traceback from the user's first frame to the last, bounded."""
    frames = error.__traceback__
    while frames is not None and own_file(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    last, place = None, frames
    while place is not None:
        if not own_file(place.tb_frame.f_code.co_filename):
            last = place
        place = place.tb_next
    if last is not None:
        last.tb_next = None
    try:
        text = "".join(traceback.format_exception(type(error), error, frames)).rstrip()
    except BaseException:
        return one_line(error)
    if len(text) > MOST_DETAIL:
        text = text[: MOST_DETAIL // 4] + "\n  […]\n" + text[-MOST_DETAIL * 3 // 4:]
    return text


def own_file(name):
    return name.startswith("<awhost")
