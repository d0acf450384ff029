"""The worker's side of awhost's framework bridge. It uses the standard library only; docs/reference/bridge.md is the protocol.

    bridge = await shared(endpoint_file, framework="verl", framework_version="0.9.1")
    ledger = Ledger(template, max_context=8192)

    async def generate(request):
        call = ledger.extend(request)
        out = await engine(call.prompt_ids, request["sampling"])
        return call.sampled(out.ids, out.logprobs, versions=[(out.version, len(out.ids))], finish=out.finish)

    result = await bridge.run_episode({"episode_id": ..., ...}, generate)
    rows = ledger.rows(result)
"""

from .batched import Batched, BatchedEpisode, Message, group_requests
from .bridge import Bridge
from .checkpoint import seal
from .codec import Codec, CodecError, Evidence, Sample, choose, examine, identity
from .errors import BridgeError, BridgeLost, BridgeRefused, EpisodeError, GenerateError, LedgerError
from .gap import PolicyGap
from .ledger import Call, Ledger, Row, Template
from .result import ChainResult, EpisodeResult, Failure
from .shared import shared
from .stage import Played, StageDriver, Trainer, advance, knobs_of, learning_rate, stage_settings, trained_tokens
from .sync import SyncBridge
from .template import ChatTemplate, end_ids
from .tokens import tell_tokens
from .toolcalls import parse_message

__all__ = [
    "Batched",
    "BatchedEpisode",
    "Bridge",
    "BridgeError",
    "BridgeLost",
    "BridgeRefused",
    "Call",
    "ChainResult",
    "ChatTemplate",
    "Codec",
    "CodecError",
    "EpisodeError",
    "EpisodeResult",
    "Evidence",
    "Failure",
    "GenerateError",
    "Ledger",
    "LedgerError",
    "Message",
    "Played",
    "PolicyGap",
    "Row",
    "Sample",
    "StageDriver",
    "SyncBridge",
    "Template",
    "Trainer",
    "advance",
    "choose",
    "end_ids",
    "examine",
    "group_requests",
    "identity",
    "knobs_of",
    "learning_rate",
    "parse_message",
    "seal",
    "shared",
    "stage_settings",
    "tell_tokens",
    "trained_tokens",
]
