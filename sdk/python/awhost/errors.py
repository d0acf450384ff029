"""The errors that a plugin can report. The table of status codes is at the head of plugin.proto."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Mapping, Sequence

FailureClass = Literal["POLICY", "MODEL", "ENVIRONMENT", "REWARD", "AGENT", "INFRASTRUCTURE", "TIMEOUT"]
GenerateKind = Literal["context_full", "aborted", "engine", "paused", "refused"]


class Error(Exception):
    """A problem with a text for the user. Any other exception of a component is a bug of the plugin, and is reported
    with its traceback."""


class Failure(Error):
    """An outcome without a number, which is never converted to one. The spec decides the consequence by its class.
    metrics is what a reward has nevertheless spent on the item, as in Score. stop_run means that further requests will
    fail in the same way until a person has acted, for example because a budget is used up: the run stops, and can be
    resumed."""

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
    """Raised by a tool: the policy receives the text as the result of its call, marked as an error."""


class SessionLost(Error):
    """This process does not have the episode, usually because the process that had it has ended. The host starts a new
    attempt."""

    def __init__(self, episode_id: str = "") -> None:
        super().__init__("session lost: this process does not know the episode")
        self.episode_id = episode_id


class GenerateError(Error):
    """No message was sampled. With kind context_full the chain is unchanged, and an agent may still answer; any other
    kind ends the episode."""

    def __init__(self, kind: GenerateKind, detail: str) -> None:
        super().__init__(f"generate: {kind}: {detail}")
        self.kind: GenerateKind = kind
        self.detail = detail


class NoTrainer(Error):
    """The trainer of a launch has ended or never existed: another one may be started."""


class Unavailable(Error):
    """The peer has ended or is shutting down. Repeating the call with the same idempotency key is safe."""


@dataclass(frozen=True)
class Diagnostic:
    """A problem with a configuration, addressed to its author. path names the attribute, from the block inwards."""

    summary: str
    detail: str = ""
    path: Sequence[str] = ()
    severity: Literal["error", "warning"] = "error"


class ConfigError(Error):
    """Raised by configure for a problem with the configuration."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("; ".join(f"{d.summary}: {d.detail}" for d in diagnostics))
        self.diagnostics = diagnostics
