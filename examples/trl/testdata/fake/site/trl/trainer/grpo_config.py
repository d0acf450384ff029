# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass, field

from transformers.training_args import TrainingArguments


@dataclass
class GRPOConfig(TrainingArguments):
    num_generations: int | None = field(default=8)
    max_completion_length: int | None = field(default=512)
    beta: float = 0.0
    epsilon: float = 0.2
    epsilon_high: float | None = None
    loss_type: str = "dapo"
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    shuffle_dataset: bool | None = True
    chat_template_kwargs: dict | str | None = None
