"""Episodes for a framework that samples many messages at a time, in its own thread: a synchronous trainer.

    def sample(messages):                       # list[Message], in the order of their slots
        for m in messages: m.ids, m.logprobs, m.finish = …

    batched = Batched(bridge, template, response_tokens=512)      # bridge: SyncBridge
    for episode, result in batched.play(requests, sample, version=step):
        row, use = episode.trained(result)

A batch waits until each open episode has requested a message. The contents of a forward pass therefore depend on the
episodes alone, and not on their speed: equal runs are equal, to the last bit. If an episode takes long in a tool or a
judge, the others wait no longer than patience; batches then depend on timing.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field
from typing import Callable, Iterable, Sequence

from .codec import choose
from .constraints import Grammar
from .errors import GenerateError, LedgerError
from .ledger import Ledger, Row, Template
from .result import EpisodeResult
from .sync import SyncBridge
from .template import ChatTemplate
from .wire import JSON

log = logging.getLogger("awhost.bridge")


@dataclass
class Message:
    """One message to sample: the call's settings, and the sampled result."""

    prompt: list[int]
    max_tokens: int
    temperature: float | None  # None, here and below: the framework's
    top_p: float | None
    top_k: int  # 0: all
    stop: list[str]
    seed: int  # of this message: its draws do not depend on the rest of the batch
    slot: int  # the index of the request
    call_id: str
    grammar: Grammar | None = None  # restricts the ids
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)  # in the form for Call.sampled
    finish: str = ""  # "stop", "length"


Sample = Callable[[list[Message]], None]


def group_requests(launch: str, step: int, positions: Iterable[int], size: int, *, validation: bool = False, first: int = 0) -> list[JSON]:
    """Returns the RunEpisodeRequests of a step: positions in the host's order of the tasks, one per sample, with the
    samples of a group adjacent. first is the number of the first sample among all samples of the step, if several
    workers share it. Episodes are named after the launch. The host derives the seeds of a sample from its step and its
    group's position in it: a launch that repeats a step draws the same samples again."""
    split, mark = ("SPLIT_VALIDATION", "v") if validation else ("SPLIT_TRAIN", "s")
    return [
        {"episode_id": f"{launch}/{mark}{step}/{i}", "group_id": f"{mark}{i // size}", "group_size": size, "group_index": i // size, "sample_index": i % size,
         "dataset_index": position,
         "split": split, "step": step, "policy_version": step if validation else step - 1}
        for i, position in enumerate(positions, first)
    ]


