"""Samples with transformers, many prompts at a time, with a key-value cache."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from awhost_bridge.constraints import Grammar, Restricted
from transformers import DynamicCache


@dataclasses.dataclass
class Request:
    """One message to sample. `forced` are ids that are taken instead of drawn ones, scored as if drawn."""

    prompt: list[int]
    max_tokens: int
    temperature: float
    top_p: float = 1.0
    top_k: int = 0  # 0 or less: all
    forced: list[int] | None = None
    seed: int | None = None  # what is drawn then does not depend on what is sampled beside it; None: torch's generator draws
    grammar: Grammar | None = None


@torch.no_grad()
def sample(model: Any, requests: list[Request], ends: set[int], pad: int) -> list[tuple[list[int], list[float]]]:
    """Ids and their log-probabilities under the distribution that they were drawn from, before a grammar, top-p and
    top-k cut it."""
    width = max(len(r.prompt) for r in requests)
    ids = torch.tensor([[pad] * (width - len(r.prompt)) + r.prompt for r in requests])
    mask = torch.tensor([[0] * (width - len(r.prompt)) + [1] * len(r.prompt) for r in requests])
    position = (mask.cumsum(1) - 1).clamp(min=0)
    temperature = torch.tensor([[r.temperature if r.temperature > 0 else 1.0] for r in requests])
    draws = [torch.rand(r.max_tokens, generator=_generator(r.seed), dtype=torch.float64) for r in requests]
    cache, restricted = DynamicCache(config=model.config), Restricted([r.grammar for r in requests])
    out: list[tuple[list[int], list[float]]] = [([], []) for _ in requests]
    alive = [True] * len(requests)
    for step in range(max(r.max_tokens for r in requests)):
        logits = model(
            input_ids=ids, attention_mask=mask, position_ids=position, past_key_values=cache, use_cache=True, logits_to_keep=1
        ).logits[:, -1].float()
        logprobs = torch.log_softmax(logits / temperature, -1)
        uniform = torch.stack([draw[min(step, len(draw) - 1)] for draw in draws])
        drawn = _draw(restricted.apply(logprobs), requests, uniform, step)
        chosen = logprobs.gather(1, drawn)[:, 0].tolist()
        for i, (token, logprob) in enumerate(zip(drawn[:, 0].tolist(), chosen, strict=True)):
            if alive[i]:
                out[i][0].append(token)
                out[i][1].append(logprob)
                ended = restricted.accept(i, token) or token in ends
                alive[i] = not ended and len(out[i][0]) < requests[i].max_tokens
        if not any(alive):
            break
        ids = drawn
        mask = torch.cat([mask, mask.new_ones(len(requests), 1)], 1)
        position = position[:, -1:] + 1
    return out


def _generator(seed: int | None) -> torch.Generator | None:
    return None if seed is None else torch.Generator().manual_seed(seed % 2**63)


def _draw(logprobs: torch.Tensor, requests: list[Request], uniform: torch.Tensor, step: int) -> torch.Tensor:
    """One id for each row, shape (rows, 1)."""
    probabilities = logprobs.double().exp()
    for i, r in enumerate(requests):
        if r.temperature > 0 and (r.top_p < 1 or r.top_k > 0):
            probabilities[i] = _cut(probabilities[i], r)
    total = probabilities.cumsum(1)
    drawn = torch.searchsorted(total, (uniform * total[:, -1]).unsqueeze(1), right=True).clamp(max=probabilities.shape[1] - 1)
    for i, r in enumerate(requests):
        if r.temperature <= 0:
            drawn[i, 0] = int(logprobs[i].argmax())
        if r.forced is not None and step < len(r.forced):
            drawn[i, 0] = r.forced[step]
    return drawn


def _cut(probabilities: torch.Tensor, r: Request) -> torch.Tensor:
    """Leaves the most probable ids: at most top_k of them, and no more than it takes to reach top_p."""
    ordered, index = probabilities.sort(descending=True)
    keep = ordered.cumsum(0) - ordered < r.top_p
    if r.top_k > 0:
        keep[r.top_k :] = False
    out = torch.zeros_like(probabilities)
    out[index[keep]] = ordered[keep]
    return out
