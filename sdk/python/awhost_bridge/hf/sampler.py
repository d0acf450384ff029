"""Samples with the model being trained, many messages at a time, with a key-value cache."""

from __future__ import annotations

from typing import Any, Callable

import torch
from transformers import DynamicCache

from ..batched import Message
from ..constraints import Restricted


@torch.no_grad()
def sample(model: Any, messages: list[Message], ends: set[int], pad: int, decode: Callable[[list[int]], str]) -> None:
    """Fills in ids, finish, and log-probabilities under the distribution at its temperature, before the cuts by a
    grammar, top_p and top_k."""
    device, width = model.device, max(len(m.prompt) for m in messages)
    ids = torch.tensor([[pad] * (width - len(m.prompt)) + m.prompt for m in messages], device=device)
    mask = torch.tensor([[0] * (width - len(m.prompt)) + [1] * len(m.prompt) for m in messages], device=device)
    position = (mask.cumsum(1) - 1).clamp(min=0)
    temperature = torch.tensor([[m.temperature or 1.0] for m in messages], device=device)
    draws = [torch.rand(m.max_tokens, generator=torch.Generator().manual_seed(m.seed % 2**63), dtype=torch.float64) for m in messages]
    cache, restricted = DynamicCache(config=model.config), Restricted([m.grammar for m in messages])
    for step in range(max(m.max_tokens for m in messages)):
        logits = model(input_ids=ids, attention_mask=mask, position_ids=position, past_key_values=cache, use_cache=True, logits_to_keep=1).logits[:, -1].float()
        logprobs = torch.log_softmax(logits / temperature, -1)
        drawn = _draw(restricted.apply(logprobs), messages, torch.stack([draw[min(step, len(draw) - 1)] for draw in draws]).to(device))
        chosen = logprobs.gather(1, drawn)[:, 0].tolist()
        for i, (m, token, logprob) in enumerate(zip(messages, drawn[:, 0].tolist(), chosen, strict=True)):
            if m.finish:
                continue
            m.ids.append(token)
            m.logprobs.append(logprob)
            if restricted.accept(i, token) or token in ends or m.stop and any(stop in decode(m.ids) for stop in m.stop):
                m.finish = "stop"
            elif len(m.ids) == m.max_tokens:
                m.finish = "length"
        if all(m.finish for m in messages):
            return
        ids, mask, position = drawn, torch.cat([mask, mask.new_ones(len(messages), 1)], 1), position[:, -1:] + 1


def _draw(logprobs: torch.Tensor, messages: list[Message], uniform: torch.Tensor) -> torch.Tensor:
    """Returns one id for each row, shape (rows, 1)."""
    probabilities = logprobs.double().exp()
    for i, m in enumerate(messages):
        if m.temperature is not None and m.temperature <= 0:
            probabilities[i] = torch.nn.functional.one_hot(logprobs[i].argmax(), probabilities.shape[1])
        elif (m.top_p or 1) < 1 or m.top_k > 0:
            ordered, index = probabilities[i].sort(descending=True)
            keep = ordered.cumsum(0) - ordered < (m.top_p or 1)
            if m.top_k > 0:
                keep[m.top_k :] = False
            probabilities[i, index[~keep]] = 0
    total = probabilities.cumsum(1)
    return torch.searchsorted(total, (uniform * total[:, -1]).unsqueeze(1), right=True).clamp(max=probabilities.shape[1] - 1)
