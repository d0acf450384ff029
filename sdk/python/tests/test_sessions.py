"""Invariants across broken connections."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from unittest import mock

from awhost_bridge import BridgeLost, GenerateError, Ledger, ChatTemplate
from awhost_bridge import session as session_module
from awhost_bridge.errors import ProtocolError
from awhost_bridge.session import Session

from .adapter import line_of, result_of
from .support import BridgeTest, Host, Peer, answer, episode, response
from .toy import Toy

JSON = dict[str, Any]


class Once:
    """A generate that counts: sampling twice for one call would train on output that no agent received."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def __call__(self, request: JSON) -> JSON:
        self.calls.append(request["call_id"])
        await asyncio.sleep(0)
        return response(request["call_id"])


class ReconnectTest(BridgeTest):
    async def test_the_connection_breaks_at_every_frame(self) -> None:
        """For each line as the last one that arrives, each call is sampled once and each result arrives."""
        for line in range(12):
            with self.subTest(line=line):
                host, once = Host(turns=3), Once()
                adapter = await self.adapter(host)
                bridge = await self.bridge(adapter)
                adapter.cut_after(line)
                results = await asyncio.gather(*(bridge.run_episode(episode(n), once) for n in "abc"))
                self.assertEqual(["a", "b", "c"], [r.episode_id for r in results])
                self.assertEqual(sorted(f"{e}/k{k}" for e in "abc" for k in (1, 2, 3)), sorted(once.calls))
                self.assertEqual(sorted(once.calls), sorted(a["call_id"] for a in host.answers))
                self.assertEqual(2, adapter.connections)
                await bridge.close()

    async def test_it_breaks_all_the_time(self) -> None:
        host, once = Host(turns=4), Once()
        adapter = await self.adapter(host)
        bridge = await self.bridge(adapter)

        async def saboteur() -> None:
            while True:
                await asyncio.sleep(0.005)
                adapter.break_all()

        breaking = asyncio.create_task(saboteur())
        names = [f"e{i}" for i in range(300)]
        results = await asyncio.gather(*(bridge.run_episode(episode(n), once) for n in names))
        breaking.cancel()
        self.assertEqual(names, [r.episode_id for r in results])
        self.assertEqual(1200, len(once.calls))
        self.assertEqual(1200, len(set(once.calls)))
        self.assertEqual(1200, len(host.answers))

    async def test_frames_come_in_order_and_once(self) -> None:
        """The adapter repeats some processed frames, as after a reconnect that crossed an ack."""
        host, once = Host(turns=2), Once()
        adapter = await self.adapter(host)
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), once))
        await self.until(lambda: adapter.of("generated"))
        adapter.peer.writer.write(line_of(type="generate", seq=1, body={"episode_id": "e", "call_id": "e/k1"}))  # type: ignore[union-attr]
        adapter.peer.writer.write(line_of(type="result", seq=1, episode_id="e", body=result_of("e", reward=9)))  # type: ignore[union-attr]
        self.assertEqual(1.0, (await running).reward)
        self.assertEqual(["e/k1", "e/k2"], once.calls)
        self.assertEqual(1, adapter.connections)

    async def test_a_gap_ends_the_connection(self) -> None:
        adapter = await self.adapter(Host())
        bridge = await self.bridge(adapter)
        adapter.peer.writer.write(line_of(type="result", seq=7, episode_id="e"))  # type: ignore[union-attr]
        await self.until(lambda: adapter.connections == 2)
        self.assertEqual(1.0, (await bridge.run_episode(episode(), answer())).reward)

    async def test_garbage_ends_the_connection(self) -> None:
        adapter = await self.adapter(Host())
        bridge = await self.bridge(adapter)
        for n, garbage in enumerate((b"hello\n", b"[1]\n", b"{}\n", b'{"type":1}\n', b"\xff\n", b"\n", b'{"type":"result"\n', b'{"type":"x","seq":"a"}\n',
                                     b'{"type":"ack","ack":99999}\n', b'{"type":"ack","ack":[]}\n', b"[" * 100_000 + b"\n")):  # fmt: skip
            with self.subTest(garbage[:20]):
                await self.until(lambda: adapter.peer.writer is not None)
                before = adapter.connections
                adapter.peer.writer.write(garbage)  # type: ignore[union-attr]
                await self.until(lambda: adapter.connections > before)
                self.assertEqual(1.0, (await bridge.run_episode(episode(f"e{n}"), answer())).reward)

    async def test_unknown_frames_and_members_are_ignored(self) -> None:
        adapter = await self.adapter(Host())
        bridge = await self.bridge(adapter)
        adapter.peer.send("of_version_2", body={"x": 1}, more=True)
        adapter.peer.writer.write(line_of(type="gossip"))  # type: ignore[union-attr]
        self.assertEqual(1.0, (await bridge.run_episode(episode(), answer())).reward)
        self.assertEqual(1, adapter.connections)
        self.assertGreaterEqual(adapter.of("generated")[0]["ack"], 1)

    async def test_a_frame_that_makes_no_sense_harms_no_other(self) -> None:
        adapter = await self.adapter(Host())
        bridge = await self.bridge(adapter)
        adapter.peer.send("generate", body={"call_id": 5})
        adapter.peer.send("result", body=7)
        adapter.peer.send("boundary_result")
        adapter.peer.send("control", body={"action": 3})
        self.assertEqual(1.0, (await bridge.run_episode(episode(), answer())).reward)


