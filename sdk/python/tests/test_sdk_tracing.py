"""The trace of a call, as components read it."""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
import threading
import unittest
from typing import Any

import awhost

from .needs import MISSING, grpc_installed

if not MISSING:
    import grpc
    import grpc.aio

    from awhost.plugin import Plugin
    from awhost.serve import HostWatch, _handler
    from awhost.services import services
    from awhost.v1 import plugin_pb2, reward_pb2

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@awhost.reward("asks")
def asks(item: awhost.Item) -> float:
    """In a thread."""
    seen.append(awhost.traceparent())
    return 0.0


@awhost.reward("awaits")
async def awaits(item: awhost.Item) -> float:
    """Runs on the event loop, during other calls."""
    await asyncio.sleep(0.01)
    seen.append(awhost.traceparent())
    return 0.0


seen: list[str] = []


@grpc_installed
class TraceparentTest(unittest.IsolatedAsyncioTestCase):
    async def served(self, component: Any) -> Any:
        """Returns the score of a reward that is served over gRPC."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        base, all_services = services(Plugin("test", "0.0.0", component), lambda _: None)
        await base.Configure(plugin_pb2.ConfigureRequest(
            kind=plugin_pb2.COMPONENT_KIND_REWARD, type=component.about.type, run_id="test", incarnation=1,
            directory=folder.name,
        ))
        server, watch = grpc.aio.server(), HostWatch()
        service = reward_pb2.DESCRIPTOR.services_by_name["RewardService"]
        methods = {m.name: _handler(m, getattr(all_services[service.name], m.name), watch) for m in service.methods}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, methods),))
        path = pathlib.Path(folder.name) / "s"
        server.add_insecure_port(f"unix:{path}")
        await server.start()
        self.addAsyncCleanup(server.stop, 0)
        channel = grpc.aio.insecure_channel(f"unix:{path}")
        self.addAsyncCleanup(channel.close)
        return channel.unary_unary(
            "/awhost.v1.RewardService/Score", request_serializer=reward_pb2.ScoreRequest.SerializeToString,
            response_deserializer=reward_pb2.ScoreResponse.FromString,
        )

    async def test_a_component_sees_the_trace_of_its_call(self) -> None:
        request = reward_pb2.ScoreRequest(items=[reward_pb2.ScoreItem(episode_id="e1")]) if not MISSING else None
        for component in (asks, awaits):
            score = await self.served(component)
            seen.clear()
            await asyncio.gather(score(request, metadata=(("traceparent", TRACE),)), score(request))
            self.assertEqual(["", TRACE], sorted(seen))
            seen.clear()
            for wrong in ("hello", TRACE.replace("4", "0").upper(), TRACE + "-00"):
                await score(request, metadata=(("traceparent", wrong),))
            self.assertEqual([""] * 3, seen)

    def test_there_is_none_outside_of_a_call(self) -> None:
        self.assertEqual("", awhost.traceparent())
        out: list[str] = []
        thread = threading.Thread(target=lambda: out.append(awhost.traceparent()))
        thread.start()
        thread.join()
        self.assertEqual([""], out)
