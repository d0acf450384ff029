"""Agent mode: AReaL asks for an episode, the host runs it, AReaL's own OpenAI proxy samples each message and keeps its tokens.

The proxy trains every completion of a session, so what must not be trained may not be asked for, and what is known of an
episode only later than a completion can only be met by giving up the group: AReaL knows no other way.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import uuid
from typing import Any

from areal.infra import workflow_context
from awhost_bridge import Codec, GenerateError, Sample, choose, identity
from awhost_bridge.messages import for_template, tool_for_template

from awhost_areal import script
from awhost_areal.policy import Policy
from awhost_areal.request import Settings
from awhost_areal.worker import connect, end_if_drained, give_up, report_lost, trains

log = logging.getLogger("awhost.areal")


class EpisodeRejected(Exception):
    """The episode must not be trained. AReaL gives up its group."""


class AwhostAgent:
    """One prompt: AReaL makes an instance for each, and calls ``run`` for each sample of its group."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = Settings(**settings)
        self._numbers = itertools.count()

    async def run(self, data: dict[str, Any], **proxy: Any) -> float:
        """Returns the reward of the proxy's last completion, which AReaL hands on to all before. It takes floats."""
        validation = workflow_context.get().is_eval
        number = next(self._numbers)
        bridge = await connect(self.settings, "generate")
        await end_if_drained(bridge)
        session = Session(self.settings, proxy["http_client"], str(proxy["base_url"]), str(proxy["api_key"]), validation)
        try:
            result = await bridge.run_episode(self._request(data, number, validation), session.generate, restart=session.restart)
        except Exception as error:
            await give_up(error)
            raise
        try:
            return session.reward(result)
        except EpisodeRejected as error:
            if trains(result) and not validation:
                await report_lost(bridge, result.episode_id, str(error))
            raise

    def _request(self, data: dict[str, Any], number: int, validation: bool) -> dict[str, Any]:
        """RunEpisodeRequest in JSON. AReaL does not tell an agent which weights answer: the adapter fills in the step."""
        index = int(data["awhost_index"])
        group = f"v{index:06d}" if validation else f"d{index:07d}"
        again = f"/{uuid.uuid4().hex[:12]}" if validation else ""  # each pass plays the same tasks
        return {
            "episode_id": f"{self.settings.launch_id}/{group}/s{number:03d}{again}",
            "group_id": group, "group_size": self.settings.group_size(validation), "sample_index": number,
            "dataset_index": index, "stage": self.settings.stage, "split": "SPLIT_VALIDATION" if validation else "SPLIT_TRAIN",
        }


