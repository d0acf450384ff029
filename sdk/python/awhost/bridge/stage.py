"""The parts of an adapter that do not depend on its framework: plans, and the options of a bridge."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Collection, Mapping, Sequence

from awhost_bridge.judge import codec, note
from google.protobuf import json_format

from ..adapter import Settings
from ..errors import Error
from ..installed import Packages
from ..v1.adapter_pb2 import Knobs, PlanRequest, PlanResponse, Requirement, TrainRequest
from ..v1.config_pb2 import Diagnostic, Path
from .endpoint import Options

# The knobs that the host or awhost_bridge.StageDriver applies for every framework.
_DRIVEN = """seed steps epochs batch.prompts batch.group_size concurrency env limits.prompt_tokens limits.response_tokens
    limits.message_tokens limits.overlong sampling.stop checkpoint.every checkpoint.unit checkpoint.keep validate.every
    validate.before_train validate.samples validate.best_by validate.log_generations validate.sampling.temperature
    validate.sampling.top_p validate.sampling.top_k validate.sampling.stop""".split()


def stage_options(request: TrainRequest, processes: int) -> Options:
    """Returns options with as many open episodes as the host runs at a time, and at least a group: its samples may wait
    for each other."""
    settings = Settings(request.knobs)
    return Options(credits=max(settings.get("concurrency", 1) // processes, settings.get("batch.group_size", 8)))


def trainer_request(request: TrainRequest) -> dict[str, Any]:
    """Returns a request as JSON, for awhost_bridge.stage_settings and knobs_of in the trainer. It has no
    attributes and no variables of the spec's env block, which may be secrets: they belong in the trainer's environment,
    not in its files."""
    out = TrainRequest()
    out.CopyFrom(request)
    out.ClearField("config_json")
    tree = json.loads(request.knobs.json or b"{}")
    tree.pop("env", None)
    out.knobs.json = json.dumps(tree).encode()
    return json_format.MessageToDict(out)


def plan_knobs(
    out: PlanResponse, knobs: Knobs, *, applied: Collection[str], refused: Mapping[str, str] | None = None,
    values: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Adds a stage's knobs to a plan. The trainer applies the knobs in applied, the host and StageDriver apply others.
    All remaining knobs of the spec are refused, with the reasons from refused. values are the possible values of knobs
    in applied."""
    settings, reasons = Settings(knobs), dict(refused or {})
    keys = dict.fromkeys(_DRIVEN, "awhost") | {knob: knob for knob in applied}
    for knob, known in (values or {}).items():
        if (value := settings.get(knob)) is not None and value not in known:
            reasons[knob] = f"it is {value!r}, and this adapter has {', '.join(map(str, known))}"
            del keys[knob]
    blocks = {knob.rpartition(".")[0] for knob in (*keys, *reasons)} - {""}
    out.knobs.extend(settings.mapped(keys | dict.fromkeys(blocks, "awhost"), reasons)[1])


def plan_packages(
    out: PlanResponse, python: pathlib.Path, packages: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]
) -> None:
    """Adds the distributions of an interpreter to a plan, each with its first supported version and the first version
    that is not supported any more. Problems are errors at the attribute python."""
    try:
        found = Packages(python)
        for name, (at_least, below) in packages.items():
            detail = f"{name} {found.require(name, at_least, below)}"
            out.requirements.append(Requirement(kind="package", detail=detail, met=True))
    except Error as e:
        _problem(out, "No Python to train with", str(e), "python")


def plan_policy(
    out: PlanResponse, request: PlanRequest, *, tool_format: str = "auto", reasoning_format: str = "auto",
    kwargs: Mapping[str, Any] | None = None,
) -> None:
    """Adds the policy to a plan: the rows that result from its chat template, and the codec that read its tool calls
    before. A failure of the last test is a warning. kwargs are arguments of the template; the agent's replace them."""
    model = json.loads(request.policy_json or b"{}").get("path")
    if not model:
        remedy = 'Write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train.'
        return _problem(out, "No policy", remedy)
    given = dict(kwargs or {}) | json.loads(request.agent.chat_template_kwargs_json or b"{}")
    out.notes.append(note(model, given))
    text, failure = codec(model, given, (tool_format, reasoning_format))
    if text:
        out.notes.append(text)
    else:
        _problem(out, "Tool calls cannot be read", failure, "tool_format", severity=Diagnostic.SEVERITY_WARNING)


def _problem(
    out: PlanResponse, summary: str, detail: str, *path: str, severity: Diagnostic.Severity = Diagnostic.SEVERITY_ERROR
) -> None:
    attribute = Path(steps=path) if path else None
    out.diagnostics.add(severity=severity, summary=summary, detail=detail, attribute=attribute)
