"""Workflows of AgentJet's: a class with `async execute(workflow_task, tuner)` plays an episode. As there, each has an
object, a thread and an event loop of its own, so that code that blocks keeps nobody else waiting."""

import ast
import asyncio
import inspect
import json

import _awhost_agent as agent
import _awhost_ajet as ajet
import _awhost_loading as loading
import _awhost_tuner as tuner
from _awhost_driver import Refused
from _awhost_reward import is_number, plain


def recognised(target):
    """Whether a class is a workflow, and no agent of awhost's."""
    if not inspect.isclass(target) or not callable(getattr(target, "execute", None)):
        return False
    return issubclass(target, ajet.Workflow) or not any(callable(vars(c).get(n)) for c in target.__mro__[:-1]
        for n in ("run", "__call__"))


class Workflow:
    """A user's class, and how an episode is played with it."""

    def __init__(self, cls, name, constants):
        self.cls, self.name = cls, name
        self.config = ajet.TunerConfig()
        fields = ajet.declared(cls) if cls.__init__ is ajet.Fields.__init__ else inspect.signature(cls).parameters
        if "config" not in fields and isinstance(constants.get("config"), dict):
            self.config = ajet.TunerConfig(constants["config"])
            constants = {n: v for n, v in constants.items() if n != "config"}
        self.constructor, self.given = None, constants
        if cls.__init__ is ajet.Fields.__init__:
            unknown = [n for n in constants if n not in ajet.declared(cls)]
            if unknown:
                raise loading.problem("arguments", "Unused argument", "%s has no field %s." % (name,
                    loading.listed(unknown)))
        else:
            self.constructor = loading.CallPlan(cls, name, {"name": "name"} if needs_name(cls) else {}, constants)
        self.check_execute()

    def check_execute(self):
        """Refuses an execute that cannot be called with a task and a tuner."""
        function = inspect.getattr_static(self.cls, "execute")
        bound = () if isinstance(function, (staticmethod, classmethod)) else (None,)
        try:
            inspect.signature(getattr(self.cls, "execute")).bind(*bound, None, None)
        except TypeError as error:
            raise loading.problem("name", "Not a workflow", "%s.execute is called as execute(workflow_task, tuner), "
                                                            "by position: %s." % (self.name, error))
        if self.cls.execute is ajet.Workflow.execute:
            raise loading.problem("name", "Not a workflow", "%s has no execute: add async def execute(self, "
                                                            "workflow_task, tuner)." % self.name)

    def make(self):
        if self.constructor is None:
            return self.cls(**self.given)
        return self.constructor.call({"name": self.name})

    def run_episode(self, episode):
        """Plays an episode, and returns what an agent returns."""
        result, error = asyncio.run(self.attempt(episode))
        if error is not None:
            raise error
        return result

    async def attempt(self, episode):
        """Keeps asyncio out of the traceback."""
        try:
            return await self.run(episode), None
        except BaseException as error:
            return None, error

    async def run(self, episode):
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        episode.interrupt = lambda: interrupt(loop, task)
        if episode.over:
            raise agent.EpisodeOver()
        if not episode.request["endpoint"]:
            raise Refused(summary="a workflow asks the policy by the endpoint of its episode, and the host serves "
                                  "none here", detail="")
        flow = self.make()
        targets = getattr(flow, "trainable_targets", None)
        lease = tuner.Lease(episode.request["endpoint"], [targets] if isinstance(targets, str) else list(targets or []))
        episode.others = lambda: untrained(lease)
        asker = tuner.model_class(tuner.AjetTuner)(lease)
        asker.config = self.config
        try:
            result = flow.execute(task_of(episode), asker)
            if inspect.isawaitable(result):
                result = await result
        finally:
            await lease.close()
        out = returned(result)
        if lease.debug_calls:
            out["metrics"]["debug_model_calls"] = lease.debug_calls
        return out


def interrupt(loop, task):
    try:
        loop.call_soon_threadsafe(task.cancel)
    except RuntimeError:
        pass  # the loop has ended, and with it what is to be interrupted


def needs_name(cls):
    found = inspect.signature(cls).parameters.get("name")
    return found is not None and found.default is found.empty and found.kind is not found.VAR_KEYWORD


def task_of(episode):
    request = episode.request
    named = request["columns"] or {}
    columns = ajet.with_columns(request["task"], named)
    task = ajet.task_of(columns, request["task_id"], request["messages"])
    task.metadata = Metadata(task.metadata, named.get("ground_truth"))
    return ajet.WorkflowTask(
        task=task, task_id=task.task_id, env_type=task.env_type, task_tag="T%s#R%s" % (task.task_id, request["place"]
            or request["episode_id"]),
        episode_uuid=request["episode_id"], observation_window={"step": [0], "stop": [False], "token": [0]},
        gym_env=Gym(episode) if request["environment"] else None)


