"""Measures the worker's side: python3 -m awhost_bridge.bench [--rollouts 4096] [--turns 8] [--times 3] [--profile]

A scripted adapter in a separate process requests this many messages of this many rollouts on one connection. Three
implementations are measured, all in frames per second of one worker process (generate and generated are two), by its
CPU time, since the adapter shares the machine: bare asyncio that only reads, parses and writes; the bridge; the bridge
with a ledger that extends, samples and hashes each message. They are measured in turn, several times, and the best of
each is shown: other work on the machine makes figures worse, never better.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import tempfile
import time
from typing import Any, Awaitable, Callable

from .bridge import Bridge
from .ledger import Ledger
from .wire import JSON

_TEXT = "The tool says that there are 42 of them, and asks what is to be done with the rest. " * 2
_OUTPUT = list(range(64, 96))  # ids of an answer
_PROMPT = list(range(40))  # ids that a turn adds


class _Template:
    """Constant, so that only the ledger is measured, without a tokenizer."""

    end_ids = closing_ids = (1,)

    def open(self, messages: Any, tools: Any) -> list[int]:
        return _PROMPT

    def extend(self, outline: Any, messages: Any, tools: Any) -> list[int]:
        return _PROMPT

    def decode(self, ids: Any) -> str:
        return "<think>Let me see.</think>I would keep them."

    def thinks(self, prompt: Any) -> bool:
        return False


# The adapter: as little work as the protocol allows.


class _Adapter(asyncio.Protocol):
    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._part = b""
        self._seq = self._received = 0
        self._asked: dict[str, int] = {}
        self._chains: dict[str, str] = {}

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, self._part = (self._part + data).split(b"\n")
        self._transport.write(b"".join(self._answer(json.loads(line)) for line in lines))

    def _answer(self, frame: JSON) -> bytes:
        kind = frame["type"]
        if kind == "hello":
            return _line(type="hello_ack", protocol=1, epoch=1, resumed=False, received=0, credits=1 << 20, ping_ms=60_000, grace_ms=1000, settings={})
        self._received = frame.get("seq", self._received)
        if kind == "ping":
            return _line(type="pong", ack=self._received)
        if kind == "run_episode":
            return self._ask(frame["body"]["episode_id"], {})
        if kind == "generated":
            return self._ask(frame["episode_id"], frame["body"])
        return b""

    def _ask(self, episode: str, answer: JSON) -> bytes:
        self._seq += 1
        turn = self._asked[episode] = self._asked.get(episode, 0) + 1
        if turn > self._turns:
            body: JSON = {"episode_id": episode, "attempt": "1", "outcome": "EPISODE_OUTCOME_SCORED", "reward": 1.0}
            return _line(type="result", seq=self._seq, ack=self._received, episode_id=episode, body=body)
        body = {
            "episode_id": episode, "attempt": "1", "call_id": f"{episode}/k{turn}", "chain": answer.get("chain", ""),
            "base": str(answer.get("chain_length", 0)), "messages": [{"role": "ROLE_USER", "content": [{"text": _TEXT}]}],
            "sampling": {"temperature": 1.0, "max_tokens": "512"}, "trainable": True, "seed": "1234567890123", "deadline": "600s",
        }  # fmt: skip
        return _line(type="generate", seq=self._seq, ack=self._received, body=body)


def _line(**frame: Any) -> bytes:
    return json.dumps(frame, separators=(",", ":")).encode() + b"\n"


def _serve(turns: int, ports: Any) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: _Adapter(turns), "127.0.0.1", 0)
        ports.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


# The workers.


class _Bare(asyncio.Protocol):
    """The minimal work of any worker."""

    def __init__(self, rollouts: int) -> None:
        self._rollouts = self._open = rollouts
        self._part = b""
        self._seq = 0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(_line(type="hello"))

    def data_received(self, data: bytes) -> None:
        *lines, self._part = (self._part + data).split(b"\n")
        self._transport.write(b"".join(self._answer(json.loads(line)) for line in lines))

    def _answer(self, frame: JSON) -> bytes:
        self._seq += 1
        if frame["type"] == "hello_ack":
            return b"".join(_line(type="run_episode", seq=i, body={"episode_id": f"e{i}"}) for i in range(self._rollouts))
        if frame["type"] == "generate":
            asked = frame["body"]
            return _line(type="generated", seq=self._seq, episode_id=asked["episode_id"], call_id=asked["call_id"], body=_ANSWER)
        self._open -= 1
        if not self._open:
            self.over.set_result(None)
        return b""


_ANSWER: JSON = {
    "message": {"role": "ROLE_ASSISTANT", "content": [{"text": "I would keep them."}], "reasoning": "Let me see."},
    "finish_reason": "FINISH_REASON_STOP", "usage": {"prompt_tokens": 40, "output_tokens": 32}, "versions": [{"version": 3, "tokens": 32}],
    "chain": "e1/a1/c1", "chain_length": 2, "chain_digest": "0" * 64, "remaining_tokens": 9000,
}  # fmt: skip


async def _bare(file: str, port: int, rollouts: int) -> None:
    _, worker = await asyncio.get_running_loop().create_connection(lambda: _Bare(rollouts), "127.0.0.1", port)
    await worker.over


def _bridge(make_generate: Callable[[], Callable[[JSON], Awaitable[JSON]]]) -> Callable[[str, int, int], Awaitable[None]]:
    async def run(file: str, port: int, rollouts: int) -> None:
        bridge = Bridge(file, framework="bench", framework_version="1")
        await bridge.start()
        await asyncio.gather(*(bridge.run_episode({"episode_id": f"e{i}", "dataset_index": i}, make_generate()) for i in range(rollouts)))
        await bridge.close()

    return run


def _constant() -> Callable[[JSON], Awaitable[JSON]]:
    async def generate(request: JSON) -> JSON:
        return _ANSWER

    return generate


_template = _Template()
_logprobs = [-0.25] * len(_OUTPUT)


def _with_ledger() -> Callable[[JSON], Awaitable[JSON]]:
    ledger = Ledger(_template, max_context=1 << 20)

    async def generate(request: JSON) -> JSON:
        call = ledger.extend(request)
        call.prompt_ids  # as an engine would read them
        return call.sampled(_OUTPUT, _logprobs, versions=[(3, len(_OUTPUT))])

    return generate


def _measure(work: Callable[[str, int, int], Awaitable[None]], rollouts: int, turns: int) -> tuple[float, float]:
    """Returns the seconds of this process's CPU, and of wall clock, per frame."""
    ports, theirs = multiprocessing.Pipe()
    adapter = multiprocessing.Process(target=_serve, args=(turns, theirs), daemon=True)
    adapter.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            port = ports.recv()
            began, cpu = time.perf_counter(), time.process_time()
            asyncio.run(work(_endpoint_file(folder, port), port, rollouts))  # type: ignore[arg-type]
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    finally:
        adapter.kill()
        adapter.join()
    frames = 2 * rollouts * turns
    return cpu / frames, wall / frames


