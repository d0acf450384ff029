"""The settings of a stage for its trainer."""

from __future__ import annotations

import datetime
import math
import pathlib
from typing import Any, Mapping

import awhost_bridge
from awhost_bridge.judge import codec
from awhost_bridge.stage import stage_length
from google.protobuf import json_format

from ..adapter import Adapter, Settings
from ..errors import Error
from ..fields import Fields
from ..installed import Packages
from ..v1.adapter_pb2 import DataSummary, PlanRequest, PlanResponse, TrainRequest
from ..v1.config_pb2 import Diagnostic, Path
from .endpoint import Options


def stage_settings(
    request: TrainRequest, *, patience: datetime.timedelta, rows: int, lora: bool, tool_format: str = "auto",
    reasoning_format: str = "auto", tokens_every: int = 0,
) -> dict[str, Any]:
    """Returns the settings of an awhost_bridge.hf.Stage, as JSON. patience is as in Batched; rows is the maximum number
    of messages sampled at once.

    lora is true if the stage trains a LoRA adapter; an Error is raised if the previous stage trained differently. The
    other arguments are as in awhost_bridge.stage_settings, which lists the settings.
    """
    if request.from_checkpoint and (pathlib.Path(request.from_checkpoint) / "adapter_config.json").is_file() != lora:
        raise Error(f"{request.from_checkpoint} {'has all weights' if lora else 'has an adapter of LoRA alone'}, and this stage trains {'such an adapter' if lora else 'all weights'}: give both stages the same")
    return awhost_bridge.stage_settings(
        json_format.MessageToDict(request, preserving_proto_field_name=True), patience=patience.total_seconds(), tool_format=tool_format,
        reasoning_format=reasoning_format, tokens_every=tokens_every,
    ) | {"rows": rows}


def stage_options(request: TrainRequest, processes: int) -> Options:
    """Returns options with as many open episodes as the host runs at a time, and at least a group: its samples may wait
    for each other."""
    settings = Settings(request.knobs)
    return Options(credits=max(settings.get("concurrency", 1) // processes, settings.get("batch.group_size", 8)))


def plan_codec(
    out: PlanResponse, model: object, kwargs: Mapping[str, Any], tool_format: str, reasoning_format: str
) -> None:
    """Adds to a plan which codec read the tool calls of the model's chat template before. If the last test failed, it
    is a warning. model None means that the template is unknown. kwargs are the template's arguments."""
    text, failure = codec(model, kwargs, (tool_format, reasoning_format))
    if text:
        out.notes.append(text)
    else:
        out.diagnostics.add(
            severity=Diagnostic.SEVERITY_WARNING, summary="Tool calls cannot be read", detail=failure,
            attribute=Path(steps=["tool_format"]),
        )


def plan_constraints(
    out: PlanResponse, adapter: Adapter, request: PlanRequest, packages: Packages, *, applied: bool
) -> None:
    """Adds a missing xgrammar to a plan whose agents apply decoding constraints. If the configured engine does not
    apply them, the plan narrows the adapter's capabilities instead."""
    if not applied:
        json_format.ParseDict(adapter.about.capabilities, out.capabilities)
        out.capabilities.sampling_owned.remove("decoding_constraints")
    elif request.agent.decoding_constraints:
        try:
            packages.require("xgrammar", (0, 2, 8), (0, 3))  # constraints.REQUIREMENT
        except Error as e:
            out.diagnostics.add(
                severity=Diagnostic.SEVERITY_ERROR, summary="No xgrammar for decoding constraints", detail=str(e),
                attribute=Path(steps=["python"]),
            )


def size_stage(fields: Fields, data: DataSummary, processes: int, *, rows: int = 8) -> None:
    """Sets the batch and the length of a stage. A GRPO trainer of transformers counts them in samples, micro-batches
    and updates: generation_batch_size, max_steps, save_steps and so on. rows is the default number of samples computed
    at once."""
    settings, group = fields.settings, fields.get("num_generations")
    prompts, (steps, save_every) = settings.get("batch.prompts", 0), stage_length(settings.tree, data.train_tasks)
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
    fields.put("batch.prompts", generation_batch_size=batch, gradient_accumulation_steps=batch // micro)
    fields.put("steps" if settings.get("steps") else "epochs", max_steps=steps)
    fields.put("checkpoint.every" if settings.get("checkpoint.every") else "steps", save_steps=save_every)
