"""Finding the adapter, the handshake, and refusals."""

from __future__ import annotations

import asyncio
import json
import os
from unittest import mock

from awhost_bridge import Bridge, BridgeError, BridgeLost, BridgeRefused, shared
from awhost_bridge import link as link_module

from .support import BridgeTest, Host, answer, episode


class ConnectTest(BridgeTest):
    async def test_hello_says_who_the_worker_is(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter, role="both", capabilities=["logprobs"])
        (hello,) = adapter.hellos
        self.assertEqual("hello", hello.pop("type"))
        self.assertGreaterEqual(len(hello.pop("session")), 16)
        self.assertEqual(os.getpid(), hello.pop("pid"))
        self.assertTrue(hello.pop("node"))
        self.assertEqual(
            {"protocol": [1], "run": "run-1", "epoch": 1, "token": "secret", "received": 0, "role": "both", "framework": "test",
             "framework_version": "1", "capabilities": ["logprobs"]},
            hello,
        )  # fmt: skip
        self.assertEqual({"reward_keys": ["exact"]}, bridge.settings)

    async def test_a_wrong_token_is_final(self) -> None:
        adapter = await self.adapter()
        adapter.token = "another"
        with self.assertRaisesRegex(BridgeRefused, r"refused this worker \(token\): the token is not the run's") as raised:
            await self.bridge(adapter)
        self.assertEqual("token", raised.exception.code)
        self.assertEqual(1, adapter.connections)

    async def test_another_run_is_final(self) -> None:
        adapter = await self.adapter()
        adapter.run = "run-2"
        with self.assertRaises(BridgeRefused):
            await self.bridge(adapter)

    async def test_a_stale_epoch_reads_the_file_again(self) -> None:
        adapter = await self.adapter()
        adapter.epoch = 2  # the file still has 1

        async def publish() -> None:
            while not adapter.hellos:
                await asyncio.sleep(0.01)
            adapter.publish()

        publishing = asyncio.create_task(publish())
        await self.bridge(adapter)
        await publishing
        self.assertEqual([1, 2], sorted({h["epoch"] for h in adapter.hellos}))

    async def test_busy_is_tried_again(self) -> None:
        adapter = await self.adapter()
        adapter.refusal = {"code": "busy", "detail": "another connection"}
        await self.bridge(adapter)
        self.assertEqual(2, adapter.connections)

    async def test_a_refusal_after_the_handshake_ends_the_bridge(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), answer()))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.writer.write(b'{"type":"refused","code":"line","detail":"frame 1 cannot be read"}\n')  # type: ignore[union-attr]
        with self.assertRaisesRegex(BridgeRefused, "frame 1 cannot be read"):
            await running
        self.assertEqual(1, adapter.connections)

    async def test_no_adapter_says_where_it_was_looked_for(self) -> None:
        adapter = await self.adapter()
        await adapter.silence()
        with self.assertRaisesRegex(BridgeLost, r"out of reach for 0.2 s, last because: 127.0.0.1:\d+: .*bridge.json says"):
            await self.bridge(adapter, start_seconds=0.2)

    async def test_no_endpoint_file_says_who_writes_it(self) -> None:
        bridge = Bridge(os.path.join(self.folder, "none.json"), framework="t", framework_version="1", start_seconds=0.1)
        with self.assertRaisesRegex(BridgeLost, "none.json.*the adapter writes it"):
            await bridge.start()

    async def test_a_broken_endpoint_file_is_named(self) -> None:
        adapter = await self.adapter()
        for text, says in (("{", "is no JSON"), ('{"format": "x"}', "is not of the format awhost.bridge/1"), ('{"format":"awhost.bridge/1"}', "KeyError")):
            with open(adapter.file, "w", encoding="utf-8") as f:
                f.write(text)
            with self.assertRaisesRegex(BridgeLost, says):
                await self.bridge(adapter, start_seconds=0.05)

    async def test_endpoints_are_tried_in_turn(self) -> None:
        adapter = await self.adapter()
        closed = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        port = closed.sockets[0].getsockname()[1]
        closed.close()
        adapter.publish(endpoints=[f"127.0.0.1:{port}", f"127.0.0.1:{adapter.port}"])
        await self.bridge(adapter)

    async def test_a_hello_that_is_too_long_is_not_sent(self) -> None:
        adapter = await self.adapter()
        with self.assertRaisesRegex(BridgeLost, "name fewer capabilities"):
            await self.bridge(adapter, capabilities=["x" * 5000])
        self.assertEqual(0, adapter.connections)

    async def test_an_adapter_that_says_nothing_is_given_up(self) -> None:
        async def read_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while await reader.readline():
                pass
            writer.close()

        silent = await asyncio.start_server(read_all, "127.0.0.1", 0)
        self.addCleanup(silent.close)
        adapter = await self.adapter()
        adapter.publish(endpoints=[f"127.0.0.1:{silent.sockets[0].getsockname()[1]}"])
        with mock.patch.object(link_module, "_HANDSHAKE_SECONDS", 0.05), self.assertRaisesRegex(BridgeLost, "no answer to hello for 0.05 s"):
            await self.bridge(adapter, start_seconds=0.1)

    async def test_another_protocol_is_not_spoken(self) -> None:
        adapter = await self.adapter(protocol=2)
        with self.assertRaisesRegex(BridgeLost, "it speaks protocol 2, this worker 1"):
            await self.bridge(adapter, start_seconds=0.1)

    async def test_what_is_not_started_says_so(self) -> None:
        with self.assertRaisesRegex(BridgeError, "start the bridge first"):
            await Bridge("x", framework="t", framework_version="1").run_episode(episode(), answer())
        with self.assertRaisesRegex(ValueError, "no role"):
            Bridge("x", role="boss", framework="t", framework_version="1")

    async def test_bye_is_the_last_word(self) -> None:
        adapter = await self.adapter(Host())
        bridge = await self.bridge(adapter)
        await bridge.run_episode(episode(), answer())
        await bridge.close()
        await self.until(lambda: adapter.of("bye"))
        self.assertEqual("bye", [line["type"] for line in adapter.lines if "seq" in line][-1])
        with self.assertRaisesRegex(BridgeLost, "closed"):
            await bridge.run_episode(episode("f"), answer())
        self.assertEqual(1, adapter.connections)


