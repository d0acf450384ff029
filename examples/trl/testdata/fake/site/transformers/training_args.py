# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class TrainingArguments:
    output_dir: str | None = None
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 1
    learning_rate: float = 5e-5
    lr_scheduler_type: SchedulerType | str = "linear"  # noqa: F821
    warmup_steps: float = 0
    weight_decay: float = 0.0
    adam_epsilon: float = 1e-8
    max_steps: int = -1
    seed: int = 42
    use_cpu: bool = False
    bf16: bool | None = None
    gradient_checkpointing: bool = False
    dataloader_pin_memory: bool = True
    logging_strategy: str = "steps"
    logging_steps: float = 10
    save_strategy: str = "steps"
    save_steps: float = 500
    eval_strategy: str = "no"
    disable_tqdm: bool | None = None
    remove_unused_columns: bool = True
    report_to: None | str | list[str] = "none"
    trust_remote_code: bool = False
