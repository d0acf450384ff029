# SPDX-License-Identifier: Apache-2.0
"""Plans against an ms-swift that is some files."""

from __future__ import annotations

import datetime
import importlib.util
import json
import pathlib
import shutil
import tempfile
import unittest
from typing import Any

import awhost
from awhost.v1.adapter_pb2 import DataSummary, Knobs, PlanRequest, PlanResponse, StagePlan, TrainRequest
from awhost_swift.adapter import Swift

RLHF = """
from swift.rlhf_trainers import GRPOArgumentsMixin
from .sft_args import SftArguments
@dataclass
class GRPOArguments(GRPOArgumentsMixin):
    num_generations: int = 8
    reward_funcs: List[str] = field(default_factory=list)
    reward_weights: List[float] = None
    num_iterations: int = 1
    truncation_strategy: Literal['delete', 'left', 'right', 'split', None] = None
@dataclass
class RLHFArguments(GRPOArguments, SftArguments):
    rlhf_type: Literal['dpo', 'grpo'] = 'dpo'
    beta: Optional[float] = None
    temperature: float = 0.9
    max_completion_length: int = 512
"""
GRPO = """
@dataclass
class GRPOArgumentsMixin:
    epsilon: float = 0.2
    use_vllm: bool = False
    multi_turn_scheduler: Optional[str] = None
    dynamic_sample: bool = False
    generation_batch_size: Optional[int] = None
    scale_rewards: Optional[Literal['group', 'batch', 'none', 'gdpo']] = None
    top_p: float = 1.0
"""
SFT = """
@dataclass
class SftArguments:
    output_dir: Optional[str] = None
    per_device_train_batch_size: int = 1
    learning_rate: Optional[float] = None
    lr_scheduler_type: str = 'cosine'
    lr_scheduler_kwargs: Optional[Union[dict, str]] = None
    report_to: List[str] = field(default_factory=lambda: ["tensorboard"])
    max_steps: int = -1
    seed: int = 42
    deepspeed: dict | str | None = None
    model: Optional[str] = None
    model_type: Optional[str] = None
    adapters: List[str] = field(default_factory=list)
    torch_dtype: Literal['bfloat16', 'float16', 'float32', None] = None
    gradient_checkpointing: bool = True
    template: Optional[str] = None
    template_backend: Literal['swift', 'jinja'] = 'swift'
    response_length: Optional[int] = None
    tuner_type: str = 'lora'
    enable_thinking: Optional[bool] = None
    target_modules: List[str] = field(default_factory=lambda: ['all-linear'])
    loss_type: Optional[List[str]] = None
    quant_bits: Literal[1, 2, 3, 4, 8, 'float8'] = None
"""
FILES = {"arguments/rlhf_args.py": RLHF, "rlhf_trainers/arguments.py": GRPO, "arguments/sft_args.py": SFT}
DISTRIBUTIONS = ("ms_swift-4.6.0", "msgspec-0.22.0", "torch-2.11.0", "transformers-5.19.0", "peft-0.20.0")

KNOBS = {"steps": 3, "batch": {"prompts": 16, "group_size": 8}, "set": ["steps", "batch.prompts", "batch.group_size"]}


class PlanTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.venv = pathlib.Path(folder.name)
        self.site = self.venv / "lib/python3.11/site-packages"
        self.write(self.venv / "bin/python", "")
        for path, text in FILES.items():
            self.write(self.site / "swift" / path, text)
        for name in DISTRIBUTIONS:
            self.write(self.site / f"{name}.dist-info/METADATA", "")

    def write(self, path: pathlib.Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def adapter(self, **settings: Any) -> Swift:
        adapter = Swift()
        adapter.python = self.venv / "bin/python"
        for name, value in {"device": "gpu", "processes": 1, "config": None, "patience": datetime.timedelta(seconds=1), "sampling_rows": 256, "tool_format": "auto", "reasoning_format": "auto", **settings}.items():
            setattr(adapter, name, value)
        return adapter

    def plan(self, tree: dict[str, Any] | None = None, policy: str = '{"path": "/m"}', **settings: Any) -> PlanResponse:
        data = DataSummary(train_tasks=100)
        stage = StagePlan(name="main", knobs=Knobs(json=json.dumps(KNOBS | (tree or {})).encode()), data=data)
        return self.adapter(**settings).plan(PlanRequest(policy_json=policy.encode(), stages=[stage]))

    def values(self, out: PlanResponse) -> dict[str, Any]:
        self.assertEqual([], [d.detail for d in out.diagnostics])
        return {e.key: json.loads(e.value_json) for e in out.effective}

    def problem(self, out: PlanResponse) -> tuple[list[str], str]:
        self.assertEqual(1, len(out.diagnostics), out.diagnostics)
        return list(out.diagnostics[0].attribute.steps), out.diagnostics[0].detail

    def test_a_batch_is_split_as_the_config_says(self) -> None:
        values = self.values(self.plan(config={"per_device_train_batch_size": 32}))
        self.assertEqual((128, 32, 4, 3, 8), tuple(values[k] for k in ("generation_batch_size", "per_device_train_batch_size", "gradient_accumulation_steps", "max_steps", "num_generations")))
        values = self.values(self.plan(processes=4))
        self.assertEqual((8, 4), (values["per_device_train_batch_size"], values["gradient_accumulation_steps"]))
        path, detail = self.problem(self.plan(config={"per_device_train_batch_size": 48}))
        self.assertEqual((["config"], True), (path, "16 prompts × 8 samples are 128" in detail))
        _, detail = self.problem(self.plan(processes=3))
        self.assertIn("128, and", detail)
        self.assertIn("per_device_train_batch_size", self.problem(self.plan(config={"per_device_train_batch_size": 0}))[1])

    @unittest.skipIf(importlib.util.find_spec("jinja2") is None, "there is no jinja2")
    def test_which_rows_follow_from_the_chat_template(self) -> None:
        end = "<|im_end|>"
        dropping = "enable_thinking | default(true) and not loop.last"
        shown = "{{ m.content.split('</think>')[-1] if " + dropping + " else m.content }}"
        template = "{% for m in messages %}<{{ m.role }}>" + shown + end + "{% endfor %}"
        settings = {"eos_token": end, "chat_template": template}
        self.write(self.venv / "model/tokenizer_config.json", json.dumps(settings))
        policy = json.dumps({"path": str(self.venv / "model")})
        self.assertIn("drops earlier thinking", self.plan(policy=policy).notes[0])
        self.assertIn("a conversation is one row", self.plan(policy=policy, config={"enable_thinking": False}).notes[0])
        self.assertIn("not checked: /m is not a folder", self.plan().notes[0])
        asked = self.plan(tool_format="glm", reasoning_format="think").notes[1]
        self.assertTrue(asked.endswith("by a test message (tool_format = glm, reasoning_format = think)"), asked)

    def test_all_samples_of_a_group_may_wait_at_once(self) -> None:
        self.values(self.plan({"concurrency": 16}, processes=2))
        self.assertIn("concurrency = 16", self.problem(self.plan({"concurrency": 15}, processes=2))[1])

    def test_a_group_has_several_samples(self) -> None:
        self.assertIn("two samples", self.problem(self.plan({"batch": {"prompts": 16, "group_size": 1}}))[1])
        self.assertIn("prompts", self.problem(self.plan({"batch": {}}))[1])

    def test_fields_of_the_user(self) -> None:
        for config, says in (
            ({"beata": 0.1}, "did you mean beta?"), ({"beta": "high"}, "takes Optional[float]"), ({"loss_type": "dapo"}, "takes Optional[List[str]]"), ({"target_modules": "q_proj"}, "takes List[str]"),
            ({"scale_rewards": "grup"}, "takes Optional[Literal['group'"), ({"torch_dtype": "bf16"}, "takes Literal['bfloat16'"), ({"quant_bits": 5}, "takes Literal[1, 2"),
        ):
            path, detail = self.problem(self.plan(config=config))
            self.assertEqual((["config", *config], True), (path, says in detail), detail)
        out = self.plan({"overrides": {"loss_type": '["dr_grpo"]', "lr_scheduler_kwargs": '{"min_lr_rate": 0.1}', "quant_bits": "4"}}, config={"beta": 1, "target_modules": ["q_proj"], "loss_type": ["dapo"]})
        values = self.values(out)
        self.assertEqual((1, ["dr_grpo"], {"min_lr_rate": 0.1}, 4), (values["beta"], values["loss_type"], values["lr_scheduler_kwargs"], values["quant_bits"]))
        self.assertEqual({"beta": "config", "loss_type": "overrides"}, {e.key: e.origin for e in out.effective if e.key in ("beta", "loss_type")})

    def test_loggers_of_the_framework_are_those_of_the_config(self) -> None:
        self.assertEqual(["none"], self.values(self.plan())["report_to"])
        self.assertEqual(["wandb"], self.values(self.plan(config={"report_to": ["wandb"]}))["report_to"])

    def test_what_ms_swift_would_train_wrongly_is_refused_and_says_why(self) -> None:
        for name, value, says in (
            ("template_backend", "jinja", "render assistant messages as str(list)"), ("template", "qwen2_5", "no template of ms-swift renders them"), ("truncation_strategy", "left", "the sampled tokens themselves"),
            ("use_vllm", True, "sampled by this adapter"), ("num_iterations", 2, "one update"), ("generation_batch_size", 64, "one update"), ("adapters", ["/lora"], "begins with the policy of the spec"), ("top_k", 5, "sampling { top_k"), ("use_liger_kernel", True, "another policy"), ("check_model", True, "awhost does that"),
            ("multi_turn_scheduler", "math_tip_trick", "awhost plays the episodes"), ("dynamic_sample", True, "awhost plays the episodes"), ("deepspeed", "zero3", "samples with the whole model"),
            ("reward_funcs", ["accuracy"], "one reward"), ("reward_weights", [1.0], "one reward"), ("response_length", 64, "limits { response_tokens"), ("max_steps", 7, "steps or epochs"), ("output_dir", "/tmp", "awhost does that"),
        ):
            path, detail = self.problem(self.plan(config={name: value}))
            self.assertEqual((["config", name], True), (path, says in detail), f"{name}: {detail}")
            _, detail = self.problem(self.plan({"overrides": {name: json.dumps(value)}}))
            self.assertIn(says, detail)

    def test_the_model_is_that_of_the_spec(self) -> None:
        path, detail = self.problem(self.plan(config={"model": "/other"}))
        self.assertEqual((["config"], True), (path, "policy = model.hf.policy" in detail))
        self.assertEqual("qwen2", self.values(self.plan(config={"model_type": "qwen2"}))["model_type"])

    def test_what_awhost_takes_over_is_in_the_plan(self) -> None:
        out = self.plan()
        values = self.values(out)
        want = {"template": "awhost", "multi_turn_scheduler": "awhost", "reward_funcs": ["awhost"], "callbacks": ["awhost"], "overlong_filter": True, "use_vllm": False, "dataset_shuffle": False}
        self.assertEqual(want, {name: values[name] for name in want})
        self.assertEqual({"required by awhost"}, {e.origin for e in out.effective if e.key in want})

    def test_a_knob_and_its_field_are_said_once(self) -> None:
        _, detail = self.problem(self.plan({"algorithm": {"clip_low": 0.1}, "set": ["algorithm.clip_low"]}, config={"epsilon": 0.2}))
        self.assertIn("algorithm.clip_low", detail)
        self.assertEqual("constant_with_warmup", self.values(self.plan({"optimizer": {"schedule": "constant"}, "set": ["optimizer.schedule"]}))["lr_scheduler_type"])

    def test_epochs_are_counted_in_steps(self) -> None:
        self.assertEqual(13, self.values(self.plan({"steps": None, "epochs": 2, "set": ["epochs"]}))["max_steps"])

    def test_knobs_that_are_refused_say_why(self) -> None:
        out = self.plan({"mini_batch": {"epochs": 2}, "algorithm": {"name": "gspo"}, "set": ["mini_batch.epochs", "algorithm.name", "filter_groups.refill"]})
        refused = {k.knob: k.refused for k in out.knobs if k.refused}
        self.assertEqual({"mini_batch.epochs", "algorithm.name", "filter_groups.refill"}, set(refused))
        self.assertIn("one update", refused["mini_batch.epochs"])

    def test_on_a_cpu_the_user_may_still_say_bf16(self) -> None:
        out = self.plan(device="cpu")
        values = self.values(out)
        self.assertEqual(("float32", False, True), (values["torch_dtype"], values["gradient_checkpointing"], values["use_cpu"]))
        self.assertEqual("", out.commands[0].env["CUDA_VISIBLE_DEVICES"])
        self.assertEqual("bfloat16", self.values(self.plan(device="cpu", config={"torch_dtype": "bfloat16"}))["torch_dtype"])

    def test_several_processes_are_started_by_torchrun(self) -> None:
        self.assertEqual(["-m", "awhost_swift_worker"], list(self.plan().commands[0].argv)[1:])
        self.assertEqual(["-m", "awhost_bridge.hf", "4", "awhost_swift_worker"], list(self.plan(processes=4).commands[0].argv)[1:])

    def test_each_stage_begins_with_the_policy_of_the_spec(self) -> None:
        def given(**changes: Any) -> dict[str, Any]:
            folder = self.venv / "launch"
            folder.mkdir(exist_ok=True)
            request = TrainRequest(policy_json=b'{"path": "/m"}', knobs=Knobs(json=json.dumps(KNOBS).encode()), data=DataSummary(train_tasks=100), **changes)
            self.adapter().trainer(request, folder)
            fields = json.loads((folder / "swift.json").read_text())["fields"]
            self.assertNotIn("generation_batch_size", fields)  # ms-swift takes this, or what makes it
            return {name: fields[name] for name in ("model", "adapters", "resume_from_checkpoint") if name in fields}

        before = self.venv / "checkpoint-3"
        before.mkdir()
        (before / "adapter_config.json").write_text("{}")
        self.assertEqual({"model": "/m"}, given())
        self.assertEqual({"model": "/m"}, given(from_checkpoint=str(before)))  # the trainer loads it
        self.assertEqual({"model": "/m", "resume_from_checkpoint": str(before)}, given(from_checkpoint=str(before), resumed=True))
        (before / "adapter_config.json").unlink()
        with self.assertRaisesRegex(awhost.Error, "has all weights, and this stage trains such an adapter"):
            given(from_checkpoint=str(before))
        about = json.loads((self.venv / "launch/swift.json").read_text())
        self.assertEqual(["auto", "auto"], [about["stage"][name] for name in ("tool_format", "reasoning_format")])
        self.assertEqual(48, len((self.venv / "launch/tasks.jsonl").read_text().splitlines()))

    def test_what_is_missing_is_named(self) -> None:
        self.assertIn("policy", self.problem(self.plan(policy=""))[1])
        self.assertEqual([], [r.detail for r in self.plan().requirements if not r.met])
        shutil.rmtree(self.site / "msgspec-0.22.0.dist-info")  # pip leaves it out
        self.assertEqual(["msgspec for " + str(self.venv / "bin/python")], [r.detail for r in self.plan().requirements if not r.met])
        (self.site / "ms_swift-4.6.0.dist-info").rename(self.site / "ms_swift-4.5.2.dist-info")
        path, detail = self.problem(self.plan())
        self.assertEqual((["python"], True), (path, "has ms-swift 4.5.2" in detail and "'ms-swift>=4.6,<5'" in detail), detail)
        shutil.rmtree(self.venv / "lib")
        self.assertIn("has no ms-swift", self.problem(self.plan())[1])


if __name__ == "__main__":
    unittest.main()
