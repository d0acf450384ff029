"""The errors of the bridge, as types that a binding distinguishes. Every text names the problem, its location, and the
next step."""

from __future__ import annotations

from typing import Final

_KINDS: Final = {
    "context_full": "KIND_CONTEXT_FULL",
    "aborted": "KIND_ABORTED",
    "engine": "KIND_ENGINE",
    "paused": "KIND_PAUSED",
    "refused": "KIND_REFUSED",
}


class BridgeError(Exception):
    """The base of the bridge's own errors."""


class BridgeRefused(BridgeError):
    """The adapter rejects this worker permanently: another attempt would not change it."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"the adapter refused this worker ({code}): {detail}")
        self.code = code
        self.detail = detail


class BridgeLost(BridgeError):
    """The adapter is unreachable, or the bridge was closed: open episodes are lost."""


class ProtocolError(BridgeError):
    """The peer violates the protocol. It ends the connection, not the session."""


class EpisodeError(BridgeError):
    """The host has no result for an episode."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class LedgerError(BridgeError):
    """A ledger was asked for data that it does not hold. Nothing changed."""


class GenerateError(Exception):
    """Raised for a call that sampled nothing. The host receives the kind:

        context_full  the prompt leaves no room; the chain is unchanged
        aborted       the episode or its chain is not open here, or the call was canceled: the host retries the episode
        engine        the inference engine failed
        paused        generation is paused for longer than the call should wait; the host does not count it
        refused       this worker cannot serve the contents of the request; the agent may send another request
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        if kind not in _KINDS:
            raise ValueError(f"there is no generate error {kind!r}, only {', '.join(_KINDS)}")
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail

    def body(self) -> dict[str, str]:
        """Returns the GenerateError message in proto JSON."""
        return {"kind": _KINDS[self.kind], "detail": self.detail}
