"""Adapters without a host: the service, and a separate trainer over the bridge."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import unittest.mock
from typing import Any, Callable

import awhost

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost.adapter import Adapter, Launch, Settings
    from awhost.bridge import BridgeAdapter, Command
    from awhost.plugin import Plugin
    from awhost.services import services
    from awhost.status import Code, Status
    from awhost.v1 import adapter_pb2, host_pb2, plugin_pb2
    from awhost.v1.adapter_pb2 import ControlRequest, FinishedEvent, Knobs, TrainEvent, TrainRequest
else:
    Adapter = BridgeAdapter = awhost.Component  # type: ignore

TRAINER = pathlib.Path(__file__).with_name("sdk_trainer.py")


class Host:
    """Runs episodes of one message, by the adapter's Generate, and answers boundaries from a script."""

    def __init__(self) -> None:
        self.directives: dict[int, str] = {}
        self.boundaries: list[tuple[str, int, int]] = []
        self.cancelled: list[str] = []
        self.runs: list[host_pb2.RunEpisodeRequest] = []
        self.generate: Callable[[adapter_pb2.GenerateRequest], Any] | None = None

    async def run_episode(self, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        self.runs.append(request)
        assert self.generate is not None
        call = adapter_pb2.GenerateRequest(episode_id=request.episode_id, call_id=f"{request.episode_id}/1", trainable=True)
        first, again = await self.generate(call), await self.generate(call)
        assert first == again
        return host_pb2.EpisodeResult(episode_id=request.episode_id, attempt=1, outcome=host_pb2.EPISODE_OUTCOME_SCORED, reward=len(first.message.content[0].text))

    async def cancel_episode(self, episode_id: str, reason: str) -> None:
        self.cancelled.append(episode_id)

    async def step_boundary(self, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        self.boundaries.append((request.stage, request.step, request.after_seq))
        return host_pb2.StepBoundaryResponse(directive=f"DIRECTIVE_{self.directives.get(request.step, 'CONTINUE')}")  # type: ignore[arg-type]

    async def close(self) -> None:
        pass


class Case(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        logging.getLogger("awhost").setLevel(logging.CRITICAL)

    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)
        self.host = Host()

    async def serve(self, adapter: type[Any], **settings: Any) -> Any:
        """Returns its AdapterService, in the loop of the test."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, True)
        base, made = services(Plugin("test", "1.0.0", adapter), lambda _: self.host)  # type: ignore[arg-type, return-value]
        request = plugin_pb2.ConfigureRequest(kind="COMPONENT_KIND_ADAPTER", type=adapter.about.type, directory=folder)  # type: ignore[arg-type]
        request.config.json, request.host.network = json.dumps(settings).encode(), "test"
        self.assertEqual(list((await base.Configure(request)).diagnostics), [])
        self.host.generate = made["AdapterService"].Generate
        self.component = base.component
        return made["AdapterService"]

    async def events(self, stream: Any) -> list[TrainEvent]:
        return [answer.event async for answer in stream]

    async def until(self, condition: Callable[[], Any]) -> None:
        for _ in range(5000):
            if condition():
                return
            await asyncio.sleep(0.002)
        self.fail("it never happened")


class Scripted(Adapter, **({} if MISSING else {"type": "scripted", "token_custody": "trainer"})):  # type: ignore[misc]
    """Does what the test says.

    what: to do
    """

    what: str = "complete"

    def plan(self, request: Any) -> Any:
        return adapter_pb2.PlanResponse(notes=[request.run_dir])

    async def train(self, request: Any, launch: Launch) -> Any:
        await launch.log("begins", level="debug", n=1)
        await launch.metrics(4, {"loss": 1.5})
        answer = await launch.boundary(4)
        if self.what == "nan":
            await launch.metrics(5, {"loss": float("nan")})
        if self.what == "raise":
            raise awhost.Error("no memory")
        if self.what == "unavailable":
            raise awhost.Unavailable("it died")
        if self.what == "wait":
            self.waiting = True
            try:
                await asyncio.Event().wait()
            finally:
                self.waiting = False
        if self.what == "halted":
            return FinishedEvent(outcome=FinishedEvent.OUTCOME_HALTED, reason="a breaker", step=4)
        assert answer.directive
        return None

    async def generate(self, request: Any) -> Any:
        self.samples = getattr(self, "samples", 0) + 1
        if request.call_id == "fails":
            raise awhost.GenerateError("engine", "down")
        await asyncio.sleep(0.01)
        return adapter_pb2.GenerateResponse(chain=f"c{self.samples}")

    async def control(self, request: Any) -> None:
        pass


@grpc_installed
class AdapterServiceTest(Case):
    async def test_events_are_numbered_and_end_with_finished(self) -> None:
        service = await self.serve(Scripted)
        events = await self.events(service.Train(TrainRequest(launch_id="l", stage="s")))
        self.assertEqual([(e.seq, e.WhichOneof("event")) for e in events], [(1, "log"), (2, "metrics"), (3, "finished")])
        self.assertEqual((events[2].finished.outcome, events[2].finished.step), (FinishedEvent.OUTCOME_COMPLETED, 4))
        self.assertEqual(self.host.boundaries, [("s", 4, 2)], "the boundary says which events came before")
        with self.assertRaises(Status) as caught:
            await self.events(service.Train(TrainRequest(launch_id="l")))
        self.assertEqual(caught.exception.code, Code.ALREADY_EXISTS)

    async def test_how_a_stage_ends(self) -> None:
        for what, outcome, reason in (("nan", "FAILED", "not finite"), ("raise", "FAILED", "no memory"), ("halted", "HALTED", "a breaker")):
            with self.subTest(what):
                service = await self.serve(Scripted, what=what)
                (*_, last) = await self.events(service.Train(TrainRequest(launch_id="l")))
                self.assertEqual(FinishedEvent.Outcome.Name(last.finished.outcome), f"OUTCOME_{outcome}")
                self.assertIn(reason, last.finished.reason)
        service = await self.serve(Scripted, what="unavailable")
        with self.assertRaises(awhost.Unavailable):
            await self.events(service.Train(TrainRequest(launch_id="l")))

    async def test_a_cut_stream_cancels_the_training(self) -> None:
        service = await self.serve(Scripted, what="wait")
        running = asyncio.ensure_future(self.events(service.Train(TrainRequest(launch_id="l"))))
        await self.until(lambda: getattr(self.component, "waiting", False))
        running.cancel()
        await asyncio.wait([running])
        self.assertFalse(self.component.waiting)

    async def test_a_call_is_sampled_once(self) -> None:
        service = await self.serve(Scripted)
        request = adapter_pb2.GenerateRequest(episode_id="e", call_id="c")
        first, second = await asyncio.gather(service.Generate(request), service.Generate(request))
        self.assertEqual((first.chain, second.chain, (await service.Generate(request)).chain), ("c1", "c1", "c1"))
        for _ in range(2):
            with self.assertRaises(awhost.GenerateError):
                await service.Generate(adapter_pb2.GenerateRequest(episode_id="e", call_id="fails"))
        self.assertEqual(self.component.samples, 3, "what has failed may be tried again")
        one, two = (asyncio.ensure_future(service.Generate(adapter_pb2.GenerateRequest(episode_id="e", call_id="d"))) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        self.assertEqual((await two).chain, "c4", "somebody still waits")

    async def test_what_it_does_not_declare_is_unimplemented(self) -> None:
        service = await self.serve(Scripted)
        for call in (service.Evaluate(adapter_pb2.EvaluateRequest()), service.Load(adapter_pb2.LoadRequest()), service.Export(adapter_pb2.ExportRequest()),
                     service.DeleteCheckpoint(adapter_pb2.DeleteCheckpointRequest()),
                     self.events(service.Recover(adapter_pb2.RecoverRequest()))):
            with self.assertRaises(Status) as caught:
                await call
            self.assertEqual(caught.exception.code, Code.UNIMPLEMENTED)
        self.assertEqual((await service.Plan(adapter_pb2.PlanRequest(run_dir="/x"))).notes, ["/x"])

    async def test_a_method_declares_remote_checkpoints(self) -> None:
        class Remote(Scripted, type="remote", token_custody="trainer"):
            deleted: list[str] = []

            def delete_checkpoint(self, path: str) -> None:
                if path == "/fails":
                    raise awhost.Error("the server is down")
                self.deleted.append(path)

        self.assertTrue(Remote.about.capabilities["remote_checkpoints"])
        self.assertNotIn("remote_checkpoints", Scripted.about.capabilities)
        service = await self.serve(Remote)
        await service.DeleteCheckpoint(adapter_pb2.DeleteCheckpointRequest(checkpoint="/run/step-7"))
        self.assertEqual(self.component.deleted, ["/run/step-7"])
        with self.assertRaisesRegex(awhost.Error, "the server is down"):
            await service.DeleteCheckpoint(adapter_pb2.DeleteCheckpointRequest(checkpoint="/fails"))

    def test_knobs_are_mapped_or_refused(self) -> None:
        settings = Settings(Knobs(json=json.dumps({"seed": 1, "batch": {"prompts": 8, "group_size": 4}, "optimizer": {"learning_rate": 1e-5}, "set": ["batch.prompts", "optimizer.beta1"]}).encode()))
        values, told = settings.mapped({"batch.prompts": "prompts", "optimizer.learning_rate": "lr", "steps": "max_steps"}, {"optimizer.beta1": "it is fixed"})
        self.assertEqual(values, {"prompts": 8, "lr": 1e-5})
        self.assertEqual([(k.knob, k.key, k.refused) for k in told], [("batch.prompts", "prompts", ""), ("optimizer.learning_rate", "lr", ""), ("optimizer.beta1", "", "it is fixed")])
        self.assertEqual((settings["batch.group_size"], settings.get("steps"), settings.get("batch.prompts.x", 3)), (4, None, 3))


class Child(BridgeAdapter, **({} if MISSING else {"type": "child", "token_custody": "shim", "step_barrier": True})):  # type: ignore[misc]
    """Its trainer is tests/sdk_trainer.py.

    mode: what that does
    """

    mode: str = "steps"
    stop_seconds = 0.5

    def trainer(self, request: Any, folder: pathlib.Path) -> Any:
        return Command([sys.executable, str(TRAINER), self.mode], {"SAID": request.launch_id})


@grpc_installed
class BridgeAdapterTest(Case):
    async def train(self, mode: str) -> tuple[list[TrainEvent], FinishedEvent]:
        service = await self.serve(Child, mode=mode)
        events = await self.events(service.Train(TrainRequest(launch_id="run-1/stage:1", stage="main", first_step=1)))
        return events, events[-1].finished

    async def test_a_trainer_asks_for_episodes_and_reports(self) -> None:
        events, finished = await self.train("steps")
        self.assertEqual([e.WhichOneof("event") for e in events], ["log", "metrics", "consumed", "metrics", "consumed", "finished"])
        self.assertEqual((finished.outcome, finished.step), (FinishedEvent.OUTCOME_COMPLETED, 2))
        self.assertEqual(self.host.boundaries, [("main", 0, 1), ("main", 1, 3), ("main", 2, 5)])
        self.assertEqual([(r.episode_id, r.stage) for r in self.host.runs], [("s1", "main"), ("s2", "main")])
        self.assertEqual(events[1].metrics.values["reward"], len("said by run-1/stage:1"))

    async def test_the_host_ends_the_stage(self) -> None:
        for directive, outcome in (("FINISH_STAGE", "COMPLETED"), ("STOP", "STOPPED"), ("ABORT", "FAILED")):
            with self.subTest(directive):
                self.host = Host()
                self.host.directives[1] = directive
                _, finished = await self.train("steps")
                self.assertEqual((FinishedEvent.Outcome.Name(finished.outcome), finished.step), (f"OUTCOME_{outcome}", 1))

    async def test_a_trainer_that_fails_is_told_with_its_last_lines(self) -> None:
        _, finished = await self.train("crash")
        self.assertEqual(finished.outcome, FinishedEvent.OUTCOME_FAILED)
        self.assertIn("status 1", finished.reason)
        self.assertIn("ZeroDivisionError", finished.reason)
        self.assertEqual(finished.step, 1, "what it said last was heard")

    async def test_a_trainer_that_was_killed_is_worth_another_start(self) -> None:
        with self.assertRaisesRegex(awhost.Unavailable, "SIGKILL"):
            await self.train("killed")

    async def test_a_trainer_says_how_it_ended(self) -> None:
        _, finished = await self.train("halt")
        self.assertEqual((finished.outcome, finished.reason), (FinishedEvent.OUTCOME_HALTED, "loss is NaN"))

    async def test_a_program_that_is_not_there(self) -> None:
        class Missing(Child, type="missing"):
            """Missing."""

            def trainer(self, request: Any, folder: pathlib.Path) -> Any:
                return Command(["/nowhere/python"])

        service = await self.serve(Missing)
        (last,) = await self.events(service.Train(TrainRequest(launch_id="l")))
        self.assertIn("start the trainer /nowhere/python", last.finished.reason)

    async def started(self, mode: str) -> tuple[Any, asyncio.Future[list[TrainEvent]], int]:
        service = await self.serve(Child, mode=mode)
        running = asyncio.ensure_future(self.events(service.Train(TrainRequest(launch_id="l", stage="main", first_step=1))))
        pid = self.component.setup.directory / "l" / "pid"
        await self.until(lambda: pid.exists() and pid.read_text().endswith("\n"))
        return service, running, int(pid.read_text())

    def assertGone(self, pid: int) -> None:
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    async def test_abort_ends_a_trainer_that_does_not_listen(self) -> None:
        service, running, pid = await self.started("deaf")
        with self.assertRaisesRegex(awhost.NoTrainer, "launch other is not being trained"):
            await service.Control(ControlRequest(launch_id="other", action=ControlRequest.ACTION_ABORT))
        os.kill(pid, 0)
        await service.Control(ControlRequest(launch_id="l", action=ControlRequest.ACTION_ABORT, reason="by the user"))
        (*_, last) = await running
        self.assertEqual((last.finished.outcome, last.finished.reason), (FinishedEvent.OUTCOME_FAILED, "by the user"))
        self.assertGone(pid)

    async def test_a_cut_stream_ends_the_trainer(self) -> None:
        _, running, pid = await self.started("deaf")
        running.cancel()
        await asyncio.wait([running])
        self.assertGone(pid)

    async def test_the_next_training_waits_for_the_end_of_the_one_before(self) -> None:
        service, before, pid = await self.started("deaf")
        before.cancel()
        self.component.mode = "steps"
        after = service.Train(TrainRequest(launch_id="next", stage="main", first_step=1))
        first = (await anext(after)).event
        self.assertIn("the trainer has started", first.log.message)
        self.assertGone(pid)
        await asyncio.wait([before])
        (*_, last) = await self.events(after)
        self.assertEqual((last.finished.outcome, last.finished.step), (FinishedEvent.OUTCOME_COMPLETED, 2), last.finished.reason)
        self.assertEqual([r.episode_id for r in self.host.runs], ["s1", "s2"])

    async def test_a_training_that_waits_can_be_aborted(self) -> None:
        service, before, pid = await self.started("deaf")
        before.cancel()
        after = asyncio.ensure_future(self.events(service.Train(TrainRequest(launch_id="next", stage="main", first_step=1))))
        await self.until(lambda: len(self.component._trainings) == 2)
        await service.Control(ControlRequest(launch_id="next", action=ControlRequest.ACTION_ABORT, reason="by the user"))
        (*_, last) = await after
        self.assertEqual((last.finished.outcome, last.finished.reason), (FinishedEvent.OUTCOME_FAILED, "by the user"))
        self.assertGone(pid)
        await asyncio.wait([before])
        with self.assertRaises(awhost.NoTrainer):
            await service.Control(ControlRequest(launch_id="next", action=ControlRequest.ACTION_ABORT))

    async def test_one_stage_at_a_time(self) -> None:
        service, before, pid = await self.started("drain")
        with unittest.mock.patch("awhost.bridge.adapter._OVERLAP", 0):
            (last,) = await self.events(service.Train(TrainRequest(launch_id="next", stage="main")))
        self.assertEqual((last.finished.outcome, last.finished.reason), (FinishedEvent.OUTCOME_FAILED, "launch l is still being trained: one stage at a time"))
        os.kill(pid, 0)
        await service.Control(ControlRequest(launch_id="l", action=ControlRequest.ACTION_DRAIN, reason="enough"))
        (*_, last) = await before
        self.assertEqual(last.finished.outcome, FinishedEvent.OUTCOME_STOPPED)

    async def test_drain_is_for_the_trainer_to_obey(self) -> None:
        service, running, _ = await self.started("drain")
        await service.Control(ControlRequest(launch_id="l", action=ControlRequest.ACTION_DRAIN, reason="enough"))
        (*_, last) = await running
        self.assertEqual((last.finished.outcome, last.finished.reason), (FinishedEvent.OUTCOME_STOPPED, "enough"))

    async def test_nobody_is_asked_without_a_training(self) -> None:
        service = await self.serve(Child)
        with self.assertRaisesRegex(awhost.GenerateError, "nothing is trained"):
            await service.Generate(adapter_pb2.GenerateRequest(episode_id="e", call_id="c"))
