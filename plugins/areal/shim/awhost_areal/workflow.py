"""Workflow mode: AReaL asks for a sample, the host runs the episode, AReaL's engine samples each message.

Tokens stay here, in the ledger: what was sampled is never tokenised again.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import Any

from areal.api import ModelRequest, RolloutWorkflow
from areal.api.cli_args import GenerationHyperparameters
from areal.infra import workflow_context
from areal.utils import stats_tracker
from awhost_bridge import GenerateError, Ledger, tell_tokens

from awhost_areal import rows, script
from awhost_areal.group import Group, Sample
from awhost_areal.policy import Policy
from awhost_areal.request import Settings, episode_request
from awhost_areal.worker import connect, end_if_drained, give_up, report_lost, trains

log = logging.getLogger("awhost.areal")


class AwhostWorkflow(RolloutWorkflow):
    """One prompt: AReaL makes an instance for each, and calls ``arun_episode`` for each sample of its group."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = Settings(**settings)
        self._numbers = itertools.count()
        self._group: Group | None = None

    async def arun_episode(self, engine: Any, data: dict[str, Any]) -> dict[str, Any] | None:
        """Returns a row, or None where AReaL should draw another. Raising would lose the siblings, too."""
        number = next(self._numbers)
        validation = workflow_context.get().is_eval
        if self._group is None:
            self._group = Group(self.settings.group_size(validation), self.settings.keep_group_size)
        try:
            sample = await self._sample(engine, data, number, validation)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            await give_up(error)  # does not return when the adapter wants no more episodes
            log.exception("episode of position %s, sample %d", data.get("awhost_index"), number)
            sample = Sample()
        return await self._group.settle(number, sample)

    async def _sample(self, engine: Any, data: dict[str, Any], number: int, validation: bool) -> Sample:
        bridge = await connect(self.settings, "generate")
        await end_if_drained(bridge)
        episode = Episode(self.settings, engine, validation)
        request = episode_request(self.settings, data, number, engine.get_version(), validation)
        episode.id = request["episode_id"]
        result = await bridge.run_episode(request, episode.generate, restart=episode.restart)
        sample, why = episode.outcome(result)
        if why and not validation:
            await report_lost(bridge, episode.id, why)
        if sample.scored:
            row, _ = episode.ledger.main_row(result)
            await tell_tokens(bridge, result, [row], episode.policy.template)
        return sample


class Episode:
    """One sample while it is being drawn."""

    def __init__(self, settings: Settings, engine: Any, validation: bool) -> None:
        self.settings, self.engine, self.id = settings, engine, ""
        self.gconfig = settings.eval_gconfig if validation else settings.gconfig
        self.window = min(settings.max_context, int(self.gconfig["max_tokens"]))
        self.policy = Policy.load(settings.tokenizer_path, settings.template)
        self.restart()

    def restart(self) -> None:
        """The host begins anew: what was sampled before will never be trained."""
        self.ledger = Ledger(
            self.policy.template, max_context=self.window, tool_format=self.settings.tool_format,
            reasoning_format=self.settings.reasoning_format,
        )

    async def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Samples one message: GenerateRequest in, GenerateResponse out."""
        call = self.ledger.extend(request)
        hyper = self._hyperparameters(request, call.room)
        try:
            answer = await self.engine.agenerate(ModelRequest(
                rid=self.id, input_ids=call.prompt_ids, gconfig=hyper, tokenizer=self.policy.tokenizer,
            ))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise GenerateError("engine", f"{type(error).__name__}: {error}") from error
        ids = [int(i) for i in answer.output_tokens]
        if not ids:
            raise GenerateError("engine", f"the engine returned no token and the reason {answer.stop_reason!r}")
        ended = ids[-1] in self.policy.end_ids
        return call.sampled(
            ids, [float(p) for p in answer.output_logprobs], versions=spans(answer.output_versions),
            finish="length" if answer.stop_reason == "length" and not ended else "stop",
        )

    def _hyperparameters(self, request: dict[str, Any], room: int) -> GenerationHyperparameters:
        """The spec's sampling comes with each call; what it leaves open is gconfig's."""
        base, wanted = dict(self.gconfig), request.get("sampling") or {}
        base.update(n_samples=1, max_tokens=self.window, stop_token_ids=sorted(self.policy.end_ids | set(base.get("stop_token_ids") or [])))
        base["max_new_tokens"] = min(room, int(wanted.get("max_tokens") or base.get("max_new_tokens") or room))
        if wanted.get("temperature") is not None:
            base["temperature"], base["greedy"] = float(wanted["temperature"]), float(wanted["temperature"]) == 0
        if wanted.get("top_p") is not None:
            base["top_p"] = float(wanted["top_p"])
        if wanted.get("top_k"):
            base["top_k"] = int(wanted["top_k"])
        if wanted.get("stop"):
            base["stop"] = list(wanted["stop"])
        if self.settings.scripts:
            template, limit = self.policy.template.of(request), base["max_new_tokens"]
            base.update(script.sampling(self.settings.scripts, template, request, limit))
        return GenerationHyperparameters(**base)

    def outcome(self, result: Any) -> tuple[Sample, str]:
        """What the host says of the episode, with the row that was sampled; and why that cannot be trained which should be, or
        nothing."""
        try:
            sample = self.sample(result)
        except Exception as error:
            log.exception("episode %s", self.id)
            return Sample(), f"{type(error).__name__}: {error}" if trains(result) else ""
        if trains(result) and not sample.scored:
            return sample, "the worker has no sampled token of the chains that are to be trained"
        return sample, ""

    def sample(self, result: Any) -> Sample:
        row, left_out = self.ledger.main_row(result)  # AReaL takes one row per sample here
        if left_out:
            log.info("episode %s: %d sampled tokens are in other chains than the one that is trained", self.id, left_out)
        dropped = result.outcome in ("dropped", "cancelled") or bool(result.drop_group)
        reward = None if result.masked or dropped else result.reward
        if reward is not None:
            stats_tracker.get(workflow_context.stat_scope()).scalar(reward=float(reward), num_turns=float(result.num_turns))
        return Sample(None if row is None else rows.tensors(row), reward, dropped)


def spans(versions: list[int]) -> list[tuple[int, int]]:
    """Run lengths of the weight versions that sampled the tokens."""
    return [(int(version), len(list(run))) for version, run in itertools.groupby(versions)]
