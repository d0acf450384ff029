# SPDX-License-Identifier: Apache-2.0
"""How a GRPOTrainer gets the rows of the host's episodes.

TRL's rollout_func takes them as they are. TRL calls it experimental, and recommends environment_factory, which cannot
carry an episode of the host: it only passes a task to an environment, and takes a reward. In grpo_trainer.py of
1.16.0, TRL itself renders the prompt (line 2221), parses each message (2240), and calls Python methods as tools (1982).
The mask is TRL's (1950), log-probabilities are missing without vLLM (1889), and TRL refuses a chat template without
tool calls (650).

Three methods do that work, with environment_factory and without it. A version without rollout_func gets the rows from
them.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable

import trl

Rollout = Callable[[list[str], Any], dict[str, list[Any]]]
METHODS = ("_tokenize_prompts", "_generate_single_turn", "_tool_call_loop")


class Generating(trl.GRPOTrainer):
    """A GRPOTrainer whose generation is the rollout: the methods run in this order, once for each batch."""

    rollout: Rollout
    tools: list[Any]

    def _tokenize_prompts(self, prompts: list[str]) -> tuple[Any, ...]:
        self._played = self.rollout(prompts, self)
        return self._played["prompt_ids"], None, {}

    def _generate_single_turn(self, *_: Any, **__: Any) -> tuple[Any, ...]:
        return self._played["completion_ids"], self._played["logprobs"]

    def _tool_call_loop(
        self,
        prompts: Any,
        prompt_ids: Any,
        completion_ids: Any,
        completions: Any,
        logprobs: Any,
        *_: Any,
    ) -> tuple[Any, ...]:
        masks = self._played["env_mask"]
        results = sum(a > b for mask in masks for a, b in zip(mask, mask[1:]))  # after a sampled message
        return masks, completions, completion_ids, logprobs, results, 0, [[] for _ in masks]


def trainer(rollout: Rollout, **settings: Any) -> trl.GRPOTrainer:
    if "rollout_func" in inspect.signature(trl.GRPOTrainer.__init__).parameters:
        hook, made = "rollout_func", trl.GRPOTrainer(rollout_func=rollout, **settings)
    elif missing := [name for name in METHODS if not hasattr(trl.GRPOTrainer, name)]:
        raise RuntimeError(
            f"the GRPOTrainer of TRL {trl.__version__} has neither rollout_func nor {', '.join(missing)}"
        )
    else:
        hook, made = "its generation methods", Generating(**settings)
        made.rollout, made.tools = rollout, [rollout]  # with tools TRL asks _tool_call_loop for the mask
    print(f"awhost: TRL {trl.__version__} gets the episodes through {hook}", flush=True)
    return made
