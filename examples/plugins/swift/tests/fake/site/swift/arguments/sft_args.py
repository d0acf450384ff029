# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass, field
from typing import List, Literal, Optional


@dataclass
class SftArguments:
    output_dir: Optional[str] = None
    per_device_train_batch_size: int = 1
    gradient_accumulation_steps: Optional[int] = None
    learning_rate: Optional[float] = None
    lr_scheduler_type: str = "cosine"
    warmup_steps: float = 0
    weight_decay: float = 0.1
    adam_epsilon: float = 1e-8
    lora_dropout: float = 0.05
    max_steps: int = -1
    seed: int = 42
    use_cpu: bool = False
    gradient_checkpointing: bool = True
    dataloader_pin_memory: bool = True
    dataloader_num_workers: Optional[int] = None
    train_dataloader_shuffle: bool = True
    logging_strategy: str = "steps"
    logging_steps: int = 5
    save_strategy: str = "steps"
    save_steps: float = 500
    eval_strategy: Optional[str] = None
    disable_tqdm: Optional[bool] = None
    report_to: List[str] = field(default_factory=lambda: ["tensorboard"])
    callbacks: List[str] = field(default_factory=list)
    resume_from_checkpoint: Optional[str] = None
    add_version: bool = True
    check_model: bool = True
    tuner_type: str = "lora"
    adapters: List[str] = field(default_factory=list)
    model: Optional[str] = None
    model_type: Optional[str] = None
    torch_dtype: Literal["bfloat16", "float16", "float32", None] = None
    attn_impl: Optional[str] = None
    template: Optional[str] = None
    template_backend: Literal["swift", "jinja"] = "swift"
    enable_thinking: Optional[bool] = None
    max_length: Optional[int] = None
    dataset: List[str] = field(default_factory=list)
    dataset_shuffle: Optional[bool] = True
    split_dataset_ratio: float = 0.0
    load_from_cache_file: bool = False
    top_k: int = -1
    top_p: float = 1.0
