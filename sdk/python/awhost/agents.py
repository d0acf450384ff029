"""How agents reach the policy and the environment: by the host, under the lease of one episode."""

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
    """A server that speaks OpenAI's protocol: openai.OpenAI(base_url=…, api_key=…)."""

    base_url: str  # with /v1
    api_key: str = field(repr=False)  # secret


@dataclass(frozen=True)
class ToolEndpoint:
    """An MCP server over streamable HTTP."""

    url: str
    token: str = field(repr=False)  # secret; sent as Authorization: Bearer

    @property
    def headers(self) -> dict[str, str]:
        """Those of every request."""
        return {"Authorization": "Bearer " + self.token}

    def mcp_servers(self, name: str = "awhost") -> dict[str, Any]:
        """The configuration that most MCP clients read: {"mcpServers": {name: …}}. It holds the token."""
        return {"mcpServers": {name: {"type": "streamable-http", "url": self.url, "headers": self.headers}}}


class Episode:
    """An episode that an async agent plays.

    messages are the question: the environment's first ones, or the task's own. tools are what the environment offers, as far as the
    agent may use it. max_turns is the most assistant messages of one conversation, to which the host holds the agent; 0: no limit.
    deadline is in seconds. models has the endpoint of the policy, models["policy"], for clients of OpenAI's protocol:
    what is asked there is sampled by the policy and trained, as with ask. It is good for this episode alone.
    tool_server serves tools by MCP, as long, and a call there is a step; None: there is no environment, or the host
    serves none.
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
        self._talk = _Talk()

    def ask(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None, member: str = "", max_tokens: int = 0, stop: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> Awaitable[Reply]:
        """Samples the next message of a conversation. messages is all of it: the SDK finds the chain that it goes on from, so that the
        policy is trained on the tokens that it sampled.

        tools None: all that the episode has. member: which part of the agent asks, where it has several. max_tokens lowers the spec's
        limit, stop adds to its strings. calls names the call that sampled each message, where it is known ("" elsewhere): it tells
        messages of the policy apart that say the same. Requests have their place in the order of the calls of ask, also where their
        answers are awaited side by side. After a GenerateError of kind context_full or refused the agent may continue; any other ends the episode.
        """
        prepared = self._talk.prepare(messages, calls, member)
        return self._sample(prepared, list(self.tools if tools is None else tools), member, max_tokens, stop)

    async def _sample(self, prepared: _Prepared, tools: list[Tool], member: str, max_tokens: int, stop: Sequence[str]) -> Reply:
        if prepared.start is not None and not prepared.first:
            await prepared.start.free.wait()  # whose the chain is must not depend on which call is faster
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
        self._talk.remember(prepared, reply)
        return reply

    async def step(self, what: Reply | Message) -> Step:
        """Gives the environment a sampled message, once, or one of the agent's own, with tool calls that it makes itself."""
        if not self.has_environment:
            raise Error("step: the agent has no environment; name one in its block")
        return await self._host.agent_step(self._lease, what)


class SyncEpisode:
    """An episode that an agent plays in a thread: as Episode, with methods that wait."""

    def __init__(self, episode: Episode, loop: asyncio.AbstractEventLoop) -> None:
        self._episode, self._loop = episode, loop
        self.episode_id, self.task, self.messages, self.tools = episode.episode_id, episode.task, episode.messages, episode.tools
        self.has_environment, self.max_turns, self.deadline = episode.has_environment, episode.max_turns, episode.deadline
        self.models, self.tool_server = episode.models, episode.tool_server
        self.over = False  # nobody waits for the answer any more

    def ask(
        self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None, member: str = "", max_tokens: int = 0, stop: Sequence[str] = (),
        calls: Sequence[str] = (),
    ) -> Reply:
        """As Episode.ask."""
        self._check()

        async def ask() -> Reply:
            return await self._episode.ask(messages, tools=tools, member=member, max_tokens=max_tokens, stop=stop, calls=calls)

        return asyncio.run_coroutine_threadsafe(ask(), self._loop).result()

    def step(self, what: Reply | Message) -> Step:
        """As Episode.step."""
        self._check()
        return asyncio.run_coroutine_threadsafe(self._episode.step(what), self._loop).result()

    def _check(self) -> None:
        if self.over:
            raise Error("the episode is over: the host has ended it")


@dataclass
class _Position:
    """The end of a message of the policy: where a conversation can go on."""

    call: str
    chain: str
    length: int
    free: asyncio.Event  # set when the call that continues the chain here is over
    taken: bool = False  # there is such a call: others make chains of their own


@dataclass
class _Prepared:
    new: list[Message]
    said: bytes
    start: _Position | None
    first: bool
    repeat: int


class _Talk:
    """The conversations of one episode. One goes on from the longest beginning of it that ends in a message of the policy and equals
    what was sent and received (sdk/chat says the same in Go)."""

    def __init__(self) -> None:
        self._positions: dict[bytes, list[_Position]] = {}
        self._asked: dict[tuple[str, int, bytes], int] = {}

    def prepare(self, messages: Sequence[Message], calls: Sequence[str], member: str) -> _Prepared:
        prefixes = list(_digests(messages))
        start, known = self._find(messages, calls, prefixes)
        first = start is not None and not start.taken
        if start is not None:
            start.taken = True
        question = (member, id(start), prefixes[-1])  # positions live as long as the episode
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
    """The digest of a beginning and the message that follows. What a program may leave out or write differently when it sends a message
    back does not count: the reasoning, ids of calls, marks on tool results, spaces and the order of members in arguments."""
    parts = [message.role, message.content, [[i.mime_type, i.data.hex(), i.url, i.text_after] for i in message.images], [[c.name, _canonical(c.arguments)] for c in message.tool_calls]]
    return hashlib.sha256(digest + json.dumps(parts).encode()).digest()


def _canonical(text: str) -> str:
    try:
        return json.dumps(json.loads(text, parse_int=_number, parse_float=_number), sort_keys=True)
    except (ValueError, RecursionError):
        return text


def _number(text: str) -> list[str]:
    return ["number", text]  # as it was written, and no text


class AgentService:
    """Has the agent play episodes. What it raises is a failure of class AGENT, but for the errors of the model and the environment."""

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
            waiting.over = True  # its next call of the host is refused, so that the thread ends
            await asyncio.wait([playing])
            raise