class SharedTest(BridgeTest):
    async def test_one_bridge_per_loop(self) -> None:
        adapter = await self.adapter()
        hello = {"framework": "t", "framework_version": "1", "capabilities": ["a"]}
        bridges = await asyncio.gather(*(shared(adapter.file, **hello) for _ in range(20)))
        self.assertEqual(1, len({id(b) for b in bridges}))
        self.assertEqual(1, adapter.connections)

        def elsewhere() -> int:
            async def use() -> int:
                bridge = await shared(adapter.file, **hello)
                await bridge.close()
                return id(bridge)

            return asyncio.run(use())

        others = await asyncio.gather(*(asyncio.to_thread(elsewhere) for _ in range(4)))
        self.assertNotIn(id(bridges[0]), others)
        self.assertEqual(5, len({h["session"] for h in adapter.hellos}))
        await bridges[0].close()
        self.assertIsNot(bridges[0], replaced := await shared(adapter.file, **hello))
        await replaced.close()

    async def test_a_bridge_of_another_loop_is_not_used(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        with self.assertRaisesRegex(BridgeError, "another event loop"):
            await asyncio.to_thread(lambda: asyncio.run(bridge.run_episode(episode(), answer())))

    async def test_a_caller_that_gives_up_leaves_it_to_the_others(self) -> None:
        adapter = await self.adapter()
        first = asyncio.create_task(shared(adapter.file, framework="t", framework_version="2"))
        second = asyncio.create_task(shared(adapter.file, framework="t", framework_version="2"))
        await asyncio.sleep(0)
        first.cancel()
        bridge = await second
        self.assertIsNone(bridge.lost)
        await bridge.close()


class FileTest(BridgeTest):
    async def test_the_secret_is_in_a_file_of_its_own(self) -> None:
        adapter = await self.adapter()
        with open(adapter.file, encoding="utf-8") as f:
            self.assertNotIn("secret", json.dumps(json.load(f)))
        await self.bridge(adapter)
        self.assertEqual("secret", adapter.hellos[0]["token"])

    async def test_a_secret_that_cannot_be_read_says_who_may(self) -> None:
        adapter = await self.adapter()
        with open(adapter.file, encoding="utf-8") as f:
            secret = os.path.join(os.path.dirname(adapter.file), json.load(f)["token_file"])
        os.remove(secret)
        os.mkdir(secret)  # cannot be read as a file, not even by root
        with self.assertRaisesRegex(BridgeLost, f"{secret}.*as the user that awhost runs as"):
            await Bridge(adapter.file, framework="t", framework_version="1", start_seconds=0.1).start()
