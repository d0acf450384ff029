"""Plugins for awhost in Python: rewards, environments, agents, and adapters of training frameworks. The guide is
docs/guides/python-sdk.md.

    import awhost

    @awhost.reward("exact", needs=["ground_truth"])
    def exact(item: awhost.Item, *, ignore_case: bool = False) -> float:
        \"\"\"1 when the answer is exactly the ground truth.

        ignore_case: whether Paris equals paris
        \"\"\"
        fold = str.lower if ignore_case else str
        return float(fold(item.answer) == fold(item.task.ground_truth))

    if __name__ == "__main__":
        awhost.serve("exact", "1.0.0", exact)

This module imports neither grpc nor protobuf: they are imported when a plugin is served. awhost.adapter contains the
base class of adapters, awhost.bridge the bridge for their trainers, awhost.testing the helpers for tests without a
host. awhost.train runs the program to train with functions.
"""

from .component import Agent, Component, Environment, Reward, Setup, agent, reward, tool
from .errors import ConfigError, Diagnostic, Error, Failure, GenerateError, NoTrainer, SessionLost, ToolError, Unavailable
from .hints import Field, Secret
from .messages import (
    Answer, Attachment, Closed, Image, Item, Malformed, Message, Opened, Reply, Result, Score, Start, Step, Task, Tool,
    ToolCall, assistant, system, tool_result, user,
)
from .plugin import Plugin, serve
from .tracing import traceparent
from .version import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .agents import Episode, SyncEpisode
    from .training import TrainError, TrainResult, train


def __getattr__(name: str) -> object:
    if name in ("Episode", "SyncEpisode"):  # they import protobuf
        from . import agents

        return getattr(agents, name)
    if name in ("TrainError", "TrainResult", "train"):  # plugins do not need them
        from . import training

        return getattr(training, name)
    raise AttributeError(f"module awhost has no attribute {name!r}")


__all__ = [
    "Agent", "Answer", "Attachment", "Closed", "Component", "ConfigError", "Diagnostic", "Environment", "Episode", "Error", "Failure", "Field", "GenerateError",
    "Image", "Item", "Malformed", "Message", "NoTrainer", "Opened", "Plugin", "Reply", "Result", "Reward", "Score", "Secret", "SessionLost", "Setup", "Start",
    "Step", "SyncEpisode", "Task", "Tool", "ToolCall", "ToolError", "TrainError", "TrainResult", "Unavailable", "__version__", "agent", "assistant", "reward",
    "serve", "system", "tool", "tool_result", "traceparent", "train", "user",
]