class Batched:
    """Runs episodes. Limits are in tokens: of a chain before the first sampled token, of everything after it, and of
    both. Raises CodecError if no codec reads the messages of the template."""

    def __init__(
        self, bridge: SyncBridge, template: Template, *, response_tokens: int, prompt_tokens: int | None = None, max_context: int | None = None,
        tool_format: str = "auto", reasoning_format: str = "auto", patience: float = 1.0,
    ) -> None:
        self.formats = {"tool_format": tool_format, "reasoning_format": reasoning_format}
        choose(template, **self.formats)
        self.bridge, self.template = bridge, template
        self.prompt_tokens, self.response_tokens, self.max_context = prompt_tokens, response_tokens, max_context
        self.version = 0
        self._patience = patience
        self._changed = threading.Condition()
        self._waiting: dict[str, tuple[Message, asyncio.Future[None]]] = {}  # by call_id
        self._changes = 0  # calls that arrived or were abandoned, and episodes that ended
        self._open = 0  # episodes without a result
        self._finished = True

    def play(self, requests: Sequence[JSON], sample: Sample, *, version: int) -> list[tuple[BatchedEpisode, EpisodeResult]]:
        """Has the host run episodes; sample is called in this thread. Raises the error that ended an episode without a
        result, or the error from sample."""
        self.version, self._open, self._finished = version, len(requests), False
        episodes = [BatchedEpisode(self, slot, request) for slot, request in enumerate(requests)]
        results = self.bridge.submit(self._run(episodes))
        try:
            while batch := self._batch():
                sample([message for message, _ in batch])
                self.bridge.run_coroutine(_wake([done for _, done in batch]))
        except BaseException:
            results.cancel()
            raise
        return list(zip(episodes, results.result()))

    async def _run(self, episodes: list[BatchedEpisode]) -> list[EpisodeResult]:
        tasks = [asyncio.ensure_future(self._one(episode)) for episode in episodes]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            with self._changed:
                self._finished = True
                self._changed.notify()

    async def _one(self, episode: BatchedEpisode) -> EpisodeResult:
        result = await self.bridge.bridge.run_episode(episode.request, episode.generate, restart=episode.restart)
        with self._changed:
            self._open -= 1
            self._changes += 1
            self._changed.notify()
        return result

    async def sampled(self, message: Message) -> None:
        """Returns when the framework's thread has sampled a message."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._changed:
            self._waiting[message.call_id] = message, done
            self._changes += 1
            self._changed.notify()
        try:
            await done
        finally:
            with self._changed:
                if self._waiting.pop(message.call_id, None) is not None:  # abandoned
                    self._changes += 1
                    self._changed.notify()

    def _batch(self) -> list[tuple[Message, asyncio.Future[None]]]:
        """Returns the messages to sample next; empty if all episodes have ended."""
        with self._changed:
            while not self._waiting or len({message.slot for message, _ in self._waiting.values()}) < min(self._open, self.bridge.bridge.credits):
                if self._finished:
                    return []
                changes = self._changes
                if not self._changed.wait_for(lambda: self._finished or self._changes != changes, timeout=self._patience) and self._waiting:
                    break
            batch, self._waiting = list(self._waiting.values()), {}
        return sorted(batch, key=lambda b: (b[0].slot, len(b[0].call_id), b[0].call_id))


async def _wake(calls: list[asyncio.Future[None]]) -> None:
    for done in calls:
        if not done.done():
            done.set_result(None)


class BatchedEpisode:
    """One of the running episodes, with its ledger."""

    def __init__(self, batched: Batched, slot: int, request: JSON) -> None:
        self._batched, self._slot, self.request = batched, slot, request
        self.id: str = request["episode_id"]
        self.restart()

    def restart(self) -> None:
        """Called when the host starts the episode again: earlier samples are never trained."""
        self.ledger = Ledger(self._batched.template, max_context=self._batched.max_context, **self._batched.formats)
        self.opening: list[int] = []  # the prompt of the first call
        self._openings: dict[str, int] = {}  # ids before the first sampled one, by chain

    async def generate(self, request: JSON) -> JSON:
        call = self.ledger.extend(request)
        prompt, wanted = call.prompt_ids, request["sampling"] or {}
        room = self._room(self._openings.get(call.chain, len(prompt)), len(prompt), call.room)
        self.opening = self.opening or prompt
        message = Message(
            prompt, min(room, int(wanted.get("max_tokens") or room)), wanted.get("temperature"), wanted.get("top_p"), int(wanted.get("top_k") or 0),
            list(wanted.get("stop") or ()), int(request["seed"]), self._slot, request["call_id"], call.grammar,
        )
        if request.get("scripted") is None:
            await self._batched.sampled(message)
        else:  # in a smoke run
            message.ids = self._write(request)[: message.max_tokens]
            message.logprobs = [0.0] * len(message.ids)
            message.finish = "stop" if message.ids[-1] in self._batched.template.end_ids else "length"
        response = call.sampled(message.ids, message.logprobs, versions=[(self._batched.version, len(message.ids))], finish=message.finish)
        self._openings.setdefault(call.chain, len(prompt))
        response["remaining_tokens"] = room - len(message.ids)
        return response

    def _write(self, request: JSON) -> list[int]:
        template = self._batched.template
        if not isinstance(template, ChatTemplate):
            raise GenerateError("refused", "this template writes no messages for a smoke run")
        return template.of(request).write(request["scripted"], request["tools"])

    def trained(self, result: EpisodeResult) -> tuple[Row | None, str]:
        """Returns the episode's trained row, if any, and its use in the terms of ConsumedEpisode. For frameworks that
        take one row per sample; the contents of other chains are counted in a warning."""
        if result.drop_group or result.outcome == "dropped":
            return None, "USE_FILTERED"
        if result.masked or result.reward is None:
            return None, "USE_MASKED"
        try:
            row, left = self.ledger.main_row(result)
        except LedgerError as e:
            log.error("%s", e)
            return None, "USE_MASKED"
        if left:
            log.warning("episode %s has %d sampled tokens beside its longest chain, which are not trained", self.id, left)
        return row, "USE_TRAINED" if row is not None else "USE_MASKED"

    def _room(self, opening: int, length: int, context: int | None) -> int:
        limits, used = self._batched, length - opening
        if limits.prompt_tokens is not None and opening > limits.prompt_tokens:
            raise GenerateError("context_full", f"the prompt has {opening} tokens, and {limits.prompt_tokens} are allowed")
        if used >= limits.response_tokens:
            raise GenerateError("context_full", f"the episode has {used} tokens after its prompt, and {limits.response_tokens} are allowed")
        room = limits.response_tokens - used
        return room if context is None else min(room, context)
