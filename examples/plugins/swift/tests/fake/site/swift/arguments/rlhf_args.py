# SPDX-License-Identifier: Apache-2.0
import pathlib
import types
from dataclasses import dataclass, field
from typing import List, Literal, Optional

from ..template import TEMPLATE_MAPPING
from .sft_args import SftArguments


@dataclass
class RLHFArguments(SftArguments):
    rlhf_type: Literal["dpo", "grpo"] = "dpo"
    num_generations: int = 8
    max_completion_length: int = 512
    beta: Optional[float] = None
    epsilon: float = 0.2
    epsilon_high: Optional[float] = None
    loss_type: Optional[List[str]] = None
    temperature: float = 0.9
    use_vllm: bool = False
    multi_turn_scheduler: Optional[str] = None
    max_turns: Optional[int] = None
    reward_funcs: List[str] = field(default_factory=list)
    overlong_filter: bool = False

    def __post_init__(self):
        if self.resume_from_checkpoint:
            assert pathlib.Path(self.resume_from_checkpoint).is_dir(), self.resume_from_checkpoint
        assert self.template in TEMPLATE_MAPPING, f"there is no template {self.template}"
        assert self.dataset, "there is no dataset"
        self.model_dir, self.model_info = self.model, types.SimpleNamespace(max_model_len=4096)
