"""The plugin's client of the host: HostService over its own unix socket, with the plugin's certificate."""

from __future__ import annotations

import asyncio
import pathlib
from dataclasses import dataclass
from typing import Any, AsyncIterator, Final, Literal, Mapping, NoReturn, Sequence, cast

import grpc
import grpc.aio
from google.protobuf import message_factory

from awhost_bridge.waiting import within

from . import convert, status
from .errors import Unavailable
from .messages import Message, Reply, Split, Step, Task, Tool
from .status import Code, utf8
from .v1 import host_pb2, plugin_pb2

DEFAULT_MESSAGE_BYTES: Final = 32 << 20  # limit of a message, in both directions, for a plugin that declares none


def options(message_bytes: int, overhead: int = 0) -> list[tuple[str, int]]:
    """Returns the options of servers and channels for a plugin with this message limit in bytes; 0 means the default.
    Messages that are sent may be larger by the overhead."""
    most = message_bytes or DEFAULT_MESSAGE_BYTES
    return [
        ("grpc.max_receive_message_length", most), ("grpc.max_send_message_length", most + overhead), ("grpc.max_metadata_size", 4 << 20),
        ("grpc.absolute_max_metadata_size", 8 << 20),
    ]


SILENCE_SECONDS: Final = 60.0  # a host without heartbeats of RunEpisode, sent every 10 s, counts as lost
_ATTEMPTS: Final = 5  # consecutive attempts of RunEpisode without any response
_FINISH: Final[Mapping[int, Literal["stop", "length", "tool_calls"]]] = {0: "stop", 1: "stop", 2: "length", 3: "tool_calls"}


@dataclass(frozen=True)
class Identity:
    """The certificates from the host, in PEM. Each side accepts exactly the other's."""

    certificate: bytes
    key: bytes
    host: bytes

    @staticmethod
    def load(folder: str) -> Identity:
        path = pathlib.Path(folder)
        return Identity((path / "plugin.crt").read_bytes(), (path / "plugin.key").read_bytes(), (path / "host.crt").read_bytes())


