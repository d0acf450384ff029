"""gRPC statuses without gRPC: services raise them, and errors of components are converted to them."""

from __future__ import annotations

import asyncio
import enum
import traceback
from typing import Final

from google.protobuf.message import Message

from . import errors
from .v1 import adapter_pb2, calls_pb2, environment_pb2, message_pb2

MAX_TEXT: Final = 16 << 10  # limit of a status text: it is sent in a header


class Code(enum.IntEnum):
    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14


class Status(Exception):
    """A response other than OK."""

    def __init__(self, code: Code, text: str, detail: Message | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = utf8(text if len(text) <= MAX_TEXT else text[: MAX_TEXT // 2] + "\n…\n" + text[-MAX_TEXT // 2 :])
        self.detail = detail

    def encoded(self) -> bytes:
        """Returns a google.rpc.Status, whose fields CallStatus has."""
        out = calls_pb2.CallStatus(code=int(self.code), message=self.text)
        if self.detail is not None:
            out.details.add().Pack(self.detail)
        return out.SerializeToString()


def utf8(text: str) -> str:
    """Returns a text that can be sent: invalid Unicode is replaced."""
    return text.encode("utf-8", "replace").decode()


def of_error(error: BaseException) -> Status:
    """Converts an error of a component to a status; see the table in plugin.proto."""
    text = str(error)
    match error:
        case Status():
            return error
        case errors.Failure():
            return Status(Code.ABORTED, text, failure(error))
        case errors.GenerateError():
            return Status(Code.ABORTED, text, adapter_pb2.GenerateError(kind=f"KIND_{error.kind.upper()}", detail=utf8(error.detail)))
        case errors.SessionLost():
            return Status(Code.NOT_FOUND, text, environment_pb2.SessionLost(episode_id=utf8(error.episode_id)))
        case errors.NoTrainer():
            return Status(Code.NOT_FOUND, text)
        case errors.Unavailable():
            return Status(Code.UNAVAILABLE, text)
        case errors.Error():
            return Status(Code.UNKNOWN, text)
        case TimeoutError() | asyncio.TimeoutError():
            return Status(Code.DEADLINE_EXCEEDED, text or "it took too long")
        case asyncio.CancelledError():
            return Status(Code.CANCELLED, "the call was canceled")
    return Status(Code.INTERNAL, f"{type(error).__name__}: {text}\n" + "".join(traceback.format_exception(error)))


def failure(error: errors.Failure) -> message_pb2.Failure:
    name = f"FAILURE_CLASS_{error.failure_class}"
    return message_pb2.Failure(
        **{"class": message_pb2.FailureClass.Value(name)},
        detail=utf8(error.detail), retryable=error.retryable, stop_run=error.stop_run,
    )


def to_error(code: Code, text: str, encoded: bytes | None) -> Exception:
    """Converts a status back to an error, for calls to the host: typed errors keep their type."""
    status = calls_pb2.CallStatus.FromString(encoded or b"")
    for detail in status.details:
        failed, generate, lost = message_pb2.Failure(), adapter_pb2.GenerateError(), environment_pb2.SessionLost()
        if detail.Unpack(failed):
            name = message_pb2.FailureClass.Name(getattr(failed, "class")).removeprefix("FAILURE_CLASS_")
            return errors.Failure(
                name, failed.detail, retryable=failed.retryable, stop_run=failed.stop_run,  # type: ignore[arg-type]
            )
        if detail.Unpack(generate):
            kind = adapter_pb2.GenerateError.Kind.Name(generate.kind).removeprefix("KIND_").lower()
            return errors.GenerateError(kind, generate.detail)  # type: ignore[arg-type]
        if detail.Unpack(lost):
            return errors.SessionLost(lost.episode_id)
    if code is Code.UNAVAILABLE:
        return errors.Unavailable(text)
    if code is Code.DEADLINE_EXCEEDED:
        return TimeoutError(text)
    if code is Code.UNKNOWN:
        return errors.Error(text)
    return Status(code, text)