class Chain:
    """A conversation as the proxy knows it."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.messages = messages
        self.ids: list[str] = []  # of its completions, in order
        self.ends: list[int] = []  # how many messages it had after each


class Session:
    """An episode's conversations with the proxy."""

    def __init__(self, settings: Settings, client: Any, base_url: str, key: str, validation: bool) -> None:
        self.settings, self._client = settings, client
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._headers = {"Authorization": "Bearer " + key}
        self._gconfig = settings.eval_gconfig if validation else settings.gconfig
        self._chains: dict[str, Chain] = {}
        self._single = settings.keep_group_size and not validation and not settings.scripts
        self._attempt = 0
        self._spoiled = ""  # why the session must not be trained any more

    def restart(self) -> None:
        """The host begins anew, and the proxy keeps what it has sampled."""
        if self._chains:
            self._spoiled = "the adapter was restarted in the middle of the episode"
        self._chains = {}

    async def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Samples one message: GenerateRequest in, GenerateResponse out."""
        self._admit(request)
        known = self._chains.get(request["chain"])
        base = known.messages[: request["base"]] if known else []
        messages = base + [openai_message(m) for m in request["messages"]]
        sampled = await self._complete(messages, request)
        message = without_nulls(sampled["choices"][0]["message"])
        chain = known if known and request["base"] == len(known.messages) else Chain([])
        chain.ids = chain.ids + [str(sampled["id"])]
        chain.messages = messages + [message]
        chain.ends = chain.ends + [len(chain.messages)]
        name = request["chain"] if chain is known else f"{request['episode_id']}/a{request['attempt']}/c{len(self._chains) + 1}"
        self._chains[name] = chain
        return self._response(request, name, chain, sampled)

    def _admit(self, request: dict[str, Any]) -> None:
        if self._spoiled:
            raise GenerateError("aborted", self._spoiled)
        if request["attempt"] > max(1, self._attempt) and self._chains:
            self._spoiled = "AReaL's proxy trains all that it sampled: an episode cannot be tried again after its first message"
            raise GenerateError("aborted", self._spoiled)
        if not request["trainable"]:
            self._spoiled = "AReaL's proxy trains all that it samples: a message that is not to be trained needs mode = \"workflow\""
            raise GenerateError("aborted", self._spoiled)
        known = self._chains.get(request["chain"])
        if request["chain"] and known is None:
            raise GenerateError("aborted", f"the episode has no chain {request['chain']}")
        if known and request["base"] < len(known.messages) and any(end <= request["base"] for end in known.ends):
            self._spoiled = (
                "the conversation forks behind a sampled message, which AReaL's proxy would train twice: "
                "that needs mode = \"workflow\"")
            raise GenerateError("aborted", self._spoiled)
        if self._single and self._chains and not (known and request["base"] == len(known.messages)):
            self._spoiled = (
                "AReaL before 2.0 compares samples by counting rows: "
                "an episode with several conversations needs mode = \"workflow\" or AReaL 2.0")
            raise GenerateError("aborted", self._spoiled)
        self._attempt = request["attempt"]

    async def _complete(self, messages: list[dict[str, Any]], request: dict[str, Any]) -> dict[str, Any]:
        """Asks once: a repeated request that was served would be trained, too."""
        body = {"model": "policy", "messages": messages, **self._sampling(request)}
        if request.get("tools"):
            body["tools"] = [tool_for_template(t) for t in request["tools"]]
        try:
            answer = await self._client.post(self._url, json=body, headers=self._headers, timeout=None)
        except BaseException as error:  # a cancellation, too: nobody knows whether it was served
            self._spoiled = f"a call of the episode was given up in AReaL's proxy ({type(error).__name__}), which may train it"
            if isinstance(error, Exception):
                raise GenerateError("engine", f"AReaL's proxy: {type(error).__name__}: {error}") from error
            raise
        if answer.status_code == 200:
            return answer.json()
        detail = answer.text[:500]
        if "max_new_tokens" in detail or "context" in detail or "engine_max_tokens" in detail:
            raise GenerateError("context_full", detail)
        raise GenerateError("engine", f"AReaL's proxy answered {answer.status_code}: {detail}")

    def _sampling(self, request: dict[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        wanted = request.get("sampling") or {}
        for name, key in (("temperature", "temperature"), ("top_p", "top_p"), ("stop", "stop")):
            value = wanted.get(name) if wanted.get(name) not in (None, []) else self._gconfig.get(key)
            if value is not None:
                out[name] = value
        limit = wanted.get("max_tokens") or self._gconfig.get("max_new_tokens")
        if limit and int(limit) < self.settings.max_context:
            out["max_completion_tokens"] = int(limit)
        if self.settings.scripts:
            policy = Policy.load(self.settings.tokenizer_path, self.settings.template)
            short = script.sampling(self.settings.scripts, policy.template, request, int(limit or self.settings.max_context))
            out["max_completion_tokens"] = short.pop("max_new_tokens")
            out.update(short)
        return out

    def _response(self, request: dict[str, Any], name: str, chain: Chain, sampled: dict[str, Any]) -> dict[str, Any]:
        choice, usage = sampled["choices"][0], sampled.get("usage") or {}
        finish = {"length": "FINISH_REASON_LENGTH", "tool_calls": "FINISH_REASON_TOOL_CALLS"}.get(choice.get("finish_reason"), "FINISH_REASON_STOP")
        used = int(usage.get("total_tokens") or 0)
        return {
            "message": self._message(chain.messages[-1], request.get("tools") or [], len(chain.messages)),
            "finish_reason": finish,
            "usage": {"prompt_tokens": int(usage.get("prompt_tokens") or 0), "output_tokens": int(usage.get("completion_tokens") or 0)},
            "remaining_tokens": max(0, self.settings.max_context - used),
            "chain": name, "chain_length": len(chain.messages), "chain_digest": digest(chain.ids),
            **identity(self._codec()),
        }

    def _codec(self) -> Codec:
        policy = Policy.load(self.settings.tokenizer_path, self.settings.template)
        return choose(policy.template, self.settings.tool_format, self.settings.reasoning_format)

    def _message(self, message: dict[str, Any], tools: list[Any], position: int) -> dict[str, Any]:
        """Returns the proxy's reply as the host takes it. Without an engine's parser the proxy leaves calls in the text."""
        text = str(message.get("content") or "")
        if not message.get("tool_calls"):
            policy = Policy.load(self.settings.tokenizer_path, self.settings.template)
            ids = policy.tokenizer.encode(text, add_special_tokens=False)
            return self._codec().parse(Sample(ids, text, tools, position=position))
        out: dict[str, Any] = {"role": "ROLE_ASSISTANT", "tool_calls": [
            {"id": str(c["id"]), "name": c["function"]["name"], "arguments_json": c["function"]["arguments"]} for c in message["tool_calls"]
        ]}
        if message.get("reasoning_content"):
            out["reasoning"] = str(message["reasoning_content"])
        if text:
            out["content"] = [{"text": text}]
        return out

    def reward(self, result: Any) -> float:
        """The reward of the session's last completion. AReaL adds to the reward of a completion that of the one after
        it, of whatever conversation: rewards of the conversations, each at its end, would add up."""
        if self._spoiled:
            raise EpisodeRejected(self._spoiled)
        if self.settings.scripts and self._chains:
            # In a smoke run nothing is trained for its worth, and groups that are given up would never make a step.
            return float(result.reward or 0)
        if result.reward is None or result.masked or result.drop_group or result.outcome in ("dropped", "cancelled", "failed"):
            why = f": {result.failure.kind}: {result.failure.detail}" if result.failure else ""
            raise EpisodeRejected(f"episode {result.episode_id} is {result.outcome}{why}")
        trained = {c.chain: c for c in result.chains if c.train}
        if set(trained) != set(self._chains):
            raise EpisodeRejected(f"episode {result.episode_id} trains {len(trained)} of {len(self._chains)} conversations, and AReaL's proxy would train all")
        if not trained:
            raise EpisodeRejected(f"episode {result.episode_id} has not asked the policy")
        if any(chain.reward not in (None, result.reward) for chain in trained.values()):
            raise EpisodeRejected(
                f"episode {result.episode_id} has conversations with rewards of their own, "
                "which AReaL's proxy would add up")
        return float(result.reward)


def digest(ids: list[str]) -> str:
    """Names what the proxy holds: the tokens themselves are not shown."""
    return hashlib.sha256("\n".join(ids).encode()).hexdigest()


def without_nulls(message: dict[str, Any]) -> dict[str, Any]:
    """A reply as it may be sent back: the proxy fails on members that are null, and finds the parent by the others."""
    return {name: value for name, value in message.items() if value is not None}


def openai_message(message: dict[str, Any]) -> dict[str, Any]:
    """A message of the host as the proxy takes it."""
    out = for_template(message)
    out.pop("reasoning_content", None)
    for call in out.get("tool_calls") or []:
        if not isinstance(call["function"]["arguments"], str):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"])
    return out
