"""Reward functions of TRL's: called as its GRPOTrainer calls them (trl/trainer/grpo_trainer.py, _calculate_rewards).

    def reward(completions, prompts=…, **columns) -> list[float]

All it gets are lists with one element for each item: completions, prompts, and every other column of the tasks by its name. It
is known by a parameter `completions`, or completion_ids, without a default.
"""

import inspect

import _awhost_loading as loading
from _awhost_driver import Refused

MARKS = ("completions", "completion_ids")
# What GRPOTrainer passes and a reward of awhost does not have.
TRAINERS = {
    "completion_ids": "tokens stay with the trainer",
    "trainer_state": "a reward does not know how far its trainer is",
    "environments": "the environment is another plugin: read the messages, or the turn rewards",
}
# Columns that GRPOTrainer leaves out.
OWN = ("prompt", "completion", "completion_ids")
VALUES = ("messages", "prompt_messages", "task", "final_answer", "solution_str")


def recognised(needed, arguments):
    """Whether a function with these parameters without a default is one of TRL's. Those with a default tell
    nothing: a function of one's own may have them."""
    return any(mark in needed and mark not in arguments for mark in MARKS)


def needed(parameters):
    """The names of those of a signature's parameters that have no default."""
    return [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def check_parameters(what, needed, arguments):
    """Refuses a function that needs what only a trainer has. needed are its parameters without a default."""
    for name in needed:
        if name in TRAINERS and name not in arguments:
            raise loading.problem("name", "Parameter of TRL's trainer", "%s requires %s, and %s. Give it a default, or set it in `arguments`." % (what, name, TRAINERS[name]))


class Plan:
    """What a function is called with."""

    def __init__(self, function, what, arguments, text):
        self.function, self.arguments, self.text = function, arguments, text
        self.named, self.positional, self.everything = [], [], False
        parameters = loading.parameters(function, what)
        self.required = needed(parameters)
        for p in parameters:
            if p.kind == p.VAR_KEYWORD:
                self.everything = True
            elif p.kind != p.VAR_POSITIONAL:
                self.named.append(p.name)
                if p.kind == p.POSITIONAL_ONLY:
                    self.positional.append(p.name)
        check_parameters(what, self.required, arguments)
        unused = [name for name in arguments if name not in self.named]
        if unused and not self.everything:
            raise loading.problem("arguments", "Unused argument", "%s has no parameter %s." % (what, loading.listed(unused)))
        self.wanted = {name: name for name in VALUES}

    def start(self, items):
        """Calls the function for some items. Its result, which may have to be waited for, and what it logs by log_metric."""
        metrics = {}
        given = {**columns(items), **conversations(items, self.text), "log_metric": metrics.__setitem__, "log_extra": lambda column, values: None, **self.arguments}
        missing = [name for name in self.required if name not in given]
        if missing:
            raise Refused(summary="the tasks have no column %s, which the function requires: add it to the dataset, map one to it, or give the parameter a default" % loading.listed(missing), detail="")
        if not self.everything:
            given = {name: given[name] for name in self.named if name in given}
        return self.function(*[given.pop(name) for name in self.positional if name in given], **given), metrics


def columns(items):
    """The tasks' columns as lists; None where a task lacks one that others have."""
    tasks = [item.get("task") or {} for item in items]
    names = dict.fromkeys(name for task in tasks for name in task if name not in OWN)
    return {name: [task.get(name) for task in tasks] for name in names}


def conversations(items, text):
    prompts, completions = zip(*(conversation(item, text) for item in items))
    return {"prompts": list(prompts), "completions": list(completions)}


def conversation(item, text):
    """Prompt and completion: messages, or text. The completion begins with the first message that the policy wrote."""
    messages, before = item.get("messages") or [], item.get("prompt_messages", 0)
    prompt, completion = messages[:before], messages[before:]
    asked = (item.get("task") or {}).get("prompt")
    if not messages:  # recorded without its messages
        prompt = asked if isinstance(asked, list) else [{"role": "user", "content": "" if asked is None else str(asked)}]
        completion = [{"role": "assistant", "content": item.get("final_answer", "")}]
    if not text:
        return prompt, completion
    if not isinstance(asked, str):
        asked = "\n".join(str(m.get("content") or "") for m in prompt)
    return asked, item.get("solution_str", "").rstrip("\n") if len(completion) > 1 else completion[0]["content"] or "" if completion else ""