class Metadata(dict):
    """The metadata of a task. It names the remedy where a workflow reads what is private."""

    def __init__(self, columns, truth):
        super().__init__(columns)
        self._truth = truth

    def _private(self, name):
        """The private column that a name means, if it is known to be private."""
        known = {"ground_truth": self._truth, self._truth: self._truth}
        if self._truth and self._truth.startswith("metadata."):
            known[self._truth[len("metadata."):]] = self._truth
        return None if name in self else known.get(name)

    def __missing__(self, name):
        private = self._private(name) or name
        raise Missing("the workflow reads %r of its task's metadata, which has %s. %s: write private = [%s] in the "
                      "agent's block to hand it to the workflow" % (name, loading.listed([str(k) for k in self]) or
                      "nothing", "It is private" if self._private(name) else "If it is a private column",
                      json.dumps(private, ensure_ascii=False)))

    def get(self, name, default=None):
        if self._private(name):
            return self[name]
        return super().get(name, default)

    def __reduce__(self):
        return Metadata, (dict(self), self._truth)


class Missing(KeyError):
    """Prints its text, which KeyError prints as a literal."""

    def __str__(self):
        return self.args[0]


class Gym:
    """The environment of the episode, as AgentJet's workflows step it."""

    def __init__(self, episode):
        self.environment = agent.Environment(episode, agent.blocking, episode.request["tools"])

    def step(self, action):
        """Gives the environment a message. What it answers is the observation: the text of one message, or a list."""
        message = dict(action, role=action.get("role") or "assistant", content=text_of(action.get("content")))
        answer = self.environment.step(message)
        messages = [dict(m) for m in answer.messages]
        one = len(messages) == 1 and messages[0]["role"] != "tool"
        observation = messages[0].get("content") or "" if one else messages
        return observation, 0.0, bool(answer.done), {"truncated": answer.truncated}

    def reset(self):
        raise RuntimeError("an environment begins once, with its episode")

    def evaluate(self, *_, **__):
        raise RuntimeError("what an episode is worth is for the rewards of the spec: return "
                           "WorkflowOutput(reward=None)")


def text_of(content):
    if isinstance(content, list):
        return "".join(p.get("text") or "" for p in content if isinstance(p, dict))
    return content if content is not None else ""


def returned(output):
    """What a workflow returns, as an agent of awhost returns it."""
    if not all(hasattr(output, name) for name in ("reward", "metadata")):
        raise Refused(summary="the workflow returned %s: return WorkflowOutput(reward=…, metadata={…}), with "
                              "reward=None for the rewards of the spec"
                      % ("None" if output is None else "an object of type " + type(output).__name__), detail="")
    metadata = dict(output.metadata or {})
    loading.refuse_member_rewards({**getattr(output, "__dict__", {}), **metadata})
    out = {"answer": answer_of(metadata.get("final_answer")), "metadata": kept(metadata, "metadata"),
        "metrics": metrics_of(output, metadata)}
    if output.reward is not None:
        out["reward"] = reward_of(output.reward)
    success = getattr(output, "is_success", None)
    if success is not None:
        out["is_success"] = bool(plain(success))
    return out


def reward_of(value):
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0):
        raise Refused(summary="the workflow's reward is a list of %d: an episode has one reward, as in AgentJet. "
                              "Return their sum, or reward=None and "
                      "score turns in the environment (turn rewards)" % len(value), detail="")
    if not is_number(value):
        raise Refused(summary="the workflow's reward is of type %s: return a number, or None for the rewards of the "
                              "spec" % type(value).__name__, detail="")
    number = float(plain(value))
    if number != number or number in (float("inf"), float("-inf")):
        raise Refused(summary="the workflow's reward is %s, which cannot be trained on" % number, detail="")
    return number


