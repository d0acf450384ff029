"""Rows of tokens for people to look at: a TokensRow of the events of training, in JSON. Nothing depends on them."""

from __future__ import annotations

import math
from typing import Final, Sequence

from .ledger import Row, Template
from .wire import JSON

MOST_ROWS: Final = 128  # of a step
MOST_TOKENS: Final = 4096  # of a row


def tokens_row(
    episode_id: str, row: Row, template: Template, *, trainer_logprobs: Sequence[float] | None = None,
    advantage: float | None = None,
) -> JSON:
    """A row as the ledger has it, its first tokens where it is long. trainer_logprobs: of each id; None: not known, as
    in advantage."""
    ids, mask = row.ids[:MOST_TOKENS], row.loss_mask[:MOST_TOKENS]
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


def _of_trained(mask: Sequence[int], values: Sequence[float]) -> list[float | str]:
    """The numbers of trained tokens; of others there is none, which protobuf's JSON writes as a text."""
    return [float(v) if m and math.isfinite(v) else "NaN" for m, v in zip(mask, values)]
