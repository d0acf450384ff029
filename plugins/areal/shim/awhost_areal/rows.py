"""A row of the ledger as AReaL's tensors: shape (1, tokens) each, and rewards (1,)."""

from __future__ import annotations

from typing import Any

import torch


def tensors(row: Any) -> dict[str, torch.Tensor]:
    """What PPO needs of a row. The keys are the same for each row, or AReaL cannot put rows together."""
    ids = list(row.ids)
    length = len(ids)
    columns = {
        "input_ids": (ids, torch.int32),
        "attention_mask": ([1] * length, torch.bool),
        "loss_mask": ([int(m) for m in row.loss_mask], torch.int32),
        "logprobs": ([float(p) for p in row.logprobs], torch.float32),
        "versions": ([int(v) for v in row.versions], torch.int32),
    }
    out = {}
    for name, (values, dtype) in columns.items():
        if len(values) != length:
            raise ValueError(f"a row of {length} tokens has {len(values)} {name}")
        out[name] = torch.tensor([values], dtype=dtype)
    return out
