"""The host as a plugin calls it, over gRPC: the responses, and the repeated calls."""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
import unittest
from typing import Any
from unittest import mock

import awhost

from .needs import MISSING, grpc_installed

if not MISSING:
    import grpc
    import grpc.aio
    from google.protobuf import message_factory

    from awhost.agents import Episode
    from awhost.host import Host
    from awhost.messages import Reply
    from awhost.serve import _abort
    from awhost.v1 import agent_pb2, host_pb2, message_pb2


class FakeHost:
    """Serves HostService by the functions of a test."""

    def __init__(self, **methods: Any) -> None:
        self.methods = methods
        self.calls: list[Any] = []

    async def start(self, path: pathlib.Path) -> Any:
        server = grpc.aio.server()
        handlers = {}
        for method in host_pb2.DESCRIPTOR.services_by_name["HostService"].methods:
            if method.name in self.methods:
                make = grpc.unary_stream_rpc_method_handler if method.server_streaming else grpc.unary_unary_rpc_method_handler
                request = message_factory.GetMessageClass(method.input_type)
                handlers[method.name] = make(self._handler(self.methods[method.name]), request.FromString, lambda message: message.SerializeToString())
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("awhost.v1.HostService", handlers),))
        server.add_insecure_port(f"unix:{path}")
        await server.start()
        return server

    def _handler(self, function: Any) -> Any:
        async def handle(request: Any, context: Any) -> Any:
            self.calls.append(request)
            try:
                return await function(request, context)
            except (awhost.Error, TimeoutError) as e:
                await _abort(context, "test", e)

        return handle


