"""What can go wrong, as types that a binding branches on. Every text says what happened, where, and what to do next."""

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
    """Base of the errors of the bridge itself."""


class BridgeRefused(BridgeError):
    """The adapter does not want this worker: another attempt would not change it."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"the adapter refused this worker ({code}): {detail}")
        self.code = code
        self.detail = detail


class BridgeLost(BridgeError):
    """The adapter is out of reach, or the bridge was closed: what was open is lost."""


class ProtocolError(BridgeError):
    """The other side does not keep to the protocol. It ends the connection, not the session."""


class EpisodeError(BridgeError):
    """The host has no result for an episode."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class LedgerError(BridgeError):
    """A ledger was asked for something that it does not hold. Nothing changed."""


class GenerateError(Exception):
    """Raised for a call that sampled nothing. The host hears the kind:

    context_full  the prompt leaves no room; the chain is unchanged
    aborted       the episode or its chain is not open here, or the call was cancelled: the host tries the episode again
    engine        the inference engine failed
    paused        generation is paused for longer than the call should wait; the host does not count it
    refused       this worker cannot serve what the request contains; the agent may send another request
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        if kind not in _KINDS:
            raise ValueError(f"there is no generate error {kind!r}, only {', '.join(_KINDS)}")
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail

    def body(self) -> dict[str, str]:
        """The GenerateError message in proto JSON."""
        return {"kind": _KINDS[self.kind], "detail": self.detail}
