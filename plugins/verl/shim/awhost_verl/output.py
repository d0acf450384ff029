"""From what the host says of an episode to the rows that verl trains on."""

from __future__ import annotations

import dataclasses
import logging
from typing import TYPE_CHECKING, Any

from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

from awhost_verl import version

if TYPE_CHECKING:
    from awhost_bridge import EpisodeResult, Row

    from awhost_verl.loop import Episode

log = logging.getLogger("awhost.verl")

FIELDS = set(AgentLoopOutput.model_fields)


@dataclasses.dataclass(frozen=True)
class Limits:
    """Lengths of a row in tokens, and whether it has log-probabilities."""

    prompt: int
    response: int
    logprobs: bool


_names: set[str] = set()  # of all components seen in this process


def numbers(result: EpisodeResult) -> dict[str, float]:
    """What goes with a reward; `acc` is what verl reports first.

    verl before 0.9 ends unless the rows of all its workers have the same names. Which components there are shows only with the
    first episode that has them, in each worker on its own: there they stay with the host, which reports them anyway.
    """
    out = {}
    if version.takes_lists():
        _names.update(result.components)
        out = {name: float(result.components.get(name, 0.0)) for name in sorted(_names)}
    out["acc"] = float(bool(result.is_success))
    out["failed"] = float(result.reward is None)
    out["truncated"] = float(result.outcome == "truncated")
    return out


def scored_outputs(episode: Episode, result: EpisodeResult) -> list[AgentLoopOutput]:
    """The rows of an episode with a reward; none where there is no number to give.

    Raises LedgerError when its tokens are not here: a reward without them teaches nothing.
    """
    if result.reward is None or result.masked or result.drop_group:
        return []
    reward = float(result.reward)
    if episode.validation:  # nothing is trained; verl shows and measures what was said
        return [output(episode, result, episode.ledger.shown(result), reward)]
    rows, left_out = trained_rows(episode, result), episode.ledger.main_row(result)[1]
    if left_out and not version.takes_lists():
        log.warning("episode %s has several chains and verl's trainer takes one: %d sampled tokens are not trained", episode.id, left_out)
    return [output(episode, result, row, reward) for row in rows] or [output(episode, result, None, reward)]


def trained_rows(episode: Episode, result: EpisodeResult) -> list[Row]:
    """The rows of an episode with a reward, as many as verl takes."""
    if not version.takes_lists():
        row, _ = episode.ledger.main_row(result)
        return [] if row is None else [row]
    return sorted(episode.ledger.rows(result), key=lambda row: row.trained)  # verl rewards and validates by the last one


def failed_outputs(episode: Episode, result: EpisodeResult) -> list[AgentLoopOutput]:
    """What stands for an episode without a reward: nothing where the trainer takes nothing, else a row that is masked.

    The number in a masked row is the mean of its group, which the adapter has waited for: so it changes no mean. In
    validation it is 0 with ``failed`` 1: unsolved, and counted.
    """
    if version.takes_lists() and not episode.validation:
        return []
    return [output(episode, result, None, float(result.metrics.get("awhost/neutral_reward", 0.0)))]


def untrained_outputs(episode: Episode, result: EpisodeResult) -> list[AgentLoopOutput]:
    """The rows of an episode whose tokens are not trained: none, or a masked one if verl wants one per sample."""
    if version.takes_lists():
        return []
    reward = result.metrics.get("awhost/neutral_reward", 0.0) if result.reward is None else result.reward
    return [output(episode, result, None, float(reward))]


def output(episode: Episode, result: EpisodeResult, row: Row | None, reward: float) -> AgentLoopOutput:
    """One row in verl's words: lists of equal length, prompt and response apart. Without a row, one that trains nothing."""
    if row is None:
        end = episode.template.end_ids[0]
        prompt, ids, mask, logprobs = episode.prompt or [end], [end], [0], [0.0]
    else:
        n = min(row.prompt_length, episode.limits.prompt)  # of a later chain there may be more
        prompt, ids, mask, logprobs = row.ids[:n], row.ids[n:], row.loss_mask[n:], row.logprobs[n:]
        if episode.validation:
            mask = [int(turn >= 0) for turn in row.turn_ids[n:]]
    limits = episode.limits
    steps = episode.steps or [int(episode.row.get("global_steps") or 0)]
    fields: dict[str, Any] = {
        "prompt_ids": prompt[-limits.prompt :],
        "response_ids": ids[: limits.response],
        "response_mask": mask[: limits.response],
        "num_turns": max(1, 2 * result.num_turns),
        "metrics": {"generate_sequences": episode.generating, "tool_calls": float(result.timings.get("environment", 0.0))},
        "multi_modal_data": {},
        "reward_score": reward,
        "extra_fields": {
            "reward_extra_info": numbers(result),
            "turn_scores": list(result.turn_rewards.values()),
            "tool_rewards": [],
            "min_global_steps": min(steps),
            "max_global_steps": max(steps),
        },
    }
    if limits.logprobs:
        fields["response_logprobs"] = logprobs[: limits.response]
    return AgentLoopOutput(**{name: value for name, value in fields.items() if name in FIELDS})