class ResumeTest(BridgeTest):
    async def test_an_adapter_that_was_restarted_is_asked_again(self) -> None:
        """It has another address and no sessions, and the file is updated. Chains start again."""
        adapter = await self.adapter()
        bridge = await self.bridge(adapter, role="both")
        restarts: list[str] = []
        once = Once()
        running = [asyncio.create_task(bridge.run_episode(episode(n), once, restart=lambda n=n: restarts.append(n))) for n in "ab"]
        boundary = asyncio.create_task(bridge.boundary({"step": 1}))
        await self.until(lambda: len(adapter.of("run_episode")) == 2)
        adapter.peer.send("generate", body={"episode_id": "a", "call_id": "k"})
        await self.until(lambda: adapter.of("generated"))
        session = adapter.hellos[0]["session"]
        host = Host()

        def anew(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "boundary":
                peer.send("boundary_result", id=frame["id"], body={"directive": "DIRECTIVE_CONTINUE"})
            host(peer, frame)

        adapter.on_frame = anew
        await adapter.restart()
        results = await asyncio.gather(*running)
        self.assertEqual(["a", "b"], [r.episode_id for r in results])
        self.assertEqual({"directive": "DIRECTIVE_CONTINUE"}, await boundary)
        self.assertEqual(["a", "b"], sorted(restarts))
        self.assertEqual(session, adapter.hellos[-1]["session"])
        self.assertEqual(2, adapter.hellos[-1]["epoch"])
        self.assertEqual(["a/k1", "b/k1", "k"], sorted(once.calls))
        self.assertEqual([], [a for a in host.answers if a["call_id"] == "k"], "calls of the time before are forgotten")

    async def test_events_that_were_not_confirmed_are_sent_again(self) -> None:
        seen: list[int] = []
        adapter = await self.adapter(lambda peer, frame: frame["type"] == "event" and seen.append(frame["body"]["phase"]["step"]))
        bridge = await self.bridge(adapter, role="trainer")
        await bridge.event({"phase": {"step": 1}})
        await self.until(lambda: seen)
        adapter.peer.writer.write(line_of(type="ack", ack=1))  # type: ignore[union-attr]
        await asyncio.sleep(0.05)
        await adapter.silence()
        for step in (2, 3):
            await bridge.event({"phase": {"step": step}})
        await adapter.restart()
        await self.until(lambda: len(seen) == 3)
        self.assertEqual([1, 2, 3], seen)

    async def test_flush_waits_for_an_adapter_that_is_away(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter, role="trainer")
        await adapter.silence()
        await bridge.event({"phase": {"step": 1}})
        flushed = asyncio.create_task(bridge.flush())
        await asyncio.sleep(0.3)
        self.assertFalse(flushed.done())
        await adapter.restart()
        await asyncio.wait_for(flushed, 30)
        self.assertEqual(1, len(adapter.of("event")))

    async def test_a_call_under_way_is_forgotten(self) -> None:
        ended: list[str] = []

        async def generate(request: JSON) -> JSON:
            try:
                if request["call_id"] == "old":
                    await asyncio.sleep(60)
                return response()
            finally:
                ended.append(request["call_id"])

        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body={"episode_id": "e", "call_id": "old"})
        await asyncio.sleep(0.05)
        adapter.on_frame = Host()
        await adapter.restart()
        await running
        self.assertEqual(["old", "e/k1"], ended)
        self.assertEqual(["e/k1"], [f["call_id"] for f in adapter.of("generated")])

    async def test_a_restart_hook_that_fails_fails_its_episode(self) -> None:
        adapter = await self.adapter(Host())
        adapter.on_frame = lambda p, f: None
        bridge = await self.bridge(adapter)

        def hook() -> None:
            raise RuntimeError("no fresh ledger")

        bad = asyncio.create_task(bridge.run_episode(episode("a"), answer(), restart=hook))
        good = asyncio.create_task(bridge.run_episode(episode("b"), answer()))
        await self.until(lambda: len(adapter.of("run_episode")) == 2)
        adapter.on_frame = Host()
        await adapter.restart()
        with self.assertRaisesRegex(RuntimeError, "no fresh ledger"):
            await bad
        self.assertEqual(1.0, (await good).reward)

    async def test_out_of_reach_for_too_long(self) -> None:
        adapter = await self.adapter(grace_ms=150)
        bridge = await self.bridge(adapter, role="both")
        waiting = [asyncio.create_task(bridge.run_episode(episode(n), answer())) for n in "ab"]
        waiting.append(asyncio.create_task(bridge.boundary({"step": 1})))
        await self.until(lambda: adapter.of("boundary"))
        await adapter.silence()
        for task in waiting:
            with self.assertRaisesRegex(BridgeLost, r"out of reach for 0.15 s, last because: 127"):
                await task
        self.assertIsInstance(bridge.lost, BridgeLost)
        with self.assertRaises(BridgeLost):
            await bridge.run_episode(episode("c"), answer())

    async def test_closing_fails_what_is_open(self) -> None:
        adapter = await self.adapter(credits=1)
        bridge = await self.bridge(adapter)
        tasks = [asyncio.create_task(bridge.run_episode(episode(n), answer())) for n in "ab"]
        await self.until(lambda: adapter.of("run_episode"))
        await bridge.close()
        for task in tasks:
            with self.assertRaisesRegex(BridgeLost, "closed"):
                await task
        self.assertEqual(["run_episode", "cancel_episode", "bye"], [line["type"] for line in adapter.lines if "seq" in line])


