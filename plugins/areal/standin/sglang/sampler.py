"""Samples many prompts at a time with transformers and a key-value cache, and can be interrupted between two tokens."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

import torch
from transformers import DynamicCache


@dataclasses.dataclass
class Request:
    """One message to sample, and what has been sampled of it."""

    prompt: list[int]
    max_tokens: int
    temperature: float  # 0: the most probable token
    top_p: float
    top_k: int  # 0 or more than the vocabulary: all
    ends: frozenset[int]
    words: list[int] | None = None  # of a smoke run's script: what is said instead of sampling
    ids: list[int] = dataclasses.field(default_factory=list)
    logprobs: list[float] = dataclasses.field(default_factory=list)
    finish: dict[str, Any] | None = None  # None: interrupted

    def add(self, token: int, logprob: float) -> None:
        self.ids.append(token)
        self.logprobs.append(logprob)
        if token in self.ends:
            self.finish = {"type": "stop", "matched": token}
        elif len(self.ids) >= self.max_tokens:
            self.finish = {"type": "length", "length": self.max_tokens}


@torch.no_grad()
def sample(model: Any, requests: list[Request], pad: int, generator: torch.Generator, interrupted: Callable[[], bool]) -> None:
    """Fills the requests in, with their words where these are given. Log-probabilities are those of the distribution at the
    temperature, before top-p and top-k cut it: the trainer computes the same."""
    for request in requests:
        if request.words:
            _say(model, request)
    requests = [r for r in requests if r.finish is None]
    if not requests:
        return
    width = max(len(r.prompt) for r in requests)
    ids = torch.tensor([[pad] * (width - len(r.prompt)) + r.prompt for r in requests])
    mask = torch.tensor([[0] * (width - len(r.prompt)) + [1] * len(r.prompt) for r in requests])
    position = (mask.cumsum(1) - 1).clamp(min=0)
    temperature = torch.tensor([[r.temperature if r.temperature > 0 else 1.0] for r in requests])
    cache = DynamicCache(config=model.config)
    while not interrupted():
        logits = model(
            input_ids=ids, attention_mask=mask, position_ids=position, past_key_values=cache, use_cache=True, logits_to_keep=1
        ).logits[:, -1].float()
        logprobs = torch.log_softmax(logits / temperature, -1)
        drawn = _draw(logprobs, requests, generator)
        chosen = logprobs.gather(1, drawn)[:, 0].tolist()
        for request, token, logprob in zip(requests, drawn[:, 0].tolist(), chosen, strict=True):
            if request.finish is None:
                request.add(token, logprob)
        if all(r.finish is not None for r in requests):
            return
        ids = drawn
        mask = torch.cat([mask, mask.new_ones(len(requests), 1)], 1)
        position = position[:, -1:] + 1


def _say(model: Any, request: Request) -> None:
    """Fills a request in with its words, and with the log-probabilities that the policy gives them."""
    words = (request.words or [])[: request.max_tokens]
    logits = model(input_ids=torch.tensor([request.prompt + words]), logits_to_keep=len(words) + 1).logits[0, :-1].float()
    logprobs = torch.log_softmax(logits / (request.temperature if request.temperature > 0 else 1.0), -1)
    for token, given in zip(words, logprobs, strict=True):
        request.add(token, float(given[token]))
    request.finish = request.finish or {"type": "length", "length": len(words)}


def _draw(logprobs: torch.Tensor, requests: list[Request], generator: torch.Generator) -> torch.Tensor:
    """One id for each row, shape (rows, 1)."""
    probabilities = logprobs.exp()
    for i, r in enumerate(requests):
        if r.temperature > 0 and (r.top_p < 1 or 0 < r.top_k < probabilities.shape[1]):
            probabilities[i] = _cut(probabilities[i], r)
    drawn = torch.multinomial(probabilities, 1, generator=generator)
    for i, r in enumerate(requests):
        if r.temperature <= 0:
            drawn[i, 0] = int(logprobs[i].argmax())
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
