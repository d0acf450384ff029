# SPDX-License-Identifier: Apache-2.0
"""One stage: TRL's GRPOTrainer with the episodes of the host. trl.json in the working directory has the settings."""

from __future__ import annotations

import contextlib
import json
import math
import os
from typing import Any, Callable

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # rollout_func warns of itself

import torch  # noqa: E402
import trl  # noqa: E402
from awhost_bridge import ChatTemplate, Message, PolicyGap, Row, SyncBridge, stage_settings, trained_tokens  # noqa: E402
from awhost_bridge.hf import Over, Played, Stage, member, vllm  # noqa: E402
from datasets import Dataset  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

from . import hooks  # noqa: E402

JSON = dict[str, Any]


class TrlStage(Stage):
    """Gives TRL its rows, and holds the probabilities that it computes against those of the sampler."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.batch: list[Played] = []  # of the step under way, and below
        self.rows: dict[tuple[int, ...], Played] = {}
        self.gap = PolicyGap()
        self.logprobs: dict[tuple[int, ...], list[float]] = {}  # of each id of a row, as the loss has them

    def sample(self, messages: list[Message]) -> None:
        trainer = self.trainer
        if not trainer.use_vllm:
            return super().sample(messages)
        if trainer._last_loaded_step != trainer.state.global_step:  # in a rollout TRL has done that; a validation comes before it
            trainer.vllm_generation.sync_weights()
            trainer._last_loaded_step = trainer.state.global_step
        vllm.sample(trainer.vllm_generation.llm, messages, set(self.template.end_ids))

    def rollout_func(self, prompts: list[str], trainer: Any) -> dict[str, list[Any]]:
        """TRL's: prompts are positions in the host's order, each as often as a group has samples."""
        self.batch = self.rollout(list(map(int, prompts)), trainer.num_generations)
        rows = [self._row(played) for played in self.batch]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _row(self, played: Played) -> JSON:
        row = played.row
        if row is None:  # TRL wants one all the same. Without a reward it is not part of the group's mean, and nothing of it is trained
            end = self.template.end_ids[0]
            return {"prompt_ids": played.episode.opening or [end], "completion_ids": [end], "logprobs": [0.0], "env_mask": [0]}
        self.rows[tuple(row.ids)] = played
        n = row.prompt_length
        return {"prompt_ids": row.ids[:n], "completion_ids": row.ids[n:], "logprobs": row.logprobs[n:], "env_mask": row.loss_mask[n:]}

    def reward(self, log_metric: Callable[[str, float], None]) -> list[float | None]:
        """The host has judged already."""
        for played in self.batch:
            if played.row is not None:
                for name, value in played.result.components.items():
                    log_metric(f"awhost/{name}", value)
        return [None if played.row is None else played.reward for played in self.batch]

    def scored(self, _module: Any, _args: Any, kwargs: JSON, output: Any) -> None:
        """A forward hook: TRL has computed log-probabilities of rows, which have to be those of the sampler."""
        if "fused_lm_head" not in kwargs or not torch.is_grad_enabled():  # without gradients: of the reference, which may be the model without its adapter
            return
        for ids, mask, logprobs in zip(kwargs["input_ids"].tolist(), kwargs["attention_mask"].tolist(), output.log_probs.tolist(), strict=True):
            places = [i for i, kept in enumerate(mask) if kept]
            if (played := self.rows.get(key := tuple(ids[i] for i in places))) is not None and played.row is not None:
                skipped = len(ids) - len(logprobs)  # the first id has no probability
                known = [logprobs[i - skipped] if i >= skipped else math.nan for i in places]
                if self.tells_tokens:
                    self.logprobs[key] = known
                self.gap.add(played.episode.id, trained_tokens(played.row, known))

    def policy_gap(self) -> PolicyGap:
        gap = self.gap
        self.rows, self.gap, self.logprobs = {}, PolicyGap(), {}
        return gap

    def advantages(self) -> list[float]:
        return list(self.trainer._logs["advantages"])  # the batch itself is shuffled

    def loss_logprobs(self, number: int, row: Row) -> list[float] | None:
        return self.logprobs.get(tuple(row.ids))


def lora(fields: JSON | None) -> Any:
    if fields is None:
        return None
    from peft import LoraConfig

    return LoraConfig(**{"task_type": "CAUSAL_LM"} | fields)


def train(bridge: SyncBridge, settings: JSON, *, main: bool) -> None:
    begins = stage_settings(settings["request"], **settings["stage"]) | {"rows": settings["rows"]}
    args = trl.GRPOConfig(output_dir=begins["checkpoints"], **settings["fields"])
    tokenizer = AutoTokenizer.from_pretrained(settings["model"], trust_remote_code=args.trust_remote_code)
    positions = Dataset.from_dict({"prompt": [str(i) for i in range(args.max_steps * settings["prompts"])]})  # in the host's order

    def reward(log_metric: Callable[[str, float], None], **_: Any) -> list[float | None]:
        return stage.reward(log_metric)

    trainer = hooks.trainer(
        lambda prompts, trainer: stage.rollout_func(prompts, trainer), model=settings["model"], reward_funcs=reward, args=args, train_dataset=positions,
        processing_class=tokenizer, peft_config=lora(settings["lora"]),
    )
    if trainer.accelerator.num_processes != settings["processes"]:
        raise RuntimeError(f"{trainer.accelerator.num_processes} processes train, and not {settings['processes']}: this machine lacks what accelerate needs for so many")
    if begins["from"] and not begins["resumed"]:  # in each stage the policy of the spec is what a KL penalty refers to, and what LoRA adds to
        trainer._load_from_checkpoint(begins["from"])
    template = ChatTemplate(tokenizer, kwargs=args.chat_template_kwargs or {}, end_ids=trainer.eos_token_ids)
    config = trainer.accelerator.unwrap_model(trainer.model).config
    stage = TrlStage(bridge, begins, template, framework="trl", main=main, pad=tokenizer.pad_token_id, response_tokens=args.max_completion_length,
                     max_context=getattr(config, "max_position_embeddings", None), names={"clip_fraction": "clip_ratio/region_mean"})
    stage.trainer = trainer
    trainer.add_callback(stage)
    trainer.model.register_forward_hook(stage.scored, with_kwargs=True)
    with contextlib.suppress(Over):
        trainer.train(resume_from_checkpoint=begins["from"] if begins["resumed"] else None)
    stage.finish()


@member
def main() -> None:
    with open("trl.json", encoding="utf-8") as f:
        settings = json.load(f)
    first = int(os.environ.get("RANK", "0")) == 0
    with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both" if first else "rollout", framework="trl", framework_version=trl.__version__) as bridge:
        train(bridge, settings, main=first)


main()
