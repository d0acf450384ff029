"""Agents: a function or a class of the user's plays episodes, many at a time.

A sync function has a thread per episode, an async one a task on the main thread's event loop. What it asks for goes to
the plugin as a line with the id of its own call,

    out  {"id": 7, "ask": 3, "op": "chat", ...}
    in   {"id": 0, "op": "told", "play": 7, "ask": 3, "ok": ...}

and is answered in any order."""

import asyncio
import collections
import copy
import inspect
import json
import threading
import types
import urllib.parse

import _awhost_driver as driver
import _awhost_loading as loading
import _awhost_watch as watch
from _awhost_driver import LATER, OPERATIONS, Refused, described

KNOWN = ("task", "model", "tools", "env", "messages", "prompt", "episode_id", "traceparent", "endpoint", "mcp")


KINDS = []  # (recognised, made): other classes that play episodes than those with run


class ContextFull(Exception):
    """The conversation does not fit the model's context, or the episode has reached a limit. The agent may still answer."""


class AgentError(Exception):
    """The agent asks for something that there is not."""


class EpisodeOver(BaseException):
    """The episode has ended while the agent was at work: nobody waits for it any more."""


class Record(dict):
    """A dict whose items are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("unknown attribute %s; available: %s" % (name, loading.listed([str(k) for k in self]) or "nothing")) from None


class Message(Record):
    """A message in the chat format of OpenAI, by items or by attributes. Its attributes beside the format are `usage`,
    `finish_reason` and `malformed`."""

    def __init__(self, items, call=None, finish_reason=None, usage=None, malformed=None):
        super().__init__(items)
        for name, value in (("_call", call), ("finish_reason", finish_reason), ("usage", usage), ("malformed", malformed or [])):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name in ("content", "tool_calls", "reasoning_content", "refusal", "tool_call_id", "name"):
            return self.get(name)
        return super().__getattr__(name)

    def __deepcopy__(self, memo):
        return Message(record(json.loads(json.dumps(self))), self._call, self.finish_reason, self.usage, self.malformed)

    __copy__ = lambda self: self.__deepcopy__({})
    copy = __copy__

    def model_dump(self, **_):
        return dict(self)


def record(value):
    if isinstance(value, dict):
        return Record((k, record(v)) for k, v in value.items())
    if isinstance(value, list):
        return [record(v) for v in value]
    return value


class Episode:
    """One episode at work."""

    def __init__(self, request):
        self.request, self.id = request, request["id"]
        self.lock, self.asked, self.waiting, self.over = threading.Lock(), 0, {}, False
        self.interrupt = None  # of an async agent
        self.chatted, self.contacts, self.others = False, watch.Contacts(gateway(request["endpoint"])), list

    def ask(self, op, members, settle):
        """Sends a request to the plugin. settle gets the answer, on the thread that reads."""
        with self.lock:
            if self.over:
                raise EpisodeOver()
            self.asked += 1
            self.chatted = self.chatted or op == "chat"
            self.waiting[self.asked] = settle
            try:  # within the lock, so that what is asked for first is sent first
                driver.channel.send(dict({"id": self.id, "ask": self.asked, "op": op}, **members))
            except BaseException:
                del self.waiting[self.asked]
                raise

    def answered(self, number, answer):
        with self.lock:
            settle = self.waiting.pop(number, None)
        if settle is not None:
            settle(answer)

    def end(self):
        """Wakes up everybody who waits."""
        with self.lock:
            if self.over:
                return
            self.over, waiting, self.waiting = True, self.waiting, {}
        for settle in waiting.values():
            settle({"error": {"kind": "over"}})
        if self.interrupt is not None:
            self.interrupt()

    def contacted(self):
        """Whom the agent has asked instead of the policy, as far as that is known; nothing where it found the
        policy."""
        return [] if self.chatted or self.contacts.reached else self.others() + self.contacts.described()


def gateway(endpoint):
    """The host and port of an endpoint."""
    if not endpoint:
        return None
    url = urllib.parse.urlsplit(endpoint["base_url"])
    return url.hostname, url.port or (443 if url.scheme == "https" else 80)


def result_of(answer):
    error = answer.get("error")
    if error is None:
        return answer["ok"]
    if error["kind"] == "over":
        raise EpisodeOver()
    raise (ContextFull if error["kind"] == "context_full" else AgentError)(error["detail"])


def blocking(episode, op, members, then):
    done, box = threading.Event(), []

    def settle(answer):
        box.append(answer)
        done.set()

    episode.ask(op, members, settle)
    done.wait()
    return then(result_of(box[0]))


def awaitable(episode, op, members, then):
    future = driver.loop.create_future()

    def settle(answer):
        driver.loop.call_soon(deliver, answer)

    def deliver(answer):
        if future.cancelled():
            return
        try:
            future.set_result(then(result_of(answer)))
        except EpisodeOver:
            future.cancel()
        except BaseException as error:
            future.set_exception(error)

    episode.ask(op, members, settle)
    return future


class Client:
    """What an agent talks to: the policy, or the environment."""

    def __init__(self, episode, request):
        self._episode, self._request = episode, request

    def _ask(self, op, members, then):
        return self._request(self._episode, op, members, then)


class Model(Client):
    """The policy that is trained.

    model.chat(messages, tools=None, max_tokens=None, stop=None, member=None) -> Message

    `model.chat.completions.create(...)` is the same in the shape of OpenAI's client. How messages are sampled is the
    spec's to say: an agent can lower max_tokens and add stop strings."""

    ContextFull = ContextFull

    @property
    def chat(self):
        return Chat(self)

    def _chat(self, messages, tools=None, max_tokens=None, stop=None, member=None, then=lambda message: message):
        if not isinstance(messages, (list, tuple)) or not messages:
            raise TypeError("messages is a list of messages in the chat format, and not empty")
        plain = [plain_message(m) for m in messages]
        if isinstance(tools, Tools):
            tools = tools.list()
        return self._ask("chat", {
            "messages": plain, "calls": [getattr(m, "_call", None) or "" for m in messages],
            "tools": [plain_tool(t) for t in tools or []], "max_tokens": int(max_tokens or 0),
            "stop": [stop] if isinstance(stop, str) else list(stop or []), "member": member or "",
        }, lambda answer: then(model_message(answer)))


