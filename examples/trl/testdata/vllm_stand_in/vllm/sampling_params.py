# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass, field


@dataclass
class SamplingParams:
    max_tokens: int = 16
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int | None = None
    stop: list[str] | None = None
    stop_token_ids: list[int] = field(default_factory=list)
    logprobs: int | None = None


class StructuredOutputsParams:
    pass
