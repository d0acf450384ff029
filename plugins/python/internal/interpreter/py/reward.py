"""Rewards: a function of the user's, or an object with __call__, judges an episode."""

import asyncio
import inspect
import math
import numbers

import _awhost_judge as judge
import _awhost_loading as loading
import _awhost_trl as trl
from _awhost_driver import OPERATIONS, Refused, described

MOST_COMPONENTS = 100


class Scorer:
    """The user's function, and what it is called with."""

    def __init__(self, request):
        self.batch, self.declared, self.timeout = request["batch"], request["components"], request["timeout"]
        self.loop = None
        module = loading.module_from(request)
        name = request["name"]
        target, arguments = loading.find(module, name), request["arguments"]
        if judge.recognised(target):
            self.concurrent, self.trl = False, False
            self.plan = judge.Plan(target, name, arguments, request["batch"])
            self.concurrent = self.plan.concurrent
            return
        if inspect.isclass(target):
            target, arguments = construct(target, name, arguments), {}
            name += ".__call__"
        if not callable(target):
            raise loading.problem("name", "Not a function", "%s is of type %s, which cannot be called: name a function, or a class with __call__." % (request["name"], type(target).__name__))
        self.concurrent = not self.batch and (inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(getattr(target, "__call__", None)))
        self.trl = trl.recognised(trl.needed(loading.parameters(target, name)), arguments)
        if self.trl:
            self.plan = trl.Plan(target, name, arguments, request["completions"] == "text")
            return
        known = {n: n for n in request["known"]}
        if self.batch:
            known.update({n + "s": n for n in request["known"] if not n.endswith("s")})
        self.plan = loading.CallPlan(target, name, known, arguments)

    def wants(self):
        return sorted(set(self.plan.wanted.values()))

    def score(self, items):
        if self.batch:
            return self.score_batch(items)
        if self.trl and not self.concurrent:
            return [self.score_batch([item])[0] for item in items]
        if self.concurrent:
            return self.settle(self.score_concurrently(items))
        return [self.score_one(item) for item in items]

    def score_one(self, item):
        return self.scored(self.settle(self.plan.call(item)))

    async def score_concurrently(self, items):
        """Judges all items at the same time. One that takes too long is cancelled, if it lets that happen: whoever has
        called waits a little longer than this, and ends the process."""
        tasks = [asyncio.ensure_future(self.one(item)) for item in items]
        _, late = await asyncio.wait(tasks, timeout=self.timeout)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)
        return [{"error": {"summary": "cancelled", "detail": "", "late": True}} if task in late else task.result() for task in tasks]

    async def one(self, item):
        try:
            if self.trl:
                result, metrics = self.plan.start([item])
                return self.split_results(await result, 1, metrics)[0]
            return self.scored(await self.plan.call(item))
        except asyncio.CancelledError:
            raise
        except Refused as refused:
            return {"error": refused.about}
        except BaseException as error:
            return {"error": described(error)}

    def score_batch(self, items):
        if self.trl:
            result, metrics = self.plan.start(items)
            return self.split_results(self.settle(result), len(items), metrics)
        values = {}
        for key in self.wants():
            if any(key in item for item in items):
                values[key] = [item.get(key) for item in items]
        return self.split_results(self.settle(self.plan.call(values)), len(items))

    def split_results(self, results, count, metrics=None):
        """The results of one call for several items. Metrics of the call are components of each."""
        results = results.tolist() if hasattr(results, "tolist") else results
        if not isinstance(results, (list, tuple)) or len(results) != count:
            size = " of %d" % len(results) if isinstance(results, (list, tuple)) else ""
            why = "a reward function of TRL's" if self.trl else "with `batch` it"
            raise Refused(summary="the function returned %s%s for %d %s: %s returns a list with one result for each" % (kind(results), size, count, "item" if count == 1 else "items", why), detail="")
        return [self.attempt(result, metrics) for result in results]

    def attempt(self, result, metrics=None):
        try:
            if self.trl and result is None:
                raise Refused(summary="the function returned None, which makes TRL skip it: awhost then has no "
                    "number, and on_failure \"reward\" applies", detail="")
            return self.scored({**metrics, "score": result} if metrics else result)
        except Refused as refused:
            return {"error": refused.about}
        except BaseException as error:
            return {"error": described(error)}

    def settle(self, result):
        """Waits for what an async function returns. One loop serves all calls, so that sessions and locks may be kept."""
        if not inspect.isawaitable(result):
            return result
        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(waited(result))

    def scored(self, result):
        if not isinstance(result, dict):
            out = {"score": number(result, "the score")}
            self.check_declared({})
            return out
        if "score" not in result:
            raise Refused(summary="the function returned a dict without \"score\"; it has %s" % (loading.listed([repr(k)[:50] for k in result]) or "nothing"), detail="")
        loading.refuse_member_rewards(result)
        out = {"score": number(result["score"], "\"score\"")}
        components = {}
        for name, value in result.items():
            if name == "is_success":
                out["is_success"] = truth(value)
            elif name != "score" and isinstance(name, str) and (name in self.declared or is_number(value)):
                components[name] = number(value, "\"%s\"" % name[:100])
        if len(components) > MOST_COMPONENTS:
            raise Refused(summary="the function returned %d numbers in addition to the score, but at most %d are "
                "kept: return fewer" % (len(components), MOST_COMPONENTS), detail="")
        self.check_declared(components)
        if components:
            out["components"] = components
        return out

    def check_declared(self, components):
        missing = [name for name in self.declared if name not in components]
        if missing:
            raise Refused(summary="the function returned no %s, which `components` declares" % loading.listed(missing), detail="")