class Chat:
    def __init__(self, model):
        self._model = model
        self.completions = self

    def __call__(self, messages, tools=None, max_tokens=None, stop=None, member=None):
        return self._model._chat(messages, tools, max_tokens, stop, member)

    def create(self, messages, tools=None, max_tokens=None, stop=None, max_completion_tokens=None, **sampling):
        for name in ("stream", "n"):
            if sampling.get(name) not in (None, False, 1):
                raise ValueError("%s is not supported: ask once for each message" % name)

        def completion(message):
            choice = Record(index=0, message=message, finish_reason=message.finish_reason)
            return Record(id=message._call, object="chat.completion", model="policy", choices=[choice], usage=message.usage)

        return self._model._chat(messages, tools, max_tokens or max_completion_tokens, stop, None, completion)


def model_message(answer):
    return Message(record(answer["message"]), answer["call"], answer["finish_reason"], record(answer["usage"]), record(answer.get("malformed") or []))


def plain_message(message):
    if not isinstance(message, dict):
        dump = getattr(message, "model_dump", None)
        if dump is None:
            raise TypeError("a message is a dict such as {\"role\": \"user\", \"content\": \"…\"}, and this is %s" % type(message).__name__)
        message = {k: v for k, v in dump().items() if v is not None}
    return message


def plain_tool(tool):
    function = tool.get("function", tool)
    return {"name": function["name"], "description": function.get("description") or "", "parameters": function.get("parameters")}


class Environment(Client):
    """The environment of the episode.

    env.step(message) -> Record(messages, done, truncated)

    gives it a message of the policy, or one of the agent's own. `done` says whether it has ended the episode."""

    def __init__(self, episode, request, tools):
        super().__init__(episode, request)
        self.tools, self.done = tools, False

    def step(self, message):
        call = getattr(message, "_call", None)
        return self._ask("step", {"call": call} if call else {"message": plain_message(message)}, self._stepped)

    def _stepped(self, answer):
        self.done = self.done or answer["done"]
        if answer.get("tools") is not None:
            self.tools[:] = answer["tools"]
        return Record(messages=[Message(record(m)) for m in answer["messages"]], done=answer["done"], truncated=answer["truncated"])


