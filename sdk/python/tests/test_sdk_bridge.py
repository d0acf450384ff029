"""The adapter's side of the bridge, with the frameworks' worker, over connections that break."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import pathlib
import shutil
import tempfile
import unittest
from collections import Counter
from typing import Any, Callable

from awhost_bridge import Bridge, EpisodeError, GenerateError

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost import errors
    from awhost.bridge import Options, Server, Worker
    from awhost.v1 import adapter_pb2, host_pb2
    from awhost.v1.adapter_pb2 import ControlRequest

JSON = dict[str, Any]


class Host:
    """Runs episodes of this many turns, and answers boundaries with the number of received events."""

    def __init__(self, turns: int = 2) -> None:
        self.turns = turns
        self.server: Server | None = None
        self.runs: list[str] = []
        self.events: list[str] = []
        self.abandoned_ids: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        self.runs.append(request.episode_id)
        await self.gate.wait()
        assert self.server is not None
        for turn in range(self.turns):
            response = await self.server.generate(adapter_pb2.GenerateRequest(episode_id=request.episode_id, call_id=f"{request.episode_id}/c{turn}", base=2 * turn))
            assert response.message.content[0].text == f"answer to {request.episode_id}/c{turn}"
        return host_pb2.EpisodeResult(episode_id=request.episode_id, attempt=1, outcome=host_pb2.EPISODE_OUTCOME_SCORED, reward=self.turns)

    async def abandoned(self, worker: Worker, request: host_pb2.RunEpisodeRequest, why: Exception) -> None:
        self.abandoned_ids.append(request.episode_id)

    async def boundary(self, worker: Worker, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        return host_pb2.StepBoundaryResponse(directive=host_pb2.StepBoundaryResponse.DIRECTIVE_CONTINUE, reason=f"after {len(self.events)} events")

    async def event(self, worker: Worker, event: adapter_pb2.TrainEvent) -> None:
        self.events.append(event.log.message)


class Away(Host):
    """Fails every call until it is back."""

    def __init__(self) -> None:
        super().__init__()
        self.back = False
        self.calls: Counter[str] = Counter()

    def _check(self, call: str) -> None:
        if not self.back:
            self.calls[call] += 1
            raise errors.Unavailable("write journal: no space left on device")

    async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        self._check("run_episode")
        return await super().run_episode(worker, request)

    async def boundary(self, worker: Worker, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        self._check("boundary")
        return await super().boundary(worker, request)

    async def event(self, worker: Worker, event: adapter_pb2.TrainEvent) -> None:
        self._check("event")
        await super().event(worker, event)


class Scissors:
    """A network that breaks each connection after this many bytes, up or down."""

    def __init__(self, target: tuple[str, int], plan: list[tuple[int, int]]) -> None:
        self.target, self.plan, self.made = target, list(plan), 0

    async def __aenter__(self) -> Scissors:
        self.tasks: set[asyncio.Task[None]] = set()
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        up, down = self.plan.pop(0) if self.plan else (0, 0)
        there, back = await asyncio.open_connection(*self.target)
        pumps = [asyncio.ensure_future(self.pump(reader, back, up)), asyncio.ensure_future(self.pump(there, writer, down))]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            for side in (writer, back):
                side.transport.abort()
            self.tasks.discard(task)

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int) -> None:
        carried = 0
        while data := await reader.read(4096):
            if limit and carried + len(data) >= limit:
                writer.write(data[: limit - carried])
                self.made += 1
                return
            carried += len(data)
            writer.write(data)


@grpc_installed
class BridgeServerTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)  # debug mode reports every slow moment of this machine
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)
        for name in ("awhost.bridge", "awhost.bridge.server"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # connections break here all the time

    async def listen(self, host: Any, **options: Any) -> Server:
        server = await Server.listen(self.folder, run="run-1", handler=host, options=Options(**options))
        host.server = server
        self.addAsyncCleanup(server.close)
        return server

    async def bridge(self, server: Server, **options: Any) -> Bridge:
        bridge = Bridge(str(server.endpoint_file), role="both", framework="test", framework_version="1", **options)
        await bridge.start()
        self.addAsyncCleanup(bridge.close)
        return bridge

    async def until(self, condition: Callable[[], Any]) -> None:
        for _ in range(5000):
            if condition():
                return
            await asyncio.sleep(0.002)
        self.fail("it never happened")

    async def raw(self, server: Server, **hello: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens a separate connection, with its hello sent."""
        reader, writer = await asyncio.open_connection(*server.address)
        self.addCleanup(lambda w=writer: w.transport.abort())
        about = json.loads(server.endpoint_file.read_text())
        token = (self.folder / about["token_file"]).read_text().strip()
        line = {"type": "hello", "protocol": [1], "run": "run-1", "epoch": about["epoch"], "token": token, "session": "raw", "received": 0} | hello
        writer.write(json.dumps(line).encode() + b"\n")
        return reader, writer

    @staticmethod
    async def generate(request: JSON) -> JSON:
        await asyncio.sleep(0)
        return {"message": {"role": "ROLE_ASSISTANT", "content": [{"text": "answer to " + request["call_id"]}]}, "finish_reason": "FINISH_REASON_STOP",
                "chain": request["episode_id"], "chain_length": request["base"] + 2}

    async def play(self, bridge: Bridge, episodes: int, steps: int) -> tuple[list[Any], list[str]]:
        async def report() -> list[str]:
            answers = []
            for step in range(steps):
                for i in range(2):
                    await bridge.event({"log": {"level": "info", "message": f"{step}.{i}"}})
                answers.append((await bridge.boundary({"step": step}))["reason"])
            return answers

        *results, answers = await asyncio.gather(*(bridge.run_episode({"episode_id": f"e{i}"}, self.generate) for i in range(episodes)), report())
        return [r.reward for r in results], answers

    async def test_episodes_events_and_boundaries(self) -> None:
        host = Host()
        server = await self.listen(host, credits=5, settings={"keys": ["score"]})
        bridge = await self.bridge(server)
        rewards, answers = await self.play(bridge, 20, 3)
        self.assertEqual(rewards, [2] * 20)
        self.assertEqual(answers, ["after 2 events", "after 4 events", "after 6 events"])
        self.assertEqual(bridge.settings, {"keys": ["score"]})
        self.assertEqual(sorted(host.runs), sorted(f"e{i}" for i in range(20)))
        await bridge.close()
        await self.until(lambda: not server.workers)
        self.assertEqual(host.abandoned_ids, [])

    async def test_nothing_is_lost_or_doubled_by_connections_that_break(self) -> None:
        plan = [(0, 40), (900, 0), (0, 3000), (20, 0), (5000, 7000), (0, 6000), (3000, 0), (0, 2500)]
        host = Host(turns=4)
        server = await self.listen(host, credits=10)
        async with Scissors(server.address, plan) as proxy:
            about = json.loads(server.endpoint_file.read_text()) | {"endpoints": [f"127.0.0.1:{proxy.port}"]}
            server.endpoint_file.write_text(json.dumps(about))
            bridge = await self.bridge(server)
            rewards, answers = await self.play(bridge, 30, 5)
            self.assertEqual(rewards, [4] * 30)
            self.assertEqual(answers, [f"after {2 * i + 2} events" for i in range(5)])
            self.assertEqual(sorted(host.runs), sorted(f"e{i}" for i in range(30)), "an episode was run twice, or not at all")
            self.assertGreaterEqual(proxy.made, 5)
            await bridge.close()

    async def test_a_restarted_adapter_is_asked_again(self) -> None:
        before = Host()
        before.gate.clear()
        first = await self.listen(before)
        bridge = await self.bridge(first)
        restarted = 0

        def restart() -> None:
            nonlocal restarted
            restarted += 1

        open_ones = [asyncio.ensure_future(bridge.run_episode({"episode_id": f"e{i}"}, self.generate, restart=restart)) for i in range(4)]
        await self.until(lambda: len(before.runs) == 4)
        await first.close()
        self.assertEqual(before.abandoned_ids, [], "a later life asks again: the host must not be told to cancel")
        after = Host()
        second = await self.listen(after)
        self.assertEqual((second.epoch, second.address), (2, first.address))
        self.assertEqual([r.reward for r in await asyncio.gather(*open_ones)], [2] * 4)
        self.assertEqual(restarted, 4)
        self.assertEqual(sorted(after.runs), ["e0", "e1", "e2", "e3"])

    async def test_what_cannot_be_carried_out_is_no_answer(self) -> None:
        for restarted in (False, True):
            with self.subTest(restarted=restarted):
                away = Away()
                first = await self.listen(away)
                bridge = await self.bridge(first)
                playing = asyncio.ensure_future(self.play(bridge, 4, 1))
                await self.until(lambda: away.calls["event"] >= 2 and away.calls["run_episode"] >= 8)
                self.assertFalse(playing.done())
                host: Host = away
                if restarted:
                    await first.close()
                    host = Host()
                    await self.listen(host)
                else:
                    away.back = True
                rewards, answers = await playing
                self.assertEqual((rewards, answers), ([2] * 4, ["after 2 events"]))
                self.assertEqual(sorted(host.runs), ["e0", "e1", "e2", "e3"])

    async def test_a_boundary_waits_for_its_answer(self) -> None:
        away = Away()
        bridge = await self.bridge(await self.listen(away))
        asking = asyncio.ensure_future(bridge.boundary({"step": 1}))
        await self.until(lambda: away.calls["boundary"] >= 3)
        self.assertFalse(asking.done())
        away.back = True
        self.assertEqual((await asking)["reason"], "after 0 events")

    async def test_an_adapter_that_ends_gives_no_result(self) -> None:
        host = Host()
        host.gate.clear()
        server = await self.listen(host)
        reader, writer = await self.raw(server)
        await reader.readline()
        writer.write(b'{"type":"run_episode","seq":1,"body":{"episode_id":"e"}}\n')
        await self.until(lambda: host.runs)
        writer.write(b'{"type":"run_episode","seq":2,"body":{"episode_id":"f"}}\n')
        await self.until(lambda: len(host.runs) == 2)
        tasks = list(server._tasks)
        for task in tasks:  # as the end of the event loop does
            task.cancel()
        await asyncio.wait(tasks)
        await server.close()
        self.assertNotIn(b'"result"', await reader.read())

    async def test_over_tls(self) -> None:
        if shutil.which("openssl") is None:
            self.skipTest("there is no openssl")
        host = Host()
        server = await self.listen(host, listen="0.0.0.0:0", advertise=["127.0.0.1"])
        bridge = await self.bridge(server)
        rewards, _ = await self.play(bridge, 4, 1)
        self.assertEqual(rewards, [2] * 4)

    async def test_garbage_instead_of_tls_takes_nothing_from_workers(self) -> None:
        if shutil.which("openssl") is None:
            self.skipTest("there is no openssl")
        server = await self.listen(Host(), listen="0.0.0.0:0", advertise=["127.0.0.1"])
        for _ in range(300):  # more than the unauthenticated connections that a bridge accepts at a time
            reader, writer = await asyncio.open_connection("127.0.0.1", server.address[1])
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            with contextlib.suppress(ConnectionError):
                await reader.read()
            writer.close()
        rewards, _ = await self.play(await self.bridge(server), 1, 1)
        self.assertEqual(rewards, [2])

    async def test_a_cancelled_episode_is_told_to_the_host(self) -> None:
        host = Host()
        host.gate.clear()
        bridge = await self.bridge(await self.listen(host))
        running = asyncio.ensure_future(bridge.run_episode({"episode_id": "e"}, self.generate))
        await self.until(lambda: host.runs)
        running.cancel()
        await self.until(lambda: host.abandoned_ids == ["e"])
        host.gate.set()
        again = await bridge.run_episode({"episode_id": "e"}, self.generate)  # waits until the first is closed
        self.assertEqual(again.reward, 2)

    async def test_an_episode_that_is_cancelled_in_the_same_breath_gets_its_result(self) -> None:
        server = await self.listen(Host())
        reader, writer = await self.raw(server)
        self.assertEqual(json.loads(await reader.readline())["type"], "hello_ack")
        writer.write(b'{"type":"run_episode","seq":1,"body":{"episode_id":"e"}}\n{"type":"cancel_episode","seq":2,"body":{"episode_id":"e"}}\n')
        frame = json.loads(await reader.readline())
        self.assertEqual((frame["type"], frame["episode_id"], frame["error"]["code"]), ("result", "e", "cancelled"))

    async def test_a_worker_that_is_gone_gives_up_its_episodes(self) -> None:
        host = Host()
        host.gate.clear()
        server = await self.listen(host, ping_seconds=0.02, grace_seconds=0.1)
        reader, writer = await self.raw(server)
        await reader.readline()
        writer.write(b'{"type":"run_episode","seq":1,"body":{"episode_id":"e"}}\n')
        await self.until(lambda: host.runs)
        writer.transport.abort()
        await self.until(lambda: host.abandoned_ids == ["e"] and not server.workers)
        with self.assertRaises(errors.GenerateError) as caught:
            await server.generate(adapter_pb2.GenerateRequest(episode_id="e", call_id="c"))
        self.assertEqual(caught.exception.kind, "aborted")

    async def test_what_a_worker_cannot_sample(self) -> None:
        class Asks(Host):
            async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
                assert self.server is not None
                await self.server.generate(adapter_pb2.GenerateRequest(episode_id=request.episode_id, call_id="c"))
                raise AssertionError("it was answered")

        async def full(request: JSON) -> JSON:
            raise GenerateError("context_full", "no room")

        bridge = await self.bridge(await self.listen(Asks()))
        with self.assertRaises(EpisodeError) as caught:
            await bridge.run_episode({"episode_id": "e"}, full)
        self.assertIn("context_full: no room", str(caught.exception))

    async def test_a_call_that_nobody_waits_for_is_abandoned(self) -> None:
        started, stopped = asyncio.Event(), asyncio.Event()

        class Impatient(Host):
            async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
                assert self.server is not None
                asking = [asyncio.ensure_future(self.server.generate(adapter_pb2.GenerateRequest(episode_id="e", call_id="c"))) for _ in range(2)]
                await started.wait()
                asking[0].cancel()
                await asyncio.sleep(0.05)
                assert not stopped.is_set(), "somebody still waited"
                asking[1].cancel()
                await stopped.wait()
                return host_pb2.EpisodeResult(episode_id="e", outcome=host_pb2.EPISODE_OUTCOME_FAILED)

        async def slow(request: JSON) -> JSON:
            started.set()
            try:
                await asyncio.sleep(60)
            finally:
                stopped.set()
            return {}

        bridge = await self.bridge(await self.listen(Impatient()))
        result = await bridge.run_episode({"episode_id": "e"}, slow)
        self.assertIsNone(result.reward)

    async def test_orders_reach_workers_that_come_later(self) -> None:
        server = await self.listen(Host())
        first = await self.bridge(server)
        server.control(ControlRequest.ACTION_PAUSE, "weights")
        server.control(ControlRequest.ACTION_DRAIN, "enough")
        await self.until(lambda: first.draining and first.paused)
        second = await self.bridge(server)
        await self.until(lambda: second.draining and second.paused)
        server.control(ControlRequest.ACTION_RESUME)
        await self.until(lambda: not first.paused and not second.paused)

    async def test_strangers_are_refused_by_the_first_thing_that_is_wrong(self) -> None:
        server = await self.listen(Host())
        for code, wrong in {
            "epoch": {"epoch": 7, "token": "x"}, "token": {"token": "x", "run": "other"}, "protocol": {"protocol": [2], "run": "other"}, "run": {"run": "other"},
            "line": {"session": ""}, }.items():
            with self.subTest(code):
                reader, _ = await self.raw(server, **wrong)
                frame = json.loads(await reader.readline())
                self.assertEqual((frame["type"], frame["code"]), ("refused", code))
                self.assertEqual(await reader.read(), b"")
        for line in (b"GET / HTTP/1.1\n", b"[]\n", b'{"type":"hello","protocol":1}\n', b"x" * 5000, b'{"type":"hello","session":"' + b"x" * 5000 + b'"}\n'):
            with self.subTest(line[:20]):
                reader, writer = await asyncio.open_connection(*server.address)
                self.addCleanup(lambda w=writer: w.transport.abort())
                writer.write(line)
                self.assertEqual(json.loads(await reader.readline())["code"], "line")
        self.assertEqual(server.workers, [])

    async def test_a_stranger_who_says_nothing_is_not_waited_for(self) -> None:
        server = await self.listen(Host(), handshake_seconds=0.02)
        reader, writer = await asyncio.open_connection(*server.address)
        self.addCleanup(lambda w=writer: w.transport.abort())
        with self.assertRaises((ConnectionError, AssertionError)):
            self.assertNotEqual(await reader.read(), b"")

    async def test_a_second_connection_of_a_session_is_busy(self) -> None:
        server = await self.listen(Host())
        reader, _ = await self.raw(server)
        self.assertEqual(json.loads(await reader.readline())["type"], "hello_ack")
        other, _ = await self.raw(server)
        self.assertEqual(json.loads(await other.readline())["code"], "busy")

    async def test_bodies_that_cannot_be_read_end_the_session_and_gaps_the_connection(self) -> None:
        host = Host()
        server = await self.listen(host)
        for line, answer in ((b'{"type":"run_episode","seq":1,"body":{"episode_id":5}}\n', "line"), (b'{"type":"run_episode","body":{"episode_id":"e"}}\n', "line"),
                             (b'{"type":"boundary","seq":1,"body":{}}\n', "line"), (b'{"type":"event","seq":2,"body":{}}\n', ""), (b"{nonsense\n", ""), (b'{"type":"ping","ack":9}\n', "")):
            with self.subTest(line):
                reader, writer = await self.raw(server, session=f"s{line!r}")
                await reader.readline()
                writer.write(line)
                try:
                    text = await reader.read()
                except ConnectionError:
                    text = b""
                self.assertEqual(json.loads(text)["code"] if text else "", answer)
                self.assertEqual(len(server.workers), 0 if answer else 1)
                if not answer:
                    server._sessions.popitem()[1].end(Exception("the next"))
        self.assertEqual(host.runs, [])

    async def test_unknown_frames_and_members_change_nothing(self) -> None:
        server = await self.listen(Host(turns=0))
        reader, writer = await self.raw(server, colour="red")
        await reader.readline()
        writer.write(b'{"type":"news","seq":1,"x":1}\n{"type":"news"}\n{"type":"run_episode","seq":2,"body":{"episodeId":"e","colour":"red"}}\n')
        frame = json.loads(await reader.readline())
        self.assertEqual((frame["type"], frame["body"]["episode_id"], frame["ack"]), ("result", "e", 2))

    async def test_a_repeated_frame_is_dropped_and_an_event_acknowledged_when_it_is_handed_on(self) -> None:
        handed_on = asyncio.Event()

        class Slow(Host):
            async def event(self, worker: Worker, event: adapter_pb2.TrainEvent) -> None:
                await handed_on.wait()
                await super().event(worker, event)

        host = Slow()
        reader, writer = await self.raw(await self.listen(host))
        await reader.readline()
        writer.write(b'{"type":"event","seq":1,"body":{"log":{"message":"m"}}}\n' * 2 + b'{"type":"news","seq":2}\n{"type":"ping"}\n')
        self.assertEqual(json.loads(await reader.readline()), {"type": "pong", "ack": 0})
        handed_on.set()
        self.assertEqual(json.loads(await reader.readline()), {"type": "ack", "ack": 2})
        self.assertEqual(host.events, ["m"])

    async def test_a_session_that_was_never_heard_in_begins_again(self) -> None:
        server = await self.listen(Host())
        reader, writer = await self.raw(server)
        await reader.readline()
        writer.transport.abort()
        await self.until(lambda: server._sessions["raw"].connection is None)
        again, writer = await self.raw(server, received=3)  # an outdated count
        self.assertFalse(json.loads(await again.readline())["resumed"])
        writer.write(b'{"type":"news","seq":1}\n')
        await self.until(lambda: server._sessions["raw"].stream.has_received)
        writer.transport.abort()
        await self.until(lambda: server._sessions["raw"].connection is None)
        third, _ = await self.raw(server)
        ack = json.loads(await third.readline())
        self.assertEqual((ack["resumed"], ack["received"]), (True, 1))

    async def test_who_does_not_read_is_cut_off(self) -> None:
        server = await self.listen(Host(turns=0), kept_bytes=200_000)
        reader, writer = await self.raw(server)
        await reader.readline()
        session = server._sessions["raw"]
        body = json.dumps({"reason": "x" * 50_000})
        for _ in range(4):
            session.stream.send("control", body=body)
        self.assertIsNone(session.stream.ended)
        for _ in range(5):
            session.stream.send("control", body=body)
        self.assertIsNotNone(session.stream.ended)
        await self.until(lambda: not server.workers)

    async def test_epochs_and_addresses_that_cannot_be(self) -> None:
        await (await self.listen(Host())).close()
        with self.assertRaisesRegex(errors.Error, "of epoch 1, and this is epoch 1"):
            await Server.listen(self.folder, run="run-1", handler=Host(), epoch=1)
        with self.assertRaisesRegex(errors.Error, "say in advertise"):
            await self.listen(Host(), listen="0.0.0.0:0")
        with self.assertRaisesRegex(errors.Error, "shorter"):
            await self.listen(Host(), grace_seconds=1)
        self.assertEqual((self.folder / "bridge.token").stat().st_mode & 0o777, 0o600)
