# SPDX-License-Identifier: Apache-2.0
"""The adapter: it plans a stage, starts ms-swift in the user's Python, and relays. What runs beside ms-swift is in worker."""

from __future__ import annotations

import datetime
import json
import pathlib
import shutil
from typing import Annotated, Any, Iterable, Literal, Mapping

import awhost
from awhost.bridge import BridgeAdapter, Command, Options, plan_codec, stage_options, stage_settings
from awhost.fields import Fields
from awhost.installed import Packages
from awhost.v1.adapter_pb2 import PlannedCommand, PlanRequest, PlanResponse, Requirement, TrainRequest
from awhost.v1.config_pb2 import Diagnostic, Path
from awhost_bridge.judge import note

from .plan import settle

_WORKER = "awhost_swift_worker"
_PACKAGES = ("ms-swift", "msgspec", "torch", "transformers", "peft")  # ms-swift imports msgspec, and does not ask for it


class Swift(
    BridgeAdapter, type="swift", token_custody="shim", rows_per_episode="one", behaviour_logprobs=True, unscorable="in_baseline", group_semantics=True, group_of_one="zero", credit=["episode"],
    sampling_owned=["temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs"],
    stop_strings=True, modalities=["text"], resume=True, live_metrics=True, step_barrier=True, scale=["process"],
):
    """Trains with ModelScope's ms-swift (4.6 or newer): its GRPO with the episodes of awhost.

    python: the interpreter that has ms-swift, that of a virtual environment for example
    device: gpu, or cpu for a tiny model
    processes: how many processes train, each on a GPU with the whole model; more than one are started by torch.distributed.run
    config: fields of ms-swift's RLHFArguments, by their names there: tuner_type, lora_rank, model_type
    patience: how long a forward pass waits for episodes that may still ask. As long as that suffices, equal runs are equal
    sampling_rows: the most messages that are sampled at once
    tool_format: the model's tool-call format. auto: the first codec that reads what its chat template renders
    reasoning_format: auto: the codec reads reasoning. think: text between <think> and </think> is also reasoning. none: it stays in the content
    tokens_every: each so many steps `awhost ui` can show the tokens of a group that teaches something. 0: never
    """

    python: pathlib.Path
    device: Literal["gpu", "cpu"] = "gpu"
    processes: Annotated[int, awhost.Field(minimum=1)] = 1
    config: Annotated[Any, awhost.Field(example={"tuner_type": "full"})] = None
    patience: datetime.timedelta = datetime.timedelta(seconds=1)
    sampling_rows: Annotated[int, awhost.Field(minimum=1)] = 256
    tool_format: str = "auto"
    reasoning_format: Literal["auto", "think", "none"] = "auto"
    tokens_every: Annotated[int, awhost.Field(minimum=0, maximum=100000, unit="steps")] = 0

    @classmethod
    def check(cls, settings: Mapping[str, Any]) -> Iterable[awhost.Diagnostic]:
        if not isinstance(settings.get("config") or {}, Mapping):
            yield awhost.Diagnostic("No fields in config", "Write them as an object: config = { NAME = VALUE }.", ("config",))

    def plan(self, request: PlanRequest) -> PlanResponse:
        out, thinking = PlanResponse(), None
        try:
            packages = Packages(self.python)
            for stage in request.stages:
                fields = self._fields(packages, stage)
                fields.tell(out, f"{stage.name}/" if len(request.stages) > 1 else "")
                thinking = fields.values.get("enable_thinking")
                out.commands.append(PlannedCommand(argv=self._argv(), env=self._env(fields)))
            for name in _PACKAGES:
                version = packages.version(name)
                out.requirements.append(Requirement(kind="package", detail=f"{name} {version}" if version else f"{name} for {self.python}", met=version is not None))
        except awhost.Error as e:
            out.diagnostics.add(severity=Diagnostic.SEVERITY_ERROR, summary="No ms-swift to train with", detail=str(e), attribute=Path(steps=["python"]))
        model = json.loads(request.policy_json or b"{}").get("path")
        if model:  # the worker renders with the same argument
            kwargs = {} if thinking is None else {"enable_thinking": thinking}
            kwargs |= json.loads(request.agent.chat_template_kwargs_json or b"{}")
            out.notes.append(note(model, kwargs))
            plan_codec(out, model, kwargs, self.tool_format, self.reasoning_format)
        else:
            out.diagnostics.add(severity=Diagnostic.SEVERITY_ERROR, summary="No policy", detail='Write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train.')
        return out

    def _fields(self, packages: Packages, request: Any) -> Fields:
        return settle(packages, request.knobs, request.data, self.config or {}, self.device, self.processes)

    def _argv(self) -> list[str]:
        """The module itself: the program swift would start it as a child of its own, which outlives it when it is killed."""
        return [str(self.python), "-m", *(["awhost_bridge.hf", str(self.processes), _WORKER] if self.processes > 1 else [_WORKER])]

    def _env(self, fields: Fields) -> dict[str, str]:
        """On a CPU there must be no GPU to see: ms-swift takes one where it finds it."""
        return ({"CUDA_VISIBLE_DEVICES": ""} if self.device == "cpu" else {}) | dict(fields.settings.get("env") or {})

    def options(self, request: TrainRequest) -> Options:
        return stage_options(request, self.processes)

    def trainer(self, request: TrainRequest, folder: pathlib.Path) -> Command:
        fields = self._fields(Packages(self.python), request)
        if fields.problems:
            raise awhost.Error(f"{fields.problems[0].summary}: {fields.problems[0].detail}")
        values = {k: v for k, v in fields.values.items() if k != "generation_batch_size"}  # Swift takes this, or what makes it
        values |= {"model": json.loads(request.policy_json)["path"], "output_dir": request.checkpoint_dir or str(folder / "checkpoints"), "dataset": [str(folder / "tasks.jsonl")]}
        if request.resumed:
            values["resume_from_checkpoint"] = request.from_checkpoint
        positions = range(values["max_steps"] * fields.settings.get("batch.prompts"))  # in the host's order; the messages only tell one from another
        tasks = [json.dumps({"messages": [{"role": "user", "content": str(i)}], "position": i}) + "\n" for i in positions]
        (folder / "tasks.jsonl").write_text("".join(tasks), encoding="utf-8")
        lora = fields.get("tuner_type") != "full"
        stage = stage_settings(
            request, patience=self.patience, rows=self.sampling_rows, lora=lora, tool_format=self.tool_format,
            reasoning_format=self.reasoning_format, tokens_every=self.tokens_every,
        )
        about = {"fields": values, "stage": stage}
        (folder / "swift.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
        shutil.copytree(pathlib.Path(__file__).parent / "worker", folder / "python" / _WORKER, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        return Command(self._argv(), env=self._env(fields))