class Tools(Client):
    """The tools of the environment.

    tools.list()            what the policy may be offered, in the format of OpenAI
    tools.execute(message)  carries out the calls of a message and returns the tool messages, and the next user message
                            if there is one; [] where there is nothing to carry out, or the environment has ended the
                            episode
    tools.call(name, **arguments)  a call of the agent's own; its result as text"""

    def __init__(self, episode, request, env):
        super().__init__(episode, request)
        self._env = env

    def list(self):
        return [Record(type="function", function=Record(record(t))) for t in self._env.tools] if self._env else []

    def __iter__(self):
        return iter(self.list())

    def __len__(self):
        return len(self.list())

    def execute(self, message):
        call = getattr(message, "_call", None)
        message = message if call else plain_message(message)  # of OpenAI's client, for example
        if not self._env or self._env.done or not message.get("tool_calls"):
            return no_answer(self._request)
        members = {"call": call} if call else {"message": message}
        return self._ask("step", members, lambda answer: self._env._stepped(answer).messages)

    def call(self, name, **arguments):
        if not self._env:
            raise AgentError("the agent has no environment: name one in its block")
        own = {"role": "assistant", "content": "", "tool_calls": [
            {"id": "own", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]}
        return self._ask("step", {"message": own}, self._called)

    def _called(self, answer):
        messages = self._env._stepped(answer).messages
        return (messages[0].content or "") if messages else ""


def no_answer(request):
    if request is blocking:
        return []
    future = driver.loop.create_future()
    future.set_result([])
    return future


class Admission:
    """Starts the episodes of an async agent. While the event loop is late, because the episodes need more CPU time than
    there is, others wait: together they would only take longer, and HTTP clients slow down with each open connection."""

    AT_ONCE = 8  # episodes that may always run
    PERIOD = 0.005  # seconds between two looks at the loop
    LATE = 0.02  # seconds

    def __init__(self, run):
        self.run, self.waiting, self.running, self.is_looking = run, collections.deque(), set(), False

    def add(self, episode):
        self.waiting.append(episode)
        self.admit(0)

    def remove(self, episode):
        """Reports whether the episode was still waiting."""
        if episode not in self.waiting:
            return False
        self.waiting.remove(episode)
        return True

    def admit(self, extra):
        while self.waiting and (extra > 0 or len(self.running) < self.AT_ONCE):
            extra -= 1
            task = driver.loop.create_task(self.run(self.waiting.popleft()))
            self.running.add(task)  # the loop keeps only a weak reference
            task.add_done_callback(self.done)
        if self.waiting and not self.is_looking:
            self.is_looking = True
            driver.loop.call_later(self.PERIOD, self.look, driver.loop.time() + self.PERIOD)

    def look(self, due):
        self.is_looking = False
        self.admit(self.AT_ONCE if driver.loop.time() - due < self.LATE else 0)

    def done(self, task):
        self.running.discard(task)
        self.admit(0)


class AgentRunner:
    """The user's function or class."""

    def __init__(self, request):
        module = loading.module_from(request)
        name, arguments = request["name"], request["arguments"]
        known = {n: n for n in request["known"]}
        self.target = loading.find(module, name)
        self.constructor = None
        function = self.target
        self.kind = next((made(self.target, name, arguments) for recognised, made in KINDS
                          if recognised(self.target)), None)
        self.episodes, self.lock = {}, threading.Lock()
        watch.install()
        if self.kind is not None:
            self.concurrent = False
            return
        if inspect.isclass(self.target):
            self.constructor = loading.CallPlan(self.target, name, known, arguments)
            self.method = "run" if callable(getattr(self.target, "run", None)) else "__call__"
            if not any(self.method in vars(c) for c in self.target.__mro__[:-1]):
                raise loading.problem("name", "Not an agent",
                    "%s is a class without run, __call__ or execute: add the method run(self, task, model, tools), "
                    "or AgentJet's execute(self, workflow_task, tuner)." % name)
            function, arguments = getattr(self.target, self.method), {}
            if not isinstance(inspect.getattr_static(self.target, self.method), (staticmethod, classmethod)):
                function = types.MethodType(function, object())  # its signature, less self
            name += "." + self.method
        if not callable(function):
            raise loading.problem("name", "Not an agent", "%s is of type %s, which cannot be called: name a function or a class." % (name, type(function).__name__))
        self.plan = loading.CallPlan(function, name, known, arguments)
        self.concurrent = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        self.admission = Admission(self.run_async)

    def values(self, episode):
        request = episode.request
        ask = awaitable if self.concurrent else blocking
        env = Environment(episode, ask, request["tools"]) if request["environment"] else None
        task = record(request["task"])
        messages = [Message(record(m)) for m in request["messages"]]
        return {
            "task": task, "model": Model(episode, ask), "tools": Tools(episode, ask, env), "env": env, "messages": messages,
            "prompt": next((m.content for m in reversed(messages) if m["role"] == "user"), ""), "episode_id": request["episode_id"],
            "traceparent": request["traceparent"] or None,
            "endpoint": record(request["endpoint"]) if request["endpoint"] else None,
            "mcp": record(request["mcp"]) if request["mcp"] else None,
        }

    def start(self, request):
        episode = Episode(request)
        with self.lock:
            self.episodes[episode.id] = episode
        if self.concurrent:
            self.admission.add(episode)
        else:
            threading.Thread(target=self.run, args=(episode,), name="episode", daemon=True).start()

    def begin(self, episode):
        if self.kind is not None:
            return self.kind.run_episode(episode)
        values, plan = self.values(episode), self.plan
        if self.constructor is not None:  # an object for each episode: they share nothing
            plan = copy.copy(plan)
            plan.function = getattr(self.constructor.call(values), self.method)
        return plan.call(values)

    def run(self, episode):
        watch.current.set(episode.contacts)
        try:
            self.finish(episode, self.answer_of(self.begin(episode)))
        except BaseException as error:
            self.fail(episode, error)

    async def run_async(self, episode):
        task = asyncio.current_task()
        episode.interrupt = task.cancel
        watch.current.set(episode.contacts)
        try:
            if episode.over:
                raise EpisodeOver()
            self.finish(episode, self.answer_of(await self.begin(episode)))
        except BaseException as error:
            self.fail(episode, error)

    def finish(self, episode, result):
        contacted = episode.contacted()
        driver.answer(episode.request, dict(result, contacted=contacted) if contacted else result)
        self.remove(episode)

    def fail(self, episode, error):
        over, contacted = episode.over, episode.contacted()
        self.remove(episode)
        if over:
            driver.refuse(episode.request, {
                "summary": "the episode has ended", "detail": "", "kinds": ["awhost.EpisodeOver"]})
        else:
            about = error.about if isinstance(error, Refused) else described(error)
            if contacted:
                before = about["detail"] + "\n" if about["detail"] else ""
                about = dict(about, detail=before + "Until then it had asked %s." % ", ".join(contacted))
            driver.refuse(episode.request, about)

    def remove(self, episode):
        with self.lock:
            self.episodes.pop(episode.id, None)
        episode.end()

    def find(self, number):
        with self.lock:
            return self.episodes.get(number)

    def answer_of(self, result):
        """What the agent returns: an answer, a dict with more, or None."""
        if result is None or isinstance(result, str):
            return {"answer": result}
        if isinstance(result, Message) or isinstance(result, dict) and "role" in result:
            return {"answer": result.get("content") or ""}
        if isinstance(result, dict):
            unknown = [repr(k)[:50] for k in result if k not in ("answer", "metadata", "reward", "is_success", "metrics")]
            if unknown:
                raise Refused(summary="the agent returned a dict with %s; it may have answer, metadata, reward, is_success and metrics" % loading.listed(unknown), detail="")
            out = dict(result)
            out["answer"] = text(out.get("answer"))
            return out
        return {"answer": text(result)}


def text(answer):
    if answer is None or isinstance(answer, str):
        return answer
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return str(answer)
    if isinstance(answer, Message):
        return answer.content or ""
    raise Refused(summary="the agent's answer is of type %s: return a text, a dict with \"answer\", or None" % type(answer).__name__, detail="")


runner = None


def load(request):
    global runner
    runner = AgentRunner(request)
    if runner.concurrent:
        driver.loop = asyncio.new_event_loop()
    return {"concurrent": runner.concurrent}


def start_episode(request):
    runner.start(request)
    return LATER


def deliver_answer(request):
    episode = runner.find(request["play"])
    if episode is not None:
        episode.answered(request["ask"], request)
    return LATER


def cancel(request):
    episode = runner.find(request["play"])
    if episode is not None:
        episode.end()
        if runner.concurrent and runner.admission.remove(episode):
            runner.fail(episode, EpisodeOver())
    return LATER


OPERATIONS.update({"load_agent": load, "play": start_episode, "told": deliver_answer, "cancel": cancel})
