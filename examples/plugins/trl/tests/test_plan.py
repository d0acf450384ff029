# SPDX-License-Identifier: Apache-2.0
"""Plans against a TRL that is some files."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from typing import Any
from unittest import mock

from awhost.v1.adapter_pb2 import AgentSummary, DataSummary, Knobs, PlanRequest, PlanResponse, StagePlan
from awhost.v1.config_pb2 import Diagnostic
from awhost_bridge.evidence import save
from awhost_trl.adapter import Trl
from awhost_trl.plan import GENERATION

GRPO = """
from .base_config import _BaseConfig
@dataclass
class GRPOConfig(_BaseConfig):
    num_generations: int | None = field(default=8)
    beta: float = field(default=0.0)
    epsilon: float = field(default=0.2)
    loss_type: str = field(default="dapo")
    scale_rewards: str = field(default="group")
    use_vllm: bool = field(default=False)
    max_completion_length: int | None = field(default=512)
    reward_weights: list[float] | None = field(default=None)
"""
BASE = "from transformers import TrainingArguments\n@dataclass\nclass _BaseConfig(TrainingArguments):\n    logging_steps: float = 10\n"
ARGUMENTS = """
class TrainingArguments:
    output_dir: str | None = None
    per_device_train_batch_size: int = 8
    learning_rate: float = 5e-5
    lr_scheduler_type: SchedulerType | str = "linear"
    lr_scheduler_kwargs: dict | str | None = None
    max_steps: int = -1
    seed: int = 42
    report_to: None | str | list[str] = "none"
