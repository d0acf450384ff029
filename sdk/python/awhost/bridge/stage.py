"""What a trainer has to know of a stage."""

from __future__ import annotations

import datetime
import math
import pathlib
from typing import Any

from ..adapter import Settings
from ..errors import Error
from ..fields import Fields
from ..v1.adapter_pb2 import DataSummary, TrainRequest
from .endpoint import Options


def stage_settings(
    request: TrainRequest, *, patience: datetime.timedelta, rows: int, lora: bool, tokens_every: int = 0,
) -> dict[str, Any]:
    """The settings of an awhost_bridge.hf.Stage, as JSON: patience as in Batched, rows: the most messages that are sampled at once.

    base is the host's number of the framework's step 0: a framework begins each stage there. Of the checkpoint from the weights are taken, if resumed all of it; carries says
    whether the optimiser goes on in another stage. lora: whether the stage trains an adapter of few weights; an Error says that the stage before has trained otherwise.
    tokens_every: at each so many steps the tokens of a group are told; 0: never.
    """
    if request.from_checkpoint and (pathlib.Path(request.from_checkpoint) / "adapter_config.json").is_file() != lora:
        raise Error(f"{request.from_checkpoint} {'has all weights' if lora else 'has an adapter of LoRA alone'}, and this stage trains {'such an adapter' if lora else 'all weights'}: give both stages the same")
    get = Settings(request.knobs).get
    return {
        "launch": request.launch_id, "base": request.first_step - 1 - request.steps_done, "from": request.from_checkpoint, "resumed": request.resumed,
        "carries": bool(request.from_checkpoint) and request.carry_optimizer and not request.resumed, "prompt_tokens": get("limits.prompt_tokens"),
        "patience": patience.total_seconds(), "rows": rows, "every": get("validate.every", 0), "before_train": get("validate.before_train", False),
        "held_out": request.data.validation_tasks, "samples": get("validate.samples", 1), "tokens_every": tokens_every,
    }


def stage_options(request: TrainRequest, processes: int) -> Options:
    """As many episodes are open as the host runs at a time, and at least a group: its samples may wait for each other."""
    settings = Settings(request.knobs)
    return Options(credits=max(settings.get("concurrency", 1) // processes, settings.get("batch.group_size", 8)))


def size_stage(fields: Fields, data: DataSummary, processes: int, *, rows: int = 8) -> None:
    """The batch and the length of a stage, which a GRPO trainer of transformers' counts in samples, micro-batches and updates: generation_batch_size, max_steps, save_steps and
    so on. rows: how many samples are computed at once where nobody says it."""
    settings, group = fields.settings, fields.get("num_generations")
    prompts, epochs = settings.get("batch.prompts", 0), settings.get("epochs", 0)
    steps = settings.get("steps") or math.ceil(epochs * data.train_tasks / max(1, prompts))
    if prompts < 1 or group < 2 or steps < 1:
        return fields.wrong("No batch", "A stage has steps, of at least one prompt and two samples of it. Write steps = 60 and batch { prompts = 16, group_size = 8 }.")
    batch = prompts * group
    if "per_device_train_batch_size" not in fields.values:
        fields.put("default", per_device_train_batch_size=math.gcd(max(1, batch // processes), rows))
    micro = fields.get("per_device_train_batch_size") * processes
    if micro < 1 or batch % micro:
        return fields.wrong("The batch cannot be split", f"{prompts} prompts × {group} samples are {batch}, and {micro} of them are to be computed at once, on all processes: change per_device_train_batch_size.", "config")
    if (open_ := settings.get("concurrency") or batch) < group * processes:
        return fields.wrong("No room for a group", f"concurrency is {open_}, and each of {processes} processes may wait for all {group} samples of a group at once. Write concurrency = {group * processes}, or more.")
    every = settings.get("checkpoint.every", 0) * (max(1, data.train_tasks // prompts) if settings.get("checkpoint.unit") == "epochs" else 1)
    fields.put("batch.prompts", generation_batch_size=batch, gradient_accumulation_steps=batch // micro)
    fields.put("steps" if settings.get("steps") else "epochs", max_steps=steps)
    fields.put("checkpoint.every" if every else "steps", save_steps=every or steps)
