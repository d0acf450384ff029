"""One of AReaL's workers on a CPU: ``python -m awhost_areal.cpu`` in the place of ``python -m areal.infra.rpc.rpc_server``.

AReaL packs the rows of a micro-batch into one sequence and leaves it to flash attention, by ``cu_seq_lens_q``, to keep them
apart. A CPU has no flash attention, and transformers' ``sdpa`` does not look at that argument: each row would see those
before it, and be trained on what was never sampled. So this registers an ``sdpa`` that looks at it.
"""

from __future__ import annotations

import runpy
from typing import Any

import torch
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward


def packed_attention(
    module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attention_mask: Any, dropout: float = 0.0,
    scaling: float | None = None, is_causal: bool | None = None, **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Causal attention within each packed row. Shapes: (1, heads, tokens, size) in, (1, tokens, heads, size) out."""
    bounds = kwargs.get("cu_seq_lens_q")
    if bounds is None or attention_mask is not None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, dropout, scaling, is_causal, **kwargs)
    index, there = _places(bounds, query.shape[2])
    groups = query.shape[1] // key.shape[1]
    rows = [
        tensor[0].transpose(0, 1)[index].transpose(1, 2)  # (rows, heads, longest, size)
        for tensor in (query, key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1))
    ]
    # Padding stands at the end of a row, where causal attention does not look.
    out = torch.nn.functional.scaled_dot_product_attention(*rows, dropout_p=dropout, scale=scaling, is_causal=True)
    return out.transpose(1, 2)[there].unsqueeze(0), None


def _places(bounds: torch.Tensor, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
    """For each row and place the token there, and whether there is one; in order they are the packed tokens."""
    ends = [*bounds.tolist()[1:]]
    if not ends or ends[-1] < tokens:  # padding behind the last row
        ends.append(tokens)
    starts = [0, *ends[:-1]]
    lengths = torch.tensor([end - start for start, end in zip(starts, ends, strict=True)])
    offsets = torch.arange(int(lengths.max()))
    there = offsets[None, :] < lengths[:, None]
    return torch.where(there, torch.tensor(starts)[:, None] + offsets[None, :], 0), there


if __name__ == "__main__":
    AttentionInterface.register("sdpa", packed_attention)
    runpy.run_module("areal.infra.rpc.rpc_server", run_name="__main__", alter_sys=True)
