# SPDX-License-Identifier: Apache-2.0
"""The adapter: plans a stage, and starts trainer.py in the user's Python. It imports the SDK, and no torch."""

import datetime
import json
import pathlib
import shutil
from typing import Annotated, Literal

import awhost
from awhost.adapter import Settings
from awhost.bridge import (
    BridgeAdapter, Command, Options, plan_knobs, plan_packages, plan_policy, stage_options, trainer_request,
)
from awhost.v1.adapter_pb2 import PlannedCommand, PlanRequest, PlanResponse, TrainRequest

APPLIED = """optimizer.learning_rate optimizer.schedule optimizer.warmup_steps optimizer.weight_decay optimizer.beta1
    optimizer.beta2 optimizer.max_grad_norm algorithm.name algorithm.normalize_by sampling.temperature""".split()
REFUSED = {
    "algorithm.clip_low": "a step is one update: the ratio of the probabilities is 1",
    "algorithm.clip_high": "a step is one update: the ratio of the probabilities is 1",
    "algorithm.kl": "there is no reference model", "mini_batch.size": "a step is one update",
    "mini_batch.epochs": "a step is one update",
}
PACKAGES = {"torch": ((2,), (3,)), "transformers": ((5,), (6,)), "accelerate": ((1,), (2,))}


class Reinforce(
    BridgeAdapter, type="reinforce", token_custody="shim", rows_per_episode="one", behaviour_logprobs=True,
    unscorable="exact", group_semantics=True, group_of_one="zero", credit=["episode"], stop_strings=True,
    sampling_owned=["temperature", "top_p", "top_k", "max_tokens", "stop", "chat_template_kwargs"],
    modalities=["text"], resume=True, live_metrics=True, step_barrier=True, scale=["process"],
):
    """Trains with the policy gradient of a group's rewards (GRPO), in plain PyTorch.

    python: The Python that has torch, transformers, and accelerate.
    device: `gpu`, or `cpu` for a tiny model.
    rows: Maximum number of messages sampled, and of rows trained, at once.
    patience: How long a batch of messages waits for episodes that may request another message.
    tool_format: The model's tool-call format. auto: the first codec that reads the chat template's calls.
    """

    python: pathlib.Path
    device: Literal["gpu", "cpu"] = "gpu"
    rows: Annotated[int, awhost.Field(minimum=1)] = 32
    patience: datetime.timedelta = datetime.timedelta(seconds=1)
    tool_format: str = "auto"

    def plan(self, request: PlanRequest) -> PlanResponse:
        out = PlanResponse()
        plan_packages(out, self.python, PACKAGES)
        plan_policy(out, request, tool_format=self.tool_format)
        for stage in request.stages:
            plan_knobs(out, stage.knobs, applied=APPLIED, refused=REFUSED, values={"algorithm.name": ("grpo",)})
            out.commands.append(PlannedCommand(argv=[str(self.python), "trainer.py"]))
        return out

    def options(self, request: TrainRequest) -> Options:
        return stage_options(request, 1)

    def trainer(self, request: TrainRequest, folder: pathlib.Path) -> Command:
        env = dict(Settings(request.knobs).get("env") or {})
        about = {name: getattr(self, name) for name in ("device", "rows", "tool_format")}
        about |= {"model": json.loads(request.policy_json)["path"], "patience": self.patience.total_seconds()}
        about |= {"request": trainer_request(request)}
        (folder / "reinforce.json").write_text(json.dumps(about), encoding="utf-8")
        shutil.copy(pathlib.Path(__file__).with_name("trainer.py"), folder)
        hidden = {"CUDA_VISIBLE_DEVICES": ""} if self.device == "cpu" else {}
        return Command([str(self.python), "trainer.py"], env=hidden | env)


def main() -> None:
    awhost.serve("reinforce", "0.1.0", Reinforce)
