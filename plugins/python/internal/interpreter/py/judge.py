"""Judges of AgentJet's: a class with `compute_reward(workflow_task, workflow_output)`, which returns the reward and
whether the episode is a success."""

import inspect

import _awhost_ajet as ajet
import _awhost_loading as loading
from _awhost_driver import Refused

WANTED = ("task", "task_columns", "task_id", "messages", "prompt_messages", "final_answer", "metadata", "episode_id")


def recognised(target):
    return inspect.isclass(target) and callable(getattr(target, "compute_reward", None))


class Plan:
    """The one judge of a class, and what it is called with."""

    def __init__(self, cls, name, arguments, batch):
        if batch:
            raise loading.problem("batch", "A judge judges one episode", "%s has compute_reward, which gets one "
                                                                         "episode: leave batch out." % name)
        if "config" in inspect.signature(cls).parameters:
            self.judge = cls(ajet.Config(arguments))
        else:
            self.judge = loading.CallPlan(cls, name, {}, arguments).call({})
        try:
            inspect.signature(self.judge.compute_reward).bind(None, None)
        except TypeError as error:
            raise loading.problem("name", "Not a judge", "%s.compute_reward is called as "
                                                         "compute_reward(workflow_task, workflow_output), by "
                                                         "position: %s."
                                  % (name, error))
        self.concurrent = inspect.iscoroutinefunction(self.judge.compute_reward)
        self.wanted = {name: name for name in WANTED}

    def call(self, item):
        result = self.judge.compute_reward(task_of(item), output_of(item))
        return awaited(result) if inspect.isawaitable(result) else scored(result)


async def awaited(result):
    return scored(await result)


def task_of(item):
    columns = ajet.with_columns(item["task"], item["task_columns"])
    task = ajet.task_of(columns, item["task_id"], item["messages"][:item["prompt_messages"]])
    task.metadata = {**columns, **task.metadata}  # a judge may see what is private
    return ajet.WorkflowTask(task=task, task_id=task.task_id, env_type=task.env_type, task_tag="T" + task.task_id,
        episode_uuid=item["episode_id"])


def output_of(item):
    metadata = dict(item["metadata"])
    metadata.setdefault("final_answer", item["final_answer"])
    return ajet.WorkflowOutput(metadata=metadata)


def scored(result):
    """A pair of reward and success, or a number alone, as a reward function returns it."""
    if not isinstance(result, tuple):
        return result
    if len(result) != 2:
        raise Refused(summary="compute_reward returned %d values: return the reward and whether it is a success"
            % len(result), detail="")
    if isinstance(result[0], (list, tuple)):
        raise Refused(summary="compute_reward returned a list of %d rewards: an episode has one reward, as in "
                              "AgentJet" % len(result[0]), detail="")
    out = {"score": result[0]}
    if result[1] is not None:
        out["is_success"] = bool(result[1])
    return out
