"""A plugin as a process: HashiCorp go-plugin's rules, mutual TLS, health, and the watch on standard input. The rules
are in sdk/proto/awhost/v1/plugin.proto.

    standard output   only the handshake: all other output goes to standard error
    standard input    its end means that the host has ended, and ends this process too
    SIGTERM           ends the process at once; SIGINT, which a terminal sends to all processes, is left to the host
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import secrets
import signal
import sys
import tempfile
import threading
from typing import Any, AsyncIterator, Awaitable, Callable, Final, NoReturn

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # its messages about lost connections are noise

import grpc  # noqa: E402
import grpc.aio  # noqa: E402
from google.protobuf import message_factory  # noqa: E402

from . import debugging, log, output, tracing  # noqa: E402
from .hints import Misfit, duration  # noqa: E402
from .host import DEFAULT_MESSAGE_BYTES, Host, Identity, options  # noqa: E402
from .multiplex import OVERHEAD_BYTES, Calls, Method  # noqa: E402
from .plugin import PROTOCOL_VERSION, Plugin  # noqa: E402
from .services import services  # noqa: E402
from .status import Code, Status, of_error  # noqa: E402
from .v1 import adapter_pb2, agent_pb2, calls_pb2, environment_pb2, plugin_pb2, reward_pb2  # noqa: E402

TLS_DIR: Final = "AWHOST_TLS_DIR"
DETACHABLE: Final = "AWHOST_DETACHABLE"
ABSENCE_TIMEOUT: Final = "AWHOST_HOST_ABSENCE_TIMEOUT"
_EXIT_HOST_LOST: Final = 3  # exit status
_LOCK_DESCRIPTOR: Final = 3  # the file descriptor by which a host passes on the lock of its run
_log: Final = logging.getLogger("awhost")

_Context = Any  # grpc.aio.ServicerContext: grpcio has no type annotations
_Handler = Any  # grpc.RpcMethodHandler


def serve(plugin: Plugin) -> NoReturn:
    """Serves until the host ends the plugin."""
    handshake = output.reserve()
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which children would inherit
    try:
        os.set_inheritable(_LOCK_DESCRIPTOR, False)
    except OSError:
        pass  # it does not exist
    log.to_stderr()
    try:
        debugging.from_environment()
    except (ImportError, OSError) as e:
        hint = f"debugpy has to be installed in {sys.executable}"
        raise SystemExit(f"plugin {plugin.name}: start the debugger: {e}; {hint}") from None
    watch = HostWatch()
    threading.Thread(target=watch.watch, name="awhost-lifeline", daemon=True).start()
    try:
        identity = Identity.load(os.environ.get(TLS_DIR, ""))
    except OSError as e:
        raise SystemExit(f"plugin {plugin.name}: load the TLS identity that the host left in {TLS_DIR}: {e}") from None
    folder = os.environ.get("PLUGIN_UNIX_SOCKET_DIR") or tempfile.mkdtemp(prefix="awhost")
    path = os.path.join(folder, f"py{secrets.token_hex(4)}")

    def announce() -> None:
        print(f"1|{PROTOCOL_VERSION}|unix|{path}|grpc|", file=handshake, flush=True)

    async def run_plugin() -> None:
        await run(plugin, identity, watch, path, announce, asyncio.Event())

    asyncio.run(run_plugin())
    end_process(0)


def end_process(code: int) -> NoReturn:
    """Ends the process, regardless of remaining threads."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class HostWatch:
    """Watches whether a host is present. A process that may outlive its host continues without one, until no host has
    called for a while."""

    def __init__(self) -> None:
        self._absence_timeout = _absence_timeout()
        self._called = threading.Event()

    def note(self) -> None:
        """Records a call by a host."""
        if self._absence_timeout:
            self._called.set()

    def watch(self) -> None:
        """Ends the process when the host has ended."""
        try:
            while os.read(0, 1 << 16):
                pass
        except OSError:
            pass  # a closed descriptor also means that the host has ended
        while self._absence_timeout:
            self._called.clear()
            if not self._called.wait(self._absence_timeout):
                break
        end_process(_EXIT_HOST_LOST)


def _absence_timeout() -> float:
    """Returns seconds; 0 for a process that ends with its host."""
    if os.environ.get(DETACHABLE) != "1":
        return 0.0
    try:
        return duration(os.environ.get(ABSENCE_TIMEOUT, "1h")).total_seconds() or 3600.0
    except Misfit:
        return 3600.0


