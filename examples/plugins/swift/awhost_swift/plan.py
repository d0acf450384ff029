# SPDX-License-Identifier: Apache-2.0
"""What ms-swift is given for a stage: the fields of its RLHFArguments."""

from __future__ import annotations

from typing import Any, Final, Mapping

from awhost.bridge import size_stage
from awhost.fields import Fields, Vocabulary
from awhost.installed import Packages
from awhost.v1.adapter_pb2 import DataSummary, Knobs

_ONE: Final = "this adapter makes one update of a step's samples; per_device_train_batch_size in config says how much of it is computed at once"
VOCABULARY: Final = Vocabulary(
    mapped={
        "seed": "seed", "batch.group_size": "num_generations", "optimizer.learning_rate": "learning_rate", "optimizer.schedule": "lr_scheduler_type",
        "optimizer.warmup_steps": "warmup_steps", "optimizer.weight_decay": "weight_decay", "optimizer.max_grad_norm": "max_grad_norm", "optimizer.beta1": "adam_beta1",
        "optimizer.beta2": "adam_beta2", "algorithm.clip_low": "epsilon", "algorithm.clip_high": "epsilon_high", "algorithm.kl": "beta",
        "algorithm.normalize_by": "scale_rewards", "sampling.temperature": "temperature", "sampling.top_p": "top_p", "sampling.top_k": "top_k",
        "limits.response_tokens": "max_completion_length",
    },
    derived={"steps": "max_steps", "epochs": "max_steps", "batch.prompts": "generation_batch_size", "checkpoint.every": "save_steps", "checkpoint.unit": "save_steps",
             "algorithm.name": "rlhf_type"},
    done=("limits.prompt_tokens", "validate.every", "validate.before_train", "validate.samples"),
    refused={
        "mini_batch.size": _ONE, "mini_batch.epochs": _ONE, "validate.log_generations": "awhost keeps every episode: awhost show",
        "algorithm.drop_zero_variance": "ms-swift keeps such groups: their advantages are 0", "algorithm.entropy": "ms-swift's GRPO has no term for the entropy",
    },
    values={
        "optimizer.schedule": {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}, "algorithm.normalize_by": {"std": "group", "none": "none"},
        "algorithm.name": {"grpo": "grpo"}, "checkpoint.unit": {"steps": "steps", "epochs": "epochs"},
    },
    owned={
        "with it ms-swift would render assistant messages as str(list), and train prompts and tool results": ("template_backend",),
        "the rows are the sampled tokens themselves: no template of ms-swift renders them": (
            "template", "agent_template", "use_chat_template", "response_prefix", "system", "truncation_strategy", "loss_scale", "is_binary_loss", "add_non_thinking", "preserve_thinking",
            "padding_", "packing", "new_special_tokens", "chord_"),
        "write limits { response_tokens = … }: ms-swift takes this in the place of max_completion_length": ("response_length", "max_new_tokens"),
        "write steps or epochs in the train block": ("max_steps", "num_train_epochs", "max_epochs"),
        "write a validate block": ("eval_", "do_", "per_device_eval", "num_generations_eval", "val_dataset", "cached_val", "split_dataset", "predict_with", "early_stop", "metric_for_best"),
        "write a checkpoint block": ("save_", "load_best"), "a checkpoint is there when awhost hears of it, its weights as safetensors": ("use_flash_ckpt", "safe_serialization"),
        "write device": ("use_cpu",), "a stage begins with the policy of the spec, or with what the one before has made of it": ("adapters", "model_revision"),
        _ONE: ("num_iterations", "generation_batch", "steps_per_gen", "gradient_acc", "auto_find"),
        "there is one reward, that of the spec": ("reward_", "teacher_", "rlsd_", "sdar_", "soft_", "cosine_", "repetition_n", "repetition_max"),
        "awhost plays the episodes": ("multi_turn", "max_turns", "use_gym", "gym_", "async_generate", "dynamic_sample", "overlong_filter", "completion_length_limit", "advantage_reweight"),
        "episodes are sampled by this adapter, with the model that is trained": ("stop_words", "min_p", "repetition_penalty", "use_vllm", "vllm_", "sleep_level", "structured_outputs", "num_beams", "generation_"),
        "write sampling { top_k = … }": ("top_k",),
        "the loss would be of another policy than the one that samples, or count rows that have no reward": ("neftune", "boft_dropout", "vera_dropout", "use_liger"),
        "its GRPO here does not ask for it": ("num_ppo", "kl_coef", "cliprange", "whiten", "missing_eos", "vf_coef", "simpo", "cpo_", "label_smoothing", "offload_"),
        "each process samples with the whole model": ("fsdp", "deepspeed", "zero_hpz", "sequence_parallel", "parallelism_", "device_map", "max_memory", "use_ray"),
        "awhost does that": (
            "rlhf_type", "task_type", "dataset", "cached_dataset", "custom_dataset", "columns", "interleave_prob", "group_by_length", "train_sampling", "train_dataloader_shuffle",
            "dataloader_", "streaming", "lazy_tokenize", "callbacks", "external_plugins", "custom_register", "output_dir", "add_version", "create_checkpoint", "logging_",
            "resume_", "ignore_data_skip", "push_to_hub", "hub_", "remove_unused", "disable_tqdm", "load_args", "load_data", "ignore_args", "check_model", "load_from_cache"),
    },
)


def settle(packages: Packages, knobs: Knobs, data: DataSummary, config: Mapping[str, Any], device: str, processes: int) -> Fields:
    packages.require("ms-swift", (4, 6), (5,))  # before, the scheduler needed vLLM
    packages.require("transformers", (4, 56), (6,))  # before, the sampler's cache was made otherwise
    fields = Fields(VOCABULARY, packages.dataclass("swift/arguments/rlhf_args.py", "RLHFArguments"), knobs)
    fields.put("default", report_to=["none"])  # awhost writes what is measured, and config may name more
    fields.put("default", lora_dropout=0.0)  # with ms-swift's own 0.05 the loss would be of other policies than the one that sampled
    fields.take("config", config)
    if "model" in fields.values:
        fields.wrong("Wrong field model", 'write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train', "config")
    fields.put(
        "required by awhost", rlhf_type="grpo", template="awhost", multi_turn_scheduler="awhost", reward_funcs=["awhost"], callbacks=["awhost"], overlong_filter=True, use_vllm=False,
        dataset_shuffle=False, train_dataloader_shuffle=False, split_dataset_ratio=0.0, dataloader_num_workers=0, load_from_cache_file=False, add_version=False, check_model=False,
        logging_strategy="steps", logging_steps=1, save_strategy="steps", eval_strategy="no", disable_tqdm=True,
    )
    if device == "cpu":
        defaults = {"torch_dtype": "float32", "attn_impl": "eager", "gradient_checkpointing": False}
        fields.put("device", use_cpu=True, dataloader_pin_memory=False, **{key: value for key, value in defaults.items() if key not in fields.values})
    size_stage(fields, data, processes)
    return fields
