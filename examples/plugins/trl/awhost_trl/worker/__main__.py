# SPDX-License-Identifier: Apache-2.0
"""One stage: TRL's GRPOTrainer with the episodes of the host. trl.json in the working directory says how."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Callable

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # rollout_func warns of itself

import trl  # noqa: E402
from awhost_bridge import Batched, BatchedEpisode, ChatTemplate, EpisodeResult, SyncBridge, group_requests  # noqa: E402
from datasets import Dataset  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

from .report import Report  # noqa: E402
from .sampler import sample  # noqa: E402

JSON = dict[str, Any]


class Stage:
    def __init__(self, bridge: SyncBridge, settings: JSON, *, main: bool) -> None:
        self.settings = settings
        self.report = Report(bridge, settings, self.validate, main=main)
        args = trl.GRPOConfig(**settings["fields"])
        tokenizer = AutoTokenizer.from_pretrained(settings["model"], trust_remote_code=args.trust_remote_code)
        rows = Dataset.from_dict({"prompt": [str(i) for i in range(args.max_steps * settings["prompts"])]})  # positions in the host's order
        self.trainer = trl.GRPOTrainer(model=settings["model"], reward_funcs=reward, args=args, train_dataset=rows, processing_class=tokenizer,
                                       peft_config=lora(settings["lora"]), rollout_func=self.rollout, callbacks=[self.report])
        if settings["from"] and not settings["resumed"]:  # in each stage the policy of the spec is what a KL penalty refers to, and what LoRA adds to
            self.trainer._load_from_checkpoint(settings["from"])
        self.trainer.model.register_forward_hook(self.report.scored, with_kwargs=True)
        self.pad, config = tokenizer.pad_token_id, self.trainer.accelerator.unwrap_model(self.trainer.model).config
        self.batched = Batched(bridge, ChatTemplate(tokenizer, kwargs=args.chat_template_kwargs or {}, end_ids=self.trainer.eos_token_ids), patience=settings["patience"],
                               prompt_tokens=settings["prompt_tokens"], response_tokens=args.max_completion_length, max_context=getattr(config, "max_position_embeddings", None))

    def run(self) -> None:
        if self.report.begins():
            self.trainer.train(resume_from_checkpoint=self.settings["from"] if self.settings["resumed"] else None)

    def play(self, name: str, step: int, requests: list[JSON], version: int) -> list[tuple[BatchedEpisode, EpisodeResult]]:
        model, args, ends = self.trainer.accelerator.unwrap_model(self.trainer.model), self.trainer.args, set(self.batched.template.end_ids)
        training, began, rows = model.training, time.monotonic(), self.settings["rows"]

        def some(messages: list[Any]) -> None:
            for m in messages:
                m.temperature, m.top_p, m.top_k = (args.temperature if m.temperature is None else m.temperature), m.top_p or args.top_p, m.top_k or args.top_k
            for start in range(0, len(messages), rows):
                sample(model, messages[start : start + rows], ends, self.pad, self.batched.template.decode)

        self.report.event(phase={"name": name, "step": step, "total": len(requests)})
        model.eval()
        with self.trainer.accelerator.autocast():
            played = self.batched.play(requests, some, version=version)
        model.train(training)
        self.report.event(phase={"name": name, "step": step, "done": len(requests), "total": len(requests), "ended": True})
        self.report.seconds = time.monotonic() - began
        return played

    def rollout(self, prompts: list[str], trainer: Any) -> dict[str, list[Any]]:
        """TRL's rollout_func: prompts are positions in the host's order, each as often as a group has samples."""
        step, first = self.settings["base"] + trainer.state.global_step + 1, trainer.accelerator.process_index * len(prompts)
        requests = group_requests(self.settings["launch"], step, map(int, prompts), trainer.num_generations, first=first)
        rows = [self._row(*played) for played in self.play("rollout", step, requests, step - 1)]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _row(self, episode: BatchedEpisode, result: EpisodeResult) -> JSON:
        row, use = episode.trained(result)
        self.report.consumed.append({"episode_id": episode.id, "use": use})
        if row is None:  # TRL wants one all the same. Without a reward it is not part of the group's mean, and nothing of it is trained
            end = self.batched.template.end_ids[0]
            return {"prompt_ids": episode.opening or [end], "completion_ids": [end], "logprobs": [0.0], "env_mask": [0], "awhost_reward": None, "awhost_components": "{}"}
        self.report.rows[tuple(row.ids)] = row
        n, value = row.prompt_length, result.reward if row.reward is None else row.reward
        return {"prompt_ids": row.ids[:n], "completion_ids": row.ids[n:], "logprobs": row.logprobs[n:], "env_mask": row.loss_mask[n:], "awhost_reward": value,
                "awhost_components": json.dumps(result.components)}  # a text: TRL would take a mapping apart

    def validate(self, step: int) -> None:
        """Each process plays its share of the held-out tasks."""
        samples, accelerator = self.settings["samples"], self.trainer.accelerator
        requests = group_requests(self.settings["launch"], step, [task for task in range(self.settings["held_out"]) for _ in range(samples)], samples, validation=True)
        self.play("validation", step, requests[accelerator.process_index :: accelerator.num_processes], step)
        accelerator.wait_for_everyone()


def reward(completions: list[Any], awhost_reward: list[float | None], awhost_components: list[str], log_metric: Callable[[str, float], None], **_: Any) -> list[float | None]:
    """TRL's reward function: the host has judged already."""
    for text in awhost_components:
        for name, value in json.loads(text).items():
            log_metric(f"awhost/{name}", value)
    return awhost_reward


def lora(fields: JSON | None) -> Any:
    if fields is None:
        return None
    from peft import LoraConfig

    return LoraConfig(**{"task_type": "CAUSAL_LM"} | fields)


def main() -> None:
    with open("trl.json", encoding="utf-8") as f:
        settings = json.load(f)
    first = int(os.environ.get("RANK", "0")) == 0
    with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both" if first else "rollout", framework="trl", framework_version=trl.__version__) as bridge:
        Stage(bridge, settings, main=first).run()


main()
