# SPDX-License-Identifier: Apache-2.0
"""What TRL is given for a stage: the fields of its GRPOConfig."""

from __future__ import annotations

from typing import Any, Final, Mapping

import awhost
from awhost.bridge import size_stage
from awhost.fields import Fields, Vocabulary
from awhost.installed import Packages
from awhost.v1.adapter_pb2 import DataSummary, Knobs

_ONE: Final = "this adapter makes one update of a step's samples; per_device_train_batch_size in config says how much of it is computed at once"
VOCABULARY: Final = Vocabulary(
    mapped={
        "seed": "seed", "batch.group_size": "num_generations", "optimizer.learning_rate": "learning_rate", "optimizer.schedule": "lr_scheduler_type",
        "optimizer.warmup_steps": "warmup_steps", "optimizer.weight_decay": "weight_decay", "optimizer.max_grad_norm": "max_grad_norm", "optimizer.beta1": "adam_beta1",
        "optimizer.beta2": "adam_beta2", "algorithm.clip_low": "epsilon", "algorithm.clip_high": "epsilon_high", "algorithm.kl": "beta", "algorithm.entropy": "entropy_coef",
        "algorithm.normalize_by": "scale_rewards", "sampling.temperature": "temperature", "sampling.top_p": "top_p", "sampling.top_k": "top_k",
        "limits.response_tokens": "max_completion_length",
    },
    derived={"steps": "max_steps", "epochs": "max_steps", "batch.prompts": "generation_batch_size", "checkpoint.every": "save_steps", "checkpoint.unit": "save_steps",
             "algorithm.name": "GRPOTrainer"},
    done=("limits.prompt_tokens", "validate.every", "validate.before_train", "validate.samples"),
    refused={
        "mini_batch.size": _ONE, "mini_batch.epochs": _ONE, "validate.log_generations": "awhost keeps every episode: awhost show",
        "algorithm.drop_zero_variance": "TRL keeps such groups: their advantages are 0",
    },
    values={
        "optimizer.schedule": {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}, "algorithm.normalize_by": {"std": "group", "none": "none"},
        "algorithm.name": {"grpo": "grpo"}, "checkpoint.unit": {"steps": "steps", "epochs": "epochs"},
    },
    owned={
        "write steps or epochs in the train block": ("max_steps", "num_train_epochs"), "write a validate block": ("eval_", "do_", "per_device_eval", "num_generations_eval"),
        "write a checkpoint block": ("save_", "load_best"), "write device": ("use_cpu",),
        _ONE: ("num_iterations", "generation_batch", "steps_per_gen", "gradient_acc", "auto_find"), "there is one reward, that of the spec": ("reward_weights", "multi_obj"),
        "episodes are sampled by this adapter, with the model that is trained": ("generation_kw", "min_p", "repetition_", "cache_impl", "use_transf", "transformers_", "vllm_structured"),
        "vLLM runs in the trainer's process, a whole one in each": ("vllm_mode", "vllm_server", "vllm_group", "vllm_tensor", "vllm_enable_sleep"),
        "write sampling { top_k = … }": ("top_k",),
        "each process samples with the whole model": ("fsdp", "deepspeed", "parallelism_config"),
        "awhost does that": ("output_dir", "shuffle_dataset", "dataloader_", "logging_", "resume_from", "push_to_hub", "hub_", "remove_unused", "disable_tqdm"),
    },
)


# The methods that worker/hooks.py replaces.
GENERATION: Final = ("_tokenize_prompts", "_generate_single_turn", "_tool_call_loop")


def hook(packages: Packages) -> str:
    """Returns how TRL gets the rows of episodes, from its source."""
    methods = packages.methods("trl/trainer/grpo_trainer.py", "GRPOTrainer")
    if "rollout_func" in methods.get("__init__", ()):
        return "rollout_func"
    if missing := [name for name in GENERATION if name not in methods]:
        raise awhost.Error(
            f"the GRPOTrainer of the TRL in {packages.python} has neither rollout_func nor {', '.join(missing)}. "
            f"Install another version: {packages.python} -m pip install 'trl==1.16.0'"
        )
    return "its generation methods, because it has no rollout_func"


def settle(packages: Packages, knobs: Knobs, data: DataSummary, config: Mapping[str, Any], device: str, processes: int) -> Fields:
    packages.require("trl", (1, 10), (2,))  # before, a sample without a reward counted as 0
    fields = Fields(VOCABULARY, packages.dataclass("trl/trainer/grpo_config.py", "GRPOConfig"), knobs)
    fields.put("default", report_to=[])  # awhost writes what is measured, and config may name more
    fields.take("config", config)
    fields.put("required by awhost", logging_strategy="steps", logging_steps=1, save_strategy="steps", eval_strategy="no", shuffle_dataset=False, disable_tqdm=True,
               remove_unused_columns=False)
    if fields.get("use_vllm"):
        fields.put("use_vllm", vllm_mode="colocate")
    if device == "cpu":
        fields.put("device", use_cpu=True, dataloader_pin_memory=False, **{key: False for key in ("bf16", "gradient_checkpointing") if key not in fields.values})
    size_stage(fields, data, processes)
    return fields
