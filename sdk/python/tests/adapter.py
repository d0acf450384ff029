"""An adapter for tests: it listens on loopback, keeps sessions as docs/reference/bridge.md defines, and breaks on demand."""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from typing import Any, Callable

JSON = dict[str, Any]


class Peer:
    """The adapter's side of one session."""

    def __init__(self) -> None:
        self.received = 0
        self.last = 0
        self.outbox: deque[tuple[int, bytes]] = deque()
        self.writer: asyncio.StreamWriter | None = None

    def send(self, kind: str, **members: Any) -> None:
        self.last += 1
        line = line_of(type=kind, seq=self.last, ack=self.received, **members)
        self.outbox.append((self.last, line))
        if self.writer is not None:
            self.writer.write(line)

    def acknowledged(self, upto: int) -> None:
        while self.outbox and self.outbox[0][0] <= upto:
            self.outbox.popleft()


def line_of(**frame: Any) -> bytes:
    return json.dumps(frame).encode() + b"\n"


class Adapter:
    """on_frame(peer, frame) receives each data frame, once and in order. lines holds every received line, hellos every
    hello. cut_after(n) breaks the connection when the n-th line from now arrives, before it is processed."""

    def __init__(self, folder: str, on_frame: Callable[[Peer, JSON], Any] | None = None, *, credits: int = 1000, **ack: Any) -> None:
        self.folder = folder
        self.file = os.path.join(folder, "bridge.json")
        self.token = "secret"
        self.run = "run-1"
        self.epoch = 1
        self.on_frame = on_frame or (lambda peer, frame: None)
        self.ack = {"protocol": 1, "credits": credits, "ping_ms": 15_000, "grace_ms": 10_000, "settings": {"reward_keys": ["exact"]}} | ack
        self.peers: dict[str, Peer] = {}
        self.hellos: list[JSON] = []
        self.lines: list[JSON] = []
        self.connections = 0
        self.cut = -1
        self.refusal: JSON | None = None  # of the next connection
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Adapter:
        await self.listen()
        self.publish()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.silence()

    async def listen(self, port: int = 0) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, limit=64 << 20)

    async def silence(self) -> None:
        """Stops listening and ends all connections."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.break_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def restart(self) -> None:
        """Restarts as a new process: without sessions, at another address, and with another epoch."""
        await self.silence()
        self.peers.clear()
        self.epoch += 1
        await self.listen()
        self.publish()

    def publish(self, **changes: Any) -> None:
        with open(os.path.join(self.folder, "bridge.token"), "w", encoding="utf-8") as f:
            f.write("secret\n")
        about = {"format": "awhost.bridge/1", "run": self.run, "epoch": self.epoch, "endpoints": [f"127.0.0.1:{self.port}"],
                 "token_file": "bridge.token", "server_name": "localhost"} | changes
        with open(self.file + ".new", "w", encoding="utf-8") as f:
            json.dump(about, f)
        os.replace(self.file + ".new", self.file)

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def peer(self) -> Peer:
        (peer,) = self.peers.values()
        return peer

    def break_all(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    def cut_after(self, lines: int) -> None:
        self.cut = lines

    def of(self, kind: str) -> list[JSON]:
        return [line for line in self.lines if line["type"] == kind]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        self.connections += 1
        peer: Peer | None = None
        try:
            peer = self._greet(json.loads(await reader.readline()), writer)
            while peer is not None and (line := await reader.readline()):
                if self.cut == 0:
                    self.cut = -1
                    break
                self.cut -= self.cut > 0
                self._take(peer, json.loads(line))
                await writer.drain()
        except (ConnectionError, ValueError):
            pass
        finally:
            if peer is not None and peer.writer is writer:
                peer.writer = None
            self._writers.discard(writer)
            self._tasks.discard(task)
            writer.transport.abort() if peer is not None else writer.close()

    def _greet(self, hello: JSON, writer: asyncio.StreamWriter) -> Peer | None:
        self.hellos.append(hello)
        refusal, self.refusal = self.refusal, None
        if hello["token"] != self.token:
            refusal = {"code": "token", "detail": "the token is not the run's"}
        elif hello["run"] != self.run:
            refusal = {"code": "run", "detail": f"this is run {self.run}"}
        elif hello["epoch"] != self.epoch:
            refusal = {"code": "epoch", "detail": f"this is epoch {self.epoch}"}
        if refusal is not None:
            writer.write(line_of(type="refused", **refusal))
            return None
        known = self.peers.get(hello["session"])
        peer = self.peers.setdefault(hello["session"], Peer())
        if known is not None:
            peer.acknowledged(hello["received"])
        peer.writer = writer
        writer.write(line_of(type="hello_ack", epoch=self.epoch, resumed=known is not None, received=peer.received, **self.ack))
        for _, line in list(peer.outbox):
            writer.write(line)
        return peer

    def _take(self, peer: Peer, frame: JSON) -> None:
        self.lines.append(frame)
        if "ack" in frame:
            peer.acknowledged(frame["ack"])
        if frame["type"] == "ping":
            peer.writer.write(line_of(type="pong", ack=peer.received))  # type: ignore[union-attr]
        if "seq" not in frame or frame["seq"] <= peer.received:
            return
        if frame["seq"] != peer.received + 1:
            raise ValueError(f"a gap: {frame['seq']} after {peer.received}")
        peer.received = frame["seq"]
        self.on_frame(peer, frame)


class Host:
    """Runs episodes of this many turns: generate, generated, …, result. It is an on_frame."""

    def __init__(self, turns: int = 1, **request: Any) -> None:
        self.turns = turns
        self.request = request
        self.asked: dict[str, int] = {}
        self.answers: list[JSON] = []
        self.open = self.most_open = 0

    def __call__(self, peer: Peer, frame: JSON) -> None:
        if frame["type"] == "run_episode":
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self.ask(peer, frame["body"]["episode_id"])
        elif frame["type"] == "generated":
            self.answers.append(frame)
            self.ask(peer, frame["episode_id"])

    def ask(self, peer: Peer, episode: str) -> None:
        turn = self.asked[episode] = self.asked.get(episode, 0) + 1
        if turn > self.turns:
            self.open -= 1
            peer.send("result", episode_id=episode, body=result_of(episode))
            return
        body = {"episode_id": episode, "call_id": f"{episode}/k{turn}", "attempt": "1", "base": "0", "trainable": True}
        peer.send("generate", body=body | self.request)


def result_of(episode: str, **members: Any) -> JSON:
    return {"episode_id": episode, "attempt": "1", "outcome": "EPISODE_OUTCOME_SCORED", "reward": 1, "num_turns": "2"} | members
