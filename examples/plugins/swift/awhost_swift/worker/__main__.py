# SPDX-License-Identifier: Apache-2.0
"""One stage: ms-swift's GRPO with the episodes of the host. swift.json in the working directory says how."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

import swift
from awhost_bridge import ChatTemplate, SyncBridge
from awhost_bridge.hf import Over, ends, member
from swift.arguments import RLHFArguments
from swift.pipelines import rlhf_main
from transformers import AutoTokenizer

from .registries import register
from .stage import SwiftStage

JSON = dict[str, Any]


def _stage(bridge: SyncBridge, settings: JSON, args: RLHFArguments, *, main: bool) -> SwiftStage:
    tokenizer = AutoTokenizer.from_pretrained(args.model_dir, trust_remote_code=True)  # as Swift does
    thinking = {} if args.enable_thinking is None else {"enable_thinking": args.enable_thinking}
    return SwiftStage(
        bridge, settings, ChatTemplate(tokenizer, kwargs=thinking, end_ids=ends(args.model_dir, tokenizer.eos_token_id)), framework="swift", main=main,
        pad=tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id, response_tokens=args.max_completion_length,
        max_context=args.max_length or args.model_info.max_model_len, names={"clip_fraction": "clip_ratio/region_mean", "entropy": "entropy/mean"},
    )


@member
def main() -> None:
    with open("swift.json", encoding="utf-8") as f:
        settings = json.load(f)
    first = int(os.environ.get("RANK", "0")) == 0
    with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both" if first else "rollout", framework="swift", framework_version=swift.__version__) as bridge:
        args = RLHFArguments(**settings["fields"])
        stage = _stage(bridge, settings["stage"], args, main=first)
        register(stage.rows, stage.follow)
        with contextlib.suppress(Over):
            rlhf_main(args)


main()
