"""The agent's access to the policy and the environment: through the host, under the lease of one episode."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Awaitable, Final, Iterable, Sequence

from . import convert
from .calls import call
from .component import Agent
from .errors import Error, Failure
from .messages import Answer, Message, Reply, Step, Task, Tool
from .services import Configured
from .status import Code, Status
from .v1 import agent_pb2

if TYPE_CHECKING:
    from .host import Host

_log: Final = logging.getLogger("awhost")


@dataclass(frozen=True)
class ModelEndpoint:
    """A server for OpenAI's protocol: openai.OpenAI(base_url=…, api_key=…)."""

    base_url: str  # including /v1
    api_key: str = field(repr=False)  # secret


@dataclass(frozen=True)
class ToolEndpoint:
    """An MCP server over streamable HTTP."""

    url: str
    token: str = field(repr=False)  # secret; sent as Authorization: Bearer

    @property
    def headers(self) -> dict[str, str]:
        """Returns the headers of every request."""
        return {"Authorization": "Bearer " + self.token}

    def mcp_servers(self, name: str = "awhost") -> dict[str, Any]:
        """Returns the configuration that most MCP clients read: {"mcpServers": {name: …}}. It contains the token."""
        return {"mcpServers": {name: {"type": "streamable-http", "url": self.url, "headers": self.headers}}}


