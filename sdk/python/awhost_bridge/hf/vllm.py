"""Samples with a vLLM in the trainer's process that has received the weights being trained."""

from __future__ import annotations

from typing import Any

from ..batched import Message


def sample(llm: Any, messages: list[Message], ends: set[int]) -> None:
    """Fills in ids, finish, and log-probabilities as llm computes them. Create llm with
    logprobs_mode="processed_logprobs": these are the log-probabilities under the distribution used for sampling. They
    differ from those of hf.sample if top_p or top_k cut it. Batches of a vLLM are not equal to the last bit."""
    from vllm import SamplingParams

    wanted = [
        SamplingParams(max_tokens=m.max_tokens, temperature=1.0 if m.temperature is None else m.temperature, top_p=1.0 if m.top_p is None else m.top_p, top_k=m.top_k or -1,
                       seed=m.seed % 2**63, stop=m.stop or None, stop_token_ids=sorted(ends), logprobs=0)
        for m in messages
    ]
    sampled = llm.generate([{"prompt_token_ids": m.prompt} for m in messages], sampling_params=wanted, use_tqdm=False)
    for m, output in zip(messages, sampled, strict=True):
        said = output.outputs[0]
        if said.finish_reason not in ("stop", "length"):
            raise RuntimeError(f"vLLM ended message {m.call_id} with {said.finish_reason}")
        m.ids, m.finish = list(said.token_ids), said.finish_reason
        m.logprobs = [tokens[i].logprob for i, tokens in zip(m.ids, said.logprobs, strict=True)]
