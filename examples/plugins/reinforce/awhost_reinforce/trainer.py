# SPDX-License-Identifier: Apache-2.0
"""The trainer, in the user's Python: one update with the policy gradient per step. reinforce.json has the settings."""

import json
import math
import os
import pathlib
from typing import Any

import torch
from awhost_bridge import (
    ChatTemplate, Message, Played, StageDriver, SyncBridge, advance, end_ids, knobs_of, learning_rate, stage_settings,
)
from awhost_bridge.hf import sample
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModelForCausalLM, AutoTokenizer


class Reinforce:
    def __init__(self, about: dict[str, Any], knobs: dict[str, Any], stage: dict[str, Any]) -> None:
        self.about, self.stage = about, stage
        self.optimization, self.algorithm = knobs.get("optimizer") or {}, knobs.get("algorithm") or {}
        self.tokenizer = AutoTokenizer.from_pretrained(about["model"])
        ends = end_ids(about["model"], self.tokenizer.eos_token_id)
        self.template = ChatTemplate(self.tokenizer, end_ids=ends)
        self.open(about["model"])

    def open(self, path: str) -> None:
        """Loads weights. Their optimizer is new."""
        device, given = "cpu" if self.about["device"] == "cpu" else "cuda", self.optimization
        self.model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).to(device).eval()
        betas, decay = (given.get("beta1") or 0.9, given.get("beta2") or 0.999), given.get("weight_decay") or 0.0
        self.optimizer = torch.optim.AdamW(self.model.parameters(), betas=betas, weight_decay=decay)

    def sample(self, messages: list[Message]) -> None:
        ends, rows = self.template.end_ids, self.about["rows"]
        for start in range(0, len(messages), rows):
            sample(self.model, messages[start : start + rows], set(ends), ends[0], self.template.decode)

    def train(self, step: int, samples: list[Played]) -> dict[str, float]:
        advance(samples, self.stage["group_size"], self.algorithm.get("normalize_by") or "std")
        trained = [played for played in samples if played.row is not None and played.advantage]
        tokens, rows, loss = sum(played.row.trained for played in trained), self.about["rows"], 0.0
        if not tokens:
            return {"trained_tokens": 0.0}
        for start in range(0, len(trained), rows):
            part = self.loss(trained[start : start + rows]) / tokens
            part.backward()
            loss += part.item()
        limit = self.optimization.get("max_grad_norm") or math.inf
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit).item()
        rate = learning_rate(self.optimization, step - 1 - self.stage["base"], self.stage["steps"])
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad()
        return {"loss": loss, "grad_norm": norm, "learning_rate": rate, "trained_tokens": float(tokens)}

    def loss(self, samples: list[Played]) -> torch.Tensor:
        """Returns the sum of the losses of all trained tokens, and sets the samples' log-probabilities. Rows are padded
        at their ends, which their tokens do not attend to."""
        ids, mask = (
            pad_sequence([torch.tensor(getattr(p.row, name)) for p in samples], batch_first=True).to(self.model.device)
            for name in ("ids", "loss_mask")
        )
        logits = self.model(input_ids=ids).logits[:, :-1].float() / self.stage["temperature"]
        logprobs = logits.log_softmax(-1).gather(2, ids[:, 1:, None])[..., 0]
        for played, own in zip(samples, logprobs.tolist()):
            played.logprobs = [math.nan, *own][: len(played.row.ids)]
        advantages = torch.tensor([[played.advantage] for played in samples], device=ids.device)
        return -(logprobs * mask[:, 1:] * advantages).sum()

    def save(self, folder: pathlib.Path) -> None:
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        torch.save(self.optimizer.state_dict(), folder / "optimizer.pt")

    def load(self, folder: pathlib.Path, *, optimizer: bool) -> None:
        self.open(str(folder))
        if optimizer:
            self.optimizer.load_state_dict(torch.load(folder / "optimizer.pt", weights_only=True))


def main() -> None:
    about = json.loads(pathlib.Path("reinforce.json").read_text(encoding="utf-8"))
    request, formats = about["request"], {"tool_format": about["tool_format"]}
    knobs, stage = knobs_of(request), stage_settings(request, patience=about["patience"], **formats)
    hello = {"role": "both", "framework": "reinforce", "framework_version": torch.__version__}
    with SyncBridge(os.environ["AWHOST_BRIDGE"], **hello) as bridge:
        trainer = Reinforce(about, knobs, stage)
        StageDriver(
            bridge, stage, trainer.template, framework="reinforce", response_tokens=knobs["limits"]["response_tokens"],
            max_context=trainer.model.config.max_position_embeddings,
        ).run(trainer)


main()