async def run(
    plugin: Plugin, identity: Identity, watch: HostWatch, path: str, announce: Callable[[], None],
    over: asyncio.Event, *, reused: bool = False,
) -> None:
    """Serves at a socket until over is set. A finished host sets it, unless the next host uses the process too."""
    server = grpc.aio.server(options=options(plugin.max_message_bytes, OVERHEAD_BYTES))
    dial = functools.partial(Host.dial, identity=identity, message_bytes=plugin.max_message_bytes)
    base, all_services = services(plugin, dial, reused=reused)
    shared: dict[str, Method] = {}
    for descriptor_file in (plugin_pb2, environment_pb2, reward_pb2, adapter_pb2, agent_pb2):
        for service in descriptor_file.DESCRIPTOR.services_by_name.values():
            handlers = {}
            for m in service.methods:
                function = getattr(all_services[service.name], m.name)
                handlers[m.name] = _handler(m, function, watch)
                if not m.server_streaming:
                    shared[f"/{service.full_name}/{m.name}"] = _shared(m, function)
            server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.full_name, handlers),))
    server.add_generic_rpc_handlers((_calls(shared, plugin.max_message_bytes or DEFAULT_MESSAGE_BYTES, watch, over),))
    server.add_generic_rpc_handlers(_go_plugin(over, reused))
    server.add_secure_port(f"unix:{path}", grpc.ssl_server_credentials([(identity.key, identity.certificate)], identity.host, require_client_auth=True))
    await server.start()
    announce()
    await over.wait()
    await server.stop(0.2)
    if base.host is not None:
        await base.host.close()
    if os.path.exists(path):
        os.unlink(path)


def _handler(method: Any, function: Callable[[Any], Any], watch: HostWatch) -> _Handler:
    request = message_factory.GetMessageClass(method.input_type)
    answer = message_factory.GetMessageClass(method.output_type)
    if method.server_streaming:

        async def stream(message: Any, context: _Context) -> None:
            watch.note()
            tracing.enter(context.invocation_metadata() or ())
            try:
                async for part in function(message):
                    await context.write(part)
            except Exception as e:
                await _abort(context, method.full_name, e)

        return grpc.unary_stream_rpc_method_handler(stream, request.FromString, answer.SerializeToString)

    async def unary(message: Any, context: _Context) -> Any:
        watch.note()
        tracing.enter(context.invocation_metadata() or ())
        try:
            return await function(message)
        except Exception as e:
            await _abort(context, method.full_name, e)

    return grpc.unary_unary_rpc_method_handler(unary, request.FromString, answer.SerializeToString)


def _shared(method: Any, function: Callable[[Any], Awaitable[Any]]) -> Method:
    request = message_factory.GetMessageClass(method.input_type)
    answer = message_factory.GetMessageClass(method.output_type)
    return Method(request.FromString, function, answer.SerializeToString)


def _calls(methods: dict[str, Method], limit: int, watch: HostWatch, over: asyncio.Event) -> grpc.GenericRpcHandler:
    """Returns CallService."""

    async def calls(requests: AsyncIterator[calls_pb2.CallsRequest], context: _Context) -> None:
        await Calls(methods, _status_of, context.write, limit, watch.note).serve(requests, over)

    handler = grpc.stream_stream_rpc_method_handler(
        calls, calls_pb2.CallsRequest.FromString, calls_pb2.CallsResponse.SerializeToString,
    )
    return grpc.method_handlers_generic_handler("awhost.v1.CallService", {"Calls": handler})


_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


async def _abort(context: _Context, method: str, error: Exception) -> None:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    status = _status_of(method, error)
    details = (("grpc-status-details-bin", status.encoded()),) if status.detail is not None else ()
    await context.abort(_CODES[int(status.code)], status.text, details)


def _status_of(method: str, error: BaseException) -> Status:
    status = of_error(error)
    if status.code is Code.INTERNAL and not isinstance(error, Status):
        _log.error("%s failed", method, exc_info=error)
    return status


def _go_plugin(over: asyncio.Event, reused: bool) -> tuple[grpc.GenericRpcHandler, ...]:
    """Returns go-plugin's services. Their small messages are encoded by hand, because other packages define the same
    messages."""

    async def check(request: bytes, context: _Context) -> bytes:
        if request not in (b"", b"\x0a\x06plugin"):
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return b"\x08\x01"  # SERVING

    async def shutdown(request: bytes, context: _Context) -> bytes:
        if not reused:
            asyncio.get_running_loop().call_later(0.02, over.set)  # after this response has been sent
        return b""

    async def stdio(request: bytes, context: _Context) -> None:
        await over.wait()  # standard output and error are captured directly

    def unary(function: Callable[[bytes, _Context], Awaitable[bytes]]) -> _Handler:
        return grpc.unary_unary_rpc_method_handler(function)

    return (
        grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": unary(check)}),
        grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": unary(shutdown)}),
        grpc.method_handlers_generic_handler("plugin.GRPCStdio", {"StreamStdio": grpc.unary_stream_rpc_method_handler(stdio)}),
    )