def _endpoint_file(folder: str, port: int) -> str:
    with open(os.path.join(folder, "token"), "w", encoding="utf-8") as f:
        f.write("x")
    path = os.path.join(folder, "bridge.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "awhost.bridge/1", "run": "bench", "epoch": 1, "endpoints": [f"127.0.0.1:{port}"], "token_file": "token"}, f)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description="frames per second of one worker process")
    parser.add_argument("--rollouts", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="profile the bridge with a ledger instead")
    options = parser.parse_args()
    if options.profile:
        import cProfile

        cProfile.runctx("_measure(_bridge(_with_ledger), options.rollouts, options.turns)", globals(), locals(), sort="tottime")
        return
    works = {"bare asyncio": _bare, "bridge": _bridge(_constant), "bridge with a ledger": _bridge(_with_ledger)}
    best = {name: (float("inf"), float("inf")) for name in works}
    for _ in range(options.times):
        for name, work in works.items():
            cpu, wall = _measure(work, options.rollouts, options.turns)
            best[name] = min(best[name][0], cpu), min(best[name][1], wall)
    print(f"{options.rollouts} rollouts of {options.turns} turns on one connection, best of {options.times}")
    for name, (cpu, wall) in best.items():
        print(f"{name:22}{1 / cpu:10,.0f} frames per CPU second {1 / wall:10,.0f} per second of wall clock {cpu * 1e6:6.1f} µs per frame")


if __name__ == "__main__":
    main()