async def waited(result):
    return await result


def construct(cls, name, arguments):
    """Makes the one object of a class. `arguments` are its constructor's."""
    if not callable(getattr(cls, "__call__", None)) or "__call__" not in {n for c in cls.__mro__ for n in vars(c)}:
        raise loading.problem("name", "Not a function", "%s is a class without __call__: add the method, or name a function." % name)
    try:
        inspect.signature(cls)
    except (TypeError, ValueError):
        return cls(**arguments)
    try:
        return loading.CallPlan(cls, name, {}, arguments).call({})
    except Refused:
        raise
    except BaseException as error:
        about = described(error)
        raise loading.problem("name", "The object cannot be created: " + about["summary"], about["detail"])


def plain(value):
    """A number of numpy, torch or the like as Python's own, without importing any of them."""
    item = getattr(value, "item", None)
    if callable(item) and not isinstance(value, (bool, int, float, str, bytes, dict)):
        return item()
    return value


def is_number(value):
    if isinstance(value, (str, bytes, complex, type(None))):
        return False
    try:
        value = plain(value)
    except BaseException:
        return False
    return isinstance(value, (bool, int, float, numbers.Real)) or hasattr(type(value), "__float__")


def number(value, what):
    if value is None:
        raise Refused(summary="%s must be a number, not None: check that every path through the function "
            "ends with a return" % what, detail="")
    if isinstance(value, (str, bytes)):
        raise Refused(summary="%s is the text %s: return a number" % (what, repr(value)[:100]), detail="")
    if not is_number(value):
        raise Refused(summary="%s is %s: return a number, a bool, or a dict with \"score\"" % (what, kind(value)), detail="")
    try:
        out = float(plain(value))
    except OverflowError:
        raise Refused(summary="%s is too large for a float" % what, detail="")
    if math.isnan(out) or math.isinf(out):
        raise Refused(summary="%s is %s: a number that is not finite cannot be trained on" % (what, out), detail="")
    return out


def truth(value):
    value = plain(value)
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return bool(value)
    raise Refused(summary="\"is_success\" is %s: return True or False, or leave it out" % repr(value)[:100], detail="")


def kind(value):
    name = type(value).__name__
    return ("an " if name[:1] in "aeiou" else "a ") + name


scorer = None


def load(request):
    global scorer
    scorer = Scorer(request)
    return {"wants": scorer.wants(), "concurrent": scorer.concurrent}


def score(request):
    return scorer.score(request["items"])


OPERATIONS["load_reward"] = load
OPERATIONS["score"] = score
