"""The agent loop: verl asks for a sample, the host runs the episode, verl's own engine samples each message."""

from __future__ import annotations

import logging
import os
import time
import uuid
from typing import Any

from awhost_bridge import Bridge, ChatTemplate, GenerateError, Ledger, LedgerError, shared, tell_tokens
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput

from awhost_verl import version
from awhost_verl.output import Limits, failed_outputs, scored_outputs, trained_rows, untrained_outputs

SMOKE_TOKENS = 64  # of a message, in a smoke run

log = logging.getLogger("awhost.verl")


class AwhostAgentLoop(AgentLoopBase):
    """Runs one sample as an episode of the host. verl makes an instance for each sample."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.pop("name", None)  # the entry of agent.yaml
        super().__init__(*args, **kwargs)
        rollout = self.config.actor_rollout_ref.rollout
        self.limits = Limits(rollout.prompt_length, rollout.response_length, bool(rollout.calculate_log_probs))
        self.on_cpu = str(rollout.name) == "awhost_cpu"
        self.seeded = takes_seeds(rollout)
        self.filters = bool(self.config.data.get("filter_overlong_prompts", False))
        self.settings = dict(self.config.awhost)  # OmegaConf takes its time to say that a name is not there, and each call asks

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> Any:
        """Answers with what verl trains on: one output, or a list of outputs where the trainer takes several.

        ``row`` holds the columns of the dataset file, of which ``awhost_split`` and ``awhost_index`` say which task it is.
        """
        bridge = await shared(
            self.settings["endpoint_file"], role="rollout", framework="verl", framework_version=version.installed(),
            capabilities=("generate",),
        )
        episode = Episode(self, bridge, sampling_params, row)
        result = await bridge.run_episode(episode.request(), episode.generate, restart=episode.restart)
        try:
            outputs = scored_outputs(episode, result) or failed_outputs(episode, result)
            rows = trained_rows(episode, result)
            await tell_tokens(bridge, result, rows, episode.template, scored=self.limits.logprobs)
        except LedgerError as error:
            log.error("%s", error)
            outputs = await left_out(bridge, episode, result, "USE_LOST")
        if self.filters and episode.overlong and not episode.validation:
            outputs = await left_out(bridge, episode, result, "USE_FILTERED")
        if version.takes_lists():
            return outputs
        return outputs[0]


async def left_out(bridge: Bridge, episode: Episode, result: Any, use: str) -> list[AgentLoopOutput]:
    """Tells the host that verl does not train an episode although its reward counts. Returns the rows for verl."""
    await bridge.event({"consumed": {"episodes": [{"episode_id": episode.id, "use": use}]}})
    return untrained_outputs(episode, result)


def takes_seeds(rollout: Any) -> bool:
    """Whether the engine gets the host's seed with each message. The CPU sampler does. vLLM draws apart for each request that has a
    seed, which takes time, and so gets it only where ``rollout.full_determinism`` asks for that: verl itself then gives all requests
    one and the same, with which the samples of a group are equal."""
    return str(rollout.name) == "awhost_cpu" or str(rollout.name) == "vllm" and bool(rollout.get("full_determinism", False))


class Episode:
    """One sample while it is being drawn."""

    def __init__(self, loop: AwhostAgentLoop, bridge: Bridge, sampling: dict[str, Any], row: dict[str, Any]) -> None:
        self.loop, self.bridge, self.sampling, self.row = loop, bridge, dict(sampling), row
        self.limits, self.tokenizer = loop.limits, loop.tokenizer
        # verl's own id of the prompt and, where it says so, of the sample. A trainer that was started again has others.
        self.group = str(row.get("uid") or uuid.uuid4())
        self.sample = row.get("session_id")
        self.id = f"{self.group}/{uuid.uuid4().hex[:8] if self.sample is None else int(self.sample)}"
        self.validation = str(row["awhost_split"]) == "validation"
        self.group_size = self._group_size()
        self.template = chat_template(loop)
        self.generating = 0.0  # seconds
        self.restart()

    def _group_size(self) -> int:
        rollout = self.loop.config.actor_rollout_ref.rollout
        return int(rollout.val_kwargs.n if self.validation else rollout.n)

    def restart(self) -> None:
        """The host begins anew: what was sampled before will never be trained."""
        formats = {name: str(self.loop.settings.get(name) or "auto") for name in ("tool_format", "reasoning_format")}
        self.ledger = Ledger(self.template, **formats)
        self.openings: dict[str, int] = {}  # ids before the first sampled one, by chain
        self.first = ""  # the chain that the task opened
        self.prompt: list[int] = []  # of the first call
        self.steps: list[int] = []  # policy versions that were seen
        self.overlong = False  # the task's prompt is too long for a row: data.filter_overlong_prompts leaves it out

    def request(self) -> dict[str, Any]:
        """RunEpisodeRequest in JSON. The adapter fills in the stage, and the step where verl does not say it."""
        request: dict[str, Any] = {
            "episode_id": self.id, "group_id": self.group, "group_size": self.group_size,
            "dataset_index": int(self.row["awhost_index"]),
            "split": "SPLIT_VALIDATION" if self.validation else "SPLIT_TRAIN",
        }
        if self.sample is not None:
            request["sample_index"] = int(self.sample)
        if "global_steps" in self.row:
            request["step"] = int(self.row["global_steps"])
        return request

    async def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Samples one message: GenerateRequest in, GenerateResponse out."""
        call = self.ledger.extend(request)
        prompt = call.prompt_ids
        self.prompt, self.first = self.prompt or prompt, self.first or call.chain
        room = self._room(call.chain, len(prompt))
        wanted = request["sampling"] or {}
        limit = min(room, int(wanted.get("max_tokens") or room))
        params = dict(self.sampling, max_tokens=limit)  # verl takes it apart: a copy for each call
        if wanted.get("stop"):
            params["stop"] = list(wanted["stop"])
        if self.loop.seeded:
            params["seed"] = int(request["seed"]) % 2**63
        if call.grammar is not None:
            if not self.loop.on_cpu:
                why = "engines on a GPU report log-probabilities under the grammar"
                raise GenerateError("refused", f"decoding constraints need device = \"cpu\": {why}")
            params["awhost_grammar"] = call.grammar.tag, list(self.template.end_ids)
        if self.loop.settings.get("smoke"):
            params = self._smoke(request, params)
            limit = params["max_tokens"]
        began = time.monotonic()
        try:
            out = await self.loop.server_manager.generate(request_id=self.id, prompt_ids=prompt, sampling_params=params)
        except Exception as error:
            raise GenerateError("engine", f"{type(error).__name__}: {error}") from error
        finally:
            self.generating += time.monotonic() - began
        ids, logprobs, reason = engine_output(out)
        if reason == "aborted" or not ids:
            raise GenerateError("aborted", f"the engine returned {len(ids)} tokens and the reason {reason!r}")
        if logprobs is None and not self.limits.logprobs:
            logprobs = [0.0] * len(ids)  # verl was told to do without: it recomputes them
        finish = "stop" if ids[-1] in self.template.end_ids or stopped_early(params, reason, len(ids) < limit) else "length"
        response = call.sampled(ids, logprobs, versions=[(self._version(out), len(ids))], finish=finish)
        self.openings.setdefault(call.chain, len(prompt))
        response["remaining_tokens"] = str(room - len(ids))
        return response

    def _smoke(self, request: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
        """In a smoke run the policy is random and hardly ever ends a message: so it gets little room, or says what the
        script gives. Only the sampler of awhost_verl.cpu takes given ids, and scores them."""
        if request.get("scripted") is None:
            return dict(params, max_tokens=min(params["max_tokens"], SMOKE_TOKENS))
        ids = self.template.of(request).write(request["scripted"], request["tools"])[: params["max_tokens"]]
        return dict(params, awhost_forced=ids, max_tokens=len(ids))

    def _room(self, chain: str, length: int) -> int:
        """How many tokens verl's row still takes. verl pads prompts and responses apart. A later chain, which a change of the
        conversation opened, may begin with more than a prompt takes: the rest stands in its response, untrained."""
        opening = self.openings.get(chain, length)
        if chain != self.first:
            opening = min(opening, self.limits.prompt)
        if opening > self.limits.prompt:
            self.overlong = not self.openings
            raise GenerateError("context_full", f"the prompt has {opening} tokens and data.max_prompt_length is {self.limits.prompt}")
        used = length - opening
        if used >= self.limits.response:
            raise GenerateError("context_full", f"the episode has {used} tokens after its prompt and data.max_response_length is {self.limits.response}")
        return self.limits.response - used

    def _version(self, out: Any) -> int:
        """The step whose weights sampled the tokens; with a weight update in between, the last."""
        extra = getattr(out, "extra_fields", None) or {}
        seen = [extra[k] for k in ("min_global_steps", "max_global_steps") if extra.get(k) is not None]
        if not seen:
            seen = [int(self.row.get("global_steps") or 0)]
        self.steps += [int(s) for s in seen]
        return int(seen[-1])


def engine_output(out: Any) -> tuple[list[int], list[float] | None, str | None]:
    """Ids, log-probabilities and reason of what verl's engines answer with, in all versions."""
    if isinstance(out, list):  # 0.5
        return list(out), None, None
    logprobs = getattr(out, "log_probs", None)
    return [int(i) for i in out.token_ids], None if logprobs is None else [float(p) for p in logprobs], getattr(out, "stop_reason", None)


def stopped_early(params: dict[str, Any], reason: str | None, room_left: bool) -> bool:
    """Whether a message without an end token ended at a stop text or token that was asked for. verl's engines call both a
    stop and a limit of their own "completed": an engine with a smaller context than verl was told of cuts messages, too."""
    return room_left and reason != "length" and any(params.get(name) for name in ("stop", "stop_token_ids"))


_templates: dict[int, tuple[Any, ChatTemplate]] = {}


def chat_template(loop: AwhostAgentLoop) -> ChatTemplate:
    """One per tokenizer and process: it remembers what it has rendered."""
    known = _templates.get(id(loop.tokenizer))
    if known is None:
        kwargs = dict(loop.config.data.get("apply_chat_template_kwargs") or {})
        known = (loop.tokenizer, ChatTemplate(loop.tokenizer, kwargs=kwargs, end_ids=end_ids(loop)))
        _templates[id(loop.tokenizer)] = known
    return known[1]


def end_ids(loop: AwhostAgentLoop) -> list[int]:
    """The ids that end a message: the tokenizer's, and those of the model's generation config, which engines stop at."""
    out = {int(loop.tokenizer.eos_token_id)}
    path = os.path.join(str(loop.config.actor_rollout_ref.model.path), "generation_config.json")
    if os.path.isfile(path):
        import json

        with open(path, encoding="utf-8") as f:
            ids = json.load(f).get("eos_token_id")
        out.update(ids if isinstance(ids, list) else [] if ids is None else [ids])
    return sorted(out)