class Episode:
    """An episode that an async agent runs.

    messages are the question: the environment's first messages, or the task's own. tools are the environment's tools
    that the agent may use. max_turns is the maximum number of assistant messages in one conversation, which the host
    enforces; 0 means no limit. deadline is in seconds. models has the endpoint of the policy, models["policy"], for
    clients of OpenAI's protocol: its responses are sampled by the policy and trained, as with ask. The endpoint is
    valid for this episode only. tool_server serves tools by MCP for the same time, and a call there is a step; None
    means that the episode has no environment, or that the host serves none.
    """

    def __init__(self, request: agent_pb2.RunRequest, host: Host) -> None:
        self.episode_id = request.episode_id
        self.task: Task = convert.task_from_wire(request.task, private=False)
        self.messages: list[Message] = convert.messages_from_wire(request.messages)
        self.tools: list[Tool] = convert.tools_from_wire(request.offered_tools)
        self.has_environment = request.has_environment
        self.max_turns = request.max_turns
        self.deadline = convert.duration_from_wire(request.deadline)
        self.models = {name: ModelEndpoint(m.base_url, m.api_key) for name, m in request.models.items()}
        tools = request.tools if request.HasField("tools") else None
        self.tool_server = ToolEndpoint(tools.mcp_url, tools.token) if tools else None
        self._lease = request.lease
        self._host = host
        self._conversation = _Conversation()

    def ask(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None, member: str = "", max_tokens: int = 0, stop: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> Awaitable[Reply]:
        """Samples the next message of a conversation. messages is the whole conversation: the SDK finds the chain that
        it continues, so that the policy is trained on the tokens that it sampled.

        tools None means all tools of the episode. member is the part of the agent that asks, if it has several.
        max_tokens lowers the spec's limit, and stop adds to its strings. calls names the call that sampled each
        message, if known ("" for the others): it distinguishes messages of the policy with equal contents. Requests are
        ordered by the calls of ask, even if their responses are awaited concurrently. After a GenerateError of kind
        context_full or refused the agent may continue; any other ends the episode.
        """
        prepared = self._conversation.prepare(messages, calls, member)
        return self._sample(prepared, list(self.tools if tools is None else tools), member, max_tokens, stop)

    async def _sample(self, prepared: _Prepared, tools: list[Tool], member: str, max_tokens: int, stop: Sequence[str]) -> Reply:
        if prepared.start is not None and not prepared.first:
            await prepared.start.free.wait()  # ownership of the chain must not depend on which call is faster
        try:
            reply = await self._host.agent_generate(
                self._lease, prepared.new, tools, chain=prepared.start.chain if prepared.start else "", base=prepared.start.length if prepared.start else 0,
                member=member, max_tokens=max_tokens, stop=stop, repeat=prepared.repeat,
            )
        finally:
            if prepared.start is not None and prepared.first:
                prepared.start.free.set()
        if reply.finish == "length":
            reply.message.tool_calls = []
        self._conversation.remember(prepared, reply)
        return reply

    async def step(self, what: Reply | Message) -> Step:
        """Passes the environment a sampled message, once, or the agent's own message with its own tool calls."""
        if not self.has_environment:
            raise Error("step: the agent has no environment; name one in its block")
        return await self._host.agent_step(self._lease, what)


class SyncEpisode:
    """An episode that an agent runs in a thread: like Episode, with blocking methods."""

    def __init__(self, episode: Episode, loop: asyncio.AbstractEventLoop) -> None:
        self._episode, self._loop = episode, loop
        self.episode_id, self.task, self.messages, self.tools = episode.episode_id, episode.task, episode.messages, episode.tools
        self.has_environment, self.max_turns, self.deadline = episode.has_environment, episode.max_turns, episode.deadline
        self.models, self.tool_server = episode.models, episode.tool_server
        self.over = False  # the result is no longer needed

    def ask(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None, member: str = "", max_tokens: int = 0, stop: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> Reply:
        """Works like Episode.ask."""
        self._check()

        async def ask() -> Reply:
            return await self._episode.ask(messages, tools=tools, member=member, max_tokens=max_tokens, stop=stop, calls=calls)

        return asyncio.run_coroutine_threadsafe(ask(), self._loop).result()

    def step(self, what: Reply | Message) -> Step:
        """Works like Episode.step."""
        self._check()
        return asyncio.run_coroutine_threadsafe(self._episode.step(what), self._loop).result()

    def _check(self) -> None:
        if self.over:
            raise Error("the episode is over: the host has ended it")


@dataclass
class _Position:
    """The end of a message of the policy: a position where a conversation can continue."""

    call: str
    chain: str
    length: int
    free: asyncio.Event  # set when the call that continues the chain here has ended
    taken: bool = False  # such a call exists: others make separate chains


@dataclass
class _Prepared:
    new: list[Message]
    said: bytes
    start: _Position | None
    first: bool
    repeat: int


class _Conversation:
    """The conversations of one episode. A conversation continues from its longest prefix that ends in a message of the
    policy and equals the messages sent and received. sdk/chat has the same rule in Go."""

    def __init__(self) -> None:
        self._positions: dict[bytes, list[_Position]] = {}
        self._asked: dict[tuple[str, int, bytes], int] = {}

    def prepare(self, messages: Sequence[Message], calls: Sequence[str], member: str) -> _Prepared:
        prefixes = list(_digests(messages))
        start, known = self._find(messages, calls, prefixes)
        first = start is not None and not start.taken
        if start is not None:
            start.taken = True
        question = (member, id(start), prefixes[-1])  # positions exist as long as the episode
        repeat = self._asked.get(question, 0)
        self._asked[question] = repeat + 1
        return _Prepared(list(messages[known:]), prefixes[-1], start, first, repeat)

    def _find(self, messages: Sequence[Message], calls: Sequence[str], prefixes: Sequence[bytes]) -> tuple[_Position | None, int]:
        for n in range(len(messages), 0, -1):
            if messages[n - 1].role == "assistant" and (candidates := self._positions.get(prefixes[n])):
                wanted = calls[n - 1] if n <= len(calls) else ""
                return next((p for p in candidates if wanted and p.call == wanted), next((p for p in candidates if not p.taken), candidates[0])), n
        return None, 0

    def remember(self, prepared: _Prepared, reply: Reply) -> None:
        said = _with(prepared.said, reply.message)
        self._positions.setdefault(said, []).append(_Position(reply.call_id, reply.chain, reply.chain_length, asyncio.Event()))


def _digests(messages: Iterable[Message]) -> Iterable[bytes]:
    digest = b""
    yield digest
    for message in messages:
        digest = _with(digest, message)
        yield digest


def _with(digest: bytes, message: Message) -> bytes:
    """Returns the digest of a prefix and the message that follows. It ignores everything that a program may omit or
    write differently when it sends a message back: the reasoning, ids of calls, marks on tool results, spaces and the
    order of members in arguments."""
    parts = [message.role, message.content, [[i.mime_type, i.data.hex(), i.url, i.text_after] for i in message.images], [[c.name, _canonical(c.arguments)] for c in message.tool_calls]]
    return hashlib.sha256(digest + json.dumps(parts).encode()).digest()


def _canonical(text: str) -> str:
    try:
        return json.dumps(json.loads(text, parse_int=_number, parse_float=_number), sort_keys=True)
    except (ValueError, RecursionError):
        return text


def _number(text: str) -> list[str]:
    return ["number", text]  # as written, distinct from a string


class AgentService:
    """Has the agent run episodes. Its exceptions are failures of class AGENT, except for the errors of the model and
    the environment."""

    def __init__(self, configured: Configured[Agent]) -> None:
        self._configured = configured

    async def Run(self, request: agent_pb2.RunRequest) -> agent_pb2.RunResponse:
        agent = self._configured.get()
        if not request.episode_id or not request.lease:
            raise Status(Code.INVALID_ARGUMENT, "run: episode_id and lease must be set")
        if agent.setup.host is None:
            raise Status(Code.FAILED_PRECONDITION, "run: an agent needs the host, and Configure named no address")
        try:
            episode = Episode(request, agent.setup.host)
            out = await self._play(agent, episode)
            answer = out if isinstance(out, Answer) else Answer(final_answer=out)
            if not (answer.final_answer is None or isinstance(answer.final_answer, str)):
                raise TypeError(f"{type(agent).__name__}.run returned {type(out).__name__}; want awhost.Answer, a text, or None")
            return convert.answer_to_wire(answer)
        except (Error, Status, TimeoutError, asyncio.TimeoutError):
            raise
        except Exception as e:
            _log.error("the agent failed in episode %s", request.episode_id, exc_info=e)
            raise Failure("AGENT", f"{type(e).__name__}: {e}") from e

    @staticmethod
    async def _play(agent: Agent, episode: Episode) -> Any:
        if inspect.iscoroutinefunction(agent.run):
            return await agent.run(episode)
        waiting = SyncEpisode(episode, asyncio.get_running_loop())
        playing = asyncio.ensure_future(call(agent.run, waiting))
        try:
            return await asyncio.shield(playing)
        except asyncio.CancelledError:
            waiting.over = True  # the thread's next call to the host is refused, so that the thread ends
            await asyncio.wait([playing])
            raise