class AliveTest(BridgeTest):
    async def test_both_sides_ping(self) -> None:
        adapter = await self.adapter(ping_ms=40)
        await self.bridge(adapter)
        await self.until(lambda: len(adapter.of("ping")) >= 3)
        self.assertEqual(1, adapter.connections)
        adapter.peer.writer.write(line_of(type="ping", ack=0))  # type: ignore[union-attr]
        await self.until(lambda: adapter.of("pong"))

    async def test_a_connection_on_which_nothing_is_heard_ends(self) -> None:
        adapter = await self.adapter(ping_ms=40)
        await self.bridge(adapter)
        take = adapter._take

        def deaf_at_first(peer: Peer, frame: JSON) -> None:
            if adapter.connections > 1:
                take(peer, frame)

        adapter._take = deaf_at_first  # type: ignore[method-assign]
        await self.until(lambda: adapter.connections == 2)
        pings = len(adapter.of("ping"))
        await self.until(lambda: len(adapter.of("ping")) >= pings + 3)
        self.assertEqual(2, adapter.connections, "the new one is heard")

    async def test_a_process_that_was_stopped_for_long_keeps_its_connection(self) -> None:
        """On a machine that had no time for either side, unread data does not count as silence."""
        adapter = await self.adapter(ping_ms=40)
        await self.bridge(adapter)
        for _ in range(3):
            pings = len(adapter.of("ping"))
            time.sleep(0.2)  # five pings, for both sides
            await self.until(lambda: len(adapter.of("ping")) > pings)
        self.assertEqual(1, adapter.connections)

    async def test_an_adapter_that_takes_nothing(self) -> None:
        """More than the queue holds ends the connection. A reconnect that empties the queue recovers; one that does not
        ends the link."""
        adapter = await self.adapter(grace_ms=2000)
        bridge = await self.bridge(adapter, role="trainer")
        take = adapter._take
        adapter._take = lambda peer, frame: None  # type: ignore[method-assign]
        with mock.patch.object(session_module, "MAX_LINE", 100_000):
            for _ in range(20):
                await bridge.event({"log": {"message": "x" * 9000}})
                await asyncio.sleep(0)
            await self.until(lambda: bridge.lost)
        self.assertRegex(str(bridge.lost), "wait for an adapter that does not take them")
        adapter._take = take  # type: ignore[method-assign]


