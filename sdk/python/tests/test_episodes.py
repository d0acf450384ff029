"""Episodes and their calls, on a stable connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest import mock

from awhost_bridge import EpisodeError, GenerateError, wire

from .adapter import result_of
from .support import BridgeTest, Host, Peer, answer, episode, response

JSON = dict[str, Any]


class EpisodeTest(BridgeTest):
    async def test_a_result_has_plain_numbers(self) -> None:
        def host(peer: Peer, frame: JSON) -> None:
            peer.send("result", episode_id="e", body={
                "episode_id": "e", "attempt": "2", "outcome": "EPISODE_OUTCOME_TRUNCATED", "reward": "0.5", "components": {"exact": 1},
                "turnRewards": [{"callId": "k1", "reward": 0.25}], "is_success": False, "masked": True, "drop_group": True,
                "chains": [{"chain": "c1", "agent": "a", "train": True, "reward": 2}, {"chain": "c2"}],
                "failure": {"class": "FAILURE_CLASS_REWARD", "detail": "no number", "retryable": True},
                "numTurns": "3", "task_id": "t", "timings": {"queue": "1.500s"}, "drift_count": "4", "metrics": {"m": 1.5}, "unknown": 1,
            })  # fmt: skip

        bridge = await self.bridge(await self.adapter(host))
        result = await bridge.run_episode(episode(), answer())
        self.assertEqual((2, "truncated", 0.5, {"exact": 1.0}, False, True, True), (
            result.attempt, result.outcome, result.reward, result.components, result.is_success, result.masked, result.drop_group))  # fmt: skip
        self.assertEqual([("c1", "a", True, 2.0), ("c2", "", False, None)], [(c.chain, c.agent, c.train, c.reward) for c in result.chains])
        assert result.failure is not None
        self.assertEqual(("reward", "no number", True), (result.failure.kind, result.failure.detail, result.failure.retryable))
        self.assertEqual((3, "t", {"queue": 1.5}, 4, {"m": 1.5}, {"k1": 0.25}), (
            result.num_turns, result.task_id, result.timings, result.drift_count, result.metrics, result.turn_rewards))  # fmt: skip
        self.assertEqual(1, result.raw["unknown"])

    async def test_no_reward_is_none(self) -> None:
        body = {"outcome": "EPISODE_OUTCOME_FAILED"}
        bridge = await self.bridge(await self.adapter(lambda p, f: p.send("result", episode_id="e", body=body)))
        result = await bridge.run_episode(episode(), answer())
        self.assertEqual(("failed", None, None, []), (result.outcome, result.reward, result.is_success, result.chains))

    async def test_errors_of_the_host(self) -> None:
        for sent, code in (
            ({"error": {"code": "failed", "detail": "no such dataset"}}, "failed"),
            ({"body": {"outcome": "X", "reward": "NaN"}}, "bad_result"),
        ):
            with self.subTest(code):
                bridge = await self.bridge(await self.adapter(lambda p, f: f["type"] == "run_episode" and p.send("result", episode_id="e", **sent)))
                with self.assertRaises(EpisodeError) as raised:
                    await bridge.run_episode(episode(), answer())
                self.assertEqual(code, raised.exception.code)

    async def test_an_adapter_that_is_unavailable_is_asked_again(self) -> None:
        asked: list[str] = []

        def host(peer: Peer, frame: JSON) -> None:
            asked.append(frame["type"])
            error = {"code": "unavailable", "detail": "write journal: no space left on device"}
            if frame["type"] == "run_episode":
                end = {"body": {"episode_id": "e", "outcome": "EPISODE_OUTCOME_SCORED", "reward": 1}} if asked.count("run_episode") == 3 else {"error": error}
                peer.send("result", episode_id=frame["body"]["episode_id"], **end)
            elif frame["type"] == "boundary":
                end = {"body": {"directive": "DIRECTIVE_CONTINUE"}} if asked.count("boundary") == 3 else {"error": error}
                peer.send("boundary_result", id=frame["id"], **end)

        with mock.patch("awhost_bridge.bridge._RETRY_SECONDS", 0.001):
            bridge = await self.bridge(await self.adapter(host))
            self.assertEqual(1, (await bridge.run_episode(episode(), answer())).reward)
            self.assertEqual({"directive": "DIRECTIVE_CONTINUE"}, await bridge.boundary({"step": 1}))
        self.assertEqual(["run_episode"] * 3 + ["boundary"] * 3, asked)

    async def test_an_episode_that_waits_to_be_asked_again_can_be_cancelled(self) -> None:
        answered: list[JSON] = []

        def host(peer: Peer, frame: JSON) -> None:
            answered.append(frame)
            peer.send("result", episode_id="e", error={"code": "unavailable", "detail": "gone"})

        with mock.patch("awhost_bridge.bridge._RETRY_SECONDS", 3600):
            bridge = await self.bridge(await self.adapter(host, credits=1))
            for asked in (1, 2):  # the second needs the credit, and the name, of the first
                waiting = asyncio.ensure_future(bridge.run_episode(episode(), answer()))
                await self.until(lambda n=asked: len(answered) == n and any(e.retry_timer for e in bridge._episodes.values()))
                waiting.cancel()
                await asyncio.wait([waiting])
        self.assertEqual(["run_episode"] * 2, [f["type"] for f in answered])

    async def test_a_request_is_complete_for_generate(self) -> None:
        seen: list[JSON] = []

        async def generate(request: JSON) -> JSON:
            seen.append(request)
            return response()

        message = {"role": "ROLE_TOOL", "toolCallId": "c"}
        host = Host(seed="18446744073709551615", messages=[message], sampling={"maxTokens": "5", "temperature": 1})
        bridge = await self.bridge(await self.adapter(host))
        await bridge.run_episode(episode(), generate)
        (request,) = seen
        self.assertEqual((1, 0, 2**64 - 1, "", True), tuple(request[n] for n in ("attempt", "base", "seed", "chain", "trainable")))

    async def test_camel_case_is_read(self) -> None:
        seen: list[JSON] = []

        async def generate(request: JSON) -> JSON:
            seen.append(request)
            return response()

        def host(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "run_episode":
                peer.send("generate", body={"episodeId": "e", "callId": "k", "sampling": {"maxTokens": "5"}, "messages": [{"toolCallId": "c"}]})
            else:
                peer.send("result", episode_id="e", body=result_of("e"))

        bridge = await self.bridge(await self.adapter(host))
        await bridge.run_episode(episode(), generate)
        self.assertEqual((5, "c"), (seen[0]["sampling"]["max_tokens"], seen[0]["messages"][0]["tool_call_id"]))

    async def test_what_generate_raises_reaches_the_host(self) -> None:
        async def fails(request: JSON) -> JSON:
            raise errors[request["episode_id"]]

        errors: dict[str, Exception] = {
            "full": GenerateError("context_full", "9 of 8"), "paused": GenerateError("paused"), "engine": RuntimeError("CUDA is gone")
        }  # fmt: skip
        host = Host()
        bridge = await self.bridge(await self.adapter(host))
        await asyncio.gather(*(bridge.run_episode(episode(e), fails) for e in errors))
        self.assertEqual(
            {"full": ("KIND_CONTEXT_FULL", "9 of 8"), "paused": ("KIND_PAUSED", ""), "engine": ("KIND_ENGINE", "RuntimeError: CUDA is gone")},
            {a["episode_id"]: (a["error"]["kind"], a["error"]["detail"]) for a in host.answers},
        )

    async def test_an_answer_that_is_no_json_is_an_engine_error(self) -> None:
        for bad in ({"x": float("nan")}, {"x": object()}):
            host = Host()
            bridge = await self.bridge(await self.adapter(host))

            async def generate(request: JSON) -> JSON:
                return bad

            await bridge.run_episode(episode(), generate)
            self.assertEqual("KIND_ENGINE", host.answers[0]["error"]["kind"])

    async def test_a_call_is_sampled_once(self) -> None:
        """Repeats join a call in progress, and get the stored response later."""
        calls = 0
        go = asyncio.Event()

        async def generate(request: JSON) -> JSON:
            nonlocal calls
            calls += 1
            await go.wait()
            return response(f"number {calls}")

        body = {"episode_id": "e", "call_id": "k"}
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body=dict(body))
        adapter.peer.send("generate", body=dict(body))
        await self.until(lambda: calls)
        go.set()
        await self.until(lambda: adapter.of("generated"))
        adapter.peer.send("generate", body=dict(body))
        await self.until(lambda: len(adapter.of("generated")) == 2)
        first, second = adapter.of("generated")
        self.assertEqual(first["body"], second["body"])
        adapter.peer.send("result", episode_id="e", body=result_of("e"))
        await running
        self.assertEqual(1, calls)

    async def test_an_unknown_episode_is_aborted(self) -> None:
        adapter = await self.adapter()
        await self.bridge(adapter)
        adapter.peer.send("generate", body={"episode_id": "ghost", "call_id": "k"})
        await self.until(lambda: adapter.of("generated"))
        (frame,) = adapter.of("generated")
        self.assertEqual(("ghost", "k", "KIND_ABORTED"), (frame["episode_id"], frame["call_id"], frame["error"]["kind"]))

    async def test_abandon_ends_the_call_and_a_repeat_is_new(self) -> None:
        begun, ended = [], []

        async def generate(request: JSON) -> JSON:
            begun.append(1)
            try:
                if len(begun) == 1:
                    await asyncio.sleep(60)
                return response("second")
            finally:
                ended.append(1)

        body = {"episode_id": "e", "call_id": "k"}
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body=dict(body))
        await self.until(lambda: begun)
        adapter.peer.send("abandon", episode_id="e", call_id="k")
        await self.until(lambda: ended)
        self.assertEqual([], adapter.of("generated"))
        adapter.peer.send("generate", body=dict(body))
        await self.until(lambda: adapter.of("generated"))
        self.assertEqual("second", adapter.of("generated")[0]["body"]["message"]["content"][0]["text"])
        adapter.peer.send("result", episode_id="e", body=result_of("e"))
        await running

    async def test_after_the_result_nothing_is_sampled(self) -> None:
        state: list[str] = []

        async def generate(request: JSON) -> JSON:
            state.append("begun")
            try:
                await asyncio.sleep(60)
            finally:
                state.append("ended")
            return response()

        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body={"episode_id": "e", "call_id": "k"})
        await self.until(lambda: state)
        adapter.peer.send("result", episode_id="e", body=result_of("e"))
        await running
        await self.until(lambda: state == ["begun", "ended"])
        await bridge.close()
        self.assertEqual([], adapter.of("generated"))

    async def test_one_episode_of_an_id(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        first = asyncio.create_task(bridge.run_episode(episode(), answer()))
        await self.until(lambda: adapter.of("run_episode"))
        with self.assertRaisesRegex(ValueError, "open already"):
            await bridge.run_episode(episode(), answer())
        adapter.peer.send("result", episode_id="e", body=result_of("e"))
        self.assertEqual(1.0, (await first).reward)


class CreditTest(BridgeTest):
    async def test_credits_bound_the_open_episodes(self) -> None:
        host = Host(turns=2)
        adapter = await self.adapter(host, credits=3)
        bridge = await self.bridge(adapter)
        results = await asyncio.gather(*(bridge.run_episode(episode(f"e{i}"), answer()) for i in range(20)))
        self.assertEqual([f"e{i}" for i in range(20)], [r.episode_id for r in results])
        self.assertEqual([f"e{i}" for i in range(20)], [f["body"]["episode_id"] for f in adapter.of("run_episode")])
        self.assertEqual(3, host.most_open)

    async def test_who_waits_may_give_up(self) -> None:
        adapter = await self.adapter(credits=1)
        bridge = await self.bridge(adapter)
        first, second, third = (asyncio.create_task(bridge.run_episode(episode(n), answer())) for n in "abc")
        await self.until(lambda: adapter.of("run_episode"))
        second.cancel()
        adapter.peer.send("result", episode_id="a", body=result_of("a"))
        await first
        await self.until(lambda: len(adapter.of("run_episode")) == 2)
        self.assertEqual(["a", "c"], [f["body"]["episode_id"] for f in adapter.of("run_episode")])
        adapter.peer.send("result", episode_id="c", body=result_of("c"))
        await third
        self.assertEqual([], adapter.of("cancel_episode"))

    async def test_a_cancelled_episode_has_its_credit_until_its_result(self) -> None:
        adapter = await self.adapter(credits=1)
        bridge = await self.bridge(adapter)
        first = asyncio.create_task(bridge.run_episode(episode("a"), answer()))
        await self.until(lambda: adapter.of("run_episode"))
        second = asyncio.create_task(bridge.run_episode(episode("b"), answer()))
        first.cancel()
        await self.until(lambda: adapter.of("cancel_episode"))
        self.assertEqual("a", adapter.of("cancel_episode")[0]["body"]["episode_id"])
        adapter.peer.send("generate", body={"episode_id": "a", "call_id": "k"})
        await self.until(lambda: adapter.of("generated"))
        self.assertEqual(1, len(adapter.of("run_episode")))
        adapter.peer.send("result", episode_id="a", error={"code": "cancelled", "detail": ""})
        await self.until(lambda: len(adapter.of("run_episode")) == 2)
        adapter.peer.send("result", episode_id="b", body=result_of("b"))
        await second
        with self.assertRaises(asyncio.CancelledError):
            await first

    async def test_the_same_id_waits_until_the_cancelled_one_has_left(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        first = asyncio.create_task(bridge.run_episode(episode("a"), answer()))
        await self.until(lambda: adapter.of("run_episode"))
        first.cancel()
        await self.until(lambda: adapter.of("cancel_episode"))
        again = asyncio.create_task(bridge.run_episode(episode("a"), answer()))
        adapter.peer.send("result", episode_id="a", error={"code": "cancelled", "detail": ""})
        await self.until(lambda: len(adapter.of("run_episode")) == 2)
        adapter.peer.send("result", episode_id="a", body=result_of("a"))
        self.assertEqual(1.0, (await again).reward)

    async def test_4096_rollouts_on_one_connection(self) -> None:
        host = Host(turns=3)
        adapter = await self.adapter(host, credits=4096)
        bridge = await self.bridge(adapter)
        results = await asyncio.gather(*(bridge.run_episode(episode(f"e{i}"), answer()) for i in range(4096)))
        self.assertEqual(4096, len(results))
        self.assertEqual(4096 * 3, len(host.answers))
        self.assertEqual(4096 * 3, len({a["call_id"] for a in host.answers}))
        self.assertEqual(1, adapter.connections)
        await self.until(lambda: len(adapter.peer.outbox) < 256)  # the rest is acknowledged with the next frame or ping


class TrainerTest(BridgeTest):
    async def test_events_come_before_the_boundary(self) -> None:
        def trainer(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "boundary":
                peer.send("boundary_result", id=frame["id"], body={"directive": "DIRECTIVE_STOP", "reason": str(frame["body"]["step"])})

        adapter = await self.adapter(trainer)
        bridge = await self.bridge(adapter, role="trainer")
        await bridge.event({"metrics": {"step": 1, "values": {"train/loss": 0.5}}})
        answers = await asyncio.gather(bridge.boundary({"step": 1}), bridge.boundary({"step": 2}))
        self.assertEqual(["1", "2"], [a["reason"] for a in answers])
        self.assertEqual(["event", "boundary", "boundary"], [line["type"] for line in adapter.lines if "seq" in line])
        self.assertNotIn("seq", adapter.of("event")[0]["body"])

    async def test_a_boundary_may_fail(self) -> None:
        bridge = await self.bridge(await self.adapter(lambda p, f: f["type"] == "boundary" and p.send("boundary_result", id=f["id"], error={"code": "failed", "detail": "gone"})))
        with self.assertRaisesRegex(EpisodeError, "gone"):
            await bridge.boundary({"step": 1})

    async def test_an_event_that_is_no_json_is_an_error_here(self) -> None:
        bridge = await self.bridge(await self.adapter())
        with self.assertRaises(ValueError):
            await bridge.event({"metrics": {"values": {"loss": float("inf")}}})

    async def test_control_reaches_the_callbacks(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        seen: list[str] = []

        async def later(request: JSON) -> None:
            seen.append("later " + request["action"])

        def broken(request: JSON) -> None:
            raise RuntimeError("a bug of the binding")

        for callback in (broken, lambda request: seen.append(request["action"]), later):
            bridge.on_control(callback)
        for action in ("ACTION_PAUSE", "ACTION_DRAIN"):
            adapter.peer.send("control", body={"action": action})
        await self.until(lambda: len(seen) == 4)
        self.assertEqual(["ACTION_DRAIN", "ACTION_PAUSE", "later ACTION_DRAIN", "later ACTION_PAUSE"], sorted(seen))
        self.assertTrue(bridge.paused)
        self.assertTrue(bridge.draining)
        adapter.peer.send("control", body={"action": "ACTION_RESUME"})
        await self.until(lambda: not bridge.paused)


class SizeTest(BridgeTest):
    async def test_large_bodies(self) -> None:
        text = "é" * (3 << 20)
        host = Host(messages=[{"role": "ROLE_USER", "content": [{"text": text}]}])
        bridge = await self.bridge(await self.adapter(host))

        async def echo(request: JSON) -> JSON:
            return {"message": request["messages"][0]}

        await bridge.run_episode(episode(), echo)
        self.assertEqual(text, host.answers[0]["body"]["message"]["content"][0]["text"])

    async def test_lone_surrogates_are_sent(self) -> None:
        host = Host()
        bridge = await self.bridge(await self.adapter(host))
        await bridge.run_episode(episode(), answer("\ud800"))
        self.assertEqual(json.loads('"\\ud800"'), host.answers[0]["body"]["message"]["content"][0]["text"])

    async def test_what_no_line_takes(self) -> None:
        host = Host()
        adapter = await self.adapter(host)
        bridge = await self.bridge(adapter)
        with mock.patch.object(wire, "MAX_MEMBERS", 5000):
            with self.assertRaisesRegex(ValueError, "a frame 'event' has 60.. bytes, and may have 5000"):
                await bridge.event({"log": {"message": "x" * 6000}})
            await bridge.run_episode(episode(), answer("x" * 4500))
        self.assertRegex(host.answers[0]["error"]["detail"], "the answer has 45.. bytes, more than a line takes")
        self.assertEqual(1, adapter.connections)
