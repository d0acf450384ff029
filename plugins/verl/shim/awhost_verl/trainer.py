"""verl's V1 trainers with mini-batches and baselines that count rollouts.

A rollout may have several rows. verl cuts a step into mini-batches of ``ppo_mini_batch_size × rollout.n`` rows, so the
number of optimizer updates follows the number of rows, and the last mini-batch consists mostly of padding. All its
estimators except GRPO compare rows. Here a step has the configured number of updates, however many rows there are, and
baselines compare rollouts.
"""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np
import torch
from verl import DataProto
from verl.trainer.ppo.ray_trainer import compute_advantage
from verl.trainer.ppo.v1 import trainer_base

UPDATES = "training/updates_total"  # verl sums metrics with "total" in their name over the parts of a step

# Estimators that need no grouping: verl compares the rollouts itself (grpo), or every token has its own return.
BY_VERL = ("grpo", "gae", "reinforce_plus_plus")


class RolloutSteps:
    """Goes before one of verl's trainers in the order of base classes."""

    def _setup(self) -> None:
        super()._setup()
        self.updates = 0  # of the last actor update
        actor, critic = self.config.actor_rollout_ref.actor, self.config.get("critic")
        self.actor_rollout_wg.update_actor = self._sized(self.actor_rollout_wg.update_actor, actor)
        if self.use_critic:
            self.critic_wg.train_mini_batch = self._sized(self.critic_wg.train_mini_batch, critic)

    def _parts(self, config: Any) -> int:
        """The number of mini-batches of a sampled batch. ``ppo_mini_batch_size`` counts prompts."""
        prompts = self.config.data.train_batch_size // self.parameter_sync_step
        return max(1, prompts // config.ppo_mini_batch_size)

    def _sized(self, update: Callable[[Any], Any], config: Any) -> Callable[[Any], Any]:
        """Wraps a worker group's update. Losses that average sequences divide by the number of rollouts."""

        def sized(batch: Any) -> Any:
            parts = self._parts(config)
            batch.extra_info["mini_batch_size"] = len(batch) // parts
            batch.extra_info["global_batch_size"] = len(rollouts(batch.keys)) / parts
            if config is self.config.actor_rollout_ref.actor:
                self.updates = parts * int(batch.extra_info["epochs"])
            return update(batch)

        return sized

    def _get_required_batch_multiple(self, dp_size: int) -> int:
        """Rows are padded until each mini-batch can be split evenly over the ranks and, unless rows are packed, into
        micro-batches."""
        scored, updated = "log_prob_micro_batch_size_per_gpu", "ppo_micro_batch_size_per_gpu"
        config, actor = self.config.actor_rollout_ref, self.config.actor_rollout_ref.actor
        sizes = [micro_batch(actor, config.rollout, scored)]
        if self.use_reference_policy:
            sizes.append(micro_batch(actor, config.ref, scored))
        if self.config.trainer.critic_warmup <= self.global_steps:
            sizes.append(self._parts(actor) * micro_batch(actor, actor, updated))
        if self.use_critic:
            critic = self.config.critic
            sizes.append(micro_batch(critic, critic, "forward_micro_batch_size_per_gpu"))
            sizes.append(self._parts(critic) * micro_batch(critic, critic, updated))
        return dp_size * math.lcm(*sizes)

    def _update_actor(self, batch: Any, metrics: dict[str, Any]) -> Any:
        batch = super()._update_actor(batch, metrics)
        metrics[UPDATES] = self.updates
        return batch


def micro_batch(packing: Any, section: Any, key: str) -> int:
    """Rows of a micro-batch on one GPU; 1 if rows are packed by tokens."""
    return 1 if packing.use_dynamic_bsz else int(section.get(key) or 1)


def rollouts(keys: list[str]) -> dict[str, list[int]]:
    """The positions of each rollout's rows. verl's keys are ``uid_session_index``. The keys of padding begin with "pad"
    (verl/trainer/ppo/padding_utils.py)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for at, key in enumerate(keys):
        rollout, index = key.rsplit("_", 1)
        if not rollout.startswith("pad"):
            found.setdefault(rollout, []).append((int(index), at))
    return {rollout: [at for _, at in sorted(rows)] for rollout, rows in found.items()}


def advantages(upstream: Callable[..., DataProto]) -> Callable[..., DataProto]:
    """Replaces verl's compute_advantage_for_multi_trajectories, which compares rows with all estimators except GRPO."""

    def compute(data: DataProto, batch_keys: list[str], adv_estimator: Any, **options: Any) -> DataProto:
        if adv_estimator in BY_VERL:
            return upstream(data, batch_keys=batch_keys, adv_estimator=adv_estimator, **options)
        return over_rollouts(data, list(rollouts(batch_keys).values()), adv_estimator, options)

    return compute


def over_rollouts(data: DataProto, rows: list[list[int]], adv_estimator: Any, options: dict[str, Any]) -> DataProto:
    """Gives verl's estimator one row per rollout, with the trained tokens of its rows one after the other, and returns
    each token's advantage to its row. Every row carries the rollout's score, which counts once. Penalties per token
    (KL) count for their token."""
    mask, scores = data.batch["response_mask"].bool(), data.batch["token_level_scores"]
    penalties = data.batch["token_level_rewards"] - scores
    lengths = [int(mask[own].sum()) for own in rows]
    rewards = scores.new_zeros(len(rows), max(1, *lengths))
    joined = data.batch["response_mask"].new_zeros(rewards.shape)
    for i, (own, length) in enumerate(zip(rows, lengths)):
        joined[i, :length] = 1
        rewards[i, :length] = penalties[own][mask[own]]
        rewards[i, max(0, length - 1)] += scores[own[-1]].sum()
    uid = data.non_tensor_batch["uid"][[own[-1] for own in rows]]
    tensors = {"token_level_rewards": rewards, "response_mask": joined}
    whole = DataProto.from_dict(tensors=tensors, non_tensors={"uid": np.asarray(uid, dtype=object)})
    whole = compute_advantage(whole, adv_estimator=adv_estimator, **options)
    for name in ("advantages", "returns"):
        spread = torch.zeros_like(scores)
        for i, (own, length) in enumerate(zip(rows, lengths)):
            part = torch.zeros_like(scores[own])
            part[mask[own]] = whole.batch[name][i, :length].to(part.dtype)
            spread[own] = part
        data.batch[name] = spread
    return data


def compared(upstream: Callable[[DataProto], dict[str, float]]) -> Callable[[DataProto], dict[str, float]]:
    """Adds the differences between log-probabilities to verl's metrics, which have those between probabilities."""

    def measure(data: DataProto) -> dict[str, float]:
        out = upstream(data)
        gaps = data.batch["rollout_log_probs"].float() - data.batch["old_log_probs"].float()
        gaps = gaps[data.batch["response_mask"].bool()]
        if len(gaps):
            largest = gaps.abs().topk(len(gaps) // 100 + 1).values
            values = {"mean": gaps.abs().mean(), "p99": largest[-1], "max": largest[0], "bias": gaps.mean()}
            out |= {f"training/rollout_logprobs_{name}": value.item() for name, value in values.items()}
        return out

    return measure


def install() -> None:
    """Replaces the trainers that verl creates in this process. The adapter has checked that this verl has the replaced
    parts (trainerHooks in internal/settings/rollouts.go)."""
    for name, base in trainer_base.TRAINER_REGISTRY.items():
        trainer_base.TRAINER_REGISTRY[name] = type(base.__name__, (RolloutSteps, base), {})
    upstream = trainer_base.compute_advantage_for_multi_trajectories
    trainer_base.compute_advantage_for_multi_trajectories = advantages(upstream)
    trainer_base.calculate_debug_metrics = compared(trainer_base.calculate_debug_metrics)
