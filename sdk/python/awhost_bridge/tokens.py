"""Rows of tokens for people to inspect: a TokensRow of the events of training, in JSON. Nothing depends on them."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Final, Sequence

from .errors import BridgeError
from .ledger import Row, Template
from .result import EpisodeResult
from .wire import JSON

if TYPE_CHECKING:
    from .bridge import Bridge

log = logging.getLogger("awhost.bridge")
_WANTED: Final = "awhost/tokens"  # a metric of the result: the adapter wants the rows of the episode
MAX_ROWS: Final = 128  # of a step
MAX_TOKENS: Final = 4096  # of a row


def tokens_row(
    episode_id: str, row: Row, template: Template, *, trainer_logprobs: Sequence[float] | None = None,
    advantage: float | None = None,
) -> JSON:
    """Returns a row of the ledger, cut to its first tokens if it is long. trainer_logprobs has one value per id; None
    means unknown, also for advantage."""
    ids, mask = row.ids[:MAX_TOKENS], row.loss_mask[:MAX_TOKENS]
    texts = {id: template.decode([id]) for id in set(ids)}
    out: JSON = {
        "episode_id": episode_id, "chain": row.chain, "ids": ids, "texts": [texts[id] for id in ids],
        "trained": [bool(m) for m in mask],
        "sampler_logprobs": _of_trained(mask, row.logprobs), "total": len(row.ids),
    }
    if trainer_logprobs is not None:
        out["trainer_logprobs"] = _of_trained(mask, trainer_logprobs)
    if advantage is not None:
        out["advantages"] = _of_trained(mask, [advantage] * len(mask))
    return out


async def tell_tokens(
    bridge: Bridge, result: EpisodeResult, rows: Sequence[Row], template: Template, *, scored: bool = True,
) -> None:
    """Reports the trained rows of an episode to the adapter, if it wants them. scored: the rows have log-probabilities
    of the sampler. Rows that cannot be reported are skipped."""
    if not result.metrics.get(_WANTED):
        return
    try:
        reported = [tokens_row(result.episode_id, row, template) for row in rows[:MAX_ROWS]]
        if not scored:
            reported = [{name: value for name, value in row.items() if name != "sampler_logprobs"} for row in reported]
        await bridge.event({"tokens": {"rows": reported}})
    except (BridgeError, ValueError) as e:
        log.warning("the tokens of episode %s are not told: %s", result.episode_id, e)


def _of_trained(mask: Sequence[int], values: Sequence[float]) -> list[float | str]:
    """Returns the values of trained tokens; for the others NaN, which protobuf's JSON writes as a text."""
    return [float(v) if m and math.isfinite(v) else "NaN" for m, v in zip(mask, values)]
