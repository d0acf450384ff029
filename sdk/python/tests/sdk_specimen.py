"""A plugin that declares all that the SDK can, for the conformance suite: async methods, own tasks, snapshots, secrets, groups."""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, Callable, Optional, Sequence

import awhost

if "describe" not in sys.argv:
    print("noise before the handshake")  # as libraries do


@dataclass
class Board:
    dice: random.Random
    rolled: list[int] = field(default_factory=list)


class Dice(awhost.Environment[Board], type="specimen_dice", deterministic_under_seed=True, group_safe=True, max_sessions=64, needs=["ground_truth"], metrics=["rolls"]):
    """Dice to roll.

    sides: of a die
    api_key: for nothing
    """

    sides: Annotated[int, awhost.Field(minimum=2)] = 6
    api_key: Annotated[Optional[str], awhost.Secret] = None

    async def configure(self) -> None:
        await asyncio.sleep(0)
        self.setup.log.info("configured", extra={"sides": self.sides})
        print("what is printed is no handshake")

    async def open(self, start: awhost.Start) -> awhost.Opened[Board]:
        await asyncio.sleep(0)
        return awhost.Opened(Board(random.Random(start.seed)), [awhost.user(start.task.prompt or "Roll.")], max_turns=4)

    @awhost.tool
    async def roll(self, board: Board, times: Annotated[int, awhost.Field(minimum=1, maximum=9)] = 1) -> dict[str, list[int]]:
        """Rolls the die.

        times: how often
        """
        await asyncio.sleep(0)
        rolled = [board.dice.randint(1, self.sides) for _ in range(times)]
        board.rolled += rolled
        return {"rolled": rolled}

    @awhost.tool
    def finish(self, board: Board) -> awhost.Result:
        """Ends the game."""
        return awhost.Result(f"{sum(board.rolled)}", reward=sum(board.rolled), done=True, metrics={"rolls": len(board.rolled)})

    def snapshot(self, board: Board) -> Any:
        return {"rolled": board.rolled}

    def tasks(self, split: str) -> Any:
        return (awhost.Task(f"{split}-{i}", {"prompt": f"Roll {i} times."}, {"ground_truth": i}) for i in range(10))


class Rank(awhost.Reward, type="specimen_rank", group_relative=True, batch_size=8, components=["length"]):
    """The longest answer of a group, alone a half."""

    async def score_all(self, items: Sequence[awhost.Item], missing: int) -> list[awhost.Score | awhost.Failure]:
        await asyncio.sleep(0)
        return [awhost.Score(float(len(item.answer) > 3), {"length": len(item.answer)}) for item in items]

    async def stop(self, progress: Callable[[str], None]) -> None:
        progress("1/1")


@awhost.agent("specimen_agent", max_concurrent=4)
def play(episode: awhost.SyncEpisode, *, turns: int = 1) -> str | None:
    """Talks.

    turns: how often
    """
    messages = list(episode.messages)
    for _ in range(turns):
        messages.append(episode.ask(messages).message)
    return messages[-1].content


def main() -> None:
    awhost.serve("specimen", "0.1.0-rc.1", Dice, Rank, play)