class SessionTest(BridgeTest):
    def test_numbers(self) -> None:
        session = Session()
        self.assertEqual(b'{"type":"bye","seq":1,"ack":0}\n', session.frame("bye", ""))
        self.assertTrue(session.accept({"type": "x", "seq": 1}, 10))
        self.assertEqual(b'{"type":"event","seq":2,"ack":1,"body":{}}\n', session.frame("event", '"body":{}'))
        self.assertFalse(session.accept({"type": "x", "seq": 1}, 10))
        with self.assertRaises(ProtocolError):
            session.accept({"type": "x", "seq": 3}, 10)
        session.acknowledged(1)
        self.assertEqual([b'{"type":"event","seq":2,"ack":1,"body":{}}\n'], session.waiting())
        session.acknowledged(0)
        with self.assertRaises(ProtocolError):
            session.acknowledged(3)
        (lost,) = session.restart()
        self.assertEqual(("event", '"body":{}'), (lost.type, lost.members))
        self.assertEqual(b'{"type":"bye","seq":1,"ack":0}\n', session.frame("bye", ""))

    def test_it_owes_an_ack_after_frames_or_bytes(self) -> None:
        session = Session()
        for seq in range(1, 256):
            session.accept({"type": "x", "seq": seq}, 10)
        self.assertFalse(session.owes_ack)
        session.accept({"type": "x", "seq": 256}, 10)
        self.assertTrue(session.owes_ack)
        self.assertEqual(256, session.ack())
        self.assertFalse(session.owes_ack)
        session.accept({"type": "x", "seq": 257}, 1 << 20)
        self.assertTrue(session.owes_ack)


class LedgerAfterRestartTest(BridgeTest):
    async def test_rows_are_of_the_second_time(self) -> None:
        """An episode that starts again samples into a new ledger, and only that is trained."""
        template = ChatTemplate(Toy())
        ledgers = [Ledger(template)]

        async def generate(request: JSON) -> JSON:
            call = ledgers[-1].extend(request)
            if not request["messages"]:
                raise GenerateError("aborted", "nothing to answer")
            return call.sampled([120, 260], [-0.5, -0.5], versions=[(len(ledgers), 2)])

        def host(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "run_episode":
                body = {"episode_id": "e", "call_id": "k", "attempt": "1", "trainable": True, "messages": [{"role": "ROLE_USER", "content": [{"text": "hi"}]}]}
                peer.send("generate", body=body)
            elif frame["type"] == "generated" and adapter.epoch == 2:
                peer.send("result", episode_id="e", body=result_of("e", chains=[{"chain": frame["body"]["chain"], "train": True}]))

        adapter = await self.adapter(host)
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate, restart=lambda: ledgers.append(Ledger(template))))
        await self.until(lambda: adapter.of("generated"))
        await adapter.restart()
        result = await running
        (row,) = ledgers[-1].rows(result)
        self.assertEqual([(-1, 6), (2, 2)], row.version_runs)
        self.assertEqual(2, len(ledgers))