class Host:
    """The plugin's calls to the host. Only adapters call run_episode, cancel_episode, tasks and step_boundary, only
    agents agent_generate and agent_step. Errors are those of awhost.errors; Unavailable means that the host has ended
    or is shutting down."""

    def __init__(self, channel: grpc.aio.Channel, *, silence_seconds: float = SILENCE_SECONDS) -> None:
        self._channel = channel
        self._silence = silence_seconds
        self._methods: dict[str, Any] = {}
        for method in host_pb2.DESCRIPTOR.services_by_name["HostService"].methods:
            make = channel.unary_stream if method.server_streaming else channel.unary_unary
            answer = message_factory.GetMessageClass(method.output_type)
            self._methods[method.name] = make(f"/awhost.v1.HostService/{method.name}", request_serializer=_serialize, response_deserializer=answer.FromString)

    @staticmethod
    def dial(address: plugin_pb2.HostAddress, identity: Identity, message_bytes: int = 0) -> Host:
        """Returns a client that connects on the first call, and again whenever the connection is lost."""
        if address.network != "unix":
            raise status.Status(Code.INVALID_ARGUMENT, f"configure: network {address.network!r} is not supported by this SDK: want unix")
        credentials = grpc.ssl_channel_credentials(identity.host, identity.key, identity.certificate)
        how = [*options(message_bytes), ("grpc.ssl_target_name_override", address.server_name or "localhost")]
        return Host(grpc.aio.secure_channel(f"unix:{address.address}", credentials, options=how))

    async def close(self) -> None:
        await self._channel.close()

    async def _call(self, name: str, request: Any, timeout: float | None = None) -> Any:
        try:
            return await self._methods[name](request, timeout=timeout)
        except grpc.aio.AioRpcError as e:
            _raise(e)

    async def log(self, level: Literal["debug", "info", "warn", "error"], message: str, **fields: object) -> None:
        """Writes a line to the run's log. setup.log writes to the plugin's log, and needs no call."""
        await self._call("Log", host_pb2.LogRequest(level=level, message=utf8(message), fields={k: utf8(str(v)) for k, v in fields.items()}), 10)

    # For agents.

    async def agent_generate(
        self, lease: str, messages: Sequence[Message], tools: Sequence[Tool], *, chain: str = "", base: int = 0, member: str = "", max_tokens: int = 0,
        stop: Sequence[str] = (), repeat: int | None = None,
    ) -> Reply:
        """Samples a message under a lease. awhost.Episode.ask determines chain, base and repeat."""
        out: host_pb2.AgentGenerateResponse = await self._call("AgentGenerate", host_pb2.AgentGenerateRequest(
            lease=lease, member=member, chain=chain, base=base, messages=convert.messages_to_wire(messages), tools=convert.tools_to_wire(tools),
            max_tokens=max_tokens, stop=list(stop), repeat=repeat,
        ))
        return Reply(
            message=convert.message_from_wire(out.message), call_id=out.call_id, finish=_FINISH.get(out.finish_reason, "stop"), prompt_tokens=out.prompt_tokens,
            output_tokens=out.output_tokens, chain=out.chain, chain_length=out.chain_length,
        )

    async def agent_step(self, lease: str, what: Reply | Message) -> Step:
        """Steps the environment of a lease."""
        request = host_pb2.AgentStepRequest(lease=lease)
        if isinstance(what, Reply):
            request.call_id = what.call_id
        else:
            request.message.CopyFrom(convert.message_to_wire(what))
        out: host_pb2.AgentStepResponse = await self._call("AgentStep", request)
        tools = convert.tools_from_wire(out.tools_changed.tools) if out.HasField("tools_changed") else None
        return Step(convert.messages_from_wire(out.messages), None, out.done, out.truncated, tools)

    # For adapters.

    async def run_episode(self, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        """Runs an episode to its end. A call that a lost connection cut is repeated with the same id, and joins the
        running episode. Canceling it leaves the episode running: cancel_episode ends it."""
        attempt = 0
        while True:
            attempt += 1
            received = False
            stream = self._methods["RunEpisode"](request, wait_for_ready=True)
            try:
                while True:
                    progress = await within(stream.read(), self._silence)
                    if progress is grpc.aio.EOF:
                        raise Unavailable(f"run episode {request.episode_id}: the stream ended without a result")
                    received = True
                    if progress.HasField("result"):
                        return cast(host_pb2.EpisodeResult, progress.result)
            except asyncio.TimeoutError:
                error: Exception = Unavailable(f"run episode {request.episode_id}: the host was silent for {self._silence:g} s")
            except grpc.aio.AioRpcError as e:
                error = _error(e)
            except Unavailable as e:
                error = e
            finally:
                stream.cancel()
            attempt = 1 if received else attempt
            if not isinstance(error, Unavailable) or attempt == _ATTEMPTS:
                raise error
            await asyncio.sleep(0.1 * attempt)

    async def cancel_episode(self, episode_id: str, reason: str) -> None:
        """Ends an episode whose result is no longer needed. Unknown and finished ones are accepted."""
        await self._call("CancelEpisode", host_pb2.CancelEpisodeRequest(episode_id=episode_id, reason=utf8(reason)), 10)

    async def tasks(self, split: Split, *, stage: str = "", dataset: str = "", cursor: int = 0) -> AsyncIterator[Task]:
        """Yields the rows of a dataset from position cursor on, in the host's order, without their private parts."""
        stream = self._methods["Tasks"](host_pb2.HostServiceTasksRequest(split=convert.split_to_wire(split), dataset=dataset, stage=stage, cursor=cursor))
        try:
            async for answer in stream:
                yield convert.task_from_wire(answer.task, private=False)
        except grpc.aio.AioRpcError as e:
            _raise(e)
        finally:
            stream.cancel()

    async def step_boundary(self, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        """Reports a finished step and asks how to proceed. Launch.boundary sets after_seq."""
        return cast(host_pb2.StepBoundaryResponse, await self._call("StepBoundary", request, 60))


def _serialize(message: Any) -> bytes:
    return cast(bytes, message.SerializeToString())


def _error(e: grpc.aio.AioRpcError) -> Exception:
    detail = next((value for key, value in e.trailing_metadata() or () if key == "grpc-status-details-bin"), None)
    return status.to_error(Code(e.code().value[0]) if e.code().value[0] in Code._value2member_map_ else Code.UNKNOWN, e.details() or "", cast("bytes | None", detail))


def _raise(e: grpc.aio.AioRpcError) -> NoReturn:
    raise _error(e) from None
