# SPDX-License-Identifier: Apache-2.0
"""The adapter: it plans a stage, starts TRL in the user's Python, and relays. What runs beside TRL is in worker."""

from __future__ import annotations

import datetime
import json
import pathlib
import shutil
from typing import Annotated, Any, Iterable, Literal, Mapping

import awhost
from awhost.bridge import BridgeAdapter, Command, Options, plan_codec, plan_constraints, stage_options, stage_settings
from awhost.fields import Fields
from awhost.installed import Packages, misfit
from awhost.v1.adapter_pb2 import PlannedCommand, PlanRequest, PlanResponse, Requirement, TrainRequest
from awhost.v1.config_pb2 import Diagnostic, Path
from awhost_bridge.judge import note, unknown

from .plan import hook, settle

_WORKER = "awhost_trl_worker"


class Trl(
    BridgeAdapter, type="trl", token_custody="shim", rows_per_episode="one", behaviour_logprobs=True, unscorable="exact", group_semantics=True, group_of_one="zero", credit=["episode"],
    sampling_owned=[
        "temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs", "decoding_constraints",
    ],
    stop_strings=True, modalities=["text"], resume=True, live_metrics=True, step_barrier=True, scale=["process"],
):
    """Trains with Hugging Face TRL (1.10 or newer): GRPOTrainer with the episodes of awhost.

    python: the interpreter that has TRL, that of a virtual environment for example
    device: gpu, or cpu for a tiny model
    processes: how many processes train, each on a GPU with the whole model
    config: fields of TRL's GRPOConfig, by their names there
    lora: fields of PEFT's LoraConfig, by their names there; without it all weights are trained
    patience: how long a forward pass waits for episodes that may still ask. As long as that suffices, equal runs are equal
    sampling_rows: the most messages that are sampled at once
    tool_format: the model's tool-call format. auto: the first codec that reads what its chat template renders
    reasoning_format: auto: the codec reads reasoning. think: text between <think> and </think> is also reasoning. none: it stays in the content
    tokens_every: each so many steps `awhost ui` can show the tokens of a group that teaches something. 0: never
    """

    python: pathlib.Path
    device: Literal["gpu", "cpu"] = "gpu"
    processes: Annotated[int, awhost.Field(minimum=1)] = 1
    config: Annotated[Any, awhost.Field(example={"loss_type": "grpo"})] = None
    lora: Annotated[Any, awhost.Field(example={"r": 16, "target_modules": "all-linear"})] = None
    patience: datetime.timedelta = datetime.timedelta(seconds=1)
    sampling_rows: Annotated[int, awhost.Field(minimum=1)] = 256
    tool_format: str = "auto"
    reasoning_format: Literal["auto", "think", "none"] = "auto"
    tokens_every: Annotated[int, awhost.Field(minimum=0, maximum=100000, unit="steps")] = 0

    @classmethod
    def check(cls, settings: Mapping[str, Any]) -> Iterable[awhost.Diagnostic]:
        for name in ("config", "lora"):
            if not isinstance(settings.get(name) or {}, Mapping):
                yield awhost.Diagnostic(f"No fields in {name}", f"Write them as an object: {name} = {{ NAME = VALUE }}.", (name,))

    def plan(self, request: PlanRequest) -> PlanResponse:
        out = PlanResponse()
        try:
            packages, asked = Packages(self.python), ["trl", "torch", "transformers", "accelerate", *(["peft"] if self.lora else [])]
            for stage in request.stages:
                fields = self._fields(packages, stage)
                fields.tell(out, f"{stage.name}/" if len(request.stages) > 1 else "")
                asked += ["vllm"] if fields.get("use_vllm") and "vllm" not in asked else []
                out.commands.append(PlannedCommand(argv=self._argv(), env=fields.settings.get("env") or {}))
            self._plan_packages(out, packages, asked)
            plan_constraints(out, self, request, packages, applied="vllm" not in asked)
            out.notes.append(f"TRL gets the episodes through {hook(packages)}")
        except awhost.Error as e:
            out.diagnostics.add(severity=Diagnostic.SEVERITY_ERROR, summary="No TRL to train with", detail=str(e), attribute=Path(steps=["python"]))
        model = json.loads(request.policy_json or b"{}").get("path")
        if model:
            self._plan_template(out, model, json.loads(request.agent.chat_template_kwargs_json or b"{}"))
        else:
            out.diagnostics.add(severity=Diagnostic.SEVERITY_ERROR, summary="No policy", detail='Write model "hf" "policy" { path = "…" }, and policy = model.hf.policy in train.')
        return out

    def _plan_template(self, out: PlanResponse, model: str | None, kwargs: dict[str, Any]) -> None:
        """Adds which rows follow from the chat template, and what reads its tool calls."""
        config = self.config or {}
        kwargs = (config.get("chat_template_kwargs") or {}) | kwargs
        if config.get("chat_template_path"):
            model, rows = None, unknown("chat_template_path names another one than the model's")
        else:
            rows = note(model, kwargs)
        out.notes.append(rows)
        plan_codec(out, model, kwargs, self.tool_format, self.reasoning_format)

    def _fields(self, packages: Packages, request: Any) -> Fields:
        return settle(packages, request.knobs, request.data, self.config or {}, self.device, self.processes)

    def _plan_packages(self, out: PlanResponse, packages: Packages, asked: list[str]) -> None:
        for name in asked:
            version = packages.version(name)
            out.requirements.append(Requirement(kind="package", detail=f"{name} {version}" if version else f"{name} for {self.python}", met=version is not None))
        if self.lora and packages.version("peft"):
            known = packages.dataclass("peft/tuners/lora/config.py", "LoraConfig")
            for key, problem in ((key, misfit(known, key, value)) for key, value in self.lora.items()):
                if problem:
                    out.diagnostics.add(severity=Diagnostic.SEVERITY_ERROR, summary=f"Wrong field {key} of PEFT", detail=problem, attribute=Path(steps=["lora", key]))

    def _argv(self) -> list[str]:
        return [str(self.python), "-m", *(["awhost_bridge.hf", str(self.processes), _WORKER] if self.processes > 1 else [_WORKER])]

    def options(self, request: TrainRequest) -> Options:
        return stage_options(request, self.processes)

    def trainer(self, request: TrainRequest, folder: pathlib.Path) -> Command:
        fields = self._fields(Packages(self.python), request)
        if fields.problems:
            raise awhost.Error(f"{fields.problems[0].summary}: {fields.problems[0].detail}")
        values = {k: v for k, v in fields.values.items() if k != "generation_batch_size"}  # TRL takes this, or what makes it
        (folder / "trl.json").write_text(json.dumps({
            "model": json.loads(request.policy_json)["path"], "lora": self.lora, "processes": self.processes, "prompts": fields.settings.get("batch.prompts"),
            "fields": values | {"output_dir": request.checkpoint_dir or str(folder / "checkpoints")},
            "stage": stage_settings(
                request, patience=self.patience, rows=self.sampling_rows, lora=self.lora is not None,
                tool_format=self.tool_format, reasoning_format=self.reasoning_format, tokens_every=self.tokens_every,
            ),
        }, indent=1), encoding="utf-8")
        shutil.copytree(pathlib.Path(__file__).parent / "worker", folder / "python" / _WORKER, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        return Command(self._argv(), env=fields.settings.get("env") or {})