"""
TRAINER = "class GRPOTrainer:\n    def __init__(self, model, rollout_func=None): pass\n"
LORA = "class LoraConfig:\n    r: int = 8\n    target_modules: Optional[Union[list[str], str]] = None\n"


class PlanTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.venv = pathlib.Path(folder.name)
        self.write("bin/python", "")
        for path, text in (("trl/trainer/grpo_config.py", GRPO), ("trl/trainer/base_config.py", BASE), ("trl/trainer/grpo_trainer.py", TRAINER), ("transformers/training_args.py", ARGUMENTS), ("peft/tuners/lora/config.py", LORA)):
            self.package(path, text)
        for name in ("trl-1.16.0", "torch-2.11.0", "transformers-5.23.0", "accelerate-1.15.0", "peft-0.21.2"):
            self.package(f"{name}.dist-info/METADATA", "")

    def package(self, path: str, text: str) -> None:
        self.write(f"lib/python3.11/site-packages/{path}", text)

    def write(self, path: str, text: str) -> None:
        (self.venv / path).parent.mkdir(parents=True, exist_ok=True)
        (self.venv / path).write_text(text)

    def plan(
        self, tree: dict[str, Any] | None = None, policy: str = '{"path": "/m"}', agent: AgentSummary | None = None,
        **settings: Any,
    ) -> PlanResponse:
        adapter = Trl()
        adapter.python = self.venv / "bin/python"
        given = {"device": "gpu", "processes": 1, "config": None, "lora": None}
        for name, value in (given | {"tool_format": "auto", "reasoning_format": "auto"} | settings).items():
            setattr(adapter, name, value)
        data = DataSummary(train_tasks=100)
        knobs = {"steps": 3, "batch": {"prompts": 16, "group_size": 8}, "set": ["steps", "batch.prompts", "batch.group_size"], **(tree or {})}
        stage = StagePlan(name="main", knobs=Knobs(json=json.dumps(knobs).encode()), data=data)
        return adapter.plan(PlanRequest(policy_json=policy.encode(), agent=agent, stages=[stage]))

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
        self.assertEqual(["-m", "awhost_bridge.hf", "4", "awhost_trl_worker"], list(self.plan(processes=4).commands[0].argv)[1:])
        path, detail = self.problem(self.plan(config={"per_device_train_batch_size": 48}))
        self.assertEqual((["config"], True), (path, "16 prompts × 8 samples are 128" in detail))
        _, detail = self.problem(self.plan(processes=3))
        self.assertIn("128, and", detail)
        self.assertIn("per_device_train_batch_size", self.problem(self.plan(config={"per_device_train_batch_size": 0}))[1])

    def test_all_samples_of_a_group_may_wait_at_once(self) -> None:
        self.values(self.plan({"concurrency": 16}, processes=2))
        self.assertIn("concurrency = 16", self.problem(self.plan({"concurrency": 15}, processes=2))[1])

    def test_a_group_has_several_samples(self) -> None:
        self.assertIn("two samples", self.problem(self.plan({"batch": {"prompts": 16, "group_size": 1}}))[1])
        self.assertIn("prompts", self.problem(self.plan({"batch": {}}))[1])

    def test_fields_of_the_user(self) -> None:
        for config, says in (
            ({"beata": 0.1}, "did you mean beta?"), ({"beta": "high"}, "takes float"), ({"loss_type": 3}, "takes str"), ({"vllm_mode": "server"}, "in the trainer's process"), ({"min_p": 0.1}, "sampled by this adapter"),
            ({"output_dir": "/tmp"}, "awhost does that"), ({"max_steps": 7}, "steps or epochs"), ({"reward_weights": [1.0]}, "one reward"),
        ):
            path, detail = self.problem(self.plan(config=config))
            self.assertEqual((["config", *config], True), (path, says in detail), detail)
        out = self.plan({"overrides": {"loss_type": "grpo", "lr_scheduler_kwargs": '{"min_lr_rate": 0.1}'}}, config={"beta": 1})
        values = self.values(out)
        self.assertEqual((1, "grpo", {"min_lr_rate": 0.1}), (values["beta"], values["loss_type"], values["lr_scheduler_kwargs"]))
        self.assertEqual({"beta": "config", "loss_type": "overrides"}, {e.key: e.origin for e in out.effective if e.key in ("beta", "loss_type")})

    def test_loggers_of_the_framework_are_those_of_the_config(self) -> None:
        self.assertEqual([], self.values(self.plan())["report_to"])
        self.assertEqual(["wandb"], self.values(self.plan(config={"report_to": ["wandb"]}))["report_to"])

    def test_epochs_are_counted_in_steps(self) -> None:
        self.assertEqual(13, self.values(self.plan({"steps": None, "epochs": 2, "set": ["epochs"]}))["max_steps"])

    def test_knobs_that_are_refused_say_why(self) -> None:
        out = self.plan({"mini_batch": {"epochs": 2}, "algorithm": {"name": "gspo"}, "set": ["mini_batch.epochs", "algorithm.name", "filter_groups.refill"]})
        refused = {k.knob: k.refused for k in out.knobs if k.refused}
        self.assertEqual({"mini_batch.epochs", "algorithm.name", "filter_groups.refill"}, set(refused))
        self.assertIn("one update", refused["mini_batch.epochs"])

    def test_on_a_cpu_the_user_may_still_say_bf16(self) -> None:
        self.package("transformers/training_args.py", ARGUMENTS + "    bf16: bool | None = None\n    gradient_checkpointing: bool = False\n")
        self.assertFalse(self.values(self.plan(device="cpu"))["bf16"])
        self.assertTrue(self.values(self.plan(device="cpu", config={"bf16": True}))["bf16"])

    def test_vllm(self) -> None:
        out = self.plan(config={"use_vllm": True})
        self.assertEqual("colocate", self.values(out)["vllm_mode"])
        self.assertEqual(["vllm for " + str(self.venv / "bin/python")], [r.detail for r in out.requirements if not r.met])
        self.package("vllm-0.27.0.dist-info/METADATA", "")
        self.assertEqual([], [r.detail for r in self.plan(config={"use_vllm": True}).requirements if not r.met])

    def test_decoding_constraints_need_xgrammar(self) -> None:
        agent = AgentSummary(decoding_constraints=True)
        self.assertIn("has no xgrammar. Install it there", self.problem(self.plan(agent=agent))[1])
        self.values(self.plan())
        self.package("xgrammar-0.2.9.dist-info/METADATA", "")
        self.values(self.plan(agent=agent))
        out = self.plan(agent=agent, config={"use_vllm": True})
        self.assertNotIn("decoding_constraints", out.capabilities.sampling_owned)
        self.assertIn("max_tokens", out.capabilities.sampling_owned)

    def test_lora(self) -> None:
        self.assertEqual((["lora", "rank"], "there is no rank in the installed version"), self.problem(self.plan(lora={"rank": 4, "target_modules": "all-linear"})))
        self.values(self.plan(lora={"r": 4, "target_modules": ["q_proj"]}))

    @unittest.skipIf(importlib.util.find_spec("jinja2") is None, "there is no jinja2")
    def test_which_rows_follow_from_the_chat_template(self) -> None:
        end = "<|im_end|>"
        plain = "{% for m in messages %}<{{ m.role }}>{{ m.content }}" + end + "{% endfor %}"
        dropping = plain.replace("m.content", "m.content if loop.last else m.content.split('</think>')[-1]")
        for template, says in (
            (plain, "a conversation is one row"),
            (dropping, "drops earlier thinking"),
            ("{{ messages | length }}" + plain, "a row of its own"),
        ):
            self.write("model/tokenizer_config.json", json.dumps({"eos_token": end, "chat_template": template}))
            policy = json.dumps({"path": str(self.venv / "model")})
            self.assertIn(says, self.plan(policy=policy).notes[-2])
        self.assertIn("not checked", self.plan(policy=policy, config={"chat_template_path": "/t"}).notes[-2])
        self.assertIn("/m is not a folder", self.plan().notes[-2])

    def test_the_codec_of_an_earlier_start_is_shown(self) -> None:
        self.write("model/tokenizer_config.json", json.dumps({"eos_token": "</s>", "chat_template": "a template"}))
        policy = json.dumps({"path": str(self.venv / "model")})
        with mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.venv / "cache")}):
            save("a template", {}, ("auto", "auto"), codec="hermes 1", result="which read 2 calls, text")
            save("a template", {}, ("glm", "think"), failure="glm needs transformers 5.13")
            self.assertIn("tool calls: hermes 1, which read 2 calls, text (tested", self.plan(policy=policy).notes[-1])
            chosen = "tool calls: the codec is chosen at the start of the trainer, by a test message (tool_format = "
            self.assertEqual(chosen + "trl)", self.plan(policy=policy, tool_format="trl").notes[-1])
            other = self.plan(policy=policy, config={"chat_template_path": "/t"}, reasoning_format="none")
            self.assertEqual(chosen + "auto, reasoning_format = none)", other.notes[-1])
            failed = self.plan(policy=policy, tool_format="glm", reasoning_format="think")
            self.assertEqual([Diagnostic.SEVERITY_WARNING], [d.severity for d in failed.diagnostics])
            self.assertIn("failed: glm needs transformers 5.13. The next start", self.problem(failed)[1])

    def test_the_hook_is_the_one_that_the_installed_version_has(self) -> None:
        self.assertIn("TRL gets the episodes through rollout_func", self.plan().notes)
        methods = {name: f"    def {name}(self): pass\n" for name in GENERATION}
        self.package("trl/trainer/grpo_trainer.py", "class GRPOTrainer:\n" + "".join(methods.values()))
        want = "TRL gets the episodes through its generation methods, because it has no rollout_func"
        self.assertIn(want, self.plan().notes)
        self.package("trl/trainer/grpo_trainer.py", "class GRPOTrainer:\n" + methods["_tokenize_prompts"])
        self.assertIn("neither rollout_func nor _generate_single_turn, _tool_call_loop", self.problem(self.plan())[1])

    def test_what_is_missing_is_named(self) -> None:
        self.assertIn("policy", self.problem(self.plan(policy=""))[1])
        shutil.rmtree(self.venv / "lib/python3.11/site-packages/torch-2.11.0.dist-info")
        self.assertEqual(["torch for " + str(self.venv / "bin/python")], [r.detail for r in self.plan().requirements if not r.met])
        site = self.venv / "lib/python3.11/site-packages"
        (site / "trl-1.16.0.dist-info").rename(site / "trl-1.9.0.dist-info")
        self.assertIn("has trl 1.9.0", self.problem(self.plan())[1])
        shutil.rmtree(self.venv / "lib")
        self.assertIn("has no trl", self.problem(self.plan())[1])


if __name__ == "__main__":
    unittest.main()