def answer_of(value):
    """The final answer as a text. One that is AgentScope's blocks, written by Python's str(), is their text."""
    if value is None:
        return None
    if isinstance(value, str):
        return submitted_answer(value) or value
    if isinstance(value, list) and blocks(value):
        return texts(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return json.dumps(kept(value, "metadata.final_answer"), ensure_ascii=False)


def submitted_answer(text):
    if not text.startswith("[{") or not text.endswith("}]"):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return texts(value) if isinstance(value, list) and blocks(value) else None


def blocks(value):
    return value and all(isinstance(b, dict) and isinstance(b.get("type"), str)
        for b in value) and any(b["type"] == "text" for b in value)


def texts(value):
    return "\n".join(b.get("text") or "" for b in value if b["type"] == "text")


def kept(value, name):
    """A value as JSON can hold it."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, dict):
        return {str(k): kept(v, "%s[%r]" % (name, k)) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [kept(v, "%s[%d]" % (name, i)) for i, v in enumerate(value)]
    if is_number(value) and not getattr(value, "ndim", 0):
        number = plain(value)
        number = number if isinstance(number, int) else float(number)
        if number != number or number in (float("inf"), float("-inf")):
            raise Refused(summary="%s is %s, which JSON does not support: omit it or write "
                "it as a text" % (name, number), detail="")
        return number
    for method in ("model_dump", "to_dict", "tolist"):
        if callable(getattr(value, method, None)):
            return kept(getattr(value, method)(), name)
    raise Refused(summary="%s is of type %s: rewards get metadata as JSON, so give texts, numbers, lists and dicts"
        % (name, type(value).__name__), detail="")


MOST_METRICS = 200


def metrics_of(output, metadata):
    """log_metrics as numbers. Lists are averaged, and dicts are names with slashes; statistics of tools and of rewards
    have AgentJet's names."""
    logged = dict(getattr(output, "log_metrics", None) or {})
    out = {}
    tools = logged.pop("tool_stats", None) or metadata.get("tool_stats")
    if isinstance(tools, dict):
        out.update(tool_metrics(tools))
    if isinstance(metadata.get("reward_stats"), dict) and "reward_stats" not in logged:
        flatten("reward_stats", {k: v for k, v in metadata["reward_stats"].items() if is_number(v)}, out)
    for name, value in logged.items():
        flatten(str(name), value, out)
    if len(out) > MOST_METRICS:
        raise Refused(summary="the workflow logged %d metrics, and at most %d are kept: log fewer" % (len(out),
            MOST_METRICS), detail="")
    return out


def flatten(name, value, out):
    if isinstance(value, dict):
        for key, inner in value.items():
            flatten("%s/%s" % (name, key), inner, out)
        return
    value = value.tolist() if getattr(value, "ndim", 0) else value
    if isinstance(value, (list, tuple)):
        if not value:
            return
        value = mean([figure(name, v) for v in value])
    out[name] = figure(name, value)


def figure(name, value):
    if not is_number(value):
        raise Refused(summary="log_metrics[%r] is of type %s: log numbers, and put the rest into metadata" % (name,
            type(value).__name__), detail="")
    number = float(plain(value))
    if number != number or number in (float("inf"), float("-inf")):
        raise Refused(summary="log_metrics[%r] is %s: log numbers that are finite" % (name, number), detail="")
    return number


def mean(values):
    return sum(values) / len(values)


def tool_metrics(stats):
    """An episode's tool_stats under the names that AgentJet gives those of a batch. A rate of nothing is left out."""
    out = {}
    for name, key in (("total_calls", "total_calls"), ("success_calls", "success_calls"), ("error_calls",
        "total_errors"),
                      ("cache_hits", "cache_hits"), ("cache_misses", "cache_misses")):
        if key in stats:
            out["tool_stats/tool_" + name] = figure("tool_stats", stats[key])
    rate(out, "tool_stats/tool_success_rate", stats.get("success_calls", 0), stats.get("total_calls", 0))
    hits, misses = stats.get("cache_hits", 0), stats.get("cache_misses", 0)
    rate(out, "tool_stats/tool_cache_hit_rate", hits, hits + misses)
    for tool, times in (stats.get("tool_time") or {}).items():
        times = [figure("tool_stats", t) for t in times] if isinstance(times, (list, tuple)) else []
        if times:
            out["tool_time/%s/mean" % tool], out["tool_time/%s/max" % tool] = mean(times), max(times)
    for tool, cache in (stats.get("tool_cache_stats") or {}).items():
        rate(out, "tool_cache/%s/hit_rate" % tool, cache.get("hits", 0), cache.get("hits", 0) + cache.get("misses", 0))
    for tool, errors in (stats.get("tool_error_stats") or {}).items():
        rate(out, "tool_error/%s/error_rate" % tool, errors.get("errors", 0), errors.get("calls", 0))
        out["tool_error/%s/calls" % tool] = figure("tool_stats", errors.get("calls", 0))
    return out


def rate(out, name, part, whole):
    if whole:
        out[name] = 100.0 * part / whole


def untrained(lease):
    """Whom the members that are not trained have asked, as a place that was contacted."""
    others = sorted(t for t in lease.tags if lease.trainable and t not in lease.trainable)
    if not others or not lease.debug_calls:
        return []
    return ["the debug models of %s (trainable_targets has %s)" % (loading.listed(others),
        loading.listed(lease.trainable))]


agent.KINDS.append((recognised, Workflow))
