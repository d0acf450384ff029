"""What a plugin can say about what went wrong. The table of status codes is at the head of plugin.proto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Mapping, Sequence

FailureClass = Literal["POLICY", "MODEL", "ENVIRONMENT", "REWARD", "AGENT", "INFRASTRUCTURE", "TIMEOUT"]
GenerateKind = Literal["context_full", "aborted", "engine", "paused", "refused"]


class Error(Exception):
    """A problem with a text for the user. Anything else that a component raises is a bug of the plugin, and is reported with its traceback."""


class Failure(Error):
    """An outcome without a number, which is never turned into one. The spec decides what follows from its class. metrics is what a reward has
    spent on the item nevertheless, as in Score. stop_run says that all that is asked next will fail in the same way until a
    person has acted, as when a budget is spent: the run stops, and can be resumed."""

    def __init__(
        self, failure_class: FailureClass, detail: str, *, retryable: bool = False, stop_run: bool = False,
        metrics: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(f"{failure_class}: {detail}")
        self.metrics = dict(metrics or {})
        self.failure_class: FailureClass = failure_class
        self.detail = detail
        self.retryable = retryable
        self.stop_run = stop_run


class ToolError(Error):
    """Raised by a tool: the policy reads the text as the result of its call, marked as an error."""


class SessionLost(Error):
    """This process does not know the episode, usually because the one that did is gone. The host starts a fresh attempt."""

    def __init__(self, episode_id: str = "") -> None:
        super().__init__("session lost: this process does not know the episode")
        self.episode_id = episode_id


class GenerateError(Error):
    """No message was sampled. Of kind context_full the chain is unchanged, and an agent may still answer; after any other the episode is over."""

    def __init__(self, kind: GenerateKind, detail: str) -> None:
        super().__init__(f"generate: {kind}: {detail}")
        self.kind: GenerateKind = kind
        self.detail = detail


class NoTrainer(Error):
    """The trainer of a launch is gone, or never was: another one may be started."""


class Unavailable(Error):
    """The peer is gone or going away. Repeating the call with the same idempotency key is safe."""


@dataclass(frozen=True)
class Diagnostic:
    """A problem with a configuration, addressed to the person who wrote it. path names the attribute, from the block inwards."""

    summary: str
    detail: str = ""
    path: Sequence[str] = ()
    severity: Literal["error", "warning"] = "error"


class ConfigError(Error):
    """Raised by configure: what is wrong with the configuration."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"{d.summary}: {d.detail}" for d in diagnostics))
        self.diagnostics = diagnostics