@grpc_installed
class HostTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket = pathlib.Path(folder.name) / "h"

    async def host(self, *, silence_seconds: float = 30.0, **methods: Any) -> tuple[Host, FakeHost]:
        fake = FakeHost(**methods)
        self.server = await fake.start(self.socket)
        self.addAsyncCleanup(self.server.stop, 0)
        host = Host(grpc.aio.insecure_channel(f"unix:{self.socket}"), silence_seconds=silence_seconds)
        self.addAsyncCleanup(host.close)
        return host, fake

    async def test_agents_ask_and_step(self) -> None:
        async def generate(request: Any, context: Any) -> Any:
            message = message_pb2.Message(role="ROLE_ASSISTANT", tool_calls=[message_pb2.ToolCall(id="1", name="f", arguments_json="{}")])
            return host_pb2.AgentGenerateResponse(call_id="k", message=message, finish_reason="FINISH_REASON_TOOL_CALLS", chain="c", chain_length=2)

        async def step(request: Any, context: Any) -> Any:
            out = host_pb2.AgentStepResponse(messages=[message_pb2.Message(role="ROLE_TOOL", tool_call_id="1")], done=True)
            out.tools_changed.SetInParent()
            return out

        host, fake = await self.host(AgentGenerate=generate, AgentStep=step)
        reply = await host.agent_generate("lease", [awhost.user("hi \ud800")], [], repeat=0, stop=["x"])
        self.assertEqual((reply.finish, reply.chain, reply.message.tool_calls), ("tool_calls", "c", [awhost.ToolCall("1", "f", "{}")]))
        self.assertTrue(fake.calls[0].HasField("repeat"))
        self.assertEqual(fake.calls[0].messages[0].content[0].text, "hi ?")
        stepped = await host.agent_step("lease", reply)
        self.assertEqual((fake.calls[1].call_id, stepped.done, stepped.tools), ("k", True, []))
        self.assertIsInstance(reply, Reply)

    async def test_errors_are_typed(self) -> None:
        errors = iter([awhost.GenerateError("context_full", "no room"), awhost.Failure("ENVIRONMENT", "broken"), awhost.Unavailable("going"), awhost.Error("text"), TimeoutError("late")])

        async def generate(request: Any, context: Any) -> Any:
            raise next(errors)

        host, _ = await self.host(AgentGenerate=generate)
        for kind, text in ((awhost.GenerateError, "no room"), (awhost.Failure, "broken"), (awhost.Unavailable, "going"), (awhost.Error, "text"), (TimeoutError, "late")):
            with self.assertRaises(kind) as caught:
                await host.agent_generate("lease", [], [])
            self.assertIn(text, str(caught.exception))

    async def test_an_episode_is_joined_again_when_its_connection_breaks(self) -> None:
        async def run(request: Any, context: Any) -> Any:
            await context.write(host_pb2.RunEpisodeResponse(started=host_pb2.EpisodeStarted(attempt=1)))
            if len(self.fake.calls) == 1:
                asyncio.ensure_future(self.restart())
                await asyncio.sleep(30)
            await context.write(host_pb2.RunEpisodeResponse(heartbeat=host_pb2.EpisodeHeartbeat()))
            await context.write(host_pb2.RunEpisodeResponse(result=host_pb2.EpisodeResult(episode_id=request.episode_id, reward=1.5)))

        host, self.fake = await self.host(RunEpisode=run)
        result = await host.run_episode(host_pb2.RunEpisodeRequest(episode_id="e"))
        self.assertEqual((result.episode_id, result.reward, len(self.fake.calls)), ("e", 1.5, 2))

    async def restart(self) -> None:
        await self.server.stop(0)
        self.server = await self.fake.start(self.socket)
        self.addAsyncCleanup(self.server.stop, 0)

    async def test_a_silent_host_is_given_up(self) -> None:
        async def run(request: Any, context: Any) -> Any:
            await asyncio.sleep(30)

        host, _ = await self.host(RunEpisode=run, silence_seconds=0.05)
        calls = mock.Mock(side_effect=host._methods["RunEpisode"])  # an abandoned call may not have reached the host
        with mock.patch.dict(host._methods, RunEpisode=calls):
            with self.assertRaisesRegex(awhost.Unavailable, "silent for 0.05 s"):
                await host.run_episode(host_pb2.RunEpisodeRequest(episode_id="e"))
        self.assertEqual(calls.call_count, 5)

    async def test_a_refused_episode_is_not_repeated(self) -> None:
        async def run(request: Any, context: Any) -> Any:
            raise awhost.Error("no such stage")

        host, fake = await self.host(RunEpisode=run)
        with self.assertRaisesRegex(awhost.Error, "no such stage"):
            await host.run_episode(host_pb2.RunEpisodeRequest(episode_id="e"))
        self.assertEqual(len(fake.calls), 1)

    async def test_tasks_and_logs(self) -> None:
        async def tasks(request: Any, context: Any) -> Any:
            for i in range(request.cursor, 4):
                await context.write(host_pb2.HostServiceTasksResponse(task=message_pb2.Task(id=str(i), public_json=b'{"prompt":"p"}')))

        async def log(request: Any, context: Any) -> Any:
            return host_pb2.LogResponse()

        host, fake = await self.host(Tasks=tasks, Log=log)
        self.assertEqual([task.id async for task in host.tasks("validation", cursor=2)], ["2", "3"])
        self.assertEqual(fake.calls[0].split, message_pb2.SPLIT_VALIDATION)
        await host.log("warn", "odd", n=3)
        self.assertEqual((fake.calls[1].level, dict(fake.calls[1].fields)), ("warn", {"n": "3"}))


@grpc_installed
class ToolServerTest(unittest.TestCase):
    def test_an_episode_has_its_tools_by_mcp(self) -> None:
        host: Any = None  # it receives no calls
        tools = agent_pb2.ToolEndpoint(mcp_url="http://127.0.0.1:1/mcp", token="aw-1")
        server = Episode(agent_pb2.RunRequest(episode_id="e", tools=tools), host).tool_server
        assert server is not None
        self.assertEqual(("http://127.0.0.1:1/mcp", "aw-1"), (server.url, server.token))
        entry = {"type": "streamable-http", "url": server.url, "headers": {"Authorization": "Bearer aw-1"}}
        self.assertEqual({"mcpServers": {"desk": entry}}, server.mcp_servers("desk"))
        self.assertNotIn("aw-1", repr(server))
        self.assertIsNone(Episode(agent_pb2.RunRequest(episode_id="e"), host).tool_server)
