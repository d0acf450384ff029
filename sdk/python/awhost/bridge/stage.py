"""What a trainer has to know of a stage."""

from __future__ import annotations

import datetime
import pathlib
from typing import Any

from ..adapter import Settings
from ..errors import Error
from ..v1.adapter_pb2 import TrainRequest


def stage_settings(request: TrainRequest, *, patience: datetime.timedelta, rows: int, lora: bool) -> dict[str, Any]:
    """The settings of an awhost_bridge.hf.Stage, as JSON: patience as in Batched, rows: the most messages that are sampled at once.

    base is the host's number of the framework's step 0: a framework begins each stage there. Of the checkpoint from the weights are taken, if resumed all of it; carries says
    whether the optimiser goes on in another stage. lora: whether the stage trains an adapter of few weights; an Error says that the stage before has trained otherwise.
    """
    if request.from_checkpoint and (pathlib.Path(request.from_checkpoint) / "adapter_config.json").is_file() != lora:
        raise Error(f"{request.from_checkpoint} {'has all weights' if lora else 'has an adapter of LoRA alone'}, and this stage trains {'such an adapter' if lora else 'all weights'}: give both stages the same")
    get = Settings(request.knobs).get
    return {
        "launch": request.launch_id, "base": request.first_step - 1 - request.steps_done, "from": request.from_checkpoint, "resumed": request.resumed,
        "carries": bool(request.from_checkpoint) and request.carry_optimizer and not request.resumed, "prompt_tokens": get("limits.prompt_tokens"),
        "patience": patience.total_seconds(), "rows": rows, "every": get("validate.every", 0), "before_train": get("validate.before_train", False),
        "held_out": request.data.validation_tasks, "samples": get("validate.samples", 1),
    }
