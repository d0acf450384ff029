"""The result of an episode, with plain numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from .wire import JSON, get, integer, number, seconds

_OUTCOME: Final = "EPISODE_OUTCOME_"
_CLASS: Final = "FAILURE_CLASS_"


@dataclass(frozen=True)
class ChainResult:
    chain: str
    agent: str
    train: bool
    reward: float | None  # None: the episode's


@dataclass(frozen=True)
class Failure:
    kind: str  # "policy", "model", "environment", "reward", "agent", "infrastructure", "timeout"
    detail: str
    retryable: bool


@dataclass(frozen=True)
class EpisodeResult:
    """The result of an episode. reward has a value only if it was scored: it is never made up, here or in a binding."""

    episode_id: str
    attempt: int
    outcome: str  # "scored", "truncated", "failed", "dropped", "cancelled"
    reward: float | None
    components: dict[str, float] = field(default_factory=dict)
    is_success: bool | None = None
    chains: list[ChainResult] = field(default_factory=list)
    masked: bool = False  # keep the row, but train nothing of it
    drop_group: bool = False  # leave it out: a sample of its group has failed
    num_turns: int = 0
    failure: Failure | None = None
    metrics: dict[str, float] = field(default_factory=dict)
    turn_rewards: dict[str, float] = field(default_factory=dict)  # by call_id
    timings: dict[str, float] = field(default_factory=dict)  # seconds
    drift_count: int = 0
    draw: int = 0
    task_id: str = ""
    raw: JSON = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, body: JSON) -> EpisodeResult:
        """Reads an EpisodeResult in proto JSON. Raises ValueError that names the invalid member."""
        reward = get(body, "reward")
        return cls(
            episode_id=get(body, "episode_id", ""),
            attempt=integer(get(body, "attempt", 0)),
            outcome=_word(get(body, "outcome", ""), _OUTCOME),
            reward=None if reward is None else number(reward),
            components=_numbers(get(body, "components", {})),
            is_success=get(body, "is_success"),
            chains=[_chain(c) for c in get(body, "chains", [])],
            masked=bool(get(body, "masked", False)),
            drop_group=bool(get(body, "drop_group", False)),
            num_turns=integer(get(body, "num_turns", 0)),
            failure=_failure(get(body, "failure")),
            metrics=_numbers(get(body, "metrics", {})),
            turn_rewards={get(t, "call_id", ""): number(get(t, "reward", 0.0)) for t in get(body, "turn_rewards", [])},
            timings={name: seconds(value) for name, value in get(body, "timings", {}).items()},
            drift_count=integer(get(body, "drift_count", 0)),
            draw=integer(get(body, "draw", 0)),
            task_id=get(body, "task_id", ""),
            raw=body,
        )


def _chain(body: JSON) -> ChainResult:
    reward = get(body, "reward")
    return ChainResult(
        chain=get(body, "chain", ""),
        agent=get(body, "agent", ""),
        train=bool(get(body, "train", False)),
        reward=None if reward is None else number(reward),
    )


def _failure(body: JSON | None) -> Failure | None:
    if body is None:
        return None
    return Failure(
        kind=_word(get(body, "class", ""), _CLASS),
        detail=get(body, "detail", ""),
        retryable=bool(get(body, "retryable", False)),
    )


def _word(value: str, prefix: str) -> str:
    return value.removeprefix(prefix).lower()


def _numbers(body: dict[str, Any]) -> dict[str, float]:
    return {name: number(value) for name, value in body.items()}
