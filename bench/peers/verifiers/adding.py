"""The task and its reward."""

import os

import task
import verifiers.v1 as vf
from desk import Desk

__all__ = ["Adding"]


class Data(vf.TaskData):
    """One question."""

    number: int


class Question(vf.Task[Data]):
    """A task with its reward."""

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        """Returns 1 for the correct answer."""
        if "RAISE" in os.environ and self.data.number % 20 == 7:
            raise RuntimeError("the reward raises on purpose")
        return task.score(self.data.number, trace.last_reply)


class Config(vf.TasksetConfig):
    """The number of tasks, and the tool."""

    num_tasks: int = 100
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class Adding(vf.Taskset[Question, Config]):
    """All questions."""

    @classmethod
    def toolsets(cls, config: Config) -> list[vf.Toolset]:
        """Returns the tool."""
        return [Desk(config.tools)]

    def load(self):
        """Yields the tasks."""
        for i in range(self.config.num_tasks):
            yield Question(Data(prompt=task.question(i), number=i), self.config.task)
