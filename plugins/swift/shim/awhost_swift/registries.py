# SPDX-License-Identifier: Apache-2.0
"""The adapter's entries in ms-swift's registries: template, scheduler, reward function, callback."""

from __future__ import annotations

from typing import Any, Callable

from swift.callbacks import callbacks_map
from swift.rewards import ORM, orms
from swift.rollout import MultiTurnScheduler, multi_turns
from swift.template import Template, TemplateMeta, register_template

JSON = dict[str, Any]
NAME = "awhost"


class Tokens(Template):
    """A template that renders nothing: rows are the sampled ids and the ids between them. ms-swift's templates,
    backends, and agent templates do not change the trained tokens."""

    def _encode(self, inputs: Any) -> JSON:
        content = inputs.messages[-1]["content"]
        if isinstance(content, dict):
            ids, mask = content["token_ids"], content["loss_scale"]
            labels = [i if trained else -100 for i, trained in zip(ids, mask, strict=True)]
            return {"input_ids": list(ids), "labels": labels, "loss_scale": None}
        text = "".join(m["content"] or "" for m in inputs.messages)
        ids = self.tokenizer.encode(text, add_special_tokens=False) or [self.tokenizer.eos_token_id]
        return {"input_ids": ids, "labels": None, "loss_scale": None}


# The arguments name it, so it is registered on import.
register_template(TemplateMeta(NAME, prefix=[], prompt=["{{QUERY}}"], chat_sep=[], template_cls=Tokens))


class Scheduler(MultiTurnScheduler):
    """Runs the episodes of a batch before ms-swift samples one token for each of them, and returns their rows."""

    def __init__(self, rollout: Callable[[list[int]], list[JSON]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rollout = rollout
        self.rows: dict[str, JSON] = {}  # by request

    async def on_trajectory_start(self, requests: list[Any]) -> None:
        rows = self.rollout([int(r.data_dict["position"]) for r in requests])
        self.rows = {r.uuid: row for r, row in zip(requests, rows, strict=True)}

    async def on_turn_end(self, infer_request: Any, response_choice: Any, current_turn: int) -> JSON:
        row = self.rows.pop(infer_request.uuid)
        infer_request.messages[:] = [  # for readers of ms-swift's logs
            {"role": "user", "content": row["prompt"]}, {"role": "assistant", "content": row["completion"]},
        ]
        # overlong_filter excludes rows with "length" from the loss.
        response_choice.finish_reason = "stop" if row["trained"] else "length"
        return {
            "done": True, "response_token_ids": row["ids"], "response_loss_mask": row["mask"],
            "rollout_logprobs": row["logprobs"], "rollout_infos": {"reward": row["reward"]},
        }

    def step(self, *_: Any) -> JSON:
        raise AssertionError("each request is done after its first turn")


class Reward(ORM):
    """Returns the host's rewards."""

    def __init__(self, **_: Any) -> None:
        super().__init__()

    def __call__(self, completions: list[str], rollout_infos: list[JSON], **_: Any) -> list[float]:
        return [info["reward"] for info in rollout_infos]


def register(rollout: Callable[[list[int]], list[JSON]], follow: Callable[[Any], Any]) -> None:
    multi_turns[NAME] = lambda **kwargs: Scheduler(rollout, **kwargs)
    orms[NAME] = Reward
    callbacks_map[NAME] = lambda _, trainer: follow(trainer)
