"""What the errors of a Tinker client mean, and what to do about them. No text contains the key."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Iterator

import tinker

_SESSION = re.compile(r"session|model .*(not found|expired|unloaded)|promise expired", re.IGNORECASE)
_REFUSED = (tinker.BadRequestError, tinker.NotFoundError, tinker.UnprocessableEntityError, tinker.RequestFailedError)


class ServiceError(Exception):
    """The server refuses a request, for the reason given."""


class SessionLost(Exception):
    """The server has dropped the session, with the weights since the last checkpoint."""


@contextlib.contextmanager
def explained(doing: str, config: dict[str, Any]) -> Iterator[None]:
    """Replaces the errors of the client by a ServiceError with a remedy, or by SessionLost."""
    try:
        yield
    except (tinker.TinkerError, TimeoutError, ValueError, RuntimeError) as e:
        found = _cause(e)
        status, where = getattr(found, "status_code", 0), config["base_url"] or "the Tinker service"
        if status in (401, 403):
            text = f"rejects the key in {config['api_key_env']} (HTTP {status}): set a valid one (api_key_env)"
        elif status == 402:
            text = "requires payment (HTTP 402): check the billing of your account, then resume the run"
        elif status == 429 or isinstance(found, TimeoutError):
            text = "is busy, or limits the rate of requests (HTTP 429), for longer than " \
                f"{config['busy_timeout'] / 1e9:g} s (busy_timeout): resume the run later, or reduce batch.prompts"
        elif doing == "load the checkpoint" and isinstance(found, _REFUSED):
            text = f"cannot load the checkpoint: {found}. If it was deleted there, start another run"
        elif status == 410 or _SESSION.search(str(found)):
            raise SessionLost(f"{where} has dropped the session: {found}") from e
        elif isinstance(found, tinker.APIConnectionError):
            text = f"does not answer: {found} Check base_url and the network, then resume the run"
        else:
            text = f"cannot {doing}: {found}"
        raise ServiceError(" ".join(f"{where} {text}".split())) from e


def _cause(error: BaseException) -> BaseException:
    """Returns the error of the request: the client wraps some."""
    return error if isinstance(error, tinker.TinkerError) or error.__cause__ is None else _cause(error.__cause__)
